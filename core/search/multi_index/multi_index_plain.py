"""Probing of multi-index hashing in plain numpy: the twin of the compiled loop, with exactly the same results."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers, UInt32Rows, UInt64Words
from core.search.hamming.hamming_scan_plain import ROW_BITS, Keys

PROBE = 32
"""Cost of a look-up of a bucket, in words scanned: about a third of a nanosecond each."""

ENTRY, WORD = 120, 60
"""Cost of a row of a bucket, and of each word of its code: it lies anywhere, while a scan reads straight on."""


def search(
    planes: UInt64Words,
    query: UInt64Words,
    starts: UInt32Rows,
    rows: UInt32Rows,
    keys: UInt64Words,
    values: UInt64Words,
    shifts: Int64Numbers,
    changes: Int64Numbers,
    seen: npt.NDArray[np.uint8],
    k: int,
    budget: int,
) -> tuple[Keys, int, int, int]:
    """Probe the substrings' tables in growing radius until the k nearest rows are proved, or it costs too much.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    query : uint64 array, (words,)
    starts : uint32 array, (m, 2**p + 1)
        Where the rows begin whose substring begins with so many of its highest bits.
    rows : uint32 array, (m, n)
        In the order of their substring.
    keys : uint64 array, (m, n) or (m, 0)
        The substrings, in order; only where some are longer than p bits.
    values : uint64 array, (m,)
        The query's substrings.
    shifts : int64 array, (m,)
        How many bits of a substring are beyond the first p.
    changes : int64 array, (m, longest + 1)
        ``changes[a, s]``: in how many ways s bits of substring a can be flipped.
    seen : uint8 array, (ceil(n / 8),)
        A bit for each row, the first in the lowest; set for rows that may not be found. Changed.
    k : int
        At least 1, at most the number of rows that may be found.
    budget : int
        What it may cost, in words scanned.

    Returns
    -------
    tuple
        Keys of rows, ``distance << 48 | row``, in no order: if k are proved, all up to the k-th distance; buckets
        probed; rows compared; and how many of the nearest are proved, k or more or as many as the budget allows.
    """
    found: list[Keys] = []
    histogram = np.zeros(64 * len(query) + 1, np.int64)
    compared, probed, work, proved = 0, 0, 0, 0
    entry = ENTRY + WORD * len(query)
    for flipped in range(changes.shape[1]):
        for a in range(len(values)):
            if int(changes[a, flipped]) * PROBE > budget - work:
                return np.concatenate([*found, np.empty(0, np.int64)]), probed, compared, proved
            low, high = _buckets(starts[a], keys[a], values[a] ^ _flips(int(changes[a, 1]), flipped), int(shifts[a]))
            costs = np.cumsum(PROBE + entry * (high - low)) + work
            within = int(np.searchsorted(costs, budget, side="right"))
            new = np.unique(rows[a][_ranges(low[:within], high[:within])]).astype(np.int64)
            new = new[(seen[new >> 3] >> (new & 7).astype(np.uint8)) & 1 == 0]
            np.bitwise_or.at(seen, new >> 3, (1 << (new & 7)).astype(np.uint8))
            distances = np.bitwise_count(planes[:, new] ^ query[:, None]).sum(axis=0, dtype=np.int64)
            histogram += np.bincount(distances, minlength=len(histogram))
            found.append((distances << ROW_BITS) | new)
            compared += len(new)
            probed += within
            if within < len(costs):
                return np.concatenate(found), probed, compared, proved
            work = int(costs[-1]) if len(costs) else work
            # With substrings to a probed to radius s and the others to s - 1, all codes within m s + a are found.
            radius = len(values) * flipped + a
            proved += int(histogram[radius]) if radius < len(histogram) else 0
            if proved >= k:
                everything = np.concatenate(found)
                limit = int(np.searchsorted(np.cumsum(histogram), k))
                return everything[everything >> ROW_BITS <= limit], probed, compared, proved
    return np.concatenate(found), probed, compared, proved


def _buckets(
    starts: UInt32Rows, keys: UInt64Words, values: UInt64Words, shift: int
) -> tuple[Int64Numbers, Int64Numbers]:
    """Return where the rows with these values begin and end."""
    if shift:
        return np.searchsorted(keys, values, "left"), np.searchsorted(keys, values, "right")
    places = values.astype(np.int64)
    return starts[places].astype(np.int64), starts[places + 1].astype(np.int64)


def _ranges(low: Int64Numbers, high: Int64Numbers) -> Int64Numbers:
    """Put ranges one after the other."""
    sizes = high - low
    before = np.cumsum(sizes) - sizes
    places: Int64Numbers = np.arange(int(sizes.sum())) + np.repeat(low - before, sizes)
    return places


@lru_cache(maxsize=64)
def _flips(length: int, flipped: int) -> UInt64Words:
    """Return all numbers of so many bits of which so many are set, ascending."""
    if flipped in {0, length}:
        return np.array([(1 << flipped) - 1], np.uint64)
    if flipped > length:
        return np.empty(0, np.uint64)
    highest = np.uint64(1 << (length - 1))
    return np.concatenate([_flips(length - 1, flipped), _flips(length - 1, flipped - 1) | highest])
