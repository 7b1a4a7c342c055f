"""Advisory locks of a library on a server; the server frees them when their holder's connection ends, in whatever way.

A key is a hash of the schema's name, so that libraries in one database do not meet; the server keeps those of different
databases apart.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import psycopg
from psycopg.sql import Literal

from storage.postgres.names import holder, name

OPEN, WRITING, ADDING = "open", "writing", "adding"

_HOLDERS = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> pg_backend_pid()
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = %s AND objid::bigint = %s
"""


def key(schema: str, what: str) -> int:
    """Return the number, of 64 bits, under which the server knows a lock."""
    return int.from_bytes(blake2b(f"twinlens {what} {schema}".encode(), digest_size=8).digest(), "big", signed=True)


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
    schema : str
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
    """Let a lock go that was not shared."""
    connection.execute(f"SELECT pg_advisory_unlock({key(schema, what)})")


def holder_of(connection: psycopg.Connection[Any], schema: str, what: str) -> str:
    """Return who holds a lock, such as ``process 4711 on archive (adding photos since 14:02:03)``; empty if nobody."""
    one = key(schema, what) & (1 << 64) - 1
    row = connection.execute(_HOLDERS, (one >> 32, one & (1 << 32) - 1)).fetchone()
    return holder(row[0]) if row and row[0] else ""


def _milliseconds(wait_s: float) -> int:
    return max(1, round(1000 * wait_s))  # 0 would be forever
