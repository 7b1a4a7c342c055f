"""Squared Euclidean distances of all pairs by a matrix product: |x - z|² = |x|² + |z|² - 2 x·z."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arithmetic.exact_product import to_grid
from core.arrays import Float32Vectors, Float64Matrix
from core.kernels.radial_kernel import RadialKernel


class SquaredDistanceKernel(RadialKernel):
    """Base of the kernels of the squared Euclidean distance."""

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return (x - z)²."""
        return np.square(x - z)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Multiply the two tables, after both are moved to where less of the digits is lost."""
        centre = z.mean(axis=0) if len(z) else 0.0
        x, z = x - centre, z - centre
        return _from_product(x @ (-2 * z).T, _squares(x), _squares(z))

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Multiply exactly (:mod:`exact_product`); the squares are exact likewise, and equal rows at exactly 0."""
        landmarks = to_grid(z, axis=1)
        columns, squares = -2 * landmarks.T, _squares(landmarks)

        def squared(x: Float32Vectors) -> Float64Matrix:
            rows = to_grid(x, axis=1)
            return _from_product(rows @ columns, _squares(rows), squares)

        return squared

    @staticmethod
    def distances(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the Euclidean distances."""
        centre = z.mean(axis=0)
        x, z = x - centre, z - centre
        return np.sqrt(_from_product(x @ (-2 * z).T, _squares(x), _squares(z)))

    @staticmethod
    def gamma_of(distance: float) -> float:
        """Return 1 / (2 distance²)."""
        return 0.5 / distance / distance


def _squares(x: Float64Matrix) -> Float64Matrix:
    return np.asarray(np.square(x).sum(axis=1))


def _from_product(product: Float64Matrix, of_x: Float64Matrix, of_z: Float64Matrix) -> Float64Matrix:
    """Turn -2 x·z into |x - z|², in place."""
    product += of_x[:, None]
    product += of_z
    return np.maximum(product, 0, out=product)
