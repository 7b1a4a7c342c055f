"""What hash methods that look at items through a kernel have in common: the kernel, its landmarks, its transform."""

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


class KernelMethod(HashMethod):
    """Base of the methods that hash in the leading space of a kernel, known from a sample of landmarks."""

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
    scale: float | None = parameter(
        None,
        gt=0,
        le=100,
        help="Of the transform exp(s (k - 1)), for kernels with values from 0 to 1; none leaves it out. It keeps every "
        "ranking and makes the leading components easier to learn.",
    )
    norm_filter: float | None = parameter(
        None,
        gt=0,
        lt=1,
        help="Leaves items out of the candidates of which less than this part of the length lies in the leading space "
        "(N(x) / |φ_c(x)|); none keeps all. Their codes say little of them. It counts in bench, which tells how many "
        "it drops; in a library every photograph stays findable.",
    )


class RankedKernelMethod(KernelMethod):
    """Base of those of them that choose how many leading components they keep."""

    rank: int | None = parameter(
        None,
        ge=1,
        le=20_000,
        help="Leading components that are kept (r); none keeps all. Fewer leave out what the sample does not know "
        "well, up to a point that depends on the data: 32 to 128 is often best.",
    )

    def gaussian_hyperplanes(self, x: Vectors, centre: bool, progress: Progress = silent) -> KernelEncoder:
        """Draw landmarks, and hyperplanes U_r Λ_r^(-1/2) G with G standard normal, (r, bits), in their leading space.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        centre : bool
            Whether the kernel is centred.
        progress : Progress

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, or the kernel is not defined for one.
        """
        x = training_vectors(x)
        rng = np.random.default_rng(self.seed)
        step = part(progress, 0, 0.9)
        found = principal_components(x, self.kernel, self.scale, self.landmarks, rng, centre, step)
        kept = found.first(self.rank)
        progress(0.9, 1, "Drawing hyperplanes")
        weights = kept.axes @ rng.standard_normal((len(kept.eigenvalues), self.bits))
        return KernelEncoder.of(kept, weights, note=few_landmarks(len(x), self.landmarks), norm_filter=self.norm_filter)
