"""The Hamming scan in plain numpy: the twin of the compiled loops, with exactly the same results.

It runs while the loops are being compiled, where numba is missing, and for programs that are over before compiled
loops would be ready. A find is a **key**, ``distance << 48 | row``; keys order by (distance, row).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from core.arrays import OptionalMask, UInt64Words

Keys = npt.NDArray[np.int64]

ROW_BITS = 47  # beside them a distance of 16 bits is no negative number
NOTHING = np.iinfo(np.int64).max

_BLOCK = 16_384
"""Rows whose distances are computed at once: small enough for the cache, large enough that calls cost little."""


def nearest_keys(planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask, rows: slice) -> Keys:
    """Find the k nearest rows of a range for every query.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    queries : uint64 array, (q, words)
    k : int
        At least 1.
    mask : bool array, (n,), optional
        False for rows that may not be found.
    rows : slice
        The rows to look at, start and stop given.

    Returns
    -------
    int64 array, (q, k)
        The keys of the finds in no order, padded with ``NOTHING``.
    """
    found = [np.empty(0, np.int64)] * len(queries)
    # A row is wanted if its distance is below the limit: once k rows are found, the k-th distance.
    limits = [64 * len(planes) + 1] * len(queries)
    for first, block, allow in _blocks(planes, mask, rows):
        for j, query in enumerate(queries):
            if limits[j] == 0:
                continue
            distances = _distances(block, query)
            wanted = distances < limits[j]
            if allow is not None:
                wanted &= allow
            near = np.flatnonzero(wanted)
            if len(near) == 0:
                continue
            found[j] = np.concatenate([found[j], _keys(distances, near, first)])
            if len(found[j]) >= k:
                found[j].partition(k - 1)
                found[j] = found[j][:k]
                limits[j] = int(found[j][k - 1]) >> ROW_BITS
    keys = np.full((len(queries), k), NOTHING)
    for j, some in enumerate(found):
        keys[j, : len(some)] = some
    return keys


def within_keys(planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask, rows: slice) -> Keys:
    """Find every row of a range at most ``radius`` away: their keys, in row order."""
    found = [np.empty(0, np.int64)]
    for first, block, allow in _blocks(planes, mask, rows):
        distances = _distances(block, query)
        wanted = distances <= radius
        if allow is not None:
            wanted &= allow
        found.append(_keys(distances, np.flatnonzero(wanted), first))
    return np.concatenate(found)


def _blocks(planes: UInt64Words, mask: OptionalMask, rows: slice) -> Iterator[tuple[int, UInt64Words, OptionalMask]]:
    for first in range(rows.start, rows.stop, _BLOCK):
        here = slice(first, min(first + _BLOCK, rows.stop))
        allow = None if mask is None else mask[here]
        if allow is None or allow.any():
            yield first, planes[:, here], allow


def _distances(block: UInt64Words, query: UInt64Words) -> npt.NDArray[np.uint16]:
    distances = np.zeros(block.shape[1], np.uint16)
    differing = np.empty(block.shape[1], np.uint64)
    for word, wanted in zip(block, query, strict=True):
        np.bitwise_xor(word, wanted, out=differing)
        distances += np.bitwise_count(differing)
    return distances


def _keys(distances: npt.NDArray[np.uint16], near: npt.NDArray[np.intp], first: int) -> Keys:
    return (distances[near].astype(np.int64) << ROW_BITS) | (near.astype(np.int64) + first)
