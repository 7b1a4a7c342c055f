"""Connections to a server, all made alike.

The driver's own transactions are switched off, and every BEGIN is written here together with what must come first in
it: that is one round trip. A host that vanishes is noticed by both sides within :data:`GONE_S`, so that its locks are
free then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

from core.errors import TwinlensError
from core.message import Message
from storage.database import library_errors
from storage.database.address import Address
from storage.database.library_facts import CHANGES
from storage.postgres import locks
from storage.postgres.dialect import PostgresDialect
from storage.postgres.driver import Driver, driver_of
from storage.postgres.names import name

GONE_S = 30
_CONNECT_S = 10
_KEEPALIVES = {"keepalives_idle": GONE_S // 2, "keepalives_interval": GONE_S // 6, "keepalives_count": 3}
_OF_SERVER: tuple[dict[str, int], ...] = (
    {f"tcp_{key}": value for key, value in _KEEPALIVES.items()},
    {"tcp_user_timeout": 1000 * GONE_S},
    {"client_connection_check_interval": 1000 * GONE_S // 3},
)
_BEGIN = "begin"  # name of the execution option
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1"  # the moment is that of the first look
# Not REPEATABLE READ: that would show what was there before the wait for the lock.
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

# A transaction that has written nothing has no number yet, and changes nothing by its end.
CHANGED = (
    f"UPDATE library SET value = (value::bigint + 1)::text WHERE name = '{CHANGES}' "  # noqa: S608
    "AND pg_current_xact_id_if_assigned() IS NOT NULL"
)


def connect(address: Address, purpose: str) -> Driver:
    """Connect on the driver alone; transactions are explicit.

    Parameters
    ----------
    address : Address
        Of a server; what it says of connecting goes before what is usual here.
    purpose : str
        What for, as an administrator and other programs see.

    Raises
    ------
    TwinlensError
        If the address says something that the driver does not know.
    psycopg.Error
        If the server cannot be reached, or refuses.
    """
    usual: dict[str, Any] = {"connect_timeout": _CONNECT_S, "tcp_user_timeout": 1000 * GONE_S, **_KEEPALIVES}
    try:
        given = conninfo_to_dict(address.text)
        options = f"{given.pop('options', None) or ''} -c timezone=UTC".strip()
        given |= {"application_name": name(purpose), "client_encoding": "UTF8", "options": options}
        made = psycopg.connect(**(usual | given), autocommit=True)
    except psycopg.ProgrammingError:  # its words may hold any part of the address
        raise TwinlensError(
            Message(
                "The address {address} says something that the driver for PostgreSQL does not know.",
                address=address.shown,
            ),
            Message("Check what stands behind the question mark."),
        ) from None
    for settings in _OF_SERVER:
        with suppress(psycopg.errors.InvalidParameterValue, psycopg.errors.UndefinedObject):  # not known there
            made.execute("; ".join(f"SET {key} = {value}" for key, value in settings.items()))
    return made


def disconnect(connection: Driver) -> None:
    """Close a connection; its locks are free at once, not only when the server notices."""
    with suppress(psycopg.Error):  # the server is gone, and the locks with it
        connection.execute("SELECT pg_advisory_unlock_all()")
    connection.close()


@contextmanager
def connected(address: Address, purpose: str) -> Iterator[Driver]:
    """Connect for the time of a block."""
    made = connect(address, purpose)
    try:
        yield made
    finally:
        disconnect(made)


def engine(connector: Callable[[], Driver], end: str = "") -> Engine:
    """Make a pool of connections, whose transactions read one moment.

    Parameters
    ----------
    connector : callable
    end : str
        The statement before each commit.
    """
    made = create_engine(
        "postgresql+psycopg://",
        creator=connector,
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=-1,
        pool_pre_ping=True,
        use_native_hstore=False,
        execution_options={_BEGIN: _READ},
    )
    PostgresDialect.speak(made)

    @event.listens_for(made, "begin")
    def _begin(connection: Connection) -> None:
        _execute(connection, connection.get_execution_options()[_BEGIN])

    if end:

        @event.listens_for(made, "commit")
        def _commit(connection: Connection) -> None:
            _execute(connection, end)

    return made


@contextmanager
def only_writer(engine: Engine, address: Address, schema: str, purpose: str, wait_s: float) -> Iterator[Connection]:
    """Connect in a transaction that waits first until nobody else writes.

    Raises
    ------
    TwinlensError
        If another writes for longer than ``wait_s``; names it.
    """
    begin = f"{_WRITE}; {locks.wait_in_transaction(schema, locks.WRITING, purpose, wait_s)}"
    with engine.connect().execution_options(**{_BEGIN: begin}) as connection:
        try:
            transaction = connection.begin()
        except psycopg.errors.LockNotAvailable as error:
            driver = driver_of(connection)
            driver.rollback()
            raise library_errors.busy(address.shown, locks.holder_of(driver, schema, locks.WRITING)) from error
        with transaction:
            yield connection


def _execute(connection: Connection, statements: str) -> None:
    """Execute statements in one round trip; SQLAlchemy sends one at a time."""
    psycopg.Cursor(driver_of(connection)).execute(statements)
