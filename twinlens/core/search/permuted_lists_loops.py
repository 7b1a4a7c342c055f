"""The compiled loops of permuted sorted lists; only :mod:`twinlens.core.compilation.compilation` imports this.

The bits of a code are compared in a list's order one by one, straight from the planar codes: few are, since codes soon
differ, and no list needs a copy of the codes. :mod:`twinlens.core.search.permuted_lists` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan import ROW_BITS
from twinlens.core.search.hamming_scan_loops import _count

_ONE = np.uint64(1)
_BLOCK = 2048


@compiled
def gather(planes: AnyArray, chosen: AnyArray, out: AnyArray) -> None:
    """Do what :func:`twinlens.core.search.permuted_lists.plain_gather` does."""
    for first in range(0, out.size, _BLOCK):
        values = out[first : first + _BLOCK]
        values[:] = 0
        for b in range(chosen.size):
            word = planes[chosen[b] >> 6, first : first + _BLOCK]
            shift = np.uint64(chosen[b] & 63)
            for i in range(values.size):
                values[i] = (values[i] << _ONE) | ((word[i] >> shift) & _ONE)


@compiled
def _shared(planes: AnyArray, query: AnyArray, order: AnyArray, row: Any, known: Any, most: Any) -> Any:
    """Count the first bits, at most so many, that a code shares with the query's; the known ones are shared."""
    for b in range(known, most):
        place = np.int64(order[b])
        word = place >> 6
        if ((planes[word, row] ^ query[word]) >> np.uint64(place & 63)) & _ONE:
            return b
    return most


@compiled
def _place(planes: AnyArray, query: AnyArray, order: AnyArray, starts: AnyArray, rows: AnyArray) -> Any:
    """Find the first place of a list whose code is not before the query's."""
    bits = np.int64(order.size)
    prefix, first = np.int64(0), np.int64(0)
    while (1 << prefix) < starts.size - 1:
        place = np.int64(order[prefix])
        first = (first << 1) | np.int64((query[place >> 6] >> np.uint64(place & 63)) & _ONE)
        prefix += 1
    low, high = np.int64(starts[first]), np.int64(starts[first + 1])
    # What lies between two codes shares with the query at least what both of them share with it.
    below = above = prefix
    while low < high:
        middle = (low + high) >> 1
        shared = _shared(planes, query, order, np.int64(rows[middle]), min(below, above), bits)
        before = False
        if shared < bits:
            place = np.int64(order[shared])
            before = (query[place >> 6] >> np.uint64(place & 63)) & _ONE == _ONE
        if before:
            low, below = middle + 1, shared
        else:
            high, above = middle, shared
    return low


@compiled
def search(  # noqa: PLR0912 (a compiled loop is one function of plain arguments)
    planes: AnyArray,
    query: AnyArray,
    orders: AnyArray,
    starts: AnyArray,
    rows: AnyArray,
    seen: AnyArray,
    wanted: int,
    most: int,
) -> Any:
    """Do what :func:`twinlens.core.search.permuted_lists.plain_search` does."""
    lists, n = rows.shape
    bits = np.int64(orders.shape[1])
    places, shared = np.empty((lists, 2), np.int64), np.full((lists, 2), -1, np.int64)
    level = np.int64(-1)
    for a in range(lists):
        places[a, 1] = _place(planes, query, orders[a], starts[a], rows[a])
        places[a, 0] = places[a, 1] - 1
        for side in range(2):
            if 0 <= places[a, side] < n:
                row = np.int64(rows[a, places[a, side]])
                shared[a, side] = _shared(planes, query, orders[a], row, 0, bits)
                level = max(level, shared[a, side])
    found = np.empty(wanted, np.int64)
    count, visited = 0, 0
    while level >= 0:
        coming = np.int64(-1)
        for a in range(lists):
            for side in range(2):
                while shared[a, side] == level:
                    if visited == most:
                        return found[:count], visited, False
                    visited += 1
                    row = np.int64(rows[a, places[a, side]])
                    bit = np.uint8(1 << (row & 7))
                    if seen[row >> 3] & bit == 0:
                        seen[row >> 3] |= bit
                        distance = np.int64(0)
                        for w in range(query.size):
                            distance += np.int64(_count(planes[w, row] ^ query[w]))
                        found[count] = (distance << ROW_BITS) | row
                        count += 1
                        if count == wanted:
                            return found[:count], visited, True
                    places[a, side] += 2 * side - 1
                    if 0 <= places[a, side] < n:
                        row = np.int64(rows[a, places[a, side]])
                        shared[a, side] = _shared(planes, query, orders[a], row, 0, level)
                    else:
                        shared[a, side] = -1
                coming = max(coming, shared[a, side])
        level = coming
    return found[:count], visited, True


_planes = types.Array(types.uint64, 2, "A", readonly=True)
_words = types.Array(types.uint64, 1, "C", readonly=True)
_orders = types.Array(types.uint16, 2, "C", readonly=True)
_rows = types.Array(types.uint32, 2, "C", readonly=True)
_chosen = types.Array(types.int64, 1, "C", readonly=True)
_values = types.Array(types.uint64, 1, "C")
_seen = types.Array(types.uint8, 1, "C")
_n = types.int64
SIGNATURES: Signatures = (
    (gather, ((_planes, _chosen, _values),)),
    (search, ((_planes, _words, _orders, _rows, _rows, _seen, _n, _n),)),
)
