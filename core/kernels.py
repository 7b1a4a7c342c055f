"""Kernels: how alike two vectors are (METHODS: one class each, and its name in ``KERNELS``).

A kernel k(x, z) is evaluated in blocks, so that no intermediate array is larger than the answer by more than a block.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from core.declaration import Declaration
from core.vectors import Vectors

Matrix = npt.NDArray[np.float64]
_BLOCK_BYTES = 1 << 24


class Kernel(Declaration):
    """Base of the kernels."""

    @abstractmethod
    def matrix(self, x: Vectors, z: Vectors) -> Matrix:
        """Evaluate all pairs.

        Parameters
        ----------
        x : ndarray, (n, d)
        z : ndarray, (m, d)

        Returns
        -------
        ndarray of float64, (n, m)
        """

    @abstractmethod
    def diagonal(self, x: Vectors) -> Matrix:
        """Evaluate k(x, x) of each row, (n, d) -> (n,)."""


def _rows_in_blocks(x: Vectors, z: Vectors, pairs: Any) -> Matrix:
    """Apply an elementwise ``pairs((n, 1, d), (1, b, d)) -> (n, b, d)`` and sum over d, in blocks."""
    values = np.empty((len(x), len(z)), np.float64)
    x64, z64 = x.astype(np.float64, copy=False), z.astype(np.float64, copy=False)
    step = max(1, _BLOCK_BYTES // max(1, 8 * z.shape[1] * min(len(x), 64)))
    for top in range(0, len(x), 64):
        for left in range(0, len(z), step):
            terms = pairs(x64[top : top + 64, None, :], z64[None, left : left + step, :])
            values[top : top + 64, left : left + step] = terms.sum(axis=2)
    return values


class Linear(Kernel):
    """The dot product x·z. Of vectors of unit length it is the cosine of the angle between them."""

    key = "linear"
    title = "Linear"

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:  # noqa: D102
        return x.astype(np.float64, copy=False) @ z.astype(np.float64, copy=False).T

    def diagonal(self, x: Vectors) -> Matrix:  # noqa: D102
        x64 = x.astype(np.float64, copy=False)
        return np.asarray(np.einsum("ij,ij->i", x64, x64))


class Intersection(Kernel):
    """Histogram intersection, the sum of min(x, z): the share of one histogram that the other covers."""

    key = "intersection"
    title = "Histogram intersection"

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:  # noqa: D102
        return _rows_in_blocks(x, z, np.minimum)

    def diagonal(self, x: Vectors) -> Matrix:  # noqa: D102
        return np.asarray(x.sum(axis=1, dtype=np.float64))


class ChiSquare(Kernel):
    """The additive chi-square kernel, the sum of 2xz / (x + z): differences in small bins count for more."""

    key = "chi-square"
    title = "Chi-square"

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:  # noqa: D102
        def pairs(a: Matrix, b: Matrix) -> Matrix:
            both = a + b
            return np.divide(2 * a * b, both, out=np.zeros_like(both), where=both != 0)

        return _rows_in_blocks(x, z, pairs)

    def diagonal(self, x: Vectors) -> Matrix:  # noqa: D102
        return np.asarray(x.sum(axis=1, dtype=np.float64))


class Hellinger(Kernel):
    """The Hellinger (Bhattacharyya) kernel, the sum of sqrt(x z): a dot product of square roots."""

    key = "hellinger"
    title = "Hellinger"

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:  # noqa: D102
        return np.sqrt(x.astype(np.float64, copy=False)) @ np.sqrt(z.astype(np.float64, copy=False)).T

    def diagonal(self, x: Vectors) -> Matrix:  # noqa: D102
        return np.asarray(x.sum(axis=1, dtype=np.float64))


KERNELS: tuple[type[Kernel], ...] = (Linear, Intersection, ChiSquare, Hellinger)
"""Every kernel that can be chosen."""
