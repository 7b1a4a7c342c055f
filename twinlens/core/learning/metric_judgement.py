"""Judgement of distances by similar and different pairs: two compared, the pairs to mark next, and a safe threshold.

The pairs to mark next are the most useful ones, no photograph twice. A pair near the threshold is one that the metric
cannot tell; one on which two metrics disagree is one that marks have not settled. Both are measured by places among all
pairs (`background_places`), which are comparable between metrics.

Below the threshold, of pairs like the marked ones, about a given share is wrong. The chance that a pair is different is
fitted to its distance by logistic regression on log distance, kept rising; the share of wrong pairs below a threshold
is its mean over them. The interval covers both unknowns: how the chance rises (drawn from the fit's normal
approximation), and which pairs there are (each counts for as much as an exponential draw says: Rubin's Bayesian
bootstrap, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import BoolMask, Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.errors import TwinlensError


def nearer(one: Float64Matrix, others: Float64Matrix) -> Float64Matrix:
    """Return the share of others that are farther than each, (p,), (o,) -> (p,); of equal ones, half."""
    ordered = np.sort(others)
    right, left = np.searchsorted(ordered, one, side="right"), np.searchsorted(ordered, one, side="left")
    return np.asarray((len(others) - right + (right - left) / 2) / len(others))


def best_threshold(similar: Float64Matrix, different: Float64Matrix) -> float:
    """Return the distance that parts most pairs rightly, both kinds counting alike; midway between two distances."""
    values = np.unique(np.concatenate([similar, different]))
    between = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2, [values[-1] + 1]])
    right = np.searchsorted(np.sort(similar), between) / len(similar)
    right += 1 - np.searchsorted(np.sort(different), between) / len(different)
    return float(between[int(np.argmax(right))])


def background_places(distances: Float64Matrix, background: Float64Matrix) -> Float64Matrix:
    """Return share of the background's distances that are smaller, (p,), (b,) -> (p,): comparable between metrics."""
    return np.asarray(1 - nearer(distances, background))


def standing(distances: Float64Matrix, similar: BoolMask, background: Float64Matrix) -> Float64Matrix:
    """Return the standing of each pair among the others, (p,) -> (p,) in [0, 1].

    Of a similar pair the share of different ones that are farther, of a different pair that of similar ones that are
    nearer; where one kind has none, the background, whose pairs are taken as different, stands for it. The mean over
    the pairs of either kind is the ROC area.
    """
    near, far = distances[similar], distances[~similar]
    found = np.empty(len(distances))
    found[similar] = nearer(near, far if len(far) else background)
    found[~similar] = 1 - nearer(far, near if len(near) else background)
    return found


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its standard error.

    Attributes
    ----------
    mean, error : float
        The error is a standard error.
    low, high : float
        About 90 % of the time the truth lies between.
    """

    mean: float
    error: float

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - 1.645 * self.error

    @property
    def surely(self) -> float:
        """The mean in units of its standard error."""
        if self.error > 0:
            return self.mean / self.error
        return float(np.copysign(np.inf, self.mean)) if self.mean else 0.0

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + 1.645 * self.error


def estimate_mean(values: Float64Matrix, pairs: npt.NDArray[np.int64], again: float = 1.0) -> MeanEstimate:
    """Average what was found of pairs, (p,), whose photographs are (p, 2).

    Pairs that share a photograph say partly the same: the error is that of dyadic data (Aronow, Samii and Assenova,
    2015), and at least that of pairs which share none.

    Parameters
    ----------
    values : ndarray of float64, (p,)
        At least one.
    pairs : ndarray of int64, (p, 2)
    again : float
        What the variance is multiplied by: 2 where every pair was judged by what was learned from the others, so that
        whatever two pairs have in common by chance counts for both.
    """
    count = len(values)
    if count < 2:
        return MeanEstimate(float(values.mean()), float("inf"))
    off = values - values.mean()
    own = float(np.square(off).sum())
    _, where = np.unique(pairs, return_inverse=True)
    ends = where.reshape(-1, 2)
    shared = np.bincount(ends.ravel(), np.repeat(off, 2))
    variance = max(own, float(np.square(shared).sum()) - own) / count / (count - 1)
    return MeanEstimate(float(values.mean()), float(np.sqrt(again * variance)))


@dataclass(frozen=True)
class HeldOutFigures:
    """Figures of a metric on held-out pairs.

    Attributes
    ----------
    accuracy : MeanEstimate
        Share of the pairs on their side of the best threshold, both kinds counting alike.
    area : MeanEstimate
        ROC area.
    recall_at_10 : MeanEstimate
        Share of the similar pairs of which one photograph is among the ten nearest of the other, among the background.
    """

    accuracy: MeanEstimate
    area: MeanEstimate
    recall_at_10: MeanEstimate


class PairMeasure(Protocol):
    """A measure of distances from one item."""

    def distances(self, query: Float32Vectors, x: Float32Vectors) -> Float64Matrix:
        """Measure items, (d,), (n, d) -> (n,)."""


def pair_distances(measure: PairMeasure, x: Float32Vectors, rows: Int64Rows) -> Float64Matrix:
    """Measure pairs of rows, (p, 2) -> (p,)."""
    found = np.empty(len(rows))
    for first in np.unique(rows[:, 0]):
        where = rows[:, 0] == first
        found[where] = measure.distances(x[first], x[rows[where, 1]])
    return found


def usefulness(now: Float64Matrix, before: Float64Matrix, threshold: float) -> Float64Matrix:
    """Return how much the mark of each pair would teach, (p,), (p,) -> (p,).

    Parameters
    ----------
    now, before : ndarray of float64, (p,)
        Places of the pairs under two metrics.
    threshold : float
        The place that parts similar pairs from different ones.
    """
    unsure = 1 / (1 + np.abs(_logit(now) - _logit(np.asarray([threshold]))))
    return np.asarray(unsure + np.abs(_logit(now) - _logit(before)) / 4)


def pick_pairs(rows: npt.NDArray[np.int64], useful: Float64Matrix, count: int) -> npt.NDArray[np.intp]:
    """Pick the most useful pairs, no item in two of them, (k,) of (p,); of equal ones the first."""
    taken: set[int] = set()
    chosen = []
    for place in np.argsort(-useful, kind="stable"):
        one, other = rows[place].tolist()
        if one not in taken and other not in taken:
            chosen.append(place)
            taken |= {one, other}
            if len(chosen) == count:
                break
    return np.array(chosen, np.intp)


def _logit(place: Float64Matrix) -> Float64Matrix:
    inside = np.clip(place, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(inside / (1 - inside)))


LEAST_OF_EACH = 5
"""Marks of each kind that a threshold needs."""

_DRAWS = 200
_STEPS = 50
_RIDGE = 0.02
_SMALLEST = 1e-9


@dataclass(frozen=True)
class Threshold:
    """A threshold and how sure it is. Made by :func:`threshold`.

    Attributes
    ----------
    distance : float
        Up to it, about ``wrong`` of the pairs are different.
    low, high : float
        About 90 % of the time the right distance lies between.
    wrong : float
        The share that was asked for.
    kept : float
        The share of the similar pairs that are below it.
    wrong_low, wrong_high : float
        About 90 % of the time the share of pairs up to it that are wrong lies between.
    likely, even : float
        Pairs at the first are similar four times of five, at the second every other time; 0 where all marked pairs
        are less often.
    """

    distance: float
    low: float
    high: float
    wrong: float
    kept: float
    wrong_low: float = 0.0
    wrong_high: float = 1.0
    likely: float = 0.0
    even: float = 0.0


def threshold(distances: Float64Matrix, similar: BoolMask, wrong: float = 0.02, seed: int = 0) -> Threshold:
    """Find the distance below which about a share of pairs is wrong.

    Parameters
    ----------
    distances : ndarray of float64, (p,)
        Of marked pairs.
    similar : ndarray of bool, (p,)
    wrong : float
        In (0, 0.5].
    seed : int
        Of the draws for the interval.

    Raises
    ------
    TwinlensError
        If there are fewer than five marks of a kind, or the share is none.
    """
    if not 0 < wrong <= 0.5:
        raise TwinlensError(
            "A share of {wrong:g} wrong pairs means nothing here.", "Give one above 0, at most 0.5.", wrong=wrong
        )
    least = int(min(similar.sum(), (~similar).sum()))
    if least < LEAST_OF_EACH:
        raise TwinlensError(
            "A threshold needs {least_of_each} marks of each kind, and of one there are {least}.",
            "Mark some more pairs, similar and different.",
            least_of_each=LEAST_OF_EACH,
            least=least,
        )
    logs = np.log(np.maximum(distances, _SMALLEST))
    order = np.argsort(logs, kind="stable")
    logs, similar = logs[order], similar[order]
    x = (logs - logs.mean()) / (logs.std() or 1.0)
    fitted, spread = _logistic(x, similar)
    rising = _Rising.of(logs, x, fitted, np.ones(len(x)))
    found = rising.reaching(wrong)
    rng = np.random.default_rng(seed)
    drawn, shares = np.empty(_DRAWS), np.empty(_DRAWS)
    for number in range(_DRAWS):
        line = fitted + spread @ rng.standard_normal(2)
        one = _Rising.of(logs, x, line, rng.exponential(size=len(x)))
        drawn[number], shares[number] = one.reaching(wrong), one.up_to(found)
    low, high = np.quantile(drawn, (0.05, 0.95))
    wrong_low, wrong_high = np.quantile(shares, (0.05, 0.95))
    return Threshold(
        found,
        float(min(low, found)),
        float(max(high, found)),
        wrong,
        float((logs[similar] <= _log(found)).mean()),
        float(min(wrong_low, wrong)),
        float(max(wrong_high, wrong)),
        *(_where(logs, fitted, chance) for chance in (0.2, 0.5)),
    )


@dataclass(frozen=True, eq=False)
class _Rising:
    """The share of pairs up to each distance that are different, as a fit says.

    Attributes
    ----------
    logs : ndarray of float64, (p,)
        Of the distances, ascending.
    shares : ndarray of float64, (p,)
    """

    logs: Float64Matrix
    shares: Float64Matrix

    @classmethod
    def of(cls, logs: Float64Matrix, x: Float64Matrix, line: Float64Matrix, counts: Float64Matrix) -> _Rising:
        chance = 1 / (1 + np.exp(-np.clip(max(line[0], 0.0) * x + line[1], -500, 500)))
        return cls(logs, np.cumsum(counts * chance) / np.cumsum(counts))

    def up_to(self, distance: float) -> float:
        place = int(np.searchsorted(self.logs, _log(distance), side="right"))
        return float(self.shares[max(place - 1, 0)])

    def reaching(self, wrong: float) -> float:
        below = np.flatnonzero(self.shares <= wrong)
        return float(np.exp(self.logs[below[-1]])) if len(below) else 0.0


def _where(logs: Float64Matrix, line: Float64Matrix, chance: float) -> float:
    """Return the distance at which a fit's chance to be different is so much, or the last; 0 where all have more."""
    if line[0] <= 0:
        return 0.0
    found = logs.mean() + (np.log(chance / (1 - chance)) - line[1]) / line[0] * (logs.std() or 1.0)
    return float(np.exp(min(found, logs[-1]))) if found >= logs[0] else 0.0


def _log(distance: float) -> float:
    return float(np.log(max(distance, _SMALLEST))) + 1e-12  # what was a logarithm is found again


def _logistic(x: Float64Matrix, similar: BoolMask) -> tuple[Float64Matrix, Float64Matrix]:
    """Fit P(different) = 1 / (1 + exp(-(a x + b))) by Newton's method: (a, b), and a root of their covariance."""
    table = np.column_stack([x, np.ones(len(x))])
    ridge = np.diag([_RIDGE, _RIDGE / 100])  # so that kinds that do not overlap are not told without a doubt
    weights = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        gradient = table.T @ (chance - ~similar) + ridge @ weights
        hessian = (table.T * np.maximum(chance * (1 - chance), _SMALLEST)) @ table + ridge
        step = np.linalg.solve(hessian, gradient)
        weights = weights - step / max(1.0, float(np.abs(step).max()) / 2)
        if float(np.abs(step).max()) < 1e-10:
            break
    return weights, np.linalg.cholesky(np.linalg.inv(hessian))
