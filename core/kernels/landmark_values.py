"""A kernel's values of many rows against landmarks that stay: what kernel encoders compute of an item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix
from core.kernels.monotone_transform import MonotoneTransform, normalised
from core.vectors import Vectors, row_blocks


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


@dataclass(frozen=True, eq=False)
class LandmarkKernel:
    """Evaluates a kernel between rows and fixed landmarks; made by :meth:`core.kernels.Kernel.against`.

    A value depends on its row and its landmark alone, bit for bit: not on the rows beside it, on its place among them,
    on the number of threads, or on whether loops are compiled. It may differ from the kernel's ``pairs`` and ``matrix``
    in the digits that float32 does not know.

    Attributes
    ----------
    kernel : KernelSums
        With nothing left ``auto``.
    landmarks : float32 array, (m, d)
    transform : Transform or None

    Examples
    --------
    >>> from core.kernels.histogram_kernels import ChiSquare
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
        """Evaluate all rows against all landmarks; for a number of rows whose answer may be held whole.

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
