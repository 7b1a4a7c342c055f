"""Judgement of distances by similar and different pairs, comparison of two distances, and the pairs to mark next.

The pairs to mark next are the most useful ones, no photograph twice. A pair near the threshold is one that the metric
cannot tell; one on which two metrics disagree is one that marks have not settled. Both are measured by places among all
pairs (`background_places`), which are comparable between metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import BoolMask, Float32Vectors, Float64Matrix, Int64Rows


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
