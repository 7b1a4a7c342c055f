"""Kernels of a dot product: k(x, z) is a function of f(x)·f(z)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arithmetic.exact_product import to_grid
from core.arrays import Float32Vectors, Float64Matrix
from core.kernels.kernel import Kernel


class DotProductKernel(Kernel):
    """Base of the kernels of a dot product, which a matrix product gives of all pairs at once."""

    def mapped(self, x: Float64Matrix) -> Float64Matrix:
        """Return f(x) of every entry; here the entry itself."""
        return x

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return f(x) f(z)."""
        return np.multiply(self.mapped(x), self.mapped(z))

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Multiply the two tables."""
        return np.asarray(self.mapped(x) @ self.mapped(z).T)

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Multiply exactly (:mod:`core.arithmetic.exact_product`)."""
        columns = to_grid(self.mapped(z.astype(np.float64)), axis=1).T
        return lambda x: np.asarray(to_grid(self.mapped(x.astype(np.float64)), axis=1) @ columns)
