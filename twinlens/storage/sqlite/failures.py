"""Errors of SQLite as messages with a next step.

Only what the user or the machine can mend is translated; a wrong statement stays the fault of the program that it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.integrity.checksums import DamagedRowError
from twinlens.storage.sqlite.engine import Access, connect
from twinlens.storage.sqlite.known_schema import has_other_schema

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
NO_JOURNAL = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)  # met by a reader where none can be made
_NO_TEXT = "Could not decode to UTF-8"  # the driver's own words: it gives no code with them
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_WAIT_S = 5.0  # of a look at what is wrong


@contextmanager
def in_sentences(path: Path) -> Iterator[None]:
    """Raise what SQLite reports inside the block as :class:`twinlens.core.errors.TwinlensError`, where it can."""
    try:
        yield
    except Exception as error:
        known = isinstance(_original(error), sqlite3.Error) or isinstance(error, DamagedRowError)
        sentence = translated(path, error) if known else None
        if sentence is None:
            raise
        raise sentence from error


def translated(path: Path, error: BaseException) -> TwinlensError | None:
    """Translate an error that the user or the machine can mend; None for anything else."""
    if isinstance(error, DamagedRowError):
        return library_errors.damaged_row(shown(path), error.what)
    code = primary_code(error)
    if code in DAMAGED or _NO_TEXT in str(error):
        return library_errors.damaged(shown(path))
    if code == sqlite3.SQLITE_ERROR and has_other_schema(path):
        return library_errors.damaged(shown(path))
    if code == sqlite3.SQLITE_CONSTRAINT and _contradicts_itself(path):
        return library_errors.damaged(shown(path))
    if code in LOCKED:
        return library_errors.busy(shown(path))
    if code == sqlite3.SQLITE_READONLY:
        return read_only(path)
    library = shown(path)
    sentences = {
        sqlite3.SQLITE_FULL: (
            Message("The disk that holds the library {library} is full.", library=library),
            Message("Free some space on it and do the same again: what was done before is kept."),
        ),
        sqlite3.SQLITE_IOERR: (
            Message(
                "The disk that holds the library {library} failed to read or write ({reason}).",
                library=library,
                reason=_reason(error),
            ),
            Message(
                "See whether it is connected and has free space, then do the same again: what was done before is kept."
            ),
        ),
        sqlite3.SQLITE_CANTOPEN: (
            Message("The library {library} cannot be opened.", library=library),
            Message("See whether its folder exists and whether you may read and write there."),
        ),
    }
    return TwinlensError(*sentences[code]) if code in sentences else None


def _reason(error: BaseException) -> str:
    return str(getattr(_original(error), "sqlite_errorname", "") or _original(error))


def _original(error: BaseException) -> BaseException:
    """Return the driver's error that SQLAlchemy has wrapped, where it has."""
    wrapped = getattr(error, "orig", None)
    return wrapped if isinstance(wrapped, sqlite3.Error) else error


def _contradicts_itself(path: Path) -> bool:
    """Return whether the indexes and references of a library do not agree with its tables."""
    try:
        with closing(connect(path, Access.READ, _WAIT_S)) as connection:
            whole = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            return not whole or connection.execute("PRAGMA foreign_key_check").fetchone() is not None
    except sqlite3.Error:
        return False


def shown(path: Path) -> str:
    """Write a path so that every terminal can take it: its name need not be text."""
    return Address.of(path).shown


def primary_code(error: BaseException) -> int:
    """Return SQLite's primary result code of a driver's error, wrapped by SQLAlchemy or not; 0 if it has none."""
    return int(getattr(_original(error), "sqlite_errorcode", 0)) & 0xFF


def read_only(path: Path) -> TwinlensError:
    """Return the error that a library cannot be written."""
    return TwinlensError(
        "The library {path} can only be read: the file or its folder is write-protected.",
        "Searching works; to change it, allow writing to both, or copy the library elsewhere and open the copy.",
        path=shown(path),
    )
