"""Descriptors and keypoints: the vectors and keypoints by which photographs are compared, as bytes in one row.

A descriptor is one vector a photograph and kind. Keypoints are kept once a photograph, to compare its places by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import AnyArray, Int64Ids
from twinlens.core.vectors import pack_vectors, unpack_vectors
from twinlens.storage.database.dialect import Dialect, plain, runs
from twinlens.storage.database.values import PHOTOGRAPH_BITS, PhotographState
from twinlens.storage.integrity.checksums import DamagedRowError, checksum, named, of_bytes, sound

_PHOTOGRAPH = (1 << PHOTOGRAPH_BITS) - 1
_READY = f"SELECT id FROM photograph WHERE state = '{PhotographState.READY}'"

# An index that holds no vectors.
_OF_KIND = "FROM descriptor INDEXED BY descriptor_ids WHERE id BETWEEN ? AND ?"


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def kind(self, key: str) -> KindRow | None:
        """Return a kind of descriptor by its id."""
        rows = self._dialect.records("SELECT * FROM descriptor_kind WHERE key = ?", (key,))
        return _kind(rows[0]) if rows else None

    def kinds(self) -> list[KindRow]:
        """List every kind, in the order in which they were added."""
        return [_kind(row) for row in self._dialect.records("SELECT * FROM descriptor_kind ORDER BY id")]

    def kinds_unverified(self) -> list[KindRow]:
        """List every kind as its row says, damaged or not, for who looks for damage."""
        rows = self._dialect.records("SELECT id, key, text, dimensions, dtype, model_id FROM descriptor_kind")
        return [KindRow(**row) for row in rows]

    def add_kind(
        self, key: str, text: str, dimensions: int, dtype: str = "float16", model_id: int | None = None
    ) -> KindRow:
        """Return the kind of a key; new if it is not known."""
        known = self.kind(key)
        if known is not None:
            return known
        new = KindRow(0, key, text, dimensions, dtype, model_id)
        values = {name: value for name, value in vars(new).items() if name != "id"}
        return replace(new, id=self._dialect.number("descriptor_kind", values))

    def remove_kind(self, kind: KindRow) -> None:
        """Remove a kind with all its vectors; no index may use it any more."""
        self._dialect.execute("DELETE FROM descriptor WHERE id BETWEEN ? AND ?", (kind.first(), kind.last()))
        self._dialect.execute("DELETE FROM descriptor_kind WHERE id = ?", (kind.id,))

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
        self._dialect.replace("descriptor", rows)

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
        some = "SELECT id, vector, checksum FROM descriptor WHERE id {among}"
        for key, vector, stored in self._dialect.rows_among(some, keys):
            whole = isinstance(vector, bytes) and len(vector) == width
            if whole and (not verify or stored is None or stored == of_bytes(key, vector)):
                place = places[key]
                view[place * width : (place + 1) * width] = vector
                present[place] = True
        if not finite(vectors):
            present &= np.isfinite(vectors).all(axis=1)
            vectors[~present] = 0
        return vectors if packed else unpack_vectors(vectors), present

    def blocks(self, kind: KindRow, length: int = 4096, packed: bool = False) -> Iterator[tuple[Int64Ids, AnyArray]]:
        """Read all vectors of a kind in blocks, in id order; the transaction must stay open meanwhile.

        Checksums are not computed; a vector of another length or with numbers that are not finite is left out.

        Parameters
        ----------
        packed : bool
            Leave them as the library keeps them.

        Yields
        ------
        ids : Ids, (n,)
        vectors : AnyArray, (n, dimensions)
        """
        width = kind.dimensions * kind.stored().itemsize
        all_ids, joining = self.ids(kind), self._joining()
        for start in range(0, len(all_ids), length):
            ids = all_ids[start : start + length]
            limits = kind.first() | int(ids[0]), kind.first() | int(ids[-1])
            # One value for all of them: a row for each takes SQLite five times as long.
            ((joined, *lengths),) = self._dialect.rows(joining, limits)
            if lengths != [width, width] or len(joined) != len(ids) * width:
                singly = "SELECT id, vector FROM descriptor WHERE id BETWEEN ? AND ? ORDER BY id"
                rows = [row for row in self._dialect.rows(singly, limits) if _is_whole(row[1], width)]
                ids = np.array([key & _PHOTOGRAPH for key, _ in rows], np.int64)
                joined = b"".join([vector for _, vector in rows])
            vectors = np.frombuffer(joined, kind.stored()).reshape(len(ids), kind.dimensions)
            if not finite(vectors):
                whole = np.isfinite(vectors).all(axis=1)
                ids, vectors = ids[whole], vectors[whole]
            if len(ids):
                yield ids, vectors if packed else unpack_vectors(vectors)

    def _joining(self) -> str:
        """Return the statement that reads vectors between two keys as one value, and the limits of their lengths."""
        joined = self._dialect.joined("vector", "", "id", binary=True)
        limits = "min(length(vector)), max(length(vector))"
        return f"SELECT {joined}, {limits} FROM descriptor WHERE id BETWEEN ? AND ?"

    def ids(self, kind: KindRow) -> Int64Ids:
        """Return the photographs that have a vector of the kind, (n,), ascending."""
        return self._dialect.ids(f"SELECT id & {_PHOTOGRAPH} AS id {_OF_KIND}", (kind.first(), kind.last()))

    def count(self, kind: KindRow) -> int:
        """Count the vectors of a kind."""
        return int(self._dialect.value(f"SELECT count(*) {_OF_KIND}", (kind.first(), kind.last())))

    def lacking(self, kind: KindRow) -> Int64Ids:
        """Return the ready photographs that have no vector of the kind, (n,), ascending."""
        return np.setdiff1d(self._dialect.ids(_READY), self.ids(kind), assume_unique=True)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the vectors of photographs, of every kind."""
        if not len(ids):
            return
        rows = [(kind.first() | low, kind.first() | high) for kind in self.kinds() for low, high in runs(ids)]
        self._dialect.many("DELETE FROM descriptor WHERE id BETWEEN ? AND ?", rows)


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


def _is_whole(vector: object, width: int) -> bool:
    return isinstance(vector, bytes) and len(vector) == width


def _kind(row: dict[str, Any]) -> KindRow:
    kind = KindRow(**sound("descriptor_kind", row))
    try:
        kind.stored()
    except TypeError:  # of a server, whose rows have no checksums
        raise DamagedRowError(named("descriptor_kind", row)) from None
    return kind


# An index that holds no keypoints.
_OF_VERSION = "FROM keypoints INDEXED BY keypoints_by_version WHERE version = ?"


class KeptKeypoints:
    """The keypoints of a library's photographs."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

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
        self._dialect.replace("keypoints", [(*row, checksum(*row) if checked else None) for row in rows])

    def read(self, ids: Sequence[int] | Int64Ids, version: int) -> list[bytes | None]:
        """Read the keypoints of some photographs.

        Returns
        -------
        list of bytes or None
            In the order of the ids; None where there are none of the version, or they are damaged.
        """
        wanted = plain(ids)
        ordered = sorted(set(wanted))  # neighbours in the file are read one after another
        some = "SELECT photograph_id, data, checksum FROM keypoints WHERE version = ? AND photograph_id {among}"
        found: dict[int, bytes] = {
            key: data
            for key, data, stored in self._dialect.rows_among(some, ordered, (version,))
            if isinstance(data, bytes) and (stored is None or stored == checksum(key, version, data))
        }
        return [found.get(key) for key in wanted]

    def has(self, photograph_id: int, version: int) -> bool:
        """Return whether a photograph has keypoints of a version, without reading them."""
        here = f"SELECT 1 {_OF_VERSION} AND photograph_id = ?"
        return self._dialect.value(here, (version, photograph_id)) is not None

    def ids(self, version: int) -> Int64Ids:
        """Return the photographs that have keypoints of a version, (n,), ascending."""
        return self._dialect.ids(f"SELECT photograph_id AS id {_OF_VERSION}", (version,))

    def lacking(self, version: int) -> Int64Ids:
        """Return the ready photographs that have no keypoints of a version, (n,), ascending."""
        return np.setdiff1d(self._dialect.ids(_READY), self.ids(version), assume_unique=True)

    def remove(self, ids: Sequence[int] | Int64Ids) -> None:
        """Remove the keypoints of photographs."""
        self._dialect.among("DELETE FROM keypoints WHERE photograph_id {among}", plain(ids))

    def remove_dangling(self) -> None:
        """Remove the keypoints of photographs that are not there."""
        there = "EXISTS (SELECT 1 FROM photograph WHERE id = photograph_id)"
        self._dialect.execute(f"DELETE FROM keypoints WHERE NOT {there}")
