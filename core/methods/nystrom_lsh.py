"""Random hyperplanes in the Nyström approximation of a kernel, which is not centred.

Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015, section 5: the eigenpairs are those
of the uncentred K = U Λ U', and a query is not centred either:

    g(x) = k_x U_r Λ_r^(-1/2) G,  G standard normal (r, b)        bits: g(x) >= 0
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from core import kernels
from core.declaration import Nested, parameter
from core.hash_method import Encoder, HashMethod
from core.kernel_encoder import KernelEncoder, few_landmarks
from core.kernels import Gaussian, Kernel
from core.kpca import principal_components
from core.progress import Progress, part, silent
from core.vectors import Vectors, training_vectors


class NystromLsh(HashMethod):
    """Turns vectors into bits by Gaussian hyperplanes in the Nyström approximation of a kernel.

    It leaves out the centring of kernelized LSH, which matters: it ranks worse. Choose it to see that, as the paper
    did.
    """

    key = "nystrom-lsh"
    title = "Nyström + LSH"
    paper = "Jiang, Que and Kulis, CVPR 2015, section 5"
    encoder: ClassVar[type[Encoder]] = KernelEncoder

    kernel: Annotated[Kernel, Nested(lambda: kernels.KERNELS)] = parameter(
        Gaussian(), help="By what items are compared, and candidates ranked."
    )
    landmarks: int = parameter(
        1000,
        ge=1,
        le=20_000,
        unit="items",
        help="Items that the space is learned from (m). More know it better, and every code takes longer.",
    )
    rank: int | None = parameter(
        None, ge=1, le=20_000, help="Leading components that are kept (r); none keeps all that the landmarks show."
    )
    scale: float | None = parameter(
        None,
        gt=0,
        le=100,
        help="Of the transform exp(s (k - 1)), for kernels with values from 0 to 1; none leaves it out. It keeps every "
        "ranking and makes the leading components easier to learn.",
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> KernelEncoder:
        """Draw landmarks and Gaussian hyperplanes in their leading space.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        progress : Progress

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, or the kernel is not defined for one.
        """
        x = training_vectors(x)
        rng = np.random.default_rng(self.seed)
        step = part(progress, 0, 0.9)
        found = principal_components(x, self.kernel, self.scale, self.landmarks, rng, centre=False, progress=step)
        kept = found.first(self.rank)
        progress(0.9, 1, "Drawing hyperplanes")
        weights = kept.axes @ rng.standard_normal((len(kept.eigenvalues), self.bits))
        return KernelEncoder.of(kept, weights, note=few_landmarks(len(x), self.landmarks))
