"""The place of a library: one SQLite file, or one schema of a PostgreSQL server.

A place opens transactions, holds locks, and tells changes and sizes. A library is filled from another one in any other
place, table by table, by the same protocol.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.database.values import CHANGES
from twinlens.storage.integrity.checksums import checksum, named

if TYPE_CHECKING:
    from sqlalchemy import Table

    from twinlens.storage.database.dialect import Dialect

Rows = Generator[tuple[Any, ...]]
WAIT_S = 30.0
"""Seconds that one program waits for another by default."""


@dataclass(frozen=True)
class DiskSpace:
    """Bytes that a library takes where it lies.

    Attributes
    ----------
    free : int
        Of these, what is used next; :meth:`Place.compact` gives it back.
    thumbnails : int
        Of these, what no copy has.
    """

    total: int
    free: int
    thumbnails: int = 0

    @property
    def copied(self) -> int:
        """Bytes that a copy in a file takes, nearly."""
        return self.total - self.free - self.thumbnails


@dataclass(frozen=True)
class Reports:
    """The report of a database on its own soundness.

    Attributes
    ----------
    damage : tuple of Message
        Only a backup helps.
    stale_index : str
        A report that an index of a table is not in step with it, which a repair mends; empty where none is.
    astray : dict of str to int
        Rows that refer to something that is not there, by table.
    values : tuple of Message
        What is wrong with single values, which the checks of rows tell more exactly.
    """

    damage: tuple[Message, ...] = ()
    stale_index: str = ""
    astray: dict[str, int] = field(default_factory=dict)
    values: tuple[Message, ...] = ()


class SharedThumbnails(Protocol):
    """Thumbnails in the library itself, behind the cache of each machine; nothing of it fails."""

    def put(self, thumbnails: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep JPEGs under content hashes: pairs of (content hash, JPEG)."""

    def get_many(self, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the JPEGs that are there, by content hash."""

    def close(self) -> None:
        """Close what is open; using the object again opens it again."""


class Place(Protocol):
    """An opened place; safe to use from several threads.

    Whatever goes wrong inside the blocks and calls below is raised as :class:`twinlens.core.errors.TwinlensError` where
    the user or the machine can mend it.
    """

    @property
    def address(self) -> Address:
        """The address of the library."""

    @property
    def writable(self) -> bool:
        """Whether the library can be written to."""

    @property
    def login(self) -> str:
        """The name under which a server knows the person; empty for a file."""

    def identity(self) -> tuple[int, ...] | None:
        """Return the identity of the opened library, which another in its place has not; None where it is gone."""

    def thumbnails(self) -> SharedThumbnails | None:
        """Return the thumbnails in the library itself; None where each machine has its own."""

    def close(self) -> None:
        """Close all connections and release all locks."""

    def reading(self) -> AbstractContextManager[Dialect]:
        """Read one moment of the library, which nothing written later changes; writing is refused."""

    def writing(self, purpose: str, wait_s: float) -> AbstractContextManager[Dialect]:
        """Write as the only one, in one transaction that is kept whole, or not at all when the block raises.

        Parameters
        ----------
        purpose : str
            What for, as another program is told that has to wait.
        wait_s : float
            How long to wait for another writer.
        """

    def adding(self, purpose: str, wait_s: float) -> AbstractContextManager[None]:
        """Hold the lock of the only program that adds photographs; transactions of others still pass."""

    def adding_by(self) -> str | None:
        """Return who adds photographs now, empty if unknown; None if nobody does, or where that cannot be seen."""

    def data_version(self) -> int:
        """Return a number that changes whenever a transaction has changed the library."""

    def compact(self) -> None:
        """Return the space of removed rows to the disk, where that is worth it."""

    def space(self, dialect: Dialect) -> DiskSpace:
        """Measure the bytes that the library takes."""

    def checking(self, dialect: Dialect, progress: Progress) -> AbstractContextManager[Reports]:
        """Run the check of the database itself, and read all rows with little memory inside the block."""

    def rows(self, dialect: Dialect, table: Table) -> Rows:
        """Yield all rows of a table, in the order of its key, with all columns; few of them are in memory at a time.

        Close what is left half read: until then the connection does nothing else.
        """

    def read_only(self) -> TwinlensError:
        """Return the error that the library can only be read."""


Values = tuple[Any, ...]
_AT_ONCE = 1000  # rows between two reports
_MUCH = 8 << 20  # bytes between them


class Filling(Protocol):
    """A library that is being filled: it is there when the block in which it is made ends, and not before."""

    def start(self, known: dict[str, str]) -> None:
        """Make the library empty, with these facts of the whole."""

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Put in rows: the values of all columns but the checksum, in the order of the table."""

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""


def pour(source: Place, made: AbstractContextManager[Filling], progress: Progress, text: Message) -> None:
    """Copy everything of a library, as it is at this moment, into one that is being filled.

    Tables come in an order in which nothing refers to what is not there yet, their rows in that of their keys.

    Parameters
    ----------
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
    from twinlens.storage.database.schema import GIVEN, TABLES, library

    others = [table for table in TABLES if table is not library]
    with source.reading() as moment:
        counts = {table: int(moment.value(f'SELECT count(*) FROM "{table.name}"')) for table in others}
        with closing(_rows(source, moment, library)) as rows:
            known = {name: value for name, value in rows if name != CHANGES}
        done, total = 0, sum(counts.values())

        def with_progress(rows: Rows, before: int) -> Rows:
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
            for table in others:
                with closing(_rows(source, moment, table)) as rows, closing(with_progress(rows, done)) as some:
                    filling.put(table, some)
                done += counts[table]
            for table in GIVEN:
                filling.set_given(table, moment.last_given(table.name))


def _rows(source: Place, moment: Dialect, table: Table) -> Rows:
    """Yield the rows of a table without their checksums, which they have to fit."""
    with closing(source.rows(moment, table)) as rows:
        for *values, stored in rows:
            damaged = not _is_text(values) if stored is None else stored != checksum(*values)
            if damaged:
                row = named(table.name, dict(zip(table.columns.keys(), values, strict=False)))
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
