"""Measurement of search structures on packed codes without vectors, up to a hundred million of them.

The truth is the exact Hamming neighbours, found in one pass over the file. A structure is judged by the distances of
its results, since codes at the same distance are equally right.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.bench.code_bench_data import (
    CodeExperiment,
    CodeTask,
    find_truth,
    load_codes,
    structure,
)
from app.bench.compiled_loops import compile_first, run_in_thread
from app.bench.results import CodeBenchResult, CodeBenchSearch
from core.amounts import size
from core.arrays import UInt64Words
from core.errors import TwinlensError
from core.evaluation.answers import Judgement, QueryTruth, RankedItems, judge_queries
from core.evaluation.engine import measure_plan
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import DataFacts, DeclaredStep, StepMemory
from core.evaluation.timing import Timing
from core.hashing.packed_codes import planar
from core.message import Message, verbatim
from core.progress import Progress, part, silent
from core.search import SEARCHES
from core.search.hamming.mapped_codes import nearest_mapped
from core.search.linear_scan import Scan
from core.search.search_structure import Search
from core.systems import system

SHARE = 1 / 8
"""Share of the memory; larger codes are scanned in blocks from their file. Building a structure takes several times
the size of the codes."""

_COUNTS = (10, 100)
_WORTH_WAITING = 1 << 24  # words compared in all, from which on timing plain numpy would say nothing


def bench_codes(experiment: CodeExperiment, progress: Progress = silent, memory: int = 0) -> CodeBenchResult:
    """Measure search structures on packed codes.

    Parameters
    ----------
    experiment : CodeExperiment
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown.
    memory : int
        Bytes of the machine; 0 to ask it. Codes that take more than ``SHARE`` of it are scanned from their file.

    Raises
    ------
    TwinlensError
        If a file cannot be read or holds no codes, the lengths of codes do not fit, or a structure has no meaning here.
    Cancelled
        If progress says so.
    """
    searches = [structure(text) for text in experiment.search] or [
        one() for one in SEARCHES if one.uses_codes and one.in_memory
    ]
    base, queries, own = load_codes(experiment)
    timing = Timing(progress)
    if planar(base[:1]).size * len(base) * len(queries) >= _WORTH_WAITING:
        compile_first(timing.preparing)
    task = find_truth(base, queries, own, experiment.neighbours, timing.preparing)
    plan = CodesPlan(experiment.base, searches, task, int(SHARE * (memory or system.memory_bytes())))
    measured = measure_plan(plan, StepMemory(), timing)
    return CodeBenchResult(
        base=experiment.base,
        n=len(base),
        bits=8 * base.shape[1],
        bytes=base.nbytes,
        queries=len(queries),
        k=task.k,
        exact_seconds=task.seconds,
        results=[plan.result(step.what, measured[step.key].figures) for step in plan.steps],
    )


@dataclass(frozen=True, eq=False)
class CodesPlan:
    """Plan of search structures on codes that are given, so that nothing is learned.

    Attributes
    ----------
    name : str
        Of the file.
    searches : sequence of Search
    task : CodeTask
    most : int
        Bytes of codes that are held in memory; more are scanned from their file.
    """

    name: str
    searches: Sequence[Search]
    task: CodeTask
    most: int

    @property
    def digests(self) -> Mapping[str, str]:
        """Empty: a hundred million codes are read once, to be searched, and no figure is kept."""
        return {}

    @property
    def steps(self) -> list[DeclaredStep[Search]]:
        """The steps, one for each structure."""
        bits = 8 * self.task.base.shape[1]
        return [DeclaredStep(one.identity(), one, verbatim(one.text()), one.key, bits) for one in self.searches]

    def together(self, steps: Sequence[DeclaredStep[Search]]) -> Iterator[list[DeclaredStep[Search]]]:
        """Yield each step alone."""
        return ([step] for step in steps)

    def load(self, progress: Progress) -> CodesPlan:
        """Return the plan as it is."""
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        n, width = self.task.base.shape
        return DataFacts(self.name, n, 8 * width, len(self.task.asked), "hamming")

    @property
    def exact(self) -> float:
        """Seconds of a query when all are asked in one pass."""
        return self.task.seconds

    @cached_property
    def _planes(self) -> UInt64Words | None:
        return planar(self.task.base) if self.task.base.nbytes <= self.most else None

    def result(self, search: Search, figures: Figures) -> CodeBenchSearch:
        """Return the figures of a structure as a document."""
        found = CodeBenchSearch(search=search.text(), exact=search.exact, of=len(self.task.base))
        if not figures.recall:
            return found.model_copy(update={"refused": figures.note})
        values = {
            "recall": {str(count): share for count, share in figures.recall.items()},
            "overlap": {str(count): share for count, share in figures.overlap.items()},
            "build_seconds": figures.seconds["build"], "query_seconds": figures.seconds["search"],
            "scanned": figures.scanned, "probed": figures.probed, "bytes": figures.bytes["search"],
            "in_blocks": self._planes is None, "note": figures.note,
        }  # fmt: skip
        return found.model_copy(update=values)

    def figures(self, steps: Sequence[DeclaredStep[Search]], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of a structure: overlap, recall@1, times and bytes; or only a note why there are none."""
        search = steps[0].what
        if self._planes is not None:
            yield self._built(search, self._planes, progress)
        elif isinstance(search, Scan):
            yield self._scanned(progress)
        else:
            held = {"size": size(self.task.base.nbytes), "most": size(self.most)}
            text = "Not measured, since the codes take {size} of memory and only {most} may be used."
            yield Figures(note=Message(text, **held))

    def _built(self, search: Search, planes: UInt64Words, progress: Progress) -> Figures:
        """Build a structure and run the queries one by one."""
        task, began = self.task, time.perf_counter()
        building = Message("Building {search}", search=search.text())
        try:
            built = run_in_thread(lambda: search.build(planes, 8 * task.base.shape[1]), part(progress, 0, 0), building)
        except (TwinlensError, MemoryError) as error:
            why = error.message if isinstance(error, TwinlensError) else Message("There is too little memory.")
            return Figures(note=Message("Not measured: {reason}", reason=why))
        seconds = {"build": time.perf_counter() - began}

        def answer(number: int) -> RankedItems:
            began = time.perf_counter()
            found = built.candidates(task.asked[number], task.wanted)
            spent = time.perf_counter() - began
            return RankedItems(found.rows, found.distances, 0, found.scanned, found.probed, spent)

        return self._judged(answer, Figures(seconds=seconds, bytes={"search": built.bytes}), progress)

    def _scanned(self, progress: Progress) -> Figures:
        """Scan codes in blocks from their file for a single query; the truth has timed all queries in one pass."""
        task, began = self.task, time.perf_counter()
        nearest_mapped(task.base, task.asked[:1], task.wanted, progress)
        note = Message(
            "All queries ran in one pass over the file. A single query took {milliseconds:,.0f} ms.",
            milliseconds=1000 * (time.perf_counter() - began),
        )

        def answer(number: int) -> RankedItems:
            near = task.true[number]
            return RankedItems(np.full(len(near), -1), near, 0, len(task.base), seconds=task.seconds)

        return self._judged(answer, Figures(seconds={"build": 0.0}, bytes={"search": 0}, note=note), progress)

    def _judged(self, answer: Callable[[int], RankedItems], figures: Figures, progress: Progress) -> Figures:
        task = self.task
        truths = [
            QueryTruth(beside=frozenset() if task.own is None else frozenset([int(task.own[number])]), true=true)
            for number, true in enumerate(task.true)
        ]
        judgement = judge_queries(answer, truths, Judgement(near={count: [] for count in (1, *_COUNTS)}), progress)
        judgement.fill(figures, [count for count in _COUNTS if count <= task.k])
        figures.recall = {1: judgement.overlap[1]}
        return figures
