"""The place of a library: one SQLite file, or one schema of a PostgreSQL server.

A place opens the library with care, hands out connections in transactions, keeps programs apart by locks, and says what
goes wrong in sentences. :class:`storage.library.store.Store` knows nothing else of where its library lies.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import Connection, Table

from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress
from storage.database.address import Address

Rows = Generator[tuple[Any, ...]]

WAIT_S = 30.0
"""How long one program waits for another, unless said otherwise."""


@dataclass(frozen=True)
class DiskSpace:
    """Bytes that a library takes where it lies.

    Attributes
    ----------
    total : int
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
    """What a database says of its own soundness.

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

    Whatever goes wrong inside the blocks and calls below is raised as :class:`core.errors.TwinlensError` where the
    user or the machine can mend it.
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
        """Return what tells the opened library from another that takes its place; None where there is none any more."""

    def thumbnails(self) -> SharedThumbnails | None:
        """Return the thumbnails in the library itself; None where each machine has its own."""

    def close(self) -> None:
        """Let go of all connections and locks."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Connect to one moment of the library, which nothing written later changes; writing is refused."""

    def writing(self, purpose: str, wait_s: float) -> AbstractContextManager[Connection]:
        """Connect as the only writer, in one transaction that is kept whole, or not at all when the block raises.

        Parameters
        ----------
        purpose : str
            What for, as another program is told that has to wait.
        wait_s : float
            How long to wait for another writer.
        """

    def adding(self, purpose: str, wait_s: float) -> AbstractContextManager[None]:
        """Be the only one, of all programs, that adds photographs; transactions of others still pass."""

    def adding_by(self) -> str | None:
        """Return who adds photographs now, empty if unknown; None if nobody, or where that cannot be seen."""

    def data_version(self) -> int:
        """Return a number that changes whenever a transaction has changed the library."""

    def compact(self) -> None:
        """Return the space of removed rows to the disk, where that is worth it."""

    def space(self, connection: Connection) -> DiskSpace:
        """Measure the bytes that the library takes."""

    def checking(self, connection: Connection, progress: Progress) -> AbstractContextManager[Reports]:
        """Have the database check itself, and read sparingly inside the block: every row is read there."""

    def rows(self, connection: Connection, table: Table) -> Rows:
        """Yield all rows of a table, in the order of its key, with all columns; few of them are in memory at a time.

        Close what is left half read: until then the connection does nothing else.
        """

    def read_only(self) -> TwinlensError:
        """Return the error that the library can only be read."""
