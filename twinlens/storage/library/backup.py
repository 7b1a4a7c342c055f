"""Backups: a copy of a library in use, from any place to any other, and the way back."""

from __future__ import annotations

from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.systems.windows_paths import allowed_name
from twinlens.storage.database.address import Address
from twinlens.storage.database.place import WAIT_S, Place, pour
from twinlens.storage.library.store import Store, filled_server, open_place, server_holds_library
from twinlens.storage.sqlite import file_copy
from twinlens.storage.sqlite.failures import shown
from twinlens.storage.sqlite.file_copy import keep_beside, refuse_without_space
from twinlens.storage.sqlite.library_file import new_file
from twinlens.storage.sqlite.restoring import free_name, opened_backup
from twinlens.storage.sqlite.restoring import restore as restore_file

_JOURNALS = ("-wal", "-journal")


def backup(store: Store, target: Path, replace: bool = False, progress: Progress = silent) -> None:
    """Copy a library into one file, while it is in use.

    Parameters
    ----------
    target : Path
        Appears when it is complete.
    replace : bool
        Whether an existing file may be replaced.

    Raises
    ------
    TwinlensError
        If the target exists, is the library itself, or cannot be written, or a damaged library would replace it.
    """
    if target.exists() and store.address.is_file and target.samefile(store.address.path):
        raise TwinlensError(
            "{target} is the library itself.", "Name another file for the backup.", target=shown(target)
        )
    if target.exists() and not (replace and target.is_file()):
        raise TwinlensError(
            "{target} exists already.",
            "Name another file for the backup, or remove that one first.",
            target=shown(target),
        )
    if any(target.with_name(target.name + suffix).exists() for suffix in _JOURNALS):
        raise TwinlensError(
            "{target} is a library that is open in a program.",
            "Close that one first, or name another file for the backup.",
            target=shown(target),
        )
    if target.exists():
        _refuse_damaged(store, target, part(progress, 0.0, 0.5))
        progress = part(progress, 0.5, 1.0)
    copy_to_file(store.place, target, store.wait_s, progress, COPYING, replace)


def _refuse_damaged(store: Store, target: Path, progress: Progress) -> None:
    """Refuse to put a damaged library in the place of a backup, which may be the last whole one."""
    from twinlens.storage.integrity.integrity_check import check  # here: most backups replace nothing

    if check(store, progress).findings:
        raise TwinlensError(
            "The library is damaged, and {target} may be whole: it is not replaced.",
            Remedy("repair library"),
            target=shown(target),
        )


def restore(
    address: Address | Path | str, file: Path, progress: Progress = silent, wait_s: float = WAIT_S
) -> Path | None:
    """Restore a library from a backup.

    The backup is checked first. What was there before is kept: beside the library that is a file, beside the backup of
    one on a server. A library that can be read is replaced in one transaction, while other programs may have it open;
    a damaged file must not be open. At no moment is there none, and a kill leaves either the one or the other.

    Parameters
    ----------
    address : Address, Path or str
        The library; may be damaged or missing.
    file : Path
        The backup.
    wait_s : float
        How long to wait for another program.

    Returns
    -------
    Path or None
        Where what was there before is kept now.

    Raises
    ------
    TwinlensError
        If the backup is none, is damaged or of a newer version, or the library is in use or cannot be written.
    """
    where = Address.of(address)
    if where.is_file:
        return restore_file(where.path, file, progress, wait_s)
    return _restore_server(where, file.absolute(), progress, wait_s)


def _restore_server(address: Address, file: Path, progress: Progress, wait_s: float) -> Path | None:
    """Restore a library on a server; what was there before is kept in a file beside the backup."""
    filled = partial(filled_server, address, "restoring a backup", wait_s)
    text = Message("Restoring")
    with opened_backup(file, wait_s, part(progress, 0.0, 0.2)) as source:
        if not server_holds_library(address):
            pour(source, filled(), part(progress, 0.2, 1.0), text)
            return None
        database = allowed_name(address.title.rpartition("/")[2])
        kept = free_name(file.with_name(f"{database}.twinlens"))
        with closing(open_place(address, False, wait_s)) as place, filled(replace=True) as filling:
            copy_to_file(place, kept, wait_s, part(progress, 0.2, 0.6), Message("Keeping the present library"))
            pour(source, nullcontext(filling), part(progress, 0.6, 1.0), text)
        return kept


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
            "{target} exists already.", "Name another file for the copy, or remove that one first.", target=here.shown
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
