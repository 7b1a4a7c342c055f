"""Directions of greatest variance by generalized Nyström, from a part of the items and a part of the features.

Yun, Kim, Choi: Hashing with Generalized Nyström Approximation, ICDM 2012 ("YKC"), section II.B and Algorithm 1. The
paper's data matrix is (X - mean)', features by samples; here rows are samples, so its matrices stand transposed.

    C = c sampled samples, scaled;   W = r sampled features of C, scaled;   W = U S V'
    left singular vectors of the whole: C V_k S_k^+                                                    (YKC, eq. 1)

Neither X - mean nor C is ever held, only W and its Gram matrix.

Where directions are made orthogonal anyway, one step of subspace iteration, P -> D D' P, makes up for much of what was
not sampled: D, all features of the sampled items and of as many drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float64Matrix
from core.message import Message
from core.progress import Progress, part
from core.projections.subspaces import OVERSAMPLING, Places, at_least, centred, draw_places, noise
from core.vectors import Vectors, row_blocks


@dataclass(frozen=True)
class NystromSampling:
    """The amount and the way of sampling.

    Attributes
    ----------
    samples, features : float
        The parts of items and of dimensions that are drawn, in (0, 1].
    weighted : bool
        Draw with replacement in proportion to squared norms, as Drineas's ConstantTimeSVD does; else uniformly and
        without replacement.
    truncation : float
        gamma of YKC section V.B: a singular value of W is used where sigma² >= gamma |C|_1 |C|_inf.
    least : float
        Items and dimensions that are drawn at least for each direction, where there are as many.
    """

    samples: float
    features: float
    weighted: bool
    truncation: float
    least: float = OVERSAMPLING


def nystrom(
    x: Vectors,
    mean: Float64Matrix,
    count: int,
    sampling: NystromSampling,
    *,
    rng: np.random.Generator,
    progress: Progress,
    improve: bool = False,
) -> Float64Matrix:
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
    improve : bool
        Whether eq. 1 is followed by a step of subspace iteration; the lengths of columns mean nothing then.

    Returns
    -------
    ndarray of float64, (d, k), k <= count
        By decreasing variance, not orthogonal; fewer columns than ``count`` where no more survive the truncation.
    """
    n, d = x.shape
    c = max(int(np.ceil(sampling.samples * n)), min(n, at_least(count, sampling.least)))
    r = max(int(np.ceil(sampling.features * d)), min(d, at_least(count, sampling.least)))
    if sampling.weighted:
        by_length = _squared_norms(x, mean, part(progress, 0, 0.3))
        if by_length.sum() <= noise(n, mean):
            return np.zeros((d, 0))
        items, weights = _by_weight(by_length, c, rng)
    else:
        items, weights = draw_places(n, c, rng), np.full(c, np.sqrt(n / c))
    sampled = _Items(x, mean, items, weights)

    if sampling.weighted:
        features, scales = _by_feature(sampled, r, rng, part(progress, 0.3, 0.4))
    else:
        features, scales = draw_places(d, r, rng), np.full(r, np.sqrt(d / r))
    w, largest = _sample(sampled, features, scales, part(progress, 0.4, 0.6))
    progress(0.6, 1, Message("Singular vectors of the sample"))
    right = _right_vectors(w, count, max(sampling.truncation * largest, noise(n, mean)))

    directions = np.empty((d, right.shape[1]))
    for some in row_blocks(d, c):
        progress(0.75 + 0.1 * some.start / d, 1, Message("Singular vectors of the whole"))
        directions[some] = sampled.columns(some).T @ right
    if improve:
        more, of_more = (_by_weight(by_length, c, rng)) if sampling.weighted else (draw_places(n, c, rng), weights)
        both = _Items(x, mean, np.concatenate([items, more]), np.concatenate([weights, of_more]))
        directions = _iterated(both, directions, part(progress, 0.85, 1))
    return directions


@dataclass(frozen=True)
class _Items:
    """C': the sampled items, centred and scaled, made block by block."""

    x: Vectors
    mean: Float64Matrix
    items: Places
    weights: Float64Matrix

    def rows(self, block: slice) -> Float64Matrix:
        rows = centred(self.x, self.mean, self.items[block])
        rows *= self.weights[block, None]
        return rows

    def columns(self, block: slice) -> Float64Matrix:
        columns: Float64Matrix = np.subtract(self.x[self.items, block], self.mean[block], dtype=np.float64)
        columns *= self.weights[:, None]
        return columns


def _by_weight(squares: Float64Matrix, count: int, rng: np.random.Generator) -> tuple[Places, Float64Matrix]:
    """Draw with replacement in proportion to ``squares``; scale what is drawn by 1 / sqrt(count p)."""
    share = squares / squares.sum()
    places = np.sort(rng.choice(len(squares), count, p=share))
    return places, 1 / np.sqrt(count * share[places])


def _squared_norms(x: Vectors, mean: Float64Matrix, progress: Progress) -> Float64Matrix:
    norms = np.empty(len(x))
    for block in row_blocks(*x.shape):
        progress(block.start, len(x), Message("Lengths of the items"))
        norms[block] = np.square(centred(x, mean, block)).sum(axis=1)
    return norms


def _by_feature(
    sampled: _Items, count: int, rng: np.random.Generator, progress: Progress
) -> tuple[Places, Float64Matrix]:
    """Draw features by their lengths in C; uniformly where all are zero."""
    c, d = len(sampled.items), sampled.x.shape[1]
    squares = np.zeros(d)
    for block in row_blocks(c, d):
        progress(block.start, c, Message("Sampling"))
        squares += np.square(sampled.rows(block)).sum(axis=0)
    return (
        _by_weight(squares, count, rng)
        if squares.any()
        else (draw_places(d, count, rng), np.full(count, np.sqrt(d / count)))
    )


def _sample(
    sampled: _Items, features: Places, scales: Float64Matrix, progress: Progress
) -> tuple[Float64Matrix, float]:
    """Return W', (c, r), and |C|_1 |C|_inf, the largest sums of sizes of an item and of a feature."""
    c, d = len(sampled.items), sampled.x.shape[1]
    w, by_item, by_feature = np.empty((c, len(features))), np.empty(c), np.zeros(d)
    for block in row_blocks(c, d):
        progress(block.start, c, Message("Sampling"))
        rows = sampled.rows(block)
        np.multiply(rows[:, features], scales, out=w[block])
        np.abs(rows, out=rows)
        by_item[block] = rows.sum(axis=1)
        by_feature += rows.sum(axis=0)
    return w, float(by_item.max() * by_feature.max())


def _right_vectors(w: Float64Matrix, count: int, cut: float) -> Float64Matrix:
    """Return V_k S_k^+ of W from W', (c, r) -> (c, k), of the singular values whose squares are at least ``cut``."""
    tall = w.shape[0] > w.shape[1]
    gram = w.T @ w if tall else w @ w.T
    m = len(gram)
    from scipy.linalg import eigh

    # Only the leading ones, which takes half the time of all.
    squares, vectors = eigh(gram, subset_by_index=[max(m - count, 0), m - 1], driver="evr", overwrite_a=True)
    kept = np.flatnonzero((squares >= cut) & (squares > m * np.finfo(np.float64).eps * squares[-1]))[::-1]
    if tall:
        return np.asarray(w @ (vectors[:, kept] / squares[kept]))
    return np.asarray(vectors[:, kept] / np.sqrt(squares[kept]))


def _iterated(sampled: _Items, directions: Float64Matrix, progress: Progress) -> Float64Matrix:
    """Return D D' P of items D', (m, d), and directions P, (d, k)."""
    d, m = len(directions), len(sampled.items)
    products = np.zeros((m, directions.shape[1]))
    for some in row_blocks(d, m):
        progress(0.5 * some.start / d, 1, Message("Improving directions"))
        products += sampled.columns(some) @ directions[some]
    improved = np.empty_like(directions)
    for some in row_blocks(d, m):
        progress(0.5 + 0.5 * some.start / d, 1, Message("Improving directions"))
        improved[some] = sampled.columns(some).T @ products
    return improved
