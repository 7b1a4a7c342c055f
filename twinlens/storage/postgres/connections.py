"""Connections to a server, all made alike, named so that others see who is at work, and the locks that they hold.

Locks are advisory; the server frees them when their holder's connection ends, in whatever way.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import Literal
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

from twinlens.core.errors import TwinlensError
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.database.values import CHANGES
from twinlens.storage.postgres.dialect import Driver, PostgresDialect, driver_of

GONE_S = 30
_CONNECT_S = 10
_KEEPALIVES = {"keepalives_idle": GONE_S // 2, "keepalives_interval": GONE_S // 6, "keepalives_count": 3}


def key(schema: str, what: str) -> int:
    """Return the number, of 64 bits, under which the server knows a lock."""
    return int.from_bytes(blake2b(f"twinlens {what} {schema}".encode(), digest_size=8).digest(), "big", signed=True)


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
    f"UPDATE library SET value = (value::bigint + 1)::text WHERE name = '{CHANGES}' "
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
            "The address {address} says something that the driver for PostgreSQL does not know.",
            "Check what stands behind the question mark.",
            address=address.shown,
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
    PostgresDialect.receive_binary(made)

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
    begin = f"{_WRITE}; {wait_in_transaction(schema, WRITING, purpose, wait_s)}"
    with engine.connect().execution_options(**{_BEGIN: begin}) as connection:
        try:
            transaction = connection.begin()
        except psycopg.errors.LockNotAvailable as error:
            driver = driver_of(connection)
            driver.rollback()
            raise library_errors.busy(address.shown, holder_of(driver, schema, WRITING)) from error
        with transaction:
            yield connection


def _execute(connection: Connection, statements: str) -> None:
    """Execute statements in one round trip; SQLAlchemy sends one at a time."""
    psycopg.Cursor(driver_of(connection)).execute(statements)


OPEN, WRITING, ADDING = "open", "writing", "adding"
_HOLDERS = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> pg_backend_pid()
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = %s AND objid::bigint = %s
"""


def wait_in_transaction(schema: str, what: str, purpose: str, wait_s: float) -> str:
    """Return the first statements of a transaction, which hold a lock to its end, or fail after a time."""
    named = Literal(name(purpose)).as_string()
    return (
        f"SET LOCAL application_name = {named}; SET LOCAL lock_timeout = {_milliseconds(wait_s)}; "
        f"SELECT pg_advisory_xact_lock({key(schema, what)})"
    )


def acquire(
    connection: psycopg.Connection[Any], schema: str, what: str, wait_s: float = 0.0, shared: bool = False
) -> bool:
    """Take a lock for as long as a connection stands; return False when another still holds it.

    Parameters
    ----------
    connection : Connection
        In no transaction.
    what : str
        :data:`OPEN` or :data:`ADDING`.
    wait_s : float
        How long to wait for another holder.
    shared : bool
        Whether others may share it.
    """
    mode = "_shared" if shared else ""
    connection.execute(f"SET lock_timeout = {_milliseconds(wait_s)}")
    try:
        connection.execute(f"SELECT pg_advisory_lock{mode}({key(schema, what)})")
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def release(connection: psycopg.Connection[Any], schema: str, what: str) -> None:
    """Release a lock that was not shared."""
    connection.execute(f"SELECT pg_advisory_unlock({key(schema, what)})")


def holder_of(connection: psycopg.Connection[Any], schema: str, what: str) -> str:
    """Return who holds a lock, such as ``process 4711 on archive (adding photos since 14:02:03)``; empty if nobody."""
    one = key(schema, what) & (1 << 64) - 1
    row = connection.execute(_HOLDERS, (one >> 32, one & (1 << 32) - 1)).fetchone()
    return holder(row[0]) if row and row[0] else ""


def _milliseconds(wait_s: float) -> int:
    return max(1, round(1000 * wait_s))  # 0 would be forever


_BYTES = 63  # the server cuts off what is longer
_PROGRAM = "twinlens"


def name(purpose: str) -> str:
    """Return the name of a connection: program, process, host, since when and what for.

    Parameters
    ----------
    purpose : str
        In words that complete "process 4711 is ...".

    Examples
    --------
    >>> name("adding photos").startswith(f"twinlens {os.getpid()} ")
    True
    >>> holder("twinlens 4711 archive 14:02:03 adding photos")
    'process 4711 on archive (adding photos since 14:02:03)'
    """
    before, after = f"{_PROGRAM} {os.getpid()} ", f" {time.strftime('%H:%M:%S')} {purpose}"
    host = "".join(socket.gethostname().encode("ascii", "replace").decode().split()) or "?"
    return f"{before}{host[: max(1, _BYTES - len(before) - len(after))]}{after}"[:_BYTES]


def holder(name: str) -> str:
    """Return who has a connection of a name, in the same words as a lock file; other programs by the name alone."""
    parts = name.split(" ", 4)
    if len(parts) < 5 or parts[0] != _PROGRAM:
        return name
    _, process, host, since, purpose = parts
    return f"process {process} on {host} ({purpose} since {since})"
