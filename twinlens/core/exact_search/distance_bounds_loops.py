"""The compiled loop that measures what a bound lets through; imported by `twinlens.core.compilation` alone.

What makes it fast, each found by measuring:

- bounds are never written: the sums of six queries and sixteen items stay in registers until they are compared with
  the limits, which gives a bit for each;
- no array is cut out of another inside, since counting its references costs more than measuring a pair; places are
  unsigned, since a loop over what might be negative is not vectorised;
- a distance is one vectorised sum of float32, its additions in any order: what it may be off by is allowed for;
- there is no heap: a line's buffer is thinned out by selection when it is full, which is seldom.

:mod:`twinlens.core.exact_search.distance_bounds` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled, compiled_in_any_order

ir: Any = cgutils.ir  # type: ignore[attr-defined]  # what numba builds its own instructions with

LINES, ITEMS = 6, 128
"""Queries of a group, whose sums stay in registers together, and items of a block, which stays in the nearest cache."""

_AT_ONCE = 16  # items: with six queries as many sums as registers hold, whether these hold 8 values or 16
_ROUNDING = 2.0**-22  # of a limit that becomes a float32, upwards
_WORD = 64


def _bounds_below_cuts(
    _context: Any, columns: Any, block: Any, start: Any, query_columns: Any, group: Any, cuts: Any, below: Any
) -> tuple[Any, Any]:
    """Evaluate the bounds of some queries and items and write a bit for each: whether it is below the query's cut."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def array(number: int) -> Any:
            return context.make_array(signature.args[number])(context, builder, arguments[number])

        def whole(number: int) -> Any:
            return ir.Constant(ir.IntType(64), number)

        def same(place: Any) -> Any:
            one = builder.insert_element(ir.Constant(some, ir.Undefined), builder.load(place), ir.IntType(32)(0))
            return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), _AT_ONCE), None))

        some = ir.VectorType(ir.FloatType(), _AT_ONCE)
        nought = ir.Constant(some, None)
        _, block, start, _, group, _, _ = arguments
        terms = builder.extract_value(array(0).shape, 1)
        theirs = builder.gep(array(0).data, [builder.add(builder.mul(builder.mul(block, terms), whole(ITEMS)), start)])
        ours = builder.gep(array(3).data, [builder.mul(builder.mul(group, terms), whole(LINES))])

        before, loop, after = builder.block, *(builder.append_basic_block(name) for name in ("terms", "after"))
        builder.branch(loop)
        builder.position_at_end(loop)
        term, sums = builder.phi(ir.IntType(64)), [builder.phi(some) for _ in range(LINES)]
        items = builder.gep(theirs, [builder.mul(term, whole(ITEMS))])
        values = builder.load(builder.bitcast(items, some.as_pointer()), align=4)
        queries = builder.gep(ours, [builder.mul(term, whole(LINES))])
        added = []
        for line, total in enumerate(sums):
            product = builder.fmul(same(builder.gep(queries, [whole(line)])), values, flags=("contract",))
            added.append(builder.fadd(total, product, flags=("contract",)))
        following = builder.add(term, whole(1))
        for phi, first, then in zip([term, *sums], [whole(0)] + LINES * [nought], [following, *added], strict=True):
            phi.add_incoming(first, before)
            phi.add_incoming(then, loop)
        builder.cbranch(builder.icmp_unsigned("<", following, terms), loop, after)
        builder.position_at_end(after)

        bits = ir.IntType(_AT_ONCE)
        limits = builder.gep(array(5).data, [builder.mul(group, whole(LINES))])
        written = builder.gep(builder.bitcast(array(6).data, bits.as_pointer()), [builder.udiv(start, whole(_AT_ONCE))])
        for line, total in enumerate(added):
            is_below = builder.fcmp_ordered("<", total, same(builder.gep(limits, [whole(line)])))
            place = builder.gep(written, [whole(line * ITEMS // _AT_ONCE)])
            builder.store(builder.bitcast(is_below, bits), place, align=2)
        return context.get_dummy_value()

    n = types.uint64
    return types.void(columns, n, n, query_columns, n, cuts, below), generate


def _lowest_bit(_context: Any, _word: Any) -> tuple[Any, Any]:
    """Return which is the lowest bit of a number that is not 0."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), generate


_find_below: Any = intrinsic(_bounds_below_cuts)
_lowest: Any = intrinsic(_lowest_bit)


@compiled_in_any_order
def _squared_distance(items: AnyArray, i: Any, queries: AnyArray, j: Any) -> Any:
    total = np.float32(0)
    for c in range(np.uint64(items.shape[1])):
        difference = items[i, c] - queries[j, c]
        total += difference * difference
    return total


@compiled_in_any_order
def move(x: AnyArray, mean: AnyArray, moved: AnyArray, squares: AnyArray) -> None:
    """Subtract a mean, (d,), from vectors, (m, d), and give their squared lengths, (m,), all in float32."""
    for i in range(np.uint64(x.shape[0])):
        total = np.float32(0)
        for c in range(np.uint64(x.shape[1])):
            difference = x[i, c] - mean[c]
            moved[i, c] = difference
            total += difference * difference
        squares[i] = total


@compiled
def _thin(near: AnyArray, rows: AnyArray, count: int) -> Any:
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
    """Return below what a bound is wanted; a rounding more than needed."""
    cut = limit - shift
    return np.float32(cut + abs(cut) * _ROUNDING)


@compiled
def measure(
    columns: AnyArray,
    query_columns: AnyArray,
    shifts: AnyArray,
    items: AnyArray,
    first: int,
    queries: AnyArray,
    own: AnyArray,
    count: int,
    near: AnyArray,
    rows: AnyArray,
    filled: AnyArray,
    limits: AnyArray,
) -> None:
    """Measure the items whose bound is below the limit of a query, and keep the nearest.

    Parameters
    ----------
    columns : float32 array, (blocks, t, ITEMS)
        What the bounds of items are made of, the last block filled up.
    query_columns : float32 array, (groups, t, LINES)
        What is multiplied with it, of the queries: the squared distances' bounds, each less the query's shift.
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
        Those of a :class:`twinlens.core.exact_search.squared_distances.SmallestValues`; changed.
    """
    room, lines = near.shape[1], queries.shape[0]
    cuts = np.full(query_columns.shape[0] * LINES, -np.inf, np.float32)
    for j in range(lines):
        cuts[j] = _cut(limits[j], shifts[j])
    below = np.empty((LINES, ITEMS // _WORD), np.uint64)
    for block in range(columns.shape[0]):
        for group in range(query_columns.shape[0]):
            for start in range(0, ITEMS, _AT_ONCE):
                _find_below(columns, np.uint64(block), np.uint64(start), query_columns, np.uint64(group), cuts, below)
            for j in range(group * LINES, min(group * LINES + LINES, lines)):
                line = np.uint64(j)
                for word in range(ITEMS // _WORD):
                    wanted = below[j - group * LINES, word]
                    begin = np.uint64(block * ITEMS + word * _WORD)
                    while wanted:
                        i = begin + _lowest(wanted)
                        wanted &= wanted - np.uint64(1)
                        if i >= np.uint64(items.shape[0]):
                            break
                        distance = np.float64(_squared_distance(items, i, queries, line))
                        row = first + np.int64(i)
                        if distance >= limits[line] or row == own[line]:
                            continue
                        if filled[line] == room:
                            limits[line] = _thin(near[line], rows[line], count)
                            filled[line] = count
                            cuts[line] = _cut(limits[line], shifts[line])
                            if distance >= limits[line]:
                                continue
                        near[line, filled[line]] = distance
                        rows[line, filled[line]] = row
                        filled[line] += 1


_single = types.Array(types.float32, 2, "C", readonly=True)
_blocks = types.Array(types.float32, 3, "C", readonly=True)
_wide = types.Array(types.float64, 1, "C", readonly=True)
_numbers = types.Array(types.int64, 1, "C", readonly=True)
_n = types.int64

SIGNATURES: Signatures = (
    (
        move,
        (
            (
                _single,
                types.Array(types.float32, 1, "C", readonly=True),
                types.Array(types.float32, 2, "C"),
                types.Array(types.float32, 1, "C"),
            ),
        ),
    ),
    (
        measure,
        (
            (
                _blocks,
                _blocks,
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
