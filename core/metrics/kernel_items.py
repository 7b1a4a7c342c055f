"""Items made ready to be measured under a metric that was learned of a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix
from core.kernels.kernel import Kernel
from core.metrics.metric import FARTHEST
from core.vectors import Vectors

_DECIMALS = 12  # of a squared distance: beyond this is rounding alone


@dataclass(frozen=True, eq=False)
class KernelItems:
    """Items, and where they are along the learned directions. Made by `KernelMetric.against`.

    Attributes
    ----------
    kernel : Kernel
    x : ndarray, (n, d)
    coordinates : ndarray of float64, (n, q)
        y.
    weights : ndarray of float64, (q,)
        a - 1.
    """

    kernel: Kernel
    x: Vectors
    coordinates: Float64Matrix
    weights: Float64Matrix

    @cached_property
    def telling(self) -> npt.NDArray[np.bool_]:
        """The rows that are not all zero, (n,)."""
        return np.asarray(self.x.any(axis=1))

    @cached_property
    def norms(self) -> Float64Matrix:
        """k(x, x) of each, (n,); 0 for what cannot be compared."""
        unit = self.kernel.normalise and self.kernel.positive_definite
        norms = self.telling.astype(np.float64) if unit else self.kernel.diagonal(self.x)
        norms[(norms < 0) | ~self.telling] = 0
        return norms

    @cached_property
    def learned_norms(self) -> Float64Matrix:
        """s_A(x, x) of each, (n,)."""
        return np.maximum(self.norms + self._weighed(self.coordinates, self.coordinates), 0)

    def _weighed(self, left: Float64Matrix, right: Float64Matrix) -> Float64Matrix:
        # numpy adds each row of a contiguous table in an order that depends on its length alone.
        return np.asarray((left * self.weights * right).sum(axis=1))

    def products(self, asked: KernelItems) -> Float64Matrix:
        """Evaluate s_A of each with one other, (n,)."""
        plain = self.kernel.pairs(self.x, asked.x)
        plain[~self.telling] = 0
        if not asked.telling[0]:
            plain[:] = 0
        return np.asarray(plain + self._weighed(self.coordinates, asked.coordinates))

    def distances(self, asked: KernelItems, spread: float) -> Float64Matrix:
        """Measure each against one other: d_A / spread, below ``FARTHEST``; that for what is zero throughout, (n,)."""
        far = self.coordinates - asked.coordinates
        squared = self.norms + asked.norms - 2 * self.kernel.pairs(self.x, asked.x) + self._weighed(far, far)
        squared = np.round(np.maximum(squared, 0) / spread**2, _DECIMALS)
        distances = np.minimum(np.sqrt(squared), FARTHEST)
        distances[~self.telling & ~asked.telling] = 0
        distances[self.telling != asked.telling] = FARTHEST
        return distances

    def angles(self, asked: KernelItems) -> Float64Matrix:
        """Measure each against one other by the normalised learned kernel: sqrt(2 - 2 cos), in [0, 2], (n,)."""
        scale = np.sqrt(self.learned_norms * asked.learned_norms)
        cosines = np.divide(self.products(asked), scale, out=np.full(len(scale), -1.0), where=scale > 0)
        cosines[~self.telling & ~asked.telling] = 1
        return np.asarray(np.sqrt(np.round(2 - 2 * np.clip(cosines, -1, 1), _DECIMALS)))
