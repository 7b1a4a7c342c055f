"""Theory of distances beside what is measured: comparisons spared by bounds, and directions that a metric stretches.

The bounds of exact search under a kernel, and what the bound that is not true loses: Bodó and Csató: Improving Kernel
Locality-Sensitive Hashing Using Pre-Images and Bounds, 2012, section IV.

Learned metrics: Jain, Kulis and Grauman: Fast Similarity Search for Learned Metrics, TR-07-48, 2007; Davis et al., ICML
2007.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from twinlens.core.arrays import Float64Values, Int64Rows
from twinlens.core.exact_search.kernel_neighbours import Bound, ExactKnn
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors

BOUNDS: tuple[Bound, ...] = ("norms", "heuristic")


@dataclass(frozen=True)
class NearestSavings:
    """Savings and losses of a bound in a search of the k nearest; means over the queries, as shares.

    Attributes
    ----------
    spared : float
        Of all items, those that are not compared.
    lost : float
        Of the k true neighbours, those that are not found.
    """

    k: int
    spared: float
    lost: float


def spared_by_k(
    x: Vectors, queries: Vectors, kernel: Kernel, ks: Sequence[int], bound: Bound, progress: Progress = silent
) -> list[NearestSavings]:
    """Search with a bound, and count.

    Parameters
    ----------
    x : ndarray, (n, d)
    queries : ndarray, (q, d)
    """
    knn = ExactKnn(kernel, x, bound)
    compared, lost = (np.zeros(len(ks)) for _ in range(2))
    query_norms = kernel.diagonal(queries)
    # All at once: what is counted are the comparisons that a search would make, not those that are made here.
    every = query_norms[:, None] + kernel.diagonal(x) - 2 * kernel.matrix(queries, x)
    for number, squares in enumerate(every):
        progress(number, len(queries), Message("Searching with the bound: {bound}", bound=bound))
        nearest = np.argsort(squares, kind="stable")
        for place, k in enumerate(ks):
            neighbours = knn.nearest_of(float(query_norms[number]), squares.__getitem__, k)
            compared[place] += neighbours.compared
            if knn.used == "heuristic" and len(neighbours.rows):
                nearer = nearest[:k][squares[nearest[:k]] < neighbours.squared_distances[-1]]
                lost[place] += int(np.count_nonzero(~np.isin(nearer, neighbours.rows)))
    q, wanted = len(queries), np.minimum(ks, len(x))
    spared, missed = 1 - compared / (q * len(x)), lost / (q * wanted)
    return [NearestSavings(k, float(spared[i]), float(missed[i])) for i, k in enumerate(ks)]


@dataclass(frozen=True, eq=False)
class RadiusSavings:
    """Savings and losses of a bound in a search of everything within a radius.

    Attributes
    ----------
    radius : ndarray of float64, (r,)
        Distances in the space of the kernel.
    spared : ndarray of float64, (r,)
        Share of all pairs of query and item that the bound says are farther.
    lost : ndarray of float64, (r,)
        Of the pairs that are within the radius, those that it says are farther; 0 where there are none.
    """

    radius: Float64Values
    spared: Float64Values
    lost: Float64Values


def spared_by_radius(squares: Float64Values, bounds: Float64Values, radius: Float64Values) -> RadiusSavings:
    """Count what lower bounds of squared distances put beyond a radius.

    Parameters
    ----------
    squares, bounds : ndarray of float64, (p,)
        Squared distances, and what a bound says they are at least.
    radius : ndarray of float64, (r,)
        Rising.
    """
    limit = np.square(radius)
    beyond = np.array([np.count_nonzero(bounds > one) for one in limit])
    within = np.array([np.count_nonzero(squares <= one) for one in limit])
    wrong = np.array([np.count_nonzero((squares <= one) & (bounds > one)) for one in limit])
    return RadiusSavings(radius, beyond / max(1, len(squares)), wrong / np.maximum(within, 1))


def pair_bounds(x: Vectors, queries: Vectors, kernel: Kernel) -> tuple[Float64Values, dict[Bound, Float64Values]]:
    """Return the squared distances of all queries and items, and what each bound says of them, all (q * n,).

    A ten-thousand-millionth of k(x, x) + k(z, z) is taken off, so that rounding breaks no bound.
    """
    query_norms, own = kernel.diagonal(queries)[:, None], kernel.diagonal(x)[None, :]
    squares = np.maximum(query_norms + own - 2 * kernel.matrix(queries, x), 0.0)
    slack = 1e-10 * (query_norms + own)
    norms = np.square(np.sqrt(np.maximum(query_norms, 0)) - np.sqrt(np.maximum(own, 0))) - slack
    heuristic = (query_norms - own) / 2 - slack
    return squares.ravel(), {"norms": norms.ravel(), "heuristic": heuristic.ravel()}


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
