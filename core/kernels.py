"""Kernels: how alike two vectors are (METHODS: one class each, and its name in ``KERNELS``)."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration import Declaration
from core.errors import TwinlensError
from core.vectors import Vectors, row_blocks

Matrix = npt.NDArray[np.float64]


class Kernel(Declaration):
    """Base of the kernels: k(x, z) is a function of a sum over the dimensions.

    A subclass gives the :meth:`terms` of the sum, the function (:meth:`of_sums`) where it is not the sum itself, and
    :meth:`matrix` where a faster way is known.

    There are two ways to evaluate: :meth:`matrix`, all pairs, fast, for learning; and :meth:`pairs`, whose values do
    not depend, not in the last digit, on what else is evaluated: distances that order results are made of them.
    """

    non_negative: ClassVar[bool] = False
    """Whether it is defined for vectors without negative entries only (histograms)."""

    @abstractmethod
    def terms(self, x: Matrix, z: Matrix) -> Matrix:
        """Give the terms, (n, d), whose sum over each row k(x, z) is made of; the row counts of x and z broadcast."""

    def of_sums(self, sums: Matrix) -> Matrix:
        """Give k of the sums of the terms, elementwise; here the sum itself."""
        return sums

    def pairs(self, x: Vectors, z: Vectors) -> Matrix:
        """Evaluate k of each row of ``x`` with the row of ``z`` beside it.

        Parameters
        ----------
        x : ndarray, (n, d)
        z : ndarray, (n, d) or (1, d)
            One row stands beside every row of ``x``.

        Returns
        -------
        ndarray of float64, (n,)
            Of two vectors always the same, whatever rows are before and after them; k(x, z) = k(z, x) exactly.
        """
        values = np.empty(len(x), np.float64)
        for rows in row_blocks(len(x), x.shape[1]):
            beside = z if len(z) == 1 else z[rows]
            terms = self.terms(x[rows].astype(np.float64, copy=False), beside.astype(np.float64, copy=False))
            # numpy adds each row of a contiguous table in an order that depends on its length alone; BLAS does not.
            values[rows] = self.of_sums(np.ascontiguousarray(terms).sum(axis=1))
        return values

    def diagonal(self, x: Vectors) -> Matrix:
        """Evaluate k(x, x) of each row, (n, d) -> (n,), exactly as :meth:`pairs` does."""
        return self.pairs(x, x)

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
        values = np.empty((len(x), len(z)), np.float64)
        x64, z64 = x.astype(np.float64, copy=False), z.astype(np.float64, copy=False)
        for columns in row_blocks(len(z), z.shape[1]):
            for i in range(len(x)):
                values[i, columns] = self.pairs(z64[columns], x64[i : i + 1])
        return values

    def check(self, x: Vectors) -> None:
        """Refuse vectors for which this kernel is not defined.

        Raises
        ------
        TwinlensError
            If an entry is negative where none may be; names the first such row.
        """
        if self.non_negative:
            negative = (x < 0).any(axis=1)
            if negative.any():
                raise TwinlensError(
                    f"The {self.key} kernel is for histograms, but row {int(np.argmax(negative)):,} (counted from 0) "
                    f"has a negative entry; {int(negative.sum()):,} of the {len(x):,} rows have one.",
                    "Choose another kernel, or vectors without negative entries.",
                )


class Linear(Kernel):
    """The dot product x·z. Of vectors of unit length it is the cosine of the angle between them."""

    key = "linear"
    title = "Linear"

    def terms(self, x: Matrix, z: Matrix) -> Matrix:
        """Give x z."""
        return x * z

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:
        """Evaluate all pairs by one matrix product, (n, d), (m, d) -> (n, m)."""
        return np.asarray(x.astype(np.float64, copy=False) @ z.astype(np.float64, copy=False).T)


class Intersection(Kernel):
    """Histogram intersection, the sum of min(x, z): the share of one histogram that the other covers."""

    key = "intersection"
    title = "Histogram intersection"
    non_negative = True

    def terms(self, x: Matrix, z: Matrix) -> Matrix:
        """Give min(x, z)."""
        return np.minimum(x, z)


class ChiSquare(Kernel):
    """The additive chi-square kernel, the sum of 2xz / (x + z): differences in small bins count for more."""

    key = "chi-square"
    title = "Chi-square"
    non_negative = True

    def terms(self, x: Matrix, z: Matrix) -> Matrix:
        """Give 2xz / (x + z), and 0 where both are 0."""
        both = x + z
        doubled: npt.NDArray[Any] = 2 * x * z
        return np.asarray(np.divide(doubled, both, out=np.zeros_like(both), where=both != 0))


class Hellinger(Kernel):
    """The Hellinger (Bhattacharyya) kernel, the sum of sqrt(x z): a dot product of square roots."""

    key = "hellinger"
    title = "Hellinger"
    non_negative = True

    def terms(self, x: Matrix, z: Matrix) -> Matrix:
        """Give sqrt(x z), factor by factor."""
        return np.sqrt(x) * np.sqrt(z)

    def matrix(self, x: Vectors, z: Vectors) -> Matrix:
        """Evaluate all pairs by one matrix product of the roots, (n, d), (m, d) -> (n, m)."""
        return np.asarray(np.sqrt(x.astype(np.float64, copy=False)) @ np.sqrt(z.astype(np.float64, copy=False)).T)


KERNELS: tuple[type[Kernel], ...] = (Linear, Intersection, ChiSquare, Hellinger)
"""Every kernel that can be chosen."""
