"""Sample that the explorer measures on: stored vectors of an index, queries, and their true neighbours."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from twinlens.app.bench.bench import plan_of, written_out
from twinlens.app.bench.experiment import Experiment
from twinlens.app.indexes.fitted_models import load_metric, usable_indexes
from twinlens.app.indexes.index_specification import metric_text, named_metric
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.lab.experiments.runner import LEAST
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Ids, Int64Rows
from twinlens.core.declaration.parameters import Parameter
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.evaluation_task import EvaluationTask
from twinlens.core.evaluation.plan import LoadedTask
from twinlens.core.evaluation.tables import Tables, draw_queries
from twinlens.core.evaluation.truth import one_row
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.method_under_metric import under
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent

PHOTOGRAPHS = 2_000
"""Photographs in a sample."""

SAMPLE_QUERIES = 100
"""Photographs of the sample that ask, of which exact figures are means."""

FEW = 24
"""Of these, those that ask where an answer is wanted at once."""

FIRST = 10
"""Photographs that an answer shows, and that every search is asked for."""


def index_names(library: Library, without: Collection[str] = ()) -> list[str]:
    """Return the names of the indexes whose vectors can be drawn, except some."""
    with library.store.reading() as r:
        return [row.name for row in usable_indexes(r) if row.kind_id is not None and row.name not in without]


def count_vectors(library: Library, index: str) -> int:
    """Return the number of photographs that have a vector of an index.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.reading() as r:
        return r.descriptors.count(index_measure(r, index).kind)


@dataclass(frozen=True)
class SampleSettings:
    """Options of the sample that is drawn from a library.

    Attributes
    ----------
    photographs : int
        How many; all where there are fewer.
    seed : int
        Another seed draws others.
    include : sequence of int
        Photographs that are to be among them.
    """

    photographs: int = PHOTOGRAPHS
    seed: int = 0
    include: Sequence[int] = ()


_USUAL = SampleSettings()


@dataclass(frozen=True, eq=False)
class SampleData:
    """A sample of an index's vectors with its truth, from :func:`load_material` or :func:`sample_of_vectors`.

    Attributes
    ----------
    index : str
        Whose vectors they are.
    descriptor, metric, method, search : str
        Text forms of what the index has; the metric's name, or empty.
    matrix_shape : tuple of int or None
        Rows and columns, where a vector is a matrix.
    ids : ndarray of int64, (n,)
        Photographs, ascending.
    loaded : LoadedTask
        The task as ``bench`` makes it: n vectors, the questions, their true neighbours.
    library : int
        Photographs with such a vector that the library has.
    left_out : int
        Photographs of the draw of which these vectors say nothing.
    seed : int
        Of the draw.
    """

    index: str
    descriptor: str
    metric: str
    method: str
    search: str
    matrix_shape: tuple[int, int] | None
    ids: Int64Ids
    loaded: LoadedTask
    library: int
    left_out: int
    seed: int

    @property
    def task(self) -> EvaluationTask:
        """The evaluation task of exact readings."""
        return self.loaded.task

    @property
    def truth(self) -> str:
        """The measure by which the true neighbours are found, in text form, or ``metric``."""
        return self.loaded.facts.truth

    @cached_property
    def few(self) -> EvaluationTask:
        """The evaluation task of coarse readings: every n-th query, and all photographs."""
        task = self.task
        chosen = np.unique(np.linspace(0, len(task.queries) - 1, min(FEW, len(task.queries))).round().astype(int))
        nearest = None if task.nearest is None else [task.nearest[one] for one in chosen]
        return replace(
            task,
            queries=task.queries[chosen],
            own=None if task.own is None else task.own[chosen],
            neighbours=task.neighbours[chosen],
            relevant=[task.relevant[one] for one in chosen],
            nearest=nearest,
        )

    @cached_property
    def far_of_few(self) -> Float64Matrix:
        """Exact distances of every photograph from each of the few queries; infinite from itself, (q, n)."""
        return np.stack([self.far_from(int(row)) for row in self.query_rows(self.few)])

    @cached_property
    def first_of_few(self) -> Float64Matrix:
        """Exact distances of the first photographs from each of the few queries, ascending, (q, k)."""
        return np.sort(self.far_of_few, axis=1)[:, : min(FIRST, self.far_of_few.shape[1] - 1)]

    @cached_property
    def images(self) -> Float32Vectors:
        """The vectors that methods learn from and encode, transformed by the metric if there is one."""
        base: Float32Vectors = np.ascontiguousarray(self.task.base, np.float32)
        if not isinstance(self.loaded.metric, FittedMetric):
            return base
        return np.ascontiguousarray(self.loaded.metric.apply(base), np.float32)

    def of_images(self, method: HashMethod) -> HashMethod:
        """Return the method as it learns from transformed vectors."""
        metric = self.loaded.metric
        return under(metric, method).of_images() if isinstance(metric, FittedMetric) else method

    def query_rows(self, task: EvaluationTask) -> Int64Rows:
        """Return the rows of a task's queries."""
        assert task.own is not None
        return np.asarray(task.own, np.int64)

    def far_from(self, row: int) -> Float64Matrix:
        """Return the exact distances of all photographs from one, (n,); infinite from itself."""
        far = self.task.distance.exactly(one_row(self.task.base, row), self.task.base)
        far[row] = np.inf
        return far

    def row_of(self, photograph: int) -> int:
        """Return the row of a photograph; -1 if it is not in the sample."""
        place = int(np.searchsorted(self.ids, photograph))
        return place if place < len(self.ids) and self.ids[place] == photograph else -1

    def begun(self, method: HashMethod) -> HashMethod:
        """Return a newly chosen method with defaults for these vectors: the kernel of the truth, if possible.

        Then its recall says what hashing loses, and not what another kernel sees.
        """
        kernel = self._true_kernel()
        options: dict[str, Parameter] = {about.name: about for about in method.parameters()}
        about = options.get("kernel")
        if about is not None and about.options is not None and isinstance(kernel, tuple(about.options())):
            method = method.changed(kernel=kernel)
        dimensions = self.images.shape[1]
        if method.bits > dimensions:
            try:
                method.check(dimensions, self.matrix_shape)
            except TwinlensError:
                method = method.changed(bits=dimensions)
        return method

    def _true_kernel(self) -> Kernel | None:
        from twinlens.core.declaration.declaration import read_declaration

        key = self.truth.partition("(")[0].partition(":")[0]
        if not any(option.key == key for option in KERNELS):
            return None
        return read_declaration(KERNELS, self.truth)


def load_material(
    library: Library,
    index: str,
    sampling: SampleSettings = _USUAL,
    progress: Progress = silent,
) -> SampleData:
    """Draw photographs of a library, and find the true neighbours of some of them.

    Parameters
    ----------
    index : str
        Whose stored vectors are looked at, by the measure by which it ranks, behind its metric.

    Raises
    ------
    TwinlensError
        If there is no such index, or it has too few vectors.
    """
    progress(0, 1, Message("Reading vectors"))
    with library.store.reading() as r:
        measured = index_measure(r, index)
        every = np.asarray(r.descriptors.ids(measured.kind), np.int64)
        chosen = every
        if len(every) > sampling.photographs:
            wanted = np.intersect1d(every, np.asarray(sampling.include, np.int64))
            rest = np.setdiff1d(every, wanted)
            lacking = max(0, sampling.photographs - len(wanted))
            some = np.random.default_rng(sampling.seed).choice(rest, lacking, replace=False)
            chosen = np.sort(np.concatenate([wanted, some]))
        vectors, present = r.descriptors.read(measured.kind, chosen)
        metric = metric_text(measured.row)
        kept = named_metric(r, metric) if metric else None
        fitted = None if kept is None else load_metric(r, kept.model_id)
    base = vectors.astype(np.float32)
    telling = present & base.any(axis=1)
    if np.count_nonzero(telling) < LEAST:
        raise TwinlensError(
            "The library has {count_nonzero} photos of which vectors of {descriptor} say anything, too few to compare.",
            Remedy("add folder"),
            count_nonzero=np.count_nonzero(telling),
            descriptor=measured.descriptor.text(),
        )
    row = measured.row
    of_vectors = experiment_of_vectors(
        base[telling],
        f"{row.name} ({measured.descriptor.text()})",
        measured.measure.kernel.text() if isinstance(measured.measure, Measure) else "",
        metric,
        fitted,
    )
    made = sample_of_vectors(*of_vectors, measured.descriptor.matrix_shape, part(progress, 0.2, 1.0))
    return replace(
        made,
        index=row.name,
        ids=chosen[telling][: len(made.ids)],
        descriptor=row.descriptor,
        method=catalogue.written_declaration(catalogue.method(row.method)),
        search=catalogue.written_declaration(catalogue.search_structure(row.search)),
        library=len(every),
        left_out=int(np.count_nonzero(~telling)),
        seed=sampling.seed,
    )


def sample_of_vectors(
    experiment: Experiment,
    tables: Tables,
    matrix_shape: tuple[int, int] | None = None,
    progress: Progress = silent,
) -> SampleData:
    """Make a sample from the tables of :func:`experiment_of_vectors`; the truth is found as in ``bench``."""
    loaded = plan_of(written_out(experiment.changed(methods=("lsh",))), tables).load(progress)
    ids, given = np.arange(len(loaded.task.base), dtype=np.int64), len(tables.base)
    return SampleData(
        tables.name, "", experiment.metric, "lsh", "scan", matrix_shape, ids, loaded, given, 0, 0
    )  # fmt: skip


def experiment_of_vectors(
    base: Float32Vectors, name: str = "", measure: str = "", metric: str = "", fitted: FittedMetric | None = None
) -> tuple[Experiment, Tables]:
    """Return the experiment with which ``bench`` gives the same figures of vectors, (n, d), and its data.

    No vector is zero throughout.
    """
    own = draw_queries(len(base), SAMPLE_QUERIES)
    experiment = Experiment(base=name, metric=metric, query_count=SAMPLE_QUERIES, neighbours=FIRST)
    return experiment, Tables(name, base, base[own], own, measure=measure, metric=fitted)
