"""The journal beside a library, in which SQLite keeps what is not in the file yet.

Its index is written even by readers. Where that is impossible, in a write-protected folder, the file is read alone, but
only if no journal holds more than it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from storage.sqlite import failures
from storage.sqlite.engine import Access, connect


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
    """Have a file that was copied keep its journal beside it, as every library: readers go on while one writes."""
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
