"""Shares of groups of numbers in the squared distance of two photographs.

Of a distance d that comes of a metric A, the part of the group g is what δ_g' A δ is of δ' A δ, δ the difference of
both photographs: the parts add up. It needs nothing but the distance itself, so it is the same for every measure:

    part = ( d²(x, z) - d²(x, z with x's g)  +  d²(x, x with z's g) ) / 2

what d² loses where the group is alike, and what the group alone makes, half of each. Where a metric is given by its
matrix, the matrix is used; where it is one of a kernel, as of chi-square, the distances are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from core.exact_search.measure import Measure
from core.kernels.linear import Linear
from core.message import Message
from core.metrics.explicit_metric import ExplicitMetric
from core.metrics.implicit_metric import ImplicitMetric
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric
from core.progress import Progress, silent

Exchange = Callable[[Float32Vectors, Float32Vectors], Float32Vectors]
"""Gives one vector as often as there are groups, each time with another group of the other's, (d,), (d,) -> (g, d)."""

_ROWS = 30_000  # that are measured at most
_PAIRS = 2_000
_TOO_FAR = 1e6  # a photograph with nothing to compare says nothing


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of the squared distance of photographs drawn by chance, (g,) each.

    Attributes
    ----------
    before, after : ndarray of float64, (g,)
    pairs : int
        That they were measured on.
    """

    before: Float64Matrix
    after: Float64Matrix
    pairs: int

    @property
    def factors(self) -> Float64Matrix:
        """Factor by which each counts more or less than before; 1 for what never counted."""
        return np.divide(self.after, self.before, out=np.ones_like(self.after), where=self.before > 0)


def group_shares(
    x: Float32Vectors, groups: Int64Rows, metric: FittedMetric, seed: int = 0, progress: Progress = silent
) -> Shares:
    """Measure what groups of numbers, (d,), give, on pairs drawn by chance; they add up to 1.

    Parameters
    ----------
    x : ndarray of float32, (n, d)
        At least two photographs, none zero throughout.
    groups : ndarray of int64, (d,)
        The group of each number.
    metric : FittedMetric
        Before is the same without what was learned.
    seed : int
    progress : Progress

    Raises
    ------
    Cancelled
        If progress says so.
    """
    count = int(groups.max()) + 1
    one, other = _drawn(x, count, gradient(metric) is not None, seed)
    weigh = gradient(metric)
    if weigh is not None:
        progress(0, 1, Message("Finding out what counts"))
        delta = one.astype(np.float64) - other
        each = np.array([np.square(delta).sum(axis=0), (delta * weigh(delta)).sum(axis=0)])
        totals: Float64Matrix = np.array([np.bincount(groups, row, count) for row in each], np.float64)
        used = len(one)
    else:
        masks = groups == np.arange(count)[:, None]
        totals, _, used = _measured(one, other, lambda a, b: np.where(masks, b, a), metric, progress)
    totals = np.maximum(totals, 0)
    return _shares(totals, totals.sum(axis=1), used)


def direction_shares(
    x: Float32Vectors, directions: Float64Matrix, metric: FittedMetric, seed: int = 0, progress: Progress = silent
) -> Shares:
    """Measure what lies along orthonormal directions, (d, g), as :func:`group_shares`; the rest is none of them."""
    count = directions.shape[1]
    weigh = gradient(metric)
    one, other = _drawn(x, count, weigh is not None, seed)
    if weigh is not None:
        progress(0, 1, Message("Finding out what counts"))
        delta = one.astype(np.float64) - other
        weighed = weigh(delta)
        along = delta @ directions
        totals = np.array([np.square(along).sum(axis=0), (along * (weighed @ directions)).sum(axis=0)])
        whole, used = np.array([np.square(delta).sum(), (delta * weighed).sum()]), len(one)
    else:
        non_negative = isinstance(metric, KernelMetric) and metric.base.non_negative

        def exchange(a: Float32Vectors, b: Float32Vectors) -> Float32Vectors:
            made = (a + (directions * ((b.astype(np.float64) - a) @ directions)).T).astype(np.float32)
            return np.maximum(made, 0) if non_negative else made

        totals, whole, used = _measured(one, other, exchange, metric, progress)
    return _shares(np.maximum(totals, 0), whole, used)


def gradient(metric: FittedMetric) -> Callable[[Float64Matrix], Float64Matrix] | None:
    """Return what multiplies differences, (p, d), by A; None for a metric that is no matrix of these numbers."""
    if isinstance(metric, ExplicitMetric):
        g = metric.g.astype(np.float64)
        return lambda delta: np.asarray((delta @ g.T) @ g)
    if isinstance(metric, ImplicitMetric):
        items, m = metric.items.astype(np.float64), metric.m
        return lambda delta: np.asarray(delta + ((delta @ items.T) @ m) @ items)
    return None


def _drawn(x: Float32Vectors, groups: int, quick: bool, seed: int) -> tuple[Float32Vectors, Float32Vectors]:
    rng = np.random.default_rng(seed)
    count = _PAIRS if quick else max(20, min(_PAIRS, _ROWS // (2 * groups + 1)))
    first = rng.integers(0, len(x), count)
    return x[first], x[(first + rng.integers(1, len(x), count)) % len(x)]


def _measured(
    one: Float32Vectors, other: Float32Vectors, exchange: Exchange, metric: FittedMetric, progress: Progress
) -> tuple[Float64Matrix, Float64Matrix, int]:
    """Add up the parts of all pairs by nothing but distances, (2, g), and the squared distances, (2,)."""
    before = Measure(metric.base) if isinstance(metric, KernelMetric) else Measure(Linear())
    groups = len(exchange(one[0], other[0]))
    totals, whole, used = np.zeros((2, groups)), np.zeros(2), 0
    for number, (x, z) in enumerate(zip(one, other, strict=True)):
        progress(number, len(one), Message("Finding out what counts"))
        rows = np.concatenate([z[None], exchange(z, x), exchange(x, z)])
        squared = np.square([before.distances(x, rows), metric.distances(x, rows)])
        if squared.max() > _TOO_FAR:
            continue
        totals += (squared[:, :1] - squared[:, 1 : 1 + groups] + squared[:, 1 + groups :]) / 2
        whole += squared[:, 0]
        used += 1
    return totals, whole, used


def _shares(totals: Float64Matrix, whole: Float64Matrix, used: int) -> Shares:
    kept = np.divide(totals, whole[:, None], out=np.zeros_like(totals), where=whole[:, None] > 0)
    return Shares(kept[0], kept[1], used)
