"""PostgreSQL's dialect, and the tables that only a library on a server has.

pgvector searches codes in tables of their own: one for each index that wishes it, with lists around centres
(IVFFlat).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg.pq import Format
from sqlalchemy import (
    ARRAY,
    DDL,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Engine,
    LargeBinary,
    MetaData,
    Row,
    Select,
    Table,
    any_,
    bindparam,
    cast,
    event,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.schema import ExecutableDDLElement
from sqlalchemy.sql.dml import Insert as AnyInsert
from sqlalchemy.sql.dml import UpdateBase

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.dialect import OPTION, PackedCodes, Values, cleaned, numbers, written
from twinlens.storage.database.schema import (
    Integer,
    Text,
    array,
    code_segment,
    descriptor,
    keypoints,
    keypoints_by_version,
    photograph,
    photograph_by_hash,
    photograph_by_taken,
)

V = TypeVar("V")
_PARAMETER = re.compile(r'%s(::[A-Z]+)?( COLLATE "C")?')
_AT_ONCE = 2_000  # rows that are fetched together
_WRITTEN = PGDialect_psycopg(paramstyle="format")  # type: ignore[no-untyped-call]


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
        """Install this dialect for the connections of an engine."""
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


EXTENSION = "vector"
_LOOKS_FURTHER = (0, 8)  # the first version of pgvector that looks into more lists where some hold too few
_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = b"\xff\xff"
_CODES_AT_ONCE = 100_000  # rows that are sent together
_LENGTH = 4  # bytes before a value of the type bit, which say how many bits it has
_LOOK = """
    SELECT
        (SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = %s),
        (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('library'))
"""

# The estimates of what a search costs mislead: compiling it takes longer than the search.
_SETTINGS = """
    SELECT set_config('ivfflat.probes', %s, true), set_config('ivfflat.iterative_scan', 'relaxed_order', true),
        set_config('jit', 'off', true)
"""

# Learning the centres, pgvector holds a distance of 4 bytes for each of them and each of 50 times as many codes; where
# the server's setting allows less, it refuses.
_MEMORY = """
    SELECT set_config(
        'maintenance_work_mem',
        greatest(pg_size_bytes(current_setting('maintenance_work_mem')) / 1024, %s)::text || 'kB',
        true
    )
"""

_LEARNING, _BESIDE = 4 * 50, 64 << 20  # bytes, for each pair of lists and besides


class PostgresCodeTables:
    """The tables of a library; a :class:`twinlens.storage.database.dialect.CodeTables`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def refusal(self) -> TwinlensError | None:
        """Refuse a login that may not make tables, and a server that has no pgvector, or an old one."""
        version, owns = self._connection.exec_driver_sql(_LOOK, (EXTENSION,)).one()
        if not owns:
            return TwinlensError(
                "Only the owner of the library can have its server search codes; this login is not the owner.",
                "Do it with the owner's login, or choose another search structure, such as scan.",
            )
        if version is not None and tuple(map(int, version.split(".")[:2])) >= _LOOKS_FURTHER:
            return None
        return TwinlensError(
            "The server of this library has no pgvector 0.8 or newer, so it cannot search codes itself.",
            "Have its administrator install it, or choose another search structure, such as scan.",
        )

    def lists(self, index_id: int) -> int | None:
        """Read the number of lists from the options of the database's index."""
        sql = "SELECT reloptions[1] FROM pg_class WHERE oid = to_regclass(%s)"
        option = self._connection.exec_driver_sql(sql, (_lists(index_id),)).scalar()
        return None if option is None else int(option.partition("=")[2])

    def make(self, index_id: int, lists: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Make the table and fill it before its lists are made: their centres are learned from what is there."""
        table, bits = _table(index_id), 8 * _width(codes)
        self.drop(index_id)
        self._run(f"CREATE EXTENSION IF NOT EXISTS {EXTENSION}")
        self._run(f"CREATE TABLE {table} (photograph_id bigint PRIMARY KEY, code bit({bits}) NOT NULL)")
        self._copy(index_id, ids, codes)
        self._connection.exec_driver_sql(_MEMORY, ((_LEARNING * lists**2 + _BESIDE) // 1024,))
        method = f"ivfflat (code bit_hamming_ops) WITH (lists = {lists})"
        self._run(f"CREATE INDEX {_lists(index_id)} ON {table} USING {method}")
        self._run(f"ANALYZE {table}")

    def put(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Put codes in, in the place of those of the same photographs."""
        if self.lists(index_id) is not None:
            self._remove(index_id, ids)
            self._copy(index_id, ids, codes)

    def remove(self, index_id: int, ids: Int64Ids) -> None:
        """Remove codes."""
        if self.lists(index_id) is not None:
            self._remove(index_id, ids)

    def drop(self, index_id: int) -> None:
        """Drop the table of an index, if there is one."""
        if self.lists(index_id) is not None:
            self._run(f"DROP TABLE {_table(index_id)}")

    def server(self, index_id: int) -> PostgresCodeServer:
        """Return the server that searches the table of an index."""
        return PostgresCodeServer(self._connection, index_id)

    def _run(self, statement: str) -> None:
        self._connection.exec_driver_sql(statement)

    def _remove(self, index_id: int, ids: Int64Ids) -> None:
        gone = f"DELETE FROM {_table(index_id)} WHERE photograph_id = ANY(%s::bigint[])"  # noqa: S608
        self._connection.exec_driver_sql(gone, (ids.tolist(),))

    def _copy(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Send rows as COPY has them in binary: the number of fields, and each field behind its size."""
        width = _width(codes)
        kind = np.dtype(
            {
                "names": ("fields", "id_size", "id", "code_size", "bits", "code"),
                "formats": (">i2", ">i4", ">i8", ">i4", ">i4", ("u1", (width,))),
            }
        )
        statement = f"COPY {_table(index_id)} FROM STDIN (FORMAT BINARY)"
        with psycopg.Cursor(driver_of(self._connection)) as cursor, cursor.copy(statement) as copy:
            copy.write(_HEAD)
            for start in range(0, len(ids), _CODES_AT_ONCE):
                some = slice(start, start + _CODES_AT_ONCE)
                rows = np.zeros(len(ids[some]), kind)
                rows["fields"], rows["id_size"], rows["id"] = 2, 8, ids[some]
                rows["code_size"], rows["bits"] = _LENGTH + width, 8 * width
                rows["code"][:, : codes.shape[1]] = codes[some]
                copy.write(rows.tobytes())
            copy.write(_END)


def _table(index_id: int) -> str:
    return f"index_code_{index_id}"


def _lists(index_id: int) -> str:
    return f"index_code_{index_id}_lists"


@dataclass(frozen=True, eq=False)
class PostgresCodeServer:
    """The table of one index; a :class:`twinlens.core.search.server_lists.CodeServer`."""

    connection: Connection
    index_id: int

    def nearest(self, code: PackedCodes, k: int, probes: int, allowed: Int64Ids | None) -> tuple[Int64Ids, Int64Ids]:
        """Search by pgvector."""
        bits = "".join(f"{byte:08b}" for byte in code.tolist())
        where = "" if allowed is None else "WHERE photograph_id = ANY(%s::bigint[])"
        distance = f"code <~> %s::bit({len(bits)})"
        sql = (
            f"SELECT photograph_id, ({distance})::bigint FROM {_table(self.index_id)} {where} "  # noqa: S608
            f"ORDER BY {distance} FETCH FIRST (%s) ROWS WITH TIES"
        )
        some = () if allowed is None else (allowed.tolist(),)
        self.connection.exec_driver_sql(_SETTINGS, (str(probes),))
        rows = self.connection.exec_driver_sql(sql, (bits, *some, bits, k)).all()
        ids, distances = np.array([tuple(row) for row in rows], np.int64).reshape(-1, 2).T
        return ids, distances

    def codes(self, ids: Int64Ids) -> PackedCodes:
        """Fetch codes; in binary, each lies behind its length."""
        sql = (
            f"SELECT string_agg(bit_send(code), ''::bytea ORDER BY photograph_id) FROM {_table(self.index_id)} "  # noqa: S608
            "WHERE photograph_id = ANY(%s::bigint[])"
        )
        joined = self.connection.exec_driver_sql(sql, (ids.tolist(),)).scalar() or b""
        if not len(ids):
            return np.empty((0, 8), np.uint8)
        return np.frombuffer(joined, np.uint8).reshape(len(ids), -1)[:, _LENGTH:]


def _width(codes: PackedCodes) -> int:
    """Return the bytes of a code in the table: whole words, as a query has them."""
    wide: int = codes.shape[1]
    return -(-wide // 8) * 8


server_metadata = MetaData()

# What SQLite keeps in sqlite_sequence. A sequence of the server would leave gaps, since it is not rolled back.
given = Table(
    "given",
    server_metadata,
    Column("name", Text, primary_key=True),  # of a table whose ids are never given twice
    Column("last", Integer, nullable=False),
)

# Behind the cache of each machine; see :mod:`twinlens.storage.postgres.place`.
thumbnail = Table(
    "thumbnail",
    server_metadata,
    Column("content_hash", LargeBinary, primary_key=True),
    Column("jpeg", LargeBinary, nullable=False),
)

# Said here, since naming an option of the server among the tables of all imports what talks to a server.
photograph_by_hash.dialect_kwargs["postgresql_where"] = photograph.c.content_hash.is_not(None)
photograph_by_taken.dialect_kwargs["postgresql_where"] = photograph.c.taken.is_not(None)
keypoints_by_version.dialect_kwargs["postgresql_include"] = ["photograph_id"]


# Numbers that no packing makes smaller.
for _column in (
    descriptor.c.vector,
    keypoints.c.data,
    array.c.data,
    code_segment.c.ids,
    code_segment.c.codes,
    thumbnail.c.jpeg,
):
    _stored: ExecutableDDLElement = DDL(  # type: ignore[no-untyped-call]
        f'ALTER TABLE "{_column.table.name}" ALTER "{_column.name}" SET STORAGE EXTERNAL'
    )
    event.listen(_column.table, "after_create", _stored.execute_if(dialect="postgresql"))


Driver = psycopg.Connection[Any]


def driver_of(connection: Connection) -> Driver:
    """Return the driver's connection."""
    found = connection.connection.driver_connection
    assert isinstance(found, psycopg.Connection)
    return found
