"""A metric whose factor G is held as it is, r x d numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from core.arithmetic.exact_product import to_grid
from core.arrays import Float64Matrix
from core.message import NOTHING, Message
from core.metrics.metric import FittedMetric
from core.vectors import Vectors


@dataclass(frozen=True, eq=False)
class ExplicitMetric(FittedMetric):
    """G as a matrix. Made by :meth:`of`.

    Attributes
    ----------
    g : ndarray of float32, (r, d)
        Rounded so that products with it are exact.
    """

    g: npt.NDArray[np.float32] = field(kw_only=True)

    @classmethod
    def of(cls, g: Vectors, spread: float = 1.0, ranking: str = "distance", note: Message = NOTHING) -> Self:
        """Make the metric of a factor, (r, d), of any precision; it is kept as float32."""
        return cls(spread, ranking, note, g=to_grid(g, axis=1).astype(np.float32))

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.g.shape[1])

    @property
    def out_dimensions(self) -> int:
        """Length of the vectors that it gives."""
        return int(self.g.shape[0])

    @cached_property
    def _columns(self) -> Float64Matrix:
        return np.ascontiguousarray(self.g.T, np.float64)

    def image(self, block: Vectors, minus: Vectors | float = 0.0) -> Float64Matrix:
        """Return G (x - minus) of rows, (m, d) -> (m, r)."""
        return np.asarray(to_grid(block, axis=1, minus=minus) @ self._columns)

    def spectrum(self) -> Float64Matrix:
        """Return the eigenvalues of A = G'G, (d,), descending: the squared singular values of G, then zeros."""
        values = np.zeros(self.dimensions)
        singular = np.linalg.svd(self.g.astype(np.float64), compute_uv=False)
        values[: len(singular)] = np.square(singular)
        return values
