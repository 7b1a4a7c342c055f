"""Thumbnails: small JPEGs under the content hash of their photographs, in a file of their own that may be deleted.

Nothing here fails: a file that is damaged is made anew, and what cannot be kept is made again when it is needed.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from twinlens.core.files import private_files
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.place import SharedThumbnails
from twinlens.storage.integrity.checksums import checksum
from twinlens.storage.sqlite import failures
from twinlens.storage.sqlite.engine import Access, connect
from twinlens.storage.sqlite.file_copy import connect_to_read

V = TypeVar("V")
_log = logging.getLogger(__name__)
APPLICATION_ID = 0x54774C74  # "TwLt"
WAIT_S = 5.0
_FILLED = 0.9

# Rows are numbered as they are put in, also those that take the place of another.
_REMOVE_OLDEST = "DELETE FROM thumbnail WHERE rowid IN (SELECT rowid FROM thumbnail ORDER BY rowid LIMIT ?)"
_TABLE = "CREATE TABLE IF NOT EXISTS thumbnail (content_hash BLOB PRIMARY KEY, jpeg BLOB NOT NULL, checksum INTEGER)"


class Thumbnails:
    """The thumbnails in a cache folder; safe to use from several threads.

    Parameters
    ----------
    path : Path
        The file; it is made, with its folder, when it is missing.
    shared : SharedThumbnails, optional
        Those that the library itself holds for all machines: this file is their cache.
    """

    def __init__(self, path: Path, shared: SharedThumbnails | None = None) -> None:
        self.path = path.absolute()
        self._shared = shared
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._warned = False

    def put(self, thumbnails: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep JPEGs under content hashes: pairs of (content hash, JPEG)."""
        self._put_here(thumbnails)
        if self._shared is not None and thumbnails:
            self._shared.put(thumbnails)

    def _put_here(self, thumbnails: Sequence[tuple[bytes, bytes]]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            rows = [(content_hash, jpeg, checksum(content_hash, jpeg)) for content_hash, jpeg in thumbnails]
            connection.executemany(
                "INSERT OR REPLACE INTO thumbnail (content_hash, jpeg, checksum) VALUES (?, ?, ?)", rows
            )
            connection.execute("COMMIT")

        if thumbnails:
            self._do(write, None)

    def get(self, content_hash: bytes) -> bytes | None:
        """Return a JPEG, or None."""
        return self.get_many([content_hash]).get(content_hash)

    def get_many(self, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the JPEGs that are there, by content hash; a damaged one is not, so that it is made again."""

        def read(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for some in pieces(content_hashes):
                marks = ", ".join("?" * len(some))
                statement = f"SELECT content_hash, jpeg, checksum FROM thumbnail WHERE content_hash IN ({marks})"
                rows = connection.execute(statement, some)
                found |= {key: jpeg for key, jpeg, stored in rows if stored == checksum(key, jpeg)}
            return found

        nothing: dict[bytes, bytes] = {}
        found = self._do(read, nothing)
        elsewhere = [] if self._shared is None else [one for one in content_hashes if one not in found]
        if self._shared is not None and elsewhere:
            fetched = self._shared.get_many(elsewhere)
            self._put_here(list(fetched.items()))
            found |= fetched
        return found

    def lacking(self, content_hashes: Sequence[bytes]) -> list[bytes]:
        """Return the hashes that have no JPEG, in the given order."""

        def read(connection: sqlite3.Connection) -> set[bytes]:
            one = "SELECT 1 FROM thumbnail WHERE content_hash = ?"
            return {h for h in content_hashes if connection.execute(one, (h,)).fetchone() is not None}

        nothing: set[bytes] = set()
        present = self._do(read, nothing)
        return [h for h in content_hashes if h not in present]

    def remove(self, content_hashes: Sequence[bytes]) -> None:
        """Remove JPEGs."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            rows = [(content_hash,) for content_hash in content_hashes]
            connection.executemany("DELETE FROM thumbnail WHERE content_hash = ?", rows)
            connection.execute("COMMIT")

        if content_hashes:
            self._do(write, None)

    def prune(self, limit_bytes: int) -> int:
        """Remove the oldest JPEGs where all of them take more space than a limit, until nine tenths of it are taken.

        A tenth is left free, so that the next ones do not lead here again at once. Space is given back to the disk
        where it is worth writing the file anew; otherwise the next JPEGs fill it.

        Returns
        -------
        int
            How many were removed.
        """

        def write(connection: sqlite3.Connection) -> int:
            page_size, pages, free = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("page_size", "page_count", "freelist_count")
            )
            used = (pages - free) * page_size
            removed = 0
            if used > limit_bytes:
                count = connection.execute("SELECT count(*) FROM thumbnail").fetchone()[0]
                many = math.ceil(count * (1 - _FILLED * limit_bytes / used))
                connection.execute("BEGIN IMMEDIATE")
                removed = connection.execute(_REMOVE_OLDEST, (many,)).rowcount
                connection.execute("COMMIT")
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            if pages * page_size > limit_bytes and free * 4 >= pages:
                with contextlib.suppress(sqlite3.OperationalError):  # another reads, or space is short
                    connection.execute("VACUUM")
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return removed

        return self._do(write, 0)

    def bytes(self) -> int:
        """Return the size of the file."""
        return self.path.stat().st_size if self.path.exists() else 0

    def close(self) -> None:
        """Close the file; using the object again opens it again."""
        if self._shared is not None:
            self._shared.close()
        with self._lock:
            self._disconnect()

    def _do(self, work: Callable[[sqlite3.Connection], V], otherwise: V) -> V:
        """Run a function on the file; once more on a new one if it is damaged, and not at all if it cannot be used."""
        with self._lock:
            try:
                return work(self._connected())
            except (sqlite3.Error, OSError) as error:
                self._disconnect()
                if not _damaged(error):
                    return self._gave_up(error, otherwise)
            try:
                for suffix in ("", "-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                return work(self._connected())
            except (sqlite3.Error, OSError) as error:
                self._disconnect()
                return self._gave_up(error, otherwise)

    def _gave_up(self, error: Exception, otherwise: V) -> V:
        if not self._warned:
            _log.warning("Thumbnails are not kept in %s: %s", failures.shown(self.path), error)
            self._warned = True
        return otherwise

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and not self.path.exists():
            self._disconnect()  # deleted meanwhile
        if self._connection is None:
            private_files.make_folder(self.path.parent)
            if self.path.exists() and not self.path.is_file():
                raise FileExistsError("it is no file")  # a pipe would never answer
            if self.path.exists() and not os.access(self.path.parent, os.W_OK):
                self._connection = connect_to_read(self.path, WAIT_S)[0]
                return self._connection
            for suffix in ("", "-wal", "-shm"):
                private_files.tighten(self.path.with_name(self.path.name + suffix))
            self._connection = connect(self.path, Access.CREATE, WAIT_S)
            self._prepare(self._connection)
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        if application not in {0, APPLICATION_ID}:
            raise FileExistsError("it belongs to another program")
        connection.execute("PRAGMA synchronous = NORMAL")
        if application != APPLICATION_ID:
            connection.execute("PRAGMA page_size = 4096")  # larger ones hold one thumbnail each, and a third of nothing
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(_TABLE)
            connection.execute("COMMIT")

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()


def _damaged(error: Exception) -> bool:
    """Return whether a new file would mend an error: a file that is no database, or has not the table."""
    return failures.primary_code(error) in {*failures.DAMAGED, sqlite3.SQLITE_ERROR}
