"""Random waves for shift-invariant kernels.

Raginsky and Lazebnik: Locality-Sensitive Binary Codes from Shift-Invariant Kernels, NIPS 2009; Kim and Choi: Bilinear
Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 3:

    bit = sgn(cos(w'x + b) + t)        w normal (Gaussian kernel) or Cauchy (Laplacian), b ~ U[0, 2π], t ~ U[-1, 1]
"""

from __future__ import annotations

import json
from typing import Annotated, ClassVar

import numpy as np

from core.declaration.declaration import Nested, parameter
from core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from core.hashing.shift_invariant_hashing import (
    SHIFT_INVARIANT,
    ShiftInvariant,
    SingleEncoder,
    draw_waves,
    estimate_of,
    estimated_kernel,
    form_of,
    kernel_with_width,
    width_note,
)
from core.kernels.radial_kernels import Gaussian
from core.message import Message
from core.progress import Progress, part, silent
from core.projections.subspaces import column_mean
from core.vectors import Vectors, training_vectors


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
