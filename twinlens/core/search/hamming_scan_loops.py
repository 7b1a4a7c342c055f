"""The compiled loops of the Hamming scan; imported by `twinlens.core.compilation` alone.

What makes them fast, each found by measuring:

- codes are planar, and each word's run is cut out as an array of its own before the loop: a loop over ``a[i]`` from 0
  is vectorised, one over ``codes[offset + i]`` is not and takes ten times as long;
- the distances of a block go to a buffer of 16-bit numbers; only if its least is below what is wanted is it looked at
  again. Random codes pass that test seldom, so the scan runs as fast as memory is read;
- there is no heap: a histogram of the distances kept so far says exactly what is still wanted, and a full buffer of
  candidates is thinned out by it;
- blocks outside, queries inside, so that a batch reads memory once.

Rows are visited in order and only a smaller distance displaces, so ties go to the lower row by themselves. A find is
one number, its **key**: ``distance << 48 | row``. Keys order by (distance, row).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan import NOTHING, ROW_BITS

_STEP = 128
"""Distances of a block that are skipped or looked at together."""


def _count_bits(_context: Any, _word: Any) -> tuple[Any, Any]:
    """One instruction, or the best the machine has: LLVM's ``ctpop``, which it also vectorises."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


_count: Any = intrinsic(_count_bits)


@compiled
def _distances(codes: AnyArray, stride: int, start: int, query: AnyArray, out: AnyArray) -> None:
    """Write the distances of codes ``start`` and following to all of ``out``: 8, 4, 2 and 1 words at a time."""
    words = query.size
    n = out.size
    for i in range(n):
        out[i] = 0
    w = 0
    while w + 8 <= words:
        at = w * stride + start
        a0, a1 = codes[at : at + n], codes[at + stride : at + stride + n]
        at += 2 * stride
        a2, a3 = codes[at : at + n], codes[at + stride : at + stride + n]
        at += 2 * stride
        a4, a5 = codes[at : at + n], codes[at + stride : at + stride + n]
        at += 2 * stride
        a6, a7 = codes[at : at + n], codes[at + stride : at + stride + n]
        q0, q1, q2, q3 = query[w], query[w + 1], query[w + 2], query[w + 3]
        q4, q5, q6, q7 = query[w + 4], query[w + 5], query[w + 6], query[w + 7]
        for i in range(n):
            left = _count(a0[i] ^ q0) + _count(a1[i] ^ q1) + _count(a2[i] ^ q2) + _count(a3[i] ^ q3)
            right = _count(a4[i] ^ q4) + _count(a5[i] ^ q5) + _count(a6[i] ^ q6) + _count(a7[i] ^ q7)
            out[i] += left + right
        w += 8
    if w + 4 <= words:
        at = w * stride + start
        a0, a1 = codes[at : at + n], codes[at + stride : at + stride + n]
        at += 2 * stride
        a2, a3 = codes[at : at + n], codes[at + stride : at + stride + n]
        q0, q1, q2, q3 = query[w], query[w + 1], query[w + 2], query[w + 3]
        for i in range(n):
            out[i] += _count(a0[i] ^ q0) + _count(a1[i] ^ q1) + _count(a2[i] ^ q2) + _count(a3[i] ^ q3)
        w += 4
    if w + 2 <= words:
        at = w * stride + start
        a0, a1 = codes[at : at + n], codes[at + stride : at + stride + n]
        q0, q1 = query[w], query[w + 1]
        for i in range(n):
            out[i] += _count(a0[i] ^ q0) + _count(a1[i] ^ q1)
        w += 2
    if w < words:
        at = w * stride + start
        a0 = codes[at : at + n]
        q0 = query[w]
        for i in range(n):
            out[i] += _count(a0[i] ^ q0)


@compiled
def _least(distances: AnyArray) -> Any:
    least = np.uint16(65535)
    for i in range(distances.size):
        least = min(least, distances[i])
    return least


@compiled
def _allowed(mask: AnyArray) -> int:
    allowed = 0
    for i in range(mask.size):
        allowed += mask[i]
    return allowed


@compiled
def _forbid(mask: AnyArray, distances: AnyArray) -> None:
    """Put what the mask leaves out beyond every distance."""
    for i in range(distances.size):
        distances[i] |= np.uint16(mask[i]) - np.uint16(1)


@compiled
def _thin(keys: AnyArray, count: int, limit: int, at_limit: int) -> int:
    """Keep the keys below the limit and the first few at it; return how many stay."""
    kept = 0
    for i in range(count):
        distance = keys[i] >> ROW_BITS
        if distance < limit or (distance == limit and at_limit > 0):
            if distance == limit:
                at_limit -= 1
            keys[kept] = keys[i]
            kept += 1
    return kept


@compiled
def nearest(  # noqa: PLR0912 (a compiled loop is one function of plain arguments)
    codes: AnyArray,
    stride: int,
    start: int,
    stop: int,
    queries: AnyArray,
    k: int,
    mask: AnyArray,
    block: int,
    keys: AnyArray,
) -> None:
    """Find the k nearest rows of ``start`` to ``stop`` for every query.

    Parameters
    ----------
    codes : uint64 array
        Planar codes in one run: word ``w`` of row ``i`` is ``codes[w * stride + i]``.
    queries : uint64 array, (q, words)
    mask : uint8 array, (rows,) or (0,)
        1 where a row may be found; empty if all may.
    block : int
        Rows whose distances are computed at once.
    keys : int64 array, (q, room), room >= k
        Filled: ``keys[:, :k]`` hold the finds in no order, padded with ``NOTHING``. If room is less than ``stop -
        start`` it must be more than k.
    """
    room = keys.shape[1]
    # A query's limit is the distance that a row must be below to be wanted: once k rows are found, the k-th distance.
    # ``reached`` counts the finds at or below the limit.
    beyond = 64 * queries.shape[1] + 1
    histogram = np.zeros((queries.shape[0], beyond + 1), np.uint32)
    limits = np.full(queries.shape[0], beyond, np.int64)
    reached = np.zeros(queries.shape[0], np.int64)
    counts = np.zeros(queries.shape[0], np.int64)
    buffer = np.empty(block, np.uint16)
    for first in range(start, stop, block):
        distances = buffer[: min(block, stop - first)]
        allow = mask[first : first + distances.size]
        allowed = _allowed(allow) if mask.size else distances.size
        if allowed == 0:
            continue
        for j in range(queries.shape[0]):
            limit = limits[j]
            if limit == 0:
                continue
            _distances(codes, stride, first, queries[j], distances)
            if allowed < distances.size:
                _forbid(allow, distances)
            if _least(distances) >= limit:
                continue
            count = counts[j]
            for step in range(0, distances.size, _STEP):
                near = distances[step : step + _STEP]
                if _least(near) >= limit:
                    continue
                for i in range(near.size):
                    distance = np.int64(near[i])
                    if distance >= limit:
                        continue
                    if count == room:
                        count = _thin(keys[j], count, limit, k - (reached[j] - np.int64(histogram[j, limit])))
                    keys[j, count] = (distance << ROW_BITS) | (first + step + i)
                    count += 1
                    histogram[j, distance] += np.uint32(1)
                    reached[j] += 1
                    while reached[j] - np.int64(histogram[j, limit]) >= k:
                        reached[j] -= np.int64(histogram[j, limit])
                        limit -= 1
            counts[j] = count
            limits[j] = limit
    for j in range(queries.shape[0]):
        limit = limits[j]
        count = _thin(keys[j], counts[j], limit, k - (reached[j] - np.int64(histogram[j, limit])))
        keys[j, count:k] = NOTHING


@compiled
def within(
    codes: AnyArray, stride: int, start: int, stop: int, query: AnyArray, radius: int, mask: AnyArray, block: int
) -> AnyArray:
    """Find every row of ``start`` to ``stop`` at most ``radius`` away: their keys, in row order.

    Parameters are those of :func:`nearest`.
    """
    keys = np.empty(1024, np.int64)
    count = 0
    buffer = np.empty(block, np.uint16)
    for first in range(start, stop, block):
        distances = buffer[: min(block, stop - first)]
        allow = mask[first : first + distances.size]
        allowed = _allowed(allow) if mask.size else distances.size
        if allowed == 0:
            continue
        _distances(codes, stride, first, query, distances)
        if allowed < distances.size:
            _forbid(allow, distances)
        if _least(distances) > radius:
            continue
        if count + distances.size > keys.size:
            larger = np.empty(2 * keys.size + distances.size, np.int64)
            larger[:count] = keys[:count]
            keys = larger
        for step in range(0, distances.size, _STEP):
            near = distances[step : step + _STEP]
            if _least(near) > radius:
                continue
            for i in range(near.size):
                distance = np.int64(near[i])
                if distance <= radius:
                    keys[count] = (distance << ROW_BITS) | (first + step + i)
                    count += 1
    return keys[:count]


_codes = types.Array(types.uint64, 1, "C", readonly=True)
_mask = types.Array(types.uint8, 1, "C", readonly=True)
_queries = types.Array(types.uint64, 2, "C", readonly=True)
_keys = types.Array(types.int64, 2, "C")
_n = types.int64

SIGNATURES: Signatures = (
    (nearest, ((_codes, _n, _n, _n, _queries, _n, _mask, _n, _keys),)),
    (within, ((_codes, _n, _n, _n, _codes, _n, _mask, _n),)),
)
"""Each loop and the types it is compiled for; read-only arrays, so that arrays of both kinds can be given."""
