"""What bounds on distances spare and lose in exact kernel k-NN (Bodó and Csató 2012, Table III, "ineq").

Algorithm 1 is carried out to the letter, over items that are shuffled anew in each repetition, with bound (1) and with
bound (2); beside it the scan of items sorted by their norms, which is the product's. Of a kernel that is not positive
definite no bound holds; what the algorithm does with one all the same is measured too, as the paper did.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.kernel_tables import SETTINGS, Answer, Setting, algorithm_1, bounds_of
from science.papers.size import Tables
from twinlens.core.arrays import Int64Labels
from twinlens.core.evaluation.tied_rankings import majority
from twinlens.core.exact_search.kernel_neighbours import Bound, ExactKnn
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.vectors import one_thread

DATA = tuple(SETTINGS)
CASES = DATA
REPEATS = 10
QUERIES, TIMED = 200, 40

Counted = dict[str, list[float]]


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return what each bound does, and of the product's ways the thread time of a query in milliseconds.

    Of a bound: share of items compared, accuracy, shares of queries that lose a neighbour and of pairs that break the
    bound, each (mean, deviation, runs).
    """
    setting = SETTINGS[case]
    base = np.asarray(tables(case, setting.base), np.float32)
    labels = np.asarray(tables(case, "labels")[: len(base)], np.int64)
    queries = np.asarray(tables(case, "queries"), np.float32)
    answers = np.asarray(tables(case, "query_labels")[: len(queries)], np.int64)
    found: dict[str, Counted] = {}
    for seed in range(repeats):
        progress(seed, repeats + 1, Message("Bounds on {case}", case=case))
        rng = np.random.default_rng(seed)
        asked = np.sort(rng.permutation(len(queries))[:QUERIES])
        order = rng.permutation(len(base))
        for name, values in _run(setting, base[order], labels[order], queries[asked], answers[asked]).items():
            for figure, value in values.items():
                found.setdefault(name, {}).setdefault(figure, []).append(value)
    progress(repeats, repeats + 1, Message("Time on {case}", case=case))
    return {
        "searched": len(base),
        "asked": min(QUERIES, len(queries)),
        "kernel": setting.kernel.text(),
        "definite": setting.kernel.positive_definite,
        "bounds": {name: {figure: summed(values) for figure, values in own.items()} for name, own in found.items()},
        "ms": _timed(setting, base, queries),
    }


def summed(values: list[float]) -> tuple[float, float, int]:
    """Return mean, standard deviation and number."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values)


def _run(
    setting: Setting,
    base: npt.NDArray[np.float32],
    labels: Int64Labels,
    queries: npt.NDArray[np.float32],
    answers: Int64Labels,
) -> dict[str, dict[str, float]]:
    """Search once in this order."""
    kernel, k, n = setting.kernel, setting.votes, len(base)
    sorted_scan = ExactKnn(kernel, base, "norms")
    own, asked = kernel.diagonal(base), kernel.diagonal(queries)
    sums = {name: np.zeros(4) for name in ("none", "1", "2", "sorted")}
    for query, length, answer in zip(queries, asked, answers, strict=True):
        far = length + own - 2 * kernel.pairs(base, query[None])  # of an item always the same, so that ties are
        bounds = {name: one[0] for name, one in bounds_of(length[None], own).items()}
        true, scanned = algorithm_1(far, None, k), sorted_scan.nearest(query, k)
        found = {"none": true, **{name: algorithm_1(far, bound, k) for name, bound in bounds.items()}}
        found["sorted"] = Answer(scanned.rows, scanned.compared)
        for name, one in found.items():
            voted = majority(labels[one.rows][None], far[one.rows][None], k)[0]
            lost = bool((far[one.rows] > far[true.rows]).any())
            broken = float((bounds[name] > far + 1e-9 * (length + own)).mean()) if name in bounds else 0.0
            sums[name] += np.array([one.compared / n, voted == answer, lost, broken])
    names = ("compared", "accuracy", "losing", "broken")
    return {
        name: {figure: float(value / len(queries)) for figure, value in zip(names, values, strict=True)}
        for name, values in sums.items()
    }


def _timed(setting: Setting, base: npt.NDArray[np.float32], queries: npt.NDArray[np.float32]) -> dict[str, float]:
    """Return the median time of a thread for a query, in milliseconds, by the product's exact search."""
    bounds: tuple[Bound, ...] = ("none", "norms", "heuristic") if setting.kernel.positive_definite else ("none",)
    times: dict[str, float] = {}
    for bound in bounds:
        knn, spent = ExactKnn(setting.kernel, base, bound), []
        with one_thread():
            for query in queries[:TIMED]:
                began = time.thread_time()
                knn.nearest(query, setting.votes)
                spent.append(1000 * (time.thread_time() - began))
        times[bound] = statistics.median(spent)
    return times
