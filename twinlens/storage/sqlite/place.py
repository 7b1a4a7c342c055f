"""A library in one SQLite file: opened with care, read by many and written by one at a time.

SQLite itself checks the pages, the indexes, the schema and the references of a file: one long step that can be stopped.
Rows are read as they lie in the file, also those whose text is no UTF-8 any more.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Self, TypeVar

from twinlens.core.errors import TwinlensError
from twinlens.core.files import unfinished_copies
from twinlens.core.files.file_lock import FileLock
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress
from twinlens.storage.database import library_errors
from twinlens.storage.database.address import Address
from twinlens.storage.database.place import DiskSpace, Reports, Rows
from twinlens.storage.database.values import REVISIONS
from twinlens.storage.sqlite import failures, library_file
from twinlens.storage.sqlite.engine import Access, ConnectionPool, SqliteDialect, connect, keep_in_step
from twinlens.storage.sqlite.failures import shown
from twinlens.storage.sqlite.file_copy import has_journal, journal
from twinlens.storage.sqlite.known_schema import is_known

if TYPE_CHECKING:
    from sqlalchemy import Table

    from twinlens.storage.database.dialect import Dialect


class SqlitePlace:
    """An open file; a :class:`twinlens.storage.database.place.Place`. Made by :meth:`open`.

    Attributes
    ----------
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
        self._readers = ConnectionPool(path, access, wait_s, pragmas=("query_only = ON",))
        # A writer's cache holds the indexes of a large folder that is registered in one transaction.
        self._writers = ConnectionPool(path, access, wait_s, "BEGIN IMMEDIATE", ("cache_size = -16384",), keep_in_step)
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
        self._readers.close()
        with suppress(sqlite3.Error):  # a connection that has read nothing would leave the journal behind
            self._watch.execute("PRAGMA data_version").close()
        self._watch.close()
        self._writers.close()
        self._presence.release()

    @contextmanager
    def reading(self) -> Iterator[SqliteDialect]:
        """Read one moment of the file; writers go on meanwhile."""
        # Rolled back at the end: a commit would fail where the file is damaged.
        with failures.in_sentences(self._path), self._readers.transaction(keeps=False) as one:
            one.execute("SELECT 1 FROM library").close()  # the moment is that of the first look
            yield one

    @contextmanager
    def writing(self, purpose: str, wait_s: float) -> Iterator[SqliteDialect]:
        """Write as the only one."""
        with (
            self._alone(purpose, wait_s),
            failures.in_sentences(self._path),
            self._writers.transaction(keeps=True) as one,
        ):
            yield one

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
        """Hold the lock of the only program that adds photographs."""
        if not self._add_lock.acquire(purpose, wait_s):
            raise library_errors.at_work(self.address.shown, self._add_lock.holder())
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

    def space(self, dialect: Dialect) -> DiskSpace:
        """Measure the file with its journal."""
        free, page_size = (int(dialect.value(f"PRAGMA {what}")) for what in ("freelist_count", "page_size"))
        files = [path for path in (self._path, journal(self._path)) if path.exists()]
        return DiskSpace(sum(path.stat().st_size for path in files), free * page_size)

    @contextmanager
    def checking(self, dialect: Dialect, progress: Progress) -> Iterator[Reports]:
        """Run SQLite's check of the file, unmapped: all of a mapped file would count as the program's memory."""
        with little_memory(dialect):
            yield reports(self._path, self._access, self._wait_s, progress)

    def rows(self, dialect: Dialect, table: Table) -> Rows:
        """Read the rows one by one; text that is not valid UTF-8 has surrogates."""
        assert isinstance(dialect, SqliteDialect)
        with failures.in_sentences(self._path):
            yield from rows(dialect.driver, table)

    def read_only(self) -> TwinlensError:
        """Return the error that the file is write-protected."""
        return failures.read_only(self._path)


def beside(path: Path, what: str) -> Path:
    """Return the place of a library's lock file."""
    return path.with_name(f"{path.name}-{what}")


def _bring_up_to_date(path: Path, found: library_file.FoundFile, alone: bool, wait_s: float) -> None:
    if found.access is not Access.WRITE:
        raise TwinlensError(
            "The library {path} of an older Twinlens cannot be brought up to date: it is write-protected.",
            "Allow writing to the file and its folder, or copy it elsewhere and open the copy.",
            path=shown(path),
        )
    if not alone:
        raise library_errors.older_and_open(shown(path))
    library_file.upgrade(path, wait_s, REVISIONS[-1])


_REPORTS = 100
_NAMED = 5  # of the file, in words that only SQLite's makers know

# Reports of SQLite on a table's index and on values, which checksums tell more exactly; all others are of the file.
_OF_INDEX = re.compile("missing from index|wrong # of entries in index|non-unique entry in index|values differ from")
_OF_VALUE = re.compile(r"CHECK constraint failed|^NULL value in|^NUMERIC value in|^TEXT value in|^non-\w+ value in")


def reports(path: Path, access: Access, wait_s: float, progress: Progress) -> Reports:
    """Check a file; later parts are looked at only where those before them have found nothing.

    Parameters
    ----------
    wait_s : float
        How long to wait for another program's lock.
    progress : Progress
        May raise ``Cancelled``, also while SQLite works.
    """
    return ask(path, access, wait_s, _reports, lambda: progress(0, 1, Message("Checking the file")))


def _reports(connection: sqlite3.Connection) -> Reports:
    connection.execute("BEGIN")  # all of it is of one moment
    faults = [one for one in _integrity(connection) if one != "ok"]
    of_index = [one for one in faults if _OF_INDEX.search(one)]
    of_file = [one for one in faults if one not in of_index and not _OF_VALUE.search(one)]
    if of_file:
        named = tuple(_of_file(one) for one in of_file[:_NAMED])
        more = len(of_file) - len(named)
        rest = counted("The file has {count} more fault.", "The file has {count} more faults.", more)
        return Reports((*named, rest) if more else named)
    if not is_known(connection, REVISIONS[-1]):  # changed since it was opened
        return Reports((Message("The file is damaged: its tables are not those of Twinlens."),))
    values = tuple(_of_file(one) for one in faults)
    if of_index:
        return Reports(stale_index=of_index[0], values=values)
    astray = Counter(row[0] for row in connection.execute("PRAGMA foreign_key_check"))
    return Reports(astray=dict(sorted(astray.items())), values=values)


@contextmanager
def little_memory(dialect: Dialect) -> Iterator[None]:
    """Read without mapping the file."""
    mapped = dialect.value("PRAGMA mmap_size") or 0
    dialect.execute("PRAGMA mmap_size = 0")
    try:
        yield
    finally:
        dialect.execute(f"PRAGMA mmap_size = {mapped}")


def _integrity(connection: sqlite3.Connection) -> list[str]:
    try:
        rows = [report for (report,) in connection.execute(f"PRAGMA integrity_check({_REPORTS})")]
        # A damaged tree is one row of many lines, of which the first names the database.
        return [line for report in rows for line in report.splitlines() if not line.startswith("***")]
    except sqlite3.DatabaseError as error:
        if failures.primary_code(error) not in failures.DAMAGED:
            raise
        return [str(error)]


def _of_file(report: str) -> Message:
    return Message("The file is damaged: {report}.", report=report)


_LOOK_S = 0.1
Result = TypeVar("Result")


def ask(
    path: Path,
    access: Access,
    wait_s: float,
    function: Callable[[sqlite3.Connection], Result],
    look: Callable[[], object],
) -> Result:
    """Run a function on a connection of its own, in little memory, and wait for its result.

    Parameters
    ----------
    wait_s : float
        How long a statement waits for another program's lock.
    look : callable
        Called every tenth of a second; raises :class:`twinlens.core.errors.Cancelled` to stop.
    """
    look()
    connection = connect(path, access, wait_s)
    result: Future[Result] = Future()

    def work() -> None:
        try:
            with closing(connection):
                connection.execute("PRAGMA mmap_size = 0")  # all of it would count as the program's memory
                result.set_result(function(connection))
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            result.set_exception(error)

    # A daemon: the end of the program does not wait for it.
    Thread(target=work, name="long question", daemon=True).start()
    try:
        while not wait([result], _LOOK_S).done:
            look()
    except BaseException:
        with suppress(sqlite3.ProgrammingError):  # it has just ended
            connection.interrupt()
        raise
    return result.result()


def rows(connection: sqlite3.Connection, table: Table) -> Rows:
    """Read all rows of a table one by one, in the order of its key; bytes that are no text become surrogates."""
    names, keys = (", ".join(f'"{one.name}"' for one in columns) for columns in (table.columns, table.primary_key))
    with any_text(connection):
        yield from connection.execute(f"SELECT {names} FROM {table.name} ORDER BY {keys}")


@contextmanager
def any_text(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Read text that is no UTF-8 any more, too."""
    usual = connection.text_factory
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        yield connection
    finally:
        connection.text_factory = usual
