"""Running of plans on a library: each measured step is kept at once and never measured again.

The data of an experiment are stored vectors of an index, queries, and right results. The indexes of the library are
measured against exact search in the same way, and their figures are kept.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field

from twinlens.app.bench.bench import PlanOnTables, measurable, rows_of, written_out
from twinlens.app.bench.bench_results import BenchData, BenchMethodResult
from twinlens.app.bench.experiment import Experiment, from_toml, is_file_of_metric
from twinlens.app.bench.kept_steps import CachedSteps, measured_of, row_of
from twinlens.app.bench.partitions import PartitionsPlan
from twinlens.app.bench.vector_files import load_tables
from twinlens.app.evaluate.edited_copies import Copy, PhotographOrder
from twinlens.app.evaluate.evaluation import PHOTOGRAPHS, chosen_edits
from twinlens.app.indexes.encoders import folder_labels
from twinlens.app.indexes.fitted_models import load_extractor, load_metric, usable_indexes
from twinlens.app.indexes.index_specification import metric_text, named_metric
from twinlens.app.indexes.indexes import find_index, text_of
from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.lab.experiments.lab_results import LabRun
from twinlens.app.lab.experiments.runs import find_run, load_run
from twinlens.app.library import volumes
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.app.results import Result
from twinlens.app.search.describing import Describer
from twinlens.core.arrays import Float32Vectors, Int64Ids, Int64Rows
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.measurement import MeasuredStep, Timing, measure_plan
from twinlens.core.evaluation.tables import CONCEPTS, FOLDERS, Tables, draw_queries
from twinlens.core.exact_search.measure import Measure
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.library.store import Transaction


def prepare_plan(
    library: Library | None, experiment: Experiment, progress: Progress = silent
) -> tuple[Experiment, PlanOnTables]:
    """Read the data of a plan, write out its sweeps, and list its steps.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or the data cannot be had or do not fit.
    """
    experiment, tables = experiment_tables(library, written_out(experiment), progress)
    plan = measurable(experiment, tables)
    return (plan.experiment if isinstance(plan, PartitionsPlan) else experiment), plan


def run_experiment(
    library: Library,
    experiment: Experiment,
    name: str = "",
    progress: Progress = silent,
    kept: Callable[[int], None] = lambda _: None,
) -> LabRun:
    """Measure a plan and keep it as a run.

    Parameters
    ----------
    library : Library
        Library that keeps the run, and has the photographs if the plan names an index.
    experiment : Experiment
        The plan.
    name : str
        Name of the run; empty for the plan's own name, or one made from its question or methods. A run with this name
        and plan is resumed.
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown. It pauses the work by not returning.
    kept : callable
        Called with the id of the run when it is created, and after each kept step.

    Raises
    ------
    TwinlensError
        If the plan cannot be run, or another run has the name.
    Cancelled
        If progress raises it; measured steps are kept, and :func:`resume_run` continues.
    """
    timing = Timing(progress)
    experiment, plan = prepare_plan(library, _absolute(experiment), timing.preparing)
    keys = [step.key for step in plan.steps]
    wanted = name.strip() or experiment.name
    with library.store.writing("keeping a run of the Lab") as w:
        known = w.lab.by_name(wanted) if wanted else None
        chosen = wanted or _free((row.name for row in w.lab.all()), _named(experiment))
        text = experiment.changed(name=chosen).to_toml()
        if known is not None and list(known.steps) == keys:
            w.lab.change(known.id, text, keys)
            run_id = known.id
        else:
            run_id = w.lab.add(chosen, text, keys).id
    kept(run_id)
    measure_plan(plan, LibrarySteps(library), timing, partial(kept, run_id))
    return load_run(library, run_id)


def resume_run(
    library: Library, name: str, progress: Progress = silent, kept: Callable[[int], None] = lambda _: None
) -> LabRun:
    """Resume a run; a complete run measures nothing.

    If photographs, marks or files have changed, all steps are measured again, since a table must not mix data.
    """
    timing = Timing(progress)
    with library.store.reading() as r:
        row = find_run(r, name)
    experiment, plan = prepare_plan(library, from_toml(row.plan, Path()), timing.preparing)
    keys = [step.key for step in plan.steps]
    if keys != list(row.steps):
        with library.store.writing("keeping a run of the Lab") as w:
            w.lab.change(row.id, experiment.to_toml(), keys)
    kept(row.id)
    measure_plan(plan, LibrarySteps(library), timing, partial(kept, row.id))
    return load_run(library, row.id)


def _absolute(experiment: Experiment) -> Experiment:
    """Return an experiment with absolute paths."""
    names = ("base", "queries", "labels", "query_labels", "pairs")
    files = {name: getattr(experiment, name) for name in names}
    if is_file_of_metric(experiment.metric):
        files["metric"] = experiment.metric
    return experiment.changed(
        **{name: os.path.abspath(os.path.expanduser(file)) for name, file in files.items() if file}
    )


def _named(experiment: Experiment) -> str:
    """Return the name of a run that has none."""
    if experiment.question:
        return experiment.question.rstrip("?").strip()
    families = dict.fromkeys(text.partition(":")[0] for text in experiment.methods)
    return f"{', '.join(families)} by {experiment.truth or 'exact neighbours'}, {time.strftime('%Y-%m-%d')}"


def _free(taken: Iterable[str], name: str) -> str:
    known, chosen, number = set(taken), name, 2
    while chosen in known:
        chosen, number = f"{name} ({number})", number + 1
    return chosen


class LibrarySteps:
    """Measured steps of runs in the library; steps of other measurements are copied from the cache."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return the kept ones of some steps."""
        with self._library.store.reading() as r:
            found = {key: measured_of(row) for key, row in r.lab.steps(keys).items()}
        for key, one in CachedSteps.of(self._library.store.id).kept([key for key in keys if key not in found]).items():
            self.keep(one)
            found[key] = one
        return found

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step."""
        with self._library.store.writing("keeping a step of the Lab") as w:
            w.lab.put(row_of(one))


LEAST = 2
"""Fewest photographs with a vector."""


def experiment_tables(
    library: Library | None, experiment: Experiment, progress: Progress = silent
) -> tuple[Experiment, Tables]:
    """Return an experiment with its metric named, and its data.

    Raises
    ------
    TwinlensError
        If a file or an index is missing, or the library has no data for the truth.
    Cancelled
        If progress raises it.
    """
    if not experiment.index:
        return experiment, load_tables(experiment)
    if library is None:
        raise TwinlensError("This experiment measures photos of a library.", Remedy("choose another library"))
    with library.store.reading() as r:
        measured = index_measure(r, experiment.index)
        if not experiment.metric:
            experiment = experiment.changed(metric=metric_text(measured.row))
        ids, base = _vectors(r, measured)
        kept = named_metric(r, experiment.metric) if experiment.metric else None
        tables = Tables(
            name=f"{measured.row.name} ({measured.descriptor.text()})",
            base=base,
            queries=base[:0],
            measure=measured.measure.kernel.text() if isinstance(measured.measure, Measure) else "",
            metric=None if kept is None else load_metric(r, kept.model_id),
        )
        photographs = _Photographs(tables, ids)
        if experiment.truth == FOLDERS:
            return experiment, _by_folder(r, experiment, photographs)
        if experiment.truth == CONCEPTS:
            return experiment, _by_concepts(r, experiment, photographs)
        if experiment.truth == "marks":
            return experiment, _by_marks(r, experiment, photographs)
        extractor = load_extractor(r, measured.kind) if experiment.truth == "edits" else None
    if extractor is not None:
        describer = Describer({measured.kind.key: (measured.descriptor, extractor)})

        def described(copy: Copy) -> Float32Vectors:
            (vector,) = describer.vectors(copy.editing).values()
            return measured.kind.rounded(vector).astype(np.float32)

        return experiment, _by_edits(library, experiment, photographs, described, progress)
    return experiment, _with_queries(tables, draw_queries(len(base), experiment.query_count))


@dataclass(frozen=True, eq=False)
class _Photographs:
    """Tables whose rows are photographs of the library, with their ids."""

    tables: Tables
    ids: Int64Ids


def _vectors(r: Transaction, measured: IndexMeasure) -> tuple[Int64Ids, Float32Vectors]:
    """Read every vector of an index in the order of the photographs."""
    blocks = [(ids, vectors.astype(np.float32)) for ids, vectors in r.descriptors.blocks(measured.kind)]
    count = sum(len(ids) for ids, _ in blocks)
    if count < LEAST:
        raise TwinlensError(
            counted(
                "The library has {count} photo with a vector of {descriptor}, too few to compare.",
                "The library has {count} photos with vectors of {descriptor}, too few to compare.",
                count,
                descriptor=measured.descriptor.text(),
            ),
            Remedy("add folder"),
        )
    return np.concatenate([ids for ids, _ in blocks]), np.concatenate([vectors for _, vectors in blocks])


def _with_queries(tables: Tables, own: Int64Rows) -> Tables:
    labels = None if tables.labels is None else tables.labels[own]
    return replace(tables, queries=tables.base[own], own=own, query_labels=labels)


def _by_folder(r: Transaction, experiment: Experiment, given: _Photographs) -> Tables:
    """Return tables whose queries and relevant photographs share a folder."""
    labels = folder_labels(r, given.ids)
    together = np.flatnonzero(np.bincount(labels)[labels] > 1)
    if not len(together) or labels.max() + 1 < LEAST:
        raise TwinlensError(
            "This truth needs at least two folders, one of them with several photos.",
            "Choose another truth, such as exact neighbours.",
        )
    own = together[draw_queries(len(together), experiment.query_count)]
    return _with_queries(replace(given.tables, labels=labels, meaning=Message("photos in the same folder")), own)


def _by_concepts(r: Transaction, experiment: Experiment, given: _Photographs) -> Tables:
    """Return tables of the photographs that surely show something; the narrowest such concept is their label."""
    shown = ShownConcepts.of(r)
    subjects = shown.subjects()
    known, rows, places = np.intersect1d(given.ids, shown.ids[subjects >= 0], assume_unique=True, return_indices=True)
    labels = subjects[subjects >= 0][places]
    together = np.flatnonzero(np.bincount(labels)[labels] > 1) if len(known) else known
    if not len(together) or len(np.unique(labels)) < LEAST:
        raise TwinlensError(
            "This truth needs photos that surely show two things, one of them in several photos.",
            "Choose another truth, such as exact neighbours.",
        )
    own = together[draw_queries(len(together), experiment.query_count)]
    tables = replace(given.tables, base=given.tables.base[rows], labels=labels)
    return _with_queries(replace(tables, meaning=Message("photos that show the same thing")), own)


def _by_marks(r: Transaction, experiment: Experiment, given: _Photographs) -> Tables:
    """Return tables whose relevant photographs are marked as similar, or identical files."""
    with_hash, hashes = r.photographs.contents(given.ids)
    rows: dict[bytes, list[int]] = {}
    for row, content in zip(np.searchsorted(given.ids, with_hash).tolist(), hashes, strict=True):
        rows.setdefault(content, []).append(row)
    contradicted = r.marks.contradicted()
    right: dict[bytes, set[bytes]] = {}
    for mark in r.marks.all():
        if mark.similar and mark.pair not in contradicted and mark.first in rows and mark.second in rows:
            right.setdefault(mark.first, {mark.first}).add(mark.second)
            right.setdefault(mark.second, {mark.second}).add(mark.first)
    if not right:
        raise TwinlensError("No two photos of the library are marked as similar.", Remedy("mark pairs"))
    asking = sorted(right, key=lambda content: rows[content][0])
    asking = [asking[place] for place in draw_queries(len(asking), experiment.query_count or len(asking))]
    own = np.array([rows[content][0] for content in asking], np.int64)
    relevant = [
        np.array(sorted({row for other in right[content] for row in rows[other]} - {asker}), np.int64)
        for content, asker in zip(asking, own.tolist(), strict=True)
    ]
    return replace(_with_queries(given.tables, own), relevant=relevant, meaning=Message("photos marked as similar"))


def _by_edits(
    library: Library,
    experiment: Experiment,
    given: _Photographs,
    described: Callable[[Copy], Float32Vectors],
    progress: Progress,
) -> Tables:
    """Return tables with edited copies as queries, made as in ``evaluate``; their originals are relevant."""
    queries: list[npt.NDArray[np.float32]] = []
    relevant: list[Int64Rows] = []
    own: list[int] = []
    edits = chosen_edits(experiment.edits)
    count = experiment.query_count or PHOTOGRAPHS
    draw = PhotographOrder(library, None, 0)
    total = min(count, len(draw.contents)) * len(edits)
    copies: Iterator[Copy] = (copy for some in draw.copies(edits, count) for copy in some)
    for done, copy in enumerate(copies):
        progress(done, total, Message("Making edited copies"))
        right, beside = _rows(given.ids, sorted(copy.right)), _rows(given.ids, sorted(copy.beside))
        if not len(right):
            continue  # it has no vector
        try:
            queries.append(described(copy))
        except UnreadableError:
            continue  # it costs itself
        relevant.append(right)
        own.append(int(beside[0]) if len(beside) else -1)
    if not queries:
        raise volumes.nothing_readable()
    return replace(
        given.tables,
        queries=np.stack(queries),
        own=np.array(own, np.int64),
        relevant=relevant,
        any_right=True,
        meaning=Message("the photo that was edited ({edits})", edits=[edit.name for edit in edits]),
    )


def _rows(ids: Int64Ids, wanted: Sequence[int]) -> Int64Rows:
    return np.flatnonzero(np.isin(ids, np.asarray(wanted, np.int64)))


def descriptor_of(library: Library, experiment: Experiment) -> str:
    """Return the text form of an experiment's descriptor."""
    with library.store.reading() as r:
        return catalogue.descriptor(index_measure(r, experiment.index).row.descriptor).text()


class IndexFigures(Result):
    """Figures of one index."""

    index: str
    text: str = Field(description="descriptor · method · search, in text form")
    data: BenchData
    measured: BenchMethodResult


class ExactResult(Result):
    """Result of ``evaluate --truth exact``."""

    indexes: list[IndexFigures]
    notes: list[Message] = Field(description="indexes that cannot be measured, and why")
    seconds: float = Field(description="time taken; steps measured before are not measured again")


def measure_indexes(
    library: Library, names: Sequence[str] = (), queries: int = 0, progress: Progress = silent
) -> ExactResult:
    """Measure the recall of indexes against exact search, as ``bench`` does with the same vectors.

    Parameters
    ----------
    names : sequence of str
        Empty for all that can answer.
    queries : int
        Photographs to ask with; 0 for 100.

    Raises
    ------
    TwinlensError
        If there is no such index, or it has no vectors.
    """
    began = time.perf_counter()
    with library.store.reading() as r:
        rows = [find_index(r, name) for name in dict.fromkeys(names)] or [
            row for row in usable_indexes(r) if row.kind_id is not None
        ]
    if not rows:
        raise TwinlensError("No index has photos yet.", Remedy("add folder"))
    found, notes = [], []
    for number, row in enumerate(rows):
        method = catalogue.method(row.method)
        wanted = Experiment(
            index=row.name, methods=(method.text(),), search=(catalogue.search_structure(row.search).text(),),
            seeds=(method.seed,), query_count=queries,
        )  # fmt: skip
        timing = Timing(part(progress, number / len(rows), (number + 1) / len(rows)))
        try:
            experiment, plan = prepare_plan(library, wanted, timing.preparing)
        except TwinlensError as error:
            if names:
                raise
            notes.append(error.whole)
            continue
        measured = measure_plan(plan, CachedSteps.of(library.store.id), timing)
        (one,) = rows_of(experiment, [step.key for step in plan.steps], measured)
        data = BenchData(**vars(one.steps[0].facts))
        found.append(IndexFigures(index=row.name, text=text_of(row), data=data, measured=one.result))
    return ExactResult(indexes=found, notes=notes, seconds=time.perf_counter() - began)
