"""The packed hash codes of indexes, each with the encoder that made them.

They lie in segments: the codes of many photographs, with their ids, in one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from twinlens.core.arrays import Int64Ids
from twinlens.core.message import Message
from twinlens.storage.database.dialect import PackedCodes, of
from twinlens.storage.database.schema import code_segment, search_index
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

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._segments = Segments(connection)
        self.tables = of(connection).code_tables

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
        present = self._index(index_id).model_id
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
        self._connection.execute(delete(code_segment).where(code_segment.c.index_id == index_id))
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
        row = self._index(index_id)
        ids, codes = self._segments.read(self._segments.all(index_id))
        try:
            ids, codes = ascending(ids, codes)
        except ValueError:  # of a server, whose rows have no checksums
            raise DamagedRowError(Message("the codes of the index {id}", id=index_id)) from None
        return LoadedCodes(ids, codes, row.model_id, row.codes_token)

    def ids(self, index_id: int) -> Int64Ids:
        """Return the photographs that have a code, (n,), ascending."""
        return np.sort(self._segments.read_ids(self._segments.all(index_id)))

    def count(self, index_id: int) -> int:
        """Count the codes of an index."""
        counted = select(func.coalesce(func.sum(code_segment.c.length), 0)).where(code_segment.c.index_id == index_id)
        return int(self._connection.execute(counted).scalar_one())

    def bytes(self, index_id: int) -> int:
        """Return the bytes that the codes of an index take, with their ids."""
        taken = func.length(code_segment.c.ids) + func.length(code_segment.c.codes)
        summed = select(func.coalesce(func.sum(taken), 0)).where(code_segment.c.index_id == index_id)
        return int(self._connection.execute(summed).scalar_one())

    def lacking(self, index_id: int, kind: KindRow) -> Int64Ids:
        """Return the photographs that have a vector of the kind but no code, (n,), ascending."""
        return np.setdiff1d(Descriptors(self._connection).ids(kind), self.ids(index_id), assume_unique=True)

    def _index(self, index_id: int) -> Row[Any, Any]:
        columns = (search_index.c.model_id, search_index.c.codes_token)
        return self._connection.execute(select(*columns).where(search_index.c.id == index_id)).one()

    def clear(self, index_id: int) -> None:
        """Remove all codes of an index: they are computed anew with the next look."""
        self.tables.drop(index_id)
        self._connection.execute(delete(code_segment).where(code_segment.c.index_id == index_id))
        self.touch(index_id)

    def touch(self, index_id: int, **values: Any) -> None:
        """Record that the codes of an index have changed."""
        changed = update(search_index).where(search_index.c.id == index_id).values(codes_token=new_token(), **values)
        self._connection.execute(changed)


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
        return DamagedRowError(named(code_segment, {"id": self.id}))


_SEGMENT = select(
    *(code_segment.c[name] for name in ("id", "index_id", "length", "first", "last", "checksum")),
    *(func.coalesce(func.length(code_segment.c[name]), 0) for name in ("ids", "codes")),
)


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

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def all(self, index_id: int) -> list[Segment]:
        """List the segments of an index by their first photograph."""
        c = code_segment.c
        statement = _SEGMENT.where(c.index_id == index_id).order_by(c.first, c.id)
        return [Segment(*row) for row in self._connection.execute(statement)]

    def add(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Write ascending codes as new segments."""
        for start in range(0, len(ids), FULL):
            piece = slice(start, start + FULL)
            values = self._values(self._next_id(), index_id, ids[piece], codes[piece])
            self._connection.execute(insert(code_segment).values(**values))

    def _next_id(self) -> int:
        """Choose the id of a new segment: its checksum covers it."""
        return int(self._connection.execute(select(func.coalesce(func.max(code_segment.c.id), 0) + 1)).scalar_one())

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
        c = code_segment.c
        statement = _SEGMENT.where(c.last >= ids[0].item(), c.first <= ids[-1].item())
        if index_id is not None:
            statement = statement.where(c.index_id == index_id)
        changed = set()
        for segment in [Segment(*row) for row in self._connection.execute(statement)]:
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
                values = self._values(segment.id, segment.index_id, present[kept], codes[kept])
                self._connection.execute(update(code_segment).where(c.id == segment.id).values(**values))
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
        for key, fits in self._dialect.copied([code_segment.c[name] for name in names], targets):
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
            self._connection.execute(delete(code_segment).where(code_segment.c.id == segment.id))

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
