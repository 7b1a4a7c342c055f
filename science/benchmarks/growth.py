"""Growth of a search's cost with the number of codes, their bits, the cores and k; then commands and duplicates.

Each line stands beside the line before, in proportion: ten times the codes against ten searches of a tenth of them,
twice the bits against two searches with half of them. Times are processor times of one thread, which a busy machine
hardly changes, except where cores are counted. A hundred million codes are made block by block in a temporary file of
3.2 GB, which is deleted after the measurement, and lies in the system's cache of files, memory permitting.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from science.benchmarks import commands, comparing
from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable
from science.benchmarks.peer import ROOT
from science.benchmarks.scan import QUERIES, K, codes, queries, reading

BITS = 256
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
WIDTHS = (64, 128, 256, 512, 1_024)
FIRSTS = (1, 10, 100, 1_000, 10_000)
MAPPED, QUICK_MAPPED = 100_000_000, 10_000_000
_BLOCK = 1_000_000


def _compiled() -> None:
    from twinlens.core.compilation import compilation

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the scan cannot be compiled here")


def search(n: int, bits: int = BITS, k: int = K, q: int = 1, threads: int = 1, times: int = 1) -> Run:
    """Search q queries at once, so many times a call."""
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search import hamming_scan

    _compiled()
    base = codes(n, bits)
    asked = np.ascontiguousarray(planar(queries(base, QUERIES)).T)
    batches = itertools.cycle([asked[first : first + q] for first in range(0, QUERIES, q)])
    planes = planar(base)

    def run() -> None:
        for _ in range(times):
            hamming_scan.nearest_by_hamming(planes, next(batches), k, threads=threads)

    return run


def mapped(n: int, q: int, times: int = 1) -> Run:
    """Search a file of codes in blocks, so many times a call."""
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search.hamming_scan import nearest_mapped

    _compiled()
    place = tempfile.TemporaryDirectory()
    if shutil.disk_usage(place.name).free < 1.2 * n * BITS // 8:
        raise Unmeasurable(f"{n * BITS / 8e9:.1f} GB for its codes are not free in {place.name}")
    path = Path(place.name) / "codes.npy"
    made = np.lib.format.open_memmap(path, "w+", np.uint8, (n, BITS // 8))
    block = codes(_BLOCK, BITS)
    for start in range(0, n, _BLOCK):
        # Other codes, as far from each other: the same bits of all are flipped, and bytes change places.
        made[start : start + _BLOCK] = np.roll(block, start // _BLOCK, axis=1) ^ np.uint8(start // _BLOCK % 256)
    made.flush()
    del made
    base = np.load(path, mmap_mode="r")
    asked = np.ascontiguousarray(planar(queries(base[:_BLOCK], q)).T)

    def run(_: object = place) -> None:
        for _again in range(times):
            nearest_mapped(base, asked, K, threads=1)

    return run


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines: n, n beyond memory, bits, cores, k."""
    rounds = 5 if quick else 9
    sizes = SIZES[:3] if quick else SIZES
    for n in sizes[:2]:
        yield SpeedComparison(
            f"one query, {n:,} x {BITS} bits, 1 thread",
            "reading once",
            Peer(search, {"n": n}, 1),
            Peer(reading, {"n": n, "bits": BITS, "threads": 1}, 1),
            must=0.02,  # a tenth of a millisecond of Python beside a few thousandths
            stretch=0.1,
            figure="cpu",
            rounds=rounds,
            seconds=3,
        )
    for fewer, n in itertools.pairwise(sizes):
        yield SpeedComparison(
            f"one query, {n:,} x {BITS} bits, 1 thread",
            f"ten times one of {fewer:,}",
            Peer(search, {"n": n}, 1),
            Peer(search, {"n": fewer, "times": 10}, 1),
            must=1.5,  # beyond the processor's cache, memory is what takes the time
            stretch=1.1,
            figure="cpu",
            at_most=True,
            rounds=rounds,
            seconds=4 if n <= 1_000_000 else 15,
        )
    n = QUICK_MAPPED if quick else MAPPED
    for q in (1, QUERIES):
        asked = "one query" if q == 1 else f"{q} queries at once"
        yield SpeedComparison(
            f"{asked}, {n:,} x {BITS} bits mapped from a file, 1 thread",
            f"ten times {n // 10:,} mapped",
            Peer(mapped, {"n": n, "q": q}, 1, warm_up=False),
            Peer(mapped, {"n": n // 10, "q": q, "times": 10}, 1, warm_up=False),
            must=1.25,
            stretch=1.05,
            figure="cpu",
            at_most=True,
            rounds=3 if q == 1 else 1,
            seconds=n / 1e8 * (45 if q == 1 else 60) + 5,
        )
    yield SpeedComparison(
        f"{QUERIES} queries at once, {n:,} x {BITS} bits mapped from a file, 1 thread",
        f"ten times {n // 10:,} in memory",
        Peer(mapped, {"n": n, "q": QUERIES}, 1, warm_up=False),
        Peer(search, {"n": n // 10, "q": QUERIES, "times": 10}, 1, warm_up=False),
        must=1.5,
        stretch=1.15,
        figure="cpu",
        at_most=True,
        rounds=1,
        seconds=n / 1e8 * 60 + 5,
    )
    for bits, twice in itertools.pairwise(WIDTHS):
        yield SpeedComparison(
            f"one query, 1,000,000 x {twice:,} bits, 1 thread",
            f"two of {bits:,} bits",
            Peer(search, {"n": 1_000_000, "bits": twice}, 1),
            Peer(search, {"n": 1_000_000, "bits": bits, "times": 2}, 1),
            must=1.3,
            stretch=1.05,
            figure="cpu",
            at_most=True,
            rounds=rounds,
            seconds=7,
        )
    for q in (1, QUERIES):
        yield SpeedComparison(
            f"{'one query' if q == 1 else f'{q} queries at once'}, 1,000,000 x {BITS} bits, 2 threads",
            "1 thread",
            Peer(search, {"n": 1_000_000, "q": q, "threads": 2}, 2),
            Peer(search, {"n": 1_000_000, "q": q}, 1),
            must=1.5,
            stretch=1.8,
            rounds=rounds,
            seconds=5 if q == 1 else 10,
        )
    for k in FIRSTS[1:]:
        yield SpeedComparison(
            f"one query for the first {k:,} of 1,000,000 x {BITS} bits, 1 thread",
            "the first alone",
            Peer(search, {"n": 1_000_000, "k": k}, 1),
            Peer(search, {"n": 1_000_000, "k": FIRSTS[0]}, 1),
            must=3.0 if k > 1_000 else 1.5,
            stretch=2.0 if k > 1_000 else 1.15,
            figure="cpu",
            at_most=True,
            rounds=rounds,
            seconds=5,
        )
    yield from commands.comparisons(quick)
    yield from comparing.comparisons(quick)
