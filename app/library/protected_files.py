"""Files of the library's photographs, which no output takes the place of: pictures in its folders, and what goes along.

Notes, films and sounds beside a photograph have its name, and further letters behind it: ``IMG_1.xmp``,
``IMG_1.jpg.json``, ``IMG_1_HEVC.MOV``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from app.library import volumes
from app.library.library import Library
from core.errors import TwinlensError
from storage.database.address import Address
from storage.library.transaction import Transaction


def is_protected(library: Library, path: Path, picture: bool) -> bool:
    """Return whether a file belongs to the photographs of a library.

    Parameters
    ----------
    library : Library
    path : Path
        Of a file, without links.
    picture : bool
        Whether it is a picture: then it is one of its photographs as soon as it is looked for, if it lies in one of
        its folders.
    """
    with library.store.reading() as r:
        if not _is_in_folders(library, r, path):
            return False
        return picture or library.find(r, path) is not None or _goes_along(library, r, path)


def protected_by(address: Address | None) -> Callable[[Path, bool], bool]:
    """Return :func:`is_protected` of a library that is opened when it is asked; where there is none, nothing is."""

    def ask(path: Path, picture: bool) -> bool:
        try:
            opened = Library.open(address)
        except TwinlensError:
            return False
        with opened as library:
            return is_protected(library, path, picture)

    return ask


def _is_in_folders(library: Library, r: Transaction, path: Path) -> bool:
    """Return whether a file lies in a folder of the library, under whatever name that is mounted."""
    known = library.volumes(r)
    folders = {_identity(volumes.locate(known[row.volume_id], row.path)) for row in r.folders.all()} - {None}
    return any(_identity(os.fsencode(folder)) in folders for folder in path.parents)


def _identity(folder: bytes) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _goes_along(library: Library, r: Transaction, path: Path) -> bool:
    """Return whether a file has the name of a photograph beside it, and more behind that."""
    for name in os.listdir(path.parent):
        stem = os.path.splitext(name)[0]
        rest = path.name.removeprefix(stem)
        if stem and rest != path.name and not rest[:1].isalnum() and library.find(r, path.with_name(name)) is not None:
            return True
    return False
