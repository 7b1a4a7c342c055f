"""Kernel principal components, rotated towards the signs: the rotation of ITQ behind the projection of KLSH.

Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3, on the coordinates V = (k_x - mean) U_b Λ_b^(-1/2):

    R the rotation of |sign(V R) - V R| least        bits: sign(V R)
"""

from __future__ import annotations

import numpy as np

from core.arrays import Float64Matrix
from core.declaration.declaration import parameter
from core.hashing.kernel_hashing import KernelEncoder, KernelMethod
from core.message import NOTHING, Message
from core.progress import Progress, part, silent
from core.projections.itq_rotation import learn_rotation
from core.projections.kernel_components import Components
from core.projections.subspaces import draw_places
from core.vectors import Vectors

_ROTATED = 20_000  # items that the rotation is learned from, at most


class KpcaItq(KernelMethod):
    """Turns vectors into bits along the components of a kernel, rotated so that little is lost.

    It is itq for kernels such as chi-square. Choose it for short codes of histograms; the rank is the number of bits.
    """

    key = "kpca-itq"
    title = "KPCA + ITQ"
    paper = "Gong and Lazebnik, CVPR 2011; Jiang, Que and Kulis, CVPR 2015, section 3.1"

    iterations: int = parameter(50, ge=0, le=1_000, help="Turns of the rotation; more than 50 change little.")

    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Learn the rotation; see `KernelMethod.of_components`."""
        kept = found.first(self.bits)
        rows = draw_places(len(x), _ROTATED, rng)
        coordinates = kept.coordinates(x[rows], part(progress, 0, 0.3))
        return self.rotated(kept, coordinates, rng, part(progress, 0.3, 1))

    def rotated(
        self, kept: Components, coordinates: Float64Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Learn the rotation of items whose coordinates along the kept components are known, (n, k)."""
        # Fewer components than bits: the others are random combinations of what there is.
        k = len(kept.eigenvalues)
        mixing = np.eye(k) if k == self.bits else rng.standard_normal((k, self.bits)) / np.sqrt(self.bits)
        rotation = learn_rotation(coordinates @ mixing, self.iterations, rng, progress)
        weights = kept.axes @ mixing @ rotation
        return KernelEncoder.of(kept, weights, note=_note(k, self.bits), norm_filter=self.norm_filter)


def _note(found: int, bits: int) -> Message:
    if found >= bits:
        return NOTHING
    return Message(
        "The landmarks show {found} components, fewer than {bits} bits: the bits are mixtures of them.",
        found=found,
        bits=bits,
    )
