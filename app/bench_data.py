"""What a bench is run on: vectors, labels, metric and truth, from the files that an experiment names."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench_metric import SAMPLE, SEED, bench_metric
from app.bench_results import BenchData
from app.experiment import Experiment
from app.vector_files import has_array, load_vectors
from core.declaration import read
from core.errors import DeclarationError, TwinlensError
from core.evaluation.task import Task
from core.evaluation.truth import (
    Cosine,
    Distance,
    Euclidean,
    KernelDistance,
    MetricDistance,
    Neighbours,
    Rows,
    SparseDistance,
    is_dense,
    nearest,
    sharing_label,
    within,
)
from core.hash_method import HashMethod
from core.kernels import KERNELS, Kernel
from core.metrics import FittedMetric, SparseMetric
from core.progress import Progress, part
from core.subspaces import draw
from core.vectors import Vectors, as_vectors

NEIGHBOURS = 100
RELEVANT = 50
MOST_RELEVANT = 5_000
DRAWN = 100
CANDIDATES = 100
_RADIUS = re.compile(r"radius:(\d+)")

Labels = npt.NDArray[np.int64]


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
    metric = bench_metric(experiment.metric, base, part(progress, 0.0, 0.1))
    tables = {experiment.base: base, experiment.queries or "The queries": queries}
    if metric is None and is_dense(base):
        for one in methods:
            kernel = getattr(one, "kernel", None)
            if isinstance(kernel, Kernel) and kernel.non_negative:
                _check(kernel, tables)
    text = experiment.truth or ("metric" if metric is not None else _own_measure(method))
    distance = _distance(text, method, base, metric)
    left_out = 0
    if isinstance(distance, KernelDistance):
        rng = np.random.default_rng(SEED)
        distance = KernelDistance(distance.kernel.fitted_to(base[draw(len(base), SAMPLE, rng)], rng))
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
    elif radius := _RADIUS.fullmatch(text):
        relevant, meaning = _within(int(radius[1]), found, distance, base, queries, own, part(progress, 0.7, 1.0))
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
        with _naming(name):
            kernel.check(table)


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """Say of which file it is what a sentence says."""
    try:
        yield
    except TwinlensError as error:
        raise TwinlensError(f"{name}: {error.sentence}", error.next_step) from None


def _vectors(experiment: Experiment) -> tuple[Vectors, Vectors, Rows | None, Labels | None, Labels | None]:
    """Load base, queries, the queries' rows in the base, and the labels of both."""
    base = _table(experiment.base)
    labels = _labels(experiment.labels, base.shape[0])
    named = experiment.queries
    if not named and has_array(experiment.base, "train") and has_array(experiment.base, "test"):
        named = f"{experiment.base}::test"  # of ann-benchmarks
    if not named:
        count = min(experiment.query_count or DRAWN, base.shape[0])
        own = np.sort(np.random.default_rng(SEED).choice(base.shape[0], count, replace=False))
        return base, base[own], own, labels, None if labels is None else labels[own]
    queries = _table(named)
    asks_itself = _same_file(named, experiment.base)
    if is_dense(base) != is_dense(queries):
        raise TwinlensError("Of base and queries one is sparse and the other is not.", "Give both alike.")
    query_labels = _labels(experiment.query_labels, queries.shape[0])
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


def _table(name: str) -> Vectors:
    table: Any = load_vectors(name)
    if not isinstance(table, np.ndarray):  # sparse, and checked
        if 0 in table.shape:
            raise TwinlensError(f"{name} holds no vectors.", "Give a table of numbers with one vector in each row.")
        sparse: Vectors = table
        return sparse
    if table.ndim == 3:  # matrices: bilinear methods lay them out again
        table = table.reshape(len(table), -1)
    if table.ndim != 2 or table.dtype.kind not in "biuf" or 0 in table.shape:
        said = f"{name} holds {table.shape} of {table.dtype}, which is no table of vectors."
        raise TwinlensError(said, "Give a table of numbers with one vector in each row.")
    with _naming(name):
        return as_vectors(table, np.float32)


def _labels(name: str, expected: int) -> Labels | None:
    if not name:
        return None
    labels = load_vectors(name)
    if not isinstance(labels, np.ndarray):
        raise TwinlensError(f"{name} is a sparse table, which is no row of labels.", "Give a label for each vector.")
    labels = labels.reshape(-1)
    if len(labels) != expected:
        raise TwinlensError(f"{name} has {len(labels):,} labels for {expected:,} vectors.", "Give one for each.")
    if labels.dtype.kind in "iu":
        return labels.astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


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


def _own_measure(method: HashMethod) -> str:
    kernel = getattr(method, "kernel", None)
    return kernel.text() if isinstance(kernel, Kernel) else "l2"


def _without_metric(method: HashMethod, base: Vectors) -> Distance:
    """Give the distance of the method alone, known to the last number."""
    distance = _distance(_own_measure(method), method, base, None)
    if isinstance(distance, KernelDistance):
        rng = np.random.default_rng(SEED)
        return KernelDistance(distance.kernel.fitted_to(base[draw(len(base), SAMPLE, rng)], rng))
    return distance


def _distance(text: str, method: HashMethod, base: Vectors, metric: FittedMetric | SparseMetric | None) -> Distance:
    """Give the distance that a truth names."""
    if text in {"metric", "labels"} and metric is not None:
        return MetricDistance(metric) if isinstance(metric, FittedMetric) else SparseDistance(metric)
    if text == "metric":
        raise TwinlensError("The truth “metric” needs a metric.", "Give --metric.")
    if text == "labels":
        return _distance(_own_measure(method), method, base, None)
    radius = _RADIUS.fullmatch(text)
    if radius and not 1 <= int(radius[1]) <= NEIGHBOURS:
        raise TwinlensError(
            f"The truth “{text}” cannot be: the neighbour is a whole number from 1 to {NEIGHBOURS}.",
            "Give radius:50 for the average distance to neighbour 50.",
        )
    plain = text == "l2" or radius
    if not is_dense(base):
        if plain or text == "cosine":
            return SparseDistance(SparseMetric.plain(base.shape[1], "distance" if plain else "kernel"))
        raise TwinlensError(
            f"Sparse vectors cannot be measured by “{text}”.", "Choose l2, cosine, metric, labels or radius:50."
        )
    if plain:
        return Euclidean()
    if text == "cosine":
        return Cosine()
    try:
        return KernelDistance(read(KERNELS, text))
    except DeclarationError:
        if re.split("[:(]", text, maxsplit=1)[0] in {kernel.key for kernel in KERNELS}:
            raise  # a kernel is meant, and a parameter of it is wrong
        raise TwinlensError(
            f"There is no truth “{text}”.",
            "Give l2, cosine, metric, labels, radius:50, or the text form of a kernel.",
        ) from None


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
