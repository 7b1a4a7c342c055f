"""Exact search of packed codes: the k nearest, or all within a distance, always ordered by (distance, row).

A scan compares the query with all codes, with some rows that a search structure chose, or, block by block, with an
array on disk, at the speed at which memory is read. The loops are compiled in the background
(:mod:`core.compilation.compilation`); until they are ready, and where they cannot be, numpy gives the same results.

Examples
--------
>>> import numpy as np
>>> from core.hashing.packed_codes import pack_bits, planar
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

from core.arrays import OptionalMask, UInt64Words
from core.compilation import compilation
from core.hashing.packed_codes import Bytes, planar
from core.message import Message
from core.progress import Progress, silent
from core.search.hamming import hamming_scan_compiled, hamming_scan_plain
from core.search.hamming.hamming_scan_plain import ROW_BITS, Keys
from core.systems import system

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
        Codes as :func:`core.hashing.packed_codes.planar` lays them out; may be a part of the columns, read-only, or
        memory-mapped.
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
        finder = hamming_scan_compiled if compilation.worth(words * n * len(batch)) else hamming_scan_plain
        count = _worthwhile(threads, words * n * len(batch))
        by_rows = words * n >= count * WORDS_PER_THREAD
        if by_rows:
            parts = [(planes, batch, k, mask, rows) for rows in _cut(n, count)]
        else:
            parts = [(planes, batch[some], k, mask, slice(0, n)) for some in _cut(len(batch), count)]
        found = _together(finder.nearest_keys, parts)
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
    finder = hamming_scan_compiled if compilation.worth(words * n) else hamming_scan_plain
    cuts = _cut(n, _worthwhile(threads, words * n))
    found = _together(finder.within_keys, [(planes, queries[0], radius, mask, rows) for rows in cuts])
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
        As in :func:`core.search.hamming.hamming_scan.nearest_by_hamming`.
    block : int
        Rows at once; 0 for about 64 MB. The results do not depend on it.

    Returns
    -------
    NearestCodes
        As of :func:`core.search.hamming.hamming_scan.nearest_by_hamming`, ordered by (distance, row).
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
