"""Keypoints: what is kept of a photograph to compare its places by, as bytes in one row.

What they mean is known to who makes them, and by which version: bytes of another version count as none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, select

from core.arrays import Int64Ids
from storage.database.batches import plain
from storage.database.dialect import of
from storage.database.schema import PhotographState, keypoints, photograph
from storage.integrity.checksums import checksum

_SOME_KEYPOINTS = select(keypoints.c.photograph_id, keypoints.c.data, keypoints.c.checksum).where(
    keypoints.c.version == bindparam(None)
)


class KeptKeypoints:
    """The keypoints of a library's photographs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def put(self, ids: Sequence[int] | Int64Ids, version: int, data: Sequence[bytes]) -> None:
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
        checked = self._dialect.checksums
        rows = ((key, version, one) for key, one in zip(plain(ids), data, strict=True))
        self._dialect.replace(keypoints, [(*row, checksum(*row) if checked else None) for row in rows])

    def read(self, ids: Sequence[int] | Int64Ids, version: int) -> list[bytes | None]:
        """Read the keypoints of some photographs.

        Returns
        -------
        list of bytes or None
            In the order of the ids; None where there are none of the version, or they are damaged.
        """
        wanted = plain(ids)
        ordered = sorted(set(wanted))  # neighbours in the file are read one after another
        found: dict[int, bytes] = {
            key: data
            for key, data, stored in self._dialect.rows_among(
                _SOME_KEYPOINTS, keypoints.c.photograph_id, ordered, (version,)
            )
            if isinstance(data, bytes) and (stored is None or stored == checksum(key, version, data))
        }
        return [found.get(key) for key in wanted]

    def has(self, photograph_id: int, version: int) -> bool:
        """Return whether a photograph has keypoints of a version, without reading them."""
        here = _keypoints_of(version, keypoints.c.photograph_id).where(keypoints.c.photograph_id == photograph_id)
        return self._connection.execute(here).first() is not None

    def ids(self, version: int) -> Int64Ids:
        """Return the photographs that have keypoints of a version, (n,), ascending."""
        return self._dialect.ids(_keypoints_of(version, keypoints.c.photograph_id))

    def lacking(self, version: int) -> Int64Ids:
        """Return the ready photographs that have no keypoints of a version, (n,), ascending."""
        ready = self._dialect.ids(select(photograph.c.id).where(photograph.c.state == PhotographState.READY.value))
        return np.setdiff1d(ready, self.ids(version), assume_unique=True)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the keypoints of photographs."""
        self._dialect.among(delete(keypoints), keypoints.c.photograph_id, plain(ids))

    def remove_dangling(self) -> None:
        """Remove the keypoints of photographs that are not there."""
        there = select(photograph.c.id)
        self._connection.execute(delete(keypoints).where(keypoints.c.photograph_id.not_in(there)))


def _keypoints_of(version: int, what: ColumnElement[int]) -> Select[*tuple[Any, ...]]:
    """Return the statement that reads something of the photographs of a version, and no keypoints."""
    ids = select(what).with_hint(keypoints, "INDEXED BY keypoints_by_version", "sqlite")
    return ids.where(keypoints.c.version == version)
