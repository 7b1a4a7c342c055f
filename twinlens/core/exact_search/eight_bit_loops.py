"""The compiled loops over vectors of eight bits; only :mod:`twinlens.core.compilation.compilation` imports this.

The sum of products of whole numbers is vectorised since it is in int32, where any order gives the same; a row is cut
out first, since a loop over two indices is not. :mod:`twinlens.core.exact_search.eight_bit_plain` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled, compiled_in_any_order

_AT_ONCE = 1_024  # rows
_FULL = 4  # times as many bounds as are wanted
_STEPS = 512


@compiled
def bounds(
    codes: AnyArray,
    numbers: AnyArray,
    factors: AnyArray,
    squares: AnyArray,
    errors: AnyArray,
    own: float,
    step: float,
    doubt: float,
    low: AnyArray,
    high: AnyArray,
) -> None:
    """Write what each distance is not below, and not above; as the twin does."""
    for i in range(codes.shape[0]):
        row = codes[i]
        total = np.int32(0)
        for j in range(len(numbers)):
            total = np.int32(total + np.int32(numbers[j]) * np.int32(row[j]))  # numba's own sum is in 64 bits
        low[i] = own + squares[i] - step * factors[i] * np.float64(total)
    for i in range(codes.shape[0]):  # by itself: so it is vectorised, roots and all
        squared, error = low[i], np.float64(errors[i])
        nearer, farther = squared - doubt, squared + doubt
        low[i] = np.sqrt(nearer if nearer > 0 else 0.0) - error
        high[i] = np.sqrt(farther if farther > 0 else 0.0) + error


@compiled
def _least(values: AnyArray, count: int) -> Any:
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
def _smaller(values: AnyArray, count: int) -> Any:
    """Bring the ``count`` smallest and a few more to the front; return how many, as counts of steps of values tell."""
    counts = np.zeros(_STEPS + 1, np.int64)
    smallest = values.min()
    scale = _STEPS / (values.max() - smallest)
    if not np.isfinite(scale):
        return values.size
    for i in range(values.size):
        counts[int((values[i] - smallest) * scale)] += 1
    step, below = 0, counts[0]
    while below < count:
        step += 1
        below += counts[step]
    there = 0
    for i in range(values.size):
        values[there] = values[i]
        there += int((values[i] - smallest) * scale) <= step
    return there


@compiled
def _rounded_query(query: AnyArray, centre: AnyArray, scale: AnyArray, most: int, numbers: AnyArray) -> Any:
    """Write a query in whole numbers; return |q - c|², the worth of one, and the squared length of what is lost."""
    own, largest = 0.0, 0.0
    for j in range(query.size):
        moved = query[j] - centre[j]
        own += moved * moved
        largest = max(largest, abs(moved * scale[j]))
    step = largest / most if largest > 0 else 1.0
    lost = 0.0
    for j in range(query.size):
        weight = (query[j] - centre[j]) * scale[j]
        number = np.rint(weight / step)
        numbers[j] = np.int16(number)
        rest = weight - number * step
        lost += rest * rest
    return own, step, lost


@compiled
def choose(
    query: AnyArray,
    centre: AnyArray,
    scale: AnyArray,
    codes: AnyArray,
    factors: AnyArray,
    squares: AnyArray,
    errors: AnyArray,
    allowed: AnyArray,
    most: int,
    reach: float,
    rounding: float,
    longest: float,
    slack: float,
    count: int,
    least: AnyArray,
    state: AnyArray,
    rows: AnyArray,
    low: AnyArray,
) -> Any:
    """Choose rows; as the twin does, but for the rounding of sums."""
    found = 0
    numbers = np.empty(query.size, np.int16)
    own, step, lost = _rounded_query(query, centre, scale, most, numbers)
    doubt = 2 * reach * np.sqrt(lost) + slack + rounding * (own + longest)
    if not np.isfinite(doubt):
        for i in range(codes.shape[0]):
            if not allowed.size or allowed[i]:
                rows[found], low[found] = i, 0.0
                found += 1
        return found
    limit, there = state[0], int(state[1])
    known, nearest, farthest = np.empty(_FULL * count + _AT_ONCE), np.empty(_AT_ONCE), np.empty(_AT_ONCE)
    known[:there] = least[:there]
    for start in range(0, codes.shape[0], _AT_ONCE):
        some = slice(start, min(start + _AT_ONCE, codes.shape[0]))
        near, far = nearest[: some.stop - start], farthest[: some.stop - start]
        bounds(codes[some], numbers, factors[some], squares[some], errors[some], own, 2 * step, doubt, near, far)
        if allowed.size:
            for i in range(near.size):
                if not allowed[start + i]:
                    near[i] = far[i] = np.nan  # which is below nothing
        for i in range(far.size):
            known[there] = far[i]
            there += far[i] < limit  # no branch: which way it would go, nobody can foresee
        if there > _FULL * count:
            limit, there = _least(known[: _smaller(known[:there], count)], count), count
        for i in range(near.size):
            rows[found], low[found] = start + i, near[i]
            found += near[i] <= limit
    if there >= count:
        limit, there = _least(known[:there], count), count
    least[:there] = known[:there]
    state[0], state[1] = limit, there
    kept = 0
    for i in range(found):
        rows[kept], low[kept] = rows[i], low[i]
        kept += low[i] <= limit
    return kept


@compiled_in_any_order
def write(
    block: AnyArray,
    centre: AnyArray,
    inverse: AnyArray,
    scale: AnyArray,
    codes: AnyArray,
    squares: AnyArray,
    errors: AnyArray,
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
    types.Array(types.float64, 1, "C", readonly=True),
    types.Array(types.float32, 1, "C", readonly=True),
)
_READ = types.Array(types.float64, 1, "C", readonly=True)
_NUMBERS = (types.float64, types.float64, types.float64)

SIGNATURES: Signatures = (
    (bounds, ((*_TABLE, *_NUMBERS, _WIDE, _WIDE),)),
    (_least, ((_WIDE, types.int64),)),
    (_smaller, ((_WIDE, types.int64),)),
    (_rounded_query, ((_READ, _READ, _READ, types.int64, types.Array(types.int16, 1, "C")),)),
    (
        choose,
        (
            (
                _READ,
                _READ,
                _READ,
                _TABLE[0],
                *_TABLE[2:],
                types.Array(types.boolean, 1, "C", readonly=True),
                types.int64,
                types.float64,
                types.float64,
                types.float64,
                types.float64,
                types.int64,
                _WIDE,
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
