"""The part of sparse directions that a metric adds, kept where its items are not zero: no code asks an item any more.

Jain, Kulis and Grauman, TR-07-48, section 3.4: of each direction r the non-zeros of Σ_j γ_j φ_j are kept, so that

    r'G x = r'x + (Σ_j γ_j φ_j)'x

takes time by the non-zeros of x, however many items the metric was learned from.

Kept are 24 digits, a float32's own, counted from the largest entry of a direction; a row's values are rounded to the
digits that a float64 can add exactly beside them, so a row has one code, alone or in any batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix
from core.metrics.lazy_directions import FLOAT32_DIGITS, add_in_parts, at_once, on_grid
from core.metrics.sparse_vectors import Rows

_KEPT = 1 << 26  # entries at most: 256 MB of float32; those of bits beyond are made for each batch anew


@dataclass(frozen=True, eq=False)
class KeptDirections:
    """The sums Σ_j γ_j φ_j of all bits.

    Attributes
    ----------
    items : csr_array, (c, d)
        φ_j.
    gamma : ndarray of float64, (c, bits)
    """

    items: Rows
    gamma: Float64Matrix

    @cached_property
    def dimensions(self) -> npt.NDArray[np.int64]:
        """The dimensions in which an item is not zero, ascending, (u,)."""
        return np.unique(self.items.indices).astype(np.int64)

    def project(self, x: Rows) -> Float64Matrix:
        """Return (Σ_j γ_j φ_j)'x of each row and direction, (n, d) -> (n, bits); of a row always the same."""
        projected = np.zeros((x.shape[0], self.gamma.shape[1]))
        if not len(self.dimensions):
            return projected
        place = np.minimum(np.searchsorted(self.dimensions, x.indices), len(self.dimensions) - 1)
        known = self.dimensions[place] == x.indices
        values, place = on_grid(x, FLOAT32_DIGITS)[known], place[known]
        pointers = np.concatenate([[0], np.cumsum(known)])[x.indptr]
        for start in range(0, projected.shape[1], self._bits_at_once):
            kept = self._sums(start) if start else self._first
            projected[:, start : start + kept.shape[1]] = _products(values, place, pointers, kept)
        return projected

    @cached_property
    def _bits_at_once(self) -> int:
        return max(1, _KEPT // len(self.dimensions))

    @cached_property
    def _first(self) -> npt.NDArray[np.float32]:
        return self._sums(0)

    @cached_property
    def _by_dimension(self) -> Rows:
        from scipy.sparse import csr_array

        places = np.searchsorted(self.dimensions, self.items.indices)
        shape = (len(self.gamma), len(self.dimensions))
        return csr_array((self.items.data, places, self.items.indptr), shape=shape).T.tocsr()

    def _sums(self, start: int) -> npt.NDArray[np.float32]:
        """Return the sums of as many bits as are kept at once, (u, those bits), on the grid of each direction."""
        gamma = np.ascontiguousarray(self.gamma[:, start : start + self._bits_at_once])
        sums = np.empty((len(self.dimensions), gamma.shape[1]), np.float32)
        step = at_once(gamma.shape[1])
        for row in range(0, len(sums), step):
            sums[row : row + step] = self._by_dimension[row : row + step] @ gamma
        _, exponents = np.frexp(np.maximum(sums.max(axis=0), -sums.min(axis=0)).astype(np.float64))
        # Beside a number of this size a float64 has no digits below the grid; adding and taking it away rounds to it.
        rounders = np.ldexp(1.5, exponents + (52 - FLOAT32_DIGITS))
        for row in range(0, len(sums), step):
            sums[row : row + step] = (sums[row : row + step] + rounders) - rounders
        return sums


def _products(
    values: Float64Matrix, places: npt.NDArray[np.intp], pointers: npt.NDArray[np.intp], kept: npt.NDArray[np.float32]
) -> Float64Matrix:
    """Multiply compressed rows with some rows of what is kept."""
    projected = np.zeros((len(pointers) - 1, kept.shape[1]))
    add_in_parts(projected, values, pointers, lambda some: kept[places[some]].astype(np.float64))
    return projected
