"""Exact k nearest neighbours under a kernel, sparing comparisons by bounds on the distance.

Bodó and Csató: Improving Kernel Locality-Sensitive Hashing Using Pre-Images and Bounds, 2012, section IV. The squared
distance that a kernel induces is d² = k(x, x) + k(z, z) - 2 k(x, z), and of an item z only k(z, z) is kept.

    norms       d² >= (sqrt(k(x, x)) - sqrt(k(z, z)))²        (1)   true of every positive definite kernel
    heuristic   d² >= (k(x, x) - k(z, z)) / 2                 (2)   not true: parallel vectors of lengths 2 and 1 have
                                                                    d² = 1 < 1.5; its proof uses the triangle
                                                                    inequality on squared distances

With (1) the items are gone through outwards from the query's own norm, on both sides, each until the bound exceeds the
k-th distance so far, or in their own order where most of many are left anyway; with (2) in their own order, as the
paper's Algorithm 1 does. Items are measured in blocks, and the k-th distance is looked at before each: of a small table
a few per cent more are compared than item by item, and never fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Rows
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.vectors import Vectors

Bound = Literal["norms", "heuristic", "none"]
"""Which bound spares comparisons."""


_SLACK = 1e-10
"""Of k(x, x) + k(z, z): what rounding may take from a distance, so that the bound skips nothing that is tied."""

_SPREAD = 1e-6
"""Of the largest norm: norms that differ by less are all the same, and say nothing."""

_LEAST, _MOST = 32, 4_096  # items measured at once: few at first, while the k-th distance still falls fast
_GROWTH = 8  # an eighth of what has been looked at


@dataclass(frozen=True, eq=False)
class KernelNeighbours:
    """The nearest of one query, ordered by (distance, row).

    Attributes
    ----------
    rows : ndarray of int64, (k,)
    squared_distances : ndarray of float64, (k,)
    compared : int
        Items whose kernel with the query was computed.
    """

    rows: Int64Rows
    squared_distances: Float64Matrix
    compared: int


@dataclass(frozen=True, eq=False)
class ExactKnn:
    """Items made ready for exact queries under a kernel.

    Parameters
    ----------
    kernel : Kernel
        Nothing in it left ``auto``.
    x : ndarray, (n, d)
        The items; kept, not copied.
    bound : {"norms", "heuristic", "none"}
        With ``norms`` and ``none`` the result is exact. With ``heuristic``, the paper's bound (2), neighbours may be
        lost; see :meth:`lost`. Where a bound does not hold or can skip nothing, everything is compared, and
        :attr:`note` says why.

    Raises
    ------
    TwinlensError
        If the kernel is not defined for an item, or the heuristic is asked for under a kernel that is no dot product.

    Examples
    --------
    >>> from twinlens.core.kernels.dot_product_kernels import Linear
    >>> x = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 9.0], [2.0, 1.0]])
    >>> found = ExactKnn(Linear(), x).nearest(np.array([0.0, 1.0]), k=2)
    >>> found.rows.tolist(), found.squared_distances.tolist()
    ([1, 0], [1.0, 2.0])
    """

    kernel: Kernel
    x: Vectors
    bound: Bound = "norms"

    def __post_init__(self) -> None:
        self.kernel.check(self.x)
        if self.bound == "heuristic" and not self.kernel.positive_definite:
            raise TwinlensError(
                "There is no bound on the distances of the kernel {kernel}: it is not positive definite.",
                "Choose bound=none, or another kernel.",
                kernel=self.kernel.text(),
            )
        _ = self._own, self.note  # now, and not in the first query

    @cached_property
    def _own(self) -> Float64Matrix:
        """k(z, z) of every item, (n,)."""
        return self.kernel.diagonal(self.x)

    @cached_property
    def _by_norm(self) -> tuple[Int64Rows, Float64Matrix]:
        """Rows by ascending sqrt(k(z, z)), and these."""
        roots = np.sqrt(np.maximum(self._own, 0))
        rows = np.argsort(roots, kind="stable")
        return rows, roots[rows]

    @cached_property
    def note(self) -> Message:
        """Why no bound is used although one was chosen; empty where one is."""
        name = self.kernel.text()
        if self.bound == "none":
            return NOTHING
        if not self.kernel.positive_definite:
            return Message(
                "Everything is compared: {kernel} is not positive definite, and no bound on its distances holds.",
                kernel=name,
            )
        if self.kernel.normalise or self.kernel.translation_invariant:
            return Message(
                "Everything is compared: under {kernel} all items have the same norm, so a bound can skip none.",
                kernel=name,
            )
        if len(self.x):
            roots = self._by_norm[1]
            if roots[-1] - roots[0] <= _SPREAD * roots[-1]:
                return Message(
                    "Everything is compared: under {kernel} these items all have the same norm.", kernel=name
                )
        return NOTHING

    @property
    def used(self) -> Bound:
        """The bound that is used: ``none`` where :attr:`note` says why."""
        return "none" if self.note else self.bound

    def nearest(self, query: Vectors, k: int, mask: npt.NDArray[np.bool_] | None = None) -> KernelNeighbours:
        """Find the k nearest of one query.

        Parameters
        ----------
        query : ndarray, (d,)
        k : int
            At least 0.
        mask : ndarray of bool, (n,), optional
            False for rows that may not be found.

        Returns
        -------
        KernelNeighbours
            Fewer than k where there are not so many rows.
        """
        query_row = query[None, :]
        self.kernel.check(query_row)
        own = float(self.kernel.diagonal(query_row)[0])

        def distances(rows: Int64Rows) -> Float64Matrix:
            return np.asarray(own - 2 * self.kernel.pairs(self.x[rows], query_row) + self._own[rows])

        return self.nearest_of(own, distances, k, mask)

    def nearest_of(
        self,
        own: float,
        distances: Callable[[Int64Rows], Float64Matrix],
        k: int,
        mask: npt.NDArray[np.bool_] | None = None,
    ) -> KernelNeighbours:
        """Find the k nearest of one query, as :meth:`nearest`, where somebody else knows how far rows are.

        Parameters
        ----------
        own : float
            k(x, x) of the query.
        distances : callable
            Gives the squared distances of rows.
        mask : ndarray of bool, (n,), optional
        """
        best = _Best(k)
        if k > 0:
            for rows in self._blocks(own, best, mask):
                best.add(rows, distances(rows))
        return KernelNeighbours(best.rows, best.distances, best.seen)

    def lost(self, query: Vectors, found: KernelNeighbours, mask: npt.NDArray[np.bool_] | None = None) -> int:
        """Count the true nearest that a result misses: those nearer than its own.

        It takes another, exact, search. 0 unless the bound is the heuristic.
        """
        if self.used != "heuristic":
            return 0
        true = self._truly.nearest(query, len(found.rows), mask)
        nearer = true.squared_distances < found.squared_distances[-1:]
        return int(np.count_nonzero(nearer & ~np.isin(true.rows, found.rows)))

    @cached_property
    def _truly(self) -> ExactKnn:
        return ExactKnn(self.kernel, self.x, "norms")

    def _blocks(self, own: float, best: _Best, mask: npt.NDArray[np.bool_] | None) -> Iterator[Int64Rows]:
        """Yield the rows to measure, block by block, looking at the k-th distance so far before each."""
        used = self.used
        if used == "norms":
            blocks = self._outwards(own, best)
        elif used == "heuristic":
            blocks = self._in_order(best, lambda rows: (own - self._own[rows]) / 2 < best.worst)
        else:
            blocks = self._in_order(best)
        for rows in blocks:
            allowed = rows if mask is None else rows[mask[rows]]
            if len(allowed):
                yield allowed

    def _in_order(
        self, best: _Best, wanted: Callable[[Int64Rows], npt.NDArray[np.bool_]] | None = None
    ) -> Iterator[Int64Rows]:
        start, n = 0, len(self.x)
        while start < n:
            stop = min(start + (_MOST if wanted is None else best.step(start)), n)
            rows = np.arange(start, stop)
            # Before there are k of them, nothing is skipped.
            yield rows if wanted is None or not best.full else rows[wanted(rows)]
            start = stop

    def _outwards(self, own: float, best: _Best) -> Iterator[Int64Rows]:
        by_norm, roots = self._by_norm
        root = np.sqrt(max(own, 0.0))
        n, judged = len(roots), False
        below = above = int(np.searchsorted(roots, root))  # places [below, above) are done

        def bounds(places: slice) -> Float64Matrix:
            """Bound the distances from below; on each side of the query they rise outwards."""
            return np.asarray(np.square(roots[places] - root) - _SLACK * (own + np.square(roots[places])))

        while below > 0 or above < n:
            down = float(bounds(slice(below - 1, below))[0]) if below > 0 else np.inf
            up = float(bounds(slice(above, above + 1))[0]) if above < n else np.inf
            if min(down, up) > best.worst:
                return
            step = best.step(above - below)
            if step >= _MOST and not judged:
                judged = True
                left = np.flatnonzero(bounds(slice(0, n)) <= best.worst)
                left = by_norm[left[(left < below) | (left >= above)]]
                if len(left) > n // 2:  # quicker to read in their own order, as stretches of the table
                    left.sort()
                    for start in range(0, len(left), _MOST):
                        yield left[start : start + _MOST]
                    return
            if up <= down:
                places = slice(above, min(above + step, n))
                near = int(np.count_nonzero(bounds(places) <= best.worst))
                yield by_norm[places.start : places.start + near]
                above = places.stop if near == places.stop - places.start else n
            else:
                places = slice(max(below - step, 0), below)
                near = int(np.count_nonzero(bounds(places) <= best.worst))
                yield by_norm[places.stop - near : places.stop]
                below = places.start if near == places.stop - places.start else 0


class _Best:
    """The k nearest so far, ordered by (distance, row)."""

    def __init__(self, k: int) -> None:
        self._k = k
        self.rows: Int64Rows = np.empty(0, np.int64)
        self.distances: Float64Matrix = np.empty(0)
        self.seen = 0

    @property
    def full(self) -> bool:
        return len(self.rows) == self._k

    @property
    def worst(self) -> float:
        """The k-th distance; infinite before there are k."""
        return float(self.distances[-1]) if self.full else np.inf

    def step(self, done: int) -> int:
        """Return how many items to measure next, after so many."""
        return int(np.clip(done // _GROWTH, max(_LEAST, self._k), max(_MOST, self._k)))

    def add(self, rows: Int64Rows, distances: Float64Matrix) -> None:
        """Add measured distances; NaN is infinitely far."""
        self.seen += len(rows)
        distances = np.where(np.isnan(distances), np.inf, distances)
        near = distances <= self.worst
        rows, distances = np.concatenate([self.rows, rows[near]]), np.concatenate([self.distances, distances[near]])
        order = np.lexsort((rows, distances))[: self._k]
        self.rows, self.distances = rows[order], distances[order]
