"""Task of a bench: vectors, labels, metric and truth of an experiment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.bench.experiment import Experiment
from app.bench.metric import bench_metric
from app.bench.named_truth import radius_neighbour, truth_distance
from app.bench.pairs import pairs_of_file, pairs_of_labels
from app.bench.results import BenchData
from app.bench.tables import Tables, load_tables
from app.bench.vector_table import naming
from core.errors import TwinlensError
from core.evaluation.evaluation_task import NEIGHBOURS, RELEVANT, Task
from core.evaluation.named_distance import SAMPLE, SEED, own_measure, with_width
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
from core.hashing.hash_method import HashMethod
from core.kernels import Kernel
from core.message import Message
from core.metrics import FittedMetric, Pairs, SparseMetric
from core.progress import Progress, part
from core.projections.subspaces import draw
from core.vectors import Vectors

MOST_RELEVANT = 5_000
CANDIDATES = 100

FOLDERS = "folders"
OWN_TRUTHS = (FOLDERS, "marks", "edits")
"""Truths given by the photographs of a library."""


@dataclass(frozen=True, eq=False)
class BenchTask:
    """A task with its data.

    Attributes
    ----------
    task : Task
    metric : FittedMetric, SparseMetric or None
        Applied before every method.
    before : Task or None
        The same task ranked without the metric, if there are labels.
    data : BenchData
    exact : float
        Seconds of exact search per query.
    """

    task: Task
    metric: FittedMetric | SparseMetric | None
    before: Task | None
    data: BenchData
    exact: float


def load_task(
    experiment: Experiment, methods: Sequence[HashMethod], progress: Progress, tables: Tables | None = None
) -> BenchTask:
    """Load the data, unless it is given, and find the true neighbours."""
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
    named = {given.name: base, experiment.queries or "queries": given.queries}
    if metric is None and is_dense(base):
        for one in methods:
            kernel = getattr(one, "kernel", None)
            if isinstance(kernel, Kernel) and kernel.non_negative:
                _check(kernel, named)
    text = truth_of(experiment, method, given, metric is not None)
    own_truth = text in OWN_TRUTHS
    ranked = (given.measure if metric is None else "") or "labels" if own_truth else text
    distance = with_width(truth_distance(ranked, method, base, metric), base)
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
    """Right results for precision, recall and mAP, and for recall@R."""

    relevant: Sequence[Rows]
    nearest: Sequence[Rows]
    meaning: Message


def _right(text: str, found: Neighbours, distance: Distance, given: Tables, progress: Progress) -> _Right:
    """Return the right results by a truth."""
    first = found.first(1)
    if text in {"labels", FOLDERS}:
        if given.labels is None or given.query_labels is None:
            raise TwinlensError(
                Message("The truth “{truth}” needs labels of base and queries.", truth=text),
                Message("Give a file of labels."),
            )
        relevant = sharing_label(given.labels, given.query_labels, given.own)
        return _Right(relevant, first, given.meaning or Message("vectors with the same label"))
    if text in OWN_TRUTHS:
        if given.relevant is None:
            raise TwinlensError(
                Message("The truth “{truth}” needs a library.", truth=text),
                Message("Run the experiment in the library."),
            )
        return _Right(given.relevant, given.relevant, given.meaning)
    if (radius := radius_neighbour(text)) is not None:
        relevant, meaning = _within(radius, found, distance, given, progress)
        return _Right(relevant, first, meaning)
    return _Right(found.first(RELEVANT), first, Message("the {count} nearest by {truth}", count=RELEVANT, truth=text))


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
    """Return the text form of the truth: the named one, else the metric, the data's measure or the first method's."""
    return experiment.truth or ("metric" if with_metric else given.measure or own_measure(method) or "l2")


def _check(kernel: Kernel, tables: Mapping[str, Vectors]) -> None:
    """Refuse tables that a kernel is not defined for, since a method checks only its sample."""
    for name, table in tables.items():
        with naming(name):
            kernel.check(table)


def _without_metric(method: HashMethod, base: Vectors) -> Distance:
    """Return the distance of the method without the metric."""
    return with_width(truth_distance(own_measure(method) or "l2", method, base, None), base)


def _within(
    count: int, found: Neighbours, distance: Distance, given: Tables, progress: Progress
) -> tuple[list[Rows], Message]:
    """Return the rows nearer than the average distance to the count-th neighbour (Kim and Choi's protocol)."""
    place = min(count, found.distances.shape[1]) - 1
    squared = isinstance(distance, Euclidean)
    far = np.sqrt(found.distances[:, place]) if squared else found.distances[:, place]
    relevant = within(distance, given.base, given.queries, float(far.mean()) ** 2, given.own, progress)
    kept = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    return kept, Message(
        "vectors nearer than the average distance to neighbour {place} ({distance:.4g})",
        place=place + 1,
        distance=far.mean(),
    )
