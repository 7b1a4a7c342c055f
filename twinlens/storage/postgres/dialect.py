"""PostgreSQL's dialect, and the tables that only a library on a server has.

pgvector searches codes in tables of their own: one for each index that wishes it, with lists around centres
(IVFFlat).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg.pq import Format
from sqlalchemy import DDL, Column, Connection, Engine, LargeBinary, MetaData, Table, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.schema import ExecutableDDLElement

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.dialect import Cursor, Dialect, PackedCodes, Values, cleaned, numbers
from twinlens.storage.database.schema import (
    Integer,
    Text,
    array,
    code_segment,
    descriptor,
    keypoints,
    keypoints_by_version,
    metadata,
    photograph,
    photograph_by_hash,
    photograph_by_taken,
)

_AT_ONCE = 2_000  # rows that are fetched together
_ALCHEMY = PGDialect_psycopg(paramstyle="format")  # type: ignore[no-untyped-call]
_OF_SQLITE = re.compile(r" (NOT INDEXED|INDEXED BY \w+)")


class PostgresDialect(Dialect):
    """A connection to a PostgreSQL server."""

    checksums = False

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> Connection:
        """SQLAlchemy's connection, whose pool holds that of the driver."""
        return self._connection

    @property
    def code_tables(self) -> PostgresCodeTables:
        """The tables in which pgvector searches."""
        return PostgresCodeTables(self._connection)

    @staticmethod
    def receive_binary(engine: Engine) -> None:
        """Have the connections of an engine receive values as they are, not as text."""

        @event.listens_for(engine, "connect")
        def _receive_binary(connection: psycopg.Connection[Any], record: object) -> None:
            connection.cursor_factory, connection.server_cursor_factory = BinaryCursor, BinaryServerCursor

    def execute(self, text: str, values: Sequence[Any] = ()) -> Cursor:
        """Run a statement."""
        result = self._connection.exec_driver_sql(_written(text), tuple(cleaned(values)))
        return cast(Cursor, result.cursor if result.returns_rows else result)

    def many(self, text: str, rows: Sequence[Values]) -> None:
        """Run one statement, whose parameters are the columns of a table of all rows."""
        if rows and (
            "DO UPDATE" in text or "(SELECT" in text
        ):  # one statement cannot change a row twice, nor number rows
            self._connection.exec_driver_sql(_written(text), [tuple(cleaned(row)) for row in rows])
        elif rows:
            self._of_columns(text, rows)

    def _of_columns(self, text: str, rows: Sequence[Values]) -> None:
        columns = zip(*map(cleaned, rows), strict=True)
        self._connection.exec_driver_sql(_of_table(text), tuple(map(list, columns)))

    def replace(self, table: str, rows: Sequence[Values]) -> None:
        """Put rows in, by ON CONFLICT DO UPDATE; of rows with the same key the last."""
        names = metadata.tables[table].columns.keys()
        keys = [column.name for column in metadata.tables[table].primary_key]
        last = {tuple(row[names.index(key)] for key in keys): row for row in rows}
        if last:
            new = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in keys)
            put = f'INSERT INTO "{table}" ({_quoted(names)}) VALUES ({", ".join("?" * len(names))})'
            self._of_columns(f"{put} ON CONFLICT ({_quoted(keys)}) DO UPDATE SET {new}", [*last.values()])

    def cursors_among(self, text: str, values: Sequence[Any], given: Values = ()) -> Iterator[Cursor]:
        """Run a statement once: all values are one array."""
        if values:
            result = self._connection.exec_driver_sql(_written(text), (*cleaned(given), list(cleaned(values))))
            if result.returns_rows:
                yield cast(Cursor, result.cursor)

    def rows(self, text: str, values: Sequence[Any] = ()) -> Iterator[Values]:
        """Yield rows by a cursor on the server, which holds nothing else up."""
        yield from self._streamed(_written(text), tuple(cleaned(values)), _AT_ONCE)

    def _streamed(self, text: str, values: Values, at_once: int) -> Iterator[Values]:
        options = {"yield_per": at_once}
        with self._connection.exec_driver_sql(text, values, execution_options=options) as result:
            yield from map(tuple, result)

    def ids(self, text: str, values: Sequence[Any] = ()) -> Int64Ids:
        """Return ids, which are gathered as one text."""
        return numbers(self.value(f"SELECT string_agg(id::text, ',') FROM ({text}) AS listed", values))

    def joined(self, column: str, separator: str, order: str, binary: bool = False) -> str:
        """Return ``string_agg``."""
        values = column if binary else f"convert_to({column}::text, 'UTF8')"
        return f"string_agg({values}, '\\x{separator.encode().hex()}'::bytea ORDER BY {order})"

    def copied(
        self, table: str, columns: Sequence[str], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy values row by row, by a cursor on the server."""
        lacking = dict(targets)
        some = f'SELECT id, {_quoted(columns)} FROM "{table}" WHERE id = ANY(%s)'
        for key, *values in self._streamed(some, (list(targets),), 1):
            yield key, all(map(_filled, lacking.pop(key), values))
        yield from ((key, False) for key in lacking)

    def last_given(self, table: str) -> int:
        """Read the table of given ids."""
        return int(self.value('SELECT "last" FROM "given" WHERE name = ?', (table,)) or 0)

    def give(self, table: str, count: int) -> int:
        """Raise the last given id by a count."""
        new = 'INSERT INTO "given" (name, "last") VALUES (?, ?) ON CONFLICT (name) DO UPDATE'
        raised = f'{new} SET "last" = "given"."last" + excluded."last" RETURNING "last"'
        return int(self.value(raised, (table, count))) - count + 1

    def set_given(self, table: str, last: int) -> None:
        """Change the table of given ids."""
        self.put("given", ["name"], [{"name": table, "last": last}])


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@lru_cache(maxsize=512)
def _written(text: str) -> str:
    """Write a statement as the driver takes it."""
    return _OF_SQLITE.sub("", text).replace("%", "%%").replace("?", "%s").replace("{among}", "= ANY(%s)")


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


_INSERT = re.compile(r'\s*(INSERT INTO "?(\w+)"? \(([^)]*)\))\s+VALUES \([?, ]*\)(.*)', re.DOTALL)
_CHANGE = re.compile(r'\s*(UPDATE|DELETE FROM) "?(\w+)"?(.*?)( WHERE .*)', re.DOTALL)
_COMPARED = re.compile(r'"?(\w+)"? (?:= \?|BETWEEN \? AND \?)')


@lru_cache(maxsize=256)
def _of_table(text: str) -> str:
    """Write a statement for a table of parameters: one that is run for every row costs the server two to four times.

    It has one parameter for each column of the table, an array.
    """
    numbered = count(1)
    if found := _INSERT.fullmatch(text):
        head, table, listed, tail = found.groups()
        names = [name.strip(' "\n') for name in listed.split(",")]
        values = ", ".join(f"new.v{next(numbered)}" for _ in names)
        return f"{head} SELECT {values} FROM {_parameters(table, names)} {tail}"
    found = _CHANGE.fullmatch(text)
    assert found is not None, text
    verb, table, changes, condition = found.groups()
    names = [one[1] for one in _COMPARED.finditer(text) for _ in range(one[0].count("?"))]
    changes, condition = (re.sub(r"\?", lambda _: f"new.v{next(numbered)}", part) for part in (changes, condition))
    given = f"{'FROM' if verb == 'UPDATE' else 'USING'} {_parameters(table, names)}"
    return f'{verb} "{table}" {changes} {given} {condition}'


def _parameters(table: str, names: Sequence[str]) -> str:
    columns = metadata.tables[table].columns
    types = (columns[name].type.compile(_ALCHEMY).partition(" COLLATE")[0] for name in names)
    arrays = ", ".join(f"%b::{one}[]" for one in types)
    return f"unnest({arrays}) AS new ({', '.join(f'v{number + 1}' for number in range(len(names)))})"


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
        gone = f"DELETE FROM {_table(index_id)} WHERE photograph_id = ANY(%s::bigint[])"
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
            f"SELECT photograph_id, ({distance})::bigint FROM {_table(self.index_id)} {where} "
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
            f"SELECT string_agg(bit_send(code), ''::bytea ORDER BY photograph_id) FROM {_table(self.index_id)} "
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
