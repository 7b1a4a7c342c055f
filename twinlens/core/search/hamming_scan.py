"""Exact search of packed codes: the k nearest, or all within a distance, always ordered by (distance, row).

A scan compares the query with all codes, with some rows that a search structure chose, or, block by block, with an
array on disk, at the speed at which memory is read. The loops are compiled in the background
(:mod:`twinlens.core.compilation.compilation`); until they are ready, and where they cannot be, numpy gives the same
results.

Examples
--------
>>> import numpy as np
>>> from twinlens.core.hashing.packed_codes import pack_bits, planar
>>> planes = planar(pack_bits(np.array([[1, 1, 0], [0, 0, 0], [1, 0, 0]])))
>>> found = nearest_by_hamming(planes, planes[:, :1].T, k=2)
>>> found.distances, found.rows
(array([[0, 1]], dtype=uint16), array([[0, 2]]))
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.hashing.packed_codes import Bytes, planar
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.systems import system

Keys = npt.NDArray[np.int64]
"""Finds: a key is ``distance << ROW_BITS | row``, so that keys order by (distance, row)."""

ROW_BITS = 47  # beside them a distance of 16 bits is no negative number
NOTHING = np.iinfo(np.int64).max

_LOOPS = "twinlens.core.search.hamming_scan_loops"

WORDS_PER_THREAD = 1 << 17
"""Words that are worth a thread of their own: reading them takes about as long as waking it, some 0.1 ms."""

_KEYS_AT_ONCE = 1 << 21
"""Finds kept at once for a batch of queries (64 MB with the room to gather them); more queries go in several turns."""


class NearestCodes(NamedTuple):
    """Results of a search, ordered by (distance, row).

    Attributes
    ----------
    distances : uint16 array, (q, found) or (found,)
        Hamming distances, in bits.
    rows : int64 array, of the same shape
    """

    distances: npt.NDArray[np.uint16]
    rows: npt.NDArray[np.int64]


def nearest_by_hamming(
    planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask = None, threads: int = 0
) -> NearestCodes:
    """Find the k nearest codes of each query.

    Parameters
    ----------
    planes : uint64 array, (words, n)
        Codes as :func:`twinlens.core.hashing.packed_codes.planar` lays them out; may be a part of the columns,
        read-only, or memory-mapped.
    queries : uint64 array, (q, words)
        ``planar(codes).T``: one query a row.
    k : int
        How many; any number from 0.
    mask : bool array, (n,), optional
        False for rows that may not be found: the results are the k nearest of the others.
    threads : int
        At most so many; 0 for one per processor this program may use. The results do not depend on it.

    Returns
    -------
    NearestCodes
        Both arrays (q, k'), k' the smaller of k and the number of rows that may be found.

    Raises
    ------
    ValueError
        If the shapes do not fit together or k is negative.
    """
    planes, queries, mask = _checked(planes, queries, mask)
    words, n = planes.shape
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    k = min(k, n if mask is None else int(np.count_nonzero(mask)))
    if k == 0 or len(queries) == 0:
        return NearestCodes(np.empty((len(queries), k), np.uint16), np.empty((len(queries), k), np.int64))
    keys = np.empty((len(queries), k), np.int64)
    turn = max(1, _KEYS_AT_ONCE // k)
    for first in range(0, len(queries), turn):
        batch = queries[first : first + turn]
        find = _compiled_nearest_keys if compilation.worth(words * n * len(batch)) else _nearest_keys
        count = _worthwhile(threads, words * n * len(batch))
        by_rows = words * n >= count * WORDS_PER_THREAD
        if by_rows:
            parts = [(planes, batch, k, mask, rows) for rows in _cut(n, count)]
        else:
            parts = [(planes, batch[some], k, mask, slice(0, n)) for some in _cut(len(batch), count)]
        found = _together(find, parts)
        everything = np.concatenate(found, axis=1 if by_rows else 0)
        everything.sort(axis=1)
        keys[first : first + turn] = everything[:, :k]
    return _neighbours(keys)


def within_hamming(
    planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask = None, threads: int = 0
) -> NearestCodes:
    """Find every code at most a distance from the query.

    Parameters
    ----------
    planes, mask, threads
        As in :func:`nearest_by_hamming`.
    query : uint64 array, (words,)
    radius : int
        The largest distance that counts, in bits; below 0 nothing does.

    Returns
    -------
    NearestCodes
        Both arrays (found,).

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """
    planes, queries, mask = _checked(planes, query[None], mask)
    words, n = planes.shape
    radius = max(-1, min(radius, 64 * words))
    find = _compiled_within_keys if compilation.worth(words * n) else _within_keys
    cuts = _cut(n, _worthwhile(threads, words * n))
    found = _together(find, [(planes, queries[0], radius, mask, rows) for rows in cuts])
    keys = np.concatenate(found)
    keys.sort()
    return _neighbours(keys)


def _checked(
    planes: UInt64Words, queries: UInt64Words, mask: OptionalMask
) -> tuple[UInt64Words, UInt64Words, OptionalMask]:
    if planes.ndim != 2 or planes.dtype != np.uint64:
        raise ValueError(f"planar codes must be uint64 (words, n), not {planes.dtype} {planes.shape}")
    if queries.ndim != 2 or queries.dtype != np.uint64 or queries.shape[1] != len(planes):
        raise ValueError(f"queries must be uint64 (q, {len(planes)}), not {queries.dtype} {queries.shape}")
    if mask is not None and (mask.shape != planes.shape[1:] or mask.dtype != np.bool_):
        raise ValueError(f"the mask must be bool ({planes.shape[1]},), not {mask.dtype} {mask.shape}")
    return np.asarray(planes), np.ascontiguousarray(queries), mask


def _neighbours(keys: Keys) -> NearestCodes:
    return NearestCodes((keys >> ROW_BITS).astype(np.uint16), keys & ((1 << ROW_BITS) - 1))


def _worthwhile(threads: int, words: int) -> int:
    """Return the number of threads worth using for a scan of so many words."""
    return max(1, min(threads or system.processors(), words // WORDS_PER_THREAD))


def _cut(n: int, parts: int) -> list[slice]:
    """Cut 0 to n into so many parts, none empty; at least one part."""
    parts = max(1, min(parts, n))
    ends = [n * i // parts for i in range(parts + 1)]
    return [slice(start, stop) for start, stop in itertools.pairwise(ends)]


class _Threads:
    """Threads that wait for scans: starting one takes as long as scanning 100,000 codes."""

    def __init__(self) -> None:
        self.pool: ThreadPoolExecutor | None = None

    def __call__(self) -> ThreadPoolExecutor:
        if self.pool is None:
            self.pool = ThreadPoolExecutor(system.processors(), thread_name_prefix="scan")
        return self.pool

    def forget(self) -> None:
        """After a fork the child has none of its parent's threads."""
        self.pool = None


_threads = _Threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)


def _together(find: Callable[..., Keys], parts: Sequence[tuple[Any, ...]]) -> list[Keys]:
    """Call for every part at the same time, the first in this thread."""
    others = [_threads().submit(find, *part) for part in parts[1:]]
    return [find(*parts[0]), *(other.result() for other in others)]


_BLOCK_WORDS = 1 << 14
"""Words of a block of the compiled loops, 128 KB: it stays in the cache while queries of a batch take turns at it."""

_ROOM = 1024
"""Room for candidates beyond twice k before they are thinned out."""


def _compiled_nearest_keys(planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask, rows: slice) -> Keys:
    """Do what :func:`_nearest_keys` does, with compiled loops."""
    codes, stride = _run(planes)
    room = max(k, min(rows.stop - rows.start, 2 * k + _ROOM))
    keys = np.empty((len(queries), room), np.int64)
    block = _block(len(planes))
    compilation.loops(_LOOPS).nearest(codes, stride, rows.start, rows.stop, queries, k, _flags(mask), block, keys)
    return keys[:, :k]


def _compiled_within_keys(
    planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask, rows: slice
) -> Keys:
    """Do what :func:`_within_keys` does, with compiled loops."""
    codes, stride = _run(planes)
    block = _block(len(planes))
    keys: Keys = compilation.loops(_LOOPS).within(
        codes, stride, rows.start, rows.stop, query, radius, _flags(mask), block
    )
    return keys


def _run(planes: UInt64Words) -> tuple[UInt64Words, int]:
    """Return planar codes as one run of words, without copying, and the distance of a code's words in it."""
    words, n = planes.shape
    if words == 1:
        return np.ascontiguousarray(planes[0]), n
    apart, step = planes.strides
    if step != planes.itemsize or apart < n * step or apart % step:
        planes = np.ascontiguousarray(planes)
        apart = planes.strides[0]
    stride = apart // planes.itemsize
    length = (words - 1) * stride + n
    return np.lib.stride_tricks.as_strided(planes, (length,), (planes.itemsize,), writeable=False), stride


def _flags(mask: OptionalMask) -> npt.NDArray[np.uint8]:
    return np.empty(0, np.uint8) if mask is None else np.ascontiguousarray(mask).view(np.uint8)


def _block(words: int) -> int:
    return max(512, min(2048, _BLOCK_WORDS // words))


_PLAIN_BLOCK = 16_384
"""Rows whose distances numpy computes at once: small enough for the cache, large enough that calls cost little."""


def _nearest_keys(planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask, rows: slice) -> Keys:
    """Find the k nearest rows of a range for every query: their keys in no order, (q, k), padded with ``NOTHING``."""
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


def _within_keys(planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask, rows: slice) -> Keys:
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
    for first in range(rows.start, rows.stop, _PLAIN_BLOCK):
        here = slice(first, min(first + _PLAIN_BLOCK, rows.stop))
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


def nearest_of(
    planes: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64], rows: npt.NDArray[np.integer[Any]], k: int
) -> NearestCodes:
    """Find the k nearest of some rows.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    code : uint64 array, (words,)
    rows : integer array, (c,)
        Which rows, each once, in any order.
    k : int
        How many at most.

    Returns
    -------
    NearestCodes
        Both arrays (k',), ordered by (distance, row); k' the smaller of k and c.

    Examples
    --------
    >>> import numpy as np
    >>> nearest_of(np.array([[7, 1, 0, 3]], np.uint64), np.array([1], np.uint64), np.array([3, 0, 1]), 2).rows
    array([1, 3])
    """
    distances = np.zeros(len(rows), np.int64)
    for word, wanted in zip(planes, code, strict=True):
        distances += np.bitwise_count(word[rows] ^ wanted)
    keys = (distances << ROW_BITS) | rows
    if k < len(keys):
        keys.partition(max(k - 1, 0))
    keys = keys[:k]
    keys.sort()
    return NearestCodes((keys >> ROW_BITS).astype(np.uint16), keys & ((1 << ROW_BITS) - 1))


_BLOCK_BYTES = 1 << 26
"""Bytes of codes that are read at once; two blocks are held, one being read while the other is scanned."""


def nearest_mapped(
    codes: Bytes, queries: UInt64Words, k: int, progress: Progress = silent, threads: int = 0, block: int = 0
) -> NearestCodes:
    """Find the k nearest codes of each query, reading the codes once.

    Parameters
    ----------
    codes : ndarray of uint8, (n, bytes)
        Packed codes, usually memory-mapped (``numpy.load(file, mmap_mode="r")``).
    queries : ndarray of uint64, (q, words)
        ``planar(codes).T``: one query a row.
    k : int
        How many.
    progress : Progress
        May raise ``Cancelled``.
    threads : int
        As in :func:`twinlens.core.search.hamming_scan.nearest_by_hamming`.
    block : int
        Rows at once; 0 for about 64 MB. The results do not depend on it.

    Returns
    -------
    NearestCodes
        As of :func:`twinlens.core.search.hamming_scan.nearest_by_hamming`, ordered by (distance, row).
    """
    n, width = codes.shape
    block = block or max(1, _BLOCK_BYTES // max(1, width))
    best = NearestCodes(np.empty((len(queries), 0), np.uint16), np.empty((len(queries), 0), np.int64))
    for start, planes in _planar_blocks(codes, block):
        progress(start, n, Message("Comparing {n} codes", n=n))
        found = nearest_by_hamming(planes, queries, k, threads=threads)
        best = _merged(best, NearestCodes(found.distances, found.rows + start), k)
    return best


def _planar_blocks(codes: Bytes, block: int) -> Iterator[tuple[int, UInt64Words]]:
    """Lay out block after block, the next one while the one before is in use."""
    starts = range(0, len(codes), block)

    def laid_out(start: int) -> UInt64Words:
        return planar(codes[start : start + block])

    with ThreadPoolExecutor(1, thread_name_prefix="codes") as ahead:
        coming = [ahead.submit(laid_out, starts[0])] if starts else []
        for start in starts:
            planes = coming.pop().result()
            if start + block < len(codes):
                coming.append(ahead.submit(laid_out, start + block))
            yield start, planes


def _merged(one: NearestCodes, other: NearestCodes, k: int) -> NearestCodes:
    """Return the first k of two finds; the rows of the second are all higher."""
    distances = np.concatenate([one.distances, other.distances], axis=1)
    rows: npt.NDArray[np.int64] = np.concatenate([one.rows, other.rows], axis=1)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return NearestCodes(np.take_along_axis(distances, order, 1), np.take_along_axis(rows, order, 1))
