"""Keypoints: what is kept of a photograph to compare its places by, as bytes in one row.

What they mean is known to who makes them, and by which version: bytes of another version count as none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection

from storage.database.batches import IN_ONE, Ids, driver, gathered, plain
from storage.integrity.checksums import checksum

_PUT = "INSERT OR REPLACE INTO keypoints (photograph_id, version, data, checksum) VALUES (?, ?, ?, ?)"
_SOME = (
    f"SELECT photograph_id, data, checksum FROM keypoints WHERE photograph_id IN ({', '.join('?' * IN_ONE)}) "  # noqa: S608
    "AND version = ? ORDER BY photograph_id"
)
_IDS = "SELECT group_concat(photograph_id) FROM keypoints INDEXED BY keypoints_by_version WHERE version = ?"
_HAS = "SELECT 1 FROM keypoints INDEXED BY keypoints_by_version WHERE version = ? AND photograph_id = ?"
_DANGLING = "DELETE FROM keypoints WHERE photograph_id NOT IN (SELECT id FROM photograph)"


class Keypoints:
    """The keypoints of a library's photographs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, ids: Sequence[int] | Ids, version: int, data: Sequence[bytes]) -> None:
        """Keep the keypoints of photographs; those that are there already are replaced.

        Parameters
        ----------
        ids : Ids, (n,)
            Photographs of the library.
        version : int
            Of what made them.
        data : sequence of bytes, (n,)
            Also of a picture without any keypoint, so that it is not looked at again.
        """
        rows = [(key, version, one, checksum(key, version, one)) for key, one in zip(plain(ids), data, strict=True)]
        if rows:
            self._connection.exec_driver_sql(_PUT, rows)

    def read(self, ids: Sequence[int] | Ids, version: int) -> list[bytes | None]:
        """Read the keypoints of some photographs.

        Returns
        -------
        list of bytes or None
            In the order of the ids; None where there are none of the version, or they are damaged.
        """
        wanted = plain(ids)
        ordered = sorted(set(wanted))  # neighbours in the file are read one after another
        found: dict[int, bytes] = {}
        for start in range(0, len(ordered), IN_ONE):
            some = ordered[start : start + IN_ONE]
            padding = [-1] * (IN_ONE - len(some))  # one text for all lengths is parsed once
            rows = driver(self._connection).execute(_SOME, [*some, *padding, version])
            found |= {
                key: data
                for key, data, stored in rows
                if isinstance(data, bytes) and stored in (None, checksum(key, version, data))
            }
        return [found.get(key) for key in wanted]

    def has(self, photograph_id: int, version: int) -> bool:
        """Return whether a photograph has keypoints of a version, without reading them."""
        return driver(self._connection).execute(_HAS, (version, photograph_id)).fetchone() is not None

    def ids(self, version: int) -> Ids:
        """Return the photographs that have keypoints of a version, (n,), ascending."""
        return gathered(self._connection, _IDS, (version,))

    def lacking(self, version: int) -> Ids:
        """Return the ready photographs that have no keypoints of a version, (n,), ascending."""
        ready = gathered(self._connection, "SELECT group_concat(id) FROM photograph WHERE state = 'ready'")
        return np.setdiff1d(ready, self.ids(version), assume_unique=True)

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove the keypoints of photographs."""
        if len(ids):
            self._connection.exec_driver_sql(
                "DELETE FROM keypoints WHERE photograph_id = ?", [(i,) for i in plain(ids)]
            )

    def remove_dangling(self) -> None:
        """Remove the keypoints of photographs that are not there."""
        self._connection.exec_driver_sql(_DANGLING)
