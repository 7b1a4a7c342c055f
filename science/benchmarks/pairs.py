"""All pairs of near codes, as duplicates are found, against a limit and against comparing all with all."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT
from science.benchmarks.scan import codes

N, QUICK_N = 500_000, 100_000
BITS, RADIUS = 256, 25
LIMIT_S, LIMIT_BYTES = 60.0, 1e9
_COMPARED = 2_000
"""Codes that stand for all on the side that compares all with all; what they take is scaled."""


def library(n: int) -> npt.NDArray[np.uint64]:
    """Make planar codes of clusters, of which every tenth is a near copy of another, some bits of it differing."""
    from twinlens.core.hashing.packed_codes import planar

    made = codes(n, BITS)
    rng = np.random.default_rng(3)
    copies = np.arange(0, n, 10)
    flips = np.packbits(rng.random((len(copies), BITS)) < 0.04, axis=1)
    made[copies] = made[rng.integers(0, n, len(copies))] ^ flips
    return planar(made)


def _compiled() -> None:
    from twinlens.core.compilation import compilation

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the loops cannot be compiled here")


def ours(n: int, threads: int) -> Run:
    """Find all pairs, and say the most memory that the process ever held."""
    from resource import RUSAGE_SELF, getrusage  # where there is such a thing; it counts kilobytes on Linux

    from twinlens.core.search.pairs.code_pairs import pairs_within

    _compiled()
    planes = library(n)

    def run() -> dict[str, float]:
        found = sum(len(some.first) for some in pairs_within(planes, RADIUS, BITS, threads=threads))
        assert found >= n // 20, found
        return {"memory": 1024.0 * getrusage(RUSAGE_SELF).ru_maxrss}

    return run


def all_with_all(n: int) -> Run:
    """Compare some codes with all by the compiled scan, and say what all would take, each pair once."""
    from twinlens.core.search.hamming_scan import within_hamming

    _compiled()
    planes = library(n)
    some = np.ascontiguousarray(planes[:, np.random.default_rng(4).choice(n, _COMPARED, replace=False)].T)

    def run() -> dict[str, float]:
        began = time.process_time()
        for code in some:
            assert len(within_hamming(planes, code, RADIUS, threads=1).rows)
        return {"cpu": (time.process_time() - began) * n / _COMPARED / 2}

    return run


def limit() -> Run:
    """Return the limits."""
    return lambda: {"wall": LIMIT_S, "memory": LIMIT_BYTES}


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    n = QUICK_N if quick else N
    what = f"all pairs of {n:,} x {BITS} bits within {RADIUS}"
    seconds = 12 if quick else 45
    two = Peer(ours, {"n": n, "threads": 2}, warm_up=False), Peer(limit, warm_up=False)
    yield SpeedComparison(f"{what}, 2 threads", "60 s", *two, 1.0, 0.5, "wall", True, 1, seconds)
    yield SpeedComparison(f"{what}: memory of the process", "1 GB", *two, 1.0, 0.5, "memory", True, 1, seconds)
    one = Peer(ours, {"n": n, "threads": 1}, 1, warm_up=False), Peer(all_with_all, {"n": n}, 1, warm_up=False)
    yield SpeedComparison(f"{what}, 1 thread", "all with all", *one, 3.0, 10.0, "cpu", False, 1, seconds)
