"""Forgetting a folder so that it can come back: until the window closes, everything known of it lies aside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.indexes.encoders import bring_indexes_up_to_date
from app.library import volumes
from app.library.adding import find_folder, passed_over_in, remove_folder
from app.library.library import Library
from app.machine import places
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent
from storage.sqlite import forgotten_folders
from storage.sqlite.place import beside


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
        raise TwinlensError(Message("That folder is not kept any more."), Message("Add it again."))
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


def _aside(library: Library) -> Path:
    """Return the file of forgotten folders: beside a library that is a file, otherwise on this machine."""
    if library.address.is_file:
        return beside(library.address.path, "forgotten")
    return places.data_folder() / f"{library.store.id}-forgotten"
