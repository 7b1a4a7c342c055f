"""Forgotten folders: a folder is taken out of the library, and can be brought back for a while."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import ForgetResult
from twinlens.app.machine import app_folders
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.progress import Progress, silent
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.volumes import FolderRow
from twinlens.storage.sqlite import forgotten_folders
from twinlens.storage.sqlite.place import beside

if TYPE_CHECKING:
    pass


def forget(library: Library, folder: Path) -> ForgetResult:
    """Remove a folder from the library for good; its files are not touched.

    Raises
    ------
    TwinlensError
        If the library has nothing of it.
    """
    with library.store.writing("forgetting a folder") as w:
        photographs = remove_folder(w, *find_folder(library, w, folder))
    library.store.compact()
    return ForgetResult(folder=shown(volumes.full_path(folder)), photographs=photographs)


def forget_for_now(library: Library, folder: Path) -> ForgottenFolder:
    """Remove a folder from the library so that it can come back; its files are not touched.

    Raises
    ------
    TwinlensError
        If the library has nothing of it, or there is no room to keep it aside.
    """
    with library.store.writing("forgetting a folder") as w:
        place = find_folder(library, w, folder)
        one = forgotten_folders.set_aside(_aside(library), w, *place)
        remove_folder(w, *place)
    return ForgottenFolder(one.number, shown(volumes.full_path(folder)), one.photographs)


def _aside(library: Library) -> Path:
    """Return the file of forgotten folders: beside a library that is a file, otherwise on this machine."""
    if library.address.is_file:
        return beside(library.address.path, "forgotten")
    return app_folders.data_folder() / f"{library.store.id}-forgotten"


@dataclass(frozen=True)
class ForgottenFolder:
    """A forgotten folder that can come back.

    Attributes
    ----------
    number : int
        Its own; the larger the later.
    folder : str
        For people.
    photographs : int
        How many it had.
    """

    number: int
    folder: str
    photographs: int


def forgotten(library: Library) -> list[ForgottenFolder]:
    """List the folders that can come back, in the order in which they were forgotten."""
    with library.store.reading() as r:
        known = library.volumes(r)
        return [
            ForgottenFolder(one.number, shown(volumes.locate(known[one.volume_id], one.under)), one.photographs)
            for one in forgotten_folders.waiting(_aside(library))
            # One whose photographs are here was added again, or its forgetting was killed before it happened.
            if one.volume_id in known and not r.photographs.count_under(one.volume_id, one.under)
        ]


def bring_back(library: Library, number: int, progress: Progress = silent) -> int:
    """Bring a forgotten folder back with its ids, without reading; return the number of photographs.

    Raises
    ------
    TwinlensError
        If it is not kept any more.
    """
    one = next((one for one in forgotten_folders.waiting(_aside(library)) if one.number == number), None)
    if one is None:
        raise TwinlensError("That folder is not kept any more.", "Add it again.")
    with library.store.writing("taking a folder back") as w:
        for row, pattern in passed_over_in(w, one.volume_id, one.under):
            w.folders.add(row.volume_id, row.path, [kept for kept in row.excludes if kept != pattern])
        photographs = forgotten_folders.put_back(_aside(library), w, one)
    forgotten_folders.drop(_aside(library), number)
    bring_indexes_up_to_date(library, progress)  # the codes, which follow from what came back
    return photographs


def settle(library: Library) -> None:
    """Let all forgotten folders go for good."""
    if library.store.writable and forgotten_folders.drop(_aside(library)):
        library.store.compact()


def find_folder(library: Library, r: Transaction, folder: Path) -> tuple[int, bytes]:
    """Return volume and path of a folder of which the library has something.

    Raises
    ------
    TwinlensError
        If it has none of its photographs.
    """
    path = volumes.full_path(folder)
    place = library.place(r, path)
    known = place is not None and (
        any((row.volume_id, row.path) == place for row in r.folders.all()) or r.photographs.count_under(*place) > 0
    )
    if place is None or not known:
        raise TwinlensError("The library has nothing of {path}.", Remedy("show folders"), path=shown(path))
    return place


def remove_folder(w: Transaction, volume_id: int, under: bytes) -> int:
    """Remove everything known of a folder, and return the number of its photographs."""
    for row, pattern in passed_over_in(w, volume_id, under):
        w.folders.add(volume_id, row.path, (*row.excludes, pattern))
    photographs = w.forget(volume_id, under)
    w.models.remove_unused()
    return photographs


def passed_over_in(r: Transaction, volume_id: int, under: bytes) -> list[tuple[FolderRow, str]]:
    """List the folders around one, each with the pattern that excludes this one from its next scan."""
    around = [row for row in r.folders.all() if row.volume_id == volume_id and row.path != under]
    return [
        (row, "/" + os.fsdecode(under[len(row.path) :].lstrip(b"/")))
        for row in around
        if not row.path or under.startswith(row.path + b"/")
    ]
