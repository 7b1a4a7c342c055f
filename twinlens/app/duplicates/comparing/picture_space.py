"""A space of pictures: their distances by an index, exactly, or by its codes where there are many pictures.

:func:`near` finds the neighbours of some pictures, and :func:`within_reach` the older pictures of which new ones are
neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.methods.catalogue import search_structure
from twinlens.core.arrays import Int64Ids, UInt64Words
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import Images
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.search.hamming_scan import nearest_by_hamming
from twinlens.core.search.search_structure import Structure
from twinlens.core.systems import system
from twinlens.core.vectors import Vectors
from twinlens.storage.library.store import Transaction

ALL_MEASURED = 10_000
"""Most pictures of which every pair is measured exactly; of more, the codes of the index find the neighbours."""

LISTED_FROM = 200_000
"""Pictures from which on those of an inverted file are the candidates: comparing all codes grows with the square."""

_SCANS = 4_096
"""Scans that take as long as building the inverted file."""

_ROWS = 512
_SLACK = 1e-4  # a product of two vectors is rounded differently in another batch
Distances = npt.NDArray[np.float64]
PictureRows = npt.NDArray[np.int64]
NeighbourPairs = tuple[PictureRows, Distances]


def picture_space(r: Transaction, index: LoadedIndex, ids: Int64Ids) -> PictureSpace:
    """Return the space of pictures by an index: of exact distances, or of its codes where there are many pictures.

    Parameters
    ----------
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


class PictureSpace(Protocol):
    """A space in which pictures have distances.

    Attributes
    ----------
    name : str
        Distances of spaces with equal names can be compared.
    telling : ndarray of int64
        Places of the pictures that lie in it, ascending.
    """

    name: str
    telling: PictureRows

    def nearest(self, queries: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        """Return the places of the pictures nearest to each query, itself included, (q, k), and their distances.

        Parameters
        ----------
        queries, among : ndarray of int64
            Some of `telling`.
        """

    def distances(self, queries: PictureRows, among: PictureRows) -> Distances:
        """Return the distances of some pictures to others, (q, n), all of `telling`."""


def near(space: PictureSpace, queries: PictureRows, count: int) -> Iterator[tuple[PictureRows, PictureRows, Distances]]:
    """Yield the nearest neighbours of some pictures among all, a few at a time.

    Parameters
    ----------
    queries : ndarray of int64
    count : int
        Neighbours of each, without itself.

    Yields
    ------
    queries : ndarray of int64, (q,)
        Those that lie in the space.
    pairs : ndarray of int64, (p, 2)
        The lower place first, each once.
    reach : ndarray of float64, (q,)
        Distance of the furthest neighbour; infinite where there are fewer.
    """
    queries = queries[np.isin(queries, space.telling)]
    for start in range(0, len(queries), _ROWS):
        some = queries[start : start + _ROWS]
        places, far = space.nearest(some, space.telling, count + 1)
        reach = far.max(axis=1) if places.shape[1] > count else np.full(len(some), np.inf)
        yield some, _pairs(np.repeat(some, places.shape[1]), places.reshape(-1)), reach


def within_reach(
    space: PictureSpace, fresh: PictureRows, old: PictureRows, reach: Distances, count: int
) -> PictureRows:
    """Return the pairs of new pictures with older ones within whose reach they are, (p, 2).

    Parameters
    ----------
    fresh, old : ndarray of int64
    reach : ndarray of float64
        Of each old one.
    count : int
        New pictures among the nearest of an old one, at most.
    """
    there = np.isin(old, space.telling)
    old, reach, fresh = old[there], reach[there], fresh[np.isin(fresh, space.telling)]
    reach = reach + _SLACK * (1 + np.abs(reach))
    found = [np.empty((0, 2), np.int64)]
    if len(fresh) <= count:  # an old one may have all of them: much faster than to rank them for each old one
        for one in fresh:
            inside = old[space.distances(one[None], old)[0] <= reach]
            found.append(_pairs(inside, np.full(len(inside), one)))
    else:
        for start in range(0, len(old), _ROWS):
            some = old[start : start + _ROWS]
            places, far = space.nearest(some, fresh, count)
            within = far <= reach[start : start + _ROWS, None]
            found.append(_pairs(np.repeat(some, places.shape[1])[within.reshape(-1)], places[within]))
    return np.unique(np.concatenate(found), axis=0)


def _pairs(ones: PictureRows, others: PictureRows) -> PictureRows:
    """Return pairs with the lower place first, each once, and none of a picture with itself."""
    pairs = np.column_stack((np.minimum(ones, others), np.maximum(ones, others)))
    return np.unique(pairs[ones != others], axis=0)


class _Images:
    """Euclidean distances between images of vectors."""

    def __init__(self, name: str, telling: PictureRows, images: Images) -> None:
        self.name, self.telling = name, telling
        self._vectors, self._squared = images.vectors, images.squared.astype(np.float32)

    def nearest(self, queries: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        return _least(self.distances(queries, among), among, count)

    def distances(self, queries: PictureRows, among: PictureRows) -> Distances:
        far = self._squared[among] - 2 * (self._vectors[queries] @ self._vectors[among].T)
        return far.astype(np.float64) + self._squared[queries][:, None]


class _Measured:
    """Distances by a measure that has no Euclidean images."""

    def __init__(self, name: str, telling: PictureRows, measure: Measure | FittedMetric, vectors: Vectors) -> None:
        self.name, self.telling = name, telling
        self._measure, self._vectors = measure, vectors

    def nearest(self, queries: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        return _least(self.distances(queries, among), among, count)

    def distances(self, queries: PictureRows, among: PictureRows) -> Distances:
        others = self._vectors[among].astype(np.float32)
        return np.array([self._measure.distances(self._vectors[one].astype(np.float32), others) for one in queries])


class _Codes:
    """Hamming distances between the codes of an index."""

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
        self._lists: Structure | None = None
        self._scanned = 0

    def nearest(self, queries: PictureRows, among: PictureRows, count: int) -> NeighbourPairs:
        among = among[np.argsort(self._column[among])]
        columns = self._column[among]
        every = len(columns) == self._planes.shape[1]
        planes = self._planes if every else np.ascontiguousarray(self._planes[:, columns])
        asked = np.ascontiguousarray(self._planes[:, self._column[queries]].T)
        if every and self._lists_pay(len(queries)):
            listed = self._nearest_listed(asked, min(count, planes.shape[1]))
            return among[listed[0]], listed[1]
        found = nearest_by_hamming(planes, asked, count)
        return among[found.rows], found.distances.astype(np.float64)

    def distances(self, queries: PictureRows, among: PictureRows) -> Distances:
        columns, asked = self._column[among], self._planes[:, self._column[queries]]
        far: Distances = np.zeros((len(queries), len(among)))
        for plane, own in zip(self._planes, asked, strict=True):
            np.add(far, np.bitwise_count(plane[columns] ^ own[:, None]), out=far)
        return far

    def _lists_pay(self, queries: int) -> bool:
        """Return whether all codes lie in lists: they are many, and were scanned as often as building lists takes."""
        n = self._planes.shape[1]
        self._scanned += queries
        if self._lists is None and n >= LISTED_FROM and self._scanned >= _SCANS:
            self._lists = search_structure("ivf").build(self._planes)
        return self._lists is not None

    def _nearest_listed(self, queries: UInt64Words, count: int) -> tuple[PictureRows, Distances]:
        """Find the nearest codes of each query by the lists, which may miss a few of the farther ones."""
        lists = self._lists
        assert lists is not None
        with ThreadPoolExecutor(system.processors(), thread_name_prefix="lists") as pool:
            found = list(pool.map(lambda code: lists.candidates(code, count), queries))
        rows, far = np.stack([one.rows for one in found]), np.stack([one.distances for one in found])
        return rows, far.astype(np.float64)


def _least(far: Distances, among: PictureRows, count: int) -> NeighbourPairs:
    count = min(count, far.shape[1])
    if not count:
        return np.empty((len(far), 0), np.int64), np.empty((len(far), 0))
    found = np.argpartition(far, count - 1, axis=1)[:, :count]
    return among[found], np.take_along_axis(far, found, axis=1)
