"""Segments: how the codes of an index lie in the file.

A segment holds the ids of up to 65,536 photographs, ascending, and their codes. A batch is joined to the small segment
at the end; when there are many small segments they are merged. So a batch writes little, and reading everything
touches few large values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, delete, insert, select, update

from core.errors import TwinlensError
from storage.batches import Ids, driver
from storage.schema import code_segment

PackedCodes = npt.NDArray[np.uint8]

FULL = 65_536  # codes in a full segment
TAIL = 4_096  # codes up to which a batch is joined to the last segment
SMALL = 16  # so many segments that are not full are merged
STEP = 1 << 17  # bytes copied at once: they stay in the processor's cache
STORED_IDS = np.dtype("<i8")


@dataclass(frozen=True)
class Segment:
    """A segment without its contents; ``first`` and ``last`` are the smallest and the largest photograph in it."""

    id: int
    index_id: int
    length: int
    first: int
    last: int


def ascending(ids: Sequence[int] | Ids, codes: PackedCodes) -> tuple[Ids, PackedCodes]:
    """Put a batch in id order, and refuse one that does not fit together."""
    ids = np.asarray(ids, np.int64)
    codes = np.asarray(codes)
    if codes.dtype != np.uint8 or codes.ndim != 2 or len(codes) != len(ids):
        raise ValueError(f"{len(ids)} rows of bytes are expected, not {codes.dtype} {codes.shape}")
    if not (ids[1:] > ids[:-1]).all():
        order = np.argsort(ids, kind="stable")
        ids, codes = ids[order], codes[order]
        if not (ids[1:] > ids[:-1]).all():
            raise ValueError("a photograph is twice in a batch of codes")
    return ids, codes


class Segments:
    """The segments of every index."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._driver = driver(connection)

    def all(self, index_id: int) -> list[Segment]:
        """List the segments of an index by their first photograph."""
        c = code_segment.c
        statement = select(c.id, c.index_id, c.length, c.first, c.last).where(c.index_id == index_id)
        return [Segment(*row) for row in self._connection.execute(statement.order_by(c.first, c.id))]

    def add(self, index_id: int, ids: Ids, codes: PackedCodes) -> None:
        """Write ascending codes as new segments."""
        for start in range(0, len(ids), FULL):
            piece = slice(start, start + FULL)
            values = {"index_id": index_id, **_contents(ids[piece], codes[piece])}
            self._connection.execute(insert(code_segment).values(**values))

    def append(self, index_id: int, ids: Ids, codes: PackedCodes) -> None:
        """Write the ascending codes of a batch, joined to the last segment if that is small."""
        segments = self.all(index_id)
        if segments:
            tail = max(segments, key=lambda segment: segment.id)
            if self._width(tail) != codes.shape[1]:
                raise ValueError(f"codes of {self._width(tail)} bytes are expected, not of {codes.shape[1]}")
            if tail.length + len(ids) <= TAIL:
                ids, codes = self._joined([tail], ids, codes)
                self._drop([tail])
        self.add(index_id, ids, codes)
        small = [segment for segment in segments if segment.length < FULL]
        if len(small) > SMALL:
            self.merge(index_id)

    def merge(self, index_id: int) -> None:
        """Merge the segments of an index that are not full."""
        small = [segment for segment in self.all(index_id) if segment.length < FULL]
        if len(small) > 1:
            none = np.empty(0, np.int64), np.empty((0, self._width(small[0])), np.uint8)
            merged = self._joined(small, *none)
            self._drop(small)
            self.add(index_id, *merged)

    def take_out(self, ids: Ids, index_id: int | None = None) -> set[int]:
        """Remove the codes of ascending ids from one index or from all; give the indexes that had some."""
        if not len(ids):
            return set()
        c = code_segment.c
        statement = select(c.id, c.index_id, c.length, c.first, c.last).where(c.last >= ids[0].item())
        statement = statement.where(c.first <= ids[-1].item())
        if index_id is not None:
            statement = statement.where(c.index_id == index_id)
        changed = set()
        for segment in [Segment(*row) for row in self._connection.execute(statement)]:
            present = self.read_ids([segment])
            kept = ~np.isin(present, ids, assume_unique=True)
            if kept.all():
                continue
            changed.add(segment.index_id)
            if kept.any():
                contents = _contents(present[kept], self.read_codes([segment])[kept])
                self._connection.execute(update(code_segment).where(c.id == segment.id).values(**contents))
            else:
                self._drop([segment])
        return changed

    def read_ids(self, segments: Sequence[Segment]) -> Ids:
        """Read the ids of segments, (n,), one segment after another."""
        ids = np.empty(sum(segment.length for segment in segments), STORED_IDS)
        start = 0
        for segment in segments:
            self._copy(segment, "ids", ids[start : start + segment.length])
            start += segment.length
        return ids.astype(np.int64, copy=False)

    def read_codes(self, segments: Sequence[Segment]) -> PackedCodes:
        """Read the codes of segments, (n, bytes), one segment after another."""
        width = self._width(segments[0]) if segments else 0
        codes = np.empty((sum(segment.length for segment in segments), width), np.uint8)
        start = 0
        for segment in segments:
            self._copy(segment, "codes", codes[start : start + segment.length])
            start += segment.length
        return codes

    def _copy(self, segment: Segment, column: str, target: npt.NDArray[Any]) -> None:
        """Copy a value into an array in small steps, without a second copy of the whole."""
        with self._driver.blobopen("code_segment", column, segment.id, readonly=True) as blob:
            if len(blob) != target.nbytes or not len(blob):
                raise TwinlensError(
                    "The codes of an index do not fit together.", "Run `twinlens check`, then make the index anew."
                )
            view = memoryview(target.data).cast("B")
            for start in range(0, len(view), STEP):
                view[start : start + STEP] = blob.read(STEP)

    def _width(self, segment: Segment) -> int:
        with self._driver.blobopen("code_segment", "codes", segment.id, readonly=True) as blob:
            return len(blob) // segment.length

    def _joined(self, segments: Sequence[Segment], ids: Ids, codes: PackedCodes) -> tuple[Ids, PackedCodes]:
        all_ids = np.concatenate([self.read_ids(segments), ids])
        return ascending(all_ids, np.concatenate([self.read_codes(segments), codes]))

    def _drop(self, segments: Sequence[Segment]) -> None:
        for segment in segments:
            self._connection.execute(delete(code_segment).where(code_segment.c.id == segment.id))


def _contents(ids: Ids, codes: PackedCodes) -> dict[str, Any]:
    return {
        "length": len(ids),
        "first": ids[0].item(),
        "last": ids[-1].item(),
        "ids": ids.astype(STORED_IDS, copy=False).tobytes(),
        "codes": codes.tobytes(),
    }
