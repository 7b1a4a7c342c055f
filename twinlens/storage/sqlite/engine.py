"""Connections to a SQLite file, all made alike, and SQLite's dialect.

Triggers of a connection that writes keep the checksum of each row in step with its values: a change of a damaged row
leaves it damaged, since only the difference that the change makes goes into its checksum. The driver is called itself
where rows are many: a statement is written once, and rows are the driver's own tuples.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from typing import cast as cast_type

import numpy.typing as npt
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    FromClause,
    LargeBinary,
    QueuePool,
    Row,
    Select,
    Table,
    bindparam,
    cast,
    column,
    create_engine,
    event,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy import table as named_table
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.util import LRUCache

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.core.files import private_files
from twinlens.core.message import Message
from twinlens.storage.database.dialect import IN_ONE, OPTION, PackedCodes, Values, cleaned, numbers, pieces, written
from twinlens.storage.database.schema import MOST_ID
from twinlens.storage.integrity.checksums import TABLES, DamagedRowError, checksum, facts

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
    begin : str
        How a transaction starts; ``BEGIN IMMEDIATE`` takes the write lock at once.
    pragmas : sequence of str
        Further settings of each connection.
    prepare : callable or None
        Makes each connection ready after its settings.
    """

    def creator() -> sqlite3.Connection:
        connection = connect(path, access, wait_s)
        with closed_on_failure(connection):
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


def keep_in_step(connection: sqlite3.Connection) -> None:
    """Set a writing connection to keep the checksums of all tables in step with their rows."""
    connection.create_function("checksum_of", -1, checksum, deterministic=True)
    connection.create_function("checksum_after", 3, _after, deterministic=True)
    for statement in _triggers():
        connection.execute(statement)


@cache
def _triggers() -> tuple[str, ...]:
    """Return the statements that make the triggers."""
    made = []
    for table in TABLES:
        names = [column.name for column in facts(table)]
        old, new = (", ".join(f'{moment}."{name}"' for name in names) for moment in ("OLD", "NEW"))
        here = " AND ".join(f'"{column.name}" = NEW."{column.name}"' for column in table.primary_key)
        columns = ", ".join(f'"{name}"' for name in names)
        for name, moment, when, value in (
            ("put_in", "INSERT", "NEW.checksum IS NULL", f"checksum_of({new})"),
            (
                "changed",
                f"UPDATE OF {columns}",
                "NEW.checksum IS OLD.checksum",
                f"checksum_after(OLD.checksum, checksum_of({old}), checksum_of({new}))",
            ),
        ):
            made.append(
                f"CREATE TEMP TRIGGER IF NOT EXISTS {table.name}_{name} AFTER {moment} ON main.{table.name} "  # noqa: S608
                f"WHEN {when} BEGIN UPDATE {table.name} SET checksum = {value} WHERE {here}; END"
            )
    return tuple(made)


def _after(stored: int | None, before: int, after: int) -> int:
    """Return the checksum of a changed row: one that did not fit before does not fit afterwards either."""
    return after if stored is None else stored ^ before ^ after


V = TypeVar("V")
STEP = 1 << 17  # bytes copied at once: they stay in the processor's cache
_GIVEN = named_table("sqlite_sequence", column("name"), column("seq"))


class _Compiler(SQLiteCompiler):
    """Writes what ``Select.with_hint`` says behind the table: ``INDEXED BY ...`` or ``NOT INDEXED``."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


class SqliteStatements(SQLiteDialect_pysqlite):
    """SQLAlchemy's compiler of statements for SQLite; all are equal, so that its cache serves all."""

    statement_compiler = _Compiler
    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SqliteStatements)

    def __hash__(self) -> int:
        return hash(SqliteStatements)


_WRITTEN = SqliteStatements(paramstyle="qmark")


registry.register("sqlite.twinlens", __name__, SqliteStatements.__name__)


ALREADY_WRITTEN = LRUCache[Any, Any](1_000)
"""Statements by what they say, of all files: to write one takes longer than to run it."""


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


class SqliteDialect:
    """The dialect of a connection to a SQLite file."""

    checksums = True
    code_tables = NoCodeTables()

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    def speak(cls, engine: Engine) -> None:
        """Install this dialect for the connections of an engine."""
        engine.update_execution_options(compiled_cache=ALREADY_WRITTEN, **{OPTION: cls})

    def insert(self, table: Table) -> Insert:
        """Return SQLite's INSERT."""
        return Insert(table)

    def many(self, statement: UpdateBase, rows: Sequence[Values]) -> None:
        """Run a statement for many rows, on the driver."""
        if rows:
            text, words = written(statement, _WRITTEN)
            self._connection.exec_driver_sql(text, cleaned(rows, words))

    def replace(self, table: Table, rows: Sequence[Values]) -> None:
        """Put rows in, by INSERT OR REPLACE."""
        self.many(_replacing(table), rows)

    def among(
        self, statement: Select[*tuple[Any, ...]] | UpdateBase, column: ColumnElement[V], values: Iterable[V]
    ) -> list[Row[*tuple[Any, ...]]]:
        """Run a statement for some hundred values at a time."""
        found: list[Row[*tuple[Any, ...]]] = []
        for some in pieces(values):
            result = self._connection.execute(statement.where(column.in_(some)))  # type: ignore[union-attr]
            if result.returns_rows:
                found.extend(result)
        return found

    def rows_among(
        self, statement: Select[*tuple[Any, ...]], column: ColumnElement[V], values: Sequence[V], given: Values = ()
    ) -> Iterator[Values]:
        """Yield rows for some hundred values at a time."""
        text, _ = written(_some(statement, column), _WRITTEN)
        execute = driver(self._connection).execute
        # One text for all lengths is parsed once.
        padded = (some + some[-1:] * (IN_ONE - len(some)) for some in pieces(values))
        return chain.from_iterable(execute(text, (*given, *some)) for some in padded)

    def rows(self, statement: Select[*tuple[Any, ...]], given: Mapping[str, Any] | None = None) -> Iterator[Values]:
        """Yield rows as the driver steps to them."""
        # The cursor itself, and no generator around it: there may be a million rows.
        return cast_type(Iterator[Values], self._connection.execute(statement, given).cursor)

    def ids(self, statement: Select[tuple[int]]) -> Int64Ids:
        """Return ids, which are gathered as one text."""
        (one,) = statement.selected_columns
        listed = statement.with_only_columns(func.group_concat(one), maintain_column_froms=True)
        return numbers(self._connection.execute(listed).scalar())

    def joined(self, column: ColumnElement[Any], separator: bytes, order: ColumnElement[Any]) -> ColumnElement[bytes]:
        """Return ``group_concat``, which takes rows in the order in which they are read."""
        # Written out: a parameter would be read anew for every row.
        return cast(func.group_concat(column, literal_column(f"'{separator.decode()}'")), LargeBinary)

    def copied(
        self, columns: Sequence[ColumnElement[bytes]], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy values in small steps."""
        for key, arrays in targets.items():
            yield key, all(self._copy(one, key, array) for one, array in zip(columns, arrays, strict=True))

    def _copy(self, column: Any, key: int, array: npt.NDArray[Any]) -> bool:
        try:
            blob = driver(self._connection).blobopen(column.table.name, column.name, key, readonly=True)
        except sqlite3.OperationalError:  # no bytes but a number, or nothing
            return False
        with blob:
            if len(blob) != array.nbytes or not len(blob):
                return False
            view = memoryview(array.data).cast("B")
            for start in range(0, len(view), STEP):
                view[start : start + STEP] = blob.read(STEP)
        return True

    def last_given(self, table: Table) -> int:
        """Read the id from SQLite's own table."""
        last = select(func.max(_GIVEN.c.seq)).where(_GIVEN.c.name == table.name)
        return int(self._connection.execute(last).scalar() or 0)

    def give(self, table: Table, count: int) -> int:
        """Return the id after the last; SQLite remembers those of the rows that are put in."""
        last = self.last_given(table)
        if last + count > MOST_ID:
            raise DamagedRowError(Message("the last id of the table {table}", table=table.name))
        return last + 1

    def set_given(self, table: Table, last: int) -> None:
        """Change the id in SQLite's own table."""
        changed = update(_GIVEN).where(_GIVEN.c.name == table.name).values(seq=last)
        if not self._connection.execute(changed).rowcount:
            self._connection.execute(insert(_GIVEN).values(name=table.name, seq=last))


@lru_cache(maxsize=64)
def _some(statement: Select[*tuple[Any, ...]], column: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a statement that asks for some values of a column."""
    # Written out: hundreds of parameters take SQLAlchemy longer than SQLite needs for the result.
    return statement.where(column.op("IN")(literal_column(f"({', '.join('?' * IN_ONE)})")))


@cache
def _replacing(table: Table) -> UpdateBase:
    # Not ON CONFLICT: what a change has made of a damaged row does not fit its checksum.
    return insert(table).prefix_with("OR REPLACE").values({column: bindparam(None) for column in table.c})


def driver(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection, for large results and values that need no row objects."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
