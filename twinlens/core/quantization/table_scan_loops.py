"""The compiled scan of codes by a table; only :mod:`twinlens.core.compilation.compilation` imports this.

Bytes lie one after the other for all codes, so that the sums of a block are independent of each other and stay in the
cache; :mod:`twinlens.core.quantization.quantizer` has the twin, which adds in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled

_BLOCK, _STEP, _ROOM, _VALUES = 2_048, 64, 1_024, 256


@compiled
def _sums(planes: AnyArray, n: int, first: int, table: AnyArray, out: AnyArray) -> None:
    """Write the distances of codes ``first`` and following to all of ``out``: 4 bytes and 1 byte at a time."""
    count, length = out.size, table.size // _VALUES
    for i in range(count):
        out[i] = 0
    j = 0
    while j + 4 <= length:
        at = j * n + first
        a, b = planes[at : at + count], planes[at + n : at + n + count]
        at += 2 * n
        c, d = planes[at : at + count], planes[at + n : at + n + count]
        own = table[j * _VALUES : (j + 4) * _VALUES]
        for i in range(count):
            far = out[i] + own[a[i]]
            far += own[_VALUES + np.int64(b[i])]
            far += own[2 * _VALUES + np.int64(c[i])]
            out[i] = far + own[3 * _VALUES + np.int64(d[i])]
        j += 4
    while j < length:
        a = planes[j * n + first : j * n + first + count]
        own = table[j * _VALUES : (j + 1) * _VALUES]
        for i in range(count):
            out[i] += own[a[i]]
        j += 1


@compiled
def scan(planes: AnyArray, n: int, table: AnyArray, k: int) -> Any:
    """Do what :func:`twinlens.core.quantization.quantizer.plain_scan` does; of equally far ones, perhaps fewer."""
    room = min(n, 2 * k + _ROOM)
    rows, far = np.empty(room, np.int64), np.empty(room, np.float32)
    limit, count = np.float32(np.inf), 0
    buffer = np.empty(_BLOCK, np.float32)
    for first in range(0, n, _BLOCK):
        sums = buffer[: min(_BLOCK, n - first)]
        _sums(planes, n, first, table, sums)
        for step in range(0, sums.size, _STEP):
            near = sums[step : step + _STEP]
            least = near[0]
            for i in range(near.size):
                least = min(least, near[i])
            if least >= limit:
                continue
            for i in range(near.size):
                if near[i] >= limit:
                    continue
                if count == room:
                    # The k nearest, by (distance, row): rows were met in order, and a stable sort leaves them so.
                    order = np.argsort(far, kind="mergesort")[:k]
                    rows[:k], far[:k] = rows[order], far[order]
                    count, limit = k, far[k - 1]
                    if near[i] >= limit:
                        continue
                rows[count], far[count] = first + step + i, near[i]
                count += 1
    return rows[:count], far[:count]


_planes = types.Array(types.uint8, 1, "C", readonly=True)
_table = types.Array(types.float32, 1, "C", readonly=True)
_n = types.int64
SIGNATURES: Signatures = ((scan, ((_planes, _n, _table, _n),)),)
