"""Plan of a measurement of hash methods on vectors: data, queries with their truth, and candidates.

Queries may be held out of one table: they share no item with what is searched and learned from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Rows
from twinlens.core.declaration.family import fault_of_package
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import NEIGHBOURS, RELEVANT, Candidate, EvaluationTask, Figures
from twinlens.core.evaluation.measurement import DATA, DataFacts, step_key
from twinlens.core.evaluation.method_evaluation import evaluate_ranking, evaluated_searches
from twinlens.core.evaluation.tables import OWN_TRUTHS, Tables, naming, right_results, truth_distance
from twinlens.core.evaluation.truth import (
    SAMPLE,
    SEED,
    Cosine,
    Distance,
    KernelDistance,
    TrueNeighbours,
    distance_with_width,
    is_dense,
    neighbours_of_rows,
    own_measure,
    true_neighbours,
)
from twinlens.core.hashing.hash_method import HashMethod, SupervisedMethod
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, joined
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.search.search_structure import Search
from twinlens.core.vectors import Vectors, unit_rows

CANDIDATES = 100
"""Nearest codes that are sorted again by their projections, where that average precision is asked for."""

AnyMetric = FittedMetric | SparseMetric


@dataclass(frozen=True, eq=False)
class NamedMetric:
    """A metric that stands before every method.

    Attributes
    ----------
    name : str
        Its text form, file or name; empty for none.
    known : str
        What tells it from any other, if its text does not.
    marks : sequence of int or str
        The pairs that it is learned from: how many are drawn, or the digest of their file.
    fit : callable
        Finds it for the data, by which kernel the methods compare; None without one.
    """

    name: str = ""
    known: str = ""
    marks: Sequence[int] | str = ()
    fit: Callable[[Kernel | None, Progress], AnyMetric | None] = lambda _kernel, _progress: None


@dataclass(frozen=True)
class CodeStep:
    """One candidate, search structure and seed.

    Attributes
    ----------
    key : str
        Equal for equal figures.
    method : Candidate
        Without its seed.
    search : Search or None
        None judges the ranking by Hamming distance alone, in a part of the time.
    """

    key: str
    method: Candidate
    search: Search | None
    seed: int

    @property
    def name(self) -> Message:
        """Describe the step."""
        if self.search is None:
            return Message("{method}, seed {seed}", method=self.method.text(), seed=self.seed)
        text = "{method} · {search}, seed {seed}"
        return Message(text, method=self.method.text(), search=self.search.text(), seed=self.seed)

    @property
    def kind(self) -> str:
        """The family of the candidate."""
        return self.method.key

    @property
    def size(self) -> int:
        """The number of bits."""
        return self.method.bits


@dataclass(frozen=True, eq=False)
class LoadedTask:
    """A task with what is known of its data.

    Attributes
    ----------
    metric : FittedMetric, SparseMetric or None
        Applied before every method.
    before : EvaluationTask or None
        The same task ranked without the metric, if there are labels.
    exact : float
        Seconds of exact search per query.
    spectrum : bool
        Whether the eigenvalues of what is learned are wanted.
    """

    task: EvaluationTask
    metric: AnyMetric | None
    before: EvaluationTask | None
    facts: DataFacts
    exact: float
    spectrum: bool = False

    def figures(self, steps: Sequence[CodeStep], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of steps that share a candidate and a seed."""
        candidate = steps[0].method.changed(seed=steps[0].seed)
        searches = [one.search for one in steps if one.search is not None]
        try:
            if isinstance(candidate, HashMethod) and not searches:
                yield evaluate_ranking(candidate, self.task, progress)
            elif isinstance(candidate, HashMethod):
                yield from self._of_method(candidate, searches, progress)
            else:
                yield from candidate.measured(searches, self.task, progress)
        except TwinlensError as error:
            raise TwinlensError(self._refused(steps[0].method, error.message), error.next_step) from None
        except Exception as error:
            fault = fault_of_package(error)
            if fault is None:
                raise
            raise TwinlensError(self._refused(steps[0].method, fault.message), fault.next_step) from error

    def _of_method(self, method: HashMethod, searches: Sequence[Search], progress: Progress) -> Iterator[Figures]:
        after = evaluated_searches(method, searches, self.task, progress, self.metric, self.spectrum)
        if isinstance(method, SupervisedMethod) and self.task.supervision is not None and self.task.relevance_given:
            after = self._with_gain(after, method)
        if self.before is None:
            yield from after
            return
        before = evaluated_searches(method, searches, self.before, progress)
        for figures, without in zip(after, before, strict=True):
            if "accuracy" in without.values:
                figures.values["accuracy_before"] = without.values["accuracy"]
            yield figures

    def _with_gain(self, after: Iterator[Figures], method: SupervisedMethod) -> Iterator[Figures]:
        """Add to each the gain by labels, on queries that taught nothing: the method without them is measured, too."""
        plain = method.untaught
        before = evaluate_ranking(plain, self.task, silent, self.metric).values.get("map")
        for figures in after:
            if "map" in figures.values and before is not None:
                figures.note = joined([figures.note, _gain_of_labels(plain, before, figures.values["map"])])
            yield figures

    def _refused(self, candidate: Candidate, reason: Message) -> Message:
        """Name the candidate or the metric that cannot be measured."""
        if self.facts.metric:
            return Message("With the metric {metric}: {reason}", metric=self.facts.metric, reason=reason)
        return Message("{method}: {reason}", method=candidate.text(), reason=reason)


def _gain_of_labels(plain: HashMethod, before: float, after: float) -> Message:
    if after > before:
        return Message(
            "By labels, average precision by codes is {after:.3f}; without them, by {plain}, it is {before:.3f}.",
            after=after,
            plain=plain.text(),
            before=before,
        )
    return Message(
        "The labels do not help here: average precision by codes is {after:.3f}, and without them, by {plain}, "
        "it is {before:.3f}.",
        after=after,
        plain=plain.text(),
        before=before,
    )


@dataclass(frozen=True, eq=False)
class MeasurementPlan:
    """A measurement: data, truth, candidates and search structures.

    Attributes
    ----------
    candidates : sequence of Candidate
        None where steps are chosen as figures come; then the truth is named.
    searches : sequence of Search
        Each searches the codes of every method.
    seeds : sequence of int
        Each candidate is measured with each.
    truth : str
        ``l2``, ``cosine``, the text form of a kernel, ``metric``, ``radius:50``, ``labels`` or one that the data give;
        empty: the metric where there is one, else the measure of the data, else that of the first candidate.
    k : int
        How many neighbours vote.
    neighbours : int
        How many nearest each search is asked for.
    resorted : bool
        Whether candidates are also sorted again by their projections.
    spectrum : bool
        Whether the eigenvalues of what is learned are wanted, of the steps that are measured now.
    """

    tables: Tables
    candidates: Sequence[Candidate]
    searches: Sequence[Search]
    seeds: Sequence[int] = (0,)
    truth: str = ""
    k: int = 1
    neighbours: int = NEIGHBOURS
    resorted: bool = False
    metric: NamedMetric = field(default_factory=NamedMetric)
    spectrum: bool = False

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Digests of vectors, queries and right results by name, and of all."""
        return {DATA: self.tables.digest(), **self.tables.digests()}

    @cached_property
    def steps(self) -> list[CodeStep]:
        """The steps, by candidate, search structure and seed."""
        return [self.step(*one) for one in product(self.candidates, self.searches, self.seeds)]

    def step(self, method: Candidate, search: Search | None, seed: int) -> CodeStep:
        """Return a step under a key of all that determines its figures; of any candidate with the same truth."""
        declared = [method.changed(seed=seed).identity(), "" if search is None else search.identity()]
        return CodeStep(step_key(declared, self._about), method, search, seed)

    def together(self, steps: Sequence[CodeStep]) -> Iterator[list[CodeStep]]:
        """Yield the steps of one candidate and seed: search structures share learning and encoding."""
        groups: dict[tuple[str, int, bool], list[CodeStep]] = {}
        for one in steps:
            groups.setdefault((one.method.identity(), one.seed, one.search is None), []).append(one)
        yield from groups.values()

    @cached_property
    def _about(self) -> Mapping[str, Any]:
        """Return everything besides its declarations that determines the figures of a step."""
        own, truth = self._kernel(), self.truth_text(bool(self.metric.name) or self.tables.metric is not None)
        ranks = self.tables.measure if self.tables.measure and not self.metric.name else ""
        return {
            "data": self.digests[DATA],
            "truth": truth,
            # Of a truth that labels tell, the first method ranks, where nothing else does.
            "measure": ranks or (own.identity() if own is not None else ""),
            # All-zero rows are left out where a histogram kernel or the angle measures; truth and measure tell that.
            "metric": self.metric.known or self.metric.name,
            "marks": (self.metric.marks if isinstance(self.metric.marks, str) else list(self.metric.marks))
            if self.metric.name
            else [],
            "k": self.k,
            "neighbours": self.neighbours,
            "map": "candidates" if self.resorted else "ranking",
            **({"of": "directions of rows that have one"} if truth == "cosine" else {}),
        }

    def truth_text(self, with_metric: bool) -> str:
        """Return the text form of the truth that is named, or stands for none."""
        own = own_measure(self._first)
        return self.truth or ("metric" if with_metric else self.tables.measure or own or "l2")

    def _kernel(self) -> Kernel | None:
        kernel = getattr(self._first, "kernel", None)
        return kernel if isinstance(kernel, Kernel) else None

    @property
    def _first(self) -> Candidate | None:
        return next(iter(self.candidates), None)

    def load(self, progress: Progress = silent) -> LoadedTask:
        """Fit the metric, and find the true neighbours.

        Raises
        ------
        TwinlensError
            If the truth is unknown or does not fit the data, or the metric cannot be had.
        """
        given = self.tables
        metric = self._metric(part(progress, 0.0, 0.1))
        named = {given.name: given.base, given.query_name: given.queries}
        if metric is None and is_dense(given.base):
            for one in self.candidates:
                kernel = getattr(one, "kernel", None)
                if isinstance(kernel, Kernel) and kernel.non_negative:
                    _check(kernel, named)
        text = self.truth_text(metric is not None)
        ranked = (given.measure if metric is None else "") or "labels" if text in OWN_TRUTHS else text
        distance = distance_with_width(truth_distance(ranked, self._first, given.base, metric), given.base)
        left_out = 0
        if isinstance(distance, KernelDistance):
            _check(distance.kernel, named)
        if _needs_more_than_zeros(distance):
            before = len(given.base) + len(given.queries)
            given = given.comparable()
            left_out = before - len(given.base) - len(given.queries)
        base, queries, own = given.base, given.queries, given.own
        if isinstance(distance, Cosine):  # what compares angles is given directions: every candidate alike
            base, queries = unit_rows(base).astype(np.float32), unit_rows(queries).astype(np.float32)
        found, exact = _neighbours(distance, base, queries, given, text, part(progress, 0.1, 0.7))
        right = right_results(text, found, distance, given, part(progress, 0.7, 1.0))
        task = EvaluationTask(
            base, queries, found.rows, right.relevant, distance, own, given.labels, given.query_labels, self.k,
            right.nearest, right.any_nearest, CANDIDATES if self.resorted else 0, self.neighbours,
            text == "labels" or text in OWN_TRUTHS, given.any_right,
        )  # fmt: skip
        before_task = None
        if metric is not None and given.labels is not None and given.query_labels is not None:
            before_task = replace(task, distance=self._without_metric(), candidates=0)
        facts = DataFacts(
            given.name, base.shape[0], base.shape[1], queries.shape[0], text, right.meaning, self.metric.name, left_out
        )
        return LoadedTask(task, metric, before_task, facts, exact, self.spectrum)

    def _metric(self, progress: Progress) -> AnyMetric | None:
        given = self.tables
        if given.metric is None:
            return self.metric.fit(self._kernel(), progress)
        return given.metric.fitted_to(given.base[draw_places(len(given.base), SAMPLE, np.random.default_rng(SEED))])

    def _without_metric(self) -> Distance:
        """Return the distance of the first candidate without the metric."""
        base, first = self.tables.base, self._first
        return distance_with_width(truth_distance(own_measure(first) or "l2", first, base, None), base)


_PROVED = 20
"""Queries whose given neighbours are compared with those that are found."""


def _neighbours(
    distance: Distance, base: Vectors, queries: Vectors, given: Tables, text: str, progress: Progress
) -> tuple[TrueNeighbours, float]:
    """Return the true neighbours, and the seconds of finding those of a query.

    Those that the data bring are taken where they are by the truth, and enough. Some are found anew, to prove them, and
    those that end among equals.

    Raises
    ------
    TwinlensError
        If they are others than those found.
    """
    own, few = given.own, given.neighbours
    places, known = np.arange(queries.shape[0]), None
    if few is not None and text == given.measure and few.shape[1] >= min(NEIGHBOURS, base.shape[0]):
        known = neighbours_of_rows(distance, base, queries, few[:, : min(NEIGHBOURS, base.shape[0])])
        places = np.union1d(draw_places(len(places), _PROVED, np.random.default_rng(SEED)), _cut_short(known))
    began = time.perf_counter()
    found = true_neighbours(distance, base, queries[places], NEIGHBOURS, None if own is None else own[places], progress)
    seconds = (time.perf_counter() - began) / max(1, len(places))
    if known is None:
        return found, seconds
    if not np.allclose(known.distances[places], found.distances, rtol=1e-4, atol=1e-5):
        raise TwinlensError(
            "The neighbours that {name} brings are not the nearest by {truth}.",
            "Name the truth, such as l2, and Twinlens finds the neighbours itself.",
            name=given.name,
            truth=text,
        )
    return known.replaced(places, found), seconds


def _cut_short(known: TrueNeighbours) -> npt.NDArray[np.intp]:
    """Return the queries of whose brought neighbours the last is as near as one that counts as right.

    Then others may be as near that are not brought.
    """
    far = known.distances
    return np.flatnonzero(far[:, min(RELEVANT, far.shape[1]) - 1] >= far[:, -1])


def _needs_more_than_zeros(distance: Distance) -> bool:
    """Return whether a distance says nothing of rows that are zero throughout: they have no direction, no histogram."""
    return isinstance(distance, Cosine) or (isinstance(distance, KernelDistance) and distance.kernel.non_negative)


def _check(kernel: Kernel, tables: Mapping[str, Any]) -> None:
    """Refuse tables that a kernel is not defined for, since a method checks only its sample."""
    for name, table in tables.items():
        with naming(name):
            kernel.check(table)


_LARGEST_PART = 5  # at most one of so many items is a query


class HeldOutSplits:
    """Splits of some vectors, (n, d), into queries, at most a fifth, and what is searched; split i is of seed + i.

    The truth is ``l2``, ``cosine`` or the text form of a kernel with nothing left ``auto``: the same in every split.
    """

    def __init__(self, x: Vectors, truth: str, queries: int = 200, seed: int = 0) -> None:
        self.x, self.truth, self.seed = x, truth, seed
        self.queries = max(1, min(queries, len(x) // _LARGEST_PART))
        self._plans: dict[tuple[int, int], MeasurementPlan] = {}
        self._tasks: dict[tuple[int, int], EvaluationTask] = {}

    @property
    def most(self) -> int:
        """Number of items to be searched, at most."""
        return len(self.x) - self.queries

    def rows(self, split: int, size: int) -> tuple[Int64Rows, Int64Rows]:
        """Return the rows of the queries and of what is searched: a larger size holds a smaller one of its split."""
        order = np.random.default_rng(self.seed + split).permutation(len(self.x))
        return np.sort(order[: self.queries]), np.sort(order[self.queries : self.queries + size])

    def plan(self, split: int, size: int) -> MeasurementPlan:
        """Return the plan of a split with so many items: any candidate is a step of it."""
        if (split, size) not in self._plans:
            query_rows, searched = self.rows(split, size)
            tables = Tables(f"split {split}", self.x[searched], self.x[query_rows], measure=self.truth)
            self._plans[split, size] = MeasurementPlan(tables, (), (), truth=self.truth)
        return self._plans[split, size]

    def task(self, split: int, size: int, progress: Progress = silent) -> EvaluationTask:
        """Return the task on which methods are judged; the truth is found once."""
        if (split, size) not in self._tasks:
            self._tasks[split, size] = self.plan(split, size).load(progress).task
        return self._tasks[split, size]
