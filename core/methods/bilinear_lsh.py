"""Bilinear hashing for angles.

Gong, Kumar, Rowley and Lazebnik: Learning Binary Codes for High-Dimensional Data Using Bilinear Projections, CVPR 2013;
Kim and Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 2:

    bits: sgn(vec(W'XV))        W and V standard normal, X a centred vector laid out as a matrix
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.hashing.bilinear_hashing import BilinearEncoder, BilinearMethod
from core.hashing.hash_method import COSINE, Encoder, estimated_cosine
from core.message import Message
from core.progress import Progress, part, silent
from core.projections.subspaces import column_mean
from core.vectors import Vectors, training_vectors


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
