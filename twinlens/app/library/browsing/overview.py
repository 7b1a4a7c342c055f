"""The overview of a library: columns of all its photographs in memory, kept until something in it changes.

From its columns come the orders of a listing, and its sections (a month, a year or a folder).
"""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from twinlens.app.language.text_folding import NO_CAMERA, folded
from twinlens.app.library import volumes
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.library import Library
from twinlens.core.arrays import BoolMask, Int64Rows
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress, silent
from twinlens.core.systems.volume import Volume
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photograph_listing import Basics, Numbered, Paths, is_camera

if TYPE_CHECKING:
    from twinlens.app.library.browsing.places import PlaceColumns
    from twinlens.app.notes.photo_notes import PhotoNotesColumns

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_kept: weakref.WeakKeyDictionary[Library, Overview] = weakref.WeakKeyDictionary()
_lock = threading.Lock()
_LOOK_S = 0.02


def overview(library: Library, progress: Progress = silent, needed: Collection[str] = ()) -> Overview:
    """Return the present overview of a library.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``.
    needed : collection of str
        The attributes that are needed beside `basics`: ``places``, ``cameras``, ``concepts``, ``notes``, ``spots`` and
        ``sizes``.
    """
    while True:
        current = _current(library, needed)
        if current is not None:
            return current
        if _lock.acquire(timeout=_LOOK_S):
            break
        progress(0, 0, NOTHING)  # another thread reads, and may have what is needed here before it ends
    try:
        version = library.store.data_version()
        with library.store.reading() as r:
            known = library.volumes(r)
            found = _kept.get(library)
            # The transaction sees the kept columns if nothing has changed until after its beginning.
            if (
                found is None
                or found.version != library.store.data_version()
                or found.mounted != volumes.mounted(known)
            ):
                roots = [(row.volume_id, row.path) for row in r.folders.all()]
                found = _kept[library] = Overview(version, r.listing.basics(progress), known, roots)
            for name in needed:
                if getattr(found, name) is None:
                    setattr(found, name, _READERS[name](found, r, progress))
        return found
    finally:
        _lock.release()


def _current(library: Library, needed: Collection[str]) -> Overview | None:
    """Return the kept overview if it has what is needed and is as the library is now."""
    found = _kept.get(library)
    if found is None or any(getattr(found, name) is None for name in needed):
        return None
    with library.store.reading() as r:
        known = library.volumes(r)
    return found if found.version == library.store.data_version() and found.mounted == volumes.mounted(known) else None


class ListingOrder(StrEnum):
    """The order of photographs in a listing."""

    DATE = "date"
    """Newest first, a section a month (a year where months hold few); photographs without a date last."""
    OLDEST = "oldest"
    """Oldest first, in sections as newest first; photographs without a date last."""
    NAME = "name"
    """By the file's name, as people count: 2 before 10."""
    FOLDER = "folder"
    """By path, a section a folder."""
    SIZE = "size"
    """Largest files first."""
    PIXELS = "pixels"
    """Largest pictures first."""
    RATING = "rating"
    """Most stars first, rejected ones last."""
    ADDED = "added"
    """Those added last first."""


NEEDED = {
    ListingOrder.NAME: "places",
    ListingOrder.FOLDER: "places",
    ListingOrder.SIZE: "sizes",
    ListingOrder.PIXELS: "sizes",
    ListingOrder.RATING: "notes",
}
"""The columns that orders need, as :func:`overview` names them."""


class Overview:
    """The columns of a library at one moment, and what is made from them when it is first needed.

    Attributes
    ----------
    version : int
        Of the library's data.
    mounted : dict
        Where each volume is, by its id, and whether it is there now.
    roots : tuple of (int, bytes)
        The folders that were added: volume and path.
    """

    def __init__(self, version: int, basics: Basics, known: dict[int, Volume], roots: Sequence[tuple[int, bytes]]):
        self.version = version
        self.basics: Basics = basics
        self.mounted: dict[int, tuple[bytes, bool]] = volumes.mounted(known)
        self.roots = tuple(roots)
        self.places: PhotoPlaces | None = None
        self.cameras: Numbered | None = None
        self.concepts: ShownConcepts | None = None
        self.notes: PhotoNotesColumns | None = None
        self.spots: PlaceColumns | None = None
        self.sizes: tuple[Int64Rows, Int64Rows] | None = None

    @cached_property
    def by_date(self) -> Int64Rows:
        """The rows from the newest to the oldest, and those without a date last, in the order of their ids."""
        taken = self.basics.taken
        dated = np.flatnonzero(taken)
        return np.concatenate([dated[np.argsort(taken[dated], kind="stable")][::-1], np.flatnonzero(taken == 0)])

    def ordered(self, order: ListingOrder) -> Int64Rows:
        """Return the rows in an order; needs what `NEEDED` names for it. What is equal is ordered by date."""
        by_date = self.by_date
        if order is ListingOrder.DATE:
            return by_date
        if order is ListingOrder.OLDEST:
            dated = int(np.count_nonzero(self.basics.taken))
            return np.concatenate([by_date[:dated][::-1], by_date[dated:]])
        if order is ListingOrder.FOLDER:
            assert self.places is not None
            return self.places.by_folder
        if order is ListingOrder.NAME:
            assert self.places is not None
            return self.places.by_name
        return by_date[np.argsort(-self._most(order)[by_date], kind="stable")]

    def _most(self, order: ListingOrder) -> npt.NDArray[np.integer[Any]]:
        """Return the numbers, (n,), of which the largest comes first in an order."""
        if order is ListingOrder.ADDED:
            return self.basics.ids  # given one after the other
        if order is ListingOrder.RATING:
            assert self.notes is not None
            return self.notes.ratings.astype(np.int64)
        assert self.sizes is not None
        return self.sizes[order is ListingOrder.PIXELS]

    @cached_property
    def away(self) -> BoolMask:
        """Photographs whose disk is not connected or whose file has vanished."""
        absent = [i for i, (_, present) in self.mounted.items() if not present]
        return self.basics.missing | np.isin(self.basics.volumes, absent) if absent else self.basics.missing

    def located(self, volume_id: int, path: bytes) -> bytes:
        """Return the whole path of a folder."""
        return volumes.joined(self.mounted[volume_id][0], path)

    @cached_property
    def located_roots(self) -> list[str]:
        """The folders that were added, for people."""
        return [shown(self.located(*root)) for root in self.roots]

    def containing(self, word: str) -> BoolMask:
        """Return which photographs have a folded word in name, folder, camera, date, notes or town; needs all these."""
        assert self.places is not None
        assert self.notes is not None
        assert self.spots is not None
        return (
            self.places.named(word.encode("utf-8", "surrogateescape"))
            | self.days.where(lambda day: word in folded(day))
            | self.taken_with(word)
            | self.notes.texts.where(lambda noted: word in noted)
            | self.spots.towns.where(lambda town: word in town)
            | self._in_folders(lambda folder: word in folded(folder))
        )

    def taken_with(self, camera: str) -> BoolMask:
        """Return which photographs have a text in the camera's name, or for `NO_CAMERA` no camera; needs cameras."""
        assert self.cameras is not None
        if camera == NO_CAMERA:
            return self.cameras.where(lambda name: not is_camera(name))
        return self.cameras.where(lambda name: bool(name) and camera in folded(name))

    def lying_in(self, folder: str) -> BoolMask:
        """Return which photographs lie in a folder, at any depth; needs places."""
        return self._in_folders(lambda own: volumes.is_in(own, folder))

    def holding(self, contents: Collection[bytes]) -> BoolMask:
        """Return which photographs have one of some contents."""
        mask = np.zeros(len(self.basics.ids), np.bool_)
        for rows in self.basics.rows_of(contents).values():
            mask[rows] = True
        return mask

    def _in_folders(self, test: Callable[[str], bool]) -> BoolMask:
        assert self.places is not None
        return Numbered(self.places.paths.folder, tuple(self.places.folders)).where(test)

    @cached_property
    def days(self) -> Numbered:
        """The dates as they are written: ``2023-05-14 May``; empty where there is none."""
        days, numbers = np.unique(self.basics.taken // 1_000_000, return_inverse=True)
        return Numbered(numbers.astype(np.int32), tuple(map(written_day, days.tolist())))


_READERS: dict[str, Callable[[Overview, Transaction, Progress], object]] = {
    "places": lambda seen, r, progress: PhotoPlaces(r.listing.paths(seen.basics.ids, progress), seen.mounted),
    "cameras": lambda _, r, progress: r.listing.cameras(progress),
    "concepts": lambda _, r, progress: ShownConcepts.of(r),
    "sizes": lambda _, r, progress: r.listing.sizes(progress),
    "notes": lambda seen, r, _: _notes(r, seen.basics),
    "spots": lambda seen, r, _: _spots(r, seen.basics),
}
"""What reads a column that few need, by its attribute."""


class PhotoPlaces:
    """Folders and names of the photographs of an overview."""

    def __init__(self, paths: Paths, mounted: dict[int, tuple[bytes, bool]]) -> None:
        self.paths = paths
        self.located = [volumes.joined(mounted[volume_id][0], folder) for volume_id, folder in paths.folders]
        self.folders = [shown(folder) for folder in self.located]
        numbers = {folder: number for number, folder in enumerate(dict.fromkeys(self.folders))}
        self.shown_folders = list(numbers)
        self.shown_numbers = np.array([numbers[folder] for folder in self.folders], np.int32)

    @cached_property
    def by_folder(self) -> Int64Rows:
        """The rows in the order of the folders, those below a folder behind its own, and of the names."""
        ordered = sorted(range(len(self.located)), key=lambda number: self.located[number].split(b"/"))
        rank = np.empty(len(ordered), np.int32)
        rank[ordered] = np.arange(len(ordered), dtype=np.int32)
        by_path = self.paths.by_path
        return by_path[np.argsort(rank[self.paths.folder[by_path]], kind="stable")].astype(np.int64)

    @cached_property
    def by_name(self) -> Int64Rows:
        """The rows in the order of the folded names, numbers in them by their size; equal ones by path."""
        letters, _ = self.names
        names = letters.tobytes().split(b"\0")[: len(self.paths.by_path)]
        in_order = sorted(range(len(names)), key=lambda place: _counted_parts(names[place]))
        return self.paths.by_path[in_order].astype(np.int64)

    def files(self, rows: Int64Rows) -> list[bytes]:
        """Return the whole paths of some rows; half a million in half a second."""
        places = np.empty(len(self.paths.by_path), np.int32)
        places[self.paths.by_path] = np.arange(len(places), dtype=np.int32)
        names = b"".join(self.paths.names).split(b"\0")
        folders = [folder.rstrip(b"/") + b"/" for folder in self.located]
        own = zip(self.paths.folder[rows].tolist(), places[rows].tolist(), strict=True)
        return [folders[folder] + names[place] for folder, place in own]

    @cached_property
    def names(self) -> tuple[npt.NDArray[np.uint8], Int64Rows]:
        """The folded names, in path order and each with a zero byte behind it, and where each begins."""
        text = b"".join(map(_folded_names, self.paths.names))
        letters = np.frombuffer(text, np.uint8)
        return letters, np.concatenate([[0], np.flatnonzero(letters == 0)[:-1] + 1]) if text else np.empty(0, np.int64)

    def named(self, word: bytes) -> BoolMask:
        """Return which photographs have a folded word in their names, (n,)."""
        letters, starts = self.names
        at = np.arange(max(0, len(letters) - len(word) + 1))
        for offset, letter in enumerate(word):
            at = at[letters[at + offset] == letter] if offset else np.flatnonzero(letters[: len(at)] == letter)
        found = np.zeros(len(starts), np.bool_)
        found[self.paths.by_path[np.searchsorted(starts, at, "right") - 1]] = True
        return found


def _counted_parts(name: bytes) -> list[bytes | int]:
    """Cut a name at its numbers: texts and numbers by turns, so that any two names can be compared."""
    parts: list[bytes | int] = [*_NUMBER.split(name)]
    parts[1::2] = map(int, parts[1::2])
    return parts


_NUMBER = re.compile(rb"([0-9]+)")


def _folded_names(names: bytes) -> bytes:
    """Fold names with a zero byte behind each; all at once where they are plain letters."""
    return names.lower() if names.isascii() else folded(shown(names)).encode()


def _notes(r: Transaction, basics: Basics) -> PhotoNotesColumns:
    """Read the notes that count."""
    from twinlens.app.notes.photo_notes import PhotoNotesColumns  # here, as places, since few listings need them

    return PhotoNotesColumns.of(r, basics)


def _spots(r: Transaction, basics: Basics) -> PlaceColumns:
    """Read the places that count."""
    from twinlens.app.library.browsing.places import PlaceColumns
    from twinlens.app.notes.photo_notes import SidecarFields, counted_place

    files = r.camera_notes.places()
    beside = {one: SidecarFields.of_text(note.fields) for one, note in r.sidecar_notes.all().items()}
    rows = {row: files[content] for content, some in basics.rows_of(files).items() for row in some}
    for row in np.flatnonzero(np.isin(basics.ids, np.fromiter(beside, np.int64))).tolist():
        if place := counted_place(rows.get(row, ""), beside[int(basics.ids[row])]):
            rows[row] = place
    return PlaceColumns.of(len(basics.ids), rows)


@dataclass(frozen=True)
class ListingSection:
    """Photographs that stand together under one heading.

    Attributes
    ----------
    heading : str
        For people: "May 2023", "2023", "Without a date", "Pictures/2023 Netherlands".
    start, count : int
        Rows of the listing.
    key : str
        For programs: ``2023-05``, ``2023`` or nothing without a date; the whole path of the folder.
    stands_for : int, optional
        Photographs, where these are not one for each row.
    """

    heading: str
    start: int
    count: int
    key: str = ""
    stands_for: int | None = None

    @property
    def photographs(self) -> int:
        """How many photographs stand under the heading."""
        return self.count if self.stands_for is None else self.stands_for


_FEW = 6
"""Photographs of a month on average below which each year, not each month, gets a heading."""


def date_sections(taken: npt.NDArray[np.int64]) -> tuple[ListingSection, ...]:
    """Return a section for each month; for each year where months hold few photographs.

    Parameters
    ----------
    taken : ndarray of int64, (n,)
        Moments such as 20230514110800, newest first; 0 for none, last.
    """
    months = taken // 10**8
    dated = int(np.count_nonzero(months))
    by_year = dated < _FEW * len(np.unique(months[:dated]))
    sections = []
    for start, end in pairwise(_starts(months // 100 if by_year else months)):
        number = int(months[start])
        year, month = f"{number // 100:04}", "" if by_year or not number % 100 else f"-{number % 100:02}"
        key = year + month if number else ""
        sections.append(ListingSection(heading_of_date(key), start, end - start, key))
    return tuple(sections)


def _starts(numbers: npt.NDArray[Any]) -> list[int]:
    """Return where runs of equal numbers begin, and the end of the last."""
    return [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)] if len(numbers) else []


def folder_sections(seen: Overview, rows: Int64Rows) -> tuple[ListingSection, ...]:
    """Return a section for each folder; the rows are in the order of folders."""
    places = seen.places
    assert places is not None
    numbers = places.shown_numbers[places.paths.folder[rows]]
    roots = seen.located_roots
    return tuple(
        ListingSection(_heading(folder, roots), start, end - start, folder)
        for start, end in pairwise(_starts(numbers))
        for folder in [places.shown_folders[numbers[start]]]
    )


def _heading(folder: str, roots: Sequence[str]) -> str:
    """Write a folder from its added root on: "Pictures/2023"."""
    root = next((root for root in roots if volumes.is_in(folder, root)), "")
    return folder[len(root) - len(os.path.basename(root)) :] or folder


def heading_of_date(key: str) -> str:
    """Write the key of a section for people.

    Examples
    --------
    >>> heading_of_date("2023-05"), heading_of_date("2023"), heading_of_date("")
    ('May 2023', '2023', 'Without a date')
    """
    if not key:
        return "Without a date"
    number = int(key[5:7] or 0)
    return f"{MONTHS[number - 1]} {key[:4]}" if 1 <= number <= 12 else key[:4]


def written_day(day: int) -> str:
    """Write a day as people search for it.

    Examples
    --------
    >>> written_day(20230514), written_day(0)
    ('2023-05-14 May', '')
    """
    if not day:
        return ""
    year, month = day // 10_000, day // 100 % 100
    return f"{year:04}-{month:02}-{day % 100:02}{' ' + MONTHS[month - 1] if 1 <= month <= 12 else ''}"
