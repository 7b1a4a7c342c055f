"""Data of an experiment from a library: stored vectors of an index, queries, and right results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from app.bench.experiment import Experiment
from app.bench.tables import load_tables
from app.evaluate.edited_copies import Copy, PhotographOrder
from app.evaluate.evaluation import PHOTOGRAPHS, chosen_edits
from app.indexes.descriptor_kinds import load_extractor
from app.indexes.index_measure import IndexMeasure, index_measure
from app.indexes.index_metric import load_metric, metric_text, named_metric
from app.library.library import Library
from app.methods import catalogue
from app.search.describing import Describer
from core.arrays import Float32Vectors, Int64Ids, Int64Rows
from core.errors import Remedy, TwinlensError
from core.evaluation.right_results import FOLDERS
from core.evaluation.tables import Tables, draw_queries
from core.exact_search.measure import Measure
from core.message import Message, counted
from core.progress import Progress, silent
from features.reading.unreadable import UnreadableError
from storage.database.batches import pieces
from storage.library.transaction import Transaction

LEAST = 2
"""Fewest photographs with a vector."""


@dataclass(frozen=True, eq=False)
class _Photographs:
    """Tables whose rows are photographs of the library, with their ids."""

    tables: Tables
    ids: Int64Ids


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
        raise TwinlensError(Message("This experiment measures photos of a library."), Remedy("choose another library"))
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
        if experiment.truth == "marks":
            return experiment, _by_marks(r, experiment, photographs)
        extractor = load_extractor(r, measured.kind) if experiment.truth == "edits" else None
    if extractor is not None:
        stored = measured.kind.stored()

        describer = Describer({measured.kind.key: (measured.descriptor, extractor)})

        def described(copy: Copy) -> Float32Vectors:
            (vector,) = describer.vectors(copy.editing).values()
            return vector.astype(stored).astype(np.float32)

        return experiment, _by_edits(library, experiment, photographs, described, progress)
    return experiment, _asked(tables, draw_queries(len(base), experiment.query_count))


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


def _asked(tables: Tables, own: Int64Rows) -> Tables:
    labels = None if tables.labels is None else tables.labels[own]
    return replace(tables, queries=tables.base[own], own=own, query_labels=labels)


def _by_folder(r: Transaction, experiment: Experiment, given: _Photographs) -> Tables:
    """Return tables with photographs of the same folder as right; queries are those with company in their folder."""
    folders: dict[tuple[int, bytes], int] = {}
    number = {
        row.id: folders.setdefault((row.volume_id, os.path.dirname(row.path)), len(folders))
        for some in pieces(given.ids.tolist())
        for row in r.photographs.by_id(some)
    }
    labels = np.array([number.get(one, -1) for one in given.ids.tolist()], np.int64)
    together = np.flatnonzero(np.bincount(labels)[labels] > 1)
    if not len(together) or len(folders) < LEAST:
        raise TwinlensError(
            Message("This truth needs at least two folders, one of them with several photos."),
            Message("Choose another truth, such as exact neighbours."),
        )
    own = together[draw_queries(len(together), experiment.query_count)]
    return _asked(replace(given.tables, labels=labels, meaning=Message("photos in the same folder")), own)


def _by_marks(r: Transaction, experiment: Experiment, given: _Photographs) -> Tables:
    """Return tables with photos marked as similar, and identical files, as right."""
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
        raise TwinlensError(
            Message("No two photos of the library are marked as similar."),
            Remedy("mark pairs"),
        )
    asking = sorted(right, key=lambda content: rows[content][0])
    asking = [asking[place] for place in draw_queries(len(asking), experiment.query_count or len(asking))]
    own = np.array([rows[content][0] for content in asking], np.int64)
    relevant = [
        np.array(sorted({row for other in right[content] for row in rows[other]} - {asker}), np.int64)
        for content, asker in zip(asking, own.tolist(), strict=True)
    ]
    return replace(_asked(given.tables, own), relevant=relevant, meaning=Message("photos marked as similar"))


def _by_edits(
    library: Library,
    experiment: Experiment,
    given: _Photographs,
    described: Callable[[Copy], Float32Vectors],
    progress: Progress,
) -> Tables:
    """Return tables with edited copies as queries, made as in ``evaluate``, and their photographs as right."""
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
        raise TwinlensError(
            Message("None of the photos can be read now."),
            Remedy("connect disk"),
        )
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
