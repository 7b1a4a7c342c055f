"""SQLAlchemy's connection to a SQLite file, on a driver's connection whose transactions begin and end elsewhere."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy import Connection, StaticPool, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_ALREADY_WRITTEN = LRUCache[Any, Any](1_000)
"""Statements by what they say, of all files: to write one takes longer than to run it."""


class SqliteStatements(SQLiteDialect_pysqlite):
    """SQLAlchemy's compiler of statements for SQLite; all are equal, so that its cache serves all."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SqliteStatements)

    def __hash__(self) -> int:
        return hash(SqliteStatements)

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Do nothing: the transaction is not SQLAlchemy's."""

    do_commit = do_rollback


registry.register("sqlite.twinlens", __name__, SqliteStatements.__name__)


def connection_of(driver: sqlite3.Connection) -> Connection:
    """Return SQLAlchemy's connection on that of the driver."""
    engine = create_engine("sqlite+twinlens://", creator=lambda: driver, poolclass=StaticPool)
    return engine.connect().execution_options(compiled_cache=_ALREADY_WRITTEN)


def driver(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
