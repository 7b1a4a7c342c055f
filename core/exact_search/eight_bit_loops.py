"""The compiled loops over vectors of eight bits; only :mod:`core.compilation.compilation` imports this.

The sum of products of whole numbers is vectorised since it is in int32, where any order gives the same; a row is cut
out first, since a loop over two indices is not. :mod:`core.exact_search.eight_bit_plain` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from core.compilation.compiled_loop import Signatures, compiled, compiled_in_any_order

Array = npt.NDArray[Any]


@compiled
def bounds(
    codes: Array,
    numbers: Array,
    squares: Array,
    errors: Array,
    own: float,
    step: float,
    doubt: float,
    low: Array,
    high: Array,
) -> None:
    """Write what each distance is not below, and not above; as the twin does."""
    for i in range(codes.shape[0]):
        row = codes[i]
        total = np.int32(0)
        for j in range(len(numbers)):
            total = np.int32(total + np.int32(numbers[j]) * np.int32(row[j]))  # numba's own sum is in 64 bits
        low[i] = own + squares[i] - step * np.float64(total)
    for i in range(codes.shape[0]):  # by itself: so it is vectorised, roots and all
        squared, error = low[i], np.float64(errors[i])
        nearer, farther = squared - doubt, squared + doubt
        low[i] = np.sqrt(nearer if nearer > 0 else 0.0) - error
        high[i] = np.sqrt(farther if farther > 0 else 0.0) + error


@compiled
def _least(values: Array, count: int) -> Any:
    """Bring the ``count`` smallest to the front, in no order, and return the largest of them (Hoare's selection)."""
    left, right, wanted = 0, values.size - 1, count - 1
    while left < right:
        pivot = values[(left + right) // 2]
        i, j = left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while pivot < values[j]:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if wanted <= j:
            right = j
        elif wanted >= i:
            left = i
        else:
            break
    return values[wanted]


@compiled
def choose(
    codes: Array,
    numbers: Array,
    squares: Array,
    errors: Array,
    allowed: Array,
    own: float,
    step: float,
    doubt: float,
    count: int,
    least: Array,
    filled: Array,
    cut: Array,
    rows: Array,
    low: Array,
) -> Any:
    """Choose rows; as the twin does, but the cut falls while rows are looked at, and so lets through a few more."""
    high = np.empty(codes.shape[0])
    bounds(codes, numbers, squares, errors, own, step, doubt, low, high)
    limit, there, found = cut[0], filled[0], 0
    for i in range(codes.shape[0]):
        nearest, farthest = low[i], high[i]
        if nearest > limit or (allowed.size and not allowed[i]):
            continue
        rows[found], low[found] = i, nearest
        found += 1
        if farthest < limit:
            if there == least.size:
                limit, there = _least(least, count), count
                if farthest >= limit:
                    continue
            least[there] = farthest
            there += 1
    cut[0], filled[0] = limit, there
    return found


@compiled_in_any_order
def write(
    block: Array, centre: Array, inverse: Array, scale: Array, codes: Array, squares: Array, errors: Array
) -> None:
    """Round vectors; as the twin does, but for the rounding of sums."""
    for i in range(block.shape[0]):
        row, code = block[i], codes[i]
        square, error = 0.0, 0.0
        for j in range(len(centre)):
            there = row[j] - centre[j]
            number = min(max(np.rint(there * inverse[j]), -127.0), 127.0)
            code[j] = np.int8(number)
            kept = number * scale[j]
            square += kept * kept
            error += (there - kept) * (there - kept)
        squares[i] = square
        errors[i] = np.sqrt(error)


_WIDE = types.Array(types.float64, 1, "C")
_ROWS = types.Array(types.int64, 1, "C")
_TABLE = (
    types.Array(types.int8, 2, "C", readonly=True),
    types.Array(types.int16, 1, "C"),
    types.Array(types.float64, 1, "C", readonly=True),
    types.Array(types.float32, 1, "C", readonly=True),
)
_NUMBERS = (types.float64, types.float64, types.float64)

SIGNATURES: Signatures = (
    (bounds, ((*_TABLE, *_NUMBERS, _WIDE, _WIDE),)),
    (_least, ((_WIDE, types.int64),)),
    (
        choose,
        (
            (
                *_TABLE,
                types.Array(types.boolean, 1, "C", readonly=True),
                *_NUMBERS,
                types.int64,
                _WIDE,
                _ROWS,
                _WIDE,
                _ROWS,
                _WIDE,
            ),
        ),
    ),
    (
        write,
        (
            (
                types.Array(types.float64, 2, "C", readonly=True),
                types.Array(types.float64, 1, "C", readonly=True),
                _WIDE,
                types.Array(types.float64, 1, "C", readonly=True),
                types.Array(types.int8, 2, "C"),
                _WIDE,
                _WIDE,
            ),
        ),
    ),
)
