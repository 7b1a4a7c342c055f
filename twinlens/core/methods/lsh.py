"""Random-hyperplane hashing for angles, by free hyperplanes or bilinear ones.

Charikar: Similarity Estimation Techniques from Rounding Algorithms, STOC 2002: with w drawn from N(0, I),

    bit = sgn(w'x),    P[bits of x and z equal] = 1 - θ(x, z) / π        (Charikar's eq. 1; Kim and Choi 2015, eq. 1)

The data are centred by the training mean: angles are those seen from the middle of the data.

Bilinear: Gong, Kumar, Rowley and Lazebnik: Learning Binary Codes for High-Dimensional Data Using Bilinear Projections,
CVPR 2013; Kim and Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 2:

    bits: sgn(vec(W'XV))        W and V standard normal, X a centred vector laid out as a matrix
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from twinlens.core.hashing.bilinear_hashing import BilinearEncoder, BilinearMethod
from twinlens.core.hashing.hash_method import COSINE, Encoder, HashMethod, LinearEncoder, estimated_cosine
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean
from twinlens.core.vectors import Vectors, training_vectors


class Lsh(HashMethod):
    """Turns vectors into bits by random hyperplanes: a bit says on which side of one an item lies.

    It learns nothing but the middle of the data, so it is ready at once, takes any number of bits and never grows
    stale as a library grows. Choose it as the plain yardstick, or with many bits; at up to a few hundred bits a method
    that learns from the data, such as itq, ranks better.
    """

    key = "lsh"
    title = "Random hyperplanes"
    paper = "Charikar, STOC 2002; Kim and Choi, CVPR 2015, section 2"
    encoder: ClassVar[type[Encoder]] = LinearEncoder

    @property
    def estimate_of(self) -> Message:
        """The cosine."""
        return COSINE

    @property
    def bits_tell(self) -> Message:
        """The angle."""
        return Message(
            "Each bit differs with probability θ / π, so the number of differing bits estimates the cosine of the "
            "angle θ between both photos, seen from the mean of all photos."
        )

    def estimate(self, share: float) -> float:
        """Estimate the cosine of the angle from a share of differing bits."""
        return estimated_cosine(share)

    def fit(self, x: Vectors, progress: Progress = silent) -> LinearEncoder:
        """Compute the mean of the data, and draw the hyperplanes; more bits begin with the same planes.

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
        mean = column_mean(x, part(progress, 0, 0.5))
        rng = np.random.default_rng(self.seed)
        planes = np.empty((self.bits, x.shape[1]), np.float32)
        for j in range(self.bits):
            planes[j] = rng.standard_normal(x.shape[1])
            if j % 256 == 0:
                progress(self.bits + j, 2 * self.bits, Message("Drawing hyperplanes"))
        return LinearEncoder.of(mean, planes.T)


class BilinearLsh(BilinearMethod):
    """Turns vectors that are matrices, such as VLAD, into bits by two small random matrices instead of a large one.

    It compares angles, as lsh does, in a small part of its time and memory. Choose it for vectors of many thousand
    dimensions and long codes; for short ones lsh ranks a little better at equal bits.
    """

    key = "bilinear-lsh"
    title = "Bilinear hyperplanes"
    paper = "Gong et al., CVPR 2013; Kim and Choi, CVPR 2015, section 2"
    encoder: ClassVar[type[Encoder]] = BilinearEncoder

    @property
    def estimate_of(self) -> Message:
        """The cosine."""
        return COSINE

    @property
    def bits_tell(self) -> Message:
        """The angle, about."""
        return Message(
            "Each bit differs with a probability of about θ / π, so the number of differing bits estimates the cosine "
            "of the angle θ between both photos, seen from the mean of all photos."
        )

    def estimate(self, share: float) -> float:
        """Estimate the cosine of the angle from a share of differing bits; approximate."""
        return estimated_cosine(share)

    def fit(self, x: Vectors, progress: Progress = silent) -> BilinearEncoder:
        """Compute the mean of the data, and draw the projections.

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
        mean = column_mean(x, part(progress, 0, 0.9))
        progress(0.9, 1, Message("Drawing projections"))
        drawn = self.drawn(x.shape[1], np.random.default_rng(self.seed))
        return BilinearEncoder(mean.astype(np.float32), *drawn)
