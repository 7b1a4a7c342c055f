"""The compiled loop of all pairs within a distance; only :mod:`twinlens.core.compilation.compilation` imports this."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan_loops import _count, _distances, _least

_FEW = 12
"""Codes so few that calling the vectorised loop costs more than it saves."""


@compiled
def near(  # noqa: PLR0912 (a compiled loop is one function of plain arguments)
    codes: AnyArray,
    stride: int,
    values: AnyArray,
    offsets: AnyArray,
    changes: AnyArray,
    first: int,
    stop: int,
    budget: int,
    radius: int,
    left: AnyArray,
    right: AnyArray,
    distances: AnyArray,
) -> Any:
    """Find, for places ``first`` and following, the later places whose code is near.

    Parameters
    ----------
    codes : uint64 array
        Planar codes in one run, in the order of ``values``.
    values : int64 array, (n,)
        Of the chunk, ascending.
    offsets : int64 array, (all values + 1,)
        Where each value begins.
    changes : int64 array
        What a value may be changed by.
    budget : int
        Comparisons after which to stop.
    left, right, distances : int64, int64, uint16 arrays
        Filled; with room for at least as many as there are codes.

    Returns
    -------
    tuple of int
        The place to go on from, and how many were found.
    """
    words = codes.size // stride if stride else 0
    query = np.empty(words, np.uint64)
    buffer = np.empty(2048, np.uint16)
    found, compared, place = 0, 0, first
    while place < stop and compared < budget:
        # What this place may add must have room.
        total = offsets[values[place] + 1] - place - 1
        for change in changes:
            other = values[place] ^ change
            if other > values[place]:
                total += offsets[other + 1] - offsets[other]
        if found + total > left.size:
            break
        compared += total + 8
        for w in range(words):
            query[w] = codes[w * stride + place]
        for step in range(-1, changes.size):
            if step < 0:
                begin, end = place + 1, offsets[values[place] + 1]
            else:
                other = values[place] ^ changes[step]
                if other < values[place]:
                    continue
                begin, end = offsets[other], offsets[other + 1]
            if end - begin < _FEW:
                for i in range(begin, end):
                    distance = np.int64(0)
                    for w in range(words):
                        distance += np.int64(_count(codes[w * stride + i] ^ query[w]))
                    if distance <= radius:
                        left[found], right[found], distances[found] = place, i, distance
                        found += 1
                continue
            for block in range(begin, end, 2048):
                some = buffer[: min(2048, end - block)]
                _distances(codes, stride, block, query, some)
                if _least(some) > radius:
                    continue
                for i in range(some.size):
                    if some[i] <= radius:
                        left[found], right[found], distances[found] = place, block + i, some[i]
                        found += 1
        place += 1
    return place, found


_words = types.Array(types.uint64, 1, "C", readonly=True)
_numbers = types.Array(types.int64, 1, "C", readonly=True)
_filled = types.Array(types.int64, 1, "C")
_short = types.Array(types.uint16, 1, "C")
_n = types.int64

SIGNATURES: Signatures = (
    (near, ((_words, _n, _numbers, _numbers, _numbers, _n, _n, _n, _n, _filled, _filled, _short),)),
)
