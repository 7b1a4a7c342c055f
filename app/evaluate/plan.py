"""Plan of an evaluation with pictures: each question, answered by each column, is a step that is kept.

A column is an index, a descriptor measured exactly, or the yardstick. The key of a step says everything that decides
the answer, so that an evaluation that was stopped goes on, and one with more photographs asks only the new ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, product
from typing import Any

import numpy as np

from app.bench.cached_steps import CachedSteps
from app.evaluate.columns import PROGRAM, EvaluationColumn, json_digest
from app.evaluate.edited_copies import Copy, copies_left_out
from app.evaluate.perceptual_hash import HashedThumbnails
from app.machine import waiting
from app.search.question import QuerySource
from app.search.searcher import Searcher
from app.search.wanted import SearchOptions
from core.errors import Cancelled, TwinlensError
from core.evaluation.answers import Judgement, QueryTruth, RankedItems
from core.evaluation.engine import DATA, measure_plan
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import DataFacts, DeclaredStep, step_key
from core.evaluation.summary import summed
from core.evaluation.timing import Timing
from core.message import NOTHING, Message
from core.progress import Progress
from features.reading.unreadable import UnreadableError


@dataclass(frozen=True, eq=False)
class EvaluationQuery:
    """A query of an evaluation.

    Attributes
    ----------
    name : Message
    known : dict
        What tells its picture from any other.
    truth : Right
    beside : int
        How many more results are asked for, since so many do not count.
    picture : callable
        Returns what is asked with.
    kind : str
        By which figures are summed up: the edit, or what the picture shows.
    """

    name: Message
    known: Mapping[str, Any]
    truth: QueryTruth
    beside: int
    picture: Callable[[], QuerySource | Copy]
    kind: str


QueryStep = DeclaredStep[tuple[EvaluationQuery, EvaluationColumn]]
"""The answer of one column to one question."""


@dataclass(frozen=True, eq=False)
class EvaluationPlan:
    """Questions for columns.

    Attributes
    ----------
    searcher : Searcher
    questions : sequence of Question
    columns : sequence of Column
    truth : str
    first : int
        Results that each column is asked for.
    hashed : HashedThumbnails, optional
        Where the yardstick is among the columns.
    failed : list of Question
        Those so far whose picture no process could make or describe.
    """

    searcher: Searcher
    questions: Sequence[EvaluationQuery]
    columns: Sequence[EvaluationColumn]
    truth: str
    first: int
    hashed: HashedThumbnails | None = None
    failed: list[EvaluationQuery] = field(default_factory=list)

    @property
    def digests(self) -> Mapping[str, str]:
        """Digest of all that is asked."""
        return {DATA: json_digest(one.known for one in self.columns)}

    @cached_property
    def steps(self) -> list[QueryStep]:
        """The steps, question by question."""
        return [
            DeclaredStep(self._key(question, column), (question, column), question.name, column.known)
            for question, column in product(self.questions, self.columns)
        ]

    def _key(self, question: EvaluationQuery, column: EvaluationColumn) -> str:
        truth = question.truth
        sets = (sorted(truth.right), sorted(truth.beside), truth.any_right, truth.most)
        about = {"program": PROGRAM, "truth": json_digest(sets), "first": self.first, "depth": column.depth}
        return step_key([column.known], {**about, "beside": question.beside, **question.known})

    def together(self, steps: Sequence[QueryStep]) -> Iterator[list[QueryStep]]:
        """Yield the steps of one question, whose picture is made and described once."""
        for _, group in groupby(steps, key=lambda one: id(one.what[0])):
            yield list(group)

    def load(self, progress: Progress) -> EvaluationPlan:
        """Return the plan as it is: indexes are loaded by the first search."""
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        asked = [one.name for one in self.columns if one.row is not None]
        return DataFacts(", ".join(asked), 0, 0, len(self.questions), self.truth)

    @property
    def exact(self) -> float:
        """Unknown."""
        return 0.0

    def figures(self, steps: Sequence[QueryStep], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of the columns that answer one question."""
        question = steps[0].what[0]
        progress(0, 1, NOTHING)
        try:
            answers = self._answers(question, [column for _, column in (step.what for step in steps)])
        except UnreadableError:
            self.failed.append(question)
            return
        for column, answer in answers.items():
            judged = Judgement(depth=column.depth)
            judged.add(question.truth, answer)
            figures = Figures(map=judged.reciprocal_rank)
            judged.fill(figures)
            yield figures

    def _answers(
        self, question: EvaluationQuery, columns: Sequence[EvaluationColumn]
    ) -> dict[EvaluationColumn, RankedItems]:
        asked, found = question.picture(), {}
        with waiting.in_background():
            pictured, its_hash = asked.made() if isinstance(asked, Copy) else (asked, None)
        for kind in ("index", "descriptor"):
            some = [column for column in columns if column.kind == kind]
            if not some:
                continue
            wanted = SearchOptions(self.first + question.beside, exact=kind == "descriptor", check=some[0].check)
            names = [column.row.name for column in some if column.row is not None]
            with waiting.in_background():
                results = self.searcher.ask(pictured, names, wanted)
            for column, result in zip(some, results, strict=True):
                hits = np.array([hit.id for hit in result.hits], np.int64)
                found[column] = RankedItems(hits, seconds=result.seconds.total)
        self._expect_unchanged(columns)
        for column in columns:
            if column.row is None and self.hashed is not None and its_hash is not None:
                began = time.perf_counter()
                found[column] = RankedItems(self.hashed.ranked(its_hash), seconds=time.perf_counter() - began)
        return {column: found[column] for column in columns}

    def _expect_unchanged(self, columns: Sequence[EvaluationColumn]) -> None:
        """Refuse answers of an index that has other codes now: they would be kept as those of the former."""
        with self.searcher.library.store.reading() as r:
            for row in filter(None, (column.row for column in columns)):
                now = r.indexes.by_id(row.id)
                if now is None or now.codes_token != row.codes_token:
                    raise TwinlensError(
                        Message("“{name}” has changed while it was measured.", name=row.name),
                        Message("Evaluate it again."),
                    )


@dataclass(frozen=True, eq=False)
class EvaluationFigures:
    """The figures of a plan so far.

    Attributes
    ----------
    questions : list of Question
        Those that every column answered.
    cancelled : bool
        Whether others are left.
    failed : int
        How many could not be asked, since no process could make or describe their picture.
    """

    questions: list[EvaluationQuery]
    cancelled: bool
    failed: int
    _figures: Mapping[tuple[EvaluationQuery, EvaluationColumn], Figures]

    def mean(self, column: EvaluationColumn, questions: Sequence[EvaluationQuery]) -> Figures:
        """Return the mean figures of a column over some questions."""
        return summed([self._figures[question, column] for question in questions]).mean


def measure_evaluation(plan: EvaluationPlan, timing: Timing) -> EvaluationFigures:
    """Ask what was not asked before, and return what is known; all of it is kept in the cache of the library.

    Raises
    ------
    TwinlensError
        If an index changes meanwhile, or a picture cannot be had.
    Cancelled
        If progress says so before any question is answered.
    """
    store, cancelled = CachedSteps.of(plan.searcher.library), False
    try:
        measure_plan(plan, store, timing)
    except Cancelled:
        cancelled = True
    kept = store.kept([step.key for step in plan.steps])
    figures = {step.what: kept[step.key].figures for step in plan.steps if step.key in kept}
    questions = [one for one in plan.questions if all((one, column) in figures for column in plan.columns)]
    if cancelled and not questions:
        raise Cancelled
    if plan.failed and not questions:
        raise TwinlensError(copies_left_out(len(plan.failed)))
    return EvaluationFigures(questions, cancelled, len(plan.failed), figures)
