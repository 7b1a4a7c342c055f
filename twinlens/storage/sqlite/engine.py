"""Connections to a SQLite file, all made alike, and SQLite's dialect.

Triggers of a connection that writes keep the checksum of each row in step with its values: a change of a damaged row
leaves it damaged, since only the difference that the change makes goes into its checksum. Statements go to the driver
as they are; SQLAlchemy is imported where its connection is wanted, and speaks on the same one.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.core.files import private_files
from twinlens.core.message import Message
from twinlens.storage.database.dialect import IN_ONE, Dialect, PackedCodes, Values, cleaned, numbers, pieces
from twinlens.storage.database.values import MOST_ID
from twinlens.storage.integrity.checksums import DamagedRowError, checksum

if TYPE_CHECKING:
    from sqlalchemy import Connection

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


@contextmanager
def closed_on_failure(connection: sqlite3.Connection) -> Iterator[None]:
    """Close a connection whose first statements fail: a file may be damaged or locked, and a disk full."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


class ConnectionPool:
    """Connections to a file for one purpose, each used by one thread at a time.

    Parameters
    ----------
    begin : str
        How a transaction starts; ``BEGIN IMMEDIATE`` takes the write lock at once.
    pragmas : sequence of str
        Further settings of each connection.
    prepare : callable or None
        Makes each connection ready after its settings.
    """

    def __init__(
        self,
        path: Path,
        access: Access,
        wait_s: float,
        begin: str = "BEGIN",
        pragmas: Sequence[str] = (),
        prepare: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        self._path, self._access, self._wait_s, self._begin = path, access, wait_s, begin
        self._pragmas, self._prepare = pragmas, prepare
        self._free: deque[SqliteDialect] = deque()
        self._closed = False

    def _connect(self) -> SqliteDialect:
        connection = connect(self._path, self._access, self._wait_s)
        with closed_on_failure(connection):
            for pragma in (*_PRAGMAS, *self._pragmas):
                connection.execute(f"PRAGMA {pragma}").close()
            if self._prepare is not None:
                self._prepare(connection)
        return SqliteDialect(connection)

    @contextmanager
    def transaction(self, keeps: bool) -> Iterator[SqliteDialect]:
        """Run one transaction, whose changes are kept at its end, or not."""
        try:
            one = self._free.pop()
        except IndexError:
            one = self._connect()
        try:
            one.driver.execute(self._begin).close()
            yield one
            one.end(keeps)
        except BaseException:
            # A statement that was left half read, and lives on in the traceback, would hold this moment for whoever
            # reads next.
            one.close()
            raise
        if self._closed or len(self._free) >= _FREE:
            one.close()
        else:
            self._free.append(one)

    def close(self) -> None:
        """Close the connections that nobody uses now, and the others after their use."""
        self._closed = True
        while self._free:
            self._free.pop().close()


_FREE = 4
"""Connections that wait for their next use."""


@contextmanager
def transaction(path: Path, wait_s: float, pragmas: Sequence[str] = ()) -> Iterator[SqliteDialect]:
    """Write in one transaction on a connection of its own."""
    pool = ConnectionPool(path, Access.WRITE, wait_s, "BEGIN IMMEDIATE", pragmas)
    try:
        with pool.transaction(keeps=True) as one:
            yield one
    finally:
        pool.close()


def keep_in_step(connection: sqlite3.Connection) -> None:
    """Set a writing connection to keep the checksums of all tables in step with their rows."""
    connection.create_function("checksum_of", -1, checksum, deterministic=True)
    connection.create_function("checksum_after", 3, _after, deterministic=True)
    columns = "SELECT of.name, one.name, one.pk FROM sqlite_master AS of, pragma_table_info(of.name) AS one"
    tables: dict[str, dict[str, int]] = {}
    for table, name, key in connection.execute(f"{columns} WHERE of.type = 'table' ORDER BY of.name, one.cid"):
        tables.setdefault(table, {})[name] = key
    for table, keys in tables.items():
        if "checksum" in keys:
            for statement in _triggers(table, tuple(keys.items())):
                connection.execute(statement)


@cache
def _triggers(table: str, columns: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    """Return the statements that make the triggers of a table."""
    names = [name for name, _ in columns if name != "checksum"]
    old, new = (", ".join(f'{moment}."{name}"' for name in names) for moment in ("OLD", "NEW"))
    here = " AND ".join(f'"{name}" = NEW."{name}"' for name, key in columns if key)
    written = ", ".join(f'"{name}"' for name in names)
    made = []
    for name, moment, when, value in (
        ("put_in", "INSERT", "NEW.checksum IS NULL", f"checksum_of({new})"),
        (
            "changed",
            f"UPDATE OF {written}",
            "NEW.checksum IS OLD.checksum",
            f"checksum_after(OLD.checksum, checksum_of({old}), checksum_of({new}))",
        ),
    ):
        made.append(
            f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_{name} AFTER {moment} ON main.{table} "
            f"WHEN {when} BEGIN UPDATE {table} SET checksum = {value} WHERE {here}; END"
        )
    return tuple(made)


def _after(stored: int | None, before: int, after: int) -> int:
    """Return the checksum of a changed row: one that did not fit before does not fit afterwards either."""
    return after if stored is None else stored ^ before ^ after


STEP = 1 << 17  # bytes copied at once: they stay in the processor's cache


class NoCodeTables:
    """No tables; a :class:`twinlens.storage.database.dialect.CodeTables`."""

    def refusal(self) -> TwinlensError:
        """Return the refusal: a file cannot search codes."""
        return TwinlensError(
            "Only a library on a server can search by lists on the server; this one is a file.",
            "Choose another search structure, such as scan, or copy the library to a server.",
        )

    def lists(self, index_id: int) -> None:
        """Return None: there is no table."""

    def make(self, index_id: int, lists: int, ids: Int64Ids, codes: PackedCodes) -> NoReturn:
        """Refuse."""
        raise self.refusal()

    def put(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Do nothing."""

    def remove(self, index_id: int, ids: Int64Ids) -> None:
        """Do nothing."""

    def drop(self, index_id: int) -> None:
        """Do nothing."""

    def server(self, index_id: int) -> NoReturn:
        """Refuse."""
        raise self.refusal()


_AMONG = f"IN ({', '.join('?' * IN_ONE)})"


class SqliteDialect(Dialect):
    """A connection to a SQLite file.

    Attributes
    ----------
    driver : sqlite3.Connection
    """

    checksums = True

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver = driver

    @cached_property
    def connection(self) -> Connection:
        """SQLAlchemy's connection, made when it is first wanted."""
        from twinlens.storage.sqlite.alchemy import connection_of

        return connection_of(self.driver)

    @property
    def code_tables(self) -> NoCodeTables:
        """No tables."""
        return NoCodeTables()

    def end(self, keeps: bool) -> None:
        """End the transaction."""
        if keeps:
            self.driver.commit()
        else:
            self.driver.rollback()
        if "connection" in self.__dict__:
            self.connection.rollback()  # its own word for the end; the transaction is over

    def close(self) -> None:
        """Close the connection, and end a transaction without keeping it."""
        if "connection" in self.__dict__:
            self.connection.invalidate()
        self.driver.close()

    def execute(self, text: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a statement."""
        return self.driver.execute(text, cleaned(values))

    def many(self, text: str, rows: Sequence[Values]) -> None:
        """Run a statement for many rows."""
        self.driver.executemany(text, map(cleaned, rows))

    def replace(self, table: str, rows: Sequence[Values]) -> None:
        """Put rows in, by INSERT OR REPLACE."""
        if rows:  # not ON CONFLICT: what a change has made of a damaged row does not fit its checksum
            self.many(f'INSERT OR REPLACE INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)

    def cursors_among(self, text: str, values: Sequence[Any], given: Values = ()) -> Iterator[sqlite3.Cursor]:
        """Run a statement for some hundred values at a time."""
        whole = text.replace("{among}", _AMONG)
        for some in pieces(values):  # one text for all lengths is parsed once
            yield self.execute(whole, (*given, *some, *some[-1:] * (IN_ONE - len(some))))

    def rows(self, text: str, values: Sequence[Any] = ()) -> Iterator[Values]:
        """Yield rows as the driver steps to them."""
        return self.execute(text, values)  # the cursor itself, and no generator around it: there may be a million rows

    def ids(self, text: str, values: Sequence[Any] = ()) -> Int64Ids:
        """Return ids, which are gathered as one text."""
        return numbers(self.value(f"SELECT group_concat(id) FROM ({text})", values))

    def joined(self, column: str, separator: str, order: str, binary: bool = False) -> str:
        """Return ``group_concat``, which takes rows in the order in which they are read."""
        return f"CAST(group_concat({column}, '{separator}') AS BLOB)"

    def copied(
        self, table: str, columns: Sequence[str], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy values in small steps."""
        for key, arrays in targets.items():
            yield key, all(self._copy(table, one, key, array) for one, array in zip(columns, arrays, strict=True))

    def _copy(self, table: str, column: str, key: int, array: npt.NDArray[Any]) -> bool:
        try:
            blob = self.driver.blobopen(table, column, key, readonly=True)
        except sqlite3.OperationalError:  # no bytes but a number, or nothing
            return False
        with blob:
            if len(blob) != array.nbytes or not len(blob):
                return False
            view = memoryview(array.data).cast("B")
            for start in range(0, len(view), STEP):
                view[start : start + STEP] = blob.read(STEP)
        return True

    def last_given(self, table: str) -> int:
        """Read the id from SQLite's own table."""
        return int(self.value("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)) or 0)

    def give(self, table: str, count: int) -> int:
        """Return the id after the last; SQLite remembers those of the rows that are put in."""
        last = self.last_given(table)
        if last + count > MOST_ID:
            raise DamagedRowError(Message("the last id of the table {table}", table=table))
        return last + 1

    def set_given(self, table: str, last: int) -> None:
        """Change the id in SQLite's own table."""
        if not self.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (last, table)).rowcount:
            self.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
