"""What a bench is run on: vectors, labels, metric and truth, from the files that an experiment names."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from app.bench_metric import SAMPLE, SEED, bench_metric
from app.bench_pairs import pairs_of_file, pairs_of_labels
from app.bench_results import BenchData
from app.experiment import Experiment
from app.named_truth import NEIGHBOURS, own_measure, radius_neighbour, truth_distance, with_width
from app.vector_files import has_array
from app.vector_tables import Labels, naming, read_labels, read_table
from core.errors import TwinlensError
from core.evaluation.task import Task
from core.evaluation.truth import (
    Distance,
    Euclidean,
    KernelDistance,
    Neighbours,
    Rows,
    is_dense,
    nearest,
    sharing_label,
    within,
)
from core.hash_method import HashMethod
from core.kernels import Kernel
from core.metrics import FittedMetric, Pairs, SparseMetric
from core.progress import Progress, part
from core.vectors import Vectors

RELEVANT = 50
MOST_RELEVANT = 5_000
DRAWN = 100
CANDIDATES = 100


@dataclass(frozen=True, eq=False)
class BenchTask:
    """A task and how it came about.

    Attributes
    ----------
    task : Task
    metric : FittedMetric, SparseMetric or None
        Stands before every method.
    before : Task or None
        The same with candidates ranked without the metric, where there are labels to judge it by.
    data : BenchData
    exact : float
        Seconds that exact search takes a query.
    """

    task: Task
    metric: FittedMetric | SparseMetric | None
    before: Task | None
    data: BenchData
    exact: float


def load_task(experiment: Experiment, methods: Sequence[HashMethod], progress: Progress) -> BenchTask:
    """Load the data and find the truth: by the measure of the first method if nothing is said."""
    base, queries, own, labels, query_labels = _vectors(experiment)
    method = methods[0]

    def pairs() -> Pairs | None:
        if experiment.pairs:
            return pairs_of_file(experiment.pairs, base.shape[0])
        if not experiment.marks or labels is None:
            return None
        return pairs_of_labels(labels, experiment.marks[0], own, SEED)

    compared = getattr(method, "kernel", None)
    kernel = compared if isinstance(compared, Kernel) else None
    metric = bench_metric(experiment.metric, base, part(progress, 0.0, 0.1), pairs, kernel)
    tables = {experiment.base: base, experiment.queries or "The queries": queries}
    if metric is None and is_dense(base):
        for one in methods:
            kernel = getattr(one, "kernel", None)
            if isinstance(kernel, Kernel) and kernel.non_negative:
                _check(kernel, tables)
    text = experiment.truth or ("metric" if metric is not None else own_measure(method) or "l2")
    distance = with_width(truth_distance(text, method, base, metric), base, SAMPLE, SEED)
    left_out = 0
    if isinstance(distance, KernelDistance):
        _check(distance.kernel, tables)
        if distance.kernel.non_negative:
            before = len(base) + len(queries)
            base, queries, own, labels, query_labels = _telling(base, queries, own, labels, query_labels)
            left_out = before - len(base) - len(queries)
    began = time.perf_counter()
    found = nearest(distance, base, queries, NEIGHBOURS, own, part(progress, 0.1, 0.7))
    exact = (time.perf_counter() - began) / max(1, queries.shape[0])
    relevant, meaning = found.first(RELEVANT), f"the {RELEVANT} nearest by {text}"
    if text == "labels":
        if labels is None or query_labels is None:
            raise TwinlensError("The truth “labels” needs labels of base and queries.", "Give --labels.")
        relevant, meaning = sharing_label(labels, query_labels, own), "what has the same label"
    elif (radius := radius_neighbour(text)) is not None:
        relevant, meaning = _within(radius, found, distance, base, queries, own, part(progress, 0.7, 1.0))
    task = Task(
        base, queries, found.rows, relevant, distance, own, labels, query_labels, experiment.k, found.first(1),
        CANDIDATES if experiment.map_protocol == "candidates" else 0, experiment.neighbours,
    )  # fmt: skip
    before_task = None
    if metric is not None and labels is not None and query_labels is not None:
        before_task = replace(task, distance=_without_metric(method, base), candidates=0)
    data = BenchData(
        base=experiment.base, n=base.shape[0], d=base.shape[1], queries=queries.shape[0], truth=text,
        relevant=meaning, metric=experiment.metric, left_out=left_out,
    )  # fmt: skip
    return BenchTask(task, metric, before_task, data, exact)


def _check(kernel: Kernel, tables: Mapping[str, Vectors]) -> None:
    """Refuse what a kernel is not defined for, all of it and now: a method would see a sample alone."""
    for name, table in tables.items():
        with naming(name):
            kernel.check(table)


def _vectors(experiment: Experiment) -> tuple[Vectors, Vectors, Rows | None, Labels | None, Labels | None]:
    """Load base, queries, the queries' rows in the base, and the labels of both."""
    base = read_table(experiment.base)
    labels = read_labels(experiment.labels, base.shape[0])
    named = experiment.queries
    if not named and has_array(experiment.base, "train") and has_array(experiment.base, "test"):
        named = f"{experiment.base}::test"  # of ann-benchmarks
    if not named:
        count = min(experiment.query_count or DRAWN, base.shape[0])
        own = np.sort(np.random.default_rng(SEED).choice(base.shape[0], count, replace=False))
        return base, base[own], own, labels, None if labels is None else labels[own]
    queries = read_table(named)
    asks_itself = _same_file(named, experiment.base)
    if is_dense(base) != is_dense(queries):
        raise TwinlensError("Of base and queries one is sparse and the other is not.", "Give both alike.")
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            f"The queries have {queries.shape[1]:,} dimensions, the base has {base.shape[1]:,}.",
            "Give queries of the same kind.",
        )
    if not asks_itself:
        return base, queries, None, labels, query_labels
    own = np.arange(queries.shape[0])
    return base, queries, own, labels, labels[own] if query_labels is None and labels is not None else query_labels


def _same_file(name: str, other: str) -> bool:
    """Say whether two names are of the same array, whose rows then are never their own answer."""
    file, _, array = name.partition("::")
    other_file, _, other_array = other.partition("::")
    return array == other_array and Path(file).expanduser().resolve() == Path(other_file).expanduser().resolve()


def _telling(
    base: Vectors, queries: Vectors, own: Rows | None, labels: Labels | None, query_labels: Labels | None
) -> tuple[Vectors, Vectors, Rows | None, Labels | None, Labels | None]:
    """Leave out rows that are zero throughout: no histogram kernel says anything of them."""
    there, asked = base.any(axis=1), queries.any(axis=1)
    if there.all() and asked.all():
        return base, queries, own, labels, query_labels
    if not there.any() or not asked.any():
        raise TwinlensError("All vectors of the base, or of the queries, are zero throughout.", "Give others.")
    places = np.cumsum(there) - 1
    return (
        base[there],
        queries[asked],
        None if own is None else places[own[asked]],
        None if labels is None else labels[there],
        None if query_labels is None else query_labels[asked],
    )


def _without_metric(method: HashMethod, base: Vectors) -> Distance:
    """Give the distance of the method alone, known to the last number."""
    return with_width(truth_distance(own_measure(method) or "l2", method, base, None), base, SAMPLE, SEED)


def _within(
    count: int,
    found: Neighbours,
    distance: Distance,
    base: Vectors,
    queries: Vectors,
    own: Rows | None,
    progress: Progress,
) -> tuple[list[Rows], str]:
    """Give what is nearer than the average distance to the count-th neighbour, which is Kim and Choi's protocol."""
    place = min(count, found.distances.shape[1]) - 1
    squared = isinstance(distance, Euclidean)
    far = np.sqrt(found.distances[:, place]) if squared else found.distances[:, place]
    relevant = within(distance, base, queries, float(far.mean()) ** 2, own, progress)
    kept = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    return kept, f"what is nearer than the average distance to neighbour {place + 1} ({far.mean():.4g})"
