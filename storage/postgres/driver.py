"""The driver's connection behind one of SQLAlchemy."""

from __future__ import annotations

from typing import Any

import psycopg
from sqlalchemy import Connection

Driver = psycopg.Connection[Any]


def driver_of(connection: Connection) -> Driver:
    """Return the driver's connection."""
    found = connection.connection.driver_connection
    assert isinstance(found, psycopg.Connection)
    return found
