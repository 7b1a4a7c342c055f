"""Copies of a library from any place to any other."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent
from storage.database.address import Address
from storage.database.filling import pour
from storage.database.place import WAIT_S, Place
from storage.library.places import filled_server, open_place
from storage.sqlite import file_copy
from storage.sqlite.file_copy import refuse_without_space
from storage.sqlite.filling import new_file
from storage.sqlite.journal import keep_beside

COPYING = Message("Copying the library")


def copy(
    source: Address | Path | str,
    target: Address | Path | str,
    progress: Progress = silent,
    wait_s: float = WAIT_S,
    replace: bool = False,
) -> None:
    """Copy a library, while it is in use, to another place; the copy has the same ids, and is there when complete.

    Parameters
    ----------
    source, target : Address, Path or str
        Files, or URLs of servers.
    progress : Progress
        May raise ``Cancelled``: then nothing is left of the copy.
    wait_s : float
        How long to wait for other programs.
    replace : bool
        Whether a library that is on the server already may be replaced.

    Raises
    ------
    TwinlensError
        If there is no library to copy, something where the copy is to be, or one of both cannot be read or written.
    """
    there, here = Address.of(source), Address.of(target)
    if here.is_file and here.path.exists():
        raise TwinlensError(
            Message("{target} exists already.", target=here.shown),
            Message("Name another file for the copy, or remove that one first."),
        )
    with closing(open_place(there, False, wait_s)) as place:
        if here.is_file:
            copy_to_file(place, here.path, wait_s, progress, COPYING)
            keep_beside(here.path, wait_s)
        else:
            pour(place, filled_server(here, "copying a library", wait_s, replace), progress, COPYING)


def copy_to_file(
    place: Place, target: Path, wait_s: float, progress: Progress, text: Message, replace: bool = False
) -> None:
    """Copy a library into one file, which appears, or is replaced, when it is complete: from a file by its pages."""
    if place.address.is_file:
        file_copy.copy(place.address.path, target, wait_s, progress, text, replace)
    else:
        with place.reading() as connection:
            refuse_without_space(target, place.space(connection).copied)
        pour(place, new_file(target, wait_s, replace), progress, text)
