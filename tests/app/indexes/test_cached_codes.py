"""Codes kept on this machine: fetched once, the same as the library's, and fetched again where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.indexes.loaded_index import CachedCodes
from app.library.library import Library
from storage.indexes.index_codes import IndexCodes
from storage.indexes.indexes import IndexRow
from storage.library.store import Transaction
from tests.app.made_library import FEW_BITS, LEARNED, histograms, make


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_CACHE", str(tmp_path / "cache"))
    with make(tmp_path / "made.twinlens", histograms(70), (FEW_BITS, LEARNED)) as made:
        yield made


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count what is read out of the library."""
    ids: list[int] = []
    load = IndexCodes.load

    def counted(codes: IndexCodes, index_id: int) -> object:
        ids.append(index_id)
        return load(codes, index_id)

    monkeypatch.setattr(IndexCodes, "load", counted)
    return ids


def same(r: Transaction, row: IndexRow, library: Library) -> None:
    found, wanted = CachedCodes(library.store.id).load(r, row), r.codes.load(row.id)
    np.testing.assert_array_equal(found.ids, wanted.ids)
    np.testing.assert_array_equal(found.codes, wanted.codes)
    assert (found.model_id, found.token) == (wanted.model_id, wanted.token)


def files(library: Library, tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "codes" / library.store.id).glob("*"))


def test_a_second_start_fetches_none(library: Library, fetched: list[int]) -> None:
    with library.store.reading() as r:
        rows = r.indexes.all()
        for _ in range(3):
            for row in rows:
                CachedCodes(library.store.id).load(r, row)
        assert sorted(fetched) == sorted(row.id for row in rows)
        for row in rows:
            same(r, row, library)


def test_other_codes_are_fetched_and_take_the_place_of_the_old(
    library: Library, fetched: list[int], tmp_path: Path
) -> None:
    with library.store.reading() as r:
        for row in r.indexes.all():
            same(r, row, library)
    before = files(library, tmp_path)
    with library.store.writing() as w:
        w.remove([3, 4])
    fetched.clear()
    with library.store.reading() as r:
        for row in r.indexes.all():
            found = CachedCodes(library.store.id).load(r, row)
            assert not np.isin([3, 4], found.ids).any()
            same(r, row, library)
    after = files(library, tmp_path)
    assert len(after) == len(before)
    assert len(set(after) & set(before)) == 1, "Automatic has no codes here, so none that have changed"


@pytest.mark.parametrize("name", ["ids.npy", "codes.npy", "checksum"])
@pytest.mark.parametrize("how", ["flip", "cut", "remove"])
def test_a_damaged_file_is_made_anew(library: Library, fetched: list[int], tmp_path: Path, name: str, how: str) -> None:
    with library.store.reading() as r:
        row = r.indexes.all()[0]
        same(r, row, library)
        (folder,) = files(library, tmp_path)
        file = folder / name
        whole = file.read_bytes()
        if how == "remove":
            file.unlink()
        else:
            file.write_bytes(whole[:-3] if how == "cut" else whole[:-1] + bytes([whole[-1] ^ 4]))
        fetched.clear()
        same(r, row, library)
        assert len(fetched) == 2, "once for the cache, once to compare"
        assert file.read_bytes() == whole
        fetched.clear()
        CachedCodes(library.store.id).load(r, row)
        assert fetched == []


def test_a_cache_that_cannot_be_written_costs_only_its_time(library: Library, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(exist_ok=True)
    (tmp_path / "cache" / "codes").write_text("a file, not a folder")
    with library.store.reading() as r:
        for row in r.indexes.all():
            same(r, row, library)
