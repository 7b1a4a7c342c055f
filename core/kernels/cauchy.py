"""The Cauchy kernel."""

from __future__ import annotations

import numpy as np

from core.arrays import Float64Matrix
from core.kernels.radial_kernel import SquaredDistanceKernel


class Cauchy(SquaredDistanceKernel):
    """1 / (1 + gamma |x - z|²), which falls slowly: items far apart still differ in how far.

    With gamma=auto, gamma is 1 / (2 τ²), τ the average distance of sampled items to their 50th neighbour.
    """

    key = "cauchy"
    title = "Cauchy"

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return 1 / (1 + gamma s)."""
        sums *= self.known_gamma
        sums += 1
        return np.divide(1, sums, out=sums)
