"""Kernelized locality-sensitive hashing, with the variants that make it rank better.

Kulis and Grauman: Kernelized Locality-Sensitive Hashing for Scalable Image Search, ICCV 2009; Jiang, Que and Kulis:
Revisiting Kernelized Locality-Sensitive Hashing for Improved Large-Scale Image Retrieval, CVPR 2015. With K̄ = U Λ U' of
m landmarks, E (m, b) with t ones in each column at random, and k_x = k(x, landmarks):

    g(x) = (k_x - mean of the rows of K) U_r Λ_r^(-1/2) U_r' E        bits: g(x) >= 0

r = all is the method of 2009; a smaller r its low-rank form (CVPR 2015, section 4.1); ``scale`` the monotone transform
(eq. 6).
"""

from __future__ import annotations

import numpy as np

from core.arrays import Float64Matrix
from core.declaration.declaration import parameter
from core.hashing.kernel_hashing import KernelEncoder, RankedKernelMethod, few_landmarks
from core.message import Message
from core.progress import Progress, silent
from core.projections.kernel_components import Components
from core.vectors import Vectors


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
