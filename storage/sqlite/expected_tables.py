"""The tables that a library of the newest revision has, to tell a damaged schema from a fault of the program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from sqlalchemy import create_engine

from storage.database.schema import REVISIONS, metadata
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access, connect

_TABLES = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
_WAIT_S = 5.0


def tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what declares each table and index, by name, without what makes no difference."""
    # A table that was given its name later has it in quotes.
    return {name: "".join((sql or "").split()).replace('"', "") for name, sql in connection.execute(_TABLES)}


def differing(connection: sqlite3.Connection) -> list[str]:
    """Name the tables and indexes that are not as the newest revision has them, or are lacking."""
    expected, found = _expected(), tables(connection)
    return sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))


def has_other_tables(path: Path) -> bool:
    """Return whether a library that counts as of the newest revision has other tables: then its schema is damaged."""
    try:
        with closing(connect(path, Access.READ, _WAIT_S)) as connection:
            if not differing(connection):
                return False
            try:
                revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            except sqlite3.OperationalError:
                return True
            return revision is None or revision[0] == REVISIONS[-1]
    except sqlite3.Error as error:  # not even the list of its tables can be read
        return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR


def contradicts_itself(path: Path) -> bool:
    """Return whether the indexes and references of a library do not agree with its tables."""
    try:
        with closing(connect(path, Access.READ, _WAIT_S)) as connection:
            whole = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            return not whole or connection.execute("PRAGMA foreign_key_check").fetchone() is not None
    except sqlite3.Error:
        return False


@cache
def _expected() -> dict[str, str]:
    made = create_engine("sqlite://")
    try:
        with made.begin() as connection:
            metadata.create_all(connection)
            return tables(driver(connection))
    finally:
        made.dispose()
