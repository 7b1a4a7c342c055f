"""Filling a library from another one: the protocol of one that is being filled, and what is poured into it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, closing
from typing import Any, Protocol

from sqlalchemy import Connection, Table, func, select

from core.message import Message
from core.progress import Progress
from storage.database import dialect, library_errors
from storage.database.library_facts import CHANGES
from storage.database.place import Place, Rows
from storage.database.schema import library
from storage.integrity.checksums import GIVEN, TABLES, checksum, facts, named

Values = tuple[Any, ...]

_ROWS_OF = tuple(table for table in TABLES if table is not library)
_AT_ONCE = 1000  # rows between two reports
_MUCH = 8 << 20  # bytes between them


class Filling(Protocol):
    """A library that is being filled: it is there when the block in which it is made ends, and not before."""

    def start(self, known: dict[str, str]) -> None:
        """Make it empty, with these facts of the whole library."""

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Put in rows: the values of all columns but the checksum, in the order of the table."""

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""


def pour(source: Place, made: AbstractContextManager[Filling], progress: Progress, text: Message) -> None:
    """Copy everything of a library, as it is at this moment, into one that is being filled.

    Tables come in an order in which nothing refers to what is not there yet, their rows in that of their keys.

    Parameters
    ----------
    source : Place
    made : context manager
        Of the library to fill.
    progress : Progress
        May raise ``Cancelled``: then nothing is left of the copy.
    text : Message
        What it is for, in the progress.

    Raises
    ------
    TwinlensError
        If a row of the source is damaged, or one of both cannot be read or written.
    """
    with source.reading() as connection:
        counts = {
            table: int(connection.execute(select(func.count()).select_from(table)).scalar_one()) for table in _ROWS_OF
        }
        with closing(_rows(source, connection, library)) as rows:
            known = {name: value for name, value in rows if name != CHANGES}
        done, total = 0, sum(counts.values())

        def told(rows: Rows, before: int) -> Rows:
            much = 0
            for number, row in enumerate(rows):
                if much > _MUCH or not number % _AT_ONCE:
                    progress(before + number, max(1, total), text)
                    much = 0
                much += sum(len(value) for value in row if isinstance(value, bytes))
                yield row

        with made as filling:
            progress(0, max(1, total), text)
            filling.start(known)
            for table in _ROWS_OF:
                with closing(_rows(source, connection, table)) as rows, closing(told(rows, done)) as some:
                    filling.put(table, some)
                done += counts[table]
            for table in GIVEN:
                filling.set_given(table, dialect.of(connection).last_given(table))


def _rows(source: Place, connection: Connection, table: Table) -> Rows:
    """Yield the rows of a table without their checksums, which they have to fit."""
    with closing(source.rows(connection, table)) as rows:
        for *values, stored in rows:
            damaged = not _is_text(values) if stored is None else stored != checksum(*values)
            if damaged:
                names = (column.name for column in facts(table))
                row = named(table, dict(zip(names, values, strict=True)))
                raise library_errors.damaged_row(source.address.shown, row)
            yield tuple(values)


def _is_text(values: Values | list[Any]) -> bool:
    """Return whether all text of a row was read from UTF-8."""
    try:
        for value in values:
            if isinstance(value, str):
                value.encode()
    except UnicodeEncodeError:
        return False
    return True
