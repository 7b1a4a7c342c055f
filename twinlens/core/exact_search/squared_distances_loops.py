"""The compiled loop that measures squared Euclidean distances; imported by `twinlens.core.compilation` alone.

It adds in the order in which numpy adds a row, so that it gives the bits of the plain way
(:mod:`twinlens.core.exact_search.squared_distances`), which makes three tables where this makes none. Eight sums side
by side are one vector of the processor: numba by itself makes eight numbers of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled

ir: Any = cgutils.ir  # type: ignore[attr-defined]  # what numba builds its own instructions with

_SUMS = 8


def _eights(_context: Any, x: Any, i: Any, queries: Any, j: Any, start: Any, count: Any) -> tuple[Any, Any]:
    """Add (x - q)² over some columns, a multiple of eight, in eight sums, and then these by pairs."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def row(number: int) -> Any:
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            columns = builder.extract_value(array.shape, 1)
            return builder.gep(array.data, [builder.add(builder.mul(arguments[number + 1], columns), arguments[4])])

        def values(place: Any) -> Any:
            kind = place.type.pointee
            some = builder.load(
                builder.bitcast(place, ir.VectorType(kind, _SUMS).as_pointer()), align=8 if kind == double else 4
            )
            return some if kind == double else builder.fpext(some, wide)

        double, whole = ir.DoubleType(), ir.IntType(64)
        wide = ir.VectorType(double, _SUMS)
        theirs, ours, count = row(0), row(2), arguments[5]
        before, loop, after = builder.block, *(builder.append_basic_block(name) for name in ("eights", "after"))
        builder.branch(loop)
        builder.position_at_end(loop)
        place, sums = builder.phi(whole), builder.phi(wide)
        there = builder.fsub(values(builder.gep(theirs, [place])), values(builder.gep(ours, [place])))
        added, following = builder.fadd(sums, builder.fmul(there, there)), builder.add(place, whole(_SUMS))
        for phi, first, then in ((place, whole(0), following), (sums, ir.Constant(wide, None), added)):
            phi.add_incoming(first, before)
            phi.add_incoming(then, loop)
        builder.cbranch(builder.icmp_unsigned("<", following, count), loop, after)
        builder.position_at_end(after)
        parts = [builder.extract_element(added, ir.IntType(32)(number)) for number in range(_SUMS)]
        while len(parts) > 1:
            parts = [builder.fadd(*parts[number : number + 2]) for number in range(0, len(parts), 2)]
        return parts[0]

    n = types.uint64
    return types.float64(x, n, queries, n, n, n), generate


_sum_of_eights: Any = intrinsic(_eights)


@compiled
def measure(queries: AnyArray, counts: AnyArray, x: AnyArray, parts: AnyArray, distances: AnyArray) -> None:
    """Write how far each row is from its query, squared: the first rows from the first query, and so on.

    Parameters
    ----------
    queries, x : array, (q, d) and (m, d)
    counts : int64 array, (q,)
    parts : int64 array, (p, 3)
        Columns that are added by eights: the first, how many, and how many sums before are then added to theirs.
    distances : float64 array, (m,)
    """
    sums = np.empty(len(parts))
    i = 0
    for j in range(len(counts)):
        for _ in range(counts[j]):
            filled = 0
            for part in range(len(parts)):
                start, count = parts[part, 0], parts[part, 1]
                total, whole = 0.0, count - count % _SUMS
                if whole:
                    total = _sum_of_eights(x, np.uint64(i), queries, np.uint64(j), np.uint64(start), np.uint64(whole))
                for c in range(start + whole, start + count):
                    there = np.float64(x[i, c]) - np.float64(queries[j, c])
                    total += there * there
                for _merged in range(parts[part, 2]):
                    filled -= 1
                    total = sums[filled] + total
                sums[filled] = total
                filled += 1
            distances[i] = sums[0]
            i += 1


_COUNTS, _DISTANCES = types.Array(types.int64, 1, "C", readonly=True), types.Array(types.float64, 1, "C")
_PARTS = types.Array(types.int64, 2, "C", readonly=True)
_TABLES = tuple(types.Array(kind, 2, "C", readonly=True) for kind in (types.float32, types.float64))

SIGNATURES: Signatures = ((measure, tuple((table, _COUNTS, table, _PARTS, _DISTANCES) for table in _TABLES)),)
