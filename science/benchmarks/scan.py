"""The Hamming scan, as the application calls it, beside faiss and beside reading the codes once."""

from __future__ import annotations

import itertools
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT

K = 100
QUERIES = 100
CORES = 2
"""Threads of the lines that say so: the same for both peers."""


def codes(n: int, bits: int) -> npt.NDArray[np.uint8]:
    """Make codes such as photographs have: clusters of many sizes, an eighth of the bits differing within one."""
    rng = np.random.default_rng(1)
    words = bits // 64
    centres = rng.integers(0, 2**64, (1_000, words), dtype=np.uint64)
    made = np.empty((n, words), np.uint64)
    for start in range(0, n, 1 << 20):
        block = made[start : start + (1 << 20)]
        cluster = (1_000 * rng.random(len(block)) ** 2).astype(np.intp)
        flipped = np.full(block.shape, ~np.uint64(0))
        for _ in range(3):
            flipped &= rng.integers(0, 2**64, block.shape, dtype=np.uint64)
        block[:] = centres[cluster] ^ flipped
    return made.view(np.uint8)


def queries(base: npt.NDArray[np.uint8], q: int) -> npt.NDArray[np.uint8]:
    """Choose codes of the base and change them a little."""
    rng = np.random.default_rng(2)
    chosen = base[rng.integers(0, len(base), q)]
    return chosen ^ np.packbits(rng.random((q, base.shape[1] * 8)) < 0.05, axis=1)


def ours(n: int, bits: int, q: int, threads: int) -> Run:
    """Search with :func:`twinlens.core.search.hamming_scan.nearest_by_hamming`."""
    from twinlens.core.compilation import compilation
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search import hamming_scan

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the scan cannot be compiled here")
    base = codes(n, bits)
    planes, asked = planar(base), np.ascontiguousarray(planar(queries(base, QUERIES)).T)
    return _in_turn(lambda some: hamming_scan.nearest_by_hamming(planes, some, K, threads=threads), asked, q)


def faiss_flat(n: int, bits: int, q: int, threads: int) -> Run:
    """Search with faiss's exact binary index, with as many threads, or one where that is faster."""
    import faiss

    base = codes(n, bits)
    index = faiss.IndexBinaryFlat(bits)
    index.add(base)
    search = _in_turn(lambda some: index.search(some, K), queries(base, QUERIES), q)

    def best_time(count: int) -> float:
        faiss.omp_set_num_threads(count)
        return min(timeit.repeat(search, number=1, repeat=6))

    # On a machine that is busy, its threads spend most of their time waiting for each other.
    faiss.omp_set_num_threads(min({1, threads}, key=best_time))
    return search


def _in_turn(search: Callable[[Any], object], asked: npt.NDArray[Any], q: int) -> Run:
    """Ask q queries a call, others each time."""
    batches = itertools.cycle([asked[i : i + q] for i in range(0, len(asked), q)])
    return lambda: search(next(batches))


def reading(n: int, bits: int, threads: int) -> Run:
    """Read the codes once and add them up, in as many threads: what no scan can undercut by much."""
    import numba

    total = numba.njit(_total, nogil=True)
    words = codes(n, bits).view(np.uint64).reshape(-1)
    parts = np.array_split(words, threads)
    total(parts[0])
    if threads == 1:
        return lambda: total(parts[0])
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(total, parts))


def _total(words: npt.NDArray[np.uint64]) -> Any:
    total = np.uint64(0)
    for i in range(words.size):
        total += words[i]
    return total


def comparisons(quick: bool) -> list[SpeedComparison]:
    """Every line of the table; a quick run leaves out the large ones."""
    lines: list[SpeedComparison] = []

    def line(n: int, bits: int, q: int, threads: int, against: str, must: float, stretch: float) -> None:
        asked = "one query" if q == 1 else f"{q} queries"
        name = f"top-{K} of {n / 1e6:g}M x {bits} bits, {asked}, {threads} thread{'s' if threads > 1 else ''}"
        data = {"n": n, "bits": bits, "threads": threads}
        peer = Peer(reading, data) if against == "reading once" else Peer(faiss_flat, {**data, "q": q}, threads)
        rounds = 7 if quick else 21 if q == 1 else 11
        # One thread's processor time is hardly disturbed by what else the machine does.
        figure = "cpu" if threads == 1 else "wall"
        seconds = (8 if q == 1 else 20) * (4 if n > 1_000_000 else 1)
        mine = Peer(ours, {**data, "q": q})
        lines.append(SpeedComparison(name, against, mine, peer, must, stretch, figure, rounds=rounds, seconds=seconds))

    for n in (1_000_000,) if quick else (1_000_000, 10_000_000):
        for threads in (1, CORES):
            line(n, 256, 1, threads, "reading once", 0.6, 0.8)
            line(n, 256, 1, threads, "faiss", 1.5, 2.0)
        line(n, 256, QUERIES, 1, "faiss", 1.5, 2.2)
    for bits in (64, 128, 512, 1024):
        for threads in (1, CORES):
            line(1_000_000, bits, 1, threads, "faiss", 1.0, 1.2)
        line(1_000_000, bits, QUERIES, 1, "faiss", 1.0, 1.2)
    return lines
