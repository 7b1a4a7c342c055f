"""The space in which a metric is learned: the vectors, or, for indexes with a kernel, the span of landmarks.

A metric that is learned of chi-square, say, begins as the chi-square measure that the index has, and changes it where
the pairs tell something; one that began as the Euclidean distance of the histograms would first lose what the kernel
knows. The photographs of the pairs and a draw of others have coordinates in the kernel's space
(:mod:`core.metrics.kernel_learning`), and everything that chooses, learns and judges takes these for vectors. What was
learned is then told by the photographs, and measures any.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors
from core.exact_search.measure import Measure
from core.kernels.kernel import Kernel
from core.kernels.linear import Linear
from core.metrics.explicit_metric import ExplicitMetric
from core.metrics.itml import LearnedMetric
from core.metrics.kernel_learning import KernelTable, telling_items
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric

SPANNING_BACKGROUND = 600
"""Photographs beside those of the pairs that span the space of a kernel."""

LEADING = 384
"""Directions of that space in which metrics are tried and judged: what is left out is next to nothing."""


@dataclass(frozen=True, eq=False)
class LearningSpace:
    """The items that a metric is learned from, in their space. Made by :meth:`of`.

    Attributes
    ----------
    x : ndarray of float32, (c, r)
        The photographs of the pairs.
    background : ndarray of float32, (b, r)
        Others.
    before : Measure or FittedMetric
        How far these are from each other as things are.
    table : KernelTable or None
        What a kernel knows of them; None where vectors are what they are.
    """

    x: Float32Vectors
    background: Float32Vectors
    before: Measure | FittedMetric
    table: KernelTable | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: Float32Vectors, background: Float32Vectors) -> Self:
        """Find where to learn.

        Parameters
        ----------
        measure : Measure or FittedMetric
            Of the index.
        x : ndarray of float32, (c, d)
            The photographs of the pairs; what is zero throughout among them is so in the space, too.
        background : ndarray of float32, (b, d)
            Others; only as many as a kernel needs are looked at.

        Raises
        ------
        TwinlensError
            If the kernel is not defined for them.
        """
        kernel = kernel_of_measure(measure)
        if kernel is None or not x.any():
            return cls(x, background, measure, None)
        some = np.linspace(0, len(background) - 1, min(SPANNING_BACKGROUND, len(background))).astype(np.intp)
        table = KernelTable.of(kernel, np.concatenate([x, background[some]]))
        leading = table.space.first(LEADING).coordinates.astype(np.float32)
        before = measure
        if isinstance(measure, KernelMetric):
            before = _as_seen(measure, replace(table, space=table.space.first(LEADING)))
        else:
            before = Measure(Linear())
        return cls(leading[: len(x)], leading[len(x) :], before, table)

    def vectors(self, rank: int) -> npt.NDArray[np.floating]:
        """Return the vectors, (c + b, r), that a metric of so many directions, 0 for all, is learned from at last."""
        if self.table is None or 0 < rank <= LEADING:
            return np.concatenate([self.x, self.background])
        return self.table.space.coordinates

    def told(self, learned: LearnedMetric) -> LearnedMetric:
        """Return what was learned from :meth:`vectors` as a metric of what the library keeps."""
        if self.table is None:
            return learned
        g = learned.metric
        table = self.table
        if g.dimensions < table.space.rank:
            table = replace(table, space=table.space.first(g.dimensions))
        return replace(learned, metric=table.metric(g, telling_items(learned)))


def kernel_of_measure(measure: Measure | FittedMetric) -> Kernel | None:
    """Return the kernel that a metric begins from, normalised as the measure is; None for the vectors themselves."""
    if isinstance(measure, KernelMetric):
        return measure.base
    if isinstance(measure, FittedMetric) or isinstance(measure.kernel, Linear):
        return None
    return measure.kernel.changed(normalise=True)


def _as_seen(metric: KernelMetric, table: KernelTable) -> ExplicitMetric:
    """Return a metric of the same kernel as it is in the space of other items."""
    space, r = table.space, table.space.rank
    g = np.eye(r)
    if metric.axes.size:
        along = space.axes.T @ table.kernel.matrix(table.items, metric.items) @ metric.axes
        g += (along * (np.sqrt(metric.stretch) - 1)) @ along.T
    return ExplicitMetric.of(g, metric.spread, metric.ranking)
