"""The measure of an index: the exact distance and similarity by which candidates are ranked.

It is the distance that a kernel induces, after normalising the kernel so that every item is 1 to itself:

    k'(x, z) = k(x, z) / sqrt(k(x, x) k(z, z)),   distance = sqrt(2 - 2 k'),   similarity = max(0, k')

so a distance lies in [0, 2] and a similarity in [0, 1]. An item that is zero throughout (a photograph without a
keypoint) is like nothing but another such item: distance 2, similarity 0, ranked last, never lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.kernels.kernel import Kernel
from core.vectors import Vectors

FORMULA = "similarity = max(0, k(x, z) / sqrt(k(x, x) k(z, z)))"
_BLANK = -1.0
_DECIMALS = 12  # k' is known to about 1e-15; beyond this only rounding would order items that are equal but for scale


@dataclass(frozen=True)
class Measure:
    """Exact distances and similarities under a kernel.

    Parameters
    ----------
    kernel : Kernel
        Of the descriptor, or of the hash method where it has one.

    Examples
    --------
    >>> from core.kernels.dot_product_kernels import Linear
    >>> Measure(Linear()).distances(np.array([1.0, 0.0]), np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]))
    array([0.        , 1.41421356, 2.        ])
    """

    kernel: Kernel

    def distances(self, query: Vectors, x: Vectors) -> npt.NDArray[np.float64]:
        """Measure one query against many items.

        Parameters
        ----------
        query : ndarray, (d,)
        x : ndarray, (n, d)

        Returns
        -------
        ndarray of float64, (n,)
            In [0, 2]; equal items at exactly 0. Of an item always the same, whatever items are measured beside it.
        """
        asked = query[None, :]
        own, theirs = self._norms(asked)[0], self._norms(x)
        scale = np.sqrt(own * theirs)
        normal = np.divide(self.kernel.pairs(x, asked), scale, out=np.full(len(x), _BLANK), where=scale > 0)
        if own == 0:
            normal[theirs == 0] = 1.0
        squared = np.round(2 - 2 * np.clip(normal, -1, 1), _DECIMALS)
        return np.asarray(np.sqrt(squared))

    def _norms(self, x: Vectors) -> npt.NDArray[np.float64]:
        """Return k(x, x) of each row, and 0 for what cannot be compared, whatever the kernel makes of it."""
        norms = self.kernel.diagonal(x)
        norms[(norms < 0) | ~x.any(axis=1)] = 0
        return norms

    def similarities(self, distances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Turn distances into similarities in [0, 1], the same order reversed (``FORMULA``)."""
        return np.clip(1 - np.square(distances) / 2, 0, 1)
