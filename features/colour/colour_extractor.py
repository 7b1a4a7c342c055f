"""Extraction from colours alone, which also describes a palette or a sketch.

A histogram knows which bins a colour counts for, so some colours with weights have a vector as a picture has, and are
compared with pictures by the same measure.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from features.descriptor import Extractor, Vector

Colours = npt.NDArray[np.uint8]
"""Colours in sRGB, (n, 3)."""
Shares = npt.NDArray[np.float64]


class ColoursOnly(Extractor):
    """Base of the extractors that look at colours and where they are, and at nothing else."""

    @abstractmethod
    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Describe an imagined picture that has these colours, in these shares, in each of its parts.

        Parameters
        ----------
        colours : ndarray of uint8, (n, 3)
        shares : ndarray of float64, (n,)
            Positive, of sum 1.

        Raises
        ------
        TwinlensError
            If the descriptor compares where colours are, and so can say nothing of colours without places.
        """
