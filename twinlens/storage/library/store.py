"""A library wherever it lies: opened with care, read by many and written by one at a time; and its size.

Its address chooses the kind of place; a server's driver is imported only for one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.storage.database.address import Address
from twinlens.storage.database.dialect import Dialect, runs
from twinlens.storage.database.place import WAIT_S, Filling, Place
from twinlens.storage.integrity.checksums import DamagedRowError, from_json, named, sound
from twinlens.storage.sqlite.place import SqlitePlace

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from twinlens.storage.comparisons import Comparisons
    from twinlens.storage.disposals import Disposals
    from twinlens.storage.indexes.index_codes import IndexCodes
    from twinlens.storage.indexes.indexes import Indexes
    from twinlens.storage.indexes.models import Metrics, Models
    from twinlens.storage.lab import Lab
    from twinlens.storage.marks import Marks
    from twinlens.storage.photographs.albums import Albums
    from twinlens.storage.photographs.descriptors import Descriptors, KeptKeypoints
    from twinlens.storage.photographs.notes import CameraNotes, OwnNotes, SidecarNotes
    from twinlens.storage.photographs.photograph_listing import PhotographListing
    from twinlens.storage.photographs.photographs import Photographs
    from twinlens.storage.photographs.problems import PassedOver, Problems
    from twinlens.storage.photographs.volumes import Folders, Volumes


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
            known = moment.dialect.value("SELECT value FROM library WHERE name = 'id'")
            if known is None:
                raise DamagedRowError(Message("{row}, which is missing", row=named("library", {"name": "id"})))
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
        """Read the library as it is at this moment; writers go on meanwhile."""
        with self.place.reading() as dialect:
            yield Transaction(dialect, reads=True)

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
        with self.place.writing(purpose, self.wait_s if wait_s is None else wait_s) as dialect:
            self._writing_thread = threading.get_ident()
            try:
                yield Transaction(dialect)
            finally:
                self._writing_thread = None

    @contextmanager
    def adding(self, purpose: str = "adding photos", wait_s: float = 0.0) -> Iterator[None]:
        """Hold the lock of the only program that adds photographs to this library; batches of others still pass.

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


def open_place(address: Address, create: bool, wait_s: float) -> Place:
    """Open the place of a library.

    Parameters
    ----------
    create : bool
        Whether to make a new library where there is none.
    wait_s : float
        How long to wait for another program, here and later.
    """
    if address.is_file:
        return SqlitePlace.open(address.path, create, wait_s)
    with _driver(address):
        from twinlens.storage.postgres.place import PostgresPlace
    return PostgresPlace.open(address, create, wait_s)


def filled_server(
    address: Address, purpose: str, wait_s: float, replace: bool = False
) -> AbstractContextManager[Filling]:
    """Return a library on a server to be filled; see :func:`twinlens.storage.postgres.library_schema.filled`."""
    with _driver(address):
        from twinlens.storage.postgres.library_schema import filled
    return filled(address, purpose, wait_s, replace)


def server_holds_library(address: Address) -> bool:
    """Return whether there is a library on a server."""
    with _driver(address):
        from twinlens.storage.postgres.library_schema import holds_library
    return holds_library(address)


@contextmanager
def _driver(address: Address) -> Iterator[None]:
    """Name the missing package where the driver of a server cannot be imported inside the block."""
    try:
        yield
    except ImportError as error:
        raise TwinlensError(
            "The library {path} lies on a server, for which the driver is missing.",
            "Install it: pip install 'psycopg[binary]'",
            path=address.shown,
        ) from error


class Transaction:
    """The parts of a library within one transaction, each made, and its module imported, when it is first asked for.

    Made by :meth:`twinlens.storage.library.store.Store.reading` and
    :meth:`twinlens.storage.library.store.Store.writing`; its parts, and what they stream, are good until the end of
    that block.

    Parameters
    ----------
    reads : bool
        Whether it only reads, so that what was read once stays as it is.
    """

    def __init__(self, dialect: Dialect, reads: bool = False) -> None:
        self.dialect = dialect
        self._reads = reads

    @property
    def connection(self) -> Connection:
        """SQLAlchemy's connection: for what checks, mends and upgrades any table."""
        return self.dialect.connection

    @cached_property
    def volumes(self) -> Volumes:
        """The disks and shares."""
        from twinlens.storage.photographs.volumes import Volumes

        return Volumes(self.dialect)

    @cached_property
    def folders(self) -> Folders:
        """The folders that were added."""
        from twinlens.storage.photographs.volumes import Folders

        return Folders(self.dialect)

    @cached_property
    def photographs(self) -> Photographs:
        """The photographs."""
        from twinlens.storage.photographs.photographs import Photographs

        return Photographs(self.dialect)

    @cached_property
    def listing(self) -> PhotographListing:
        """The photographs as they are listed."""
        from twinlens.storage.photographs.photograph_listing import PhotographListing

        return PhotographListing(self.dialect)

    @cached_property
    def camera_notes(self) -> CameraNotes:
        """Notes of cameras about contents, beside date and model."""
        from twinlens.storage.photographs.notes import CameraNotes

        return CameraNotes(self.dialect)

    @cached_property
    def own_notes(self) -> OwnNotes:
        """Notes of a person about contents."""
        from twinlens.storage.photographs.notes import OwnNotes

        return OwnNotes(self.dialect)

    @cached_property
    def sidecar_notes(self) -> SidecarNotes:
        """Notes from files beside photographs."""
        from twinlens.storage.photographs.notes import SidecarNotes

        return SidecarNotes(self.dialect)

    @cached_property
    def albums(self) -> Albums:
        """The albums."""
        from twinlens.storage.photographs.albums import Albums

        return Albums(self.dialect)

    @cached_property
    def problems(self) -> Problems:
        """The files that could not be read."""
        from twinlens.storage.photographs.problems import Problems

        return Problems(self.dialect)

    @cached_property
    def passed_over(self) -> PassedOver:
        """The files that were passed over."""
        from twinlens.storage.photographs.problems import PassedOver

        return PassedOver(self.dialect)

    @cached_property
    def descriptors(self) -> Descriptors:
        """The vectors."""
        from twinlens.storage.photographs.descriptors import Descriptors

        return Descriptors(self.dialect)

    @cached_property
    def keypoints(self) -> KeptKeypoints:
        """The keypoints."""
        from twinlens.storage.photographs.descriptors import KeptKeypoints

        return KeptKeypoints(self.dialect)

    @cached_property
    def models(self) -> Models:
        """Fitted models."""
        from twinlens.storage.indexes.models import Models

        return Models(self.dialect)

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics."""
        from twinlens.storage.indexes.models import Metrics

        return Metrics(self.dialect)

    @cached_property
    def marks(self) -> Marks:
        """The marks."""
        from twinlens.storage.marks import Marks

        return Marks(self.dialect)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Comparisons of duplicates."""
        from twinlens.storage.comparisons import Comparisons

        return Comparisons(self.dialect)

    @cached_property
    def disposals(self) -> Disposals:
        """The log of what was moved away."""
        from twinlens.storage.disposals import Disposals

        return Disposals(self.dialect)

    @cached_property
    def lab(self) -> Lab:
        """Measurements of the Lab."""
        from twinlens.storage.lab import Lab

        return Lab(self.dialect)

    @cached_property
    def indexes(self) -> Indexes:
        """The indexes."""
        from twinlens.storage.indexes.indexes import Indexes

        return Indexes(self.dialect, self._reads)

    @cached_property
    def codes(self) -> IndexCodes:
        """The codes."""
        from twinlens.storage.indexes.index_codes import IndexCodes

        return IndexCodes(self.dialect)

    @cached_property
    def settings(self) -> LibrarySettings:
        """The settings of the library."""
        return LibrarySettings(self.dialect)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove photographs with their descriptors, keypoints, codes and problems; their ids are never given again."""
        if len(ids):
            self.codes.remove(ids)
            self.descriptors.remove(ids)
            self.dialect.many("DELETE FROM photograph WHERE id BETWEEN ? AND ?", runs(ids))

    def forget(self, volume_id: int, under: bytes) -> int:
        """Remove all data of a folder, at any depth.

        Returns
        -------
        int
            How many photographs that were.
        """
        from twinlens.storage.photographs.photograph_listing import Filter

        ids = self.photographs.matching(Filter(folders=((volume_id, under),)))
        self.remove(ids)
        self.problems.remove_in(volume_id, under)
        self.passed_over.remove_in(volume_id, under)
        self.folders.remove(volume_id, under)
        self.camera_notes.forget_absent()
        return len(ids)


class LibrarySettings:
    """The settings that go with a library, not with a machine."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def get(self, name: str, default: Any = None) -> Any:
        """Return a setting's JSON value."""
        rows = self._dialect.records("SELECT * FROM setting WHERE name = ?", (name,))
        return _value(rows[0]) if rows else default

    def put(self, name: str, value: Any) -> None:
        """Keep a setting; the value is anything that JSON can hold."""
        self._dialect.put("setting", ["name"], [{"name": name, "value": json.dumps(value, sort_keys=True)}])

    def remove(self, name: str) -> None:
        """Remove a setting, so that its default holds."""
        self._dialect.execute("DELETE FROM setting WHERE name = ?", (name,))

    def all(self) -> dict[str, Any]:
        """Return every stored setting."""
        return {row["name"]: _value(row) for row in self._dialect.records("SELECT * FROM setting ORDER BY name")}


def _value(row: dict[str, Any]) -> Any:
    """Return the JSON value of a setting; a damaged one is no setting to go by."""
    return from_json(sound("setting", row)["value"], "setting", row)
