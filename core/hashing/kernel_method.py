"""Base of hash methods that use a kernel: the kernel, its landmarks, and its transform."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np

from core import kernels
from core.declaration.declaration import Nested, parameter
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.kernel_encoder import KernelEncoder, few_landmarks
from core.kernels.gaussian import Gaussian
from core.kernels.kernel import Kernel
from core.progress import Progress, part, silent
from core.projections.kernel_components import Components, principal_components
from core.vectors import Vectors, training_vectors


class KernelMethod(HashMethod):
    """Base of the methods that hash in the leading space of a kernel, known from a sample of landmarks."""

    encoder: ClassVar[type[Encoder]] = KernelEncoder
    centred: ClassVar[bool] = True
    """Whether the kernel is centred before its components are found."""

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
        "it drops; in a library every photo stays findable.",
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> KernelEncoder:
        """Draw landmarks, find their components, and hash in their space.

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
        found = self.components(x, rng, part(progress, 0, 0.3))
        return self.of_components(found, x, rng, part(progress, 0.3, 1))

    def components(self, x: Vectors, rng: np.random.Generator, progress: Progress = silent) -> Components:
        """Draw landmarks and find their components, all of them: what takes longest, whatever rank and bits are.

        Parameters
        ----------
        x : ndarray, (n, d)
            Checked, without rows that are zero throughout.
        rng : Generator
            Of the seed; what is drawn after this is drawn with it, too.
        progress : Progress
        """
        return principal_components(x, self.kernel, self.scale, self.landmarks, rng, self.centred, progress)

    @abstractmethod
    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Hash in the space of components.

        Parameters
        ----------
        found : Components
        x : ndarray, (n, d)
            As :meth:`components` had it.
        rng : Generator
            As :meth:`components` left it.
        progress : Progress
        """


class RankedKernelMethod(KernelMethod):
    """Base of those of them that choose how many leading components they keep."""

    rank: int | None = parameter(
        None,
        ge=1,
        le=20_000,
        help="Leading components that are kept (r); none keeps all. Fewer leave out what the sample does not know "
        "well, up to a point that depends on the data: 32 to 128 is often best.",
    )

    def gaussian_hyperplanes(self, found: Components, items: int, rng: np.random.Generator) -> KernelEncoder:
        """Draw hyperplanes U_r Λ_r^(-1/2) G with G standard normal, (r, bits), in the leading space.

        Parameters
        ----------
        found : Components
            All of them.
        items : int
            That there were to learn from.
        rng : Generator
        """
        kept = found.first(self.rank)
        weights = kept.axes @ rng.standard_normal((len(kept.eigenvalues), self.bits))
        return KernelEncoder.of(kept, weights, note=few_landmarks(items, self.landmarks), norm_filter=self.norm_filter)
