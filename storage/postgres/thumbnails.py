"""Thumbnails in the library itself: what one machine has made, no other decodes again over the share.

They stand behind the cache of each machine. They wait for no writer and are no change of the library: an old one is as
good as a new one. Nothing here fails: what cannot be kept or fetched is made again where it is needed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg

from storage.postgres.driver import Driver

_V = TypeVar("_V")
_log = logging.getLogger(__name__)

_PUT = """
    INSERT INTO thumbnail (content_hash, jpeg) SELECT * FROM unnest(%b::bytea[], %b::bytea[]) ON CONFLICT DO NOTHING
"""
_GET = "SELECT content_hash, jpeg FROM thumbnail WHERE content_hash = ANY(%b::bytea[])"
_CLEAR = """
    DELETE FROM thumbnail
    WHERE NOT EXISTS (SELECT FROM photograph WHERE photograph.content_hash = thumbnail.content_hash)
"""


class PostgresThumbnails:
    """The thumbnails of a library on a server; safe to use from several threads.

    Parameters
    ----------
    connect : callable
        Makes a connection, when it is first needed.
    """

    def __init__(self, connect: Callable[[], Driver]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._connection: Driver | None = None
        self._warned = False

    def put(self, thumbnails: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep JPEGs under content hashes: pairs of (content hash, JPEG); one that is there stays."""
        # In one order: two programs that keep the same ones would wait for each other.
        ordered = sorted(thumbnails)
        columns = [one for one, _ in ordered], [jpeg for _, jpeg in ordered]
        self._do(lambda connection: connection.execute(_PUT, columns), None)

    def get_many(self, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the JPEGs that are there, by content hash."""

        def read(connection: Driver) -> dict[bytes, bytes]:
            return dict(connection.execute(_GET, [list(content_hashes)], binary=True).fetchall())

        found: dict[bytes, bytes] = self._do(read, {})
        return found

    def clear(self) -> None:
        """Remove those of contents that the library has no photograph of."""
        self._do(lambda connection: connection.execute(_CLEAR), None)

    def close(self) -> None:
        """Close the connection; using the object again opens another."""
        with self._lock:
            self._disconnect()

    def _do(self, work: Callable[[Driver], Any], otherwise: Any) -> Any:
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connect()
                return work(self._connection)
            except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
                return otherwise  # a login, or a server, that only reads
            except (psycopg.Error, OSError) as error:
                self._disconnect()
                if not self._warned:
                    _log.warning("Thumbnails are not shared: %s", error)
                    self._warned = True
                return otherwise

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()
