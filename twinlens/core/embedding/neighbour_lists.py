"""The nearest neighbours of every item: of few items exactly, of many among the items of the nearest cells.

Many items are cut into cells by k-means, and each is compared with the items of the cells whose centres are nearest to
its own cell's (the inverted file of Jégou, Douze and Schmid, 2011, searched by cells): by its leading components first,
then the nearest of these by all its numbers.

The same lists judge a layout, by the share of neighbours that stay neighbours in the plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.embedding.principal_plane import principal_coordinates
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.k_means import k_means, nearest_centre, squared
from twinlens.core.vectors import UnitRows, as_vectors, one_thread

EXACT_UP_TO = 12_000
"""Items up to which all are compared with all: some seconds."""

_AT_ONCE = 1 << 22  # distances held at a time: 16 MB
_IN_CACHE = 1 << 17  # numbers of the candidates that are compared at a time: from memory it takes thrice as long
COMPONENTS = 48
"""Leading components by which candidates are found where items have more numbers."""
_WIDER = 2  # times k candidates are compared by all their numbers
_CELLS_PROBED = 16
_TOLD_EVERY = 64  # steps


@dataclass(frozen=True, eq=False)
class NeighbourLists:
    """The k nearest others of every item.

    Attributes
    ----------
    rows : ndarray of int64, (n, k)
        By (distance, row).
    squared_distances : ndarray of float32, (n, k)
    """

    rows: Int64Rows
    squared_distances: Float32Vectors


def neighbour_lists(
    x: npt.ArrayLike | UnitRows,
    k: int,
    seed: int = 0,
    progress: Progress = silent,
    exact_up_to: int = EXACT_UP_TO,
    leading: Float32Vectors | None = None,
) -> NeighbourLists:
    """Find the k nearest others of every item by Euclidean distance.

    Parameters
    ----------
    x : array_like, (n, d)
        Taken as float32.
    k : int
        At most n - 1 are given.
    seed : int
        Of the cells into which many items are cut.
    exact_up_to : int
        Items up to which the lists are exact.
    leading : ndarray of float32, (n, COMPONENTS), optional
        Their leading principal coordinates, where these are known already.

    Raises
    ------
    TwinlensError
        If a value is not finite.

    Examples
    --------
    >>> neighbour_lists([[0.0], [1.0], [3.0]], 1).rows.ravel().tolist()
    [1, 0, 1]
    """
    given = x if isinstance(x, UnitRows) else as_vectors(x, np.float32)
    n = len(given)
    k = max(0, min(k, n - 1))
    if k == 0:
        return NeighbourLists(np.empty((n, 0), np.int64), np.empty((n, 0), np.float32))
    with one_thread():
        exact, many_numbers = n <= max(exact_up_to, k + 1), given.shape[1] > COMPONENTS
        if exact or not many_numbers:
            # Distances are differences: keep these digits.
            whole = given[:]
            centred = whole - whole.mean(axis=0, dtype=np.float64).astype(np.float32)
            return _by_all(centred, k, progress) if exact else _by_cells(centred, k, seed, progress)
        if leading is None:
            leading = principal_coordinates(given, COMPONENTS, part(progress, 0, 0.1))
        found = _by_cells(leading, min(_WIDER * k, n - 1), seed, part(progress, 0.1, 0.5))
        return _refined(given, found, k, part(progress, 0.5, 1.0))


def _by_all(x: Float32Vectors, k: int, progress: Progress) -> NeighbourLists:
    n = len(x)
    found = NeighbourLists(np.empty((n, k), np.int64), np.empty((n, k), np.float32))
    squares = np.square(x).sum(axis=1)
    columns = np.arange(n)
    step = max(1, _AT_ONCE // n)
    for start in range(0, n, step):
        progress(start, n, Message("Finding neighbours"))
        own = columns[start : start + step]
        _nearest(x, squares, own, columns, k, found)
    return found


def _nearest(
    x: Float32Vectors, squares: Float32Vectors, own: Int64Rows, others: Int64Rows, k: int, found: NeighbourLists
) -> None:
    """Write the k nearest of some rows among others; with fewer than k, the last places hold row -1."""
    distances = x[own] @ x[others].T
    distances *= -2
    distances += squares[others]
    distances += squares[own][:, None]
    np.maximum(distances, 0, out=distances)
    distances[own[:, None] == others[None, :]] = np.inf
    have = min(k, len(others) - 1)
    if have < k:
        found.rows[own, have:], found.squared_distances[own, have:] = -1, np.inf
    if have == 0:
        return
    places = np.argpartition(distances, have - 1, axis=1)[:, :have]
    near = np.take_along_axis(distances, places, axis=1)
    rows = others[places]
    order = np.lexsort((rows, near), axis=1)
    found.rows[own, :have] = np.take_along_axis(rows, order, axis=1)
    found.squared_distances[own, :have] = np.take_along_axis(near, order, axis=1)


def _by_cells(x: Float32Vectors, k: int, seed: int, progress: Progress) -> NeighbourLists:
    n = len(x)
    count = max(2, int(np.sqrt(n)))
    centres = k_means(x, count, seed, part(progress, 0, 0.15))
    cell = nearest_centre(x, centres)
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(len(centres) + 1))
    between = squared(centres, centres)
    squares = np.square(x).sum(axis=1)
    found = NeighbourLists(np.empty((n, k), np.int64), np.empty((n, k), np.float32))
    for number in range(len(centres)):
        progress(0.15 + 0.85 * number / len(centres), 1, Message("Finding neighbours"))
        own = order[starts[number] : starts[number + 1]]
        if len(own) == 0:
            continue
        nearest = np.argsort(between[number], kind="stable")
        sizes = np.cumsum(starts[nearest + 1] - starts[nearest])
        probed = max(min(_CELLS_PROBED, len(centres)), int(np.searchsorted(sizes, k + 1)) + 1)
        others = np.sort(np.concatenate([order[starts[one] : starts[one + 1]] for one in nearest[:probed]]))
        step = max(1, _AT_ONCE // len(others))
        for start in range(0, len(own), step):
            _nearest(x, squares, own[start : start + step], others, k, found)
    return found


def _refined(x: Float32Vectors | UnitRows, found: NeighbourLists, k: int, progress: Progress) -> NeighbourLists:
    """Keep the k nearest of the candidates, by all their numbers."""
    n, wide = found.rows.shape
    kept = NeighbourLists(np.empty((n, k), np.int64), np.empty((n, k), np.float32))
    step = max(1, _IN_CACHE // (wide * x.shape[1]))
    for start in range(0, n, step):
        if start // step % _TOLD_EVERY == 0:
            progress(start, n, Message("Finding neighbours"))
        rows = found.rows[start : start + step]
        difference = x[rows] - x[start : start + step][:, None]
        distances = np.einsum("ijk,ijk->ij", difference, difference)
        order = np.lexsort((rows, distances), axis=1)[:, :k]
        kept.rows[start : start + step] = np.take_along_axis(rows, order, axis=1)
        kept.squared_distances[start : start + step] = np.take_along_axis(distances, order, axis=1)
    return kept


def kept_neighbours(lists: NeighbourLists, layout: npt.ArrayLike, k: int = 10, sample: int = 2_000) -> float:
    """Return the share of the k nearest of an item that are among its k nearest in a layout, over a sample of items.

    Parameters
    ----------
    lists : NeighbourLists
        Of at least k neighbours, or of all others.
    layout : array_like, (n, 2)
    sample : int
        Items looked at, evenly spread; all where there are not so many.
    """
    y = np.asarray(layout, np.float32)
    n = len(y)
    k = min(k, lists.rows.shape[1])
    if k == 0:
        return 1.0
    if n <= sample:
        there = neighbour_lists(y, k, exact_up_to=n).rows
        rows = np.arange(n)
    else:
        rows = np.linspace(0, n - 1, sample).astype(np.int64)
        there = _nearest_of(y, rows, k)
    own = lists.rows[rows, :k]
    return float((own[:, :, None] == there[:, None, :]).any(axis=2).mean())


def _nearest_of(y: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.int64]:
    found = np.empty((len(rows), k), np.int64)
    for place, row in enumerate(rows.tolist()):
        distances = np.square(y - y[row]).sum(axis=1)
        distances[row] = np.inf
        found[place] = np.argpartition(distances, k - 1)[:k]
    return found


Plane = npt.NDArray[np.float32]
_GRID = 160
_BLUR = 0.015  # of the side of the map: standard deviation
_SADDLE = 0.7  # of the lower summit: two heaps that are joined by a ridge as high are one
_LEAST_SHARE, _LEAST = 0.008, 4  # of the points; heaps with fewer are none


@dataclass(frozen=True, eq=False)
class Heaps:
    """The heap of each point.

    Attributes
    ----------
    number : ndarray of int32, (n,)
        0 for the heap of most points, and so on; -1 for points on none.
    summits : ndarray of float64, (heaps, 2)
        Where they are highest.
    """

    number: npt.NDArray[np.int32]
    summits: Float64Matrix


def heaps(xy: Plane, every: bool = False) -> Heaps:
    """Part points in [0, 1]² into heaps of density; ``every`` one, also those of fewer points than eyes take for one.

    Their density on a grid, blurred, is climbed from every cell to a summit; summits with a high ridge between them are
    one heap (the watershed of the density, joined by prominence).
    """
    n = len(xy)
    if n == 0:
        return Heaps(np.empty(0, np.int32), np.empty((0, 2)))
    from scipy.ndimage import gaussian_filter

    place = np.clip((xy.astype(np.float64) * _GRID).astype(np.int64), 0, _GRID - 1)
    cell = place[:, 0] * _GRID + place[:, 1]
    counts = np.bincount(cell, minlength=_GRID * _GRID).reshape(_GRID, _GRID).astype(np.float64)
    density = gaussian_filter(counts, _BLUR * _GRID, mode="constant", truncate=4.0)
    summit = _joined(density.ravel(), _climbed(density))
    labels, sizes = np.unique(summit[cell], return_counts=True)
    order = np.lexsort((labels, -sizes))
    if not every:
        order = order[sizes[order] >= max(_LEAST, _LEAST_SHARE * n)]
    number = np.full(_GRID * _GRID, -1, np.int32)
    number[labels[order]] = np.arange(len(order), dtype=np.int32)
    tops = labels[order]
    return Heaps(number[summit[cell]], (np.stack([tops // _GRID, tops % _GRID], axis=1) + 0.5) / _GRID)


def _climbed(density: Float64Matrix) -> npt.NDArray[np.int64]:
    """Return the summit above each cell: the cell that the steepest way up from cell to cell ends at."""
    side = len(density)
    padded = np.pad(density, 1, constant_values=-1.0)
    cells = np.arange(side * side).reshape(side, side)
    best, up = density.copy(), cells.copy()
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            other = padded[1 + i : 1 + i + side, 1 + j : 1 + j + side]
            higher = other > best
            best[higher] = other[higher]
            up[higher] = cells[higher] + i * side + j
    above = up.ravel()
    while True:
        further = above[above]
        if np.array_equal(further, above):
            return above
        above = further


def _joined(density: Float64Matrix, summit: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Join summits between which the ridge is high, highest ridges first; the higher summit stays."""
    side = int(np.sqrt(len(density)))
    cells = np.arange(len(density)).reshape(side, side)
    first = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    second = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    ridge = np.minimum(density[first], density[second])
    meeting = (summit[first] != summit[second]) & (ridge > 0)
    first, second, ridge = first[meeting], second[meeting], ridge[meeting]
    stays = {one: one for one in np.unique(summit).tolist()}

    def top(one: int) -> int:
        while stays[one] != one:
            one = stays[one]
        return one

    for edge in np.argsort(-ridge, kind="stable").tolist():
        one, other = top(int(summit[first[edge]])), top(int(summit[second[edge]]))
        if one == other:
            continue
        if (density[one], -one) < (density[other], -other):
            one, other = other, one
        if ridge[edge] >= _SADDLE * density[other]:
            stays[other] = one
    tops = np.arange(len(density))
    for one in stays:
        tops[one] = top(one)
    return np.asarray(tops[summit])
