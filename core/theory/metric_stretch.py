"""Directions that a metric stretches or shrinks, and the distances of marked pairs under it.

Jain, Kulis and Grauman: Fast Similarity Search for Learned Metrics, TR-07-48, 2007; Davis et al., ICML 2007.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Float64Values, Int64Rows
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric, MetricPairs
from core.vectors import Vectors

SAME = 0.01
"""A direction within this of the usual one is neither stretched nor shrunk."""

_CHANCE = 4_000


@dataclass(frozen=True, eq=False)
class Stretch:
    """The eigenvalues of A.

    Attributes
    ----------
    eigenvalues : ndarray of float64, (d,)
        Divided by their median, descending: 1 is a direction that counts as it usually does, 4 one in which differences
        count twice as long.
    stretched, shrunk : int
        Directions above and below 1 by more than `SAME`.
    nothing : int
        Of those that are shrunk, directions that do not count at all.
    others : bool
        Whether there are more directions, beyond number, that count as usual: in the space of a kernel.
    """

    eigenvalues: Float64Values
    stretched: int
    shrunk: int
    nothing: int
    others: bool = False


def stretch(metric: FittedMetric) -> Stretch:
    """Return the eigenvalues of a metric; of a metric of a kernel only the learned ones: all others are 1."""
    others = isinstance(metric, KernelMetric)
    values = np.asarray(metric.spectrum(), np.float64)
    values = np.where(values > 1e-12 * values[0], values, 0.0)
    relative = values if others else values / np.median(values[values > 0])
    return Stretch(
        relative,
        int(np.count_nonzero(relative > 1 + SAME)),
        int(np.count_nonzero(relative < 1 - SAME)),
        int(np.count_nonzero(relative == 0)),
        others,
    )


@dataclass(frozen=True, eq=False)
class StretchedPairDistances:
    """Distances of marked pairs, as multiples of the mean distance of pairs drawn by chance.

    Attributes
    ----------
    similar, different : ndarray of float64
    auc : float
        The chance that a similar pair is nearer than a different one; ties count half. NaN without both.
    """

    similar: Float64Values
    different: Float64Values
    auc: float


def stretched_pair_distances(x: Vectors, pairs: MetricPairs, seed: int) -> StretchedPairDistances:
    """Measure marked pairs of items, Euclidean; give G x for a metric's distances.

    Parameters
    ----------
    x : ndarray, (n, d)
    seed : int
        Of the pairs drawn by chance.
    """
    return _of_pairs(lambda first, second: _lengths(x, first, second), len(x), pairs, seed)


def kernel_pair_distances(
    metric: KernelMetric, x: Vectors, pairs: MetricPairs, seed: int, learned: bool
) -> StretchedPairDistances:
    """Measure marked pairs of items in the space of a metric's kernel, or as the metric stretches it; exactly.

    Parameters
    ----------
    x : ndarray, (n, d)
    learned : bool
        Under the metric; otherwise under its kernel alone.
    """
    norms = metric.base.pairs(x, x)
    y = metric.coordinates(x) if learned else np.zeros((len(x), 1))
    weights = metric.stretch - 1 if learned else np.zeros(1)

    def between(first: Int64Rows, second: Int64Rows) -> Float64Values:
        plain = norms[first] + norms[second] - 2 * metric.base.pairs(x[first], x[second])
        return np.sqrt(np.maximum(plain + np.square(y[first] - y[second]) @ weights, 0))

    return _of_pairs(between, len(x), pairs, seed)


def _of_pairs(
    between: Callable[[Int64Rows, Int64Rows], Float64Values], count: int, pairs: MetricPairs, seed: int
) -> StretchedPairDistances:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, count, _CHANCE)
    second = (first + rng.integers(1, max(2, count), _CHANCE)) % count
    usual = float(between(first, second).mean())
    far = between(pairs.rows[:, 0], pairs.rows[:, 1]) / (usual if usual > 0 else 1.0)
    similar, different = far[pairs.similar], far[~pairs.similar]
    return StretchedPairDistances(similar, different, area(similar, different))


def area(similar: Float64Values, different: Float64Values) -> float:
    """Return the chance that one of the first is less than one of the second; a tie counts half."""
    if not (len(similar) and len(different)):
        return float("nan")
    ordered = np.sort(different)
    greater = len(ordered) - np.searchsorted(ordered, similar, "right")
    ties = np.searchsorted(ordered, similar, "right") - np.searchsorted(ordered, similar, "left")
    return float((greater + ties / 2).mean() / len(ordered))


def _lengths(x: Vectors, first: Int64Rows, second: Int64Rows) -> Float64Values:
    return np.asarray(np.sqrt(np.square(x[first].astype(np.float64) - x[second]).sum(axis=1)))
