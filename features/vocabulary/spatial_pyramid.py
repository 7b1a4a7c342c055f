"""The spatial pyramid: what is seen is told apart by where in the picture it is, coarsely and finely.

Lazebnik, Schmid, Ponce: Beyond Bags of Features: Spatial Pyramid Matching for Recognizing Natural Scene Categories,
CVPR 2006. Level l cuts the picture into 2^l x 2^l cells; of levels 0 ... L a match at level l counts (equation 3)

    w_0 = 1 / 2^L,        w_l = 1 / 2^(L - l + 1)

which sum to 1. Each level is brought to length 1 here and multiplied by sqrt(w_l): the dot product of two pyramids is
the weighted mean of what the levels say.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from features.descriptor import Vector
from features.vocabulary.vlad_residuals import unit

Cells = npt.NDArray[np.intp]


def cells_of(levels: int) -> int:
    """Count the cells of all levels: 1, 5 or 21 of 1 to 3."""
    return sum(1 << 2 * level for level in range(levels))


def level_weights(levels: int) -> list[float]:
    """Return w_l of each level, coarsest first.

    Examples
    --------
    >>> level_weights(3)
    [0.25, 0.25, 0.5]
    """
    return [2.0 ** -(levels - max(level, 1)) for level in range(levels)]


def cells(places: npt.NDArray[np.float32], height: int, width: int, level: int) -> Cells:
    """Return the cell, row by row, that each place (x, y) in pixels lies in, (n, 2) -> (n,)."""
    side = 1 << level
    inside = np.clip((places + 0.5) / (width, height), 0, 1)
    columns, rows = np.minimum((inside * side).astype(np.intp), side - 1).T
    return np.asarray(rows * side + columns)


def pooled(codes: Float32Matrix, of: Cells, count: int, pool: np.ufunc) -> Float32Matrix:
    """Pool the codes of each cell, (n, k), (n,) -> (count, k); zero where a cell has none.

    Parameters
    ----------
    codes : ndarray of float32, (n, k)
    of : ndarray of int, (n,)
        The cell of each.
    count : int
        Cells.
    pool : numpy.ufunc
        `numpy.add` or `numpy.maximum`.
    """
    made = np.zeros((count, codes.shape[1]), np.float32)
    if len(codes):
        order = np.argsort(of, kind="stable")
        present, first = np.unique(of[order], return_index=True)
        made[present] = pool.reduceat(codes[order], first, axis=0)
    return made


def stacked_levels(levels: list[Float32Matrix]) -> Vector:
    """Put the levels together, coarsest first: each to length 1, times sqrt(w_l); all zero where they are."""
    weights = np.sqrt(level_weights(len(levels)))
    return np.concatenate(
        [weight * unit(level.reshape(1, -1)).ravel() for weight, level in zip(weights, levels, strict=True)]
    ).astype(np.float32)
