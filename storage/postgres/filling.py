"""A library on a server that is filled from elsewhere, in one transaction: nobody sees it before it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import Connection, Float, LargeBinary, Table, delete, insert

from core.errors import TwinlensError
from core.message import Message
from storage.database import dialect, library_errors
from storage.database.address import Address
from storage.database.column_types import clean, is_text
from storage.database.filling import Values
from storage.database.library_facts import CHANGES
from storage.database.schema import REVISIONS, library
from storage.indexes.indexes import Indexes
from storage.integrity.checksums import TABLES, facts
from storage.postgres import connections, failures, locks
from storage.postgres.driver import driver_of
from storage.postgres.library_schema import bring_up_to_date, fill, look


class ServerFilling:
    """A schema that is being filled; a :class:`storage.database.filling.Filling`."""

    def __init__(self, connection: Connection, new: bool) -> None:
        self._connection = connection
        self._new = new

    def start(self, known: dict[str, str]) -> None:
        """Make the tables, or remove what is in them; whoever reads goes on to see it until the end."""
        if self._new:
            fill(self._connection, known)
            return
        for index in Indexes(self._connection).all():
            dialect.of(self._connection).code_tables.drop(index.id)
        for table in reversed(TABLES):
            kept = [table.c.name != CHANGES] if table is library else []
            self._connection.execute(delete(table).where(*kept))
        rows = [{"name": name, "value": value} for name, value in known.items()]
        self._connection.execute(insert(library), rows)

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Stream rows in as binary values; checksums are the server's business."""
        columns = facts(table)
        names = ", ".join(f'"{column.name}"' for column in columns)
        texts = [place for place, column in enumerate(columns) if is_text(column.type)]
        statement = f'COPY "{table.name}" ({names}) FROM STDIN (FORMAT BINARY)'
        with psycopg.Cursor(driver_of(self._connection)) as cursor, cursor.copy(statement) as copied:
            copied.set_types(types_of(table))
            for row in rows:
                values = list(row)
                for place in texts:
                    values[place] = clean(values[place])
                copied.write_row(values)

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""
        dialect.of(self._connection).set_given(table, last)


def types_of(table: Table) -> list[str]:
    """Return the server's types of all columns of a table but the checksum."""

    def name(kind: object) -> str:
        if is_text(kind):
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
    address : Address
    purpose : str
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
        if not locks.acquire(held, found.schema, locks.ADDING, wait_s):
            raise library_errors.being_added_to(address.shown, locks.holder_of(held, found.schema, locks.ADDING))
        if replace and found.revision not in {"", REVISIONS[-1]}:
            bring_up_to_date(address, found, held, wait_s)
        engine = connections.engine(lambda: connections.connect(address, purpose), connections.CHANGED)
        try:
            with connections.only_writer(engine, address, found.schema, purpose, wait_s) as connection:
                found = look(driver_of(connection), address)
                if found.revision and not replace:
                    raise TwinlensError(
                        Message("{target} exists already.", target=address.shown),
                        Message("Name another database for the copy, or an empty schema."),
                    )
                yield ServerFilling(connection, new=not found.revision)
                # The server's plans go by what it knows of the tables; by itself it would look some minutes later.
                names = ", ".join(f'"{table.name}"' for table in TABLES)
                connection.exec_driver_sql(f"ANALYZE {names}")
        finally:
            engine.dispose()
