"""Rows as they lie in a file, also those whose text is no UTF-8 any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Table

from storage.database.place import Rows


def rows(connection: sqlite3.Connection, table: Table) -> Rows:
    """Read all rows of a table one by one, in the order of its key; bytes that are no text become surrogates."""
    names, keys = (", ".join(f'"{one.name}"' for one in columns) for columns in (table.columns, table.primary_key))
    with any_text(connection):
        yield from connection.execute(f"SELECT {names} FROM {table.name} ORDER BY {keys}")  # noqa: S608


@contextmanager
def any_text(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Read text that is no UTF-8 any more, too."""
    usual = connection.text_factory
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        yield connection
    finally:
        connection.text_factory = usual
