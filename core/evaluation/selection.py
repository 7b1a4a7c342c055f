"""The smallest values of each of many lines that come block by block, and where they stood.

A line's limit is the largest value that it still keeps: a block is compared with the limits in one pass, and since
less and less is below them, that pass is nearly all that a block costs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.floating]
Rows = npt.NDArray[np.int64]


class Selection:
    """Keeps the smallest values of each line.

    Parameters
    ----------
    lines : int
    count : int
        Kept of each line; fewer where fewer finite values came. Of equal values any are kept.
    """

    def __init__(self, lines: int, count: int) -> None:
        self.count = count
        self.room = 2 * count + 64
        self.near = np.full((lines, self.room), np.inf)
        self.rows = np.zeros((lines, self.room), np.int64)
        self.filled = np.zeros(lines, np.int64)
        self.limits = np.full(lines, np.inf)
        """A value that was not kept is at least this, for each line; infinite where every one was."""

    def add(self, values: Values, first: int) -> None:
        """Take a block, (lines, m), whose columns are the rows ``first`` and following; infinite ones are left out."""
        # Until there are limits, everything is wanted: not so much at once that it is thinned over and over.
        step = self.room - self.count
        while np.isinf(self.limits).any() and values.shape[1] > step:
            self._take(values[:, :step], first)
            values, first = values[:, step:], first + step
        self._take(values, first)

    def line(self, number: int) -> tuple[Rows, npt.NDArray[np.float64]]:
        """Give what is kept of a line, in no order: rows and values."""
        self._thin(np.array([number]))
        filled = self.filled[number]
        return self.rows[number, :filled], self.near[number, :filled]

    def put(self, lines: Rows, rows: Rows, values: Values) -> None:
        """Take single values, (p,) each, lines ascending."""
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

    def _take(self, values: Values, first: int) -> None:
        wanted = values < self.limits.astype(values.dtype)[:, None]
        places = np.flatnonzero(wanted)
        lines, columns = np.divmod(places, values.shape[1])
        self.put(lines, columns + first, values.reshape(-1)[places])

    def _thin(self, lines: Rows) -> None:
        """Keep no more than are wanted, and know the limits."""
        lines = lines[self.filled[lines] >= self.count]
        if not len(lines) or self.count == 0:
            return
        near, rows = self.near[lines], self.rows[lines]
        near[np.arange(self.room) >= self.filled[lines][:, None]] = np.inf
        chosen = np.argpartition(near, self.count - 1, axis=1)[:, : self.count]
        self.near[lines, : self.count] = np.take_along_axis(near, chosen, 1)
        self.rows[lines, : self.count] = np.take_along_axis(rows, chosen, 1)
        self.filled[lines] = self.count
        self.limits[lines] = self.near[lines, : self.count].max(axis=1)
