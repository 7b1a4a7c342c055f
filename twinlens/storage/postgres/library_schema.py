"""The schema of a server in which a library lies: inspected, created, upgraded, and filled from elsewhere.

A library is made or filled in one transaction: nobody sees it before it is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import CheckConstraint, Connection, Float, LargeBinary, Table, TypeDecorator, delete, insert

from twinlens.core.errors import TwinlensError
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.database.dialect import cleaned
from twinlens.storage.database.place import Values
from twinlens.storage.database.schema import TABLES, alembic_version, facts, library, metadata
from twinlens.storage.database.values import CHANGES, REVISIONS
from twinlens.storage.indexes.indexes import Indexes
from twinlens.storage.postgres import connections, failures
from twinlens.storage.postgres.dialect import PostgresDialect, driver_of, server_metadata

_LOOK = """
    SELECT current_schema(), current_user, pg_is_in_recovery() OR current_setting('transaction_read_only')::bool,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
        ARRAY(
            SELECT relname::text FROM pg_class
            WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p', 'v', 'm', 'f')
        ),
        ARRAY(
            WITH of_us AS (
                SELECT oid, relname, relkind FROM pg_class
                WHERE relnamespace = to_regnamespace(quote_ident(current_schema()))
                    AND (relname = ANY(%(tables)s) OR relkind = 'r' AND relname LIKE 'index\\_code\\_%%')
            ),
            made AS (  -- what the server itself has made of functions is not recorded
                SELECT classid, objid FROM pg_depend WHERE refclassid = 'pg_proc'::regclass
            )
            SELECT relname || ' (' || what || ')' FROM of_us, LATERAL (
                SELECT tgname::text AS what FROM pg_trigger WHERE tgrelid = of_us.oid AND NOT tgisinternal
                UNION ALL SELECT rulename FROM pg_rewrite WHERE ev_class = of_us.oid
                UNION ALL SELECT polname FROM pg_policy WHERE polrelid = of_us.oid
                UNION ALL SELECT 'default' FROM pg_attrdef WHERE adrelid = of_us.oid
                UNION ALL SELECT 'no table' WHERE relkind <> 'r'
                UNION ALL SELECT 'index' FROM pg_index WHERE indrelid = of_us.oid
                    AND (indexprs IS NOT NULL OR ('pg_class'::regclass, indexrelid) IN (SELECT * FROM made))
                UNION ALL SELECT conname FROM pg_constraint WHERE conrelid = of_us.oid AND contype = 'c'
                    AND (conname <> ALL(%(checks)s) OR ('pg_constraint'::regclass, oid) IN (SELECT * FROM made))
            ) foreign_part
            ORDER BY 1 LIMIT 5
        )
"""

_OF_US = {
    "tables": [*metadata.tables, *server_metadata.tables],
    "checks": [
        str(one.name)
        for table in metadata.tables.values()
        for one in table.constraints
        if isinstance(one, CheckConstraint)
    ],
}
_KNOWN_BY = {library.name, "photograph", alembic_version.name}
_REVISION = """
    SELECT (SELECT version_num FROM alembic_version), (SELECT value FROM library WHERE name = 'id'),
        has_table_privilege('photograph', 'INSERT')
"""


@dataclass(frozen=True)
class FoundSchema:
    """The contents of an address.

    Attributes
    ----------
    schema : str
        The one in which tables are found and made.
    revision : str
        Of the library; empty where the schema is.
    """

    schema: str
    login: str
    writable: bool
    revision: str


def look(connection: psycopg.Connection[Any], address: Address) -> FoundSchema:
    """Inspect an address, without changing it.

    Raises
    ------
    TwinlensError
        If there is no schema, or it holds something else, or a library of a newer version or from before 1.0, or
        one with parts that would run in the name of whoever opens it.
    """
    row = connection.execute(_LOOK, _OF_US).fetchone()
    assert row is not None
    schema, login, read_only, may_create, tables, foreign = row
    if schema is None:
        raise TwinlensError(
            "The database {library} has no schema that the login {login} may use.",
            "Have the server's administrator create one, or name one: ?options=-csearch_path%3Dname",
            library=address.shown,
            login=login,
        )
    if not tables:
        return FoundSchema(schema, login, may_create and not read_only, "")
    if not set(tables) >= _KNOWN_BY:
        raise library_errors.foreign(address.shown)
    if foreign:
        raise TwinlensError(
            library_errors.foreign_parts(address.shown, foreign),
            "Have the owner of the database remove them: triggers, rules, views and the like run as you.",
        )
    try:
        row = connection.execute(_REVISION).fetchone()
    except psycopg.errors.UndefinedColumn:
        raise library_errors.foreign(address.shown) from None
    assert row is not None
    revision, known, may_write = row
    if revision is None or known is None:
        raise library_errors.damaged(address.shown)
    if revision not in REVISIONS:
        raise library_errors.unknown_revision(address.shown, older=revision < REVISIONS[0])
    return FoundSchema(schema, login, may_write and not read_only, revision)


def create(address: Address, found: FoundSchema, facts: dict[str, str], wait_s: float) -> None:
    """Make a new library; where another program does the same at the same moment, one of both makes it.

    Raises
    ------
    TwinlensError
        If another writes for too long, or the login may not.
    """
    if not found.writable:
        raise failures.read_only(address)
    engine = connections.engine(lambda: connections.connect(address, "making the library"))
    try:
        with connections.only_writer(engine, address, found.schema, "making the library", wait_s) as connection:
            if not look(driver_of(connection), address).revision:
                fill(connection, facts)
    finally:
        engine.dispose()


def fill(connection: Connection, facts: dict[str, str]) -> None:
    """Make the tables of a new library; nobody sees them before the transaction ends.

    Parameters
    ----------
    connection : Connection
        Of the only writer.
    facts : dict of str to str
        Rows of the table ``library``.
    """
    for tables in (metadata, server_metadata):
        tables.create_all(connection, checkfirst=False)
    connection.execute(insert(alembic_version).values(version_num=REVISIONS[-1]))
    rows = {**facts, CHANGES: "0"}
    connection.execute(insert(library), [{"name": name, "value": value} for name, value in rows.items()])


def bring_up_to_date(address: Address, found: FoundSchema, presence: psycopg.Connection[Any], wait_s: float) -> None:
    """Bring a library to the newest revision, in one transaction.

    No copy is kept beside it: that is the administrator's business, as all backups of a server.

    Parameters
    ----------
    presence : Connection
        Holds no lock yet.

    Raises
    ------
    TwinlensError
        If the login may not, or another program has the library open.
    """
    from twinlens.storage import migrations

    if not found.writable:
        raise TwinlensError(
            "The library {path} of an older Twinlens cannot be brought up to date: the login may not change it.",
            "Open it once with a login that owns its tables.",
            path=address.shown,
        )
    if not connections.acquire(presence, found.schema, connections.OPEN):
        raise library_errors.older_and_open(address.shown)
    engine = connections.engine(lambda: connections.connect(address, "upgrading the library"))
    try:
        with connections.only_writer(engine, address, found.schema, "upgrading the library", wait_s) as connection:
            if look(driver_of(connection), address).revision != REVISIONS[-1]:
                migrations.upgrade(connection, REVISIONS[-1], migrations.VERSIONS)
    finally:
        engine.dispose()
        connections.release(presence, found.schema, connections.OPEN)


class ServerFilling:
    """A schema that is being filled; a :class:`twinlens.storage.database.place.Filling`."""

    def __init__(self, connection: Connection, new: bool) -> None:
        self._connection = connection
        self._new = new

    def start(self, known: dict[str, str]) -> None:
        """Make the tables, or empty them; readers see the old rows until the end."""
        if self._new:
            fill(self._connection, known)
            return
        dialect = PostgresDialect(self._connection)
        for index in Indexes(dialect).all():
            dialect.code_tables.drop(index.id)
        for table in reversed(TABLES):
            kept = [table.c.name != CHANGES] if table is library else []
            self._connection.execute(delete(table).where(*kept))
        rows = [{"name": name, "value": value} for name, value in known.items()]
        self._connection.execute(insert(library), rows)

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Stream rows in as binary values; checksums are the server's business."""
        columns = facts(table)
        names = ", ".join(f'"{column.name}"' for column in columns)
        statement = f'COPY "{table.name}" ({names}) FROM STDIN (FORMAT BINARY)'
        with psycopg.Cursor(driver_of(self._connection)) as cursor, cursor.copy(statement) as copied:
            copied.set_types(types_of(table))
            for row in rows:
                copied.write_row(cleaned(row))

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""
        PostgresDialect(self._connection).set_given(table.name, last)


def types_of(table: Table) -> list[str]:
    """Return the server's types of all columns of a table but the checksum."""

    def name(kind: object) -> str:
        if isinstance(kind, TypeDecorator):
            return "text"
        return "bytea" if isinstance(kind, LargeBinary) else "float8" if isinstance(kind, Float) else "int8"

    return [name(column.type) for column in facts(table)]


def holds_library(address: Address) -> bool:
    """Return whether there is a library.

    Raises
    ------
    TwinlensError
        If something else is there, or the server cannot be reached.
    """
    with failures.in_sentences(address), connections.connected(address, "looking") as connection:
        return bool(look(connection, address).revision)


@contextmanager
def filled(address: Address, purpose: str, wait_s: float, replace: bool = False) -> Iterator[ServerFilling]:
    """Fill a schema in one transaction of the only writer, while nobody adds photographs.

    Parameters
    ----------
    wait_s : float
        How long to wait for others that write or add.
    replace : bool
        Whether a library that is there may be replaced.

    Raises
    ------
    TwinlensError
        If there is a library that may not be replaced, or it cannot be written.
    """
    with failures.in_sentences(address), connections.connected(address, purpose) as held:
        found = look(held, address)
        if not found.writable:
            raise failures.read_only(address)
        if not connections.acquire(held, found.schema, connections.ADDING, wait_s):
            raise library_errors.at_work(address.shown, connections.holder_of(held, found.schema, connections.ADDING))
        if replace and found.revision not in {"", REVISIONS[-1]}:
            bring_up_to_date(address, found, held, wait_s)
        engine = connections.engine(lambda: connections.connect(address, purpose), connections.CHANGED)
        try:
            with connections.only_writer(engine, address, found.schema, purpose, wait_s) as connection:
                found = look(driver_of(connection), address)
                if found.revision and not replace:
                    raise TwinlensError(
                        "{target} exists already.",
                        "Name another database for the copy, or an empty schema.",
                        target=address.shown,
                    )
                yield ServerFilling(connection, new=not found.revision)
                # The server's plans go by what it knows of the tables; by itself it would look some minutes later.
                names = ", ".join(f'"{table.name}"' for table in TABLES)
                connection.exec_driver_sql(f"ANALYZE {names}")
        finally:
            engine.dispose()
