"""Copies of a library file, made under a hidden name while others use the library; and its journal.

The journal beside a library is where SQLite keeps what is not in the file yet.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import clear, take_name, unfinished_copy
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.storage.sqlite import failures
from twinlens.storage.sqlite.engine import Access, connect
from twinlens.storage.sqlite.failures import shown

COPYING = Message("Copying")
_PAGES = 1024  # copied between two reports, 16 MB


def copy(
    source: Path,
    target: Path,
    wait_s: float,
    progress: Progress = silent,
    text: Message = COPYING,
    replace: bool = False,
) -> None:
    """Copy a library, as it is at this moment, into one file that appears when it is complete.

    Parameters
    ----------
    source : Path
        May be in use.
    text : str
        What it is for, in the progress.
    replace : bool
        Whether the target may be replaced.

    Raises
    ------
    TwinlensError
        If one of both cannot be read or written.
    """
    refuse_without_space(target, _size(source))
    with complete(target, "making a copy", replace) as part, closing(connect(part, Access.CREATE, wait_s)) as made:
        pour(source, made, wait_s, progress, text)
        made.execute("PRAGMA journal_mode = DELETE")  # no journal beside it: one file


def pour(
    source: Path, made: sqlite3.Connection, wait_s: float, progress: Progress = silent, text: Message = NOTHING
) -> None:
    """Replace everything in a database by another one's contents, in one transaction of the database."""

    def report(_status: int, remaining: int, total: int) -> None:
        if remaining:  # what is complete cannot be stopped any more
            progress(total - remaining, total, text)

    with failures.in_sentences(source), closing(connect_to_read(source, wait_s)[0]) as read:
        read.execute("BEGIN")  # the copy stays at this moment: without it, every writer would start it again
        read.execute("SELECT count(*) FROM sqlite_master").fetchone()
        progress(0, 1, text)
        read.backup(made, pages=_PAGES, progress=report)


def refuse_without_space(target: Path, needed: int) -> None:
    """Refuse a copy for which the disk has no space, before it is begun.

    Parameters
    ----------
    needed : int
        Bytes that the copy takes.

    Raises
    ------
    TwinlensError
        Says how much is needed and how much there is.
    """
    try:
        free = shutil.disk_usage(target.parent).free
    except OSError as error:
        raise _unreadable(error) from error
    if free < needed:
        raise TwinlensError(
            "The copy {target} needs {needed:.0f} MB, and the disk has {free:.0f} MB left.",
            "Free some space, or name a file on another disk.",
            target=shown(target),
            needed=needed / 1000000.0,
            free=free / 1000000.0,
        )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: OSError) -> TwinlensError:
    return TwinlensError(
        "{path} cannot be read: {strerror}.",
        "Check its name.",
        path=shown(Path(error.filename)),
        strerror=error.strerror,
    )


@contextmanager
def complete(target: Path, purpose: str, replace: bool = False) -> Iterator[Path]:
    """Yield the name under which a library file is made; it has its own, and is on the disk, when the block ends.

    Parameters
    ----------
    purpose : str
        As of :func:`twinlens.core.files.unfinished_copies.unfinished_copy`.
    replace : bool
        Whether a file that has this name by then may be replaced.

    Raises
    ------
    TwinlensError
        If it cannot be written, or something has its name; what was there is as it was.
    """
    clear(target.parent)
    try:
        with failures.in_sentences(target), unfinished_copy(target, purpose) as part:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target) if replace else take_name(part, target)
    except OSError as error:
        raise TwinlensError(
            "{target} cannot be written: {strerror}.",
            "Name a file in a folder where you may write.",
            target=shown(target),
            strerror=error.strerror,
        ) from error


def journal(path: Path) -> Path:
    """Return the place of a library's journal; it is removed when the last program closes the library."""
    return path.with_name(path.name + "-wal")


def has_journal(path: Path) -> bool:
    """Return whether a journal holds something that is not in the file yet."""
    try:
        return journal(path).stat().st_size > 0
    except OSError:
        return False


def keep_beside(path: Path, wait_s: float) -> None:
    """Set a copied file to keep its journal beside it, as every library does: readers go on while one writes."""
    with closing(connect(path, Access.WRITE, wait_s)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def connect_to_read(path: Path, wait_s: float) -> tuple[sqlite3.Connection, Access]:
    """Connect to a library for reading, in the way that is possible where it lies; and say in which.

    Raises
    ------
    sqlite3.Error
        If it cannot be read.
    """
    access = Access.READ
    while True:
        connection = connect(path, access, wait_s)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            connection.close()
            unwritable = failures.primary_code(error) in failures.NO_JOURNAL
            if access is Access.FROZEN or not unwritable or has_journal(path):
                raise
            access = Access.FROZEN
        else:
            return connection, access
