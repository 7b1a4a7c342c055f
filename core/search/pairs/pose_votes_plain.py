"""Votes of points for a turn and a scale in plain numpy: the twin of the compiled loop, with the same counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers

TURNS, SCALES = 16, 24
"""Steps of a whole turn; half octaves of scale, of which the middle one is as large."""

MARGIN = 4
"""Bits by which the second nearest point differs more, at least."""


def votes(
    codes: npt.NDArray[np.uint64],
    poses: npt.NDArray[np.uint8],
    starts: Int64Numbers,
    first: Int64Numbers,
    second: Int64Numbers,
    radius: int,
) -> Int64Numbers:
    """Count for each pair of pictures the points that look alike and agree in turn and scale, (p,)."""
    made = np.zeros(len(first), np.int64)
    for number, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        a, b = slice(starts[one], starts[one + 1]), slice(starts[other], starts[other + 1])
        made[number] = _votes(codes[a], poses[a].astype(np.int64), codes[b], poses[b].astype(np.int64), radius)
    return made


def _votes(
    a: npt.NDArray[np.uint64], pose_a: Int64Numbers, b: npt.NDArray[np.uint64], pose_b: Int64Numbers, radius: int
) -> int:
    if not len(a) or not len(b):
        return 0
    apart = np.bitwise_count(a[:, None] ^ b[None]).sum(axis=2, dtype=np.int64)
    nearest, back = apart.argmin(axis=1), apart.argmin(axis=0)
    rows = np.arange(len(a))
    best = apart[rows, nearest]
    others = apart.copy()
    others[rows, nearest] = 999
    chosen = (best <= radius) & (back[nearest] == rows) & (best < others.min(axis=1) - MARGIN)
    i, j = rows[chosen], nearest[chosen]
    turns = (pose_a[i, 1] - pose_b[j, 1]) % 256 * TURNS // 256
    scales = (pose_a[i, 0] - pose_b[j, 0] + 12 * SCALES // 2) // 12
    table = np.zeros((TURNS, SCALES), np.int64)
    inside = (scales >= 0) & (scales < SCALES)
    np.add.at(table, (turns[inside], scales[inside]), 1)
    table = table + np.roll(table, -1, axis=0)
    return int((table[:, :-1] + table[:, 1:]).max())
