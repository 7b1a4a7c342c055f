"""Descriptors and keypoints: the vectors and keypoints by which photographs are compared, as bytes in one row.

A descriptor is one vector a photograph and kind. Keypoints are kept once a photograph, to compare its places by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, func, insert, select

from twinlens.core.arrays import AnyArray, Int64Ids
from twinlens.core.vectors import pack_vectors, unpack_vectors
from twinlens.storage.database.dialect import of, plain, runs
from twinlens.storage.database.schema import (
    PHOTOGRAPH_BITS,
    PhotographState,
    descriptor,
    descriptor_kind,
    keypoints,
    photograph,
)
from twinlens.storage.integrity.checksums import DamagedRowError, checksum, facts, named, of_bytes, sound

_PHOTOGRAPH = (1 << PHOTOGRAPH_BITS) - 1
_SOME = select(descriptor)
_ALL = select(descriptor.c.id, descriptor.c.vector).order_by(descriptor.c.id)
_BETWEEN = descriptor.c.id.between(bindparam("first"), bindparam("last"))
_OF_KIND = _ALL.where(_BETWEEN)
_REMOVE = delete(descriptor).where(descriptor.c.id.between(bindparam(None), bindparam(None)))


@dataclass(frozen=True)
class KindRow:
    """A kind of descriptor that is kept: its vectors have ``dimensions`` numbers, packed as ``dtype``.

    ``key`` is the identity of what makes them, ``text`` the words for it; ``model_id`` is what was learned for it.
    """

    id: int
    key: str
    text: str
    dimensions: int
    dtype: str
    model_id: int | None

    @property
    def name(self) -> str:
        """The key of its declaration, which is kept as JSON: "colour"."""
        return kind_name(self.text)

    def stored(self) -> np.dtype[Any]:
        """Return the type of the stored numbers, little-endian on every machine."""
        return np.dtype(self.dtype).newbyteorder("<")

    def read_as(self) -> np.dtype[Any]:
        """Return the type of the vectors as they are read."""
        return unpack_vectors(np.empty((0, 1), self.stored())).dtype

    def rounded(self, vectors: AnyArray) -> AnyArray:
        """Return vectors as they are once they are kept, (..., d)."""
        return unpack_vectors(pack_vectors(vectors, self.stored()))

    def first(self) -> int:
        """Return the smallest row key of the kind."""
        return self.id << PHOTOGRAPH_BITS

    def last(self) -> int:
        """Return the largest row key of the kind."""
        return self.first() | _PHOTOGRAPH


def kind_name(text: str) -> str:
    """Return the key of a kind's declaration; the text itself where it is none, as in a damaged library."""
    try:
        return str(json.loads(text)["key"])
    except (ValueError, KeyError, TypeError):
        return text


class Descriptors:
    """The descriptors of a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def kind(self, key: str) -> KindRow | None:
        """Return a kind of descriptor by its id."""
        row = self._connection.execute(select(descriptor_kind).where(descriptor_kind.c.key == key)).first()
        return None if row is None else _kind(row)

    def kinds(self) -> list[KindRow]:
        """List every kind, in the order in which they were added."""
        return [_kind(row) for row in self._connection.execute(select(descriptor_kind).order_by(descriptor_kind.c.id))]

    def kinds_unverified(self) -> list[KindRow]:
        """List every kind as its row says, damaged or not, for who looks for damage."""
        return [KindRow(*row) for row in self._connection.execute(select(*facts(descriptor_kind)))]

    def add_kind(
        self, key: str, text: str, dimensions: int, dtype: str = "float16", model_id: int | None = None
    ) -> KindRow:
        """Return the kind of a key; new if it is not known."""
        known = self.kind(key)
        if known is not None:
            return known
        values = {"key": key, "text": text, "dimensions": dimensions, "dtype": dtype, "model_id": model_id}
        made = self._connection.execute(insert(descriptor_kind).values(**values).returning(descriptor_kind))
        return _kind(made.one())

    def remove_kind(self, kind: KindRow) -> None:
        """Remove a kind with all its vectors; no index may use it any more."""
        self._connection.execute(delete(descriptor).where(descriptor.c.id.between(kind.first(), kind.last())))
        self._connection.execute(delete(descriptor_kind).where(descriptor_kind.c.id == kind.id))

    def put(self, kind: KindRow, ids: Sequence[int] | Int64Ids, vectors: AnyArray) -> None:
        """Keep vectors; those that are there already are replaced.

        Parameters
        ----------
        ids : Ids, (n,)
            Photographs.
        vectors : AnyArray, (n, dimensions)
            Finite, and as :func:`twinlens.core.vectors.pack_vectors` takes them for the kind's dtype.
        """
        whole = bool(np.isfinite(vectors).all())
        with np.errstate(over="ignore"):  # what does not fit is refused below
            kept = np.ascontiguousarray(pack_vectors(vectors if whole else np.zeros_like(vectors), kind.stored()))
        keys = plain(ids)
        if kept.shape != (len(keys), kind.dimensions):
            raise ValueError(f"{len(keys)} vectors of {kind.dimensions} are expected, not {kept.shape}")
        if not whole or not finite(kept):
            raise ValueError(f"a vector of {kind.text} is not finite as {kind.dtype}")
        checked = self._dialect.checksums
        pairs = ((kind.first() | key, vector.tobytes()) for key, vector in zip(keys, kept, strict=True))
        rows = [(key, data, of_bytes(key, data) if checked else None) for key, data in pairs]
        self._dialect.replace(descriptor, rows)

    def read(
        self, kind: KindRow, ids: Sequence[int] | Int64Ids, verify: bool = True, packed: bool = False
    ) -> tuple[AnyArray, npt.NDArray[np.bool_]]:
        """Read the vectors of some photographs.

        Parameters
        ----------
        ids : Ids, (n,)
        verify : bool
            Compute the checksums, which takes about as long as reading. For many vectors it is enough that their
            numbers are finite: a flipped bit changes the distance of one photograph.
        packed : bool
            Leave them as the library keeps them.

        Returns
        -------
        vectors : AnyArray, (n, dimensions)
            In the order of the ids; zeros where there is none.
        present : bool, (n,)
            Whether there is one; a damaged one counts as none.
        """
        keys = (np.asarray(ids, np.int64) + kind.first()).tolist()
        places = dict(zip(keys, range(len(keys)), strict=True))
        if len(places) < len(keys):
            once, back = np.unique(np.asarray(ids, np.int64), return_inverse=True)
            vectors, present = self.read(kind, once, verify, packed)
            return vectors[back], present[back]
        vectors = np.zeros((len(keys), kind.dimensions), kind.stored())
        present = np.zeros(len(keys), bool)
        if not keys:
            return vectors if packed else unpack_vectors(vectors), present
        view, width = memoryview(vectors.data).cast("B"), vectors.strides[0]
        keys.sort()  # neighbours in the file are read one after another
        for key, vector, stored in self._dialect.rows_among(_SOME, descriptor.c.id, keys):
            whole = isinstance(vector, bytes) and len(vector) == width
            if whole and (not verify or stored is None or stored == of_bytes(key, vector)):
                place = places[key]
                view[place * width : (place + 1) * width] = vector
                present[place] = True
        if not finite(vectors):
            present &= np.isfinite(vectors).all(axis=1)
            vectors[~present] = 0
        return vectors if packed else unpack_vectors(vectors), present

    def blocks(self, kind: KindRow, length: int = 4096) -> Iterator[tuple[Int64Ids, AnyArray]]:
        """Read all vectors of a kind in blocks, in id order; the transaction must stay open meanwhile.

        Checksums are not computed; a vector of another length or with numbers that are not finite is left out.

        Yields
        ------
        ids : Ids, (n,)
        vectors : AnyArray, (n, dimensions)
        """
        width = kind.dimensions * kind.stored().itemsize
        all_ids, all_joined = self.ids(kind), self._joined()
        for start in range(0, len(all_ids), length):
            ids = all_ids[start : start + length]
            limits = {"first": kind.first() | int(ids[0]), "last": kind.first() | int(ids[-1])}
            # One value for all of them: a row for each takes SQLite five times as long.
            ((joined, *lengths),) = self._dialect.rows(all_joined, limits)
            if lengths != [width, width] or len(joined) != len(ids) * width:
                rows = [row for row in self._dialect.rows(_OF_KIND, limits) if _is_whole(row[1], width)]
                ids = np.array([key & _PHOTOGRAPH for key, _ in rows], np.int64)
                joined = b"".join([vector for _, vector in rows])
            vectors = np.frombuffer(joined, kind.stored()).reshape(len(ids), kind.dimensions)
            if not finite(vectors):
                whole = np.isfinite(vectors).all(axis=1)
                ids, vectors = ids[whole], vectors[whole]
            if len(ids):
                yield ids, unpack_vectors(vectors)

    def _joined(self) -> Select[*tuple[Any, ...]]:
        """Return the statement that reads vectors between two keys as one value, and the limits of their lengths."""
        vector = descriptor.c.vector
        lengths = func.length(vector)
        joined = select(self._dialect.joined(vector, b"", descriptor.c.id), func.min(lengths), func.max(lengths))
        return joined.where(_BETWEEN)

    def ids(self, kind: KindRow) -> Int64Ids:
        """Return the photographs that have a vector of the kind, (n,), ascending."""
        return self._dialect.ids(_of(kind, descriptor.c.id.bitwise_and(_PHOTOGRAPH)))

    def count(self, kind: KindRow) -> int:
        """Count the vectors of a kind."""
        return int(self._connection.execute(_of(kind, func.count())).scalar_one())

    def lacking(self, kind: KindRow) -> Int64Ids:
        """Return the ready photographs that have no vector of the kind, (n,), ascending."""
        ready = self._dialect.ids(select(photograph.c.id).where(photograph.c.state == PhotographState.READY.value))
        return np.setdiff1d(ready, self.ids(kind), assume_unique=True)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the vectors of photographs, of every kind."""
        if not len(ids):
            return
        rows = [(kind.first() | low, kind.first() | high) for kind in self.kinds() for low, high in runs(ids)]
        self._dialect.many(_REMOVE, rows)


def finite(vectors: AnyArray) -> bool:
    """Return whether all numbers are finite; of float16 by their exponents, which is six times as fast as NumPy.

    Examples
    --------
    >>> finite(np.array([[1.0, -65504.0]], "<f2")), finite(np.array([[np.nan, -np.inf]], "<f2"))
    (True, False)
    """
    if vectors.dtype != np.dtype("<f2"):
        return vectors.dtype == np.int8 or bool(np.isfinite(vectors).all())
    return bool((vectors.view("<u2") & np.uint16(0x7FFF)).max(initial=0) < 0x7C00)


def _of(kind: KindRow, what: ColumnElement[int]) -> Select[*tuple[Any, ...]]:
    """Return the statement that reads something of a kind's row keys, and no vectors."""
    ids = select(what).select_from(descriptor).with_hint(descriptor, "INDEXED BY descriptor_ids", "sqlite")
    return ids.where(descriptor.c.id.between(kind.first(), kind.last()))


def _is_whole(vector: object, width: int) -> bool:
    return isinstance(vector, bytes) and len(vector) == width


def _kind(row: Row[Any, Any]) -> KindRow:
    kind = KindRow(**sound(descriptor_kind, row))
    try:
        kind.stored()
    except TypeError:  # of a server, whose rows have no checksums
        raise DamagedRowError(named(descriptor_kind, row._asdict())) from None
    return kind


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
