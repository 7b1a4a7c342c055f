"""Backups: a copy of a library in use, and the way back."""

from __future__ import annotations

from pathlib import Path

from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent
from storage.database.address import Address
from storage.database.place import WAIT_S
from storage.library.store import Store
from storage.sqlite.failures import shown
from storage.sqlite.restoring import restore as restore_file


def backup(store: Store, target: Path, replace: bool = False, progress: Progress = silent) -> None:
    """Copy a library into one file, while it is in use.

    Parameters
    ----------
    store : Store
    target : Path
        Appears when it is complete.
    replace : bool
        Whether an existing file may be replaced.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the target exists, is the library itself, or cannot be written.
    """
    if target.exists() and store.address.is_file and target.samefile(store.address.path):
        raise TwinlensError(
            Message("{target} is the library itself.", target=shown(target)),
            Message("Name another file for the backup."),
        )
    if target.exists() and not (replace and target.is_file()):
        raise TwinlensError(
            Message("{target} exists already.", target=shown(target)),
            Message("Name another file for the backup, or remove that one first."),
        )
    store.place.back_up(target, progress)


def restore(
    address: Address | Path | str, file: Path, progress: Progress = silent, wait_s: float = WAIT_S
) -> Path | None:
    """Restore a library from a backup.

    The backup is checked first. What was there before is kept beside it. A library that can be read is replaced in one
    transaction, while other programs may have it open; one that is damaged must not be open. At no moment is there
    none, and a kill leaves either the one or the other.

    Parameters
    ----------
    address : Address, Path or str
        The library; may be damaged or missing.
    file : Path
        The backup.
    progress : Progress
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
    return restore_file(Address.of(address).path, file, progress, wait_s)
