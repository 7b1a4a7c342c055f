"""Savings by the bounds of exact search under a kernel, and the losses by the bound that is not true.

Bodó and Csató: Improving Kernel Locality-Sensitive Hashing Using Pre-Images and Bounds, 2012, section IV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Float64Values
from core.exact_search.kernel_neighbours import Bound, ExactKnn
from core.kernels.kernel import Kernel
from core.message import Message
from core.progress import Progress, silent
from core.vectors import Vectors

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
    asked = kernel.diagonal(queries)
    # All at once: what is counted are the comparisons that a search would make, not those that are made here.
    every = asked[:, None] + kernel.diagonal(x) - 2 * kernel.matrix(queries, x)
    for number, squares in enumerate(every):
        progress(number, len(queries), Message("Searching with the bound: {bound}", bound=bound))
        nearest = np.argsort(squares, kind="stable")
        for place, k in enumerate(ks):
            answer = knn.nearest_of(float(asked[number]), squares.__getitem__, k)
            compared[place] += answer.compared
            if knn.used == "heuristic" and len(answer.rows):
                nearer = nearest[:k][squares[nearest[:k]] < answer.squared_distances[-1]]
                lost[place] += int(np.count_nonzero(~np.isin(nearer, answer.rows)))
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
    asked, own = kernel.diagonal(queries)[:, None], kernel.diagonal(x)[None, :]
    squares = np.maximum(asked + own - 2 * kernel.matrix(queries, x), 0.0)
    slack = 1e-10 * (asked + own)
    norms = np.square(np.sqrt(np.maximum(asked, 0)) - np.sqrt(np.maximum(own, 0))) - slack
    heuristic = (asked - own) / 2 - slack
    return squares.ravel(), {"norms": norms.ravel(), "heuristic": heuristic.ravel()}
