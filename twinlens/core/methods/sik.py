"""Random waves for shift-invariant kernels, by free directions or bilinear ones.

Raginsky and Lazebnik: Locality-Sensitive Binary Codes from Shift-Invariant Kernels, NIPS 2009; Kim and Choi: Bilinear
Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 3:

    bit = sgn(cos(w'x + b) + t)        w normal (Gaussian kernel) or Cauchy (Laplacian), b ~ U[0, 2π], t ~ U[-1, 1]

Bilinear, for the Gaussian kernel (Algorithm 1, BLSH-SIK):

    bits: sgn(cos(vec(W'XV) + b) + t)        W and V standard normal, X a vector laid out as a matrix, over a width

of which a fixed random part is kept, with an offset b and a threshold t for each kept one.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from twinlens.core.declaration.declaration import Nested, parameter
from twinlens.core.hashing.bilinear_hashing import BilinearMethod
from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.hashing.shift_invariant_hashing import (
    SHIFT_INVARIANT,
    BilinearShiftInvariantEncoder,
    ShiftInvariant,
    SingleEncoder,
    draw_waves,
    estimate_of,
    estimated_kernel,
    form_of,
    kernel_with_width,
    width_note,
)
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean
from twinlens.core.vectors import Vectors, training_vectors


class Sik(HashMethod):
    """Turns vectors into bits whose number of differing ones tells a Gaussian or Laplacian kernel of two items.

    It looks at neighbourhoods: items a few widths apart are all equally unlike. It learns nothing but the width of a
    neighbourhood, so it is ready at once and takes any number of bits. Choose it with many bits, and where distances
    count rather than angles; bilinear-sik does nearly the same for very long vectors, in a small part of the time.
    """

    key = "sik"
    title = "Random waves (shift-invariant kernel)"
    paper = "Raginsky and Lazebnik, NIPS 2009; Kim and Choi, CVPR 2015, section 3"
    encoder: ClassVar[type[Encoder]] = SingleEncoder

    kernel: Annotated[ShiftInvariant, Nested(lambda: SHIFT_INVARIANT)] = parameter(
        Gaussian(), help="Whose values the bits tell: gaussian compares distances, laplacian sums of differences."
    )

    @property
    def estimate_of(self) -> Message:
        """The kernel."""
        return estimate_of(self.kernel)

    @property
    def bits_tell(self) -> Message:
        """The kernel's value, where it is not small."""
        return Message(
            "Each bit differs with a probability that grows from 0 to two in five as the value of the {kernel} kernel "
            "falls, so the number of differing bits estimates that value.",
            kernel=self.kernel.key,
        )

    def estimate(self, share: float) -> float:
        """Estimate the kernel's value from a share of differing bits."""
        return float(estimated_kernel(share, form_of(self.kernel)))

    def fit(self, x: Vectors, progress: Progress = silent) -> SingleEncoder:
        """Find the width of the kernel, and draw the waves.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If no row is left, or one is not finite.
        """
        x = training_vectors(x)
        mean = column_mean(x, part(progress, 0, 0.3))
        progress(0.3, 1, Message("Width of the kernel"))
        rng = np.random.default_rng(self.seed)
        kernel = kernel_with_width(self.kernel, x, rng)
        normal = isinstance(kernel, Gaussian)
        waves = np.empty((self.bits, 2), np.float32)
        directions = np.empty((self.bits, x.shape[1]), np.float32)
        for j in range(self.bits):  # bit by bit: more bits begin with the same waves
            directions[j] = rng.standard_normal(x.shape[1]) if normal else rng.standard_cauchy(x.shape[1])
            waves[j] = np.concatenate(draw_waves(1, rng))
            if j % 256 == 0:
                progress(0.5 + 0.5 * j / self.bits, 1, Message("Drawing waves"))
        linear = LinearEncoder.of(mean, directions.T)
        return SingleEncoder(
            kernel=json.dumps(kernel.to_json()),
            offsets=waves[:, 0].copy(),
            reaches=waves[:, 1].copy(),
            mean=linear.mean,
            projection=linear.projection,
            note=width_note(self.kernel, kernel),
        )


_GAMMA: Any = Gaussian.model_fields["gamma"]  # default, limits and help are those of the kernel


class BilinearSik(BilinearMethod):
    """Turns vectors that are matrices into bits that tell a Gaussian kernel, by two small random matrices.

    It does nearly what sik does, in a small part of its time and memory. Choose it for vectors of many thousand
    dimensions, such as VLAD, and long codes; at equal bits sik ranks a little better.
    """

    key = "bilinear-sik"
    title = "Bilinear random waves (Gaussian kernel)"
    paper = "Kim and Choi, CVPR 2015, Algorithm 1"
    encoder: ClassVar[type[Encoder]] = BilinearShiftInvariantEncoder

    gamma: float | Literal["auto"] = _GAMMA

    @property
    def estimate_of(self) -> Message:
        """The kernel."""
        return estimate_of(Gaussian())

    @property
    def bits_tell(self) -> Message:
        """The kernel's value, about."""
        return Message(
            "Each bit differs with a probability that grows from 0 to two in five as the value of the gaussian kernel "
            "falls, so the number of differing bits estimates that value. The estimate is rough: the probability also "
            "depends on the direction in which both differ."
        )

    def estimate(self, share: float) -> float:
        """Estimate the kernel's value from a share of differing bits; approximate."""
        return float(estimated_kernel(share))

    def fit(self, x: Vectors, progress: Progress = silent) -> BilinearShiftInvariantEncoder:
        """Find the width of the kernel, and draw projections and waves.

        Parameters
        ----------
        x : ndarray, (n, d)
            Matrices, row by row; rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If the vectors cannot be laid out as matrices, no row is left, or one is not finite.
        """
        x = training_vectors(x)
        self.shape(x.shape[1])
        mean = column_mean(x, part(progress, 0, 0.5))
        progress(0.5, 1, Message("Width of the kernel"))
        rng = np.random.default_rng(self.seed)
        declared = Gaussian(gamma=self.gamma)
        kernel = kernel_with_width(declared, x, rng)
        progress(0.9, 1, Message("Drawing projections"))
        left, right, kept = self.drawn(x.shape[1], rng)
        offsets, reaches = draw_waves(self.bits, rng)
        return BilinearShiftInvariantEncoder(
            kernel=json.dumps(kernel.to_json()),
            offsets=offsets,
            reaches=reaches,
            mean=mean.astype(np.float32),
            left=left,
            right=right,
            kept=kept,
            note=width_note(declared, kernel),
        )
