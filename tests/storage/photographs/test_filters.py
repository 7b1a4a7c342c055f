"""A filter lets through what a plain reading of its words does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.database.schema import PhotographState
from storage.library.store import Store
from storage.marks import NewMark
from storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape
from storage.photographs.photographs import NewFile, PhotographRow
from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import read
from tests.storage.plans import plans

DATES = [None, "2021-12-31T23:59:59", "2023-05-14T11:08:00", "2023-05-14T00:00:00", "2023-06-01T00:00:00"]
CAMERAS = [None, "Canon EOS 5D", "NIKON D70", "100%_x", "--", "Pentaflex É"]
SIZES = [(4, 3), (3, 4), (5, 5)]
MARKS = [(1, 2, True), (3, 1, False), (4, 8, True), (5, 6, False), (9, 999, True)]
FOLDERS = [b"", b"a", b"a/b", b"ab", b"none"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Iterator[Store]:
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


_dates = st.sampled_from([None, "2021", "2023", "2023-05", "2023-05-14", "2023-05-15", "2024"])
_choices = st.builds(
    Filter,
    folders=st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from(FOLDERS)), max_size=2).map(tuple),
    since=_dates,
    until=_dates,
    camera=st.sampled_from([None, "canon", "EOS 5", "%", "_", "x", "sony", ""]),
    shape=st.sampled_from([None, *PictureShape]),
    states=st.lists(st.sampled_from(PhotographState), max_size=2).map(tuple),
    marked=st.sampled_from([None, None, *MarkFilter]),
)


@given(_choices)
def test_a_filter_lets_through_what_it_says(store: Store, choice: Filter) -> None:
    with store.reading() as r:
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
        with plans(r.connection) as found:
            r.photographs.matching(choice)
        assert index in found[0]


def test_no_filter_lets_everything_through(store: Store) -> None:
    with store.reading() as r:
        assert r.photographs.matching(Filter()).tolist() == list(range(1, 181))
