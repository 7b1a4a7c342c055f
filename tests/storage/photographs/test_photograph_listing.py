"""The columns of a listing say the same as the rows, whatever stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func

from core.errors import Cancelled
from storage.database.dialect import of
from storage.database.schema import photograph
from storage.library.store import Store
from storage.photographs import photograph_listing
from storage.photographs.photographs import NewFile, PhotographRow
from storage.sqlite.engine import SqliteDialect
from tests.storage.conftest import NewStore
from tests.storage.making import files, read

_parts = st.binary(min_size=1, max_size=6).map(lambda part: part.replace(b"\0", b"~").replace(b"/", b"-"))
_paths = st.lists(_parts, min_size=1, max_size=4).map(b"/".join)
_dates = st.datetimes().map(lambda moment: moment.strftime("%Y").zfill(4) + moment.strftime("-%m-%dT%H:%M:%S"))
_facts = st.fixed_dictionaries(
    {
        "content_hash": st.binary(min_size=32, max_size=32) | st.just(bytes(32)),
        "taken": st.none() | _dates | st.sampled_from(["2023-05-14T11:08:00", "2023", "", "nonsense", "über"]),
        "camera": st.none() | st.sampled_from(["Canon", "Café", "a\x1fb", "", "NIKON D90"]),
    }
)
_photographs = st.dictionaries(
    st.tuples(st.sampled_from([1, 2]), _paths), st.tuples(_facts, st.sampled_from("rrrpm")), max_size=30
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Iterator[Store]:
    with new_store(tmp_path_factory.mktemp("listing")) as made:
        yield made


def _number(taken: str | None) -> int:
    letters = (taken or "").encode()[:19].ljust(19)
    shown = [letters[place : place + 1] for place in (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)]
    return int(b"".join(digit if digit.isdigit() else b"0" for digit in shown))


@given(_photographs, st.integers(1, 9), st.booleans())
def test_the_columns_are_those_of_the_rows(
    store: Store, photographs: dict[tuple[int, bytes], tuple[dict[str, object], str]], page: int, old_sqlite: bool
) -> None:
    with store.writing() as w:
        w.remove(w.listing.basics().ids)
        w.connection.exec_driver_sql("DELETE FROM photograph")
        for volume in ("a", "b"):
            w.volumes.seen(volume, volume, b"/" + volume.encode())
        for (volume_id, path), (facts, state) in photographs.items():
            (i,) = w.photographs.register(volume_id, None, [NewFile(path, 1, 1)]).tolist()
            if state != "p":
                w.photographs.record([read(i, **facts)])
            if state == "m":
                w.photographs.mark_missing([i])
    with store.reading() as r, pytest.MonkeyPatch.context() as patch:
        patch.setattr(photograph_listing, "_PAGE", page)
        if old_sqlite:
            patch.setattr(SqliteDialect, "joined", _cut_off)
        basics, cameras = r.listing.basics(), r.listing.cameras()
        paths = r.listing.paths(basics.ids)
        rows = [
            row
            for row in r.photographs.by_id(range(1, of(r.connection).last_given(photograph) + 1))
            if row.content_hash
        ]
    assert basics.ids.tolist() == [row.id for row in rows]
    assert basics.volumes.tolist() == [row.volume_id for row in rows]
    assert [bytes(one) for one in basics.hashes] == [row.content_hash for row in rows]
    assert basics.missing.tolist() == [row.state == "missing" for row in rows]
    assert basics.taken.tolist() == [_number(row.taken) for row in rows]
    assert [cameras.texts[number] for number in cameras.numbers] == [row.camera or "" for row in rows]
    assert cameras.texts[0] == ""
    folders = [paths.folders[number] for number in paths.folder]
    assert folders == [(row.volume_id, row.path.rpartition(b"/")[0]) for row in rows]
    assert len(set(paths.folders)) == len(paths.folders)
    ordered = sorted(rows, key=lambda row: (row.volume_id, row.path))
    assert [rows[number] for number in paths.by_path] == ordered
    assert b"".join(paths.names) == b"".join(_name(row) + b"\0" for row in ordered)


_joined = SqliteDialect.joined


def _cut_off(dialect: SqliteDialect, column: Any, separator: bytes, order: Any) -> Any:
    """Join values as an SQLite does that ends a text at its first zero byte."""
    whole = _joined(dialect, column, separator, order)
    return func.substr(whole, 1, 7) if column is photograph.c.content_hash else whole


def _name(row: PhotographRow) -> bytes:
    return row.path.rpartition(b"/")[2]


def test_reading_can_be_stopped(store: Store) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    with store.writing() as w:
        w.photographs.register(w.volumes.seen("a", "a", b"/a"), None, files(0, 3))
    with store.reading() as r:
        for work in (
            r.listing.basics,
            r.listing.cameras,
            lambda progress: r.listing.paths(np.empty(0, np.int64), progress),
        ):
            with pytest.raises(Cancelled):
                work(stop)
