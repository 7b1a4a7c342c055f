"""Kernels of histograms, whose entries are not negative. Of rows that sum to 1 every value lies in [0, 1]."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twinlens.core.arrays import Float32Vectors, Float64Matrix
from twinlens.core.kernels.kernel import DotProductKernel, Kernel, UnitRange
from twinlens.core.kernels.sums import CHI_SQUARE, INTERSECTION, sums


class HistogramKernel(Kernel):
    """Base of the kernels of histograms."""

    non_negative = True

    @property
    def unit_range(self) -> UnitRange:
        """All rows where it is normalised, else those that sum to at most 1."""
        return UnitRange.ALL_ROWS if self.normalise else UnitRange.UNIT_SUMS


class Intersection(HistogramKernel):
    """Histogram intersection, the sum of min(x, z): the share of one histogram that the other covers."""

    key = "intersection"
    title = "Histogram intersection"

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return min(x, z)."""
        return np.minimum(x, z)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Add min(x, z) in the stated order."""
        return sums(INTERSECTION, x, np.ascontiguousarray(z.T))

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Add min(x, z) in the stated order, of float32."""
        columns = np.ascontiguousarray(z.T)
        return lambda x: sums(INTERSECTION, x, columns)


class ChiSquare(HistogramKernel):
    """The additive chi-square kernel, the sum of 2xz / (x + z): differences in small bins count for more."""

    key = "chi-square"
    title = "Chi-square"

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return xz / (x + z), and 0 where both are 0."""
        both = x + z
        return np.asarray(np.divide(x * z, both, out=np.zeros_like(both), where=both != 0))

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return twice the sum."""
        return np.multiply(sums, 2, out=sums)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Add xz / (x + z) in the stated order."""
        return sums(CHI_SQUARE, x, np.ascontiguousarray(z.T))

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Add xz / (x + z) in the stated order, of float32."""
        columns = np.ascontiguousarray(z.T)
        return lambda x: sums(CHI_SQUARE, x, columns)


class Hellinger(HistogramKernel, DotProductKernel):
    """The Hellinger (Bhattacharyya) kernel, the sum of sqrt(x z): a dot product of square roots."""

    key = "hellinger"
    title = "Hellinger"

    def mapped(self, x: Float64Matrix) -> Float64Matrix:
        """Return the root of every entry."""
        return np.sqrt(x)
