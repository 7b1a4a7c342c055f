"""All pairs within a distance in plain numpy: the twin of the compiled loop, with the same pairs in the same order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers

Near = tuple[Int64Numbers, Int64Numbers, npt.NDArray[np.uint16]]
"""Places of the sorted codes, later places, and distances."""

BUDGET = 1 << 25
"""Comparisons after which the compiled loop gives back what it has."""

_BUDGET = 1 << 19


@dataclass(frozen=True, eq=False)
class Sorted:
    """Codes sorted by the value of a chunk.

    Attributes
    ----------
    planes : ndarray of uint64, (words, n)
    values : ndarray of int64, (n,)
        Of the chunk, ascending.
    offsets : ndarray of int64, (all values + 1,)
        Where each value begins.
    changes : ndarray of int64
        What a value may be changed by to be near enough.
    """

    planes: npt.NDArray[np.uint64]
    values: Int64Numbers
    offsets: Int64Numbers
    changes: Int64Numbers


def near(items: Sorted, first: int, stop: int, radius: int, room: int) -> tuple[int, Near]:
    """Find, for places from ``first``, the later places whose code is near; return also the next place.

    Parameters
    ----------
    radius : int
        In bits.
    room : int
        Pairs at most; at least as many as there are codes.
    """
    starts, ends = _ranges(items, first, stop)
    totals = np.cumsum((ends - starts).sum(axis=1))
    count = max(1, int(np.searchsorted(totals, min(_BUDGET, room), "right")))
    starts, ends = starts[:count].reshape(-1), ends[:count].reshape(-1)
    lengths = ends - starts
    left = first + np.repeat(np.arange(count).repeat(1 + len(items.changes)), lengths)
    right = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    distances = np.zeros(len(left), np.uint16)
    for word in items.planes:
        distances += np.bitwise_count(word[left] ^ word[right])
    kept = distances <= radius
    return first + count, (left[kept], right[kept], distances[kept])


def _ranges(items: Sorted, first: int, stop: int) -> tuple[Int64Numbers, Int64Numbers]:
    """Return the ranges of places that each place is compared with, both (places, 1 + changes)."""
    values = items.values[first:stop, None]
    others = values ^ items.changes
    later = others > values
    starts = np.where(later, items.offsets[others], 0)
    ends = np.where(later, items.offsets[others + 1], 0)
    own = np.arange(first + 1, stop + 1)[:, None]
    return np.hstack([own, starts]), np.hstack([items.offsets[values + 1], ends])
