"""Kernelized locality-sensitive hashing, with the variants that make it rank better, and its relatives.

Kulis and Grauman: Kernelized Locality-Sensitive Hashing for Scalable Image Search, ICCV 2009; Jiang, Que and Kulis:
Revisiting Kernelized Locality-Sensitive Hashing for Improved Large-Scale Image Retrieval, CVPR 2015. With K̄ = U Λ U'
of m landmarks, E (m, b) with t ones in each column at random, and k_x = k(x, landmarks):

    g(x) = (k_x - mean of the rows of K) U_r Λ_r^(-1/2) U_r' E        bits: g(x) >= 0

r = all is the method of 2009; a smaller r its low-rank form (CVPR 2015, section 4.1); ``scale`` the monotone transform
(eq. 6).

Random hyperplanes in the space of kernel principal components (the same paper of 2015, section 3.1), which is what
kernelized LSH comes to, up to how its random vectors are drawn:

    g(x) = (k_x - mean of the rows of K) U_r Λ_r^(-1/2) G,  G standard normal (r, b)        bits: g(x) >= 0

Kernel principal components, rotated towards the signs. Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3,
on the coordinates V = (k_x - mean) U_b Λ_b^(-1/2):

    R the rotation of |sign(V R) - V R| least        bits: sign(V R)

Random hyperplanes in the Nyström approximation (Jiang, Que and Kulis, section 5): the eigenpairs are those of the
uncentred K = U Λ U', and a query is not centred either:

    g(x) = k_x U_r Λ_r^(-1/2) G,  G standard normal (r, b)        bits: g(x) >= 0
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.kernel_hashing import KernelEncoder, KernelMethod, RankedKernelMethod, few_landmarks
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.kernel_components import Components
from twinlens.core.projections.subspaces import draw_places, learn_rotation
from twinlens.core.vectors import Vectors


class Klsh(RankedKernelMethod):
    """Turns vectors into bits by random hyperplanes in the space of a kernel, of which a sample of landmarks is known.

    It compares by any kernel, such as chi-square for colours. Choose a rank well below the number of landmarks, and for
    histograms a scale: both rank better than the plain method.
    """

    key = "klsh"
    title = "Kernelized LSH"
    paper = "Kulis and Grauman, ICCV 2009; Jiang, Que and Kulis, CVPR 2015, eqs. 3 and 6"

    samples: int = parameter(
        50, ge=1, le=20_000, unit="items", help="Landmarks that each hyperplane is made of (t), drawn at random."
    )
    centre_query: bool = parameter(
        True, help="Whether the mean of the landmarks' kernel values is subtracted. Off is eq. 3's letter, and worse."
    )

    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Draw hyperplanes; see `KernelMethod.of_components`."""
        kept = found.first(self.rank)
        progress(0, 1, Message("Drawing hyperplanes"))
        weights = kept.axes @ (kept.vectors.T @ self.chosen(len(kept.landmarks), rng))
        note = few_landmarks(len(x), self.landmarks)
        return KernelEncoder.of(kept, weights, self.centre_query, note, self.norm_filter)

    def chosen(self, m: int, rng: np.random.Generator) -> Float64Matrix:
        """Draw E, (m, bits): of which landmarks each hyperplane is made, whatever the rank."""
        ones = np.zeros((m, self.bits))
        for column in range(self.bits):
            ones[rng.permutation(m)[: self.samples], column] = 1.0
        return ones


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
