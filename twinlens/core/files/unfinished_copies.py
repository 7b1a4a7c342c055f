"""Copies that are being made, and what is left of those whose program was killed.

A copy is made under a hidden name of its own and takes its place when it is complete. A lock tells one that is being
made from one that was left behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from twinlens.core.errors import TwinlensError
from twinlens.core.files.file_lock import FileLock
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message

ENDING = ".twinlens-part"


@contextmanager
def unfinished_copy(target: Path, purpose: str) -> Iterator[Path]:
    """Yield the name under which a copy is made; nothing has that name when the block ends, in whatever way.

    Parameters
    ----------
    target : Path
        The name that the copy gets at the end; the block renames it.
    purpose : str
        What it is for, in words that complete "process 4711 is ...".

    Raises
    ------
    TwinlensError
        If another program is making the same copy.
    """
    part = target.with_name(f".{target.name}{ENDING}")
    lock = _lock(part)
    if not lock.acquire(purpose):
        raise TwinlensError(
            "{file} is being written by {holder}.",
            "Wait until that is done, then try again.",
            file=plain(os.fspath(target)),
            holder=lock.holder() or Message("another program"),
        )
    try:
        _remove(part)
        yield part
    finally:
        with suppress(OSError):
            _remove(part)
        lock.release()


def take_name(part: Path, target: Path) -> None:
    """Rename a complete copy to its name, unless something has that name: nothing is ever replaced.

    Raises
    ------
    FileExistsError
        If something has the name.
    OSError
        If the copy cannot get it.
    """
    if os.name == "nt":
        part.rename(target)  # refuses a name that is taken
        return
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: an empty file takes the name first, which nobody else can do then
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            part.replace(target)
        except OSError:
            target.unlink()
            raise
    else:
        part.unlink()


def clear(folder: Path) -> None:
    """Remove what killed programs have left of their copies in a folder; what cannot be removed stays."""
    try:
        with os.scandir(folder) as entries:
            names = [one.name for one in entries if one.name.startswith(".") and ENDING in one.name]
    except OSError:
        return
    # A journal, or a lock alone, may be all that is left of a copy.
    for name in sorted({name[: name.rindex(ENDING) + len(ENDING)] for name in names}):
        part = folder / name
        lock = _lock(part)
        if lock.acquire("clearing what was left behind"):
            try:
                if lock.held:  # where a file system knows no locks, another program may be at work
                    with suppress(OSError):
                        _remove(part)
            finally:
                lock.release()


def _lock(part: Path) -> FileLock:
    return FileLock(part.with_name(f"{part.name}-making"))


def _remove(part: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)
