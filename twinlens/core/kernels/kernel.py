"""The interface of kernels: the similarity of two vectors, a function of a sum over their dimensions.

Kernels of a dot product are functions of f(x)·f(z). Kernel encoders evaluate a kernel between many rows and landmarks
that stay.

The monotone transform of a kernel is k_s = exp(s (k - 1)) (Jiang, Que, Kulis: "Revisiting kernelized locality-sensitive
hashing for improved large-scale image retrieval", CVPR 2015, eq. 6). It keeps every ranking, so exact neighbours do not
change. It slows the decay of the eigenvalues: the leading space is estimated better from a sample, but more of it is
needed.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import ClassVar, Protocol, Self

import numpy as np

from twinlens.core.arrays import Float32Vectors, Float64Matrix
from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.declaration.parameters import Parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.vectors import Vectors, row_blocks, to_grid

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
            wide = x[rows].astype(np.float64, copy=False)
            beside = wide if z is x else (z if len(z) == 1 else z[rows]).astype(np.float64, copy=False)
            values[rows] = self.of_sums(self._lone(wide, beside))
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
        transform : MonotoneTransform, optional
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
                    "The {key} kernel is for histograms, but row {first_row} (counted from 0) has a negative "
                    "entry; {sum} of the {x} rows have one.",
                    "Choose another kernel, or vectors without negative entries.",
                    key=self.key,
                    first_row=first_row + int(np.argmax(negative)),
                    sum=int(negative.sum()),
                    x=len(x),
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
                "The transform exp(s (k - 1)) is for values from 0 to 1, and the kernel {kernel} gives others.",
                "Leave the transform out, or choose a kernel such as chi-square, intersection or gaussian.",
                kernel=self.text(),
            )
        if self.unit_range is UnitRange.UNIT_SUMS:
            sums = x.sum(axis=1, dtype=np.float64)
            row = int(np.argmax(sums > 1 + _TOLERANCE)) if len(sums) else 0
            if len(sums) and sums[row] > 1 + _TOLERANCE:
                raise TwinlensError(
                    "The transform exp(s (k - 1)) is for values from 0 to 1, but the kernel {kernel} gives "
                    "row {row} (counted from 0), whose entries sum to {sums:.6g}, more than 1 with itself.",
                    "Write {key}(normalise=true), or divide each row by its sum.",
                    kernel=self.text(),
                    row=row,
                    sums=sums[row],
                    key=self.key,
                )


class DotProductKernel(Kernel):
    """Base of the kernels of a dot product, which a matrix product gives of all pairs at once."""

    def mapped(self, x: Float64Matrix) -> Float64Matrix:
        """Return f(x) of every entry; here the entry itself."""
        return x

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return f(x) f(z)."""
        return np.multiply(self.mapped(x), self.mapped(z))

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Multiply the two tables."""
        return np.asarray(self.mapped(x) @ self.mapped(z).T)

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Multiply exactly (:mod:`twinlens.core.vectors`)."""
        columns = to_grid(self.mapped(z.astype(np.float64)), axis=1).T
        return lambda x: np.asarray(to_grid(self.mapped(x.astype(np.float64)), axis=1) @ columns)


class KernelSums(Protocol):
    """A kernel by its parts: sums over the dimensions, a function of them, and norms."""

    @property
    def normalise(self) -> bool:
        """Whether values are divided by the norms of both sides."""

    def check(self, x: Vectors, first_row: int = 0) -> None:
        """Refuse rows for which the kernel is not defined."""

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Return the function that adds the terms of rows and the landmarks z."""

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return the kernel's values of such sums."""

    def norms(self, x: Vectors) -> Float64Matrix:
        """Return sqrt(k(x, x)) of each row."""


@dataclass(frozen=True)
class MonotoneTransform:
    """The transform exp(s (k - 1)) of the values of a kernel.

    Parameters
    ----------
    scale : float
        The s of the paper, above 0; 1 to 9 there.

    Examples
    --------
    >>> MonotoneTransform(2.0).of(np.array([1.0, 0.5]))
    array([1.        , 0.36787944])
    """

    scale: float

    def __post_init__(self) -> None:
        if not (self.scale > 0 and math.isfinite(self.scale)):
            raise ValueError(f"the scale of a transform must be above 0, not {self.scale}")

    def of(self, values: Float64Matrix) -> Float64Matrix:
        """Transform values of a kernel, elementwise, whatever their shape."""
        transformed = np.ascontiguousarray(values - 1)
        transformed *= self.scale
        return np.exp(transformed, out=transformed)


@dataclass(frozen=True, eq=False)
class LandmarkKernel:
    """Evaluates a kernel between rows and fixed landmarks; made by :meth:`twinlens.core.kernels.Kernel.against`.

    A value depends on its row and its landmark alone, bit for bit: not on the rows beside it, on its place among them,
    on the number of threads, or on whether loops are compiled. It may differ from the kernel's ``pairs`` and ``matrix``
    in the digits that float32 does not know.

    Attributes
    ----------
    kernel : KernelSums
        With nothing left ``auto``.
    landmarks : float32 array, (m, d)

    Examples
    --------
    >>> from twinlens.core.kernels.histogram_kernels import ChiSquare
    >>> landmarks = np.array([[0.5, 0.5], [0.5, 0.0]])
    >>> ChiSquare().against(landmarks).values(np.array([[0.5, 0.5]]))
    array([[1. , 0.5]])
    """

    kernel: KernelSums
    landmarks: Float32Vectors
    transform: MonotoneTransform | None = None

    @cached_property
    def _sums(self) -> Callable[[Float32Vectors], Float64Matrix]:
        return self.kernel.lone_sums(self.landmarks)

    @cached_property
    def _norms(self) -> Float64Matrix:
        return self.kernel.norms(self.landmarks)

    def values(self, x: Vectors, first_row: int = 0) -> Float64Matrix:
        """Evaluate all rows against all landmarks; for a number of rows whose values may be held whole.

        Parameters
        ----------
        x : ndarray, (n, d)
            Finite; taken as float32.
        first_row : int
            Number of the first row, for the message.

        Returns
        -------
        ndarray of float64, (n, m)

        Raises
        ------
        TwinlensError
            If the kernel is not defined for a row; names it.
        """
        values = np.empty((len(x), len(self.landmarks)))
        for rows, block in self.blocks(x, first_row):
            values[rows] = block
        return values

    def blocks(self, x: Vectors, first_row: int = 0) -> Iterator[tuple[slice, Float64Matrix]]:
        """Evaluate block by block, so that the values of many rows are never held together.

        Yields
        ------
        rows : slice
            In order; together all rows of ``x``.
        values : ndarray of float64, (rows, m)
            The reader's own.
        """
        for rows in row_blocks(len(x), max(self.landmarks.shape)):
            block = np.ascontiguousarray(x[rows], np.float32)
            self.kernel.check(block, first_row + rows.start)
            yield rows, self._evaluate(block)

    def _evaluate(self, block: Float32Vectors) -> Float64Matrix:
        values = self.kernel.of_sums(self._sums(block))
        if self.kernel.normalise:
            values = normalised(values, self.kernel.norms(block)[:, None], self._norms)
        return values if self.transform is None else self.transform.of(values)


def normalised(values: Float64Matrix, norms: Float64Matrix, other_norms: Float64Matrix) -> Float64Matrix:
    """Divide values by the norms of both sides, which broadcast; 0 where one of them is 0."""
    scale = norms * other_norms
    return np.divide(values, scale, out=np.zeros_like(values), where=scale > 0)
