"""Squared Euclidean distances of rows from their queries, each sum by itself: the same to the bit in any batch."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Values
from core.compilation import compilation
from core.vectors import Vectors

_BLOCK = 128
LOOPS = "core.exact_search.squared_distances_loops"


def squared_distances(queries: Vectors, counts: npt.NDArray[np.int64], x: Vectors) -> Float64Values:
    """Measure the first rows from the first query, those after them from the second, and so on.

    Parameters
    ----------
    queries : ndarray, (q, d)
    counts : ndarray of int64, (q,)
        How many rows are measured from each.
    x : ndarray, (m, d)

    Returns
    -------
    ndarray of float64, (m,)
        Sums of float64.

    Examples
    --------
    >>> squared_distances(np.zeros((1, 2)), np.array([2]), np.array([[3.0, 4.0], [1.0, 0.0]])).tolist()
    [25.0, 1.0]
    """
    if not compilation.worth(x.size):
        far = np.array(x, np.float64, order="C")
        far -= np.repeat(queries.astype(np.float64), counts, axis=0)
        return np.asarray(np.square(far, out=far).sum(axis=1))
    kind = np.float32 if x.dtype == queries.dtype == np.float32 else np.float64
    found = np.empty(len(x))
    given = np.ascontiguousarray(queries, kind), counts, np.ascontiguousarray(x, kind)
    compilation.loops(LOOPS).measure(*given, _parts(x.shape[1]), found)
    return found


@lru_cache
def _parts(d: int) -> npt.NDArray[np.int64]:
    """Return how numpy adds d numbers that lie side by side: halves of what is longer than 128, as the loop takes it.

    Examples
    --------
    >>> _parts(300).tolist()
    [[0, 72, 0], [72, 72, 1], [144, 72, 0], [216, 84, 2]]
    """

    def halves(start: int, count: int) -> list[list[int]]:
        if count <= _BLOCK:
            return [[start, count, 0]]
        half = count // 2
        half -= half % 8
        first, second = halves(start, half), halves(start + half, count - half)
        second[-1][2] += 1
        return first + second

    return np.array(halves(0, d), np.int64)
