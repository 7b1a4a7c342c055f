"""Where a metric that is learned from few pairs starts: what similar pairs differ in, beside what all items differ in.

In the principal directions of the items, U with the variances L, let W be half the mean scatter of the differences of
similar pairs, in units of the spread of all items, and drawn towards "as all items differ" as by ``strength`` pairs:

    W = (strength I + Σ w u u' / 2) / (strength + Σ w),    u = L^(-1/2) U' (x - z)

Where W is small, similar photographs agree although photographs differ: that tells, and counts more. This is relevant
component analysis (Bar-Hillel, Hertz, Shental and Weinshall, JMLR 2005) with shrinkage; but the weights that the
descriptor itself has, which whitening would throw away, are kept, and only their ratio changes:

    G0 = W^(-1/2) (L / L_1)^(-even / 2)    in the principal directions; what lies outside of them stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.metric import Matrix
from core.one_thread import one_thread
from core.progress import Progress
from core.subspaces import column_mean, draw, principal
from core.vectors import Vectors

_SAMPLE = 5_000  # items that principal directions are found from
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

    basis: Matrix
    variances: Matrix

    def first(self, count: int) -> Directions:
        """Give the first so many; all where there are no more, or for 0."""
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
    progress : Progress
    """
    rng = np.random.default_rng([seed, count])
    some = x[draw(len(x), _SAMPLE, rng)]
    mean = column_mean(some, progress)
    basis = principal(some, mean, count, rng, progress)
    variances = ((some.astype(np.float64) - mean) @ basis).var(axis=0)
    return Directions(basis, np.maximum(variances, _LEAST * max(float(variances.max(initial=0)), _LEAST)))


def similar_scatter(differences: Matrix, counts: Matrix, variances: Matrix, strength: float) -> Matrix:
    """Give W, (r, r).

    Parameters
    ----------
    differences : ndarray of float64, (p, r)
        x - z of the similar pairs, in the principal directions.
    counts : ndarray of float64, (p,)
        What each pair counts for; see :func:`said_by`.
    variances : ndarray of float64, (r,)
    strength : float
        Above 0.
    """
    u = differences / np.sqrt(2 * variances)
    with one_thread():
        return np.asarray((strength * np.eye(len(variances)) + (u.T * counts) @ u) / (strength + counts.sum()))


def said_by(rows: npt.NDArray[np.int64]) -> Matrix:
    """Say what each similar pair counts for, (p, 2) -> (p,).

    Of pairs that hang together in a group of m items, as all pairs of a group do, m - 1 say all there is: so many they
    count for together.
    """
    if not len(rows):
        return np.zeros(0)
    items, where = np.unique(rows, return_inverse=True)
    ends = where.reshape(-1, 2)
    group = np.arange(len(items))
    root = _finder(group)
    for one, other in ends.tolist():
        group[root(one)] = root(other)
    groups = np.array([root(item) for item in range(len(items))])
    members, pairs = np.bincount(groups, minlength=len(items)), np.bincount(groups[ends[:, 0]], minlength=len(items))
    return np.asarray((members[groups[ends[:, 0]]] - 1) / pairs[groups[ends[:, 0]]])


def start(scatter: Matrix, variances: Matrix, even: float) -> Matrix:
    """Give G0 in the principal directions, (r, r)."""
    with one_thread():
        values, vectors = np.linalg.eigh(scatter)
        root = (vectors / np.sqrt(np.maximum(values, _LEAST * values[-1]))) @ vectors.T
    return np.asarray(root * (variances / variances[0]) ** (-even / 2))


def _finder(group: npt.NDArray[np.intp]) -> Callable[[int], int]:
    def root(item: int) -> int:
        while group[item] != item:
            group[item] = group[group[item]]
            item = int(group[item])
        return item

    return root
