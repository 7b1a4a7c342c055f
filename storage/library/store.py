"""A library: one SQLite file, opened with care, read by many and written by one at a time.

::

    with Store.open(path, create=True) as store:
        with store.writing("adding photos") as w:      # one batch = one transaction
            ids = w.photographs.register(volume_id, folder_id, files)
        with store.reading() as r:                          # one moment of the library
            rows = r.photographs.by_id(ids)
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import select

from core.errors import Remedy, TwinlensError
from core.message import Message
from storage.database import database_failures
from storage.database.database_failures import shown
from storage.database.engine import Access, connect, engine
from storage.database.journal import has_journal
from storage.database.schema import REVISIONS, library
from storage.integrity.checksums import DamagedRowError, keep_in_step, named
from storage.library import library_file, unfinished_copies, upgrading
from storage.library.file_lock import FileLock
from storage.library.transaction import Transaction

WAIT_S = 30.0


class Store:
    """An open library; safe to use from several threads. Made by :meth:`open`.

    Attributes
    ----------
    path : Path
    id : str
        Of this library; its backups have the same.
    writable : bool
        False where the file or its folder is write-protected.
    """

    def __init__(self, path: Path, access: Access, wait_s: float, presence: FileLock) -> None:
        self.path = path
        self.writable = access is Access.WRITE
        self.access = access
        self.wait_s = wait_s
        self._presence = presence
        self._write_lock = FileLock(beside(path, "writing"))
        self._add_lock = FileLock(beside(path, "adding"))
        self._writing_thread: int | None = None
        # A reader that writes is a fault of the program: SQLite refuses it.
        self._readers = engine(path, access, wait_s, pragmas=("query_only = ON",))
        # A writer's cache holds the indexes of a large folder that is registered in one transaction.
        self._writers = engine(path, access, wait_s, "BEGIN IMMEDIATE", ("cache_size = -16384",), keep_in_step)
        self._watch = connect(path, access, wait_s)
        self._watch_lock = threading.Lock()
        self.id = ""

    @classmethod
    def open(cls, path: Path, create: bool = False, wait_s: float = WAIT_S) -> Self:
        """Open a library.

        One of an older version is brought up to date first, and a copy of what it was is kept beside it. After a crash
        the tables that cannot be made again are checked. In a write-protected place it is opened for reading.

        Parameters
        ----------
        path : Path
        create : bool
            Whether to make a new library where there is none.
        wait_s : float
            How long to wait for another program, here and later.

        Raises
        ------
        TwinlensError
            If it is missing, locked, damaged, of another program, of a newer Twinlens, or cannot be made.
        """
        path = Path(os.path.realpath(path))  # locks lie beside the file itself, not beside links to it
        crashed = has_journal(path)
        found = library_file.look(path, wait_s)
        if found is None or not found.revision:
            if not create:
                raise _missing(path, exists=found is not None)
            library_file.create(path, wait_s)
            found = library_file.look(path, wait_s)
            assert found is not None
        presence = FileLock(beside(path, "open"))
        alone = presence.acquire("opening the library")
        if not alone and not presence.acquire("", wait_s, shared=True):
            raise database_failures.busy(path, presence.holder())
        try:
            if found.revision != REVISIONS[-1]:
                _bring_up_to_date(path, found, alone, wait_s)
            if found.access is Access.WRITE:
                unfinished_copies.clear(path.parent)
            if crashed and alone:
                library_file.check_precious(path, found.access, wait_s)
            presence.share()
        except BaseException:
            presence.release()
            raise
        store = cls(path, found.access, wait_s, presence)
        try:
            with store.reading() as moment:
                wanted = select(library.c.value).where(library.c.name == "id")
                known = moment.connection.execute(wanted).scalar()
                if known is None:
                    raise DamagedRowError(Message("{row}, which is missing", row=named(library, {"name": "id"})))
                store.id = known
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the library; the last program to do so tidies its journal away."""
        self._readers.dispose()
        self._watch.close()
        self._writers.dispose()
        self._presence.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """See the library as it is at this moment; writers go on meanwhile."""
        with database_failures.in_sentences(self.path), self._readers.connect() as connection:
            connection.begin()
            connection.exec_driver_sql("SELECT 1 FROM library").close()  # the moment is that of the first look
            try:
                yield Transaction(connection)  # rolled back at the end: a commit would fail where the file is damaged
            except BaseException:
                # A statement that was left half read, and lives on in the traceback, would hold this moment for whoever
                # reads next.
                connection.invalidate()
                raise

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
        with (
            self.alone(purpose, wait_s),
            database_failures.in_sentences(self.path),
            self._writers.begin() as connection,
        ):
            yield Transaction(connection)

    @contextmanager
    def alone(self, purpose: str, wait_s: float | None = None) -> Iterator[None]:
        """Keep all other writers out, as :meth:`writing` does, without a transaction."""
        if not self.writable:
            raise database_failures.read_only(self.path)
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("a thread that is writing begins to write: it would wait for itself")
        if not self._write_lock.acquire(purpose, self.wait_s if wait_s is None else wait_s):
            raise database_failures.busy(self.path, self._write_lock.holder())
        self._writing_thread = threading.get_ident()
        try:
            yield
        finally:
            self._writing_thread = None
            self._write_lock.release()

    @contextmanager
    def adding(self, purpose: str = "adding photos", wait_s: float = 0.0) -> Iterator[None]:
        """Be the only one, of all programs, that adds photographs to this library; batches of others still pass.

        Raises
        ------
        TwinlensError
            If another is at it, or the library can only be read.
        """
        if not self.writable:
            raise database_failures.read_only(self.path)
        if not self._add_lock.acquire(purpose, wait_s):
            holder = self._add_lock.holder() or "another program"
            raise TwinlensError(
                Message(
                    "Photos are being added to the library {path} by {holder}.",
                    path=shown(self.path),
                    holder=holder,
                ),
                Message("Wait until that is done, or stop it: what it has added is kept."),
            )
        try:
            yield
        finally:
            self._add_lock.release()

    def compact(self) -> None:
        """Return the space of removed rows to the disk, if that is a quarter of the file or more.

        Writes the file anew; readers go on meanwhile. Where the disk has no space for that, nothing is done: the space
        inside the file is used first.

        Raises
        ------
        TwinlensError
            If another writes.
        """
        with (
            database_failures.in_sentences(self.path),
            closing(connect(self.path, self.access, self.wait_s)) as connection,
        ):
            free, pages, page_size = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("freelist_count", "page_count", "page_size")
            )
            if 4 * free < pages or shutil.disk_usage(self.path.parent).free < 2 * (pages - free) * page_size:
                return
            with self.alone("giving space back"):
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def data_version(self) -> int:
        """Return a number that changes whenever a transaction, of this program or another, has changed the library."""
        with self._watch_lock, database_failures.in_sentences(self.path):
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])


def beside(path: Path, what: str) -> Path:
    """Return the place of a library's lock file."""
    return path.with_name(f"{path.name}-{what}")


def _missing(path: Path, exists: bool) -> TwinlensError:
    return TwinlensError(
        Message("The library {path} is empty.", path=shown(path))
        if exists
        else Message("There is no library {path}.", path=shown(path)),
        Remedy("add folder"),
    )


def _bring_up_to_date(path: Path, found: library_file.Found, alone: bool, wait_s: float) -> None:
    if found.access is not Access.WRITE:
        raise TwinlensError(
            Message(
                "The library {path} of an older Twinlens cannot be brought up to date: it is write-protected.",
                path=shown(path),
            ),
            Message("Allow writing to the file and its folder, or copy it elsewhere and open the copy."),
        )
    if not alone:
        raise TwinlensError(
            Message("The library {path} is of an older Twinlens and is open in another program.", path=shown(path)),
            Message("Close that one first."),
        )
    upgrading.upgrade(path, wait_s, REVISIONS[-1])
