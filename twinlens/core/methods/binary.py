"""Binary quantization: the signs of the vectors' own numbers, as vector databases keep learned features.

    bit j = sgn(x_j - m_j),        m the mean of the data

Databases take the sign as it is, since learned features lie around 0; less their mean each bit splits the data in
halves wherever they lie. The order by codes is refined by the exact distance of some hundred nearest ("rescoring"),
which every search structure does (its ``candidates``). Signs treat every number alike, so vectors whose numbers spread
unequally, such as principal components, lose by it: ITQ turns them first.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean
from twinlens.core.vectors import Vectors, training_vectors


class Binary(HashMethod):
    """Keeps one bit of each number of a vector: whether it is above its mean.

    It learns nothing but the mean. It suits features that a network has learned, of many hundred dimensions that spread
    alike, with some hundred candidates ranked exactly; where dimensions spread unequally choose itq, which turns them.
    """

    key = "binary"
    title = "Binary quantization"
    paper = "none: what vector databases do"
    encoder: ClassVar[type[Encoder]] = LinearEncoder
    draws: ClassVar[bool] = False

    @property
    def bits_tell(self) -> Message:
        """The sides of the mean."""
        return Message(
            "Each bit says whether one number of a photo's vector is above the mean of all photos. The fewer bits "
            "differ, the more numbers of two photos lie on the same side."
        )

    def fit(self, x: Vectors, progress: Progress = silent) -> LinearEncoder:
        """Compute the mean of the data.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If there are more bits than dimensions, no row is left, or one is not finite.
        """
        x = training_vectors(x)
        self.check_within(x.shape[1])
        mean = column_mean(x, part(progress, 0, 0.9))
        progress(0.9, 1, Message("Taking signs"))
        return LinearEncoder.of(mean, np.eye(x.shape[1], self.bits))
