"""Subspaces to project on before quantising: principal components and random directions.

Generalized Nyström, which approximates the first, is in :mod:`core.projections.generalized_nystrom`. All is worked out
in float64 from blocks of rows; the data are never copied whole.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arithmetic.one_thread import one_thread
from core.arrays import Float64Matrix
from core.message import Message
from core.progress import Progress
from core.vectors import Vectors, row_blocks

Places = npt.NDArray[np.integer[Any]]

LARGEST_COVARIANCE = 4_096
"""Dimensions up to which the covariance is computed: 128 MB; above, a sample of rows and their Gram matrix."""

LEAST_SAMPLE = 2_000
"""Rows that are sampled, at least, for principal components above ``LARGEST_COVARIANCE`` dimensions."""

_SMALL = 2e8  # multiplications: fewer are no sooner done by two threads, and much later where one must wait
OVERSAMPLING = 1.5  # sampled for each direction wanted: with exactly one for each, the last directions are noise
_RANK_CUT = 1e-12  # of the largest variance: below it is what float32 makes of nothing
_FLOAT32_NOISE = 1e-14  # of the mean's squared length: the variance that float32 vectors around it have by rounding


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
    progress : Progress

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
