"""The nearest pictures of each by an index, none missed for coming later than another.

Of each picture is kept how far the furthest of its nearest lies. A picture that comes later belongs to the nearest of
one that was there if it lies within that reach, whether or not that one is among its own nearest. A reach only shrinks
as pictures come, so that the one from before misses nothing; where pictures have gone, it is that of fewer neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.indexes.loaded_index import LoadedIndex
from core.arrays import Int64Ids
from core.exact_search.measure import Measure
from core.exact_search.measure_images import Images
from core.metrics.metric import FittedMetric
from core.search.hamming.hamming_scan import nearest_by_hamming
from core.vectors import Vectors
from storage.library.transaction import Transaction

ALL_MEASURED = 10_000
"""Most pictures of which every pair is measured exactly; of more the codes of the index say which are near."""

_ROWS = 512
_SLACK = 1e-4  # by which a product of two vectors may be rounded otherwise beside others

PictureRows = npt.NDArray[np.int64]
Distances = npt.NDArray[np.float64]
NeighbourPairs = tuple[PictureRows, Distances]


class PictureSpace(Protocol):
    """Distances between pictures.

    Attributes
    ----------
    name : str
        Distances of spaces of one name can be compared.
    telling : ndarray of int64
        Places of the pictures that lie in it, ascending.
    """

    name: str
    telling: PictureRows

    def nearest(self, asked: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        """Return the nearest of some pictures to each that is asked for, itself with them: places, (q, k), and how far.

        Parameters
        ----------
        asked, among : ndarray of int64
            Some of `telling`.
        count : int
        """


def picture_space(r: Transaction, index: LoadedIndex, ids: Int64Ids) -> PictureSpace:
    """Return where pictures lie by an index: measured exactly, or by its codes where there are many.

    Parameters
    ----------
    r : Transaction
    index : LoadedIndex
    ids : ndarray of int64, (n,)
        The photographs that stand for the pictures, in any order.
    """
    if len(ids) > ALL_MEASURED and index.structure is not None:
        return _Codes(index, ids)
    vectors, present = r.descriptors.read(index.kind, ids)
    images = Images.of(index.measure, vectors.astype(np.float32))
    name = f"{index.row.kind_id} {index.row.metric_model_id} {index.row.method}"
    if images is None:
        return _Measured(f"measured {name}", np.flatnonzero(present), index.measure, vectors)
    return _Images(f"measured {name}", np.flatnonzero(present & ~images.blank), images)


class _Images:
    """Pictures by images of their vectors."""

    def __init__(self, name: str, telling: PictureRows, images: Images) -> None:
        self.name, self.telling = name, telling
        self._vectors, self._squared = images.vectors, images.squared.astype(np.float32)

    def nearest(self, asked: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        far = self._squared[among] - 2 * (self._vectors[asked] @ self._vectors[among].T)
        return _least(far.astype(np.float64) + self._squared[asked][:, None], among, count)


class _Measured:
    """Pictures by a measure that has no images."""

    def __init__(self, name: str, telling: PictureRows, measure: Measure | FittedMetric, vectors: Vectors) -> None:
        self.name, self.telling = name, telling
        self._measure, self._vectors = measure, vectors

    def nearest(self, asked: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        others = self._vectors[among].astype(np.float32)
        far = [self._measure.distances(self._vectors[one].astype(np.float32), others) for one in asked]
        return _least(np.array(far), among, count)


class _Codes:
    """Pictures by the codes of an index."""

    def __init__(self, index: LoadedIndex, ids: Int64Ids) -> None:
        assert index.structure is not None
        order = np.argsort(ids)
        at = np.searchsorted(index.ids, ids[order])
        there = (at < len(index.ids)) & (index.ids[np.minimum(at, len(index.ids) - 1)] == ids[order])
        self.name = f"codes {index.row.id} {index.row.model_id}"
        places = order[there]
        self.telling = np.sort(places)
        self._column = np.full(len(ids), -1, np.int64)
        self._column[places] = np.arange(len(places))
        self._planes = np.ascontiguousarray(index.structure.codes(at[there]))

    def nearest(self, asked: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        among = among[np.argsort(self._column[among])]
        columns = self._column[among]
        every = len(columns) == self._planes.shape[1]
        planes = self._planes if every else np.ascontiguousarray(self._planes[:, columns])
        found = nearest_by_hamming(planes, np.ascontiguousarray(self._planes[:, self._column[asked]].T), count)
        return among[found.rows], found.distances.astype(np.float64)


def _least(far: Distances, among: PictureRows, count: int) -> NeighbourPairs:
    count = min(count, far.shape[1])
    if not count:
        return np.empty((len(far), 0), np.int64), np.empty((len(far), 0))
    found = np.argpartition(far, count - 1, axis=1)[:, :count]
    return among[found], np.take_along_axis(far, found, axis=1)


def near(space: PictureSpace, asked: PictureRows, count: int) -> Iterator[tuple[PictureRows, PictureRows, Distances]]:
    """Yield the nearest of all pictures to some, a few at a time.

    Parameters
    ----------
    space : Space
    asked : ndarray of int64
    count : int
        How many beside itself.

    Yields
    ------
    asked : ndarray of int64, (q,)
        Those that lie in the space.
    pairs : ndarray of int64, (p, 2)
        The lower place first, each once.
    reach : ndarray of float64, (q,)
        How far the furthest of its nearest lies; infinite where there are fewer.
    """
    asked = asked[np.isin(asked, space.telling)]
    for start in range(0, len(asked), _ROWS):
        some = asked[start : start + _ROWS]
        places, far = space.nearest(some, space.telling, count + 1)
        reach = far.max(axis=1) if places.shape[1] > count else np.full(len(some), np.inf)
        yield some, _pairs(np.repeat(some, places.shape[1]), places.reshape(-1)), reach


def within_reach(
    space: PictureSpace, fresh: PictureRows, old: PictureRows, reach: Distances, count: int
) -> PictureRows:
    """Return the pairs of new pictures with those that were there and have them within their reach, (p, 2).

    Parameters
    ----------
    space : Space
    fresh, old : ndarray of int64
    reach : ndarray of float64
        Of each old one.
    count : int
        So many of the new ones, at most, are among the nearest of an old one.
    """
    there = np.isin(old, space.telling)
    old, reach, fresh = old[there], reach[there], fresh[np.isin(fresh, space.telling)]
    found = [np.empty((0, 2), np.int64)]
    for start in range(0, len(old) if len(fresh) else 0, _ROWS):
        some, furthest = old[start : start + _ROWS], reach[start : start + _ROWS, None]
        places, far = space.nearest(some, fresh, count)
        inside = far <= furthest + _SLACK * (1 + np.abs(furthest))
        found.append(_pairs(np.repeat(some, places.shape[1])[inside.reshape(-1)], places[inside]))
    return np.unique(np.concatenate(found), axis=0)


def _pairs(ones: PictureRows, others: PictureRows) -> PictureRows:
    """Return pairs, the lower place first, each once; none with itself."""
    pairs = np.column_stack((np.minimum(ones, others), np.maximum(ones, others)))
    return np.unique(pairs[ones != others], axis=0)
