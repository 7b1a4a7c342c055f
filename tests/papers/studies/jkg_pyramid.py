"""A metric learned of the pyramid match kernel, implicitly, and hashing under it (Jain, Kulis and Grauman, Figure 2).

Each object is a class, 15 views of it are searched, and 1-NN tells the others: the mean rate over the classes. Vectors
are the sparse ones of the kernel, of 10^14 dimensions, and G is never held; distances are the learned ones, of the
normalised kernel.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.codes import planar
from core.evaluation.partitions import pairs_among
from core.metrics import Itml, SparseMetric
from core.metrics.kernel_learning import learn_sparse
from core.metrics.sparse import products, squared_norms
from core.metrics.sparse_encoder import SparseEncoder
from core.metrics.sparse_metric import SparseItems
from core.one_thread import one_thread
from core.progress import Progress, part
from core.search.finding import Query, find
from core.search.permuted import Permuted
from tests.papers.sets.cut_outs import NONE, points
from tests.papers.size import Tables

DATA = ("cut-outs",)
CASES = ("pairs", "hashed")
REPEATS = 3
CLASSES = 40
"""Objects, of the 101: learning takes a time that grows with the cube of the pairs."""

PAIRS_A_CLASS = (2, 5, 10, 15)
"""The last, as in the paper, is what hashing is measured with."""

LENGTHS, BITS = (32, 64, 128, 256, 512), 256
EPSILONS, EPSILON = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0), 1.5
TIMED = 10

Labels = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Views:
    """What is searched and what asks, as sparse vectors, with their classes."""

    base: Any
    queries: Any
    labels: Labels
    answers: Labels


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Give rates before and after, each (mean, deviation, runs), over pairs, bits and epsilon."""
    progress(0, 1, "Pyramids of the views")
    views = read(tables)
    plain = SparseMetric.plain(views.base.shape[1])
    rows: dict[str, list[dict[str, float]]] = {}
    before = distances(plain, views)
    for seed in range(repeats):
        step = part(progress, 0.05 + 0.95 * seed / repeats, 0.05 + 0.95 * (seed + 1) / repeats)
        pairs = case == "pairs"
        found = over_pairs(views, before, seed, step) if pairs else _hashed(views, plain, before, seed, step)
        for name, values in found.items():
            rows.setdefault(name, []).append(values)
    return {
        "searched": len(views.labels),
        "asked": len(views.answers),
        "classes": len(np.unique(views.labels)),
        "before": rate(before, views),
        "rows": {
            name: {figure: _summed([run[figure] for run in runs]) for figure in runs[0]} for name, runs in rows.items()
        },
    }


def _summed(values: Sequence[float]) -> tuple[float, float, int]:
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0, len(values)


def read(tables: Tables) -> Views:
    """Turn local features into the sparse vectors of the pyramid match kernel."""
    pyramid = points().pyramid
    found: list[Any] = []
    for array, names in (("base", "labels"), ("queries", "query_labels")):
        table = np.asarray(tables("cut-outs", array), np.int64)
        labels = np.asarray(tables("cut-outs", names), np.int64)[: len(table)]
        kept = labels < CLASSES
        found += [pyramid.rows([one[one[:, 0] != NONE] for one in table[kept]]), labels[kept]]
    return Views(found[0], found[2], found[1], found[3])


def distances(metric: SparseMetric, views: Views) -> Matrix:
    """Give the squared distances of every query and everything that is searched, (q, n), all at once."""
    with one_thread():
        plain = products(views.queries, views.base)
        asked, searched = (metric.coordinates(one) for one in (views.queries, views.base))
        m = metric.m
        learned_kernel = plain + asked @ m @ searched.T
        own = [
            squared_norms(rows) + np.einsum("ij,ij->i", along @ m, along)
            for rows, along in ((views.queries, asked), (views.base, searched))
        ]
    return np.asarray(own[0][:, None] + own[1][None, :] - 2 * learned_kernel)


def rate(far: Matrix, views: Views, allowed: npt.NDArray[np.bool_] | None = None) -> float:
    """Give the mean over the classes of the share of queries whose nearest is of their class."""
    nearest = (far if allowed is None else np.where(allowed, far, np.inf)).argmin(axis=1)
    right = views.labels[nearest] == views.answers
    return float(np.mean([right[views.answers == one].mean() for one in np.unique(views.answers)]))


def paired_error(before: Matrix, after: Matrix, views: Views) -> float:
    """Give the standard error of the gain over the queries, each asked both ways."""
    was, now = (views.labels[far.argmin(axis=1)] == views.answers for far in (before, after))
    return float((now.astype(float) - was).std(ddof=1) / np.sqrt(len(views.answers)))


def learned(views: Views, each: int, seed: int, progress: Progress) -> SparseMetric:
    """Learn from so many pairs a class, of all views that are searched."""
    pairs = pairs_among(views.labels, np.arange(len(views.labels)), each * len(np.unique(views.labels)), seed)
    return learn_sparse(Itml(), views.base, pairs, seed, progress).metric


def over_pairs(views: Views, before: Matrix, seed: int, progress: Progress) -> dict[str, dict[str, float]]:
    """Learn from more and more pairs."""
    found, plain = {}, rate(before, views)
    for place, each in enumerate(PAIRS_A_CLASS):
        step = part(progress, place / len(PAIRS_A_CLASS), (place + 1) / len(PAIRS_A_CLASS))
        metric = learned(views, each, seed, step)
        far = distances(metric, views)
        found[str(each)] = {
            "after": rate(far, views),
            "gain": rate(far, views) - plain,
            "error": paired_error(before, far, views),
            "items": float(len(metric.s)),
        }
    return found


def _hashed(
    views: Views, plain: SparseMetric, before: Matrix, seed: int, progress: Progress
) -> dict[str, dict[str, float]]:
    """Search by codes, before and after learning, over bits at one epsilon, and over epsilon."""
    metric = learned(views, PAIRS_A_CLASS[-1], seed, part(progress, 0, 0.3))
    after = distances(metric, views)
    found = {}
    steps = list(dict.fromkeys([*((bits, EPSILON) for bits in LENGTHS), *((BITS, epsilon) for epsilon in EPSILONS)]))
    for place, (bits, epsilon) in enumerate(steps):
        progress(0.4 + 0.6 * place / len(steps), 1, f"Searching {bits:,} bits, epsilon {epsilon:g}")
        search = Permuted(epsilon=epsilon, seed=seed)
        row: dict[str, float] = {}
        for name, own, far in (("before", plain, before), ("after", metric, after)):
            allowed = candidates(SparseEncoder.of(own, bits, seed), views, search)
            row |= {
                f"{name} linear": rate(far, views),
                f"{name} hashed": rate(far, views, allowed),
                f"{name} looked at": float(allowed.mean()),
                f"{name} same nearest": float((np.where(allowed, far, np.inf).min(axis=1) <= far.min(axis=1)).mean()),
            }
        found[f"{bits} {epsilon:g}"] = row | _times(metric, views, bits, search, seed)
    return found


def candidates(encoder: SparseEncoder, views: Views, search: Permuted) -> npt.NDArray[np.bool_]:
    """Say what each query is measured against, (q, n)."""
    n = len(views.labels)
    structure = search.build(planar(encoder.encode(views.base)), encoder.bits)
    words = np.ascontiguousarray(planar(encoder.encode(views.queries)).T)
    allowed = np.zeros((len(words), n), np.bool_)
    for query, code in enumerate(words):
        allowed[query, find(search, structure, n, Query(code, None), 1).rows] = True
    return allowed


def _times(metric: SparseMetric, views: Views, bits: int, search: Permuted, seed: int) -> dict[str, float]:
    """Give thread times of a query in milliseconds: measured against everything, and hashed and then measured."""
    encoder, n = SparseEncoder.of(metric, bits, seed), len(views.labels)
    structure = search.build(planar(encoder.encode(views.base)), bits)
    items = metric.against(views.base)
    linear = hashed = 0.0
    with one_thread():
        for row in range(min(TIMED, len(views.answers))):
            query = views.queries[[row]]
            began = time.thread_time()
            items.distances(query)
            linear += time.thread_time() - began
            began = time.thread_time()
            code = np.ascontiguousarray(planar(encoder.encode(query)).T)[0]
            rows = np.sort(find(search, structure, n, Query(code, None), 1).rows)
            SparseItems(metric, items.x[rows], items.coordinates[rows]).distances(query)
            hashed += time.thread_time() - began
    count = min(TIMED, len(views.answers))
    return {"linear ms": 1000 * linear / count, "hashed ms": 1000 * hashed / count}
