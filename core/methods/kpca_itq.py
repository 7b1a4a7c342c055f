"""Kernel principal components, rotated towards the signs: the rotation of ITQ behind the projection of KLSH.

Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3, on the coordinates V = (k_x - mean) U_b Λ_b^(-1/2):

    R the rotation of |sign(V R) - V R| least        bits: sign(V R)
"""

from __future__ import annotations

import numpy as np

from core.declaration import parameter
from core.kernel_encoder import KernelEncoder
from core.kernel_method import KernelMethod
from core.kpca import principal_components
from core.progress import Progress, part, silent
from core.rotation import learn_rotation
from core.subspaces import draw
from core.vectors import Vectors, training_vectors

_ROTATED = 20_000  # items that the rotation is learned from, at most


class KpcaItq(KernelMethod):
    """Turns vectors into bits along the components of a kernel, rotated so that little is lost.

    It is itq for kernels such as chi-square. Choose it for short codes of histograms; the rank is the number of bits.
    """

    key = "kpca-itq"
    title = "KPCA + ITQ"
    paper = "Gong and Lazebnik, CVPR 2011; Jiang, Que and Kulis, CVPR 2015, section 3.1"

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
        k = len(kept.eigenvalues)
        mixing = np.eye(k) if k == self.bits else rng.standard_normal((k, self.bits)) / np.sqrt(self.bits)
        rotation = learn_rotation(coordinates @ mixing, self.iterations, rng, part(progress, 0.5, 1))
        weights = kept.axes @ mixing @ rotation
        return KernelEncoder.of(kept, weights, note=_note(k, self.bits), norm_filter=self.norm_filter)


def _note(found: int, bits: int) -> str:
    if found >= bits:
        return ""
    return f"The landmarks show {found:,} components, fewer than {bits:,} bits: the bits are mixtures of them."
