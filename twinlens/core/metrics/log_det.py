"""The metric nearest to a prior by the LogDet divergence that keeps pairs near or apart, found by cyclic projections.

Davis, Kulis, Jain, Sra and Dhillon: Information-Theoretic Metric Learning, ICML 2007, algorithm 1. The constraints are
pairs and bounds on their distances. With v_i the difference of a pair, p = v_i' A v_i, δ = 1 for a similar pair and -1
for a different one, γ the slack, and ξ the bound as it was relaxed so far, each pair in turn is projected on:

    α = min(λ_i, δ γ / (γ + 1) (1 / p - 1 / ξ_i)),   λ_i -= α,   ξ_i = 1 / (1 / ξ_i + δ α / γ)
    β = δ α / (1 - δ α p),   A += β (A v_i)(A v_i)'

(The printed α = min(λ, δ/2 (1/p - γ/ξ)) is this at γ = 1 only.) Nothing but λ has to be kept, since always

    A^-1 = A0^-1 + Σ δ_i λ_i v_i v_i'

so A itself, (d, d), is needed only where there are more pairs than dimensions; else P = V' A V, (p, p), does, and for
it the differences' inner products under the prior: a kernel's matrix, or of vectors of any length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.compilation import compilation
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.metrics import log_det_plain
from twinlens.core.metrics.log_det_plain import step
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import one_thread

_REFRESH = 200  # sweeps after which what was updated is worked out anew, so that rounding does not add up
_TELL_PAIRS = 2_000
_CALLS = 5_000  # terms that numpy adds while its calls for one pair take
COMPILED = 128
"""Pairs, or dimensions, up to which compiled loops are faster than BLAS, which takes a call or two for each pair."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Pairs and the squared distances that they shall keep.

    Attributes
    ----------
    similar : ndarray of bool, (p,)
    bounds : ndarray of float64, (p,)
        At most this squared distance if similar, at least this if different; above 0.
    """

    similar: npt.NDArray[np.bool_]
    bounds: Float64Matrix

    @property
    def signs(self) -> Float64Matrix:
        """δ, (p,): 1 of similar pairs, -1 of different ones."""
        return np.where(self.similar, 1.0, -1.0)

    def violated(self, squared: Float64Matrix) -> npt.NDArray[np.bool_]:
        """Return which pairs have a squared distance on the wrong side of their bound, (p,) -> (p,)."""
        return np.asarray(self.signs * (squared - self.bounds) > 1e-9 * self.bounds)


@dataclass(frozen=True, eq=False)
class ProjectionResult:
    """The result of the projections.

    Attributes
    ----------
    duals : ndarray of float64, (p,)
        λ, at least 0.
    squared : ndarray of float64, (p,)
        Squared distances of the pairs under A.
    sweeps : int
        Times that all pairs were gone through.
    converged : bool
        Whether λ stood still at the end.
    """

    duals: Float64Matrix
    squared: Float64Matrix
    sweeps: int
    converged: bool


def project_on_constraints(
    constraints: Constraints,
    slack: float,
    sweeps: int,
    tolerance: float,
    differences: Float64Matrix | None = None,
    gram: Float64Matrix | None = None,
    progress: Progress = silent,
) -> ProjectionResult:
    """Go through the pairs, in their order, until nothing changes any more.

    One of ``differences`` and ``gram`` is given; both lead to the same duals.

    Parameters
    ----------
    slack : float
        γ: the larger, the more the bounds count beside the prior; infinite keeps them all, if that can be.
    sweeps : int
        At most.
    tolerance : float
        It stops where the sum of λ's changes is below this share of |λ| + |λ before|, or is rounding.
    differences : ndarray of float64, (p, d)
        v_i, where the prior is the identity.
    gram : ndarray of float64, (p, p)
        v_i' A0 v_j.
    """
    state = _state(differences, gram)
    signs, count = constraints.signs, len(constraints.bounds)
    duals = np.zeros(count)
    share = 1.0 if np.isinf(slack) else slack / (slack + 1)
    going = _Multipliers(signs, share, float(slack), duals, constraints.bounds.astype(np.float64))
    rounding = float(np.finfo(np.float64).eps * (1 / constraints.bounds).sum())  # a pair that lies on its bound
    converged, done = False, 0
    with one_thread():
        while done < sweeps and not converged:
            before = duals.copy()
            for first in range(0, count, _TELL_PAIRS):
                progress(done + first / count, sweeps, Message("Learning from pairs"))
                state.go_through(going, first, min(first + _TELL_PAIRS, count))
            done += 1
            length = float(np.linalg.norm(duals) + np.linalg.norm(before))
            change = float(np.abs(duals - before).sum())
            converged = change <= rounding or change < tolerance * length
            if done % _REFRESH == 0:
                state.refresh(signs * duals)
        state.refresh(signs * duals)
        return ProjectionResult(duals, state.all_squared(), done, converged)


def _state(differences: Float64Matrix | None, gram: Float64Matrix | None) -> _State:
    if gram is not None:
        return _ByPairs(gram) if len(gram) <= COMPILED else _ByManyPairs(gram)
    assert differences is not None
    return _ByDimensions(differences) if differences.shape[1] <= COMPILED else _ByManyDimensions(differences)


@dataclass(frozen=True, eq=False)
class _Multipliers:
    """State of the projections: λ and ξ, which change, with the signs δ, γ / (γ + 1) and γ."""

    signs: Float64Matrix
    share: float
    slack: float
    duals: Float64Matrix
    relaxed: Float64Matrix

    def parts(self) -> tuple[Float64Matrix, float, float, Float64Matrix, Float64Matrix]:
        return self.signs, self.share, self.slack, self.duals, self.relaxed


class _State(Protocol):
    """The kept form of A."""

    def go_through(self, going: _Multipliers, first: int, last: int) -> None:
        """Project on the pairs from the first to before the last."""

    def refresh(self, weights: Float64Matrix) -> None:
        """Recompute the updated arrays from δ λ."""

    def all_squared(self) -> Float64Matrix:
        """Return the pairs' squared distances under A."""


class _ByPairs:
    """P = V' A V is kept, its upper half."""

    def __init__(self, gram: Float64Matrix) -> None:
        self._prior = gram
        self._p = np.array(gram, np.float64, order="C")

    def go_through(self, going: _Multipliers, first: int, last: int) -> None:
        _loops(last - first, len(self._p)).by_pairs(self._p, *going.parts(), first, last)

    def refresh(self, weights: Float64Matrix) -> None:
        self._p = np.ascontiguousarray(_refreshed(self._prior, weights))

    def all_squared(self) -> Float64Matrix:
        return np.diagonal(self._p).copy()


class _ByManyPairs:
    """Likewise, by BLAS."""

    def __init__(self, gram: Float64Matrix) -> None:
        from scipy.linalg.blas import dsyr

        self._update = dsyr
        self._prior = gram
        self._p = np.asfortranarray(gram)

    def go_through(self, going: _Multipliers, first: int, last: int) -> None:
        for i in range(first, last):
            beta = step(i, float(self._p[i, i]), *going.parts())
            if beta != 0:
                along = np.concatenate((self._p[:i, i], self._p[i, i:]))
                self._p = self._update(beta, along, a=self._p, overwrite_a=1)

    def refresh(self, weights: Float64Matrix) -> None:
        self._p = np.asfortranarray(_refreshed(self._prior, weights))

    def all_squared(self) -> Float64Matrix:
        return np.diagonal(self._p).copy()


class _ByDimensions:
    """A is kept; the prior is the identity."""

    def __init__(self, differences: Float64Matrix) -> None:
        self._v = np.ascontiguousarray(differences, np.float64)
        self._a = np.eye(differences.shape[1])

    def go_through(self, going: _Multipliers, first: int, last: int) -> None:
        _loops(last - first, len(self._a)).by_dimensions(self._a, self._v, *going.parts(), first, last)

    def refresh(self, weights: Float64Matrix) -> None:
        self._a = np.ascontiguousarray(np.linalg.inv(inverse(self._v, weights)))

    def all_squared(self) -> Float64Matrix:
        return np.asarray(((self._v @ self._a) * self._v).sum(axis=1))


class _ByManyDimensions:
    """Likewise, by BLAS, and the upper half of A alone."""

    def __init__(self, differences: Float64Matrix) -> None:
        from scipy.linalg.blas import dsymv, dsyr

        self._multiply, self._update = dsymv, dsyr
        self._v = np.ascontiguousarray(differences)
        self._a = np.asfortranarray(np.eye(differences.shape[1]))

    def go_through(self, going: _Multipliers, first: int, last: int) -> None:
        for i in range(first, last):
            image = self._multiply(1.0, self._a, self._v[i])
            beta = step(i, float(image @ self._v[i]), *going.parts())
            if beta != 0:
                self._a = self._update(beta, image, a=self._a, overwrite_a=1)

    def refresh(self, weights: Float64Matrix) -> None:
        self._a = np.asfortranarray(np.linalg.inv(inverse(self._v, weights)))

    def all_squared(self) -> Float64Matrix:
        upper = np.triu(self._a)
        whole = upper + np.triu(self._a, 1).T
        return np.asarray(((self._v @ whole) * self._v).sum(axis=1))


def _loops(pairs: int, size: int) -> Any:
    """Return the loops over pairs: compiled ones, or until these are ready their twins."""
    work = pairs * (2 * size * size + _CALLS)
    return compilation.loops("twinlens.core.metrics.log_det_loops") if compilation.worth(work) else log_det_plain


def _refreshed(prior: Float64Matrix, weights: Float64Matrix) -> Float64Matrix:
    return np.asarray(np.linalg.solve(np.eye(len(weights)) + prior * weights, prior))


def inverse(differences: Float64Matrix, weights: Float64Matrix) -> Float64Matrix:
    """Return A^-1 = I + Σ w_i v_i v_i' for differences (p, d) and weights δ λ, (p,) -> (d, d)."""
    return np.eye(differences.shape[1]) + (differences.T * weights) @ differences


_LEAST_BOUND = 1e-9  # of the larger bound


@dataclass(frozen=True, eq=False)
class TellingPairs:
    """The pairs that something can be learned from. Made by :meth:`of`.

    Attributes
    ----------
    pairs : MetricPairs
        Similar ones first, each in the order given, no pair twice.
    itself, twice, contradicted, blank : int
        How many were left out: an item with itself, a pair marked before, a pair marked both similar and different
        (both marks), an item that is zero throughout.
    """

    pairs: MetricPairs
    itself: int
    twice: int
    contradicted: int
    blank: int

    @classmethod
    def of(cls, pairs: MetricPairs, blank: npt.NDArray[np.bool_]) -> TellingPairs:
        """Leave out what teaches nothing.

        Parameters
        ----------
        blank : ndarray of bool, (n,)
            Items that are zero throughout.

        Raises
        ------
        TwinlensError
            If a row does not exist, or no pair is left.
        """
        rows, similar = np.asarray(pairs.rows, np.int64).reshape(-1, 2), np.asarray(pairs.similar, bool)
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(blank)):
            wrong = int(rows[(rows < 0) | (rows >= len(blank))][0])
            raise TwinlensError(
                "A pair names row {wrong}, but there are {blank} vectors, counted from 0.",
                "Mend that pair.",
                wrong=wrong,
                blank=len(blank),
            )
        kept: dict[tuple[int, int], bool] = {}
        itself = twice = without = 0
        contradicted: set[tuple[int, int]] = set()
        for (one, other), mark in zip(rows.tolist(), similar.tolist(), strict=True):
            key = (min(one, other), max(one, other))
            if one == other:
                itself += 1
            elif blank[one] or blank[other]:
                without += 1
            elif key not in kept:
                kept[key] = mark
            elif kept[key] == mark:
                twice += 1
            else:
                contradicted.add(key)
        left = [(key, mark) for key, mark in kept.items() if key not in contradicted]
        left.sort(key=lambda one: not one[1])
        table = np.array([key for key, _ in left], np.int64).reshape(-1, 2)
        found = cls(
            MetricPairs(table, np.array([mark for _, mark in left], bool)), itself, twice, len(contradicted), without
        )
        if not left:
            raise TwinlensError(
                joined([Message("There is no pair to learn from."), found.left_out()]),
                "Mark some pairs as similar or different.",
            )
        return found

    def left_out(self) -> Message:
        """Return a note of the pairs that were left out; empty where none was."""
        pairs = [
            Message("{count} of an item with itself", count=self.itself) if self.itself else NOTHING,
            Message("{count} marked before", count=self.twice) if self.twice else NOTHING,
            Message("{count} marked both similar and different", count=self.contradicted)
            if self.contradicted
            else NOTHING,
            Message("{count} with an item that has nothing to compare", count=self.blank) if self.blank else NOTHING,
        ]
        found = joined(pairs, ", ")
        return Message("Left out: {pairs}.", pairs=found) if found else NOTHING


def percentile_bounds(
    x: Float64Matrix,
    similar: npt.NDArray[np.bool_],
    percentiles: tuple[float, float],
    draws: int,
    rng: np.random.Generator,
) -> Constraints:
    """Bound pairs by how far items are from each other: similar ones below a low percentile, different above a high.

    Parameters
    ----------
    x : ndarray of float64, (n, d)
        Items as the prior sees them: |x_i - x_j|² is their squared distance under it.
    similar : ndarray of bool, (p,)
    percentiles : tuple of float
        Of the squared distances of items drawn in pairs.
    draws : int
        How many pairs are drawn; all of them where there are no more.

    Raises
    ------
    TwinlensError
        If all items are equal.
    """
    n = len(x)
    if n * (n - 1) // 2 <= draws:
        first, second = np.triu_indices(n, 1)
    else:
        first = rng.integers(0, n, draws)
        second = (first + rng.integers(1, n, draws)) % n
    squared = np.concatenate(
        [np.square(x[first[s : s + 1000]] - x[second[s : s + 1000]]).sum(axis=1) for s in range(0, len(first), 1000)]
        or [np.zeros(0)]
    )
    if not len(squared) or squared.max() <= 0:
        raise TwinlensError("All items are equal, so no metric can tell them apart.", "Give vectors that differ.")
    low, high = np.percentile(squared, percentiles)
    low, high = max(low, _LEAST_BOUND * squared.max()), max(high, _LEAST_BOUND * squared.max())
    return Constraints(similar, np.where(similar, low, high).astype(np.float64))
