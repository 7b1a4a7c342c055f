"""Vectors of eight bits, and bounds of distances from them, in plain numpy: the twin of the compiled loops."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.vectors import row_blocks

Wide = npt.NDArray[np.float64]


def bounds(
    codes: npt.NDArray[np.int8],
    numbers: npt.NDArray[np.int16],
    squares: Wide,
    errors: npt.NDArray[np.float32],
    own: float,
    step: float,
    doubt: float,
    low: Wide,
    high: Wide,
) -> None:
    """Write what each distance is not below, and not above; both twins write the same bits.

    Parameters
    ----------
    codes : ndarray of int8, (n, d)
    numbers : ndarray of int16, (d,)
        Of the query; no sum of products leaves int32.
    squares : ndarray of float64, (n,)
    errors : ndarray of float32, (n,)
    own, step, doubt : float
    low, high : ndarray of float64, (n,)
        Written.
    """
    asked = numbers.astype(np.float64)
    for rows in row_blocks(*codes.shape):
        squared = own + squares[rows] - step * (codes[rows].astype(np.float64) @ asked)  # whole numbers: exact
        low[rows] = np.sqrt(np.maximum(squared - doubt, 0)) - errors[rows]
        high[rows] = np.sqrt(np.maximum(squared + doubt, 0)) + errors[rows]


def write(
    block: Wide,
    centre: Wide,
    inverse: Wide,
    scale: Wide,
    codes: npt.NDArray[np.int8],
    squares: Wide,
    errors: Wide,
) -> None:
    """Round vectors.

    Parameters
    ----------
    block : ndarray of float64, (n, d)
    centre, inverse, scale : ndarray of float64, (d,)
        c, 1 / s and s.
    codes : ndarray of int8, (n, d)
        Written: u.
    squares, errors : ndarray of float64, (n,)
        Written: |s ∘ u|² and |x - x'|.
    """
    there = block - centre
    numbers = np.clip(np.rint(there * inverse), -127, 127)
    codes[:] = numbers
    numbers *= scale
    squares[:] = np.square(numbers).sum(axis=1)
    there -= numbers
    errors[:] = np.sqrt(np.square(there).sum(axis=1))
