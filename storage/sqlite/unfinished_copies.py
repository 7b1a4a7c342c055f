"""Copies that are being made, and what is left of those whose program was killed.

A copy is made under a hidden name of its own and takes its place when it is complete. A lock tells one that is being
made from one that was left behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import TwinlensError
from core.message import Message
from storage.database import library_errors
from storage.sqlite import failures
from storage.sqlite.failures import shown
from storage.sqlite.file_lock import FileLock

ENDING = ".twinlens-part"


@contextmanager
def making(target: Path, purpose: str) -> Iterator[Path]:
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
        raise library_errors.busy(shown(target), lock.holder())
    try:
        _remove(part)
        yield part
    finally:
        with suppress(OSError):
            _remove(part)
        lock.release()


@contextmanager
def complete(target: Path, purpose: str) -> Iterator[Path]:
    """Yield the name under which a library file is made; it has its own, and is on the disk, when the block ends.

    Parameters
    ----------
    target : Path
        Is replaced.
    purpose : str
        As of :func:`making`.

    Raises
    ------
    TwinlensError
        If it cannot be written; what was there is as it was.
    """
    clear(target.parent)
    try:
        with failures.in_sentences(target), making(target, purpose) as part:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target)
    except OSError as error:
        raise TwinlensError(
            Message("{target} cannot be written: {strerror}.", target=shown(target), strerror=error.strerror),
            Message("Name a file in a folder where you may write."),
        ) from error


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
