"""Nearest items by Euclidean distance, by other programs and by this one; each peer runs in its own process.

Each function makes an index of the vectors in a file and returns what is measured: one query a call. With the time come
the figures of all queries: ``share``, that of the exact first 10 that are among its first 10; bytes; seconds to build.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from science.benchmarks.comparison import Run
from science.benchmarks.peer import ROOT
from twinlens.core.arrays import Float32Matrix, Int64Rows

K, QUERIES, CANDIDATES = 10, 200, 100


def tables(base: str, queries: str) -> tuple[Float32Matrix, Float32Matrix]:
    """Read vectors, and those that ask."""
    read = (np.load(file, mmap_mode="r") for file in (base, queries))
    items, asked = (np.ascontiguousarray(table, np.float32) for table in read)
    return items, asked[:QUERIES]


def share(base: Float32Matrix, asked: Float32Matrix, search: Callable[[Float32Matrix], Int64Rows]) -> float:
    """Return the recall of the exact first 10; items as near as the tenth count as well."""
    total = 0.0
    squares = np.square(base, dtype=np.float64).sum(axis=1)
    for query in asked:
        far = squares - 2 * (base @ query).astype(np.float64)
        last = np.partition(far, K - 1)[K - 1]
        total += min(K, int(np.count_nonzero(far[search(query)] <= last + 1e-5 * abs(last)))) / K
    return total / len(asked)


def runs(
    base: Float32Matrix, asked: Float32Matrix, search: Callable[[Float32Matrix], Int64Rows], size: float, build: float
) -> Run:
    """Return what is measured."""
    figures = {"share": share(base, asked, search), "bytes": size, "build": build}
    turns = itertools.cycle(asked)

    def run() -> dict[str, float]:
        search(next(turns))
        return figures

    return run


# ---- faiss -----------------------------------------------------------------------------------------------------------


def _faiss(base: str, queries: str, make: Callable[[Any, int], Any], candidates: int = 0) -> Run:
    import faiss

    items, asked = tables(base, queries)
    began = time.process_time()
    index = make(faiss, items.shape[1])
    index.train(items)
    index.add(items)
    built = time.process_time() - began
    size = len(faiss.serialize_index(index))
    answering = index
    if candidates:  # the vectors are needed to rank by; they are counted for nobody
        answering = faiss.IndexRefineFlat(index, faiss.swig_ptr(items))
        answering.k_factor = candidates / K
    return runs(items, asked, lambda query: answering.search(query[None], K)[1][0], size, built)


def faiss_flat(base: str, queries: str) -> Run:
    """Scan all vectors exactly."""
    return _faiss(base, queries, lambda faiss, d: faiss.IndexFlatL2(d))


def faiss_lsh(base: str, queries: str, bits: int, candidates: int = CANDIDATES) -> Run:
    """Take signs of random projections, then the exact distance of the nearest."""
    return _faiss(base, queries, lambda faiss, d: faiss.IndexLSH(d, bits, True, True), candidates)


def faiss_itq(base: str, queries: str, bits: int, candidates: int = CANDIDATES) -> Run:
    """Take signs after PCA and ITQ, then the exact distance of the nearest."""

    def make(faiss: Any, d: int) -> Any:
        transform = faiss.ITQTransform(d, bits, True)
        codes = faiss.IndexLSH(bits, bits, False, False)
        return faiss.IndexPreTransform(transform, codes)

    return _faiss(base, queries, make, candidates)


def faiss_hnsw(base: str, queries: str, links: int, depth: int) -> Run:
    """Follow a graph of near neighbours; it keeps the vectors, which are taken off its bytes."""

    def make(faiss: Any, d: int) -> Any:
        index = faiss.IndexHNSWFlat(d, links)
        index.hnsw.efConstruction = 80
        index.hnsw.efSearch = depth
        return index

    return _faiss(base, queries, make)


# ---- here ------------------------------------------------------------------------------------------------------------


def by_codes(base: str, queries: str, method: str, search: str, candidates: int = CANDIDATES) -> Run:
    """Encode, search the codes, and rank the nearest by their exact distance."""
    from twinlens.app.methods import catalogue
    from twinlens.core.evaluation.truth import Euclidean
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search.search_structure import encode_queries, find_candidates, needs_projections

    _compile_loops()
    items, asked = tables(base, queries)
    began = time.process_time()
    declared = catalogue.method(method)
    rows = np.random.default_rng(0).permutation(len(items))[: declared.sample_size]
    encoder = declared.fit(items[np.sort(rows)])
    planes = planar(encoder.encode(items))
    structure = catalogue.search_structure(search)
    structure = structure.changed(candidates=candidates)
    built = structure.build(planes, encoder.bits)
    spent = time.process_time() - began
    distance, projected = Euclidean(), needs_projections(structure)

    def ask(query: Float32Matrix) -> Int64Rows:
        own = encode_queries(encoder, query[None], projected)[0]
        near = np.sort(find_candidates(structure, built, len(items), own, K).rows)
        far = distance.exactly(query, items[near])
        return np.asarray(near[np.lexsort((near, far))[:K]])

    model = sum(array.nbytes for array in encoder.pack().arrays.values())
    size = float(planes.nbytes + built.bytes + model)
    return runs(items, asked, ask, size, spent)


def exact_scan(base: str, queries: str) -> Run:
    """Measure everything exactly, as the program does without an index."""
    from twinlens.core.evaluation.truth import Euclidean
    from twinlens.core.exact_search.measure import nearest_by

    _compile_loops()
    items, asked = tables(base, queries)
    distance = Euclidean()

    def ask(query: Float32Matrix) -> Int64Rows:
        return nearest_by(lambda rows: distance.exactly(query, items[rows]), len(items), K).rows

    return runs(items, asked, ask, 0.0, 0.0)


# ---- byte for byte ---------------------------------------------------------------------------------------------------

DEPTHS = (50, 100, 200, 1_000)
"""Candidates that are ranked exactly."""

LEARNED_FROM = 20_000
"""Items that everything is learned from, faiss's centres too."""

TURNS = 10
"""Of the rotation of OPQ."""


def faiss_at(base: str, queries: str, factory: str, parameters: str = "") -> Run:
    """Rank by an index of faiss, and the nearest by their exact distance."""
    import faiss

    faiss.omp_set_num_threads(1)
    items, asked = tables(base, queries)
    index: Any = faiss.index_factory(items.shape[1], factory)
    if factory.startswith("OPQ"):  # as many turns as here: its 50 take minutes
        rotation: Any = faiss.downcast_VectorTransform(index.chain.at(0))
        rotation.niter = TURNS
    began = time.process_time()
    index.train(_drawn(items))
    index.add(items)
    spent = time.process_time() - began
    if parameters:
        space: Any = faiss.ParameterSpace()
        space.set_index_parameters(index, parameters)
    size = len(faiss.serialize_index(index))
    if "Flat" in factory or factory.startswith("HNSW"):
        size -= items.nbytes  # the vectors themselves, which every way needs to rank by
    return _at_depths(items, asked, lambda query, depth: index.search(query[None], depth)[1][0], size, spent)


def pq_at(base: str, queries: str, quantizer: str) -> Run:
    """Rank by a quantizer of Twinlens."""
    from twinlens.core.quantization.quantizer import nearest_by_table
    from twinlens.core.workbench import declare

    _compile_loops()
    items, asked = tables(base, queries)
    began = time.process_time()
    encoder = declare(quantizer, "quantizer").fit(_drawn(items))
    planes = np.ascontiguousarray(encoder.encode(items).T)
    spent = time.process_time() - began
    size = planes.nbytes + sum(array.nbytes for array in encoder.pack().arrays.values())

    def ranked(query: Float32Matrix, depth: int) -> Int64Rows:
        return nearest_by_table(planes, encoder.tables_block(query[None])[0], min(depth, len(items)))[0]

    return _at_depths(items, asked, ranked, size, spent)


def codes_at(base: str, queries: str, method: str, search: str = "scan") -> Run:
    """Rank by the codes of a hash method of Twinlens."""
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.search.search_structure import encode_queries, find_candidates, needs_projections
    from twinlens.core.workbench import declare

    _compile_loops()
    items, asked = tables(base, queries)
    began = time.process_time()
    encoder = declare(method).fit(_drawn(items))
    planes = planar(encoder.encode(items))
    structures = {depth: declare(search, "search").changed(candidates=depth) for depth in DEPTHS}
    built = structures[DEPTHS[-1]].build(planes, encoder.bits)
    spent = time.process_time() - began
    size = planes.nbytes + built.bytes + sum(array.nbytes for array in encoder.pack().arrays.values())

    def ranked(query: Float32Matrix, depth: int) -> Int64Rows:
        own = encode_queries(encoder, query[None], needs_projections(structures[depth]))[0]
        return find_candidates(structures[depth], built, len(items), own, K).rows

    return _at_depths(items, asked, ranked, size, spent)


def _compile_loops() -> None:
    from twinlens.core.compilation import compilation

    compilation.prepare(ROOT / ".cache" / "compiled")
    if not compilation.ready(wait=True):
        raise ImportError("the loops cannot be compiled here")


def _drawn(items: Float32Matrix) -> Float32Matrix:
    """Return the items that every way learns from."""
    return np.asarray(items[np.sort(np.random.default_rng(0).permutation(len(items))[:LEARNED_FROM])])


def _at_depths(
    items: Float32Matrix,
    asked: Float32Matrix,
    ranked: Callable[[Float32Matrix, int], Int64Rows],
    size: int,
    build: float,
) -> Run:
    """Return what is measured with each number of candidates: the share found of the exact first 10, and the time."""
    squares = np.square(items).sum(axis=1)
    last = []  # of each query the distance of the exact tenth
    for query in asked:
        near = np.argpartition(squares - 2 * (items @ query), 4 * K)[: 4 * K]
        last.append(np.sort(np.square(items[near].astype(np.float64) - query).sum(axis=1))[K - 1])

    def search(query: Float32Matrix, depth: int) -> Float32Matrix:
        rows = ranked(query, depth)
        far = np.square(items[rows[rows >= 0]] - query).sum(axis=1)
        return np.partition(far, K - 1)[:K] if len(far) > K else far

    def found(depth: int) -> float:
        near = [
            np.count_nonzero(search(query, depth) <= most * (1 + 1e-5)) for query, most in zip(asked, last, strict=True)
        ]
        return float(np.mean(near)) / K

    shares = {f"share@{depth}": found(depth) for depth in DEPTHS}

    def run() -> dict[str, float]:
        figures: dict[str, float] = {**shares, "bytes": float(size), "build": build}
        for depth in DEPTHS:
            began = time.process_time()
            for query in asked:
                search(query, depth)
            figures[f"cpu@{depth}"] = (time.process_time() - began) / len(asked)
        return figures

    return run
