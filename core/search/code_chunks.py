"""Chunks of codes, chosen so that two codes within a distance nearly agree in at least one of them.

If chunk i may differ in s_i bits and the sum of s_i + 1 over the chunks is more than the distance, two codes that are
beyond s_i in every chunk i are beyond the distance altogether (the pigeonhole of Norouzi, Punjani and Fleet, Fast
Search in Hamming Space with Multi-Index Hashing, CVPR 2012). How fine to cut is a matter of cost, which depends on the
codes: it is estimated from them beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import UInt64Words

Chunk = tuple[int, int, int]

_LONGEST = 22
"""Bits of the longest chunk: a table of all its values is held."""

_LOOKED_AT = 3
"""Chunks of a cut, and bits of a chunk, that say for all of them what they cost."""

_MOST_FLIPPED = 2
_LOOKUP = 12.0
"""What looking a value up in the table costs, in comparisons of codes."""


@dataclass(frozen=True)
class ChunkCut:
    """Chunks of codes.

    Attributes
    ----------
    chunks : tuple of (start, stop, flips)
        Bits ``start`` to ``stop``, in which two codes may differ in at most ``flips``.
    cost : float
        Comparisons of codes, and what else there is to do in as many.
    """

    chunks: tuple[Chunk, ...]
    cost: float


def cheapest_cut(planes: UInt64Words, bits: int, radius: int) -> ChunkCut:
    """Find the cheapest cut for all pairs within a distance.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    bits : int
        Length of a code.
    radius : int
        The distance, from 0.
    """
    n = planes.shape[1]
    best = ChunkCut(((0, 0, 0),), n * (n - 1) / 2)
    longest = min(_LONGEST, n.bit_length() + 1)  # longer ones have more empty places than full ones
    for count in range(1, min(bits, radius + 1) + 1):
        chunks = _even(bits, radius, count)
        if any(stop - start > longest or flips > _MOST_FLIPPED for start, stop, flips in chunks):
            continue
        floor = sum(_LOOKUP * n * _lookups(stop - start, flips) for start, stop, flips in chunks)
        if floor < best.cost:
            some = chunks[:: max(1, len(chunks) // _LOOKED_AT)]
            cost = floor + sum(_comparisons(planes, chunk) for chunk in some) * len(chunks) / len(some)
            best = min(best, ChunkCut(chunks, cost), key=lambda one: one.cost)
    return best


def values(planes: UInt64Words, start: int, stop: int) -> npt.NDArray[np.int64]:
    """Return the bits ``start`` to ``stop`` of every code as a number, (n,); at most 63 of them."""
    word, shift = divmod(start, 64)
    found = planes[word] >> np.uint64(shift)
    if stop > 64 * (word + 1):
        found = found | planes[word + 1] << np.uint64(64 - shift)
    return np.asarray(found & np.uint64((1 << (stop - start)) - 1), np.int64)


def flipped(bits: int, flips: int) -> npt.NDArray[np.int64]:
    """List what a value of so many bits is changed by, to differ in 1 to ``flips`` of them; flips at most 2."""
    single = [1 << i for i in range(bits)] if flips else []
    double = [a | b for place, a in enumerate(single) for b in single[:place]] if flips == _MOST_FLIPPED else []
    return np.array(single + double, np.int64)


def _even(bits: int, radius: int, count: int) -> tuple[Chunk, ...]:
    ends = [bits * i // count for i in range(count + 1)]
    share, more = divmod(radius + 1, count)
    return tuple((ends[i], ends[i + 1], share - 1 + (i < more)) for i in range(count))


def _lookups(length: int, flips: int) -> float:
    return 1 + sum(math.comb(length, some) for some in range(1, flips + 1)) / 2


def _comparisons(planes: UInt64Words, chunk: Chunk) -> float:
    """Estimate how many pairs of codes agree but for the flips in one chunk."""
    start, stop, flips = chunk
    length = stop - start
    counts = np.bincount(values(planes, start, stop), minlength=1 << length).astype(np.float64)
    single = flipped(length, min(flips, 1))[:: max(1, length // _LOOKED_AT)]
    places = np.arange(len(counts))
    near = sum(float(counts @ counts[places ^ change]) for change in single) * length / max(1, len(single))
    if flips == _MOST_FLIPPED:  # about as many for each two bits as for each one
        near *= 1 + (length - 1) / 2
    return float(counts @ (counts - 1)) / 2 + near / 2
