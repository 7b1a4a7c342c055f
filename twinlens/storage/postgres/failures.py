"""Errors of PostgreSQL as messages with a next step, by the classes of SQLSTATE.

Only what the user or the machine can mend is translated; a wrong statement stays the fault of the program that it is.
Before a connection stands, the server's code does not reach us: what it says in words is read instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.integrity.checksums import DamagedRowError

LOST = "08006"

# What a server says to whoever is not let in; in the order in which they are tried.
_IN_WORDS = (
    (re.compile(r"authentication failed|no password supplied|no pg_hba\.conf entry|role .* does not exist"), "28000"),
    (re.compile(r"database .* does not exist"), "3D000"),
    (re.compile(r"permission denied for database|not permitted to log in"), "42501"),
    (re.compile(r"too many (clients|connections)|remaining connection slots"), "53300"),
    (re.compile(r"starting up|shutting down|recovery mode|not yet accepting connections"), "57P03"),
)
_BEFORE_REASON = re.compile(r"^.*\b(?:FATAL|ERROR|PANIC):\s*")
_DO_AGAIN = Message(
    "See whether the server is running and can be reached, then do the same again: what was done before is kept."
)


@contextmanager
def in_sentences(address: Address) -> Iterator[None]:
    """Raise what PostgreSQL reports inside the block as :class:`twinlens.core.errors.TwinlensError`, where it can."""
    try:
        yield
    except (psycopg.Error, DBAPIError, DamagedRowError) as error:
        sentence = translated(address, error)
        if sentence is None:
            raise
        raise sentence from error


def translated(address: Address, error: BaseException) -> TwinlensError | None:
    """Translate an error that the user or the machine can mend; None for anything else."""
    library = address.shown
    if isinstance(error, DamagedRowError):
        return library_errors.damaged_row(library, error.what)
    code, reason = sqlstate(error), _reason(error)
    if code.startswith(("08", "57P")):
        return TwinlensError(
            "There is no connection to the library {library} ({reason}).", _DO_AGAIN, library=library, reason=reason
        )
    if code in {"55P03", "40P01", "40001"}:
        return library_errors.busy(library)
    if code == "25006":
        return read_only(address)
    if code in {"XX001", "XX002", "42P01"}:  # the last where a table was taken away
        return library_errors.damaged(library)
    if code.startswith("28"):
        return TwinlensError(
            "The server of the library {library} refuses the login ({reason}).",
            "Check user name and password. Put the password in ~/.pgpass or in PGPASSWORD.",
            library=library,
            reason=reason,
        )
    sentences = {
        "3D000": (
            Message("The server has no database for the library {library} ({reason}).", library=library, reason=reason),
            Message("Check its name, or have the server's administrator create it."),
        ),
        "42501": (
            Message(
                "The server does not permit this in the library {library} ({reason}).", library=library, reason=reason
            ),
            Message("Ask the server's administrator to run in this database: CREATE EXTENSION vector;")
            if "create extension" in reason
            else Message("Ask the server's administrator for the right to do it."),
        ),
        "53100": (
            Message("The disk of the server that holds the library {library} is full.", library=library),
            Message("Free some space on it and do the same again: what was done before is kept."),
        ),
        "53200": (
            Message("The server of the library {library} has no memory left.", library=library),
            Message("Wait until it has less to do, then do the same again: what was done before is kept."),
        ),
        "53300": (
            Message("The server of the library {library} takes no more connections.", library=library),
            Message("Close other programs that use it, or have max_connections raised on the server."),
        ),
        "57014": (
            Message(
                "The server of the library {library} stopped a statement ({reason}).", library=library, reason=reason
            ),
            Message("Have its administrator raise statement_timeout for this login, then do the same again."),
        ),
        "58030": (
            Message(
                "The disk of the server that holds the library {library} failed to read or write.", library=library
            ),
            Message("Tell the server's administrator; what was done before is kept."),
        ),
    }
    return TwinlensError(*sentences[code]) if code in sentences else None


def sqlstate(error: BaseException) -> str:
    """Return the code of a driver's error, wrapped by SQLAlchemy or not; empty if it has none.

    A connection that broke has none: it counts as one that failed.
    """
    original = _original(error)
    code = getattr(original, "sqlstate", None)
    if code:
        return str(code)
    if not isinstance(original, psycopg.OperationalError):
        return ""
    return next((code for words, code in _IN_WORDS if words.search(str(original))), LOST)


def read_only(address: Address) -> TwinlensError:
    """Return the error that a library cannot be written."""
    return TwinlensError(
        "The library {path} can only be read with this login or on this server.",
        "Searching works; to change it, use a login that may write, on a server that is no standby.",
        path=address.shown,
    )


def _original(error: BaseException) -> BaseException:
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def _reason(error: BaseException) -> str:
    """Return the words of the server, or of the driver, in one line; they never hold a password."""
    lines = [line.strip() for line in str(_original(error)).splitlines() if line.strip()]
    line = next((line for line in lines if _BEFORE_REASON.match(line)), lines[0] if lines else type(error).__name__)
    return (
        _BEFORE_REASON.sub("", line).removeprefix("connection failed: ").removeprefix("connection is bad: ").rstrip(".")
    )
