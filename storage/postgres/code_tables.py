"""Tables in which pgvector searches codes: one for each index that wishes it, with lists around centres (IVFFlat).

They are not of the library's schema: made by statements when they are needed, and found by their names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import psycopg
from sqlalchemy import Connection

from core.arrays import Int64Ids
from core.errors import TwinlensError
from core.message import Message
from storage.database.code_tables import PackedCodes
from storage.postgres.driver import driver_of

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


def _table(index_id: int) -> str:
    return f"index_code_{index_id}"


def _lists(index_id: int) -> str:
    return f"index_code_{index_id}_lists"


class PostgresCodeTables:
    """The tables of a library; a :class:`storage.database.code_tables.CodeTables`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def refusal(self) -> TwinlensError | None:
        """Refuse a login that may not make tables, and a server that has no pgvector, or an old one."""
        version, owns = self._connection.exec_driver_sql(_LOOK, (EXTENSION,)).one()
        if not owns:
            return TwinlensError(
                Message("Only the owner of the library can have its server search codes; this login is not the owner."),
                Message("Do it with the owner's login, or choose another search structure, such as scan."),
            )
        if version is not None and tuple(map(int, version.split(".")[:2])) >= _LOOKS_FURTHER:
            return None
        return TwinlensError(
            Message("The server of this library has no pgvector 0.8 or newer, so it cannot search codes itself."),
            Message("Have its administrator install it, or choose another search structure, such as scan."),
        )

    def lists(self, index_id: int) -> int | None:
        """Read the number of lists from the options of the database's index."""
        asked = "SELECT reloptions[1] FROM pg_class WHERE oid = to_regclass(%s)"
        option = self._connection.exec_driver_sql(asked, (_lists(index_id),)).scalar()
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
        """Return what answers from the table of an index."""
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


@dataclass(frozen=True, eq=False)
class PostgresCodeServer:
    """The table of one index; a :class:`core.search.server_lists.CodeServer`."""

    connection: Connection
    index_id: int

    def nearest(self, code: PackedCodes, k: int, probes: int, allowed: Int64Ids | None) -> tuple[Int64Ids, Int64Ids]:
        """Ask pgvector."""
        bits = "".join(f"{byte:08b}" for byte in code.tolist())
        where = "" if allowed is None else "WHERE photograph_id = ANY(%s::bigint[])"
        distance = f"code <~> %s::bit({len(bits)})"
        asked = (
            f"SELECT photograph_id, ({distance})::bigint FROM {_table(self.index_id)} {where} "  # noqa: S608
            f"ORDER BY {distance} FETCH FIRST (%s) ROWS WITH TIES"
        )
        some = () if allowed is None else (allowed.tolist(),)
        self.connection.exec_driver_sql(_SETTINGS, (str(probes),))
        rows = self.connection.exec_driver_sql(asked, (bits, *some, bits, k)).all()
        ids, distances = np.array([tuple(row) for row in rows], np.int64).reshape(-1, 2).T
        return ids, distances

    def codes(self, ids: Int64Ids) -> PackedCodes:
        """Fetch codes; in binary, each lies behind its length."""
        asked = (
            f"SELECT string_agg(bit_send(code), ''::bytea ORDER BY photograph_id) FROM {_table(self.index_id)} "  # noqa: S608
            "WHERE photograph_id = ANY(%s::bigint[])"
        )
        joined = self.connection.exec_driver_sql(asked, (ids.tolist(),)).scalar() or b""
        if not len(ids):
            return np.empty((0, 8), np.uint8)
        return np.frombuffer(joined, np.uint8).reshape(len(ids), -1)[:, _LENGTH:]


def _width(codes: PackedCodes) -> int:
    """Return the bytes of a code in the table: whole words, as a query has them."""
    wide: int = codes.shape[1]
    return -(-wide // 8) * 8
