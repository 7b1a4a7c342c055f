"""Directions of greatest variance by generalized Nyström, from a part of the items and a part of the features.

Yun, Kim, Choi: Hashing with Generalized Nyström Approximation, ICDM 2012 ("YKC"), section II.B and Algorithm 1. The
paper's data matrix is (X - mean)', features by samples; here rows are samples, so its matrices stand transposed.

    C = c sampled samples, scaled;   W = r sampled features of C, scaled;   W = U S V'
    left singular vectors of the whole: C V_k S_k^+                                                    (YKC, eq. 1)

Neither X - mean nor C is ever held, only W and its Gram matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.progress import Progress, part
from core.subspaces import Matrix, Places, at_least, centred, draw, noise
from core.vectors import Vectors, row_blocks


@dataclass(frozen=True)
class Sampling:
    """How much is sampled, and how.

    Attributes
    ----------
    samples, features : float
        The parts of items and of dimensions that are drawn, in (0, 1]; at least 1.5 of each for a direction.
    weighted : bool
        Draw with replacement in proportion to squared norms, as Drineas's ConstantTimeSVD does; else uniformly and
        without replacement.
    truncation : float
        gamma of YKC section V.B: a singular value of W is used where sigma² >= gamma |C|_1 |C|_inf.
    """

    samples: float
    features: float
    weighted: bool
    truncation: float


def nystrom(
    x: Vectors, mean: Matrix, count: int, sampling: Sampling, *, rng: np.random.Generator, progress: Progress
) -> Matrix:
    """Approximate the directions of greatest variance.

    Parameters
    ----------
    x : ndarray, (n, d)
    mean : ndarray, (d,)
        Subtracted.
    count : int
        Directions wanted (k), at most d.
    sampling : Sampling
    rng : Generator
    progress : Progress

    Returns
    -------
    ndarray of float64, (d, k), k <= count
        By decreasing variance, not orthogonal; fewer columns than ``count`` where no more survive the truncation.
    """
    n, d = x.shape
    c = max(int(np.ceil(sampling.samples * n)), min(n, at_least(count)))
    r = max(int(np.ceil(sampling.features * d)), min(d, at_least(count)))
    if sampling.weighted:
        squares = _squared_norms(x, mean, part(progress, 0, 0.3))
        if squares.sum() <= noise(n, mean):
            return np.zeros((d, 0))
        items, weights = _by_weight(squares, c, rng)
    else:
        items, weights = draw(n, c, rng), np.full(c, np.sqrt(n / c))
    sampled = _Items(x, mean, items, weights)

    by_item, by_feature, squares = _norms(sampled, part(progress, 0.3, 0.5))
    if sampling.weighted and squares.any():
        features, scales = _by_weight(squares, r, rng)
    else:
        features, scales = draw(d, r, rng), np.full(r, np.sqrt(d / r))

    w = np.empty((c, r))  # W'
    for block in row_blocks(c, d):
        progress(0.5 + 0.2 * block.start / c, 1, "Sampling")
        w[block] = sampled.rows(block)[:, features] * scales
    progress(0.7, 1, "Singular vectors of the sample")
    cut = max(sampling.truncation * by_item.max() * by_feature.max(), noise(n, mean))
    right = _right_vectors(w, count, cut)

    directions = np.zeros((d, right.shape[1]))
    for block in row_blocks(c, d):
        progress(0.8 + 0.2 * block.start / c, 1, "Singular vectors of the whole")
        directions += sampled.rows(block).T @ right[block]
    return directions


@dataclass(frozen=True)
class _Items:
    """C': the sampled items, centred and scaled, made block by block."""

    x: Vectors
    mean: Matrix
    items: Places
    weights: Matrix

    def rows(self, block: slice) -> Matrix:
        return centred(self.x, self.mean, self.items[block]) * self.weights[block, None]


def _by_weight(squares: Matrix, count: int, rng: np.random.Generator) -> tuple[Places, Matrix]:
    """Draw with replacement in proportion to ``squares``; scale what is drawn by 1 / sqrt(count p)."""
    share = squares / squares.sum()
    places = np.sort(rng.choice(len(squares), count, p=share))
    return places, 1 / np.sqrt(count * share[places])


def _squared_norms(x: Vectors, mean: Matrix, progress: Progress) -> Matrix:
    norms = np.empty(len(x))
    for block in row_blocks(*x.shape):
        progress(block.start, len(x), "Lengths of the items")
        norms[block] = np.square(centred(x, mean, block)).sum(axis=1)
    return norms


def _norms(sampled: _Items, progress: Progress) -> tuple[Matrix, Matrix, Matrix]:
    """Give of C the sums of sizes by item and by feature (their largest are |C|_1, |C|_inf), and squares by feature."""
    c, d = len(sampled.items), sampled.x.shape[1]
    by_item, by_feature, squares = np.empty(c), np.zeros(d), np.zeros(d)
    for block in row_blocks(c, d):
        progress(block.start, c, "Sampling")
        sizes = np.abs(sampled.rows(block))
        by_item[block] = sizes.sum(axis=1)
        by_feature += sizes.sum(axis=0)
        squares += np.square(sizes).sum(axis=0)
    return by_item, by_feature, squares


def _right_vectors(w: Matrix, count: int, cut: float) -> Matrix:
    """Give V_k S_k^+ of W from W', (c, r) -> (c, k), of the singular values whose squares are at least ``cut``."""
    tall = w.shape[0] > w.shape[1]
    squares, vectors = np.linalg.eigh(w.T @ w if tall else w @ w.T)
    rounding = len(squares) * np.finfo(np.float64).eps * squares[-1]
    kept = np.flatnonzero((squares >= cut) & (squares > rounding))[::-1][:count]
    if tall:
        return np.asarray(w @ (vectors[:, kept] / squares[kept]))
    return np.asarray(vectors[:, kept] / np.sqrt(squares[kept]))
