"""Figures of a library's indexes against exact search, measured and kept as the Lab's own experiments."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydantic import Field

from app.bench.cached_steps import CachedSteps
from app.bench.experiment import Experiment
from app.bench.results import BenchData, BenchMethodResult
from app.bench.rows import rows_of
from app.indexes.index_names import find_index, text_of
from app.indexes.usable import usable_indexes
from app.lab.experiments.runner import prepare_plan
from app.library.library import Library
from app.methods import catalogue
from app.results import Result
from core.errors import Remedy, TwinlensError
from core.evaluation.engine import measure_plan
from core.evaluation.timing import Timing
from core.message import Message
from core.progress import Progress, part, silent


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
    """Measure what indexes find of the exact results: as ``bench`` would, of the same vectors.

    Parameters
    ----------
    library : Library
    names : sequence of str
        Empty for all that can answer.
    queries : int
        Photographs to ask with; 0 for 100.
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such index, or it has no vectors.
    Cancelled
        If progress says so; measured steps are kept.
    """
    began = time.perf_counter()
    with library.store.reading() as r:
        rows = [find_index(r, name) for name in dict.fromkeys(names)] or [
            row for row in usable_indexes(r) if row.kind_id is not None
        ]
    if not rows:
        raise TwinlensError(Message("No index has photos yet."), Remedy("add folder"))
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
        measured = measure_plan(plan, CachedSteps.of(library), timing)
        (one,) = rows_of(experiment, [step.key for step in plan.steps], measured)
        data = BenchData(**vars(one.steps[0].facts))
        found.append(IndexFigures(index=row.name, text=text_of(row), data=data, measured=one.result))
    return ExactResult(indexes=found, notes=notes, seconds=time.perf_counter() - began)
