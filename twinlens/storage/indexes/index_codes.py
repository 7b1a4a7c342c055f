"""The packed hash codes of indexes, each with the encoder that made them.

They lie in segments: the codes of many photographs, with their ids, in one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.core.message import Message
from twinlens.storage.database.dialect import Dialect, PackedCodes
from twinlens.storage.indexes.indexes import new_token
from twinlens.storage.integrity.checksums import DamagedRowError, checksum, named
from twinlens.storage.photographs.descriptors import Descriptors, KindRow


class StaleModelError(Exception):
    """The codes come from an encoder that the index does not use any more; encode again with the present one."""


@dataclass(frozen=True)
class LoadedCodes:
    """All codes of an index: ``ids`` (n,) ascending, ``codes`` (n, bytes), made by the encoder ``model_id``.

    ``token`` is the index's ``codes_token`` at that moment.
    """

    ids: Int64Ids
    codes: PackedCodes
    model_id: int | None
    token: int


class IndexCodes:
    """The codes of every index of a library.

    Attributes
    ----------
    tables : CodeTables
        In which the database searches the codes of some indexes; they follow every change of codes.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._segments = Segments(dialect)
        self.tables = dialect.code_tables

    def put(self, index_id: int, model_id: int, ids: Sequence[int] | Int64Ids, codes: PackedCodes) -> None:
        """Store the codes of a batch; codes of the same photographs are replaced.

        Parameters
        ----------
        model_id : int
            The encoder that made them.
        ids : Ids, (n,)
            Photographs, each once, in any order.
        codes : PackedCodes, (n, bytes)

        Raises
        ------
        StaleModelError
            If the index was fitted anew meanwhile.
        """
        present, _ = self._index(index_id)
        if present != model_id:
            raise StaleModelError(f"index {index_id} uses the model {present}, not {model_id}")
        ids, codes = ascending(ids, codes)
        if len(ids):
            self._segments.take_out(ids, index_id)
            self._segments.append(index_id, ids, codes)
            self.tables.put(index_id, ids, codes)
            self.touch(index_id)

    def replace(
        self, index_id: int, model_id: int, fitted_on: int, ids: Sequence[int] | Int64Ids, codes: PackedCodes
    ) -> None:
        """Replace the encoder of an index and all codes made with it.

        Parameters
        ----------
        model_id : int
            The new encoder.
        fitted_on : int
            How many photographs the library has at this fit.
        ids : Ids, (n,)
            Photographs, each once, in any order.
        codes : PackedCodes, (n, bytes)
        """
        self._dialect.execute("DELETE FROM code_segment WHERE index_id = ?", (index_id,))
        self._segments.add(index_id, *ascending(ids, codes))
        self.tables.drop(index_id)
        self.touch(index_id, model_id=model_id, fitted_on=fitted_on)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the codes of photographs from every index."""
        ids = np.unique(np.asarray(ids, np.int64))
        for index_id in self._segments.take_out(ids):
            self.tables.remove(index_id, ids)
            self.touch(index_id)

    def load(self, index_id: int) -> LoadedCodes:
        """Read all codes of an index, in id order.

        Raises
        ------
        DamagedRowError
            If they do not fit their checksums.
        """
        model_id, token = self._index(index_id)
        ids, codes = self._segments.read(self._segments.all(index_id))
        try:
            ids, codes = ascending(ids, codes)
        except ValueError:  # of a server, whose rows have no checksums
            raise DamagedRowError(Message("the codes of the index {id}", id=index_id)) from None
        return LoadedCodes(ids, codes, model_id, token)

    def ids(self, index_id: int) -> Int64Ids:
        """Return the photographs that have a code, (n,), ascending."""
        return np.sort(self._segments.read_ids(self._segments.all(index_id)))

    def count(self, index_id: int) -> int:
        """Count the codes of an index."""
        counted = "SELECT sum(length) FROM code_segment WHERE index_id = ?"
        return int(self._dialect.value(counted, (index_id,)) or 0)

    def bytes(self, index_id: int) -> int:
        """Return the bytes that the codes of an index take, with their ids."""
        summed = "SELECT sum(length(ids) + length(codes)) FROM code_segment WHERE index_id = ?"
        return int(self._dialect.value(summed, (index_id,)) or 0)

    def lacking(self, index_id: int, kind: KindRow) -> Int64Ids:
        """Return the photographs that have a vector of the kind but no code, (n,), ascending."""
        return np.setdiff1d(Descriptors(self._dialect).ids(kind), self.ids(index_id), assume_unique=True)

    def _index(self, index_id: int) -> tuple[int | None, int]:
        """Return the encoder of an index, and the token of its codes."""
        (row,) = self._dialect.rows("SELECT model_id, codes_token FROM search_index WHERE id = ?", (index_id,))
        return row[0], row[1]

    def clear(self, index_id: int) -> None:
        """Remove all codes of an index: they are computed anew with the next look."""
        self.tables.drop(index_id)
        self._dialect.execute("DELETE FROM code_segment WHERE index_id = ?", (index_id,))
        self.touch(index_id)

    def touch(self, index_id: int, **values: Any) -> None:
        """Record that the codes of an index have changed."""
        self._dialect.change("search_index", index_id, {"codes_token": new_token(), **values})


FULL = 65_536  # codes in a full segment
TAIL = 4_096  # codes up to which a batch is joined to the last segment
SMALL = 16  # so many segments that are not full are merged
STORED_IDS = np.dtype("<i8")


@dataclass(frozen=True)
class Segment:
    """A segment without its contents.

    ``first`` and ``last`` are the smallest and the largest photograph in it, ``id_bytes`` and ``code_bytes`` what both
    values take.
    """

    id: int
    index_id: int
    length: int
    first: int
    last: int
    checksum: int | None
    id_bytes: int
    code_bytes: int

    @property
    def width(self) -> int:
        """Bytes of a code.

        Raises
        ------
        DamagedRowError
            If the values are not as long as the segment says.
        """
        if self.length <= 0 or self.id_bytes != 8 * self.length or self.code_bytes % self.length or not self.code_bytes:
            raise self.damaged()
        return self.code_bytes // self.length

    def damaged(self) -> DamagedRowError:
        """Return the error that a segment is damaged."""
        return DamagedRowError(named("code_segment", {"id": self.id}))


_SEGMENT = """
    SELECT id, index_id, length, first, last, checksum, coalesce(length(ids), 0), coalesce(length(codes), 0)
    FROM code_segment
"""


def ascending(ids: Sequence[int] | Int64Ids, codes: PackedCodes) -> tuple[Int64Ids, PackedCodes]:
    """Sort a batch by id; refuse one whose parts do not fit together."""
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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def all(self, index_id: int) -> list[Segment]:
        """List the segments of an index by their first photograph."""
        statement = f"{_SEGMENT} WHERE index_id = ? ORDER BY first, id"
        return [Segment(*row) for row in self._dialect.rows(statement, (index_id,))]

    def add(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Write ascending codes as new segments."""
        for start in range(0, len(ids), FULL):
            piece = slice(start, start + FULL)
            values = self._values(self._next_id(), index_id, ids[piece], codes[piece])
            self._dialect.insert("code_segment", [values])

    def _next_id(self) -> int:
        """Choose the id of a new segment: its checksum covers it."""
        return int(self._dialect.value("SELECT coalesce(max(id), 0) + 1 FROM code_segment"))

    def append(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Write the ascending codes of a batch, joined to the last segment if that is small."""
        segments = self.all(index_id)
        if segments:
            tail = max(segments, key=lambda segment: segment.id)
            if tail.length + len(ids) <= TAIL:
                ids, codes = self._joined(self._whole([tail]), ids, codes)
                self._drop([tail])
            elif tail.width != codes.shape[1]:
                raise ValueError(f"codes of {tail.width} bytes are expected, not of {codes.shape[1]}")
        self.add(index_id, ids, codes)
        small = [segment for segment in segments if segment.length < FULL]
        if len(small) > SMALL:
            self.merge(index_id)

    def merge(self, index_id: int) -> None:
        """Merge the segments of an index that are not full."""
        small = self._whole([segment for segment in self.all(index_id) if segment.length < FULL])
        if len(small) > 1:
            none = np.empty(0, np.int64), np.empty((0, small[0].width), np.uint8)
            merged = self._joined(small, *none)
            self._drop(small)
            self.add(index_id, *merged)

    def take_out(self, ids: Int64Ids, index_id: int | None = None) -> set[int]:
        """Remove the codes of ascending ids from one index or from all; return the indexes that had some."""
        if not len(ids):
            return set()
        statement, values = f"{_SEGMENT} WHERE last >= ? AND first <= ?", [ids[0].item(), ids[-1].item()]
        if index_id is not None:
            statement, values = f"{statement} AND index_id = ?", [*values, index_id]
        changed = set()
        for segment in [Segment(*row) for row in self._dialect.rows(statement, values)]:
            whole = self._whole([segment])
            if not whole:
                changed.add(segment.index_id)
                continue
            present, codes = self.read(whole)
            kept = ~np.isin(present, ids, assume_unique=True)
            if kept.all():
                continue
            changed.add(segment.index_id)
            if kept.any():
                row = self._values(segment.id, segment.index_id, present[kept], codes[kept])
                self._dialect.change("code_segment", segment.id, row)
            else:
                self._drop([segment])
        return changed

    def read_ids(self, segments: Sequence[Segment]) -> Int64Ids:
        """Read the ids of segments, (n,), one segment after another."""
        ids = np.empty(sum(segment.id_bytes // STORED_IDS.itemsize for segment in segments), STORED_IDS)
        targets, start = {}, 0
        for segment in segments:
            length = segment.id_bytes // STORED_IDS.itemsize
            targets[segment.id] = (ids[start : start + length],)
            start += length
        for _ in self._filled(segments, ("ids",), targets):
            pass
        return ids.astype(np.int64, copy=False)

    def read(self, segments: Sequence[Segment]) -> tuple[Int64Ids, PackedCodes]:
        """Read segments, one after another: ids, (n,), and codes, (n, bytes).

        Raises
        ------
        DamagedRowError
            If a segment does not fit its checksum.
        """
        widths = {segment.width for segment in segments}
        if len(widths) > 1:
            raise segments[0].damaged()
        count, width = sum(segment.length for segment in segments), max(widths, default=0)
        ids, codes = np.empty(count, STORED_IDS), np.empty((count, width), np.uint8)
        targets, start = {}, 0
        for segment in segments:
            rows = slice(start, start + segment.length)
            targets[segment.id] = (ids[rows], codes[rows])
            start += segment.length
        for segment in self._filled(segments, ("ids", "codes"), targets):
            _verify(segment, *targets[segment.id])
        return ids.astype(np.int64, copy=False), codes

    def _whole(self, segments: Sequence[Segment]) -> list[Segment]:
        """Return segments that are whole, and remove the others: their codes are computed anew with the next look."""
        whole = []
        for segment in segments:
            try:
                ascending(*self.read([segment]))
            except (DamagedRowError, ValueError):
                self._drop([segment])
            else:
                whole.append(segment)
        return whole

    def _filled(
        self, segments: Sequence[Segment], names: tuple[str, ...], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[Segment]:
        """Fill arrays with the values of segments, and yield each segment once its values are there."""
        by_id = {segment.id: segment for segment in segments}
        for key, fits in self._dialect.copied("code_segment", names, targets):
            if not fits:
                raise by_id[key].damaged()
            yield by_id[key]

    def _joined(self, segments: Sequence[Segment], ids: Int64Ids, codes: PackedCodes) -> tuple[Int64Ids, PackedCodes]:
        present, their = self.read(segments)
        if not len(present):
            return ids, codes
        if their.shape[1] != codes.shape[1]:
            raise ValueError(f"codes of {their.shape[1]} bytes are expected, not of {codes.shape[1]}")
        return ascending(np.concatenate([present, ids]), np.concatenate([their, codes]))

    def _drop(self, segments: Sequence[Segment]) -> None:
        for segment in segments:
            self._dialect.execute("DELETE FROM code_segment WHERE id = ?", (segment.id,))

    def _values(self, segment_id: int, index_id: int, ids: Int64Ids, codes: PackedCodes) -> dict[str, Any]:
        """Return the row of a segment, with its checksum."""
        values = {
            "id": segment_id,
            "index_id": index_id,
            "length": len(ids),
            "first": ids[0].item(),
            "last": ids[-1].item(),
            "ids": _as_bytes(ids.astype(STORED_IDS, copy=False)),
            "codes": _as_bytes(codes),
        }
        return values | {"checksum": checksum(*values.values()) if self._dialect.checksums else None}


def _verify(segment: Segment, ids: npt.NDArray[Any], codes: PackedCodes) -> None:
    if segment.checksum is None:
        return
    facts = (segment.id, segment.index_id, segment.length, segment.first, segment.last)
    if checksum(*facts, _as_bytes(ids), _as_bytes(codes)) != segment.checksum:
        raise segment.damaged()


def _as_bytes(array: npt.NDArray[Any]) -> memoryview:
    """Return the bytes of an array, not copied where they lie side by side."""
    return memoryview(np.ascontiguousarray(array).data).cast("B")
