"""Distances of pairs of rows, by any measure."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix, Int64Rows


class PairMeasure(Protocol):
    """A measure of distances from one item."""

    def distances(self, query: Float32Vectors, x: Float32Vectors) -> Float64Matrix:
        """Measure items, (d,), (n, d) -> (n,)."""


def pair_distances(measure: PairMeasure, x: Float32Vectors, rows: Int64Rows) -> Float64Matrix:
    """Measure pairs of rows, (p, 2) -> (p,)."""
    found = np.empty(len(rows))
    for first in np.unique(rows[:, 0]):
        where = rows[:, 0] == first
        found[where] = measure.distances(x[first], x[rows[where, 1]])
    return found
