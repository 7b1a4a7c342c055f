"""Random hyperplanes in the Nyström approximation of a kernel, which is not centred.

Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015, section 5: the eigenpairs are those
of the uncentred K = U Λ U', and a query is not centred either:

    g(x) = k_x U_r Λ_r^(-1/2) G,  G standard normal (r, b)        bits: g(x) >= 0
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.hashing.kernel_hashing import KernelEncoder, RankedKernelMethod
from core.message import Message
from core.progress import Progress, silent
from core.projections.kernel_components import Components
from core.vectors import Vectors


class NystromLsh(RankedKernelMethod):
    """Turns vectors into bits by Gaussian hyperplanes in the Nyström approximation of a kernel.

    It leaves out the centring of kernelized LSH, which matters: it ranks worse. Choose it to see that, as the paper
    did.
    """

    key = "nystrom-lsh"
    title = "Nyström + LSH"
    paper = "Jiang, Que and Kulis, CVPR 2015, section 5"

    centred: ClassVar[bool] = False

    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Draw Gaussian hyperplanes; see `KernelMethod.of_components`."""
        progress(0, 1, Message("Drawing hyperplanes"))
        return self.gaussian_hyperplanes(found, len(x), rng)
