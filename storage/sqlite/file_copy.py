"""Copies of a library file, made while others use it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import TwinlensError
from core.message import NOTHING, Message
from core.progress import Progress, silent
from storage.sqlite import failures
from storage.sqlite.complete_file import complete
from storage.sqlite.engine import Access, connect
from storage.sqlite.failures import shown
from storage.sqlite.journal import connect_to_read

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
    target : Path
    wait_s : float
    progress : Progress
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
    target : Path
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
            Message(
                "The copy {target} needs {needed:.0f} MB, and the disk has {free:.0f} MB left.",
                target=shown(target),
                needed=needed / 1000000.0,
                free=free / 1000000.0,
            ),
            Message("Free some space, or name a file on another disk."),
        )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: OSError) -> TwinlensError:
    return TwinlensError(
        Message("{path} cannot be read: {strerror}.", path=shown(Path(error.filename)), strerror=error.strerror),
        Message("Check its name."),
    )
