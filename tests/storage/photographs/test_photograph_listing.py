"""The columns of a listing say the same as the rows, and a filter lets through what a plain reading of it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import files, plans, read
from twinlens.core.errors import Cancelled
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Store
from twinlens.storage.marks import NewMark
from twinlens.storage.photographs import photograph_listing
from twinlens.storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape
from twinlens.storage.photographs.photographs import NewFile, PhotographRow
from twinlens.storage.sqlite.engine import SqliteDialect

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
            row for row in r.photographs.by_id(range(1, r.dialect.last_given("photograph") + 1)) if row.content_hash
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


def _cut_off(dialect: SqliteDialect, column: str, separator: str, order: str, binary: bool = False) -> str:
    """Join values as an SQLite does that ends a text at its first zero byte."""
    whole = _joined(dialect, column, separator, order, binary)
    return f"substr({whole}, 1, 7)" if column == "content_hash" else whole


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


DATES = [None, "2021-12-31T23:59:59", "2023-05-14T11:08:00", "2023-05-14T00:00:00", "2023-06-01T00:00:00"]
CAMERAS = [None, "Canon EOS 5D", "NIKON D70", "100%_x", "--", "Pentaflex É"]
SIZES = [(4, 3), (3, 4), (5, 5)]
MARKS = [(1, 2, True), (3, 1, False), (4, 8, True), (5, 6, False), (9, 999, True)]
FOLDERS = [b"", b"a", b"a/b", b"ab", b"none"]


@pytest.fixture(scope="module")
def filtered_store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Iterator[Store]:
    """Yield a library with every mixture of facts, and some photographs that were not read."""
    with new_store(tmp_path_factory.mktemp("filters")) as made:
        with made.writing() as w:
            volumes = [w.volumes.seen("a", "A", b"/a"), w.volumes.seen("b", "B", b"/b")]
            i = 0
            for volume in volumes:
                for folder in (b"a", b"a/b", b"ab"):
                    for date in DATES:
                        for camera in CAMERAS:
                            i += 1
                            w.photographs.register(volume, None, [NewFile(folder + b"/%d" % i, i, i)])
                            width, height = SIZES[i % 3]
                            facts = read(i, taken=date, camera=camera, width=width, height=height)
                            if i % 7:
                                w.photographs.record([facts])
            w.photographs.mark_missing([5, 9])
            w.marks.put(
                NewMark(read(one).content_hash, read(other).content_hash, "", "", similar, "asked")
                for one, other, similar in MARKS
            )
        yield made


def _passes(row: PhotographRow, choice: Filter) -> bool:
    lies = not choice.folders or any(
        row.volume_id == volume and (not path or row.path == path or row.path.startswith(path + b"/"))
        for volume, path in choice.folders
    )
    dated = choice.since is None or (row.taken is not None and row.taken >= choice.since)
    until = choice.until is None or (row.taken is not None and row.taken[: len(choice.until)] <= choice.until)
    camera = choice.camera is None or (row.camera is not None and choice.camera.lower() in row.camera.lower())
    if choice.camera == "":
        camera = row.camera in (None, "--")
    sides = None if row.width is None or row.height is None else row.width - row.height
    shapes = {PictureShape.LANDSCAPE: (1,), PictureShape.PORTRAIT: (-1,), PictureShape.SQUARE: (0,)}
    shape = choice.shape is None or sides in shapes[choice.shape]
    state = not choice.states or row.state in choice.states
    said = _ways().get(row.content_hash or b"", set())
    wanted = {MarkFilter.ANY: {True, False}, MarkFilter.SIMILAR: {True}, MarkFilter.DIFFERENT: {False}}
    marked = choice.marked is None or bool(said & wanted[choice.marked])
    return lies and dated and until and camera and shape and state and marked


def _ways() -> dict[bytes, set[bool]]:
    """Return for each content that is marked how it is."""
    ways: dict[bytes, set[bool]] = {}
    for *both, similar in MARKS:
        for one in both:
            ways.setdefault(read(one).content_hash, set()).add(similar)
    return ways


_filter_dates = st.sampled_from([None, "2021", "2023", "2023-05", "2023-05-14", "2023-05-15", "2024"])
_choices = st.builds(
    Filter,
    folders=st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from(FOLDERS)), max_size=2).map(tuple),
    since=_filter_dates,
    until=_filter_dates,
    camera=st.sampled_from([None, "canon", "EOS 5", "%", "_", "x", "sony", ""]),
    shape=st.sampled_from([None, *PictureShape]),
    states=st.lists(st.sampled_from(PhotographState), max_size=2).map(tuple),
    marked=st.sampled_from([None, None, *MarkFilter]),
)


@given(_choices)
def test_a_filter_lets_through_what_it_says(filtered_store: Store, choice: Filter) -> None:
    with filtered_store.reading() as r:
        rows = r.photographs.by_id(range(1, 1000))
        found = r.photographs.matching(choice)
    assert found.tolist() == [row.id for row in rows if _passes(row, choice)]


@pytest.mark.parametrize(
    ("choice", "index"),
    [
        (Filter(folders=((1, b"a"),)), "volume_id=? AND path>? AND path<?"),
        (Filter(marked=MarkFilter.SIMILAR), "photograph_by_hash (content_hash=?)"),
    ],
)
def test_photographs_are_found_by_indexes(tmp_path: Path, choice: Filter, index: str) -> None:
    with making.new_store(tmp_path) as store, store.reading() as r:
        with plans(r) as found:
            r.photographs.matching(choice)
        assert index in found[0]


def test_no_filter_lets_everything_through(filtered_store: Store) -> None:
    with filtered_store.reading() as r:
        assert r.photographs.matching(Filter()).tolist() == list(range(1, 181))
