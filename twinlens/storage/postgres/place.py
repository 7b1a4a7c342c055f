"""A library in one schema of a PostgreSQL server: read by many and written by one at a time, from any machine.

It holds thumbnails, too: what one machine has made, no other decodes again over the share.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self, TypeVar

import psycopg
from sqlalchemy import Table

from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.place import WAIT_S, DiskSpace, Reports, Rows
from twinlens.storage.database.values import CHANGES, REVISIONS, new_facts
from twinlens.storage.postgres import connections, failures, library_schema
from twinlens.storage.postgres.dialect import Driver, PostgresDialect, driver_of
from twinlens.storage.postgres.failures import in_sentences
from twinlens.storage.postgres.library_schema import FoundSchema, look, types_of

V = TypeVar("V")
_VERSION = f"SELECT value::bigint FROM library WHERE name = '{CHANGES}'"
_SPACE = """
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint,
        coalesce(sum(pg_total_relation_size(oid)) FILTER (WHERE relname = 'thumbnail'), 0)::bigint
    FROM pg_class
    WHERE relkind IN ('r', 'p', 'm') AND relnamespace = to_regnamespace(quote_ident(current_schema()))
"""


class PostgresPlace:
    """A connected schema; a :class:`twinlens.storage.database.place.Place`. Made by :meth:`open`.

    Attributes
    ----------
    writable : bool
        False on a standby, and for a login that may only read.
    """

    def __init__(self, address: Address, found: FoundSchema, presence: Driver) -> None:
        self.address = address
        self.writable = found.writable
        self.login = found.login
        self._schema = found.schema
        self._readers = connections.engine(partial(self._connect, "reading"))
        self._writers = connections.engine(partial(self._connect, "writing"), connections.CHANGED)
        self._presence = presence  # holds the lock that says that the library is open; and is asked what has changed
        self._presence_lock = threading.Lock()
        self._thumbnails = PostgresThumbnails(partial(self._connect, "thumbnails"))

    @classmethod
    def open(cls, address: Address, create: bool, wait_s: float) -> Self:
        """Open a schema; a library of an older version is brought up to date first.

        Raises
        ------
        TwinlensError
            If the server cannot be reached or refuses, or there is no library, or one that is locked, of a newer
            Twinlens, or that nobody may bring up to date.
        """
        with in_sentences(address):
            presence = connections.connect(address, "opening the library")
            try:
                found = look(presence, address)
                if not found.revision:
                    if not create:
                        raise library_errors.missing(address.shown)
                    library_schema.create(address, found, new_facts(), wait_s)
                    found = look(presence, address)
                if found.revision != REVISIONS[-1]:
                    library_schema.bring_up_to_date(address, found, presence, wait_s)
                _hold_open(presence, address, found.schema, wait_s)
                return cls(address, found, presence)
            except BaseException:
                connections.disconnect(presence)
                raise

    def _connect(self, purpose: str) -> Driver:
        """Connect, and see that the library is still of a revision that this program knows."""
        made = connections.connect(self.address, purpose)
        try:
            look(made, self.address)
        except BaseException:
            made.close()
            raise
        return made

    def identity(self) -> tuple[int, ...] | None:
        """Return the number of the schema's table."""

        def ask(connection: Driver) -> tuple[int, ...] | None:
            row = connection.execute("SELECT to_regclass('library')::oid::bigint").fetchone()
            return (row[0],) if row and row[0] is not None else None

        return self._ask(ask)

    def thumbnails(self) -> PostgresThumbnails:
        """Return the thumbnails in the schema."""
        return self._thumbnails

    def close(self) -> None:
        """Close the connections, which frees the locks."""
        self._thumbnails.close()
        self._readers.dispose()
        self._writers.dispose()
        connections.disconnect(self._presence)

    @contextmanager
    def reading(self) -> Iterator[Dialect]:
        """Read one moment of the library."""
        with in_sentences(self.address), self._readers.connect() as connection, connection.begin():
            yield PostgresDialect(connection)

    @contextmanager
    def writing(self, purpose: str, wait_s: float) -> Iterator[Dialect]:
        """Write as the only one."""
        with (
            in_sentences(self.address),
            connections.only_writer(self._writers, self.address, self._schema, purpose, wait_s) as connection,
        ):
            yield PostgresDialect(connection)

    @contextmanager
    def adding(self, purpose: str, wait_s: float) -> Iterator[None]:
        """Hold the lock of the only program that adds photographs, on a connection of its own."""
        with in_sentences(self.address):
            held = connections.connect(self.address, purpose)
            try:
                if not connections.acquire(held, self._schema, connections.ADDING, wait_s):
                    holder = connections.holder_of(held, self._schema, connections.ADDING)
                    raise library_errors.at_work(self.address.shown, holder)
            except BaseException:
                connections.disconnect(held)
                raise
        try:
            yield
        finally:
            connections.disconnect(held)

    def adding_by(self) -> str | None:
        """Return who holds the lock, by the server."""
        return self._ask(lambda connection: connections.holder_of(connection, self._schema, connections.ADDING)) or None

    def data_version(self) -> int:
        """Return the number of transactions that have changed the library."""

        def ask(connection: Driver) -> int:
            row = connection.execute(_VERSION).fetchone()
            if row is None:
                raise library_errors.damaged(self.address.shown)
            return int(row[0])

        return self._ask(ask)

    def compact(self) -> None:
        """Remove thumbnails without a photograph; the rest is the server's autovacuum."""
        self._thumbnails.clear()

    def rows(self, dialect: Dialect, table: Table) -> Rows:
        """Stream the rows as binary values."""
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        keys = ", ".join(f'"{column.name}"' for column in table.primary_key)
        statement = f'COPY (SELECT {names} FROM "{table.name}" ORDER BY {keys}) TO STDOUT (FORMAT BINARY)'
        with (
            in_sentences(self.address),
            psycopg.Cursor(driver_of(dialect.connection)) as cursor,
            cursor.copy(statement) as copied,
        ):
            copied.set_types([*types_of(table), "int8"])
            yield from copied.rows()

    def space(self, dialect: Dialect) -> DiskSpace:
        """Measure the tables with their indexes."""
        ((total, thumbnails),) = dialect.rows(_SPACE)
        return DiskSpace(total, 0, thumbnails)

    @contextmanager
    def checking(self, dialect: Dialect, progress: Progress) -> Iterator[Reports]:
        """Report nothing: pages have the server's checksums, and references are enforced."""
        yield Reports()

    def read_only(self) -> TwinlensError:
        """Return the error that this login, or this server, only reads."""
        return failures.read_only(self.address)

    def _ask(self, work: Callable[[Driver], V]) -> V:
        """Run a function on the connection that stands while the library is open; a new one if the server was gone."""
        with self._presence_lock, in_sentences(self.address):
            try:
                return work(self._presence)
            except psycopg.OperationalError:
                if not self._presence.broken:
                    raise
            self._presence = self._connect("opening the library")
            _hold_open(self._presence, self.address, self._schema, WAIT_S)
            return work(self._presence)


def _hold_open(presence: Driver, address: Address, schema: str, wait_s: float) -> None:
    """Hold the lock that shows the library as open, as long as the connection stands."""
    if not connections.acquire(presence, schema, connections.OPEN, wait_s, shared=True):
        raise library_errors.busy(address.shown, connections.holder_of(presence, schema, connections.OPEN))


_V = TypeVar("_V")
_log = logging.getLogger(__name__)
_PUT = """
    INSERT INTO thumbnail (content_hash, jpeg) SELECT * FROM unnest(%b::bytea[], %b::bytea[]) ON CONFLICT DO NOTHING
"""

_GET = "SELECT content_hash, jpeg FROM thumbnail WHERE content_hash = ANY(%b::bytea[])"
_CLEAR = """
    DELETE FROM thumbnail
    WHERE NOT EXISTS (SELECT FROM photograph WHERE photograph.content_hash = thumbnail.content_hash)
"""


class PostgresThumbnails:
    """The thumbnails of a library on a server; safe to use from several threads.

    Parameters
    ----------
    connect : callable
        Makes a connection, when it is first needed.
    """

    def __init__(self, connect: Callable[[], Driver]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._connection: Driver | None = None
        self._warned = False

    def put(self, thumbnails: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep JPEGs under content hashes: pairs of (content hash, JPEG); one that is there stays."""
        # In one order: two programs that keep the same ones would wait for each other.
        ordered = sorted(thumbnails)
        columns = [one for one, _ in ordered], [jpeg for _, jpeg in ordered]
        self._do(lambda connection: connection.execute(_PUT, columns), None)

    def get_many(self, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the JPEGs that are there, by content hash."""

        def read(connection: Driver) -> dict[bytes, bytes]:
            return dict(connection.execute(_GET, [list(content_hashes)], binary=True).fetchall())

        found: dict[bytes, bytes] = self._do(read, {})
        return found

    def clear(self) -> None:
        """Remove the thumbnails of contents that no photograph has."""
        self._do(lambda connection: connection.execute(_CLEAR), None)

    def close(self) -> None:
        """Close the connection; using the object again opens another."""
        with self._lock:
            self._disconnect()

    def _do(self, work: Callable[[Driver], Any], otherwise: Any) -> Any:
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connect()
                return work(self._connection)
            except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
                return otherwise  # a login, or a server, that only reads
            except (psycopg.Error, OSError) as error:
                self._disconnect()
                if not self._warned:
                    _log.warning("Thumbnails are not shared: %s", error)
                    self._warned = True
                return otherwise

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()
