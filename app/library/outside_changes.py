"""Changes of an open library from outside: by other programs, by disks that come and go, by removing its file."""

from __future__ import annotations

import os
from dataclasses import dataclass

from app.library.library import Library
from app.library.overview import mounted
from core.errors import TwinlensError
from core.message import Message
from storage.database.schema import State


@dataclass(frozen=True)
class Seen:
    """A library as it was at a look; another one of the same ``facts`` shows the same to a person.

    Attributes
    ----------
    file : tuple of int
        Device and number of the file.
    version : int
        Changes with every transaction.
    facts : tuple
        What lists and searches show: counts, indexes, folders, and where the disks are.
    """

    file: tuple[int, int]
    version: int
    facts: tuple[object, ...]


def look(library: Library, before: Seen | None = None) -> Seen:
    """Check a library for such changes; cheap where nothing has happened.

    Raises
    ------
    TwinlensError
        If its file is no longer the one that was opened.
    """
    file = _file(library)
    if before is not None and file != before.file:
        raise _replaced(library, "was replaced by another file")
    version = library.store.data_version()
    with library.store.reading() as r:
        disks = mounted(library.volumes(r))
        if before is not None and before.version == version:
            return Seen(file, version, (disks, *before.facts[1:]))
        indexes = tuple((index.id, index.name, index.codes_token) for index in r.indexes.all())
        folders = tuple((row.volume_id, row.path) for row in r.folders.all())
        states = r.photographs.counts()
        counted = states[State.READY], states[State.MISSING], r.problems.count()
        return Seen(file, version, (disks, indexes, folders, counted))


def _file(library: Library) -> tuple[int, int]:
    try:
        status = os.stat(library.address.path)
    except OSError as error:
        raise _replaced(library, "is no longer there") from error
    return status.st_dev, status.st_ino


def _replaced(library: Library, what: str) -> TwinlensError:
    return TwinlensError(
        Message("The library {fsencode} {what}.", fsencode=library.address.shown, what=what),
        Message("Put its file back, or connect its disk, and try again; or open another library."),
    )
