"""The forms in which a fitted metric is kept, whatever method learned it: explicit and implicit.

An explicit metric holds its factor G, r x d numbers. An implicit one is the identity but for what a few items span,
G = I + Φ S Φ', never held as d x d numbers. The third form, a metric of a kernel, is in `kernel_metric`.

Kulis, Jain and Grauman, section on high-dimensional and kernel input: c items were in constraints, their vectors are
the columns of Φ, K0 = Φ'Φ, and all that was learned is S, (c, c). Then

    G x = x + Φ S Φ' x,        A = G'G = I + Φ M Φ',  M = S + S' + S' K0 S
    s_A(x, z) = k(x, z) + k_x' M k_z,        k_x = Φ' x
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.vectors import Vectors, to_grid


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


@dataclass(frozen=True, eq=False)
class ImplicitMetric(FittedMetric):
    """Items and S. Made by :meth:`of`.

    Attributes
    ----------
    items : ndarray of float32, (c, d)
        The columns of Φ, a row each.
    s : ndarray of float64, (c, c)
    """

    items: npt.NDArray[np.float32] = field(kw_only=True)
    s: npt.NDArray[np.float64] = field(kw_only=True)

    @classmethod
    def of(
        cls, items: Vectors, s: Vectors, spread: float = 1.0, ranking: str = "distance", note: Message = NOTHING
    ) -> Self:
        """Make the metric of items, (c, d), and S, (c, c); the items are kept as float32."""
        return cls(spread, ranking, note, items=items.astype(np.float32), s=s.astype(np.float64))

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.items.shape[1])

    @property
    def out_dimensions(self) -> int:
        """Length of the vectors that it gives: the same."""
        return self.dimensions

    @cached_property
    def _across(self) -> Float64Matrix:  # products along the dimensions
        return to_grid(np.ascontiguousarray(self.items.T), axis=0)

    @cached_property
    def _back(self) -> Float64Matrix:  # products along the items
        return to_grid(self.items, axis=0)

    @cached_property
    def _weights(self) -> Float64Matrix:
        return to_grid(np.ascontiguousarray(self.s.T), axis=0)

    def image(self, block: Vectors, minus: Vectors | float = 0.0) -> Float64Matrix:
        """Return G (x - minus) of rows, (m, d) -> (m, d)."""
        x = np.subtract(block, minus, dtype=np.float64)
        values = to_grid(x, axis=1) @ self._across
        weighted = to_grid(values, axis=1) @ self._weights
        x += to_grid(weighted, axis=1) @ self._back
        return x

    @cached_property
    def m(self) -> Float64Matrix:
        """M of the learned kernel, (c, c): A = I + Φ M Φ'."""
        return learned_weights(self.s, self._gram)

    @cached_property
    def _gram(self) -> Float64Matrix:
        items = self.items.astype(np.float64)
        return items @ items.T

    def spectrum(self) -> Float64Matrix:
        """Return the eigenvalues of A, (d,), descending: 1 in all directions but those that the items span."""
        if self.dimensions <= len(self.items):
            return self.explicit().spectrum()
        values, directions = np.linalg.eigh(self._gram)
        root = (directions * np.sqrt(np.maximum(values, 0))) @ directions.T
        spectrum = np.ones(self.dimensions)
        spectrum[: len(root)] += np.linalg.eigvalsh(root @ self.m @ root)
        return np.sort(np.maximum(spectrum, 0))[::-1]

    def explicit(self) -> ExplicitMetric:
        """Write G out, for as many dimensions as that is sensible.

        Raises
        ------
        TwinlensError
            Above 8,192 dimensions.
        """
        d = self.dimensions
        if d > LARGEST_EXPLICIT:
            raise TwinlensError(
                "A metric of {d} dimensions is too large to be written out as a matrix.",
                "It can be written out up to {largest_explicit} dimensions.",
                d=d,
                largest_explicit=LARGEST_EXPLICIT,
            )
        phi = self.items.astype(np.float64).T
        return ExplicitMetric.of(np.eye(d) + phi @ self.s @ phi.T, self.spread, self.ranking, self.note)


FITTED: tuple[type[FittedMetric], ...] = (ExplicitMetric, ImplicitMetric, KernelMetric)
LARGEST_EXPLICIT = 8_192
"""Dimensions up to which G is written out: 256 MB."""


def learned_weights(s: Float64Matrix, gram: Float64Matrix) -> Float64Matrix:
    """Return M = S + S' + S' K0 S, (c, c), of the learned kernel k(x, z) + k_x' M k_z.

    Parameters
    ----------
    s : ndarray of float64, (c, c)
    gram : ndarray of float64, (c, c)
        K0 of the items.
    """
    return np.asarray(s + s.T + s.T @ gram @ s)
