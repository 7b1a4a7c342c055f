"""Searching codes that need not fit into memory: a scan, block by block, of an array on disk."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from core.arrays import UInt64Words
from core.hashing.packed_codes import Bytes, planar
from core.message import Message
from core.progress import Progress, silent
from core.search.hamming.hamming_scan import NearestCodes, nearest_by_hamming

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
        Rows at once; 0 for about 64 MB. The answer does not depend on it.

    Returns
    -------
    Neighbours
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
