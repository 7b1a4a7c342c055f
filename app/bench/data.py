"""What a bench is run on: vectors, labels, metric and truth, from the files that an experiment names."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.bench.experiment import Experiment
from app.bench.metric import SAMPLE, SEED, bench_metric
from app.bench.named_truth import NEIGHBOURS, own_measure, radius_neighbour, truth_distance, with_width
from app.bench.pairs import pairs_of_file, pairs_of_labels
from app.bench.results import BenchData
from app.bench.tables import Tables, load_tables
from app.bench.vector_table import naming
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
from core.message import Message
from core.metrics import FittedMetric, Pairs, SparseMetric
from core.progress import Progress, part
from core.subspaces import draw
from core.vectors import Vectors

RELEVANT = 50
MOST_RELEVANT = 5_000
CANDIDATES = 100

FOLDERS = "folders"
OWN_TRUTHS = (FOLDERS, "marks", "edits")
"""Truths that the photographs of a library tell; what they are ranked by is said besides."""


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


def load_task(
    experiment: Experiment, methods: Sequence[HashMethod], progress: Progress, tables: Tables | None = None
) -> BenchTask:
    """Load the data, unless it is at hand, and find the truth: by what ranks the data if nothing is said."""
    given = load_tables(experiment) if tables is None else tables
    method = methods[0]

    def pairs() -> Pairs | None:
        if experiment.pairs:
            return pairs_of_file(experiment.pairs, given.base.shape[0])
        if not experiment.marks or given.labels is None:
            return None
        return pairs_of_labels(given.labels, experiment.marks[0], given.own, SEED)

    compared = getattr(method, "kernel", None)
    kernel = compared if isinstance(compared, Kernel) else None
    base = given.base
    metric = _metric(experiment, given, pairs, kernel, part(progress, 0.0, 0.1))
    named = {given.name: base, experiment.queries or "The queries": given.queries}
    if metric is None and is_dense(base):
        for one in methods:
            kernel = getattr(one, "kernel", None)
            if isinstance(kernel, Kernel) and kernel.non_negative:
                _check(kernel, named)
    text = truth_of(experiment, method, given, metric is not None)
    own_truth = text in OWN_TRUTHS
    ranked = (given.measure if metric is None else "") or "labels" if own_truth else text
    distance = with_width(truth_distance(ranked, method, base, metric), base, SAMPLE, SEED)
    left_out = 0
    if isinstance(distance, KernelDistance):
        _check(distance.kernel, named)
        if distance.kernel.non_negative:
            before = len(base) + len(given.queries)
            given = given.telling()
            left_out = before - len(given.base) - len(given.queries)
    base, queries, own = given.base, given.queries, given.own
    began = time.perf_counter()
    found = nearest(distance, base, queries, NEIGHBOURS, own, part(progress, 0.1, 0.7))
    exact = (time.perf_counter() - began) / max(1, queries.shape[0])
    right = _right(text, found, distance, given, part(progress, 0.7, 1.0))
    task = Task(
        base, queries, found.rows, right.relevant, distance, own, given.labels, given.query_labels, experiment.k,
        right.nearest,
        CANDIDATES if experiment.map_protocol == "candidates" else 0, experiment.neighbours,
    )  # fmt: skip
    before_task = None
    if metric is not None and given.labels is not None and given.query_labels is not None:
        before_task = replace(task, distance=_without_metric(method, base), candidates=0)
    data = BenchData(
        base=given.name, n=base.shape[0], d=base.shape[1], queries=queries.shape[0], truth=text,
        relevant=right.meaning, metric=experiment.metric, left_out=left_out,
    )  # fmt: skip
    return BenchTask(task, metric, before_task, data, exact)


@dataclass(frozen=True, eq=False)
class _Right:
    """What counts as right: for precision, recall and mAP, and for recall@R."""

    relevant: Sequence[Rows]
    nearest: Sequence[Rows]
    meaning: str


def _right(text: str, found: Neighbours, distance: Distance, given: Tables, progress: Progress) -> _Right:
    """Say what counts as right by a truth."""
    first = found.first(1)
    if text in {"labels", FOLDERS}:
        if given.labels is None or given.query_labels is None:
            raise TwinlensError(
                Message("The truth “{text}” needs labels of base and queries.", text=text), Message("Give --labels.")
            )
        relevant = sharing_label(given.labels, given.query_labels, given.own)
        return _Right(relevant, first, given.meaning or "what has the same label")
    if text in OWN_TRUTHS:
        if given.relevant is None:
            raise TwinlensError(
                Message("The truth “{text}” needs a library.", text=text), Message("Use `twinlens lab run`.")
            )
        return _Right(given.relevant, given.relevant, given.meaning)
    if (radius := radius_neighbour(text)) is not None:
        relevant, meaning = _within(radius, found, distance, given.base, given.queries, given.own, progress)
        return _Right(relevant, first, meaning)
    return _Right(found.first(RELEVANT), first, f"the {RELEVANT} nearest by {text}")


def _metric(
    experiment: Experiment,
    given: Tables,
    pairs: Callable[[], Pairs | None],
    kernel: Kernel | None,
    progress: Progress,
) -> FittedMetric | SparseMetric | None:
    if given.metric is None:
        return bench_metric(experiment.metric, given.base, progress, pairs, kernel)
    return given.metric.fitted_to(given.base[draw(len(given.base), SAMPLE, np.random.default_rng(SEED))])


def truth_of(experiment: Experiment, method: HashMethod, given: Tables, with_metric: bool) -> str:
    """Return the text of the truth: what is said, else the metric, else what ranks the data or the first method."""
    return experiment.truth or ("metric" if with_metric else given.measure or own_measure(method) or "l2")


def _check(kernel: Kernel, tables: Mapping[str, Vectors]) -> None:
    """Refuse what a kernel is not defined for, all of it and now: a method would see a sample alone."""
    for name, table in tables.items():
        with naming(name):
            kernel.check(table)


def _without_metric(method: HashMethod, base: Vectors) -> Distance:
    """Return the distance of the method alone, known to the last number."""
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
    """Return what is nearer than the average distance to the count-th neighbour, which is Kim and Choi's protocol."""
    place = min(count, found.distances.shape[1]) - 1
    squared = isinstance(distance, Euclidean)
    far = np.sqrt(found.distances[:, place]) if squared else found.distances[:, place]
    relevant = within(distance, base, queries, float(far.mean()) ** 2, own, progress)
    kept = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    return kept, f"what is nearer than the average distance to neighbour {place + 1} ({far.mean():.4g})"
