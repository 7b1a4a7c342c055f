"""All pairs of codes within a distance, for duplicates: exact, streamed, and without comparing all with all.

Codes are cut into chunks (:mod:`core.search.code_chunks`); for each chunk they are sorted by it, and only those are
compared that agree there, or nearly. A pair is reported by the first chunk that finds it, so nothing has to be
remembered. What is found comes in parts of bounded size; whoever stops asking stops the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Rows, UInt64Words
from core.compilation import compilation
from core.message import Message
from core.progress import Progress, silent
from core.search.code_chunks import Chunk, cheapest_cut, flipped, values
from core.search.hamming.equal_codes import EqualCodes, group_equal
from core.search.pairs import code_pairs_plain
from core.search.pairs.code_pairs_plain import Sorted
from core.systems import system

_ROWS = 8_192
"""Places of the sorted codes that one thread takes at a time."""

_PAIRS = 1 << 20
"""Pairs that come at a time, at most, or as many as there are codes."""

_LOOPS = "core.search.pairs.code_pairs_loops"


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
        Codes as :func:`core.hashing.packed_codes.planar` lays them out.
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
    Pairs
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


def _near(items: Sorted, radius: int, threads: int) -> Iterator[tuple[float, code_pairs_plain.Near]]:
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


def _some_near(items: Sorted, first: int, stop: int, radius: int) -> tuple[int, code_pairs_plain.Near]:
    """Find near codes from a place on; give the place to go on from."""
    n = len(items.values)
    room = max(_PAIRS, n)
    if not compilation.worth((stop - first) * items.planes.size // 64):
        return code_pairs_plain.near(items, first, stop, radius, room)
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
        code_pairs_plain.BUDGET,
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
