"""What Bodó and Csató (2012) tried beside their method: a ridge, exact pre-images, and votes by distance.

Section VI: with a ridge on the pre-images the paper saw no significant difference. Section V: had a feature vector ψ a
pre-image, and were k(x, z) an invertible function f of x'z, it would be found coordinate by coordinate,

    g_i = f⁻¹(Σ_j α_j k(x_j, e_i))

which is carried out here for kernels of dot products although no ψ of KLSH need have one; what f does not reach is
taken for the nearest that it does. Section III: neighbours may vote by 1 / (d + 1), d their distance, or alike. Only
what is right and compared is measured, no time; every run is kept, since some kernels have two kinds of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.kernel_tables import ONES, SETTINGS, Setting
from science.papers.size import Tables
from science.papers.studies.bc_buckets import Buckets, Codes, methods
from twinlens.core.arrays import Float32Matrix, Float64Matrix, Int64Labels, Int64Rows
from twinlens.core.hashing.kernel_hashing import KernelEncoder
from twinlens.core.hashing.packed_codes import pack_bits
from twinlens.core.kernels.dot_product_kernels import Polynomial, Sigmoid
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.progress import Progress

DATA = tuple(SETTINGS)
CASES = DATA
REPEATS = 30
QUERIES = 500
RIDGES = (0.001, 0.01, 0.1)
EXACT, KLSH, PREIMAGES, INVERSE = "exact", "klsh", "preimages", "inverse"


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return of each way the shares compared, right by majority, and right by votes of 1 / (d + 1), of every run."""
    setting = SETTINGS[case]
    first, asked = (np.asarray(tables(case, name), np.float32) for name in (setting.base, "queries"))
    x = np.concatenate([first, asked])
    labels = np.concatenate([tables(case, "labels")[: len(first)], tables(case, "query_labels")[: len(asked)]])
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(repeats):
        progress(seed, repeats, Message("Variants of {case}", case=case))
        order = np.random.default_rng(seed).permutation(len(x))
        base, queries = order[: len(first)], order[len(first) :][:QUERIES]
        told = labels.astype(np.int64)
        for way, figures in _run(setting, x[base], told[base], x[queries], told[queries], seed).items():
            for figure, value in figures.items():
                found.setdefault(way, {}).setdefault(figure, []).append(value)
    return {"searched": len(first), "asked": min(QUERIES, len(asked)), "ways": found}


def _run(
    setting: Setting, base: Float32Matrix, told: Int64Labels, queries: Float32Matrix, answers: Int64Labels, seed: int
) -> dict[str, dict[str, float]]:
    codes = _codes(setting, base, queries, seed)
    buckets = {way: Buckets.of(of_base) for way, (of_base, _) in codes.items()}
    own, asked = setting.kernel.diagonal(base), setting.kernel.diagonal(queries)
    sums = {way: np.zeros(3) for way in (EXACT, *codes)}
    for place, query in enumerate(queries):
        far = asked[place] + own - 2 * setting.kernel.pairs(base, query[None])
        for way in sums:
            rows = np.arange(len(base))
            if way != EXACT:
                rows = buckets[way].near(codes[way][1][place], setting.neighbouring, "closest")
            plain, weighed = votes(far[rows], told[rows], setting.votes)
            sums[way] += len(rows) / len(base), plain == answers[place], weighed == answers[place]
    names = ("compared", "right", "right by distance")
    return {way: dict(zip(names, (total / len(queries)).tolist(), strict=True)) for way, total in sums.items()}


def _codes(setting: Setting, base: Float32Matrix, queries: Float32Matrix, seed: int) -> dict[str, tuple[Codes, Codes]]:
    """Return the codes of what is searched and of what asks, by each way."""
    klsh, plain = methods(setting, seed)
    encoders = {KLSH: klsh.fit(base), PREIMAGES: plain.fit(base)}
    encoders |= {f"ridge {ridge:g}": plain.changed(ridge=ridge).fit(base) for ridge in RIDGES}
    codes = {way: (one.encode(base), one.encode(queries)) for way, one in encoders.items()}
    own = encoders[KLSH]
    assert isinstance(own, KernelEncoder)
    vectors = inverse(setting.kernel, own.landmarks, own.weights / np.sqrt(ONES))
    if vectors is not None:
        middle = setting.kernel.matrix(own.landmarks, vectors).mean(axis=0)
        kernels = (setting.kernel.matrix(table, vectors) for table in (base, queries))
        of_base, of_queries = (pack_bits(values >= middle) for values in kernels)
        codes[INVERSE] = of_base, of_queries
    return codes


def inverse(kernel: Kernel, landmarks: Float32Matrix, weights: npt.NDArray[Any]) -> Float32Matrix | None:
    """Return the vectors g of Σ α φ(x), α (m, bits), by the inverse of the kernel as a function of x'z, (bits, d).

    None where it is no such function.
    """
    along = kernel.matrix(landmarks, np.eye(landmarks.shape[1], dtype=np.float32)).T @ weights
    if isinstance(kernel, Polynomial):
        found = (np.maximum(along, 0) ** (1 / kernel.p) - kernel.c) / kernel.a
    elif isinstance(kernel, Sigmoid):
        found = (np.arctanh(np.clip(along, -1 + 1e-9, 1 - 1e-9)) - kernel.c) / kernel.a
    else:
        return None
    return np.ascontiguousarray(found.T, np.float32)


def votes(far: Float64Matrix, labels: Int64Labels, count: int) -> tuple[int, int]:
    """Return the label by majority of the nearest, and by their votes of 1 / (d + 1), of squared distances."""
    near = nearest_of(far, count)
    distances = np.sqrt(np.maximum(far[near], 0))
    return _winner(labels[near], np.ones(len(near))), _winner(labels[near], 1 / (distances + 1))


def nearest_of(far: Float64Matrix, count: int) -> Int64Rows:
    """Return the nearest, by (distance, place)."""
    last = min(count, len(far)) - 1
    near = np.flatnonzero(far <= np.partition(far, last)[last])
    return near[np.argsort(far[near], kind="stable")[:count]].astype(np.int64)


def _winner(labels: Int64Labels, weights: Float64Matrix) -> int:
    totals: dict[int, float] = {}
    for label, weight in zip(labels.tolist(), weights.tolist(), strict=True):
        totals[label] = totals.get(label, 0.0) + weight
    return max(totals, key=lambda label: totals[label])  # of equal ones the first: that of the nearest
