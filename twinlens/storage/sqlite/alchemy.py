"""SQLAlchemy's connection to a SQLite file, on a driver's connection whose transactions begin and end elsewhere."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy import Connection, FromClause, StaticPool, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from twinlens.storage.database.dialect import OPTION, Dialect

_ALREADY_WRITTEN = LRUCache[Any, Any](1_000)
"""Statements by what they say, of all files: to write one takes longer than to run it."""


class _Compiler(SQLiteCompiler):
    """Writes what ``Select.with_hint`` says behind the table: ``INDEXED BY ...`` or ``NOT INDEXED``."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


class SqliteStatements(SQLiteDialect_pysqlite):
    """SQLAlchemy's compiler of statements for SQLite; all are equal, so that its cache serves all."""

    statement_compiler = _Compiler
    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SqliteStatements)

    def __hash__(self) -> int:
        return hash(SqliteStatements)

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Do nothing: the transaction is not SQLAlchemy's."""

    do_commit = do_rollback


registry.register("sqlite.twinlens", __name__, SqliteStatements.__name__)


def connection_of(driver: sqlite3.Connection, dialect: Dialect) -> Connection:
    """Return SQLAlchemy's connection on that of the driver, which has this dialect."""
    engine = create_engine("sqlite+twinlens://", creator=lambda: driver, poolclass=StaticPool)
    options = {"compiled_cache": _ALREADY_WRITTEN, OPTION: lambda _: dialect}
    return engine.connect().execution_options(**options)


def driver(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
