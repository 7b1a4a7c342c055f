"""Kernel principal components, rotated towards the signs: the rotation of ITQ behind the projection of KLSH.

Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3, on the coordinates V = (k_x - mean) U_b Λ_b^(-1/2):

    R the rotation of |sign(V R) - V R| least        bits: sign(V R)
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from core import kernels
from core.declaration import Nested, parameter
from core.hash_method import Encoder, HashMethod
from core.kernel_encoder import KernelEncoder
from core.kernels import Gaussian, Kernel
from core.kpca import principal_components
from core.progress import Progress, part, silent
from core.rotation import learn_rotation
from core.subspaces import draw, padded
from core.vectors import Vectors, training_vectors


class KpcaItq(HashMethod):
    """Turns vectors into bits along the components of a kernel, rotated so that little is lost.

    It is itq for kernels such as chi-square. Choose it for short codes of histograms; the rank is the number of bits.
    """

    key = "kpca-itq"
    title = "KPCA + ITQ"
    paper = "Gong and Lazebnik, CVPR 2011; Jiang, Que and Kulis, CVPR 2015, section 3.1"
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
    iterations: int = parameter(50, ge=0, le=1_000, help="Turns of the rotation; more than 50 change little.")

    def fit(self, x: Vectors, progress: Progress = silent) -> KernelEncoder:
        """Draw landmarks, find their components and learn the rotation.

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
        step = part(progress, 0, 0.3)
        found = principal_components(x, self.kernel, self.scale, self.landmarks, rng, progress=step)
        kept = found.first(self.bits)
        rows = draw(len(x), _ROTATED, rng)
        coordinates = kept.coordinates(x[rows], part(progress, 0.3, 0.5))
        # Fewer components than bits: the others are random combinations of what there is.
        mixing = padded(np.eye(len(kept.eigenvalues)), self.bits, rng) if len(kept.eigenvalues) >= self.bits else None
        if mixing is None:
            mixing = rng.standard_normal((len(kept.eigenvalues), self.bits)) / np.sqrt(max(1, self.bits))
        rotation = learn_rotation(coordinates @ mixing, self.iterations, rng, part(progress, 0.5, 1))
        return KernelEncoder.of(kept, kept.axes @ mixing @ rotation, note=_note(len(kept.eigenvalues), self.bits))


_ROTATED = 20_000


def _note(found: int, bits: int) -> str:
    if found >= bits:
        return ""
    return f"The landmarks show {found:,} components, fewer than {bits:,} bits: the bits are mixtures of them."
