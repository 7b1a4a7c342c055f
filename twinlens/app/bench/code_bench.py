"""Measurement of search structures on packed codes without vectors, up to a hundred million of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.bench_results import CodeBenchResult, CodeBenchSearch
from twinlens.app.bench.compiled_loops import compile_first, run_in_thread
from twinlens.app.bench.experiment import Experiment
from twinlens.app.bench.vector_files import load_vectors
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Int64Rows, UInt64Words
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures, summed
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, judge_queries
from twinlens.core.evaluation.measurement import DataFacts, DeclaredStep, StepMemory, Timing, measure_plan
from twinlens.core.files.untrusted_input import expanded
from twinlens.core.hashing.packed_codes import LARGEST_BITS, Bytes, planar
from twinlens.core.message import NOTHING, Message, size, verbatim
from twinlens.core.progress import Progress, part, silent
from twinlens.core.search import SEARCHES
from twinlens.core.search.hamming_scan import nearest_mapped
from twinlens.core.search.linear_scan import Scan
from twinlens.core.search.search_structure import CodeSearch, Search
from twinlens.core.systems import system

SHARE = 1 / 8
"""Share of the memory; larger codes are scanned in blocks from their file. Building a structure takes several times
the size of the codes."""

_COUNTS = (10, 100)
_WORTH_WAITING = 1 << 24  # words compared in all, from which on timing plain numpy would say nothing


def bench_codes(experiment: Experiment, progress: Progress = silent, memory: int = 0) -> CodeBenchResult:
    """Measure search structures on packed codes.

    Parameters
    ----------
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown.
    memory : int
        Bytes of the machine; 0 to ask it. Codes that take more than ``SHARE`` of it are scanned from their file.

    Raises
    ------
    TwinlensError
        If a file cannot be read or holds no codes, the lengths of codes do not fit, or a structure has no meaning here.
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
class CodeTask:
    """Codes, queries, their rows in the base if they are of it, and the distances of their true neighbours."""

    base: Bytes
    query_codes: UInt64Words
    own: Int64Rows | None
    k: int
    true: list[npt.NDArray[np.int64]]
    seconds: float

    @property
    def wanted(self) -> int:
        """Number of neighbours to search: one more than needed, since a query of the base finds itself."""
        return self.k + (self.own is not None)


@dataclass(frozen=True, eq=False)
class CodesPlan:
    """Plan of search structures on given codes, so nothing is learned.

    Attributes
    ----------
    name : str
        Of the file.
    most : int
        Bytes of codes that are held in memory; more are scanned from their file.
    """

    name: str
    searches: Sequence[Search]
    task: CodeTask
    most: int

    @property
    def digests(self) -> Mapping[str, str]:
        """Empty: a hundred million codes are read only once, to be searched, and no figure is kept."""
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
        return DataFacts(self.name, n, 8 * width, len(self.task.query_codes), "hamming")

    @property
    def exact(self) -> float:
        """Seconds of a query when all queries are searched in one pass."""
        return self.task.seconds

    @cached_property
    def _planes(self) -> UInt64Words | None:
        return planar(self.task.base) if self.task.base.nbytes <= self.most else None

    def result(self, search: Search, figures: Figures) -> CodeBenchSearch:
        """Return the figures of a structure as a document."""
        measured = "recall@1" in figures.values
        nothing = {"seconds build": 0.0, "seconds query": 0.0, "scanned": 0.0, "probed": 0.0, "bytes search": 0}
        return CodeBenchSearch(
            search=search.text(),
            exact=search.exact,
            of=len(self.task.base),
            values=summed([figures]).values if measured else nothing,
            in_blocks=measured and self._planes is None,
            note=figures.note if measured else NOTHING,
            refused=NOTHING if measured else figures.note,
        )

    def figures(self, steps: Sequence[DeclaredStep[Search]], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of a structure: overlap, recall@1, times and bytes; or a note why there are none."""
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
        """Build a structure and search the queries one by one."""
        task, began = self.task, time.perf_counter()
        building = Message("Building {search}", search=search.text())
        try:
            built = run_in_thread(lambda: search.build(planes, 8 * task.base.shape[1]), part(progress, 0, 0), building)
        except (TwinlensError, MemoryError) as error:
            why = error.message if isinstance(error, TwinlensError) else Message("There is too little memory.")
            return Figures(note=Message("Not measured: {reason}", reason=why))
        kept = {"seconds build": time.perf_counter() - began, "bytes search": built.bytes}

        def ranked_items(number: int) -> RankedItems:
            began = time.perf_counter()
            found = built.candidates(task.query_codes[number], task.wanted)
            spent = time.perf_counter() - began
            return RankedItems(found.rows, found.distances, 0, found.scanned, found.probed, spent)

        return self._judged(ranked_items, Figures(kept), progress)

    def _scanned(self, progress: Progress) -> Figures:
        """Scan codes in blocks from their file for a single query; the truth timed all queries in one pass."""
        task, began = self.task, time.perf_counter()
        nearest_mapped(task.base, task.query_codes[:1], task.wanted, progress)
        note = Message(
            "All queries ran in one pass over the file. A single query took {milliseconds:,.0f} ms.",
            milliseconds=1000 * (time.perf_counter() - began),
        )

        def ranked_items(number: int) -> RankedItems:
            near = task.true[number]
            return RankedItems(np.full(len(near), -1), near, 0, len(task.base), seconds=task.seconds)

        return self._judged(ranked_items, Figures({"seconds build": 0.0, "bytes search": 0}, note=note), progress)

    def _judged(self, ranked_items: Callable[[int], RankedItems], figures: Figures, progress: Progress) -> Figures:
        task = self.task
        truths = [
            QueryTruth(beside=frozenset() if task.own is None else frozenset([int(task.own[number])]), true=true)
            for number, true in enumerate(task.true)
        ]
        judgement = Judgement(near={count: [] for count in (1, *_COUNTS)})
        judge_queries(ranked_items, truths, judgement, progress)
        figures.values |= judgement.values(count for count in _COUNTS if count <= task.k)
        figures.values["recall@1"] = judgement.overlap[1]
        return figures


DRAWN = 100
SEED = 0


def structure(text: str) -> Search:
    """Read a structure; refuse one that ranks by vectors, since there are none."""
    search = catalogue.search_structure(text)
    if not isinstance(search, CodeSearch):
        known = [one.key for one in SEARCHES if one.uses_codes and one.in_memory]
        raise TwinlensError("“{search}” does not search codes.", "Choose one of: {known}.", search=text, known=known)
    if search.asymmetric or search.candidates != type(search)().candidates:
        name = "asymmetric" if search.asymmetric else "candidates"
        raise TwinlensError(
            "“{search}”: {parameter} needs vectors, and there are only codes.",
            "Leave it out.",
            search=text,
            parameter=name,
        )
    return search


def load_codes(experiment: Experiment) -> tuple[Bytes, Bytes, Int64Rows | None]:
    """Load the base, the queries, and the queries' rows in the base."""
    base = _table(experiment.base)
    if not experiment.queries:
        if len(base) < 2:
            raise TwinlensError("{file} has only one code.", "Give a file of queries.", file=experiment.base)
        count = min(experiment.query_count or DRAWN, len(base))
        own = np.sort(np.random.default_rng(SEED).choice(len(base), count, replace=False))
        return base, base[own], own
    queries = _table(experiment.queries)
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            "The codes of the queries have {bytes} bytes, those of the base {base_bytes}.",
            "Give queries of the same length.",
            bytes=queries.shape[1],
            base_bytes=base.shape[1],
        )
    queries = queries[: experiment.query_count or None]
    itself = expanded(experiment.queries).resolve() == expanded(experiment.base).resolve()
    return base, queries, np.arange(len(queries)) if itself else None


def _table(name: str) -> Bytes:
    table: Any = load_vectors(name)
    packed = isinstance(table, np.ndarray) and table.dtype == np.uint8 and table.ndim == 2
    if not packed or 0 in table.shape or 8 * table.shape[1] > LARGEST_BITS:
        raise TwinlensError(
            "{file} has an array {shape} of {dtype}, which is not packed codes.",
            "Give a uint8 table with at most {bytes} bytes per row, as numpy.packbits makes it.",
            file=name,
            shape="x".join(map(str, table.shape)),
            dtype=table.dtype,
            bytes=LARGEST_BITS // 8,
        )
    codes: Bytes = table
    return codes


def find_truth(base: Bytes, queries: Bytes, own: Int64Rows | None, k: int, progress: Progress) -> CodeTask:
    """Find the distances of the true neighbours, all queries in one pass over the codes."""
    query_codes = np.ascontiguousarray(planar(queries).T)
    began = time.perf_counter()
    found = nearest_mapped(base, query_codes, k + (own is not None), progress)
    seconds = (time.perf_counter() - began) / len(query_codes)
    k = min(k, len(base) - (own is not None))
    kept = [
        others(own, number, rows, distances.astype(np.int64), k)
        for number, (rows, distances) in enumerate(zip(found.rows, found.distances, strict=True))
    ]
    return CodeTask(base, query_codes, own, k, kept, seconds)


def others(
    own: Int64Rows | None, number: int, rows: Int64Rows, distances: npt.NDArray[np.int64], k: int
) -> npt.NDArray[np.int64]:
    """Return the distances of the first k neighbours without the query itself."""
    return (distances if own is None else distances[rows != own[number]])[:k]
