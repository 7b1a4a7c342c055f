"""PostgreSQL's way of what databases write in different ways.

The driver sends and receives binary values: a large one as text has twice the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, TypeVar

import numpy.typing as npt
import psycopg
from psycopg.pq import Format
from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Delete,
    Engine,
    LargeBinary,
    Row,
    Select,
    Table,
    Text,
    any_,
    bindparam,
    cast,
    event,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.dml import Insert as AnyInsert
from sqlalchemy.sql.dml import UpdateBase

from core.arrays import Int64Ids
from storage.database.batches import numbers
from storage.database.dialect import OPTION, Values
from storage.database.driver_statements import cleaned, written
from storage.postgres.code_tables import PostgresCodeTables
from storage.postgres.schema import given

V = TypeVar("V")

_PARAMETER = re.compile(r'%s(::[A-Z]+)?( COLLATE "C")?')
_AT_ONCE = 2_000  # rows that are fetched together
_WRITTEN = PGDialect_psycopg(paramstyle="format")  # type: ignore[no-untyped-call]


class BinaryCursor(psycopg.Cursor[Any]):
    """A cursor whose results are binary."""

    def __init__(self, connection: psycopg.Connection[Any], **further: Any) -> None:
        super().__init__(connection, **further)
        self.format = Format.BINARY


class BinaryServerCursor(psycopg.ServerCursor[Any]):
    """A cursor on the server whose results are binary."""

    def __init__(self, connection: psycopg.Connection[Any], name: str, **further: Any) -> None:
        super().__init__(connection, name, **further)
        self.format = Format.BINARY


class PostgresDialect:
    """The dialect of a connection to a PostgreSQL server."""

    checksums = False

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def code_tables(self) -> PostgresCodeTables:
        """The tables in which pgvector searches."""
        return PostgresCodeTables(self._connection)

    @classmethod
    def speak(cls, engine: Engine) -> None:
        """Have the connections of an engine speak it."""
        engine.update_execution_options(**{OPTION: cls})

        @event.listens_for(engine, "connect")
        def _receive_binary(connection: psycopg.Connection[Any], record: object) -> None:
            connection.cursor_factory, connection.server_cursor_factory = BinaryCursor, BinaryServerCursor

    def insert(self, table: Table) -> Insert:
        """Return PostgreSQL's INSERT."""
        return Insert(table)

    def many(self, statement: UpdateBase, rows: Sequence[Values]) -> None:
        """Run one statement, whose parameters are the columns of a table of all rows."""
        if rows:
            text, words = _of_table(statement)
            columns = zip(*cleaned(rows, words), strict=True)
            self._connection.exec_driver_sql(text, tuple(map(list, columns)))

    def replace(self, table: Table, rows: Sequence[Values]) -> None:
        """Put rows in, by ON CONFLICT DO UPDATE; of rows with the same key the last."""
        places = [table.c.keys().index(column.name) for column in table.primary_key]
        last = {tuple(row[place] for place in places): row for row in rows}
        self.many(_replacing(table), list(last.values()))

    def among(
        self, statement: Select[*tuple[Any, ...]] | UpdateBase, column: ColumnElement[V], values: Iterable[V]
    ) -> list[Row[*tuple[Any, ...]]]:
        """Run a statement once: all values are one array."""
        some = list(values)
        if not some:
            return []
        wanted = bindparam("among", some, type_=ARRAY(column.type))
        result = self._connection.execute(statement.where(column == any_(wanted)))  # type: ignore[union-attr]
        return list(result) if result.returns_rows else []

    def rows_among(
        self, statement: Select[*tuple[Any, ...]], column: ColumnElement[V], values: Sequence[V], given: Values = ()
    ) -> Iterator[Values]:
        """Yield rows of one statement: all values are one array."""
        result = self._connection.exec_driver_sql(written(_some(statement, column), _WRITTEN)[0], (*given, values))
        cursor: Any = result.cursor
        yield from cursor

    def rows(self, statement: Select[*tuple[Any, ...]], given: Mapping[str, Any] | None = None) -> Iterator[Values]:
        """Yield rows by a cursor on the server, which holds nothing else up."""
        with self._connection.execute(statement, given, execution_options={"yield_per": _AT_ONCE}) as result:
            yield from map(tuple, result)

    def ids(self, statement: Select[tuple[int]]) -> Int64Ids:
        """Return ids, which are gathered as one text."""
        (one,) = statement.selected_columns
        listed = statement.with_only_columns(func.string_agg(cast(one, Text), ","), maintain_column_froms=True)
        return numbers(self._connection.execute(listed).scalar())

    def joined(self, column: ColumnElement[Any], separator: bytes, order: ColumnElement[Any]) -> ColumnElement[bytes]:
        """Return ``string_agg``."""
        values = column
        if not isinstance(column.type, LargeBinary):
            values = func.convert_to(cast(column, Text), "UTF8", type_=LargeBinary)
        return func.string_agg(values, separator, type_=LargeBinary).aggregate_order_by(order)

    def copied(
        self, columns: Sequence[ColumnElement[bytes]], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy values row by row, by a cursor on the server."""
        id_ = columns[0].table.c.id
        lacking = dict(targets)
        with self._connection.execute(
            select(id_, *columns).where(id_ == any_(bindparam("ids", list(targets), type_=ARRAY(id_.type)))),
            execution_options={"yield_per": 1},
        ) as result:
            for key, *values in result:
                yield key, all(map(_filled, lacking.pop(key), values))
        yield from ((key, False) for key in lacking)

    def last_given(self, table: Table) -> int:
        """Read the table of given ids."""
        last = select(given.c.last).where(given.c.name == table.name)
        return int(self._connection.execute(last).scalar() or 0)

    def give(self, table: Table, count: int) -> int:
        """Raise the last given id by a count."""
        new = Insert(given).values(name=table.name, last=count)
        new = new.on_conflict_do_update(index_elements=["name"], set_={"last": given.c.last + count})
        return int(self._connection.execute(new.returning(given.c.last)).scalar_one()) - count + 1

    def set_given(self, table: Table, last: int) -> None:
        """Change the table of given ids."""
        new = Insert(given).values(name=table.name, last=last)
        self._connection.execute(new.on_conflict_do_update(index_elements=["name"], set_={"last": last}))


def _filled(array: npt.NDArray[Any], value: bytes | None) -> bool:
    """Fill an array with a value, and return whether it is as long."""
    if value is None or len(value) != array.nbytes or not value:
        return False
    memoryview(array.data).cast("B")[:] = value
    return True


@lru_cache(maxsize=256)
def _of_table(statement: UpdateBase) -> tuple[str, tuple[int, ...]]:
    """Write a statement for a table of parameters: one that is run for every row costs the server two to four times.

    Returns
    -------
    str
        Has one parameter for each column of the table, an array.
    tuple of int
        Which of them are text.
    """
    text, words = written(statement, _WRITTEN)
    compiled = statement.compile(dialect=_WRITTEN)
    types = [
        compiled.binds[name].type.compile(_WRITTEN).partition(" COLLATE")[0] for name in compiled.positiontup or ()
    ]
    numbers = count(1)
    text = _PARAMETER.sub(lambda __: f"new.v{next(numbers)}", text.replace("\n", " "))
    arrays = ", ".join(f"%b::{name}[]" for name in types)
    table = f"unnest({arrays}) AS new ({', '.join(f'v{number + 1}' for number in range(len(types)))})"
    if isinstance(statement, AnyInsert):
        head, _, rest = text.partition(" VALUES (")
        values, _, tail = rest.partition(")")
        return f"{head} SELECT {values} FROM {table}{tail}", words  # noqa: S608
    head, _, condition = text.partition(" WHERE ")
    return f"{head} {'USING' if isinstance(statement, Delete) else 'FROM'} {table} WHERE {condition}", words


@lru_cache(maxsize=64)
def _some(statement: Select[*tuple[Any, ...]], column: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a statement that asks for some values of a column."""
    return statement.where(column == any_(bindparam(None, type_=ARRAY(column.type))))


@cache
def _replacing(table: Table) -> UpdateBase:
    statement = Insert(table).values({column: bindparam(None) for column in table.c})
    new = {column.name: column for column in statement.excluded if not table.c[column.name].primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=new)
