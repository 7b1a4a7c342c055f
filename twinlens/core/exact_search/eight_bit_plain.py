"""Vectors of eight bits, and bounds of distances from them, in plain numpy: the twin of the compiled loops."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Rows
from twinlens.core.vectors import row_blocks


def bounds(
    codes: npt.NDArray[np.int8],
    numbers: npt.NDArray[np.int16],
    factors: Float64Values,
    squares: Float64Values,
    errors: npt.NDArray[np.float32],
    own: float,
    step: float,
    doubt: float,
    low: Float64Values,
    high: Float64Values,
) -> None:
    """Write what each distance is not below, and not above; both twins write the same bits.

    Parameters
    ----------
    codes : ndarray of int8, (n, d)
    numbers : ndarray of int16, (d,)
        Of the query; no sum of products leaves int32.
    factors : ndarray of float64, (n,)
        f.
    squares : ndarray of float64, (n,)
    errors : ndarray of float32, (n,)
    low, high : ndarray of float64, (n,)
        Written.
    """
    query_numbers = numbers.astype(np.float64)
    for rows in row_blocks(*codes.shape):
        products = codes[rows].astype(np.float64) @ query_numbers  # of whole numbers: exact
        squared = own + squares[rows] - step * factors[rows] * products
        low[rows] = np.sqrt(np.maximum(squared - doubt, 0)) - errors[rows]
        high[rows] = np.sqrt(np.maximum(squared + doubt, 0)) + errors[rows]


def choose(
    query: Float64Values,
    centre: Float64Values,
    scale: Float64Values,
    codes: npt.NDArray[np.int8],
    factors: Float64Values,
    squares: Float64Values,
    errors: npt.NDArray[np.float32],
    allowed: npt.NDArray[np.bool_],
    most: int,
    reach: float,
    rounding: float,
    longest: float,
    slack: float,
    count: int,
    least: Float64Values,
    state: Float64Values,
    rows: Int64Rows,
    low: Float64Values,
) -> int:
    """Choose the rows of a block that may be among the nearest, as far as is known after it.

    Parameters
    ----------
    query : ndarray of float64, (d,)
    centre, scale : ndarray of float64, (d,)
        c and s.
    codes, factors, squares, errors
        As :func:`bounds` takes them.
    allowed : ndarray of bool, (n,) or (0,)
        False for rows that may not be chosen; empty where all may.
    most : int
        The largest whole number that the query may have.
    reach : float
        No f |u| is longer.
    rounding : float
        Share of squared lengths that sums of float64 may lose.
    longest : float
        The largest of all ``squares``.
    slack : float
        What squared distances may be off by besides.
    count : int
        How many are wanted of all blocks.
    least : ndarray of float64, (count,)
        The smallest upper bounds so far; changed.
    state : ndarray of float64, (2,)
        What at least ``count`` rows are not farther than, infinite where that is not known, and how many ``least``
        has; changed.
    rows, low : ndarray of int64 and of float64, (at least n,)
        The chosen rows, ascending, and what they are not nearer than; written from the beginning.

    Returns
    -------
    int
        How many are chosen: all that may be where squares leave the range of float64.
    """
    moved = query - centre
    weights = moved * scale
    step = float(np.abs(weights).max(initial=0.0)) / most or 1.0
    numbers = np.rint(weights / step)
    rest = weights - numbers * step
    own = float(moved @ moved)
    doubt = 2 * reach * float(np.sqrt(rest @ rest)) + slack + rounding * (own + longest)
    nearest, near = np.zeros(len(codes)), np.ones(len(codes), np.bool_)
    if len(allowed):
        near &= allowed
    if np.isfinite(doubt):
        farthest = np.empty(len(codes))
        bounds(codes, numbers.astype(np.int16), factors, squares, errors, own, 2 * step, doubt, nearest, farthest)
        near &= nearest <= state[0]
        known = np.concatenate([least[: int(state[1])], farthest[near & (farthest < state[0])]])
        if len(known) >= count:
            known = np.partition(known, count - 1)[:count]
            state[0] = known[-1]
            near &= nearest <= state[0]
        least[: len(known)], state[1] = known, len(known)
    chosen = np.flatnonzero(near)
    rows[: len(chosen)], low[: len(chosen)] = chosen, nearest[chosen]
    return len(chosen)


def write(
    block: Float64Values,
    centre: Float64Values,
    inverse: Float64Values,
    scale: Float64Values,
    codes: npt.NDArray[np.int8],
    squares: Float64Values,
    errors: Float64Values,
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
