"""The rows of Table III of which the data are the paper's own (Bodó and Csató 2012): DNA, all 1,186 queries.

Which 2,000 items were searched the paper does not say; each repetition draws them anew, and the order that bound (2)
depends on with them.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from science.papers.kernel_tables import SETTINGS, Answer, algorithm_1, bounds_of
from science.papers.size import Tables
from science.papers.studies.bc_buckets import Buckets, methods
from twinlens.core.evaluation.tied_rankings import majority
from twinlens.core.message import Message
from twinlens.core.progress import Progress

CASES = ("dna",)
DATA = CASES
REPEATS = 30
INEQ = "ineq"
"""The paper's word for exact search by bound (2)."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return of each way the shares of items compared and of queries labelled right: (mean, deviation, runs)."""
    base, queries = (np.asarray(tables(case, name), np.float32) for name in ("base", "queries"))
    x = np.concatenate([base, queries])
    labels = np.concatenate([tables(case, "labels"), tables(case, "query_labels")]).astype(np.int64)
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(repeats):
        progress(seed, repeats, Message("Labelling {case}", case=case))
        order = np.random.default_rng(seed).permutation(len(x))
        for way, values in _run(case, x[order], labels[order], len(base), seed).items():
            for figure, value in values.items():
                found.setdefault(way, {}).setdefault(figure, []).append(value)
    return {
        "searched": len(base),
        "asked": len(queries),
        "ways": {way: {figure: _summed(values) for figure, values in own.items()} for way, own in found.items()},
    }


def _run(
    case: str, x: np.ndarray[Any, np.dtype[np.float32]], labels: np.ndarray[Any, np.dtype[np.int64]], n: int, seed: int
) -> dict[str, dict[str, float]]:
    """Label what comes after the first n by these."""
    setting = SETTINGS[case]
    base, queries, kernel = x[:n], x[n:], setting.kernel
    own, asked = kernel.diagonal(base), kernel.diagonal(queries)
    ways = {}
    for method in methods(setting, seed):
        encoder = method.fit(base)
        ways[method.key] = Buckets.of(encoder.encode(base)), encoder.encode(queries)
    sums = {way: np.zeros(2) for way in (INEQ, *ways)}
    for place, (query, length) in enumerate(zip(queries, asked, strict=True)):
        far = length + own - 2 * kernel.pairs(base, query[None])
        answers = {INEQ: algorithm_1(far, bounds_of(length[None], own)["2"][0], setting.votes)}
        for way, (buckets, keys) in ways.items():
            rows = buckets.near(keys[place], setting.neighbouring, "closest")
            answers[way] = Answer(rows[algorithm_1(far[rows], None, setting.votes).rows], len(rows))
        for way, one in answers.items():
            voted = majority(labels[one.rows][None], far[one.rows][None], setting.votes)[0]
            sums[way] += np.array([one.compared / n, voted == labels[n + place]])
    return {
        way: dict(zip(("compared", "accuracy"), (total / len(queries)).tolist(), strict=True))
        for way, total in sums.items()
    }


def _summed(values: list[float]) -> tuple[float, float, int]:
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values)
