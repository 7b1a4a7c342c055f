"""Priors: the metrics from which learning starts, whitening, and for few pairs how similar pairs differ beside all.

Whitening is the metric of the inverse covariance, from which Davis et al. (ITML, ICML 2007) may start, too:

A = (C + shrinkage · v I)^-1,    C the covariance of the data, v the mean of its variances

The principal start is for few pairs. In the principal directions of the items, U with the variances L, let W be half
the mean scatter of the differences of similar pairs, in units of the spread of all items, and drawn towards "as all
items differ" as by ``strength`` pairs:

    W = (strength I + Σ w u u' / 2) / (strength + Σ w),    u = L^(-1/2) U' (x - z)

Where W is small, similar photographs agree although photographs differ: that tells, and counts more. This is relevant
component analysis (Bar-Hillel, Hertz, Shental and Weinshall, JMLR 2005) with shrinkage; but the weights that the
descriptor itself has, which whitening would throw away, are kept, and only their ratio changes:

    G0 = W^(-1/2) (L / L_1)^(-even / 2)    in the principal directions; what lies outside of them stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric, Metric, MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import column_mean, draw_places, principal
from twinlens.core.vectors import Vectors, one_thread, training_vectors

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


_SAMPLE = 5_000  # items that principal directions are found from
_FEW = 4  # times as many directions there must be, for the first to be found without the others
_SPARE, _ROUNDS = 16, 8


@dataclass(frozen=True, eq=False)
class Directions:
    """Principal directions of items.

    Attributes
    ----------
    basis : ndarray of float64, (d, r)
        Orthonormal columns, by decreasing variance.
    variances : ndarray of float64, (r,)
        Of the items along them; above 0.
    """

    basis: Float64Matrix
    variances: Float64Matrix

    def first(self, count: int) -> Directions:
        """Return the first so many; all where there are no more, or for 0."""
        return Directions(self.basis[:, :count], self.variances[:count]) if count else self


def principal_directions(x: Vectors, count: int, seed: int, progress: Progress) -> Directions:
    """Find the directions in which items differ most.

    Parameters
    ----------
    x : ndarray, (n, d)
    count : int
        How many at most; fewer where items do not differ in so many.
    seed : int
        Of the sample that they are found from, where there are more than 5,000 items.
    """
    rng = np.random.default_rng([seed, count])
    some = x[draw_places(len(x), _SAMPLE, rng)]
    mean, step = column_mean(some, part(progress, 0, 0.3)), part(progress, 0.3, 1)
    with one_thread():
        centred = some.astype(np.float64) - mean
        few = _FEW * count < min(centred.shape)
        basis = _leading(centred, count, rng, step) if few else principal(some, mean, count, rng, step)
        variances = (centred @ basis).var(axis=0)
    return Directions(basis, np.maximum(variances, _LEAST * max(float(variances.max(initial=0)), _LEAST)))


def _leading(centred: Float64Matrix, count: int, rng: np.random.Generator, progress: Progress) -> Float64Matrix:
    """Find the first few principal directions by subspace iteration (Halko, Martinsson and Tropp, 2011), (d, count).

    All of them, as by a covariance of a thousand dimensions and more, would take seconds.
    """
    block = np.linalg.qr(rng.standard_normal((centred.shape[1], count + _SPARE)))[0]
    for number in range(_ROUNDS):
        progress(number, _ROUNDS, Message("Principal directions"))
        block = np.linalg.qr(centred.T @ (centred @ block))[0]
    _, _, rotated = np.linalg.svd(centred @ block, full_matrices=False)
    found = block @ rotated.T[:, :count]
    largest = np.abs(found).argmax(axis=0)
    return np.asarray(found * np.sign(found[largest, np.arange(count)]))


def similar_scatter(
    differences: Float64Matrix, counts: Float64Matrix, variances: Float64Matrix, strength: float
) -> Float64Matrix:
    """Return W, (r, r).

    Parameters
    ----------
    differences : ndarray of float64, (p, r)
        x - z of the similar pairs, in the principal directions.
    counts : ndarray of float64, (p,)
        What each pair counts for; see :func:`similar_pair_weights`.
    variances : ndarray of float64, (r,)
    strength : float
        Above 0.
    """
    u = differences / np.sqrt(2 * variances)
    with one_thread():
        return np.asarray((strength * np.eye(len(variances)) + (u.T * counts) @ u) / (strength + counts.sum()))


def similar_pair_weights(rows: npt.NDArray[np.int64]) -> Float64Matrix:
    """Return the weight of each similar pair, (p, 2) -> (p,).

    Of pairs that hang together in a group of m items, as all pairs of a group do, m - 1 say all there is: so many they
    count for together.
    """
    if not len(rows):
        return np.zeros(0)
    items, where = np.unique(rows, return_inverse=True)
    ends = where.reshape(-1, 2)
    group = pair_groups(ends, len(items))
    members, pairs = np.bincount(group), np.bincount(group[ends[:, 0]], minlength=len(items))
    of_pair = group[ends[:, 0]]
    return np.asarray((members[of_pair] - 1) / pairs[of_pair])


def pair_groups(ends: npt.NDArray[np.integer[Any]], count: int) -> npt.NDArray[np.intp]:
    """Name the group of each of so many items by its smallest one, (p, 2) -> (count,): pairs hang it together."""
    group = np.arange(count)
    while True:
        least = np.minimum(group[ends[:, 0]], group[ends[:, 1]])
        nearer = group.copy()
        np.minimum.at(nearer, ends[:, 0], least)
        np.minimum.at(nearer, ends[:, 1], least)
        nearer = np.minimum(nearer, nearer[nearer])
        if (nearer == group).all():
            return group
        group = nearer


def starting_factor(scatter: Float64Matrix, variances: Float64Matrix, even: float) -> Float64Matrix:
    """Return G0 in the principal directions, (r, r)."""
    with one_thread():
        values, vectors = np.linalg.eigh(scatter)
        root = (vectors / np.sqrt(np.maximum(values, _LEAST * values[-1]))) @ vectors.T
    return np.asarray(root * (variances / variances[0]) ** (-even / 2))
