"""Subspaces to project on before quantising: principal components, random directions, and the rotation of ITQ.

Principal components come exactly from a covariance or a Gram matrix, or approximately by generalized Nyström from a
part of the items and a part of the features. Everything is computed in float64 from blocks of rows; the data are never
copied whole.

Yun, Kim, Choi: Hashing with Generalized Nyström Approximation, ICDM 2012 ("YKC"), section II.B and Algorithm 1. The
paper's data matrix is (X - mean)', features by samples; here rows are samples, so its matrices stand transposed.

    C = c sampled samples, scaled;   W = r sampled features of C, scaled;   W = U S V'
    left singular vectors of the whole: C V_k S_k^+                                                    (YKC, eq. 1)

Neither X - mean nor C is ever held, only W and its Gram matrix.

Where directions are made orthogonal anyway, one step of subspace iteration, P -> D D' P, makes up for much of what was
not sampled: D, all features of the sampled items and of as many drawn anew.

The rotation of iterative quantisation (ITQ): Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3. For
projected data V (n, b) it looks for the rotation R that makes V R close to its signs B, by turns:

    B = sign(V R)            the best B for this R
    B'V = M Ω N',  R = N M'  the best R for this B (orthogonal Procrustes)

so |B - V R| never grows. (R = M N', as it is sometimes printed, is not the minimum.) Where a turn changes no sign, no
later one changes anything: few items, next to the bits, come to rest after a few turns.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import Vectors, one_thread, row_blocks

Places = npt.NDArray[np.integer[Any]]
LARGEST_COVARIANCE = 4_096
"""Dimensions up to which the covariance is computed: 128 MB; above, a sample of rows and their Gram matrix."""

LEAST_SAMPLE = 2_000
"""Rows that are sampled, at least, for principal components above ``LARGEST_COVARIANCE`` dimensions."""

_SMALL = 2e8  # multiplications: fewer are no sooner done by two threads, and much later where one must wait
OVERSAMPLING = 1.5  # sampled for each direction wanted: with exactly one for each, the last directions are noise
_RANK_CUT = 1e-12  # of the largest variance: below it is what float32 makes of nothing
_FLOAT32_NOISE = 1e-14  # of the mean's squared length: the variance that float32 vectors around it have by rounding


def principal(
    x: Vectors, mean: Float64Matrix, count: int, rng: np.random.Generator, progress: Progress
) -> Float64Matrix:
    """Find the directions of greatest variance.

    Exact up to ``LARGEST_COVARIANCE`` dimensions, by the smaller of covariance and Gram matrix. Above, from a uniform
    sample of max(2,000, 1.5 count) rows.

    Parameters
    ----------
    x : ndarray, (n, d)
    mean : ndarray, (d,)
        Subtracted.
    count : int
        Directions wanted, at most d.
    rng : Generator
        Draws the sample.

    Returns
    -------
    ndarray of float64, (d, k), k <= count
        Orthonormal columns, by decreasing variance; fewer than ``count`` where the data have no more.
    """
    n, d = x.shape
    rows = draw_places(n, n if d <= LARGEST_COVARIANCE else max(LEAST_SAMPLE, at_least(count)), rng)
    by = _by_covariance if len(rows) >= d else _by_gram
    return by(x, rows, mean, count, progress)


def _by_covariance(x: Vectors, rows: Places, mean: Float64Matrix, count: int, progress: Progress) -> Float64Matrix:
    covariance = np.zeros((x.shape[1], x.shape[1]))
    for block in row_blocks(len(rows), x.shape[1]):
        progress(block.start, 2 * len(rows), Message("Principal components"))
        difference = centred(x, mean, rows[block])
        covariance += difference.T @ difference
    progress(1, 2, Message("Principal components"))
    variances, directions = np.linalg.eigh(covariance)
    return _signed(directions[:, _leading(variances, count, noise(len(rows), mean))])


def _by_gram(x: Vectors, rows: Places, mean: Float64Matrix, count: int, progress: Progress) -> Float64Matrix:
    """Find the components of A = x[rows] - mean from A A' = U S² U': they are A' U S^-1."""
    gram = np.zeros((len(rows), len(rows)))
    parts = list(row_blocks(x.shape[1], len(rows)))
    for i, columns in enumerate(parts):
        progress(i, 3 * len(parts), Message("Principal components"))
        difference = np.subtract(x[rows, columns], mean[columns], dtype=np.float64)
        gram += difference @ difference.T
    progress(1, 3, Message("Principal components"))
    variances, left = np.linalg.eigh(gram)
    kept = _leading(variances, count, noise(len(rows), mean))
    left = left[:, kept] / np.sqrt(variances[kept])
    directions = np.empty((x.shape[1], len(kept)))
    for i, columns in enumerate(parts):
        progress(2 * len(parts) + i, 3 * len(parts), Message("Principal components"))
        directions[columns] = np.subtract(x[rows, columns], mean[columns], dtype=np.float64).T @ left
    # Directions of little variance come out less than orthogonal this way; QR mends them.
    return _signed(orthonormal(directions))


def _leading(variances: Float64Matrix, count: int, least: float) -> Places:
    """Return the places of the largest of ascending eigenvalues that are more than rounding, largest first."""
    return np.flatnonzero(variances > max(_RANK_CUT * variances[-1], least))[::-1][:count]


def _signed(directions: Float64Matrix) -> Float64Matrix:
    """Turn each column so that its largest entry is positive: LAPACK's choice is not the same everywhere."""
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
    return np.asarray(directions * np.where(largest < 0, -1.0, 1.0))


def column_mean(x: Vectors, progress: Progress) -> Float64Matrix:
    """Average the rows, (n, d) -> (d,)."""
    total = np.zeros(x.shape[1])
    for rows in row_blocks(*x.shape):
        progress(rows.start, len(x), Message("Averaging"))
        total += x[rows].sum(axis=0, dtype=np.float64)
    return total / len(x)


def centred(x: Vectors, mean: Float64Matrix, rows: Places | slice) -> Float64Matrix:
    """Return some rows less the mean, (m, d)."""
    return np.subtract(x[rows], mean, dtype=np.float64)


def at_least(count: int, each: float = OVERSAMPLING) -> int:
    """Return how many rows or columns must be sampled to learn so many directions, so many for each."""
    return max(1, int(np.ceil(each * count)))


def draw_places(size: int, count: int, rng: np.random.Generator) -> Places:
    """Draw places uniformly, without replacement, in order; all of them where there are no more than ``count``."""
    return np.sort(rng.choice(size, count, replace=False)) if count < size else np.arange(size)


def noise(n: int, mean: Float64Matrix) -> float:
    """Return the sum over n rows of squared differences from the mean that is nothing but rounding."""
    return n * _FLOAT32_NOISE * float(mean @ mean)


def gaussian(dimensions: int, count: int, rng: np.random.Generator) -> Float64Matrix:
    """Draw directions at random, (dimensions, count), entries from N(0, 1)."""
    return rng.standard_normal((dimensions, count))


def orthonormal(directions: Float64Matrix) -> Float64Matrix:
    """Orthogonalise columns by QR, in order, (d, k) -> (d, k), k <= d: the same spans, each column of length 1."""
    with one_thread() if directions.size * directions.shape[1] < _SMALL else nullcontext():
        q, r = np.linalg.qr(directions)
    return np.asarray(q * np.where(np.diag(r) < 0, -1.0, 1.0))


def padded(directions: Float64Matrix, count: int, rng: np.random.Generator) -> Float64Matrix:
    """Add random directions, of length 1 and orthogonal to all others, until there are ``count``, at most d."""
    d, found = directions.shape
    if found == count:
        return directions
    span, more = orthonormal(directions), gaussian(d, count - found, rng)
    for _ in range(2):  # what the first subtraction leaves of the span by rounding, the second takes
        more = orthonormal(more - span @ (span.T @ more))
    return np.concatenate([directions, more], axis=1)


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


Watch = Callable[[Float64Matrix, Float64Matrix], None]
"""Is shown V and R before the first turn and after each."""


def learn_rotation(
    v: Float64Matrix, iterations: int, rng: np.random.Generator, progress: Progress = silent, watch: Watch | None = None
) -> Float64Matrix:
    """Learn the rotation, from a random start.

    Parameters
    ----------
    v : ndarray of float64, (n, b)
        Centred data, projected.
    iterations : int
        Turns at most; 50 in the paper, with 0 the rotation is random.
    rng : Generator
        Draws the start, a uniformly random orthogonal matrix.
    watch : function, optional
        Looks on; changes nothing.

    Returns
    -------
    ndarray of float64, (b, b)
        Orthogonal; the bits are sign(v R).
    """
    b = v.shape[1]
    rotation = orthonormal(gaussian(b, b, rng))
    before: Float64Matrix | None = None
    with one_thread() if len(v) * b * b < _SMALL else nullcontext():
        for turn in range(iterations):
            progress(turn, iterations, Message("Learning the rotation"))
            if watch is not None:
                watch(v, rotation)
            correlation = np.zeros((b, b))
            for rows in row_blocks(len(v), b):
                correlation += signs(v[rows] @ rotation).T @ v[rows]
            if before is not None and np.array_equal(correlation, before):
                break
            before = correlation
            with one_thread():
                m, _, n_transposed = np.linalg.svd(correlation)
            rotation = n_transposed.T @ m.T
        else:
            if watch is not None:
                watch(v, rotation)
    return np.asarray(rotation)


def signs(projected: Float64Matrix) -> Float64Matrix:
    """Return 1 where a bit is 1 (>= 0), else -1."""
    return np.where(projected >= 0, 1.0, -1.0)
