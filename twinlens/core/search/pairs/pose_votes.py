"""Pose votes: the number of points of two pictures that look alike and agree in turn and scale.

Jégou, Douze, Schmid: Hamming embedding and weak geometric consistency for large scale image search, ECCV 2008: points
are compared by short codes, and each pair of points votes for a turn and a scale. Of pictures that have nothing to do
with each other the votes are spread; where one is made from the other they fall together. It costs less than a tenth of
a millisecond, so that far more pairs of pictures can be tried than could be confirmed point by point.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers
from twinlens.core.compilation import compilation
from twinlens.core.systems import system

_LOOPS = "twinlens.core.search.pairs.pose_votes_loops"
RADIUS = 32
"""Bits of 128 by which the codes of one point of two pictures differ at most."""

_AT_ONCE = 256
_WORDS_A_PAIR = 40_000  # that a pair of pictures compares, about


@dataclass(frozen=True, eq=False)
class Points:
    """The points of some pictures, one picture after the other.

    Attributes
    ----------
    codes : ndarray of uint64, (m, 2)
        What each point looks like.
    poses : ndarray of uint8, (m, 2)
        Its size, in 24 steps to the doubling, and its direction, in 256 steps to the turn.
    starts : ndarray of int64, (n + 1,)
        Where the points of each picture begin; the last is m.
    """

    codes: npt.NDArray[np.uint64]
    poses: npt.NDArray[np.uint8]
    starts: Int64Numbers

    def and_more(self, other: Points) -> Points:
        """Return these pictures, and others behind them."""
        return Points(
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.poses, other.poses]),
            np.concatenate([self.starts, self.starts[-1] + other.starts[1:]]),
        )


def pose_votes(points: Points, first: Int64Numbers, second: Int64Numbers, threads: int = 0) -> Int64Numbers:
    """Count for each pair of pictures the points that look alike and agree in turn and scale.

    Parameters
    ----------
    first, second : ndarray of int64, (p,)
        Places of pictures.
    threads : int
        At most so many; 0 for one per processor.

    Returns
    -------
    ndarray of int64, (p,)
    """
    if not compilation.worth(len(first) * _WORDS_A_PAIR):
        return plain_votes(points.codes, points.poses, points.starts, first, second, RADIUS)
    made = np.zeros(len(first), np.int64)
    loop = compilation.loops(_LOOPS).votes
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)

    def some(start: int) -> None:
        here = slice(start, start + _AT_ONCE)
        loop(points.codes, points.poses, points.starts, first[here], second[here], RADIUS, made[here])

    with ThreadPoolExecutor(threads or system.processors(), thread_name_prefix="votes") as pool:
        for _ in pool.map(some, range(0, len(first), _AT_ONCE)):
            pass
    return made


TURNS, SCALES = 16, 24
"""Steps of a whole turn; half octaves of scale, of which the middle one is as large."""

MARGIN = 4
"""Bits by which the second nearest point differs more, at least."""


def plain_votes(
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
