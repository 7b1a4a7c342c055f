"""A library in one SQLite file: opened with care, read by many and written by one at a time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Table

from core.errors import TwinlensError
from core.files import unfinished_copies
from core.files.file_lock import FileLock
from core.message import Message
from core.progress import Progress
from storage.database import library_errors
from storage.database.address import Address
from storage.database.place import DiskSpace, Reports, Rows
from storage.database.schema import REVISIONS
from storage.sqlite import failures, file_check, library_file, row_reading, upgrading
from storage.sqlite.checksum_triggers import keep_in_step
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access, connect, engine
from storage.sqlite.failures import shown
from storage.sqlite.journal import has_journal, journal


class SqlitePlace:
    """An open file; a :class:`storage.database.place.Place`. Made by :meth:`open`.

    Attributes
    ----------
    address : Address
    writable : bool
        False where the file or its folder is write-protected.
    """

    login = ""

    def __init__(self, path: Path, access: Access, wait_s: float, presence: FileLock) -> None:
        self.address = Address.of(path)
        self.writable = access is Access.WRITE
        self._path, self._access, self._wait_s = path, access, wait_s
        self._presence = presence
        self._write_lock = FileLock(beside(path, "writing"))
        self._add_lock = FileLock(beside(path, "adding"))
        # A reader that writes is a fault of the program: SQLite refuses it.
        self._readers = engine(path, access, wait_s, pragmas=("query_only = ON",))
        # A writer's cache holds the indexes of a large folder that is registered in one transaction.
        self._writers = engine(path, access, wait_s, "BEGIN IMMEDIATE", ("cache_size = -16384",), keep_in_step)
        self._watch = connect(path, access, wait_s)
        self._watch_lock = threading.Lock()

    @classmethod
    def open(cls, path: Path, create: bool, wait_s: float) -> Self:
        """Open a file.

        One of an older version is brought up to date first, and a copy of what it was is kept beside it. After a crash
        the tables that cannot be made again are checked. In a write-protected place it is opened for reading.

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
                raise library_errors.missing(shown(path), exists=found is not None)
            library_file.create(path, wait_s)
            found = library_file.look(path, wait_s)
            if found is None:  # its disk was taken away meanwhile
                raise library_errors.missing(shown(path))
        presence = FileLock(beside(path, "open"))
        alone = presence.acquire("opening the library")
        if not alone and not presence.acquire("", wait_s, shared=True):
            raise library_errors.busy(shown(path), presence.holder())
        try:
            if found.revision != REVISIONS[-1]:
                _bring_up_to_date(path, found, alone, wait_s)
            if found.access is Access.WRITE:
                unfinished_copies.clear(path.parent)
            if crashed and alone:
                library_file.check_precious(path, found.access, wait_s)
            presence.share()
            return cls(path, found.access, wait_s, presence)
        except BaseException:
            presence.release()
            raise

    def identity(self) -> tuple[int, ...] | None:
        """Return device and number of the file that has the name now."""
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def thumbnails(self) -> None:
        """Return none: the file lies on the machine that shows them."""

    def close(self) -> None:
        """Close the file; the last program to do so tidies its journal away."""
        self._readers.dispose()
        with suppress(sqlite3.Error):  # a connection that has read nothing would leave the journal behind
            self._watch.execute("PRAGMA data_version").close()
        self._watch.close()
        self._writers.dispose()
        self._presence.release()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Connect to one moment of the file; writers go on meanwhile."""
        with failures.in_sentences(self._path), self._readers.connect() as connection:
            connection.begin()
            connection.exec_driver_sql("SELECT 1 FROM library").close()  # the moment is that of the first look
            try:
                yield connection  # rolled back at the end: a commit would fail where the file is damaged
            except BaseException:
                # A statement that was left half read, and lives on in the traceback, would hold this moment for whoever
                # reads next.
                connection.invalidate()
                raise

    @contextmanager
    def writing(self, purpose: str, wait_s: float) -> Iterator[Connection]:
        """Connect as the only writer."""
        with (
            self._alone(purpose, wait_s),
            failures.in_sentences(self._path),
            self._writers.begin() as connection,
        ):
            yield connection

    @contextmanager
    def _alone(self, purpose: str, wait_s: float) -> Iterator[None]:
        if not self._write_lock.acquire(purpose, wait_s):
            raise library_errors.busy(self.address.shown, self._write_lock.holder())
        try:
            yield
        finally:
            self._write_lock.release()

    @contextmanager
    def adding(self, purpose: str, wait_s: float) -> Iterator[None]:
        """Be the only one that adds photographs."""
        if not self._add_lock.acquire(purpose, wait_s):
            raise library_errors.being_added_to(self.address.shown, self._add_lock.holder())
        try:
            yield
        finally:
            self._add_lock.release()

    def adding_by(self) -> str | None:
        """Look at the lock file."""
        return self._add_lock.taken_by()

    def data_version(self) -> int:
        """Return SQLite's own number of the last change."""
        with self._watch_lock, failures.in_sentences(self._path):
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    def compact(self) -> None:
        """Return the space of removed rows to the disk, if that is a quarter of the file or more.

        Writes the file anew; readers go on meanwhile. Where the disk has no space for that, nothing is done: the space
        inside the file is used first.
        """
        with (
            failures.in_sentences(self._path),
            closing(connect(self._path, self._access, self._wait_s)) as connection,
        ):
            free, pages, page_size = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("freelist_count", "page_count", "page_size")
            )
            if 4 * free < pages or shutil.disk_usage(self._path.parent).free < 2 * (pages - free) * page_size:
                return
            with self._alone("giving space back", self._wait_s):
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def space(self, connection: Connection) -> DiskSpace:
        """Measure the file with its journal."""
        free, page_size = (
            int(connection.exec_driver_sql(f"PRAGMA {what}").scalar_one()) for what in ("freelist_count", "page_size")
        )
        files = [path for path in (self._path, journal(self._path)) if path.exists()]
        return DiskSpace(sum(path.stat().st_size for path in files), free * page_size)

    @contextmanager
    def checking(self, connection: Connection, progress: Progress) -> Iterator[Reports]:
        """Have SQLite check the file; it is not mapped meanwhile, all of which would count as the program's memory."""
        with file_check.little_memory(connection):
            yield file_check.reports(self._path, self._access, self._wait_s, progress)

    def rows(self, connection: Connection, table: Table) -> Rows:
        """Read the rows one by one; text that is no UTF-8 any more has surrogates."""
        with failures.in_sentences(self._path):
            yield from row_reading.rows(driver(connection), table)

    def read_only(self) -> TwinlensError:
        """Return the error that the file is write-protected."""
        return failures.read_only(self._path)


def beside(path: Path, what: str) -> Path:
    """Return the place of a library's lock file."""
    return path.with_name(f"{path.name}-{what}")


def _bring_up_to_date(path: Path, found: library_file.FoundFile, alone: bool, wait_s: float) -> None:
    if found.access is not Access.WRITE:
        raise TwinlensError(
            Message(
                "The library {path} of an older Twinlens cannot be brought up to date: it is write-protected.",
                path=shown(path),
            ),
            Message("Allow writing to the file and its folder, or copy it elsewhere and open the copy."),
        )
    if not alone:
        raise library_errors.older_and_open(shown(path))
    upgrading.upgrade(path, wait_s, REVISIONS[-1])
