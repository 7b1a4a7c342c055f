"""Squared Euclidean distances of rows from their queries, and the smallest of many values with their rows.

Each sum is added up by itself, in one order, so a distance is the same to the bit in any batch.

Lines of values come block by block, and the smallest of each line are kept. A line's limit is the largest value that
it still keeps: a block is compared with the limits in one pass, and since less and less is below them, that pass is
nearly all that a block costs.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, FloatArray, Int64Rows
from twinlens.core.compilation import compilation
from twinlens.core.vectors import Vectors

_BLOCK = 128
LOOPS = "twinlens.core.exact_search.squared_distances_loops"


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


class SmallestValues:
    """Keeps the smallest values of each line.

    Parameters
    ----------
    count : int
        Kept of each line; fewer where fewer finite values came. Of equal values any are kept.
    spare : int, optional
        How many more a line takes before it is thinned: the fewer, the sooner limits fall and the more that costs.
    """

    def __init__(self, lines: int, count: int, spare: int | None = None) -> None:
        self.count = count
        self.room = count + (count + 64 if spare is None else spare)
        self.near = np.full((lines, self.room), np.inf)
        self.rows = np.zeros((lines, self.room), np.int64)
        self.filled = np.zeros(lines, np.int64)
        self.limits = np.full(lines, np.inf)
        """A value that was not kept is at least this, for each line; infinite where every one was."""

    def add(self, values: FloatArray, first: int) -> None:
        """Add a block, (lines, m), whose columns are the rows ``first`` and following; infinite ones are left out."""
        # Until there are limits, everything is wanted: not so much at once that it is thinned over and over.
        step = self.room - self.count
        while np.isinf(self.limits).any() and values.shape[1] > step:
            self._take(values[:, :step], first)
            values, first = values[:, step:], first + step
        self._take(values, first)

    def nearest(self, count: int) -> FloatArray:
        """Return the ``count``-th smallest value of each line, infinite where there are fewer."""
        used = max(count, int(self.filled.max(initial=0)))
        values = np.where(np.arange(used) < self.filled[:, None], self.near[:, :used], np.inf)
        return np.asarray(np.partition(values, count - 1, axis=1)[:, count - 1])

    def below(self, limits: FloatArray) -> list[Int64Rows]:
        """Return the rows of each line whose values are below a limit, (lines,), ascending."""
        used = int(self.filled.max(initial=0))
        wanted = (self.near[:, :used] < limits[:, None]) & (np.arange(used) < self.filled[:, None])
        rows = np.sort(np.where(wanted, self.rows[:, :used], np.iinfo(np.int64).max), axis=1)
        return [there[:count] for there, count in zip(rows, wanted.sum(axis=1).tolist(), strict=True)]

    def put(self, lines: Int64Rows, rows: Int64Rows, values: FloatArray) -> None:
        """Add single values, (p,) each, lines ascending."""
        if self.count == 0 or not len(lines):
            return
        counts = np.bincount(lines, minlength=len(self.filled))
        self._thin(np.flatnonzero(self.filled + counts > self.room))
        if (self.filled + counts > self.room).any():
            half = len(lines) // 2
            self.put(lines[:half], rows[:half], values[:half])
            self.put(lines[half:], rows[half:], values[half:])
            return
        starts = np.cumsum(counts) - counts
        at = self.filled[lines] + np.arange(len(lines)) - starts[lines]
        self.near[lines, at] = values
        self.rows[lines, at] = rows
        self.filled += counts
        self._thin(np.flatnonzero(np.isinf(self.limits) & (self.filled >= self.count)))

    def _take(self, values: FloatArray, first: int) -> None:
        wanted = values < self.limits.astype(values.dtype)[:, None]
        places = np.flatnonzero(wanted)
        lines, columns = np.divmod(places, values.shape[1])
        self.put(lines, columns + first, values.reshape(-1)[places])

    def _thin(self, lines: Int64Rows) -> None:
        """Keep no more than are wanted, and know the limits."""
        lines = lines[self.filled[lines] >= self.count]
        if not len(lines) or self.count == 0:
            return
        used = int(self.filled[lines].max())
        near, rows = self.near[lines, :used], self.rows[lines, :used]
        near[np.arange(used) >= self.filled[lines][:, None]] = np.inf
        chosen = np.argpartition(near, self.count - 1, axis=1)[:, : self.count]
        self.near[lines, : self.count] = np.take_along_axis(near, chosen, 1)
        self.rows[lines, : self.count] = np.take_along_axis(rows, chosen, 1)
        self.filled[lines] = self.count
        self.limits[lines] = self.near[lines, : self.count].max(axis=1)
