"""Exact search by vectors of eight bits answers as measuring everything does, and never by what is out of date."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from app.indexes.encoders import bring_indexes_up_to_date
from app.library.library import Library
from app.machine import app_folders
from app.search import confirmation
from app.search.search_query import Example, SearchOptions, SearchQuery
from app.search.search_space import Filters
from app.search.searcher import Searcher
from core.errors import Cancelled
from core.exact_search.exact_scan import nearest_by
from tests.app.made_library import FEW_BITS, LEARNED, histograms, make, put

COUNT = 300
BLANK = (105, 106, 177)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "made.twinlens"
    vectors = histograms(COUNT)
    vectors[np.array(BLANK) - 1] = 0
    make(path, vectors, (FEW_BITS, LEARNED)).close()
    return path


@pytest.fixture
def library(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_CACHE", str(tmp_path / "cache"))  # which copies of a library share
    with Library.open(Path(shutil.copy(made, tmp_path))) as opened:
        yield opened


EXAMPLES = SearchQuery((Example(3), Example(200, 0.5), Example(9, -0.5)))
MANY: Sequence[int | SearchQuery] = [*range(10, 40, 3), EXAMPLES, *BLANK]
FEW: Sequence[int | SearchQuery] = [10, 37, EXAMPLES, BLANK[0]]


def answers(library: Library, k: int = 12, questions: Sequence[int | SearchQuery] = FEW) -> list[object]:
    searcher = Searcher(library)
    found: list[object] = []
    for index in ("Few bits", "Learned"):
        for filters in (Filters(), Filters(orientation="portrait")):
            for question in questions:
                result = searcher.search(question, index, SearchOptions(k, exact=True, filters=filters))
                found.append(([(hit.id, hit.distance) for hit in result.hits], result.looked_at, result.of))
    return found


def kept(library: Library) -> list[Path]:
    return sorted((app_folders.cache_folder() / "exact" / library.store.id).glob("*-*"))


@pytest.mark.parametrize("k", [1, 12, COUNT])
def test_the_answers_are_the_same(library: Library, monkeypatch: pytest.MonkeyPatch, k: int) -> None:
    plain = answers(library, k, MANY)
    assert not kept(library)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    with patch("app.search.confirmation.nearest_by", wraps=nearest_by) as everything:
        assert answers(library, k, MANY) == plain
    assert everything.call_count == 2 * 2 * (1 + len(BLANK))  # several examples, and what is like nothing
    assert len(kept(library)) == 2


def test_what_has_changed_is_rounded_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)
    answers(library)
    before = kept(library)
    with library.store.writing() as w:
        w.descriptors.remove([2, 5, 8])
        w.codes.remove([2, 5, 8])
    put(library, histograms(20, seed=9), start=COUNT)
    bring_indexes_up_to_date(library)
    after = answers(library)
    assert not set(kept(library)) & set(before)
    monkeypatch.setattr(confirmation, "LEAST", 2 * COUNT)
    assert answers(library) == after


def test_what_nobody_needs_any_more_is_removed(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)
    folder = app_folders.cache_folder() / "exact" / library.store.id
    for name in ("99-abc", "part-killed", "part-now"):
        (folder / name).mkdir(parents=True)
    os.utime(folder / "part-killed", (0, 0))
    answers(library)
    assert len(kept(library)) == 3
    assert folder / "part-now" in kept(library)
    with library.store.writing() as w:
        ids = {one.name: one.id for one in w.indexes.all()}
        w.indexes.delete(ids["Few bits"])
        w.codes.touch(ids["Learned"])
    Searcher(library).search(1, "Learned", SearchOptions(exact=True))
    now, *others = (one.name for one in kept(library) if one.name != "part-now")
    assert now.startswith(f"{ids['Learned']}-")
    assert not others


@pytest.mark.parametrize("file", ["codes", "squares", "errors", "frame"])
def test_damaged_files_are_made_anew(library: Library, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    plain = answers(library)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    answers(library)
    for folder in kept(library):
        (folder / f"{file}.npy").write_bytes(b"\x93NUMPY")
    assert answers(library) == plain
    for folder in kept(library):
        np.load(folder / f"{file}.npy")


def test_without_room_everything_is_measured(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = answers(library)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    free = shutil.disk_usage("/")._replace(free=1_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    assert answers(library) == plain
    assert not kept(library)


def test_cancelled_nothing_is_kept(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)

    def stop(done: float, total: float, text: object) -> None:
        if "Preparing" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        Searcher(library).search(1, "Few bits", SearchOptions(exact=True), stop)
    assert not kept(library)
    assert not list((app_folders.cache_folder() / "exact" / library.store.id).glob("*"))
