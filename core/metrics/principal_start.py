"""The prior of a metric for few pairs: how similar pairs differ, beside how all items differ.

In the principal directions of the items, U with the variances L, let W be half the mean scatter of the differences of
similar pairs, in units of the spread of all items, and drawn towards "as all items differ" as by ``strength`` pairs:

    W = (strength I + Σ w u u' / 2) / (strength + Σ w),    u = L^(-1/2) U' (x - z)

Where W is small, similar photographs agree although photographs differ: that tells, and counts more. This is relevant
component analysis (Bar-Hillel, Hertz, Shental and Weinshall, JMLR 2005) with shrinkage; but the weights that the
descriptor itself has, which whitening would throw away, are kept, and only their ratio changes:

    G0 = W^(-1/2) (L / L_1)^(-even / 2)    in the principal directions; what lies outside of them stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arithmetic import one_thread
from core.arrays import Float64Matrix
from core.message import Message
from core.progress import Progress, part
from core.projections.subspaces import column_mean, draw_places, principal
from core.vectors import Vectors

_SAMPLE = 5_000  # items that principal directions are found from
_FEW = 4  # times as many directions there must be, for the first to be found without the others
_SPARE, _ROUNDS = 16, 8
_LEAST = 1e-12  # of the largest variance


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
