"""A library file that is filled from elsewhere: it gets its name when it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Table

from storage.database import dialect
from storage.database.filling import Values
from storage.database.schema import PAGE_SIZE
from storage.integrity.checksums import checksum
from storage.sqlite import library_file
from storage.sqlite.complete_file import complete
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access, connect, transaction
from storage.sqlite.journal import keep_beside


class FileFilling:
    """A file that is being filled; a :class:`storage.database.filling.Filling`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def start(self, known: dict[str, str]) -> None:
        """Make the tables."""
        library_file.fill(self._connection, known)

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Put in rows with their checksums."""
        marks = ", ".join("?" * len(table.columns))
        driver(self._connection).executemany(
            f"INSERT INTO {table.name} VALUES ({marks})",  # noqa: S608
            ((*row, checksum(*row)) for row in rows),
        )

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""
        dialect.of(self._connection).set_given(table, last)


@contextmanager
def new_file(target: Path, wait_s: float, replace: bool = False) -> Iterator[FileFilling]:
    """Make a library file; one that has its name is replaced, if that is wanted, when the new one is complete.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    with complete(target, "making a copy", replace) as part:
        with closing(connect(part, Access.CREATE, wait_s)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("VACUUM")  # makes the file, with pages of this size
        with transaction(part, wait_s, ("journal_mode = OFF",)) as begun:  # what fails is removed
            yield FileFilling(begun)
        keep_beside(part, wait_s)
