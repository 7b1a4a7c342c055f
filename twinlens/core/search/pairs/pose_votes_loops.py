"""The compiled loop of votes for a turn and a scale; only :mod:`twinlens.core.compilation.compilation` imports this."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.search.hamming_scan_loops import _count
from twinlens.core.search.pairs.pose_votes import MARGIN, SCALES, TURNS


@compiled
def votes(
    codes: AnyArray, poses: AnyArray, starts: AnyArray, first: AnyArray, second: AnyArray, radius: int, made: AnyArray
) -> None:
    """Count for each pair of pictures the points that look alike and agree in turn and scale.

    Parameters
    ----------
    codes : uint64 array, (m, 2)
    poses : uint8 array, (m, 2)
    starts : int64 array, (n + 1,)
    first, second : int64 arrays, (p,)
    made : int64 array, (p,)
        Filled.
    """
    longest = 1
    for k in range(starts.size - 1):
        longest = max(longest, starts[k + 1] - starts[k])
    near, nearest, further = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    back, back_at = np.empty(longest, np.int64), np.empty(longest, np.int64)
    table = np.empty((TURNS, SCALES), np.int64)
    for p in range(first.size):
        a, b = starts[first[p]], starts[second[p]]
        rows, columns = starts[first[p] + 1] - a, starts[second[p] + 1] - b
        back[:columns] = 999
        for i in range(rows):
            left, right = codes[a + i, 0], codes[a + i, 1]
            best: Any = np.int64(999)
            second_best: Any = np.int64(999)
            at: Any = np.int64(0)
            for j in range(columns):
                apart = np.int64(_count(left ^ codes[b + j, 0]) + _count(right ^ codes[b + j, 1]))
                if apart < best:
                    second_best = best
                    best, at = apart, np.int64(j)
                elif apart < second_best:
                    second_best = apart
                if apart < back[j]:
                    back[j], back_at[j] = apart, i
            near[i], nearest[i], further[i] = best, at, second_best
        table[:] = 0
        for i in range(rows):
            j = nearest[i]
            if near[i] <= radius and back_at[j] == i and near[i] < further[i] - MARGIN:
                turn = ((np.int64(poses[a + i, 1]) - np.int64(poses[b + j, 1])) & 255) * TURNS // 256
                scale = np.int64(poses[a + i, 0]) - np.int64(poses[b + j, 0]) + 12 * SCALES // 2
                if 0 <= scale < 12 * SCALES:
                    table[turn, scale // 12] += 1
        most = np.int64(0)
        for row in range(TURNS):
            after = (row + 1) % TURNS
            for column in range(SCALES - 1):
                count = table[row, column] + table[row, column + 1] + table[after, column] + table[after, column + 1]
                most = max(most, count)
        made[p] = most


_codes = types.Array(types.uint64, 2, "C", readonly=True)
_poses = types.Array(types.uint8, 2, "C", readonly=True)
_numbers = types.Array(types.int64, 1, "C", readonly=True)
_filled = types.Array(types.int64, 1, "C")

SIGNATURES: Signatures = ((votes, ((_codes, _poses, _numbers, _numbers, _numbers, types.int64, _filled),)),)
