"""Connections to a SQLite file, all made alike.

The driver's own transactions are switched off and every BEGIN is written here: the driver would leave the statements
that change a schema outside of the transaction, and a failed migration would stay half done.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

from core.files import private_files
from storage.sqlite.dialect import SqliteDialect

MMAP_BYTES = 1 << 30  # arrays are read in half the time; it is address space, not memory
JOURNAL_BYTES = 64 << 20  # a journal that one large transaction has blown up is cut back to this
_PRAGMAS = (
    "foreign_keys = ON",
    "synchronous = NORMAL",
    f"mmap_size = {MMAP_BYTES}",
    f"journal_size_limit = {JOURNAL_BYTES}",
    "temp_store = MEMORY",
    "secure_delete = FAST",  # what is forgotten is wiped where the page is written anyway
)


class Access(StrEnum):
    """Modes of opening a file, as in SQLite's addresses."""

    CREATE = "mode=rwc"
    WRITE = "mode=rw"
    READ = "mode=ro"
    FROZEN = "mode=ro&immutable=1"
    """For a folder where not even the journal's index can be written: sees the file alone, takes no locks."""


def connect(path: Path, access: Access, wait_s: float) -> sqlite3.Connection:
    """Connect on the driver alone; transactions are explicit.

    Parameters
    ----------
    path : Path
    access : Access
    wait_s : float
        How long a statement waits for another program's lock.
    """
    if access is Access.CREATE:
        with suppress(OSError):  # SQLite says why it cannot be made
            private_files.create(path)  # the journal gets the mode of the file
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{access}",
        uri=True,
        timeout=wait_s,
        isolation_level=None,
        check_same_thread=False,  # the pool hands a connection to one thread at a time
    )
    connection.execute("PRAGMA trusted_schema = OFF").close()  # what a file declares calls no function of the program
    return connection


def engine(
    path: Path,
    access: Access,
    wait_s: float,
    begin: str = "BEGIN",
    pragmas: Sequence[str] = (),
    prepare: Callable[[sqlite3.Connection], None] | None = None,
) -> Engine:
    """Make a pool of connections.

    Parameters
    ----------
    path : Path
    access : Access
    wait_s : float
    begin : str
        How a transaction starts; ``BEGIN IMMEDIATE`` takes the write lock at once.
    pragmas : sequence of str
        Further settings of each connection.
    prepare : callable or None
        Makes each connection ready after its settings.
    """

    def creator() -> sqlite3.Connection:
        connection = connect(path, access, wait_s)
        for pragma in (*_PRAGMAS, *pragmas):
            connection.execute(f"PRAGMA {pragma}").close()
        if prepare is not None:
            prepare(connection)
        return connection

    made = create_engine("sqlite+twinlens://", creator=creator, poolclass=QueuePool, pool_size=4, max_overflow=-1)
    SqliteDialect.speak(made)

    @event.listens_for(made, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return made


@contextmanager
def transaction(path: Path, wait_s: float, pragmas: Sequence[str] = ()) -> Iterator[Connection]:
    """Write in one transaction on a connection of its own."""
    made = engine(path, Access.WRITE, wait_s, "BEGIN IMMEDIATE", pragmas)
    try:
        with made.begin() as connection:
            yield connection
    finally:
        made.dispose()
