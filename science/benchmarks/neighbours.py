"""Exact neighbours of vectors: the truth of recall@R for many queries, and one query by codes and exact re-ranking."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT

D, K, QUERIES = 128, 100, 1_000
CANDIDATES = 1_000
BITS = 256
_ASKED = 100


def vectors(n: int, queries: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Make vectors like SIFT's: whole numbers from 0 to 218, in clusters of many sizes; queries are more of them.

    Their variance falls along the principal components, and near neighbours stand out, as those of 200,000 SIFT vectors
    of photographs do: the first 8, 16, 32 and 64 components hold .51, .67, .82 and .92 of it (SIFT .51, .67, .82, .94),
    and of 100,000 the 100th neighbour is 2.3 times nearer than the mean, squared (SIFT 2.8).
    """
    rng = np.random.default_rng(1)
    scale = (1 + np.arange(D) / 6) ** -0.85
    turn = np.linalg.qr(rng.standard_normal((D, D)))[0].astype(np.float32)
    centres = scale * rng.standard_normal((2_000, D))
    made = np.empty((n + queries, D), np.float32)
    for start in range(0, len(made), 1 << 16):
        block = made[start : start + (1 << 16)]
        cluster = (len(centres) * rng.random(len(block)) ** 2).astype(np.intp)
        spread = 0.7 * scale * rng.gamma(16, 1 / 16, (len(block), 1))
        turned = (centres[cluster] + spread * rng.standard_normal(block.shape)).astype(np.float32) @ turn
        block[:] = np.rint(np.clip(28 + 60 * turned, 0, 218))
    return made[:n], made[n:]


def truth(n: int) -> Run:
    """Find the truth as ``bench`` does."""
    from twinlens.core.compilation import compilation
    from twinlens.core.evaluation.truth import Euclidean, true_neighbours

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("loops cannot be compiled here")
    base, queries = vectors(n, QUERIES)
    return lambda: true_neighbours(Euclidean(), base, queries, K)


def faiss_batch(n: int) -> Run:
    """Search with faiss's exact index, by its matrix products."""
    import faiss

    faiss.cvar.distance_compute_blas_threshold = 20
    base, queries = vectors(n, QUERIES)
    index = faiss.IndexFlatL2(D)
    index.add(base)
    return lambda: index.search(queries, K)


def by_codes(n: int) -> Run:
    """Search one query: encode, scan codes, measure the nearest exactly; the overlap with the truth is said."""
    from twinlens.core.compilation import compilation
    from twinlens.core.evaluation.truth import Euclidean, true_neighbours
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.methods.lsh import Lsh
    from twinlens.core.search import hamming_scan

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the scan cannot be compiled here")
    base, queries = vectors(n, _ASKED)
    encoder, distance = Lsh(bits=BITS).fit(base[:20_000]), Euclidean()
    planes = planar(encoder.encode(base))

    def search(query: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        code = planar(encoder.encode(query[None])).T
        rows = np.sort(
            hamming_scan.nearest_by_hamming(planes, np.ascontiguousarray(code), CANDIDATES, threads=1).rows[0]
        )
        far = distance.exactly(query, base[rows])
        return np.asarray(rows[np.lexsort((rows, far))[:K]])

    true = true_neighbours(distance, base, queries, 10)
    found = [np.isin(rows, search(query)[:10]).mean() for rows, query in zip(true.rows, queries, strict=True)]
    overlap = float(np.mean(found))
    turns = itertools.cycle(queries)

    def run() -> dict[str, float]:
        search(next(turns))
        return {"share": overlap}

    return run


def exact_one(n: int) -> Run:
    """Search one query exactly: vectors of eight bits choose, the distance decides."""
    from twinlens.core.compilation import compilation
    from twinlens.core.evaluation.truth import Euclidean
    from twinlens.core.exact_search.eight_bit_vectors import RoundedTable

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("loops cannot be compiled here")
    base, queries = vectors(n, _ASKED)
    table, distance = RoundedTable.of(lambda rows: base[rows], n, D).vectors(), Euclidean()
    turns = itertools.cycle(queries)

    def run() -> dict[str, float]:
        query = next(turns)
        table.nearest(query, K, lambda rows: distance.exactly(query, base.take(rows, axis=0)))
        return {}

    return run


def faiss_single(n: int) -> Run:
    """Search one query with faiss's exact index."""
    import faiss

    base, queries = vectors(n, _ASKED)
    index = faiss.IndexFlatL2(D)
    index.add(base)
    turns = itertools.cycle(queries)

    def run() -> dict[str, float]:
        index.search(next(turns)[None], K)
        return {"share": 1.0}

    return run


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    n = 100_000 if quick else 1_000_000
    rounds = 5 if quick else 7
    for figure, threads in (("cpu", 1), ("wall", 2)):
        yield SpeedComparison(
            f"exact first {K} of {n:,} x {D} for {QUERIES:,} queries, {threads} thread{'s' if threads > 1 else ''}",
            "faiss IndexFlatL2, BLAS from 20 queries",
            Peer(truth, {"n": n}, threads),
            Peer(faiss_batch, {"n": n}, threads),
            must=1.5,
            stretch=3.0,
            figure=figure,
            rounds=rounds,
            seconds=10 + n / 12_000,
        )
    for some in (10_000, 100_000):
        if some < n:
            yield SpeedComparison(
                f"exact first {K} of {some:,} x {D} for {QUERIES:,} queries, 1 thread",
                "faiss IndexFlatL2, BLAS from 20 queries",
                Peer(truth, {"n": some}, 1),
                Peer(faiss_batch, {"n": some}, 1),
                must=1.5,
                stretch=3.0,
                figure="cpu",
                rounds=rounds,
                seconds=10 + some / 12_000,
            )
    for some in dict.fromkeys((1_000, 10_000, 40_000, n)):
        yield SpeedComparison(
            f"exact first {K} of {some:,} x {D} for one query, 1 thread",
            "faiss IndexFlatL2",
            Peer(exact_one, {"n": some}, 1),
            Peer(faiss_single, {"n": some}, 1),
            must=0.67,
            stretch=1.0,
            figure="cpu",
            rounds=21,
            seconds=10 + some / 20_000,
        )
    for figure, must, stretch in (("cpu", 6.0, 9.0), ("share", 0.95, 0.976)):
        what = "one query" if figure == "cpu" else "overlap@10"
        yield SpeedComparison(
            f"{what}, {BITS} bits and {CANDIDATES:,} measured exactly, of {n:,} x {D}, 1 thread",
            "faiss IndexFlatL2",
            Peer(by_codes, {"n": n}, 1),
            Peer(faiss_single, {"n": n}, 1),
            must=must,
            stretch=stretch,
            figure=figure,
            rounds=21,
            seconds=10 + n / 20_000,
        )
