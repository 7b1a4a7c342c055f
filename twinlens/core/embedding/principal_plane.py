"""The plane of greatest variance, at once: a picture of all items while a better one is being worked out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import UnitRows, Vectors, as_vectors, one_thread, row_blocks

Plane = npt.NDArray[np.float32]

_SMALL = 128  # rows of a matrix that is decomposed as a whole in no time
_LARGE = 1 << 33  # products from which on float32 serves
_ROWS = 1024  # of a product in float32
_NOISE = 1e-12  # of the largest sum of squares: what float64 makes of a direction in which nothing varies


def pca_plane(x: npt.ArrayLike, progress: Progress = silent) -> Plane:
    """Project items on their two directions of greatest variance.

    Parameters
    ----------
    x : array_like, (n, d)
        Taken as float32.

    Returns
    -------
    ndarray of float32, (n, 2)
        Centred at 0; a column of zeros where nothing varies that is left. The entry of a direction that is largest in
        size is positive, so that the same items always give the same picture, not its mirror image.

    Raises
    ------
    TwinlensError
        If a value is not finite.

    Examples
    --------
    >>> pca_plane([[0.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, 4.0, 1.0]])[:, 0].tolist()
    [-2.0, 0.0, 2.0]
    """
    return principal_coordinates(x, 2, progress)


def principal_coordinates(x: npt.ArrayLike | UnitRows, count: int, progress: Progress = silent) -> Plane:
    """Project items on their directions of greatest variance, (n, d) -> (n, count), as :func:`pca_plane` does."""
    x = x if isinstance(x, UnitRows) else as_vectors(x, np.float32)
    n, d = x.shape
    found = np.zeros((n, count), np.float32)
    if n < 2:
        return found
    with one_thread():  # the same bits however many threads a machine has
        mean = x.mean() if isinstance(x, UnitRows) else x.mean(axis=0, dtype=np.float64)
        directions = _directions(x, mean, count, part(progress, 0, 0.8))
        for rows in row_blocks(n, d):
            progress(0.8 + 0.2 * rows.start / n, 1, Message("Projecting"))
            found[rows, : directions.shape[1]] = np.subtract(x[rows], mean, dtype=np.float64) @ directions
    return found


def _directions(x: Vectors | UnitRows, mean: Float64Matrix, count: int, progress: Progress) -> Float64Matrix:
    """Return leading eigenvectors of the scatter matrix, (d, up to count): through the Gram matrix where it is less.

    Each is found from a matrix that is no larger than the fewer of items and dimensions.
    """
    n, d = x.shape
    if n < d:
        centred = np.subtract(x[:], mean, dtype=np.float64)
        scatter = centred @ centred.T
    else:
        # A large matrix is a sum of products in float32, each of so few rows that its rounding is that of the items.
        large = n * d * d >= _LARGE
        parts = (slice(at, at + _ROWS) for at in range(0, n, _ROWS)) if large else row_blocks(n, d)
        dtype = np.float32 if large else np.float64
        scatter, middle = np.zeros((d, d)), mean.astype(dtype)
        for rows in parts:
            progress(rows.start, n, Message("Directions of greatest variance"))
            block = np.subtract(x[rows], middle, dtype=dtype)
            scatter += block.T @ block
    values, vectors = _leading(scatter, count)
    floor = _NOISE * max(float(np.square(mean).sum()) * n, float(np.trace(scatter)))
    kept = np.flatnonzero(values > floor)[::-1]
    vectors = vectors[:, kept]
    if n < d:
        vectors = centred.T @ vectors / np.sqrt(values[kept])
    largest = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.sign(vectors[largest, np.arange(len(kept))]))


def _leading(scatter: Float64Matrix, count: int) -> tuple[Float64Matrix, Float64Matrix]:
    """Return the greatest eigenvalues of a symmetric matrix, ascending, and their vectors.

    A large one is only multiplied by vectors, which lets other threads work meanwhile: what decomposes it as a whole
    would stop a window for as long as it takes.
    """
    from scipy.sparse.linalg import ArpackError, eigsh

    m = len(scatter)
    if m > _SMALL and count < m // 4:
        start = np.random.default_rng(0).standard_normal(m)
        try:
            values, vectors = eigsh(scatter, count, which="LA", v0=start, ncv=min(m, max(24, 4 * count)))
        except ArpackError:  # nothing differs from anything else, or hardly: there is no direction to begin with
            pass
        else:
            order = np.argsort(values, kind="stable")
            return values[order], vectors[:, order]
    values, vectors = np.linalg.eigh(scatter)
    first = max(m - count, 0)
    return values[first:], vectors[:, first:]
