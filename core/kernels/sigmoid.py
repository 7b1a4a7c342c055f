"""The sigmoid kernel."""

from __future__ import annotations

import numpy as np

from core.arrays import Float64Matrix
from core.declaration.declaration import parameter
from core.kernels.kernel import DotProductKernel


class Sigmoid(DotProductKernel):
    """tanh(a x·z + c), as a neuron would weigh x by z. It is not positive definite: bounds on its distances fail."""

    key = "sigmoid"
    title = "Sigmoid"

    a: float = parameter(1.0, ge=-1e6, le=1e6, help="Factor of the dot product. Larger tells the alike less apart.")
    c: float = parameter(0.0, ge=-1e6, le=1e6, help="Added to the dot product.")

    @property
    def positive_definite(self) -> bool:
        """Never."""
        return False

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return tanh(a s + c)."""
        sums *= self.a
        sums += self.c
        return np.tanh(sums, out=sums)
