"""Cost and recall of the search structures beside the scan, and the gain of an asymmetric distance over plain codes.

Times are processor times of one thread. Structures give the first 100 of clustered codes; candidates of vectors are
ranked exactly.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.peer import ROOT
from science.benchmarks.scan import QUERIES, K, codes, queries
from twinlens.core.arrays import Float32Vectors

N, QUICK_N = 1_000_000, 100_000
BITS = 256
BUILD_S = {"grouped": 3.0, "buckets": 3.0, "multi-index": 5.0, "ivf": 12.0, "permuted": 60.0}
"""Processor time that building may take for a million codes, in seconds."""

VECTORS, QUICK_VECTORS, DIMENSIONS = 200_000, 50_000, 64
ASYMMETRIC_BITS = 128


def _compiled() -> None:
    from twinlens.core.compilation import compilation

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the loops cannot be compiled here")


# ---- structures ------------------------------------------------------------------------------------------------------


def structure(search: str, n: int, build_s: float = 0.0) -> Run:
    """Ask one query a call; of all of them say the overlap with the truth and the codes compared, and what building
    took, or ``build_s`` where that is given as the limit.
    """
    from twinlens.core.declaration.declaration import read_declaration
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search import SEARCHES, hamming_scan

    _compiled()
    base = codes(n, BITS)
    planes, asked = planar(base), np.ascontiguousarray(planar(queries(base, QUERIES)).T)
    del base
    began = time.process_time()
    built = read_declaration(SEARCHES, search).build(planes, BITS)
    took = build_s or time.process_time() - began
    true = hamming_scan.nearest_by_hamming(planes, asked, 10)
    overlaps, scanned = [], 0
    for code, far in zip(asked, true.distances, strict=True):
        found = built.candidates(code, K)
        overlaps.append(np.count_nonzero(found.distances[:10] <= far[-1]) / 10)
        scanned += found.scanned
    figures = {"share": float(np.mean(overlaps)), "worst": min(overlaps), "codes": scanned / QUERIES, "build": took}
    turns = itertools.cycle(asked)

    def run() -> dict[str, float]:
        built.candidates(next(turns), K)
        return figures

    return run


def faiss_lists(n: int) -> Run:
    """Ask faiss's inverted file of as many lists one query a call, in one thread; say the overlap with the truth.

    It visits the fewest lists that find as much as ours, to a tenth.
    """
    import faiss

    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search.inverted_file import InvertedFile

    _compiled()
    faiss.omp_set_num_threads(1)
    base = codes(n, BITS)
    asked = queries(base, QUERIES)
    flat = faiss.IndexBinaryFlat(BITS)
    flat.add(base)
    far, _ = flat.search(asked, K)
    built = InvertedFile().build(planar(base), BITS)
    by_ours = (built.candidates(code, K).distances for code in np.ascontiguousarray(planar(asked).T))
    wanted = np.mean([found <= own[-1] for found, own in zip(by_ours, far, strict=True)])
    lists = InvertedFile().lists_for(n)
    index: Any = faiss.index_binary_factory(BITS, f"BIVF{lists}")
    index.train(base[: 32 * lists])
    index.add(base)
    for probes in range(1, lists + 1):
        if probes > 10 and probes % (probes // 10):
            continue
        index.nprobe = probes
        near, _ = index.search(asked, K)
        if (near <= far[:, -1:]).mean() >= wanted:
            break
    overlaps = (near[:, :10] <= far[:, 9:10]).mean(axis=1)
    figures = {"share": float(overlaps.mean()), "worst": float(overlaps.min())}
    turns = itertools.cycle(asked[:, None])

    def run() -> dict[str, float]:
        index.search(next(turns), K)
        return figures

    return run


# ---- the asymmetric distance -----------------------------------------------------------------------------------------


def vectors(n: int) -> tuple[Float32Vectors, Float32Vectors]:
    """Make clustered vectors, and queries near some of them."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((500, DIMENSIONS), np.float32)
    cluster = (len(centres) * rng.random(n) ** 2).astype(np.intp)
    base = centres[cluster] + 0.5 * rng.standard_normal((n, DIMENSIONS), np.float32)
    asked = base[rng.choice(n, QUERIES, replace=False)]
    return base, asked + np.float32(0.2) * rng.standard_normal(asked.shape, np.float32)


def by_codes(n: int, candidates: int, asymmetric: bool) -> Run:
    """Ask one query a call by lsh codes, the candidates measured exactly; say the overlap with the truth."""
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.methods.lsh import Lsh
    from twinlens.core.search.linear_scan import Scan
    from twinlens.core.search.search_structure import encode_queries, find_candidates, needs_projections

    _compiled()
    base, asked = vectors(n)
    encoder = Lsh(bits=ASYMMETRIC_BITS).fit(base[:20_000])
    search = Scan(candidates=candidates, asymmetric=asymmetric)
    built = search.build(planar(encoder.encode(base)), ASYMMETRIC_BITS)

    def ranked(query: Float32Vectors, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        far = np.square(base[rows] - query).sum(axis=1)
        return rows[np.argsort(far, kind="stable")[:10]]

    def ask(query: Float32Vectors) -> npt.NDArray[np.int64]:
        return ranked(
            query,
            find_candidates(
                search, built, n, encode_queries(encoder, query[None], needs_projections(search))[0], 10
            ).rows,
        )

    everything = np.arange(n)
    overlap = float(np.mean([np.isin(ranked(query, everything), ask(query)).mean() for query in asked]))
    turns = itertools.cycle(asked)

    def run() -> dict[str, float]:
        ask(next(turns))
        return {"share": overlap}

    return run


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines; those of one structure are measured together."""
    from twinlens.app.duplicates.comparing.picture_space import LISTED_FROM

    rounds = 5 if quick else 9
    exact = {"grouped", "multi-index"}
    for search, build_s in BUILD_S.items():
        n = LISTED_FROM if quick and search == "ivf" else QUICK_N if quick else N
        limit_s = build_s * max(n / N, 0.2)
        peers = (
            Peer(structure, {"search": search, "n": n}, 1),
            Peer(structure, {"search": "scan", "n": n, "build_s": limit_s}, 1),
        )
        seconds = {"permuted": 100.0, "multi-index": 20.0}.get(search, 12.0) * (0.3 if quick else 1)
        least = 0.999 if search in exact else 0.6
        # Those that prove their answer may cost somewhat more than the scan; those that may miss must be faster.
        most = 1.4 if search in exact else 1.0
        for what, against, figure, must, stretch, at_most in (
            ("one query, 1 thread", "the scan", "cpu", most, most / 2, True),
            (
                "codes looked at",
                "all codes",
                "codes",
                1.1 if search in exact else 0.05,
                1.0 if search in exact else 0.01,
                True,
            ),
            ("overlap@10", "the scan", "share", least, 0.999 if search in exact else 0.8, False),
            ("building", f"{limit_s:g} s", "build", 1.0, 0.5, True),
        ):
            yield SpeedComparison(
                f"{search}, {n:,} x {BITS} bits: {what}",
                against,
                *peers,
                must=must,
                stretch=stretch,
                figure=figure,
                at_most=at_most,
                rounds=rounds,
                seconds=seconds,
            )
    n = LISTED_FROM if quick else N
    ours = Peer(structure, {"search": "ivf", "n": n}, 1)
    theirs = Peer(faiss_lists, {"n": n}, 1)
    for what, figure, must, stretch, at_most in (
        ("one query, 1 thread", "cpu", 1.3, 1.0, True),
        ("overlap@10", "share", 0.995, 1.0, False),
        ("overlap@10 of the worst query", "worst", 0.9, 1.0, False),
    ):
        yield SpeedComparison(
            f"ivf, {n:,} x {BITS} bits: {what}",
            "faiss, lists that find as much",
            ours,
            theirs,
            must=must,
            stretch=stretch,
            figure=figure,
            at_most=at_most,
            rounds=rounds,
            seconds=30 * (0.3 if quick else 1),
        )
    n = QUICK_VECTORS if quick else VECTORS
    for candidates in (50, 200):
        given = {"n": n, "candidates": candidates}
        for what, figure, must, stretch in (
            ("overlap@10", "share", 1.0, 1.05),
            ("one query, 1 thread", "cpu", 3.0, 1.5),
        ):
            yield SpeedComparison(
                f"asymmetric, lsh {ASYMMETRIC_BITS} bits, {candidates} candidates of {n:,}: {what}",
                "the same, plain",
                Peer(by_codes, {**given, "asymmetric": True}, 1),
                Peer(by_codes, {**given, "asymmetric": False}, 1),
                must=must,
                stretch=stretch,
                figure=figure,
                at_most=figure == "cpu",
                rounds=rounds,
                seconds=12,
            )
