"""Bounds of distances from vectors of eight bits, in plain numpy: the twin of the compiled loop, with the same bits."""

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
    """Write what each distance is not below, and not above.

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
