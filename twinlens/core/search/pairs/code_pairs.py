"""All pairs of codes within a distance, for duplicates: exact, streamed, and without comparing all with all.

Codes are cut into chunks. If chunk i may differ in s_i bits and the sum of s_i + 1 over the chunks is more than the
distance, two codes that are beyond s_i in every chunk i are beyond the distance altogether (the pigeonhole of Norouzi,
Punjani and Fleet, Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012). How fine to cut is a matter of
cost, which depends on the codes: it is estimated from them beforehand.

For each chunk the codes are sorted by it, and only codes that agree there, or nearly, are compared. A pair is reported
by the first chunk that finds it, so nothing has to be remembered. Pairs come in parts of bounded size; a caller that
takes no more parts stops the work.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers, Int64Rows, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.search.grouped_codes import EqualCodes, group_equal
from twinlens.core.systems import system

_ROWS = 8_192
"""Places of the sorted codes that one thread takes at a time."""

_PAIRS = 1 << 20
"""Pairs that come at a time, at most, or as many as there are codes."""

_LOOPS = "twinlens.core.search.pairs.code_pairs_loops"


@dataclass(frozen=True, eq=False)
class CodePairs:
    """Some pairs of rows.

    Attributes
    ----------
    first, second : ndarray of int64, (p,)
        Rows; the first is always the lower one.
    distances : ndarray of uint16, (p,)
        In bits.
    """

    first: Int64Rows
    second: Int64Rows
    distances: npt.NDArray[np.uint16]


def pairs_within(
    planes: UInt64Words, radius: int, bits: int | None = None, progress: Progress = silent, threads: int = 0
) -> Iterator[CodePairs]:
    """Find every pair of codes at most a distance apart, each once.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
        Codes as :func:`twinlens.core.hashing.packed_codes.planar` lays them out.
    radius : int
        The largest distance that counts, in bits; below 0 nothing does.
    bits : int, optional
        Length of a code; by default all bits of its words.
    progress : Progress
        Told of the share of the work done; may raise ``Cancelled``.
    threads : int
        At most so many; 0 for one per processor. Neither the pairs nor their order depend on it.

    Yields
    ------
    CodePairs
        Never empty, and never more than about a million pairs or as many as there are codes.
    """
    if radius < 0 or planes.shape[1] == 0:
        return
    groups = group_equal(planes)
    yield from _equal(groups)
    distinct = np.ascontiguousarray(planes[:, groups.lowest])
    for left, right, distances in distinct_pairs_within(distinct, radius, bits, progress, threads):
        yield from _expanded(groups, left, right, distances)


def distinct_pairs_within(
    planes: UInt64Words, radius: int, bits: int | None = None, progress: Progress = silent, threads: int = 0
) -> Iterator[tuple[Int64Rows, Int64Rows, npt.NDArray[np.uint16]]]:
    """Do the same where no two codes are equal, or where equal codes are few; parameters as there.

    Yields
    ------
    tuple of ndarray
        Lower rows, higher rows, distances.
    """
    bits = bits or 64 * len(planes)
    plan = cheapest_cut(planes, bits, radius)
    for number, chunk in enumerate(plan.chunks):
        order = np.argsort(values(planes, *chunk[:2]), kind="stable")
        items = _sorted(planes, order, chunk)
        for done, (left, right, distances) in _near(items, radius, threads):
            progress(number + done, len(plan.chunks), Message("Comparing {shape} codes", shape=planes.shape[1]))
            a, b = order[left], order[right]
            fresh = _not_before(planes, a, b, plan.chunks[:number])
            if fresh.any():
                a, b = a[fresh], b[fresh]
                yield np.minimum(a, b), np.maximum(a, b), distances[fresh]


def _sorted(planes: UInt64Words, order: Int64Rows, chunk: Chunk) -> Sorted:
    start, stop, flips = chunk
    keys = values(planes, start, stop)[order]
    counts = np.bincount(keys, minlength=1 << (stop - start))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Sorted(np.ascontiguousarray(planes[:, order]), keys, offsets, flipped(stop - start, flips))


def _near(items: Sorted, radius: int, threads: int) -> Iterator[tuple[float, Near]]:
    """Find near codes in stretches of the sorted ones; give with each part the share of the work done."""
    n = len(items.values)
    threads = threads or system.processors()
    stretches = [(first, min(first + _ROWS, n)) for first in range(0, n, _ROWS)]
    with ThreadPoolExecutor(threads, thread_name_prefix="pairs") as pool:
        for wave in range(0, len(stretches), threads):
            some = stretches[wave : wave + threads]
            started = [pool.submit(_some_near, items, *stretch, radius) for stretch in some]
            for (_, stop), first_part in zip(some, started, strict=True):
                place, found = first_part.result()
                yield place / n, found
                while place < stop:
                    place, found = _some_near(items, place, stop, radius)
                    yield place / n, found


def _some_near(items: Sorted, first: int, stop: int, radius: int) -> tuple[int, Near]:
    """Find near codes from a place on; return also the next place."""
    n = len(items.values)
    room = max(_PAIRS, n)
    if not compilation.worth((stop - first) * items.planes.size // 64):
        return plain_near(items, first, stop, radius, room)
    left, right = np.empty(room, np.int64), np.empty(room, np.int64)
    distances = np.empty(room, np.uint16)
    place, found = compilation.loops(_LOOPS).near(
        items.planes.reshape(-1),
        n,
        items.values,
        items.offsets,
        items.changes,
        first,
        stop,
        BUDGET,
        radius,
        left,
        right,
        distances,
    )
    return int(place), (left[:found].copy(), right[:found].copy(), distances[:found].copy())


def _not_before(planes: UInt64Words, a: Int64Rows, b: Int64Rows, chunks: tuple[Chunk, ...]) -> npt.NDArray[np.bool_]:
    """Return which pairs no earlier chunk has found."""
    fresh = np.ones(len(a), np.bool_)
    for start, stop, flips in chunks:
        left = np.flatnonzero(fresh)
        if not len(left):
            break
        differ = values(planes[:, a[left]], start, stop) ^ values(planes[:, b[left]], start, stop)
        fresh[left] = np.bitwise_count(differ) > flips
    return fresh


def _equal(groups: EqualCodes) -> Iterator[CodePairs]:
    """Yield the pairs of equal codes."""
    lengths = np.diff(groups.offsets)
    for start in groups.offsets[:-1][lengths > 1]:
        stop = int(groups.offsets[np.searchsorted(groups.offsets, start, "right")])
        rows = groups.rows[start:stop]
        step = max(1, _PAIRS // len(rows))
        for first in range(0, len(rows) - 1, step):
            left, right = np.nonzero(np.arange(first, min(first + step, len(rows)))[:, None] < np.arange(len(rows)))
            yield CodePairs(rows[left + first], rows[right], np.zeros(len(left), np.uint16))


def _expanded(groups: EqualCodes, a: Int64Rows, b: Int64Rows, distances: npt.NDArray[np.uint16]) -> Iterator[CodePairs]:
    """Turn pairs of groups into pairs of all their rows, some at a time."""
    lengths = np.diff(groups.offsets)
    ends = np.cumsum(lengths[a] * lengths[b])
    start = 0
    while start < len(a):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _PAIRS, "right")))
        if stop == start + 1 and ends[start] - before > _PAIRS:
            yield from _one_expanded(groups, int(a[start]), int(b[start]), distances[start])
        else:
            here = slice(start, stop)
            counts = lengths[a[here]] * lengths[b[here]]
            which = np.repeat(np.arange(start, stop), counts)
            place = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
            one = groups.rows[groups.offsets[a[which]] + place // lengths[b[which]]]
            other = groups.rows[groups.offsets[b[which]] + place % lengths[b[which]]]
            yield CodePairs(np.minimum(one, other), np.maximum(one, other), distances[which])
        start = stop


def _one_expanded(groups: EqualCodes, a: int, b: int, distance: np.uint16) -> Iterator[CodePairs]:
    ones = groups.rows[groups.offsets[a] : groups.offsets[a + 1]]
    others = groups.rows[groups.offsets[b] : groups.offsets[b + 1]]
    if len(ones) > len(others):
        ones, others = others, ones
    for one in ones:
        for start in range(0, len(others), _PAIRS):
            some = others[start : start + _PAIRS]
            yield CodePairs(np.minimum(one, some), np.maximum(one, some), np.full(len(some), distance, np.uint16))


Chunk = tuple[int, int, int]
_LONGEST = 22
"""Bits of the longest chunk: a table of all its values is held."""

_LOOKED_AT = 3
"""Chunks of a cut, and bits of a chunk, that say for all of them what they cost."""

_MOST_FLIPPED = 2
_LOOKUP = 12.0
"""Cost of a look-up in the table, in comparisons of codes."""


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


def plain_near(items: Sorted, first: int, stop: int, radius: int, room: int) -> tuple[int, Near]:
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
