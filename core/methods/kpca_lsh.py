"""Random hyperplanes in the space of kernel principal components.

Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015, section 3.1: with K̄ = U Λ U',

    g(x) = (k_x - mean of the rows of K) U_r Λ_r^(-1/2) G,  G standard normal (r, b)        bits: g(x) >= 0

which is what kernelized LSH comes to, up to how its random vectors are drawn.
"""

from __future__ import annotations

import numpy as np

from core.hashing.kernel_hashing import KernelEncoder, RankedKernelMethod
from core.message import Message
from core.progress import Progress, silent
from core.projections.kernel_components import Components
from core.vectors import Vectors


class KpcaLsh(RankedKernelMethod):
    """Turns vectors into bits by Gaussian hyperplanes in the leading space of a kernel.

    It is kernelized LSH seen as it is: principal components of the kernel, then random hyperplanes. Choose it where
    klsh is chosen; its bits are drawn from the same space without the number of samples.
    """

    key = "kpca-lsh"
    title = "KPCA + LSH"
    paper = "Jiang, Que and Kulis, CVPR 2015, section 3.1"

    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Draw Gaussian hyperplanes; see `KernelMethod.of_components`."""
        progress(0, 1, Message("Drawing hyperplanes"))
        return self.gaussian_hyperplanes(found, len(x), rng)
