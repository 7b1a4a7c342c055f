# ruff: noqa: PTH118, PTH120 (the paths are bytes)
"""A listing is what a slow, plain reading of the library gives, whatever is chosen, and is made anew where it must."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.making import read
from twinlens.app.language.text_folding import NO_CAMERA, folded
from twinlens.app.library import volumes
from twinlens.app.library.browsing import overview
from twinlens.app.library.browsing.listing import ListingFilter, PhotoListing, cameras, folder_tree, listing, years
from twinlens.app.library.browsing.overview import ListingOrder, ListingSection, date_sections, heading_of_date
from twinlens.app.library.browsing.photographs import original, paths_of, photographs
from twinlens.app.library.library import Library
from twinlens.app.library.library_status import counts, has_folders
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_space import passing
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photograph_listing import PictureShape
from twinlens.storage.photographs.photographs import NewFile, PhotographRow

DATES = [
    None,
    "2021-12-31T23:59:59 file 19",
    "2023-05-14T11:08:00",
    "2023-05-14T00:00:00",
    "2023-06-01T00:00:00",
]
CAMERAS = [None, "Canon EOS 5D", "NIKON D70", "Café 100%", "--", "NIKON D700"]
SIZES = [(4, 3), (3, 4), (5, 5)]
FOLDERS = [b"", b"a", b"a/b", b"a-b", b"ab", "Ärger im Büro".encode(), b"\xff\xfe"]
NOTED = [
    Metadata(),
    Metadata(rating=5, keywords=("Places|Italy|Café", "Räuber")),
    Metadata(rating=-1, title="Canon law"),
    Metadata(rating=3, caption='May, "rating": 5', frames=3),
    Metadata(depth=16),
]
NAMES = ["IMG_%d.jpg", "Été %d.JPG", "z%d", "May %d.png"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home").resolve()


@pytest.fixture(scope="module")
def library(home: Path) -> Iterator[Library]:
    """Yield a library with every mixture of facts on a disk that is there and on one that is not."""
    with Library.open(home / "library.twinlens", create=True) as made:
        here, under = volumes.split_folder(os.fsencode(home))
        with made.store.writing() as w:
            places = [
                (w.volumes.seen(here.identity, here.label, here.mount), under + b"/photos"),
                (w.volumes.seen("uuid:nowhere", "Old disk", b"/media/old"), b""),
            ]
            i = 0
            for volume_id, root in places:
                folder_id = w.folders.add(volume_id, root)
                for folder in FOLDERS:
                    for date in DATES:
                        for camera in CAMERAS:
                            i += 1
                            path = b"/".join(part for part in (root, folder, (NAMES[i % 4] % i).encode()) if part)
                            w.photographs.register(volume_id, folder_id, [NewFile(path, i, i)])
                            width, height = SIZES[i % 3]
                            if i % 7:
                                w.photographs.record([read(i, taken=date, camera=camera, width=width, height=height)])
            notes = [
                CameraNote(one.content_hash, "", "", _noted(i).text()) for i in range(1, i + 1) for one in [read(i)]
            ]
            w.camera_notes.put(notes)
            w.photographs.mark_missing([5, 9, 14])
            w.photographs.mark_pending([11])
        yield made


def _noted(number: int) -> Metadata:
    return NOTED[number % len(NOTED)]


# --- the slow, plain reading -----------------------------------------------------------------------------------------
def _rows(library: Library) -> tuple[list[PhotographRow], dict[int, bytes], set[int]]:
    with library.store.reading() as r:
        rows = [row for row in r.photographs.by_id(range(1, 1000)) if row.content_hash is not None]
        paths = dict(zip([row.id for row in rows], library.paths(r, rows), strict=True))
        present = {i for i, volume in library.volumes(r).items() if volumes.is_present(volume)}
    return rows, paths, {row.id for row in rows if row.state is PhotographState.MISSING or row.volume_id not in present}


def _passes(row: PhotographRow, path: bytes, choice: ListingFilter) -> bool:
    folder, name = os.path.split(shown(path))
    date = f"{row.taken[:10]} {heading_of_date(row.taken[:7])}" if row.taken else ""
    noted = _noted(row.id)
    notes = (*noted.keywords, noted.title, noted.caption)
    texts = [folded(text) for text in (name, folder, row.camera or "", date, *notes)]
    side = (row.width or 0) - (row.height or 0)
    shape = PictureShape.LANDSCAPE if side > 0 else PictureShape.PORTRAIT if side < 0 else PictureShape.SQUARE
    return (
        all(any(word in text for text in texts) for word in folded(choice.words.replace("\0", " ")).split())
        and (choice.folder is None or f"{folder}/".startswith(choice.folder.rstrip("/") + "/"))
        and (choice.since is None or (row.taken or "") >= choice.since)
        and (choice.until is None or (row.taken is not None and row.taken[: len(choice.until)] <= choice.until))
        and (choice.camera is None or _taken_with(row.camera, choice.camera))
        and (choice.orientation is None or shape == choice.orientation)
        and (choice.rating is None or noted.rating >= int(choice.rating))
    )


def _taken_with(camera: str | None, wanted: str) -> bool:
    if wanted == NO_CAMERA:
        return camera in (None, "--")
    return camera is not None and folded(wanted) in folded(camera)


def _plain_listing(library: Library, order: ListingOrder, choice: ListingFilter) -> dict[str, Any]:
    rows, paths, away = _rows(library)
    chosen = [row for row in rows if _passes(row, paths[row.id], choice)]
    newest = sorted((row for row in chosen if row.taken), key=lambda row: (row.taken, row.id), reverse=True)
    undated = [row for row in chosen if not row.taken]
    key: Callable[[PhotographRow], str] | None = None
    if order is ListingOrder.FOLDER:
        chosen.sort(key=lambda row: (os.path.dirname(paths[row.id]).split(b"/"), paths[row.id]))

        def key(row: PhotographRow) -> str:
            return shown(os.path.dirname(paths[row.id]))
    elif order in (ListingOrder.DATE, ListingOrder.OLDEST):
        chosen = (newest if order is ListingOrder.DATE else newest[::-1]) + undated
        digits = 4 if len(newest) < 6 * len({(row.taken or "")[:7] for row in newest}) else 7

        def key(row: PhotographRow) -> str:
            return (row.taken or "")[:digits]
    elif order is ListingOrder.NAME:
        chosen.sort(key=lambda row: (_counted(paths[row.id].rpartition(b"/")[2]), row.volume_id, row.path))
    else:
        first: Callable[[PhotographRow], int] = {
            ListingOrder.SIZE: lambda row: row.size,
            ListingOrder.PIXELS: lambda row: (row.width or 0) * (row.height or 0),
            ListingOrder.RATING: lambda row: _noted(row.id).rating,
            ListingOrder.ADDED: lambda row: row.id,
        }[order]
        chosen = sorted(newest + undated, key=lambda row: -first(row))
    return {
        "ids": [row.id for row in chosen],
        "hashes": [row.content_hash for row in chosen],
        "away": [row.id in away for row in chosen],
        "shelves": [] if key is None else [(name, len(list(group))) for name, group in groupby(chosen, key)],
    }


def _counted(name: bytes) -> list[str | int]:
    """Cut a folded name at its numbers."""
    parts = re.split("([0-9]+)", folded(shown(name)))
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


def _told(found: PhotoListing) -> dict[str, Any]:
    assert [shelf.start for shelf in found.shelves] == np.cumsum([0, *(s.count for s in found.shelves)])[:-1].tolist()
    return {
        "ids": found.ids.tolist(),
        "hashes": [bytes(one) for one in found.hashes],
        "away": found.away.tolist(),
        "shelves": [(shelf.key, shelf.count) for shelf in found.shelves],
    }


_dates = st.sampled_from([None, None, "2021", "2023", "2023-05", "2023-05-14", "2023-05-15", "2024"])
_words = st.sampled_from(
    [
        "",
        "img",
        "ETE",
        "may",
        "2023",
        "05-14",
        "BURO",
        "canon",
        "cafe 100%",
        "z",
        "á",
        "_ .j",
        "\0",
        "italy|c",
        "rauber",
    ]
)
_choices = st.builds(
    ListingFilter,
    words=st.lists(_words, max_size=3).map(" ".join),
    folder=st.sampled_from(["HOME", "HOME/a", "HOME/a/", "HOME/a/b", "/media/old", "/media/old/�", "/", "/none"])
    | st.none(),
    since=_dates,
    until=_dates,
    camera=st.sampled_from([None, None, "canon", "EOS 5", "%", "_", "cafe", NO_CAMERA]),
    orientation=st.sampled_from([None, None, *map(str, PictureShape)]),
    rating=st.sampled_from([None, None, 1, "3", "5"]),
)


@given(st.sampled_from(ListingOrder), _choices)
def test_a_listing_is_the_plain_one(library: Library, home: Path, order: ListingOrder, choice: ListingFilter) -> None:
    folder = choice.folder and choice.folder.replace("HOME", str(home / "photos"))
    choice = replace(choice, folder=folder)
    assert _told(listing(library, order, choice)) == _plain_listing(library, order, choice)


def test_months_have_headings_where_they_hold_enough() -> None:
    taken = np.repeat([20230601000000, 20230514110800, 20211231235959, 0], [10, 5, 3, 2])
    assert [shelf.heading for shelf in date_sections(taken)] == [
        "June 2023",
        "May 2023",
        "December 2021",
        "Without a date",
    ]
    assert [(shelf.heading, shelf.count) for shelf in date_sections(taken[5:])] == [
        ("2023", 10), ("2021", 3), ("Without a date", 2)
    ]  # fmt: skip
    assert date_sections(taken[18:]) == (ListingSection("Without a date", 0, 2, ""),)


def test_headings(library: Library, home: Path) -> None:
    dates = [shelf.heading for shelf in listing(library).shelves]
    assert dates == ["June 2023", "May 2023", "December 2021", "Without a date"]
    folders = {shelf.heading: shelf.key for shelf in listing(library, ListingOrder.FOLDER).shelves}
    assert folders["photos/a/b"] == f"{home}/photos/a/b"
    assert folders["old/a/b"] == "/media/old/a/b"


def test_the_tree_counts_what_a_choice_of_the_folder_lists(library: Library, home: Path) -> None:
    tree = folder_tree(library)
    for node in tree:
        assert len(listing(library, choice=ListingFilter(folder=node.path)).ids) == node.photographs
    roots = [("photos", f"{home}/photos"), ("old", "/media/old")]
    assert sorted((node.name, node.path) for node in tree if node.root) == sorted(roots)
    assert {node.present for node in tree if node.path.startswith("/media")} == {False}
    below = [(node.name, node.depth) for node in tree if node.path.startswith(f"{home}/")]
    own = ["Ärger im Büro", "�" if sys.platform != "win32" else ""]
    assert below[:6] == [("photos", 0), ("a", 1), ("b", 2), ("a-b", 1), ("ab", 1), (own[0], 1)]


def test_every_photograph_stands_in_the_tree(library: Library) -> None:
    assert sum(node.photographs for node in folder_tree(library) if node.root) == len(listing(library).ids)


def test_counts(library: Library) -> None:
    found = counts(library)
    assert found[:3] == (len(listing(library).ids), 0, 60)  # some were never read
    assert 0 <= found.to_prepare <= found.listed
    assert has_folders(library)


def test_cameras_and_years(library: Library) -> None:
    found = cameras(library)
    assert sorted(name for name, _ in found) == ["Café 100%", "Canon EOS 5D", "NIKON D70", "NIKON D700", NO_CAMERA]
    assert found[0][0] == "NIKON D70", "with those of the D700, which its name gives too"
    assert found[-1][0] == NO_CAMERA
    assert [count for _, count in found[:-1]] == sorted((count for _, count in found[:-1]), reverse=True)
    for name, count in found:
        assert len(listing(library, choice=ListingFilter(camera=name)).ids) == count > 0
        with library.store.reading() as r:
            ids = np.asarray(listing(library).ids)
            chosen = passing(library, r, Filters(camera=name), np.sort(ids))
            assert chosen is not None
            assert 0 < np.count_nonzero(chosen) <= count, "a search leaves out what is missing"
    assert years(library) == ["2023", "2021"]


def test_a_change_is_seen_at_once(library: Library) -> None:
    before = listing(library)
    assert 12 in before.ids
    try:
        with library.store.writing() as w:
            w.photographs.mark_missing([12])
        after = listing(library, ListingOrder.FOLDER)
        assert not before.away[before.ids.tolist().index(12)]
        assert after.away[after.ids.tolist().index(12)]
    finally:
        with library.store.writing() as w:
            w.photographs.mark_present([12])


def test_a_disk_that_comes_back_is_seen_at_once(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listing(library).away.sum() > 10
    monkeypatch.setattr(volumes, "is_present", lambda _: True)
    assert listing(library).away.sum() == 2  # the third that is missing was never read


def test_nothing_is_read_again_while_nothing_changes(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first = overview.overview(library, needed=["places", "cameras"])
    assert overview.overview(library) is first
    assert overview.overview(library).places is first.places


def test_by_date_is_there_while_the_folders_are_still_read(home: Path) -> None:
    reading, told = threading.Event(), threading.Event()

    def stay(done: float, total: float, text: object = "") -> None:
        if (done, total) == (0, 0):  # past the basics: the paths are read without an end that is known
            reading.set()
            assert told.wait(30)

    with Library.open(home / "library.twinlens") as again, ThreadPoolExecutor(1) as other:
        tree = other.submit(folder_tree, again, stay)
        assert reading.wait(30)
        try:
            assert len(listing(again).ids) == sum(shelf.count for shelf in listing(again).shelves) > 0
            assert not tree.done()
        finally:
            told.set()
        assert tree.result()


def test_a_listing_can_be_stopped(home: Path, library: Library) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    with Library.open(home / "library.twinlens") as again:
        with pytest.raises(Cancelled):
            listing(again, progress=stop)
        assert len(listing(again).ids) == len(listing(library).ids)


def test_an_empty_library(tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty.twinlens", create=True) as empty:
        for order in ListingOrder:
            found = listing(empty, order, ListingFilter(words="x", camera="y"))
            assert (found.ids.shape, found.hashes.shape, found.away.shape, found.shelves) == ((0,), (0, 32), (0,), ())
        assert (folder_tree(empty), cameras(empty), years(empty), photographs(empty)) == ([], [], [], [])


@pytest.mark.parametrize(
    "wrong", [ListingFilter(since="yesterday"), ListingFilter(until="2023-13"), ListingFilter(orientation="round")]
)
def test_what_cannot_be_chosen_is_a_sentence(library: Library, wrong: ListingFilter) -> None:
    with pytest.raises(TwinlensError, match=r"yesterday|2023-13|round"):
        listing(library, choice=wrong)


def test_what_is_known_of_a_photograph(library: Library, home: Path) -> None:
    rows, paths, away = _rows(library)
    ids = [row.id for row in rows][::-1]
    found = photographs(library, ids)
    assert [one.id for one in found] == ids
    for one, row in zip(found, rows[::-1], strict=True):
        assert one.path == shown(paths[row.id]) == os.path.join(one.folder, one.name)
        assert one.away == (row.id in away)
        assert (one.taken, one.camera, one.size) == (row.taken and row.taken[:19], row.camera, row.size)
        assert (one.notes, one.dated_by == "file") == (_noted(row.id), "file" in (row.taken or ""))
        assert (one.content_hash, one.width, one.height) == (row.content_hash, row.width, row.height)
        assert one.format == "JPEG"


def test_paths_are_the_same_for_few_and_for_many(library: Library) -> None:
    known = photographs(library)
    ids = [one.id for one in known][::-1]
    paths = [one.path for one in reversed(known)]
    assert list(map(shown, paths_of(library, ids))) == paths
    there = [one.path for one in reversed(known) if not one.away]
    assert list(map(shown, paths_of(library, ids, away=False))) == there
    assert paths_of(library, [10_000, ids[0], -1]) == paths_of(library, ids[:1])
    assert list(map(shown, paths_of(library, ids[:1]))) == [known[-1].path]
    assert any(one.away for one in known)


def test_the_original_or_why_it_is_not_there(library: Library, home: Path) -> None:
    _, paths, _ = _rows(library)
    with pytest.raises(TwinlensError, match="is not there any more"):
        original(library, 1)
    Path(os.fsdecode(paths[1])).parent.mkdir(parents=True, exist_ok=True)
    Path(os.fsdecode(paths[1])).write_bytes(b"x")
    assert original(library, 1) == Path(os.fsdecode(paths[1]))
    with pytest.raises(TwinlensError, match="Old disk, which is not connected"):
        original(library, 300)
    with pytest.raises(TwinlensError, match="does not have"):
        original(library, 10_000)
