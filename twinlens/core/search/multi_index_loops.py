"""The compiled loop of multi-index hashing; only :mod:`twinlens.core.compilation.compilation` imports this.

A row is counted once for every substring that leads to it, so rows already seen are told by one bit each; what a mask
leaves out is seen from the start. :mod:`twinlens.core.search.multi_index` is the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan import ROW_BITS
from twinlens.core.search.hamming_scan_loops import _count
from twinlens.core.search.multi_index import ENTRY, PROBE, WORD

_PROBE, _ENTRY, _WORD = PROBE, ENTRY, WORD
_ONE, _TWO = np.uint64(1), np.uint64(2)
_AT_ONCE = 256
"""Buckets looked up, and rows compared, together: memory then answers many questions at a time."""


@compiled
def _narrowed(keys: AnyArray, value: Any, low: Any, high: Any, after: bool) -> Any:
    """Find the first place from ``low`` whose key is not less than the value, or the first that is more."""
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < value or (after and keys[middle] == value):
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _compare(
    planes: AnyArray,
    query: AnyArray,
    pending: AnyArray,
    waiting: int,
    distances: AnyArray,
    histogram: AnyArray,
    found: AnyArray,
    count: int,
) -> Any:
    """Add the keys of the rows that wait to what is found; words outside, so that memory answers many at a time."""
    if count + waiting > found.size:
        larger = np.empty(4 * found.size + waiting, np.int64)
        larger[:count] = found[:count]
        found = larger
    distances[:waiting] = 0
    for w in range(query.size):
        word, wanted = planes[w], query[w]
        for i in range(waiting):
            distances[i] += np.int64(_count(word[pending[i]] ^ wanted))
    for i in range(waiting):
        histogram[distances[i]] += 1
        found[count + i] = (distances[i] << ROW_BITS) | pending[i]
    return found


@compiled
def search(  # noqa: PLR0912 (a compiled loop is one function of plain arguments)
    planes: AnyArray,
    query: AnyArray,
    starts: AnyArray,
    rows: AnyArray,
    keys: AnyArray,
    values: AnyArray,
    shifts: AnyArray,
    changes: AnyArray,
    seen: AnyArray,
    k: int,
    budget: int,
) -> Any:
    """Do what :func:`twinlens.core.search.multi_index.plain_search` does."""
    entry = _ENTRY + _WORD * query.size
    histogram = np.zeros(64 * query.size + 1, np.int64)
    found = np.empty(1024, np.int64)
    pending, distances = np.empty(_AT_ONCE, np.int64), np.empty(_AT_ONCE, np.int64)
    lows, highs = np.empty(_AT_ONCE, np.int64), np.empty(_AT_ONCE, np.int64)
    count, waiting, probed, work, radius, proved = 0, 0, 0, 0, -1, 0
    for flipped in range(changes.shape[1]):
        for a in range(values.size):
            number = changes[a, flipped]
            if number * _PROBE > budget - work:
                return found[:count], probed, count, proved
            change = (_ONE << np.uint64(flipped)) - _ONE if flipped < 64 else ~np.uint64(0)
            for first in range(0, number, _AT_ONCE):
                buckets = min(_AT_ONCE, number - first)
                for j in range(buckets):
                    if first + j:  # the next larger number of as many bits
                        lowest = change & (~change + _ONE)
                        carried = change + lowest
                        change = (((carried ^ change) >> _TWO) // lowest) | carried
                    value = values[a] ^ change
                    place = np.int64(value >> np.uint64(shifts[a]))
                    low, high = np.int64(starts[a, place]), np.int64(starts[a, place + 1])
                    if shifts[a] and low < high:
                        low = _narrowed(keys[a], value, low, high, False)
                        high = _narrowed(keys[a], value, low, high, True)
                    lows[j], highs[j] = low, high
                for j in range(buckets):
                    work += _PROBE + entry * (highs[j] - lows[j])
                    if work > budget:
                        found = _compare(planes, query, pending, waiting, distances, histogram, found, count)
                        return found[: count + waiting], probed, count + waiting, proved
                    probed += 1
                    for i in range(lows[j], highs[j]):
                        row = np.int64(rows[a, i])
                        bit = np.uint8(1 << (row & 7))
                        pending[waiting] = row
                        waiting += 1 - ((seen[row >> 3] >> (row & 7)) & 1)
                        seen[row >> 3] |= bit
                        if waiting == _AT_ONCE:
                            found = _compare(planes, query, pending, waiting, distances, histogram, found, count)
                            count += waiting
                            waiting = 0
            found = _compare(planes, query, pending, waiting, distances, histogram, found, count)
            count += waiting
            waiting = 0
            radius += 1
            if radius < histogram.size:
                proved += histogram[radius]
            if proved >= k:
                limit, reached = 0, histogram[0]
                while reached < k:
                    limit += 1
                    reached += histogram[limit]
                kept = 0
                for i in range(count):
                    if found[i] >> ROW_BITS <= limit:
                        found[kept] = found[i]
                        kept += 1
                return found[:kept], probed, count, proved
    return found[:count], probed, count, proved


_planes = types.Array(types.uint64, 2, "A", readonly=True)
_words = types.Array(types.uint64, 1, "C", readonly=True)
_rows = types.Array(types.uint32, 2, "C", readonly=True)
_keys = types.Array(types.uint64, 2, "C", readonly=True)
_numbers = types.Array(types.int64, 1, "C", readonly=True)
_changes = types.Array(types.int64, 2, "C", readonly=True)
_seen = types.Array(types.uint8, 1, "C")
_n = types.int64
SIGNATURES: Signatures = (
    (search, ((_planes, _words, _rows, _rows, _keys, _words, _numbers, _changes, _seen, _n, _n),)),
)
