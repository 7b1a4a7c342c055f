"""A library: opened with care, read by many and written by one at a time, wherever it lies.

::

    with Store.open(address, create=True) as store:
        with store.writing("adding photos") as w:      # one batch = one transaction
            ids = w.photographs.register(volume_id, folder_id, files)
        with store.reading() as r:                          # one moment of the library
            rows = r.photographs.by_id(ids)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import select

from core.message import Message
from storage.database.address import Address
from storage.database.place import WAIT_S, Place
from storage.database.schema import library
from storage.integrity.checksums import DamagedRowError, named
from storage.library.places import open_place
from storage.library.transaction import Transaction


class Store:
    """An open library; safe to use from several threads. Made by :meth:`open`.

    Attributes
    ----------
    place : Place
        Where it lies.
    id : str
        Of this library; its backups have the same.
    wait_s : float
        How long to wait for another program.
    """

    def __init__(self, place: Place, wait_s: float) -> None:
        self.place = place
        self.wait_s = wait_s
        self._writing_thread: int | None = None
        self._adding_thread: int | None = None
        with self.reading() as moment:
            known = moment.connection.execute(select(library.c.value).where(library.c.name == "id")).scalar()
            if known is None:
                raise DamagedRowError(Message("{row}, which is missing", row=named(library, {"name": "id"})))
        self.id: str = known

    @classmethod
    def open(cls, address: Address | Path | str, create: bool = False, wait_s: float = WAIT_S) -> Self:
        """Open a library.

        One of an older version is brought up to date first. Where it cannot be written to, it is opened for reading.

        Parameters
        ----------
        address : Address, Path or str
            A file, or the URL of a server.
        create : bool
            Whether to make a new library where there is none.
        wait_s : float
            How long to wait for another program, here and later.

        Raises
        ------
        TwinlensError
            If it is missing, locked, damaged, of another program, of a newer Twinlens, or cannot be reached or made.
        """
        place = open_place(Address.of(address), create, wait_s)
        try:
            return cls(place, wait_s)
        except BaseException:
            place.close()
            raise

    @property
    def address(self) -> Address:
        """The address of the library."""
        return self.place.address

    @property
    def writable(self) -> bool:
        """Whether the library can be written to."""
        return self.place.writable

    def close(self) -> None:
        """Close the library."""
        self.place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """See the library as it is at this moment; writers go on meanwhile."""
        with self.place.reading() as connection:
            yield Transaction(connection, reads=True)

    @contextmanager
    def writing(self, purpose: str = "writing", wait_s: float | None = None) -> Iterator[Transaction]:
        """Write one batch: all of it, or nothing when the block raises.

        Parameters
        ----------
        purpose : str
            What for, as another program is told that has to wait.
        wait_s : float or None
            How long to wait for another writer; None for as long as at opening.

        Raises
        ------
        TwinlensError
            If another writes for longer than that, the library can only be read, or its disk is full or gone.
        """
        if not self.writable:
            raise self.place.read_only()
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("a thread that is writing begins to write: it would wait for itself")
        with self.place.writing(purpose, self.wait_s if wait_s is None else wait_s) as connection:
            self._writing_thread = threading.get_ident()
            try:
                yield Transaction(connection)
            finally:
                self._writing_thread = None

    @contextmanager
    def adding(self, purpose: str = "adding photos", wait_s: float = 0.0) -> Iterator[None]:
        """Be the only one, of all programs, that adds photographs to this library; batches of others still pass.

        A thread that adds already goes on as it is.

        Raises
        ------
        TwinlensError
            If another is at it, or the library can only be read.
        """
        if not self.writable:
            raise self.place.read_only()
        if self._adding_thread == threading.get_ident():
            yield
            return
        with self.place.adding(purpose, wait_s):
            self._adding_thread = threading.get_ident()
            try:
                yield
            finally:
                self._adding_thread = None

    def adding_by(self) -> str | None:
        """Return who adds photographs now, in this program or another, such as ``process 4711 (adding photos ...)``.

        Empty if that is unknown; None if nobody does, or where that cannot be seen.
        """
        return self.place.adding_by()

    def compact(self) -> None:
        """Return the space of removed rows to the disk, where that is worth it.

        Raises
        ------
        TwinlensError
            If another writes.
        """
        if self.writable:
            self.place.compact()

    def data_version(self) -> int:
        """Return a number that changes whenever a transaction, of this program or another, has changed the library."""
        return self.place.data_version()
