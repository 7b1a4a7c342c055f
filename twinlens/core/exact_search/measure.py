"""The measure of an index: the exact distance and similarity that rank candidates, and exact search by it.

It is the distance that a kernel induces, after normalising the kernel so that every item is 1 to itself:

    k'(x, z) = k(x, z) / sqrt(k(x, x) k(z, z)),   distance = sqrt(2 - 2 k'),   similarity = max(0, k')

so a distance lies in [0, 2] and a similarity in [0, 1]. An item that is zero throughout (a photograph without a
keypoint) is like nothing but another such item: distance 2, similarity 0, ranked last, never lost.

Exact search computes every distance, a block at a time, and keeps the k best. Where distances are known approximately,
only those too close to call are measured to put rows in their exact order.

It is the yardstick of every other search, and it ranks their candidates.

Examples
--------
>>> import numpy as np
>>> x = np.array([3.0, 1.0, 2.0, 1.0])
>>> found = nearest_by(lambda rows: np.abs(x[rows] - 1.5), n=4, k=3)
>>> found.rows.tolist(), found.distances.tolist()
([1, 2, 3], [0.5, 0.5, 0.5])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Rows
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.vectors import Vectors

FORMULA = "similarity = max(0, k(x, z) / sqrt(k(x, x) k(z, z)))"
_BLANK = -1.0
_DECIMALS = 12  # k' is known to about 1e-15; beyond this only rounding would order items that are equal but for scale


@dataclass(frozen=True)
class Measure:
    """Exact distances and similarities under a kernel.

    Parameters
    ----------
    kernel : Kernel
        Of the descriptor, or of the hash method where it has one.

    Examples
    --------
    >>> from twinlens.core.kernels.dot_product_kernels import Linear
    >>> Measure(Linear()).distances(np.array([1.0, 0.0]), np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]))
    array([0.        , 1.41421356, 2.        ])
    """

    kernel: Kernel

    def distances(self, query: Vectors, x: Vectors) -> npt.NDArray[np.float64]:
        """Measure one query against many items.

        Parameters
        ----------
        query : ndarray, (d,)
        x : ndarray, (n, d)

        Returns
        -------
        ndarray of float64, (n,)
            In [0, 2]; equal items at exactly 0. Of an item always the same, whatever items are measured beside it.
        """
        query_row = query[None, :]
        own, theirs = self._norms(query_row)[0], self._norms(x)
        scale = np.sqrt(own * theirs)
        normal = np.divide(self.kernel.pairs(x, query_row), scale, out=np.full(len(x), _BLANK), where=scale > 0)
        if own == 0:
            normal[theirs == 0] = 1.0
        squared = np.round(2 - 2 * np.clip(normal, -1, 1), _DECIMALS)
        return np.asarray(np.sqrt(squared))

    def _norms(self, x: Vectors) -> npt.NDArray[np.float64]:
        """Return k(x, x) of each row, and 0 for what cannot be compared, whatever the kernel makes of it."""
        norms = self.kernel.diagonal(x)
        norms[(norms < 0) | ~x.any(axis=1)] = 0
        return norms

    def similarities(self, distances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Turn distances into similarities in [0, 1], the same order reversed (``FORMULA``)."""
        return np.clip(1 - np.square(distances) / 2, 0, 1)


BLOCK = 4_096
"""Rows whose distances are asked for at once, unless the caller knows better."""


class NearestItems(NamedTuple):
    """The nearest items, ordered by (distance, row).

    Attributes
    ----------
    distances : float64 array, (found,)
        What cannot be compared (NaN) comes out as infinite, and so last.
    rows : int64 array, (found,)
    """

    distances: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]


def nearest_by(
    distance_block: Callable[[slice], npt.NDArray[Any]],
    n: int,
    k: int,
    mask: npt.NDArray[np.bool_] | None = None,
    block: int = BLOCK,
) -> NearestItems:
    """Find the k nearest of n rows by any measure, exactly.

    Parameters
    ----------
    distance_block : function of a slice, start and stop given, returning float array, (rows,)
        The distances of these rows from the query; called in row order, once per block, and not at all for a block
        that the mask leaves out whole.
    n : int
        Number of rows.
    k : int
        How many; any number from 0.
    mask : bool array, (n,), optional
        False for rows that may not be found.
    block : int
        Rows at once.

    Returns
    -------
    NearestItems
        Both arrays (k',), k' the smaller of k and the number of rows that may be found. Where the rows are candidates
        of another search, give them in the order of their ids for ties to be in that order.

    Raises
    ------
    ValueError
        If k is negative, or the mask or a block of distances is of another length.
    """
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    if mask is not None and mask.shape != (n,):
        raise ValueError(f"the mask must be ({n},), not {mask.shape}")
    distances, rows = np.empty(0), np.empty(0, np.int64)
    for start in range(0, n if k else 0, block):
        stop = min(start + block, n)
        allowed = np.arange(stop - start) if mask is None else np.flatnonzero(mask[start:stop])
        if len(allowed) == 0:
            continue
        found = distance_block(slice(start, stop))
        if found.shape != (stop - start,):
            raise ValueError(f"rows {start} to {stop} have distances of shape {found.shape}")
        near = found[allowed].astype(np.float64)
        near[np.isnan(near)] = np.inf
        # Rows come in order, so one that ties with the k-th so far loses to it.
        wanted = near < distances[-1] if len(distances) == k else near <= _kth(near, k)
        distances = np.concatenate([distances, near[wanted]])
        rows = np.concatenate([rows, allowed[wanted] + start])
        order = np.lexsort((rows, distances))[:k]
        distances, rows = distances[order], rows[order]
    return NearestItems(distances, rows)


def _kth(distances: npt.NDArray[np.float64], k: int) -> float:
    """Return a bound of the k-th smallest distance."""
    return float(np.partition(distances, k - 1)[k - 1]) if k <= len(distances) else np.inf


Exactly = Callable[[Int64Rows], Float64Matrix]
"""Measures rows exactly, (m,) -> (m,)."""


def nearest_exactly(
    approximate: Float64Matrix, error: float, exactly: Exactly, k: int
) -> tuple[Int64Rows, Float64Matrix]:
    """Find the k nearest rows, ordered by (exact distance, row).

    Parameters
    ----------
    approximate : ndarray of float64, (n,)
        Squared distances, none off by more than ``error``.
    exactly : callable
        Gives the distances of rows, not squared.

    Returns
    -------
    rows : ndarray of int64, (k',)
    distances : ndarray of float64, (k',)
        Exact.

    Examples
    --------
    >>> true = np.array([0.30, 0.10, 0.31, 0.10])
    >>> approximate = np.array([0.32, 0.10, 0.30, 0.11]) ** 2
    >>> rows, distances = nearest_exactly(approximate, 0.02, lambda rows: true[rows], 3)
    >>> rows.tolist(), distances.tolist()
    ([1, 3, 0], [0.1, 0.1, 0.3])
    """
    k = min(k, len(approximate))
    if not k:
        return np.empty(0, np.int64), np.empty(0)
    bound = np.partition(approximate, k - 1)[k - 1] + 2 * error
    rows = np.flatnonzero(approximate <= bound).astype(np.int64)
    distances = exactly(rows)
    order = np.lexsort((rows, distances))[:k]
    return rows[order], distances[order]


def exact_places(
    rows: Int64Rows, distances: Float64Matrix, approximate: Float64Matrix, error: float, exactly: Exactly
) -> Int64Rows:
    """Return the places of rows, from 0, in the order of (exact distance, row), (m,) -> (m,).

    Parameters
    ----------
    rows : ndarray of int64, (m,)
    distances : ndarray of float64, (m,)
        Theirs, exact.
    approximate, error, exactly
        As for :func:`nearest_exactly`.

    Examples
    --------
    >>> true = np.array([0.30, 0.10, 0.31, 0.10])
    >>> approximate = np.array([0.32, 0.10, 0.30, 0.11]) ** 2
    >>> exact_places(np.array([3, 2]), true[[3, 2]], approximate, 0.02, lambda rows: true[rows]).tolist()
    [1, 3]
    """
    order = np.argsort(approximate)
    ordered = approximate[order]
    squared = np.square(distances)
    surely = np.searchsorted(ordered, squared - error, side="left")
    perhaps = np.searchsorted(ordered, squared + error, side="right")
    unsure = [order[low:high] for low, high in zip(surely.tolist(), perhaps.tolist(), strict=True)]
    unsure_rows = np.unique(np.concatenate(unsure)) if unsure else np.empty(0, np.int64)
    known = exactly(unsure_rows.astype(np.int64))
    found = np.empty(len(rows), np.int64)
    for place, (row, distance, near) in enumerate(zip(rows.tolist(), distances.tolist(), unsure, strict=True)):
        theirs = known[np.searchsorted(unsure_rows, near)]
        found[place] = surely[place] + int(((theirs < distance) | ((theirs == distance) & (near < row))).sum())
    return found
