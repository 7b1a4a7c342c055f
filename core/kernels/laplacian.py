"""The Laplacian kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix
from core.kernels import plain_sums
from core.kernels.radial_kernel import RadialKernel
from core.kernels.sums import sums


class Laplacian(RadialKernel):
    """exp(-gamma |x - z|_1), of the sum of the absolute differences: a few large ones count for less.

    With gamma=auto, gamma is 1 / τ, τ the average distance (sum of absolute differences) of sampled items to their
    50th neighbour.
    """

    key = "laplacian"
    title = "Laplacian"

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return |x - z|."""
        return np.abs(x - z)

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return exp(-gamma s)."""
        sums *= -self.known_gamma
        return np.exp(sums, out=sums)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Add |x - z| in the stated order."""
        return self.distances(x, z)

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Add |x - z| in the stated order, of float32."""
        columns = np.ascontiguousarray(z.T)
        return lambda x: sums(plain_sums.DISTANCE, x, columns)

    @staticmethod
    def distances(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the sums of the absolute differences."""
        return sums(plain_sums.DISTANCE, x, np.ascontiguousarray(z.T))

    @staticmethod
    def gamma_of(distance: float) -> float:
        """Return 1 / distance."""
        return 1 / distance
