"""The compiled loop that measures what a bound lets through; only :mod:`core.compilation` imports this.

What makes it fast, each found by measuring:

- the bounds of a few items are looked at together, by their least, which is vectorised; most hold nothing wanted;
- a distance is one vectorised sum of float32, its additions in any order: what it may be off by is allowed for;
- there is no heap: a line's buffer is thinned out by selection when it is full, which is seldom.

:mod:`core.evaluation.pruning_plain` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from core.compiled_loop import Signatures, compiled, compiled_in_any_order

Array = npt.NDArray[Any]

_STEP = 32
_ROUNDING = 2.0**-22  # of a limit that becomes a float32, upwards


@compiled_in_any_order
def _least(values: Array) -> Any:
    least = values[0]
    for i in range(values.size):
        least = min(least, values[i])
    return least


@compiled_in_any_order
def _squared_distance(a: Array, b: Array) -> Any:
    total = np.float32(0)
    for i in range(a.size):
        difference = a[i] - b[i]
        total += difference * difference
    return total


@compiled
def _thin(near: Array, rows: Array, count: int) -> Any:
    """Bring the ``count`` smallest to the front, in no order; return the largest of them (Hoare's selection)."""
    left, right, wanted = 0, near.size - 1, count - 1
    while left < right:
        pivot = near[(left + right) // 2]
        i, j = left, right
        while i <= j:
            while near[i] < pivot:
                i += 1
            while pivot < near[j]:
                j -= 1
            if i <= j:
                near[i], near[j] = near[j], near[i]
                rows[i], rows[j] = rows[j], rows[i]
                i += 1
                j -= 1
        if wanted <= j:
            right = j
        elif wanted >= i:
            left = i
        else:
            break
    return near[wanted]


@compiled
def _cut(limit: float, shift: float) -> Any:
    """Say below what a bound is wanted; a rounding more than needed."""
    cut = limit - shift
    return np.float32(cut + abs(cut) * _ROUNDING)


@compiled
def measure(
    bounds: Array,
    shifts: Array,
    items: Array,
    first: int,
    queries: Array,
    own: Array,
    count: int,
    near: Array,
    rows: Array,
    filled: Array,
    limits: Array,
) -> None:
    """Measure the items whose bound is below the limit of a query, and keep the nearest.

    Parameters
    ----------
    bounds : float32 array, (q, m)
        Of the squared distances, each less the query's shift.
    shifts : float64 array, (q,)
    items : float32 array, (m, d)
    first : int
        Row of the first item.
    queries : float32 array, (q, d)
    own : int64 array, (q,)
        A row that is not to be found.
    count : int
        Kept of each query.
    near, rows, filled, limits : float64 (q, room), int64 (q, room), int64 (q,), float64 (q,)
        Those of a :class:`core.evaluation.selection.Selection`; changed.
    """
    room = near.shape[1]
    for j in range(bounds.shape[0]):
        line, query = bounds[j], queries[j]
        limit = limits[j]
        cut = _cut(limit, shifts[j])
        for start in range(0, line.size, _STEP):
            some = line[start : start + _STEP]
            if _least(some) >= cut:
                continue
            for i in range(some.size):
                if some[i] >= cut or first + start + i == own[j]:
                    continue
                distance = np.float64(_squared_distance(items[start + i], query))
                if distance >= limit:
                    continue
                if filled[j] == room:
                    limit = _thin(near[j], rows[j], count)
                    filled[j] = count
                    cut = _cut(limit, shifts[j])
                    if distance >= limit:
                        continue
                near[j, filled[j]] = distance
                rows[j, filled[j]] = first + start + i
                filled[j] += 1
        limits[j] = limit


_single = types.Array(types.float32, 2, "C", readonly=True)
_wide = types.Array(types.float64, 1, "C", readonly=True)
_numbers = types.Array(types.int64, 1, "C", readonly=True)
_n = types.int64

SIGNATURES: Signatures = (
    (
        measure,
        (
            (
                _single,
                _wide,
                _single,
                _n,
                _single,
                _numbers,
                _n,
                types.Array(types.float64, 2, "C"),
                types.Array(types.int64, 2, "C"),
                types.Array(types.int64, 1, "C"),
                types.Array(types.float64, 1, "C"),
            ),
        ),
    ),
)
