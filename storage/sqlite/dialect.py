"""SQLite's way of what databases write in different ways.

The driver is called itself where rows are many: a statement is written once, and rows are the driver's own tuples.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, TypeVar
from typing import cast as cast_type

import numpy.typing as npt
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    FromClause,
    LargeBinary,
    Row,
    Select,
    Table,
    bindparam,
    cast,
    column,
    func,
    insert,
    literal_column,
    select,
    table,
    update,
)
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.util import LRUCache

from core.arrays import Int64Ids
from core.message import Message
from storage.database.batches import IN_ONE, numbers, pieces
from storage.database.dialect import OPTION, Values
from storage.database.driver_statements import cleaned, written
from storage.database.schema import MOST_ID
from storage.integrity.checksums import DamagedRowError
from storage.sqlite.code_tables import NoCodeTables
from storage.sqlite.driver import driver

V = TypeVar("V")

STEP = 1 << 17  # bytes copied at once: they stay in the processor's cache
_GIVEN = table("sqlite_sequence", column("name"), column("seq"))


class _Compiler(SQLiteCompiler):
    """Writes what ``Select.with_hint`` says behind the table: ``INDEXED BY ...`` or ``NOT INDEXED``."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


class SqliteStatements(SQLiteDialect_pysqlite):
    """What SQLAlchemy writes for SQLite; all are equal, so that what one has written serves all others."""

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


class SqliteDialect:
    """The dialect of a connection to a SQLite file."""

    checksums = True
    code_tables = NoCodeTables()

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    def speak(cls, engine: Engine) -> None:
        """Have the connections of an engine speak it."""
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
        """Read what SQLite remembers."""
        last = select(func.max(_GIVEN.c.seq)).where(_GIVEN.c.name == table.name)
        return int(self._connection.execute(last).scalar() or 0)

    def give(self, table: Table, count: int) -> int:
        """Return the id after the last; SQLite remembers those of the rows that are put in."""
        last = self.last_given(table)
        if last + count > MOST_ID:
            raise DamagedRowError(Message("the last id of the table {table}", table=table.name))
        return last + 1

    def set_given(self, table: Table, last: int) -> None:
        """Change what SQLite remembers."""
        changed = update(_GIVEN).where(_GIVEN.c.name == table.name).values(seq=last)
        if not self._connection.execute(changed).rowcount:
            self._connection.execute(insert(_GIVEN).values(name=table.name, seq=last))


@lru_cache(maxsize=64)
def _some(statement: Select[*tuple[Any, ...]], column: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a statement that asks for some values of a column."""
    # Written out: hundreds of parameters take SQLAlchemy longer than SQLite needs for the answer.
    return statement.where(column.op("IN")(literal_column(f"({', '.join('?' * IN_ONE)})")))


@cache
def _replacing(table: Table) -> UpdateBase:
    # Not ON CONFLICT: what a change has made of a damaged row does not fit its checksum.
    return insert(table).prefix_with("OR REPLACE").values({column: bindparam(None) for column in table.c})
