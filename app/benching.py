"""Hash methods measured on any vectors, without a library."""

from __future__ import annotations

import re
import statistics
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from app import catalogue
from app.experiment import Experiment
from app.results import BenchBytes, BenchData, BenchMethodResult, BenchResult, BenchSeconds
from app.vector_files import load_vectors
from core.declaration import read
from core.errors import TwinlensError
from core.evaluation.evaluate import Figures, Task, evaluate
from core.evaluation.truth import (
    Cosine,
    Distance,
    Euclidean,
    KernelDistance,
    Rows,
    nearest,
    sharing_label,
    within,
)
from core.hash_method import HashMethod
from core.kernels import KERNELS, Kernel
from core.progress import Progress, part, silent
from core.subspaces import draw
from core.vectors import Vectors, as_vectors

NEIGHBOURS = 100
RELEVANT = 50
MOST_RELEVANT = 5_000
DRAWN = 100
_RADIUS = re.compile(r"radius:(\d+)")
_WIDTH_ITEMS = 20_000  # from how many of the base a kernel that says auto finds its width
_SEED = 20_150_607  # of the drawing of queries: the same for every seed of a method


def bench(experiment: Experiment, progress: Progress = silent) -> BenchResult:
    """Run an experiment.

    Raises
    ------
    TwinlensError
        If a file cannot be read, a declaration has no meaning, the numbers of rows or dimensions do not fit, or a
        method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    methods = [catalogue.method(text) for text in experiment.methods]
    search = catalogue.search_structure(experiment.search)
    if not methods or not experiment.seeds:
        raise TwinlensError("There is nothing to run.", "Name a method with --method, such as lsh:bits=256.")
    task, truth, exact = _task(experiment, methods[0], part(progress, 0.0, 0.3))
    results = []
    for number, method in enumerate(methods):
        share = part(progress, 0.3 + 0.7 * number / len(methods), 0.3 + 0.7 * (number + 1) / len(methods))
        runs = []
        for place, seed in enumerate(experiment.seeds):
            step = part(share, place / len(experiment.seeds), (place + 1) / len(experiment.seeds))
            runs.append(evaluate(method.changed(seed=seed), search, task, step))
        results.append(_summed(method, runs, list(experiment.seeds), len(task.base), exact))
    data = BenchData(
        base=experiment.base, n=len(task.base), d=task.base.shape[1], queries=len(task.queries), truth=truth
    )
    return BenchResult(data=data, results=results)


def _task(experiment: Experiment, method: HashMethod, progress: Progress) -> tuple[Task, str, float]:
    """Load the data and find the truth; gives its name, and the seconds that exact search takes a query."""
    base = _table(experiment.base)
    labels = _labels(experiment.labels, len(base))
    if experiment.queries:
        queries, own = _table(experiment.queries), None
        if experiment.query_count:
            queries = queries[: experiment.query_count]
        if queries.shape[1] != base.shape[1]:
            raise TwinlensError(
                f"The queries have {queries.shape[1]:,} dimensions, the base has {base.shape[1]:,}.",
                "Give queries of the same kind.",
            )
        query_labels = _labels(experiment.query_labels, len(queries)) if experiment.query_labels else None
    else:
        count = min(experiment.query_count or DRAWN, len(base))
        own = np.sort(np.random.default_rng(_SEED).choice(len(base), count, replace=False))
        queries = np.asarray(base[own])
        query_labels = None if labels is None else labels[own]
    text = experiment.truth or _own_measure(method)
    distance = _distance(text, method)
    if isinstance(distance, KernelDistance):
        rng = np.random.default_rng(_SEED)
        distance = KernelDistance(distance.kernel.fitted_to(base[draw(len(base), _WIDTH_ITEMS, rng)], rng))
        for table in (base, queries):
            distance.kernel.check(table)
    began = time.perf_counter()
    found = nearest(distance, base, queries, NEIGHBOURS, own, part(progress, 0.0, 0.7))
    exact = (time.perf_counter() - began) / max(1, len(queries))
    relevant: list[Rows] = [rows[:RELEVANT] for rows in found.rows]
    if text == "labels":
        if labels is None or query_labels is None:
            raise TwinlensError("The truth “labels” needs labels of base and queries.", "Give --labels.")
        relevant = sharing_label(labels, query_labels, own)
    elif radius := _RADIUS.fullmatch(text):
        place = min(int(radius[1]), found.distances.shape[1]) - 1
        threshold = float(np.sqrt(found.distances[:, place]).mean()) ** 2
        relevant = within(distance, base, queries, threshold, own, part(progress, 0.7, 1.0))
        relevant = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    task = Task(base, queries, found.rows, relevant, distance, own, labels, query_labels, experiment.k)
    return task, text, exact


def _own_measure(method: HashMethod) -> str:
    kernel = getattr(method, "kernel", None)
    return kernel.text() if isinstance(kernel, Kernel) else "l2"


def _distance(text: str, method: HashMethod) -> Distance:
    if text == "l2" or _RADIUS.fullmatch(text):
        return Euclidean()
    if text == "cosine":
        return Cosine()
    if text == "labels":
        return _distance(_own_measure(method), method)
    return KernelDistance(read(KERNELS, text))


def _table(name: str) -> Vectors:
    table = load_vectors(name)
    if table.ndim == 3:  # matrices: bilinear methods lay them out again
        table = table.reshape(len(table), -1)
    if table.ndim != 2 or table.dtype.kind not in "biuf" or 0 in table.shape:
        said = f"{name} holds {table.shape} of {table.dtype}, which is no table of vectors."
        raise TwinlensError(said, "Give numbers, (n, d).")
    return as_vectors(table, np.float32)


def _labels(name: str, expected: int) -> npt.NDArray[np.int64] | None:
    if not name:
        return None
    labels = load_vectors(name).reshape(-1)
    if len(labels) != expected:
        raise TwinlensError(f"{name} has {len(labels):,} labels for {expected:,} vectors.", "Give one for each.")
    if labels.dtype.kind in "iu":
        return labels.astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _summed(method: HashMethod, runs: list[Figures], seeds: list[int], n: int, exact: float) -> BenchMethodResult:
    """Give the means over the seeds, and how far single runs lie from them."""
    flat = [_flat(run) for run in runs]
    mean = {name: statistics.fmean(one[name] for one in flat) for name in flat[0]}
    spread = {name: statistics.stdev(one[name] for one in flat) for name in flat[0]} if len(flat) > 1 else {}
    curve = np.mean([run.curve for run in runs], axis=0) if runs[0].curve else np.empty((0, 2))
    return BenchMethodResult(
        method=method.text(),
        bits=method.bits,
        seeds=seeds,
        recall={str(count): mean[f"recall@{count}"] for count in runs[0].recall},
        overlap={str(count): mean[f"overlap@{count}"] for count in runs[0].overlap},
        precision_recall=[(float(r), float(p)) for r, p in curve],
        map=mean.get("map"),
        accuracy=mean.get("accuracy"),
        looked_at=mean["looked_at"],
        scanned=mean["scanned"],
        of=n,
        seconds=BenchSeconds(exact=exact, **{name: mean[f"seconds {name}"] for name in runs[0].seconds}),
        bytes=BenchBytes(**runs[0].bytes),
        deviation=spread,
        note=runs[0].note,
    )


def _flat(run: Figures) -> dict[str, float]:
    flat: dict[str, Any] = {f"recall@{count}": value for count, value in run.recall.items()}
    flat |= {f"overlap@{count}": value for count, value in run.overlap.items()}
    flat |= {"map": run.map, "accuracy": run.accuracy, "looked_at": run.looked_at, "scanned": run.scanned}
    flat |= {f"seconds {name}": value for name, value in run.seconds.items()}
    return {name: float(value) for name, value in flat.items() if value is not None}
