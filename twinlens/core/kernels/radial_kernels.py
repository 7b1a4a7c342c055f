"""Kernels of the distance between two items: Gaussian, Laplacian, Cauchy.

Each is one spectral density, from which LSH for shift-invariant kernels (Raginsky and Lazebnik 2009) draws.

They fall from 1 as items lie farther apart; a rule finds their width. Squared Euclidean distances of all pairs come
from a matrix product: |x - z|² = |x|² + |z|² - 2 x·z.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Literal, Self

import numpy as np

from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel, UnitRange
from twinlens.core.kernels.sums import DISTANCE, sums
from twinlens.core.vectors import Vectors, row_blocks, to_grid

NEIGHBOUR = 50
"""The neighbour whose distance is the width of a neighbourhood (Kim and Choi, CVPR 2015, section 4)."""

ITEMS = 300
"""Number of items for that average, as many as the paper has queries."""

_LARGEST_GAMMA = 1e300
_DIGITS = 6
"""Of gamma: it can be read and written, and does not depend on the order in which some matrix product adds."""


class RadialKernel(Kernel):
    """Base of the kernels of a distance; a subclass gives the distances and gamma for one of them."""

    translation_invariant = True

    gamma: float | Literal["auto"] = parameter(
        "auto",
        gt=0,
        le=_LARGEST_GAMMA,
        help="Inverse width: larger sees nearer neighbours only. auto finds it from the average distance of sampled "
        "items to their 50th neighbour.",
    )

    @property
    def unit_range(self) -> UnitRange:
        """All rows."""
        return UnitRange.ALL_ROWS

    @property
    def known_gamma(self) -> float:
        """Gamma, which must be a number by now.

        Raises
        ------
        TwinlensError
            If it still says ``auto``.
        """
        if self.gamma == "auto":
            raise TwinlensError(
                "The {key} kernel has gamma=auto, which is found when something is learned with it.",
                "Learn first, or write a number, as in {key}(gamma=0.5).",
                key=self.key,
            )
        return float(self.gamma)

    @staticmethod
    @abstractmethod
    def distances(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the distances of all pairs that the kernel is a function of, (n, d), (m, d) -> (n, m)."""

    @staticmethod
    @abstractmethod
    def gamma_of(distance: float) -> float:
        """Return the gamma that suits neighbours at such a distance."""

    def norms(self, x: Vectors) -> Float64Matrix:
        """Return ones: an item lies at its own place."""
        return np.ones(len(x))

    def check(self, x: Vectors, first_row: int = 0) -> None:
        """Refuse to be evaluated before gamma is a number; any vectors will do."""
        _ = self.known_gamma

    def fitted_to(self, x: Vectors, rng: np.random.Generator) -> Self:
        """Return this kernel with gamma a number: for ``auto``, that of :func:`neighbour_distance`, to 6 digits."""
        if self.gamma != "auto":
            return self
        distance = neighbour_distance(self, x, rng)
        gamma = min(self.gamma_of(distance), _LARGEST_GAMMA) if distance > 1e-150 else 1.0
        return self.changed(gamma=float(f"{gamma:.{_DIGITS}g}"))


def neighbour_distance(kernel: RadialKernel, x: Vectors, rng: np.random.Generator) -> float:
    """Average the distance of up to ``ITEMS`` drawn items to their ``NEIGHBOUR``-th neighbour among all of ``x``.

    Parameters
    ----------
    kernel : RadialKernel
        Whose distance it is.
    x : ndarray, (n, d)
        Rows that are zero throughout are left out. Of fewer items than neighbours the farthest is taken.

    Returns
    -------
    float
        Where so many items are equal that it would be 0, the average distance of items that are not; 0 if all are
        equal, or if there is but one.
    """
    telling = np.flatnonzero(x.any(axis=1))
    if len(telling) < 2:
        return 0.0
    drawn = telling[np.sort(rng.choice(len(telling), min(ITEMS, len(telling)), replace=False))]
    nth = min(NEIGHBOUR, len(telling) - 1)
    nearest = np.empty((len(drawn), 0))
    for distances in _blocks(kernel, x, telling, drawn):
        both = np.concatenate([nearest, distances], axis=1)
        # Only the nearest so far are kept: items may be many.
        nearest = np.partition(both, nth, axis=1)[:, : nth + 1] if both.shape[1] > nth else both
    average = math.fsum(nearest.max(axis=1).tolist()) / len(drawn)
    return average or _different(kernel, x, telling, drawn)


def _different(kernel: RadialKernel, x: Vectors, telling: Int64Rows, drawn: Int64Rows) -> float:
    """Average the distances of the drawn items to those that are not equal to them."""
    total, count = 0.0, 0
    for distances in _blocks(kernel, x, telling, drawn):
        apart = distances[distances > 0]
        total, count = total + float(apart.sum()), count + len(apart)
    return total / max(count, 1)


def _blocks(kernel: RadialKernel, x: Vectors, telling: Int64Rows, drawn: Int64Rows) -> Iterator[Float64Matrix]:
    """Yield the distances of the drawn items to all telling ones, (drawn, block); to themselves -1, before all."""
    ours = x[drawn].astype(np.float64)
    for block in row_blocks(len(telling), max(x.shape[1], len(drawn) // 4)):
        rows = telling[block]
        distances = kernel.distances(ours, x[rows].astype(np.float64))
        place = np.searchsorted(rows, drawn)
        own = np.flatnonzero(rows[np.minimum(place, len(rows) - 1)] == drawn)
        distances[own, place[own]] = -1.0
        yield distances


class SquaredDistanceKernel(RadialKernel):
    """Base of the kernels of the squared Euclidean distance."""

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return (x - z)²."""
        return np.square(x - z)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Multiply the two tables, after both are moved to where less of the digits is lost."""
        centre = z.mean(axis=0) if len(z) else 0.0
        x, z = x - centre, z - centre
        return _from_product(x @ (-2 * z).T, _squares(x), _squares(z))

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Multiply exactly (:mod:`twinlens.core.vectors`); the squares are exact likewise, and 0 for equal rows."""
        landmarks = to_grid(z, axis=1)
        columns, squares = -2 * landmarks.T, _squares(landmarks)

        def squared(x: Float32Vectors) -> Float64Matrix:
            rows = to_grid(x, axis=1)
            return _from_product(rows @ columns, _squares(rows), squares)

        return squared

    @staticmethod
    def distances(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the Euclidean distances."""
        centre = z.mean(axis=0)
        x, z = x - centre, z - centre
        return np.sqrt(_from_product(x @ (-2 * z).T, _squares(x), _squares(z)))

    @staticmethod
    def gamma_of(distance: float) -> float:
        """Return 1 / (2 distance²)."""
        return 0.5 / distance / distance


def _squares(x: Float64Matrix) -> Float64Matrix:
    return np.asarray(np.square(x).sum(axis=1))


def _from_product(product: Float64Matrix, of_x: Float64Matrix, of_z: Float64Matrix) -> Float64Matrix:
    """Turn -2 x·z into |x - z|², in place."""
    product += of_x[:, None]
    product += of_z
    return np.maximum(product, 0, out=product)


class Laplacian(RadialKernel):
    """exp(-gamma |x - z|_1), of the sum of the absolute differences: a few large ones count for less.

    With gamma=auto, gamma is 1 / τ, τ the average distance (sum of absolute differences) of sampled items to their
    50th neighbour.
    """

    key = "laplacian"
    title = "Laplacian"

    def terms(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return |x - z|."""
        return np.abs(x - z)

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return exp(-gamma s)."""
        sums *= -self.known_gamma
        return np.exp(sums, out=sums)

    def all_sums(self, x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Add |x - z| in the stated order."""
        return self.distances(x, z)

    def lone_sums(self, z: Float32Vectors) -> Callable[[Float32Vectors], Float64Matrix]:
        """Add |x - z| in the stated order, of float32."""
        columns = np.ascontiguousarray(z.T)
        return lambda x: sums(DISTANCE, x, columns)

    @staticmethod
    def distances(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
        """Return the sums of the absolute differences."""
        return sums(DISTANCE, x, np.ascontiguousarray(z.T))

    @staticmethod
    def gamma_of(distance: float) -> float:
        """Return 1 / distance."""
        return 1 / distance


class Gaussian(SquaredDistanceKernel):
    """exp(-gamma |x - z|²), 1 for equal items and next to nothing for those a few widths apart.

    With gamma=auto, gamma is 1 / (2 τ²), τ the average distance of sampled items to their 50th neighbour.
    """

    key = "gaussian"
    title = "Gaussian"

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return exp(-gamma s)."""
        sums *= -self.known_gamma
        return np.exp(sums, out=sums)


class Cauchy(SquaredDistanceKernel):
    """1 / (1 + gamma |x - z|²), which falls slowly: items far apart still differ in how far.

    With gamma=auto, gamma is 1 / (2 τ²), τ the average distance of sampled items to their 50th neighbour.
    """

    key = "cauchy"
    title = "Cauchy"

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return 1 / (1 + gamma s)."""
        sums *= self.known_gamma
        sums += 1
        return np.divide(1, sums, out=sums)
