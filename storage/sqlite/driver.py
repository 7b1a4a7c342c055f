"""The driver's connection beneath one of SQLAlchemy."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection


def driver(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection, for large results and values that need no row objects."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
