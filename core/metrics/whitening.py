"""Whitening: the metric of the inverse covariance, from which Davis et al. (ITML, ICML 2007) may start, too.

A = (C + shrinkage · v I)^-1,    C the covariance of the data, v the mean of its variances
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.arrays import Float64Matrix
from core.declaration.declaration import parameter
from core.errors import TwinlensError
from core.message import NOTHING, Message
from core.metrics.metric import FittedMetric, Metric, MetricPairs
from core.metrics.metric_forms import ExplicitMetric
from core.progress import Progress, part, silent
from core.vectors import Vectors, training_vectors

LARGEST_DIMENSIONS = 2_048
"""Up to which a covariance is inverted: 512 MB."""

_LEAST_ROWS = 256
_LEAST = 1e-12  # of the largest variance: below it there is no direction that could be inverted


class Whitening(Metric):
    """Counts every direction of the data alike, however much the items differ in it (the Mahalanobis distance).

    What nearly all photos have in common then weighs less, and what tells a few apart weighs more. It needs no
    marks. The shrinkage keeps directions in which there is hardly anything but noise from counting as much as others.
    """

    key = "whitening"
    title = "Inverse covariance"
    paper = "Davis, Kulis, Jain, Sra and Dhillon, ICML 2007, for A0; Mahalanobis, 1936"
    fitted: ClassVar[tuple[type[FittedMetric], ...]] = (ExplicitMetric,)

    shrinkage: float = parameter(
        0.1,
        ge=0,
        le=1000,
        help="Added to every variance, as a share of the mean variance. 0 is the inverse covariance itself; the "
        "larger, the nearer to no metric at all.",
    )

    def check(self, dimensions: int) -> None:
        """Refuse vectors that are too long for a covariance; see `Metric.check`."""
        if dimensions > LARGEST_DIMENSIONS:
            raise TwinlensError(
                "whitening inverts the covariance of all dimensions, and {dimensions} are too many for "
                "that: it takes up to {largest_dimensions}.",
                "Choose a more compact descriptor.",
                dimensions=dimensions,
                largest_dimensions=LARGEST_DIMENSIONS,
            )

    def fit(self, x: Vectors, pairs: MetricPairs | None = None, progress: Progress = silent) -> ExplicitMetric:
        """Invert the covariance.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        pairs : MetricPairs, optional
            Not needed.

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, d is above 2,048, all items are equal, or, without shrinkage, the
            items do not differ in every direction.
        """
        x = training_vectors(x)
        self.check(x.shape[1])
        values, directions = np.linalg.eigh(_covariance(x, part(progress, 0, 0.5)))
        progress(0.8, 1, Message("Inverting the covariance"))
        mean_square = float(np.square(x, dtype=np.float64).sum()) / len(x)
        if values[-1] <= 1e-14 * mean_square:
            raise TwinlensError(
                "All {x} vectors are equal, so there is no covariance to invert.",
                "Give vectors that differ, or use no metric.",
                x=len(x),
            )
        shrunk = np.maximum(values, 0) + self.shrinkage * float(np.maximum(values, 0).mean())
        known = int((shrunk > _LEAST * shrunk[-1]).sum())
        if known < len(shrunk):
            raise TwinlensError(
                "The {x} vectors differ in {known} directions only, of {shrunk}: their covariance has no inverse.",
                "Give a shrinkage above 0, such as 0.1, or more vectors.",
                x=len(x),
                known=known,
                shrunk=len(shrunk),
            )
        root = (directions / np.sqrt(shrunk)) @ directions.T
        note = NOTHING
        if len(x) <= x.shape[1]:
            note = Message(
                "{items} items know little of the covariance of {dimensions} dimensions: more would do better.",
                items=len(x),
                dimensions=x.shape[1],
            )
        metric = ExplicitMetric.of(root, ranking=self.ranking, note=note)
        return metric.fitted_to(x, part(progress, 0.8, 1))


def _covariance(x: Vectors, progress: Progress) -> Float64Matrix:
    """Return the covariance of rows, (n, d) -> (d, d), by blocks, divided by n - 1 as numpy and scikit-learn do."""
    n, d = x.shape
    mean = x.mean(axis=0, dtype=np.float64)
    total = np.zeros((d, d))
    step = max(d, _LEAST_ROWS)  # as many rows as columns at a time: fewer, and adding takes longer than multiplying
    for start in range(0, n, step):
        progress(start, n, Message("Covariance"))
        difference = np.subtract(x[start : start + step], mean, dtype=np.float64)
        total += difference.T @ difference
    return np.asarray(total / max(n - 1, 1))
