"""Groups of a map: a few regions that together hold every photograph, unless it truly lies alone.

Heaps are the clusters that one sees from close by; a library of a thousand photographs may have eighty. These are too
many to be told apart by colour when the whole map is shown. So heaps that lie together are joined until there are only
a few, by Ward's criterion: each time the two whose union increases the squared distances within groups least.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.embedding.neighbour_lists import heaps

MOST = 7
"""Groups at most: as many as there are colours and shapes that everybody can tell apart."""

_LEAST = 3  # fewer are of little use, even where the map falls into fewer parts
_PARTED = 1.7  # times the distance of the union before: there the map falls into parts by itself
_FAR, _FARTHER = (
    0.06,
    4.0,
)  # of the map, and times the usual distance to the nearest: from there on a photograph lies alone
_LARGE, _CELLS = 2 * MOST, 24  # heaps of more than a 14th of all are split by cells, so many along each side
_FEW = 3  # photographs of a heap that may lie alone
Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class MapGroups:
    """The group of each photograph.

    Attributes
    ----------
    number : ndarray of int32, (n,)
        0 for the largest, and so on; -1 for photographs that lie alone or whose vectors are zero.
    heap : ndarray of int64, (n,)
        The heap of each photograph, which lies within one group; -1 where there is no group.
    count : int
        Of groups.
    """

    number: Numbers
    heap: Int64Rows
    count: int

    def typical(self, number: int, xy: Float32Vectors, among: npt.NDArray[np.bool_] | None = None) -> int:
        """Return the row of a photograph that stands for a group: in the middle of its most central large heap.

        It is among the rows of ``among``, if the group has any of these.
        """
        own = self.number == number
        some = own if among is None or not (own & among).any() else own & among
        rows = np.flatnonzero(some)
        heap, places = self.heap[rows], xy[rows].astype(np.float64)
        middle = places.mean(axis=0)
        numbers, counts = np.unique(heap, return_counts=True)
        large = numbers[2 * counts >= counts.max()]
        away = [float(np.square(places[heap == one].mean(axis=0) - middle).sum()) for one in large.tolist()]
        inside = heap == large[int(np.argmin(away))]
        off = np.square(places[inside] - places[inside].mean(axis=0)).sum(axis=1)
        return int(rows[inside][int(np.argmin(off))])


def map_groups(xy: Float32Vectors, telling: npt.NDArray[np.bool_] | None = None) -> MapGroups:
    """Part the photographs of a map into a few groups; the same for the same places.

    Parameters
    ----------
    xy : ndarray of float32, (n, 2)
        In [0, 1]².
    telling : ndarray of bool, (n,), optional
        Photographs whose vectors are not zero; by default all.

    Examples
    --------
    >>> xy = np.repeat(np.array([[0.2, 0.2], [0.8, 0.2], [0.5, 0.9]], np.float32), [9, 8, 7], axis=0)
    >>> found = map_groups(xy)
    >>> np.bincount(found.number).tolist(), [found.typical(number, xy) for number in range(found.count)]
    ([9, 8, 7], [0, 9, 17])
    """
    number, heap_of = np.full(len(xy), -1, np.int32), np.full(len(xy), -1, np.int64)
    rows = np.arange(len(xy)) if telling is None else np.flatnonzero(telling)
    heap = heaps(xy[rows], every=True).number
    beside = ~_alone(xy[rows], heap)
    rows, heap = rows[beside], heap[beside]
    if len(rows) == 0:
        return MapGroups(number, heap_of, 0)
    _, own_heap = np.unique(_split(xy[rows], heap), return_inverse=True)
    sizes: Float64Matrix = np.bincount(own_heap).astype(np.float64)
    places = xy[rows].astype(np.float64)
    centres = np.stack([np.bincount(own_heap, places[:, axis]) for axis in (0, 1)], axis=1) / sizes[:, None]
    own = _joined(centres, sizes)[own_heap]
    counts = np.bincount(own)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    number[rows], heap_of[rows] = rank[own], own_heap
    return MapGroups(number, heap_of, len(order))


def _alone(xy: Float32Vectors, heap: Numbers) -> npt.NDArray[np.bool_]:
    """Return which photographs lie alone: much farther from their nearest one than usual."""
    alone = np.zeros(len(xy), np.bool_)
    if len(xy) <= _FEW:
        return alone
    from scipy.spatial import cKDTree

    suspects = np.flatnonzero(np.bincount(heap)[heap] <= _FEW)
    if len(suspects) == 0:
        return alone
    tree = cKDTree(xy)
    every = np.linspace(0, len(xy) - 1, min(len(xy), 2_000)).astype(np.int64)
    usual = float(np.median(np.asarray(tree.query(xy[every], 2)[0])[:, 1]))
    alone[suspects] = np.asarray(tree.query(xy[suspects], 2)[0])[:, 1] > max(_FAR, _FARTHER * usual)
    return alone


def _split(xy: Float32Vectors, heap: Numbers) -> npt.NDArray[np.int64]:
    """Split large heaps by the cells of a grid: one group of nearly all photographs would be of no use."""
    large = np.bincount(heap)[heap] > len(heap) / _LARGE
    cell = np.minimum((xy * _CELLS).astype(np.int64), _CELLS - 1)
    return heap.astype(np.int64) * (_CELLS**2 + 1) + np.where(large, 1 + cell[:, 0] * _CELLS + cell[:, 1], 0)


def _joined(centres: Float64Matrix, sizes: Float64Matrix) -> Numbers:
    """Join heaps until a few groups are left, and return the group of each."""
    most = int(min(MOST, max(1, np.rint(np.sqrt(sizes.sum() / 2)))))
    m = len(centres)
    centres, sizes = np.array(centres), np.array(sizes)
    cost: Float64Matrix = _cost(centres[:, None], sizes[:, None], centres, sizes)
    np.fill_diagonal(cost, np.inf)
    nearest, least = cost.argmin(axis=1), cost.min(axis=1)
    into = np.arange(m)
    left = {m: into.copy()} if m <= most else {}
    paid = {}  # cost of the union that leaves so many groups
    for count in range(m - 1, 0, -1):
        one = int(least.argmin())
        other = int(nearest[one])
        paid[count] = float(least[one])
        centres[one] = (sizes[one] * centres[one] + sizes[other] * centres[other]) / (sizes[one] + sizes[other])
        sizes[one] += sizes[other]
        into[into == other] = one
        cost[other], cost[:, other] = np.inf, np.inf
        anew = _cost(centres[one], sizes[one], centres, sizes)
        anew[(cost[one] == np.inf) & (np.arange(m) != other)] = np.inf
        anew[[one, other]] = np.inf
        cost[one], cost[:, one] = anew, anew
        # Only rows that lost their nearest look for another; one that came nearer is taken at once.
        lost = np.flatnonzero((nearest == one) | (nearest == other))
        nearest[lost], least[lost] = cost[lost].argmin(axis=1), cost[lost].min(axis=1)
        nearest[one], least[one] = int(cost[one].argmin()), float(cost[one].min())
        closer = anew < least
        nearest[closer], least[closer] = one, anew[closer]
        if count <= most:
            left[count] = into.copy()
    _, number = np.unique(left[_count(paid, max(left))], return_inverse=True)
    return np.asarray(number, np.int32)


def _cost(
    one: Float64Matrix, size: Float64Matrix | np.float64, others: Float64Matrix, sizes: Float64Matrix
) -> Float64Matrix:
    """Return by how much the squared distances within groups grow when two are joined (Ward 1963)."""
    return np.asarray(size * sizes / (size + sizes) * np.square(one - others).sum(axis=-1))


def _count(paid: dict[int, float], most: int) -> int:
    """Choose the number of groups: where one more union would cost much more than the last one."""
    for count in range(most, _LEAST - 1, -1):
        if paid.get(count - 1, 0.0) > _PARTED**2 * paid.get(count, 0.0) > 0:
            return count
    return most
