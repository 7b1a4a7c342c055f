"""Folders that stay: what lies in them is never moved away, at any depth."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.library import volumes
from app.library.folder_survey import resolved_folder
from app.library.library import Library
from app.results import shown
from core.arrays import BoolMask, Int64Ids
from core.errors import Remedy, TwinlensError
from core.message import Message
from storage.library.transaction import Transaction
from storage.photographs.filters import Filter

_FOLDERS_SETTING = "folders that stay"  # a list of [volume, path in base64]

Place = tuple[int, bytes]
"""A folder: its volume, and its path there."""


@dataclass(frozen=True)
class KeptFolder:
    """A folder that stays; ``folder`` is its full path, for people."""

    volume_id: int
    path: bytes
    folder: str


def kept_folders(library: Library) -> list[KeptFolder]:
    """List the folders that stay, in the order of their paths."""
    with library.store.reading() as r:
        known = library.volumes(r)
        return [
            KeptFolder(volume_id, path, shown(volumes.locate(known[volume_id], path)))
            for volume_id, path in folder_places(r)
            if volume_id in known
        ]


def keep_folder(library: Library, folder: Path) -> None:
    """Have a folder stay.

    Raises
    ------
    TwinlensError
        If it is not there, or the library has no photographs on its disk.
    """
    path = resolved_folder(folder)
    with library.store.writing("keeping a folder") as w:
        place = library.place(w, path)
        if place is None:
            raise TwinlensError(Message("The library has nothing of {path}.", path=shown(path)), Remedy("show folders"))
        _put(w, {*folder_places(w), place})


def release_folder(library: Library, folder: Path) -> None:
    """Have a folder stay no more; it need not be there.

    Raises
    ------
    TwinlensError
        If it is none of those that stay.
    """
    path = volumes.full_path(folder)
    with library.store.writing("releasing a folder") as w:
        place, known = library.place(w, path), folder_places(w)
        if place not in known:
            raise TwinlensError(
                Message("{path} is none of the folders that stay.", path=shown(path)),
                Message("Name one of those, as they are listed."),
            )
        _put(w, {*known} - {place})


def folder_places(r: Transaction) -> list[Place]:
    """Return volume and path of the folders that stay."""
    return sorted((volume_id, base64.b64decode(path)) for volume_id, path in r.settings.get(_FOLDERS_SETTING, []))


def _put(w: Transaction, wanted: set[Place]) -> None:
    w.settings.put(_FOLDERS_SETTING, [[one, base64.b64encode(path).decode()] for one, path in sorted(wanted)])


def stays(r: Transaction, ids: Int64Ids) -> BoolMask:
    """Return which photographs lie in folders that stay.

    Parameters
    ----------
    r : Transaction
    ids : Ids, (n,)
        In any order.

    Returns
    -------
    ndarray of bool, (n,)
    """
    folders = tuple(folder_places(r))
    if not folders:
        return np.zeros(len(ids), np.bool_)
    return np.isin(ids, r.photographs.matching(Filter(folders=folders)))
