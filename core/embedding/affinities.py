"""Affinities of items to their neighbours: van der Maaten and Hinton's t-SNE, 2008, section 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Float64Matrix
from core.embedding.neighbour_lists import NeighbourLists

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_HALVINGS = 50
_NEAR_ENOUGH = 1e-5  # of the entropy, in nats


def affinities(lists: NeighbourLists, perplexity: float) -> csr_array:
    """Return the symmetric weights of a neighbour graph, (n, n); they sum to 1.

        p(j | i) ~ exp(-b_i d_ij²), with b_i so that exp(entropy of p(. | i)) = perplexity
        p_ij = (p(j | i) + p(i | j)) / 2n

    Parameters
    ----------
    lists : NeighbourLists
        Of at least one neighbour each.
    perplexity : float
        As how many neighbours each item counts; where there are not so many, all count the same.
    """
    from scipy.sparse import csr_array

    n, k = lists.rows.shape
    weights = conditional(np.asarray(lists.squared_distances, np.float64), perplexity)
    own = np.repeat(np.arange(n), k)
    there = (lists.rows >= 0).ravel()
    directed = csr_array((weights.ravel()[there], (own[there], lists.rows.ravel()[there])), (n, n))
    both = (directed + directed.T).tocsr()
    both.sort_indices()
    both.data /= both.data.sum()
    return both


def conditional(squared_distances: Float64Matrix, perplexity: float) -> Float64Matrix:
    """Return p(j | i), (n, k), its rows summing to 1.

    Distances count from the nearest, which changes nothing but that no row vanishes.
    """
    n, k = squared_distances.shape
    gaps = squared_distances - squared_distances[:, :1]
    finite = np.isfinite(gaps)
    scale = np.where(finite, gaps, 0).sum(axis=1) / np.maximum(finite.sum(axis=1), 1)
    gaps = gaps / np.where(scale > 0, scale, 1)[:, None]
    target = np.log(min(perplexity, k))
    sharp, low, high = np.ones(n), np.zeros(n), np.full(n, np.inf)
    finite_gaps = np.where(finite, gaps, 0)
    for _ in range(_HALVINGS):
        p = np.exp(-gaps * sharp[:, None])
        sums = p.sum(axis=1)
        entropy = np.log(sums) + sharp * (finite_gaps * p).sum(axis=1) / sums
        off = entropy - target
        if np.all(np.abs(off) < _NEAR_ENOUGH):
            break
        flat = off > 0  # too many count: sharper
        low, high = np.where(flat, sharp, low), np.where(flat, high, sharp)
        sharp = np.where(np.isinf(high), 2 * sharp, (low + high) / 2)
        sharp = np.minimum(sharp, 1e12)
    p = np.exp(-gaps * sharp[:, None])
    return np.asarray(p / p.sum(axis=1, keepdims=True))
