"""The interface of kernels: the similarity of two vectors, a function of a sum over their dimensions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Self

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix
from core.declaration.declaration import Declaration, parameter
from core.declaration.parameters import Parameter
from core.errors import TwinlensError
from core.kernels.landmark_values import LandmarkKernel
from core.kernels.monotone_transform import MonotoneTransform, normalised
from core.message import Message
from core.vectors import Vectors, row_blocks

_TOLERANCE = 1e-3  # entries of a histogram may sum to a little more than 1: float16, in which vectors are kept, rounds


class UnitRange(Enum):
    """Of which rows all values of a kernel lie in [0, 1]: what the monotone transform asks for."""

    ALL_ROWS = "all rows"
    UNIT_SUMS = "rows whose entries sum to at most 1"
    NO_ROWS = "no rows in particular"


class Kernel(Declaration):
    """Base of the kernels: k(x, z) is a function of a sum over the dimensions.

    A subclass gives the :meth:`terms` of the sum, the function (:meth:`of_sums`) where it is not the sum itself, and
    :meth:`all_sums` and :meth:`lone_sums` where faster ways to the sums are known.

    There are three ways to evaluate:

    - :meth:`pairs`, in float64, whose values do not depend, not in the last digit, on what else is evaluated:
      distances that order results are made of them;
    - :meth:`matrix`, all pairs in float64, fast, for learning; the last digits may depend on the threads;
    - :meth:`against`, float32 rows against landmarks that stay, for encoding: fast, and steadfast as pairs are.
    """

    normalise: bool = parameter(
        False, help="Divide by sqrt(k(x, x) k(z, z)): every item is 1 to itself, and its length no longer counts."
    )

    non_negative: ClassVar[bool] = False
    """Whether it is defined for vectors without negative entries only (histograms)."""

    translation_invariant: ClassVar[bool] = False
    """Whether k(x + a, z + a) = k(x, z). Then k(x, x) is the same for all x."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Its own parameters, then those of all kernels."""
        return tuple(sorted(super().parameters(), key=lambda about: about.name in Kernel.model_fields))

    @property
    def positive_definite(self) -> bool:
        """Whether it is the dot product of some space, so that bounds on distances in that space hold."""
        return True

    @property
    def unit_range(self) -> UnitRange:
        """Of which rows (without negative entries, where it is for these) its values lie in [0, 1]."""
        return UnitRange.NO_ROWS

    @abstractmethod
    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the terms, (n, d), whose sum over each row k(x, z) is made of; the row counts of x and z broadcast."""

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return k of the sums of the terms, elementwise; may overwrite them. Here the sums themselves."""
        return sums

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Add the terms of all pairs, (n, d), (m, d) -> (n, m), as fast as is known."""
        sums = np.empty((len(x), len(z)))
        for columns in row_blocks(len(z), z.shape[1]):
            for i in range(len(x)):
                sums[i, columns] = self._lone(x[i : i + 1], z[columns])
        return sums

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Return the function that adds the terms of rows, (n, d), and the landmarks z, (m, d) -> (n, m).

        A sum must depend on its row and its landmark alone, bit for bit, whatever rows stand beside it and however
        many threads there are.
        """
        z64 = z.astype(np.float64)
        return lambda x: np.stack([self._lone(row[None].astype(np.float64), z64) for row in x])

    def _lone(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        # numpy adds each row of a contiguous table in an order that depends on its length alone; BLAS does not.
        return np.asarray(np.ascontiguousarray(self.terms(x, z)).sum(axis=1))

    def pairs(self, x: Vectors, z: Vectors) -> Float64Matrix:
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
        values = self._plain_pairs(x, z)
        if self.normalise:
            values = normalised(values, self.norms(x), self.norms(z))
        return values

    def _plain_pairs(self, x: Vectors, z: Vectors) -> Float64Matrix:
        values = np.empty(len(x), np.float64)
        for rows in row_blocks(len(x), x.shape[1]):
            beside = z if len(z) == 1 else z[rows]
            sums = self._lone(x[rows].astype(np.float64, copy=False), beside.astype(np.float64, copy=False))
            values[rows] = self.of_sums(sums)
        return values

    def diagonal(self, x: Vectors) -> Float64Matrix:
        """Evaluate k(x, x) of each row, (n, d) -> (n,), exactly as :meth:`pairs` does."""
        return self.pairs(x, x)

    def norms(self, x: Vectors) -> Float64Matrix:
        """Return sqrt(k(x, x)) of each row, (n, d) -> (n,), before normalising; 0 where k(x, x) is negative."""
        return np.sqrt(np.maximum(self._plain_pairs(x, x), 0))

    def matrix(self, x: Vectors, z: Vectors) -> Float64Matrix:
        """Evaluate all pairs.

        Parameters
        ----------
        x : ndarray, (n, d)
        z : ndarray, (m, d)

        Returns
        -------
        ndarray of float64, (n, m)
        """
        values = self.of_sums(self.all_sums(x.astype(np.float64, copy=False), z.astype(np.float64, copy=False)))
        if self.normalise:
            values = normalised(values, self.norms(x)[:, None], self.norms(z))
        return values

    def against(self, z: Vectors, transform: MonotoneTransform | None = None) -> LandmarkKernel:
        """Make ready to evaluate many rows against landmarks that stay.

        Parameters
        ----------
        z : ndarray, (m, d)
            The landmarks; taken as float32.
        transform : Transform, optional
            Applied to every value.

        Raises
        ------
        TwinlensError
            If this kernel is not defined for the landmarks, or its values leave what the transform is for.
        """
        landmarks = np.ascontiguousarray(z, np.float32)
        self.check(landmarks)
        if transform is not None:
            self.check_unit_range(landmarks)
        return LandmarkKernel(self, landmarks, transform)

    def fitted_to(self, x: Vectors, rng: np.random.Generator) -> Self:
        """Return this kernel with every parameter that says ``auto`` found from data; itself where there is none.

        Parameters
        ----------
        x : ndarray, (n, d)
            A sample; rows that are zero throughout do not count.
        rng : numpy.random.Generator
            Draws the items that are looked at.
        """
        return self

    def check(self, x: Vectors, first_row: int = 0) -> None:
        """Refuse vectors for which this kernel is not defined.

        Parameters
        ----------
        x : ndarray, (n, d)
        first_row : int
            Number of the first row, for the message, where ``x`` is a block of something longer.

        Raises
        ------
        TwinlensError
            If an entry is negative where none may be; names the first such row.
        """
        if self.non_negative:
            negative = (x < 0).any(axis=1)
            if negative.any():
                raise TwinlensError(
                    Message(
                        "The {key} kernel is for histograms, but row {first_row} (counted from 0) has a negative "
                        "entry; {sum} of the {x} rows have one.",
                        key=self.key,
                        first_row=first_row + int(np.argmax(negative)),
                        sum=int(negative.sum()),
                        x=len(x),
                    ),
                    Message("Choose another kernel, or vectors without negative entries."),
                )

    def check_unit_range(self, x: Vectors) -> None:
        """Refuse rows whose values leave [0, 1], which the transform is for.

        Raises
        ------
        TwinlensError
            Names the kernel, and the first row where it is the rows.
        """
        if self.unit_range is UnitRange.NO_ROWS:
            raise TwinlensError(
                Message(
                    "The transform exp(s (k - 1)) is for values from 0 to 1, and the kernel {kernel} gives others.",
                    kernel=self.text(),
                ),
                Message("Leave the transform out, or choose a kernel such as chi-square, intersection or gaussian."),
            )
        if self.unit_range is UnitRange.UNIT_SUMS:
            sums = x.sum(axis=1, dtype=np.float64)
            row = int(np.argmax(sums > 1 + _TOLERANCE)) if len(sums) else 0
            if len(sums) and sums[row] > 1 + _TOLERANCE:
                raise TwinlensError(
                    Message(
                        "The transform exp(s (k - 1)) is for values from 0 to 1, but the kernel {kernel} gives "
                        "row {row} (counted from 0), whose entries sum to {sums:.6g}, more than 1 with itself.",
                        kernel=self.text(),
                        row=row,
                        sums=sums[row],
                    ),
                    Message("Write {key}(normalise=true), or divide each row by its sum.", key=self.key),
                )
