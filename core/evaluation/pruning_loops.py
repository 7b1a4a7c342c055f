"""The compiled loop that measures what a bound lets through; only :mod:`core.compilation` imports this.

What makes it fast, each found by measuring:

- bounds are compared with a limit 32 at a time, by vector instructions that give a bit for each: most give none;
- no array is cut out of another inside, since counting its references costs more than measuring a pair; places are
  unsigned, since a loop over what might be negative is not vectorised;
- a distance is one vectorised sum of float32, its additions in any order: what it may be off by is allowed for;
- there is no heap: a line's buffer is thinned out by selection when it is full, which is seldom.

:mod:`core.evaluation.pruning_plain` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from core.compiled_loop import Signatures, compiled, compiled_in_any_order

Array = npt.NDArray[Any]
ir: Any = cgutils.ir  # type: ignore[attr-defined]  # what numba builds its own instructions with

_STEP = 32
_ROUNDING = 2.0**-22  # of a limit that becomes a float32, upwards


def _compare_some(_context: Any, values: Any, _line: Any, _start: Any, _cut: Any) -> tuple[Any, Any]:
    """Compare 32 values of a line, from a place on, with a limit: a bit for each that is below it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        columns = builder.extract_value(array.shape, 1)
        place = builder.gep(array.data, [builder.add(builder.mul(arguments[1], columns), arguments[2])])
        some = ir.VectorType(ir.FloatType(), _STEP)
        loaded = builder.load(builder.bitcast(place, some.as_pointer()), align=4)
        one = builder.insert_element(ir.Constant(some, ir.Undefined), arguments[3], ir.IntType(32)(0))
        nought = ir.Constant(ir.VectorType(ir.IntType(32), _STEP), [0] * _STEP)
        limits = builder.shuffle_vector(one, one, nought)
        return builder.zext(
            builder.bitcast(builder.fcmp_ordered("<", loaded, limits), ir.IntType(_STEP)), ir.IntType(64)
        )

    return types.uint64(values, types.uint64, types.uint64, types.float32), generate


def _lowest_bit(_context: Any, _word: Any) -> tuple[Any, Any]:
    """Say which is the lowest bit of a number that is not 0."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), generate


_below: Any = intrinsic(_compare_some)
_lowest: Any = intrinsic(_lowest_bit)


@compiled_in_any_order
def _squared_distance(items: Array, i: Any, queries: Array, j: Any) -> Any:
    total = np.float32(0)
    for c in range(np.uint64(items.shape[1])):
        difference = items[i, c] - queries[j, c]
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
    room, columns = near.shape[1], bounds.shape[1]
    whole = columns - columns % _STEP
    for j in range(bounds.shape[0]):
        line = np.uint64(j)
        limit = limits[j]
        cut = _cut(limit, shifts[j])
        for start in range(0, columns, _STEP):
            if start < whole:
                wanted = _below(bounds, line, np.uint64(start), cut)
            else:
                wanted = np.uint64(0)
                for i in range(start, columns):
                    if bounds[j, i] < cut:
                        wanted |= np.uint64(1) << np.uint64(i - start)
            while wanted:
                i = np.uint64(start) + _lowest(wanted)
                wanted &= wanted - np.uint64(1)
                distance = np.float64(_squared_distance(items, i, queries, line))
                row = first + np.int64(i)
                if distance >= limit or row == own[j]:
                    continue
                if filled[j] == room:
                    limit = _thin(near[j], rows[j], count)
                    filled[j] = count
                    cut = _cut(limit, shifts[j])
                    if distance >= limit:
                        continue
                near[j, filled[j]] = distance
                rows[j, filled[j]] = row
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
