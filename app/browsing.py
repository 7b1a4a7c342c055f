"""Looking through a library: which photographs there are, in which order, and what is known of one."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app import volumes
from app.library import Library
from app.results import shown
from core.errors import TwinlensError
from core.progress import Progress, silent
from storage.filters import Filter, Shape
from storage.photograph_rows import PhotographRow
from storage.schema import State
from storage.transaction import Transaction


class Order(StrEnum):
    """In which order photographs are shown."""

    DATE = "date"
    """Newest first, a shelf a month; those without a date last."""
    FOLDER = "folder"
    """By path, a shelf a folder."""


@dataclass(frozen=True)
class Choice:
    """A choice of photographs; everything that is said must hold.

    Attributes
    ----------
    words : str
        Each must occur in the file's name, its folder, the camera or the date; case and accents do not matter.
    folder : str or None
        A folder as :class:`FolderNode` names it; a photograph lies in it at any depth.
    since, until : str or None
        Dates of taking, both included, as far as they are written: ``2023``, ``2023-05``, ``2023-05-14``.
    camera : str or None
        Part of the camera's name; case does not matter.
    orientation : str or None
        ``landscape``, ``portrait`` or ``square``.
    """

    words: str = ""
    folder: str | None = None
    since: str | None = None
    until: str | None = None
    camera: str | None = None
    orientation: str | None = None


@dataclass(frozen=True)
class Shelf:
    """Photographs that stand together under one heading.

    Attributes
    ----------
    heading : str
        For people: "May 2023", "Without a date", "Pictures/2023 Netherlands".
    start, count : int
        Rows of the listing.
    key : str
        For programs: ``2023-05`` or nothing without a date; the whole path of the folder.
    """

    heading: str
    start: int
    count: int
    key: str = ""


@dataclass(frozen=True, eq=False)
class Listing:
    """Photographs in the order in which they are shown.

    Attributes
    ----------
    ids : int64 (n,)
    hashes : uint8 (n, 32)
        Content hashes, under which the thumbnails lie.
    away : bool (n,)
        The disk is not connected, or the file has vanished.
    shelves : tuple of Shelf
        One after another, without gaps.
    """

    ids: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint8]
    away: npt.NDArray[np.bool_]
    shelves: tuple[Shelf, ...]


@dataclass(frozen=True)
class FolderNode:
    """A folder in which photographs lie, at any depth.

    Attributes
    ----------
    name, path : str
        For people; the path is what :attr:`Choice.folder` takes.
    depth : int
        0 for a folder that was added.
    photographs : int
        In it and below it.
    present : bool
        Whether its disk is connected.
    root : bool
        Whether it was added, and not only found below one that was.
    """

    name: str
    path: str
    depth: int
    photographs: int
    present: bool
    root: bool


@dataclass(frozen=True)
class Photograph:
    """What is known of one photograph.

    Attributes
    ----------
    id : int
    path, name, folder : str
        For people.
    content_hash : bytes
        Under which its thumbnail lies.
    taken : str or None
        ``2023-05-14T11:08:00``, by the camera's clock.
    camera : str or None
    width, height : int
        As shown, in pixels.
    size : int
        Of the file, in bytes.
    format : str
    away : bool
        The disk is not connected, or the file has vanished.
    """

    id: int
    path: str
    name: str
    folder: str
    content_hash: bytes
    taken: str | None
    camera: str | None
    width: int
    height: int
    size: int
    format: str
    away: bool


def photographs(library: Library, ids: Sequence[int] | None = None) -> list[Photograph]:
    """Give what is known of photographs that were read, in the order of the ids; by default of all, by id."""
    with library.store.reading() as r:
        wanted = r.photographs.matching(Filter(states=(State.READY,))) if ids is None else ids
        rows = [row for row in r.photographs.by_id(wanted) if row.content_hash is not None]
        present = {i: volumes.is_present(volume) for i, volume in library.volumes(r).items()}
        paths = library.paths(r, rows)
    return [
        _photograph(row, path, row.state is State.MISSING or not present[row.volume_id])
        for row, path in zip(rows, paths, strict=True)
    ]


def _photograph(row: PhotographRow, path: bytes, away: bool) -> Photograph:
    folder, name = os.path.split(path)
    return Photograph(
        id=row.id,
        path=shown(path),
        name=shown(name),
        folder=shown(folder),
        content_hash=row.content_hash or b"",
        taken=row.taken,
        camera=row.camera,
        width=row.width or 0,
        height=row.height or 0,
        size=row.size,
        format=row.format or "",
        away=away,
    )


def original(library: Library, photograph_id: int) -> Path:
    """Give the file of a photograph.

    Raises
    ------
    TwinlensError
        If its disk is not connected, or the file is not there any more.
    """
    with library.store.reading() as r:
        rows = r.photographs.by_id([photograph_id])
        if not rows:
            raise TwinlensError("The library does not have this photograph any more.", "Its folder was forgotten.")
        volume = library.volumes(r)[rows[0].volume_id]
    path = volumes.locate(volume, rows[0].path)
    if not volumes.is_present(volume):
        raise TwinlensError(f"{shown(path)} is on {volume.label}, which is not connected.", "Connect the disk.")
    if not os.path.isfile(path):
        raise TwinlensError(f"The file {shown(path)} is not there any more.", "Rescan: a moved file is found again.")
    return Path(os.fsdecode(path))


def listing(
    library: Library, order: Order = Order.DATE, choice: Choice = Choice(), progress: Progress = silent
) -> Listing:
    """List photographs.

    Parameters
    ----------
    library : Library
    order : Order
    choice : Choice
    progress : Progress
        May raise ``Cancelled``.

    Raises
    ------
    TwinlensError
        If a date or an orientation of the choice is none.
    """
    _check(choice)
    with library.store.reading() as r:
        rows = [row for row in _read_rows(r) if row.content_hash is not None]
        paths = dict(zip([row.id for row in rows], library.paths(r, rows), strict=True))
        present = {i: volumes.is_present(volume) for i, volume in library.volumes(r).items()}
    chosen = [row for row in rows if _passes(row, paths[row.id], choice)]
    key: Callable[[PhotographRow], str]
    if order is Order.DATE:
        dated = sorted((row for row in chosen if row.taken), key=lambda row: (row.taken, row.id), reverse=True)
        chosen = dated + [row for row in chosen if not row.taken]

        def key(row: PhotographRow) -> str:
            return (row.taken or "")[:7]
    else:
        chosen.sort(key=lambda row: os.path.split(paths[row.id]))

        def key(row: PhotographRow) -> str:
            return shown(os.path.dirname(paths[row.id]))

    shelves, start = [], 0
    for name, group in groupby(chosen, key):
        count = len(list(group))
        shelves.append(Shelf(month(name) if order is Order.DATE else name, start, count, name))
        start += count
    hashes = np.frombuffer(b"".join(row.content_hash or b"" for row in chosen), np.uint8).reshape(-1, 32)
    away = np.array([row.state is State.MISSING or not present[row.volume_id] for row in chosen], np.bool_)
    return Listing(np.array([row.id for row in chosen], np.int64), hashes, away, tuple(shelves))


def _read_rows(r: Transaction) -> list[PhotographRow]:
    return r.photographs.by_id(r.photographs.matching(Filter()))


_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def month(key: str) -> str:
    """Write a month for people.

    Examples
    --------
    >>> month("2023-05"), month("")
    ('May 2023', 'Without a date')
    """
    if not key:
        return "Without a date"
    number = int(key[5:7]) if key[5:7].isdecimal() else 0
    return f"{_MONTHS[number - 1]} {key[:4]}" if 1 <= number <= 12 else key[:4]


def folded(text: str) -> str:
    """Write a text without regard to case and accents.

    Examples
    --------
    >>> folded("Übersee, Île de Ré")
    'ubersee, ile de re'
    """
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def _check(choice: Choice) -> None:
    for date in (choice.since, choice.until):
        if date is not None and not _DATE.fullmatch(date):
            raise TwinlensError(f"“{date}” is no date.", "Write a year, a month or a day: 2023, 2023-05 or 2023-05-14.")
    if choice.orientation is not None and choice.orientation not in tuple(Shape):
        raise TwinlensError(f"There is no orientation “{choice.orientation}”.", f"There are {', '.join(Shape)}.")


def _passes(row: PhotographRow, path: bytes, choice: Choice) -> bool:
    folder, name = os.path.split(shown(path))
    date = f"{row.taken[:10]} {month(row.taken[:7])}" if row.taken else ""
    texts = [folded(text) for text in (name, folder, row.camera or "", date)]
    side = (row.width or 0) - (row.height or 0)
    shape = Shape.LANDSCAPE if side > 0 else Shape.PORTRAIT if side < 0 else Shape.SQUARE
    taken = row.taken or ""
    return (
        all(any(word in text for text in texts) for word in folded(choice.words).split())
        and (choice.folder is None or folder == choice.folder or folder.startswith(choice.folder.rstrip("/") + "/"))
        and (choice.since is None or taken >= choice.since)
        and (choice.until is None or (taken != "" and taken[: len(choice.until)] <= choice.until))
        and (choice.camera is None or choice.camera.lower() in (row.camera or "").lower())
        and (choice.orientation is None or shape == choice.orientation)
    )


def folder_tree(library: Library) -> list[FolderNode]:
    """List the folders in which photographs lie, each below the one that it lies in; added ones first of all."""
    with library.store.reading() as r:
        rows = [row for row in _read_rows(r) if row.content_hash is not None]
        known = library.volumes(r)
        roots = sorted((volumes.locate(known[row.volume_id], row.path), row.volume_id) for row in r.folders.all())
        paths = [(os.path.dirname(path), row.volume_id) for path, row in zip(library.paths(r, rows), rows, strict=True)]
    nodes = []
    for root, volume_id in roots:
        counts = {root: 0}
        for folder, own in paths:
            while own == volume_id and (folder + b"/").startswith(root.rstrip(b"/") + b"/"):
                counts[folder] = counts.get(folder, 0) + 1
                if folder == root:
                    break
                folder = os.path.dirname(folder)  # noqa: PLW2901
        present = volumes.is_present(known[volume_id])
        for folder in sorted(counts, key=lambda path: path.split(b"/")):
            depth = folder.count(b"/") - root.count(b"/") if folder != root else 0
            name = shown(os.path.basename(folder) or folder)
            nodes.append(FolderNode(name, shown(folder), depth, counts[folder], present, depth == 0))
    return nodes


def cameras(library: Library) -> list[str]:
    """List the cameras that photographs were taken with, by name."""
    with library.store.reading() as r:
        return sorted({row.camera for row in _read_rows(r) if row.camera and row.content_hash}, key=folded)


def years(library: Library) -> list[str]:
    """List the years in which photographs were taken, newest first."""
    with library.store.reading() as r:
        return sorted({row.taken[:4] for row in _read_rows(r) if row.taken and row.content_hash}, reverse=True)
