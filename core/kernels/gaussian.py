"""The Gaussian kernel."""

from __future__ import annotations

import numpy as np

from core.arrays import Float64Matrix
from core.kernels.radial_kernel import SquaredDistanceKernel


class Gaussian(SquaredDistanceKernel):
    """exp(-gamma |x - z|²), 1 for equal items and next to nothing for those a few widths apart.

    With gamma=auto, gamma is 1 / (2 τ²), τ the average distance of sampled items to their 50th neighbour.
    """

    key = "gaussian"
    title = "Gaussian"

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return exp(-gamma s)."""
        sums *= -self.known_gamma
        return np.exp(sums, out=sums)
