"""Distances of pairs of rows, by any measure."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]


class Measuring(Protocol):
    """A measure of distances from one item."""

    def distances(self, query: Vectors, x: Vectors) -> Matrix:
        """Measure items, (d,), (n, d) -> (n,)."""


def pair_distances(measure: Measuring, x: Vectors, rows: Rows) -> Matrix:
    """Measure pairs of rows, (p, 2) -> (p,)."""
    found = np.empty(len(rows))
    for first in np.unique(rows[:, 0]):
        where = rows[:, 0] == first
        found[where] = measure.distances(x[first], x[rows[where, 1]])
    return found
