"""Plan of an evaluation with pictures: each query, searched by each column, is a step that is kept.

A column is an index, a descriptor that is compared exactly, or the yardstick (the perceptual hash of every
photograph's thumbnail); its key has everything that decides its results.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import groupby, product
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.evaluate.edited_copies import Copy, copies_left_out
from twinlens.app.evaluate.editing_tasks import PerceptualHashes
from twinlens.app.indexes.fitted_models import usable_indexes
from twinlens.app.indexes.indexes import text_of
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import all_thumbnails
from twinlens.app.library.workers.decoders import run_each
from twinlens.app.machine import background_work
from twinlens.app.methods import catalogue
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import QuerySource
from twinlens.app.search.search_space import Moment
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures, summed
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems
from twinlens.core.evaluation.measurement import DATA, DataFacts, DeclaredStep, Timing, measure_plan, step_key
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress
from twinlens.features.copies.perceptual_hash import BYTES, Hash
from twinlens.features.keypoints import keypoints
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.database.values import PhotographState
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter


@dataclass(frozen=True, eq=False)
class EvaluationQuery:
    """A query of an evaluation.

    Attributes
    ----------
    known : dict
        What tells its picture from any other.
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


@dataclass(frozen=True, eq=False)
class EvaluationColumn:
    """A column of an evaluation: an index, a descriptor or a yardstick.

    Attributes
    ----------
    known : str
        Digest of everything that decides its answers, besides the question.
    row : IndexRow, optional
        The index to ask; None for the yardstick.
    depth : int, optional
        Results that are looked through; None for all.
    check : bool, optional
        Whether results are checked point by point; None as a search does.
    """

    name: str
    text: str
    kind: Literal["index", "descriptor", "yardstick"]
    known: str
    row: IndexRow | None = None
    depth: int | None = None
    check: bool | None = None


QueryStep = DeclaredStep[tuple[EvaluationQuery, EvaluationColumn]]
"""The answer of one column to one question."""


@dataclass(frozen=True, eq=False)
class HashedThumbnails:
    """Photographs of a library by their perceptual hashes.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    hashes : ndarray of uint8, (n, 8)
    lacking : ndarray of int64, (m,)
        Photographs that have no thumbnail and of which none can be made now, or whose cannot be hashed, ascending.
    """

    ids: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint8]
    lacking: npt.NDArray[np.int64]

    @classmethod
    def of(cls, library: Library, progress: Progress) -> HashedThumbnails:
        """Hash the thumbnails of all photographs; thumbnails that the cache has lost are made again."""
        with library.store.reading() as r:
            ids, contents = r.photographs.contents(r.photographs.matching(Filter(states=(PhotographState.READY,))))
        hashes = np.zeros((len(ids), BYTES), np.uint8)
        there = np.zeros(len(ids), np.bool_)
        for start in range(0, len(ids), _AT_ONCE):
            some = contents[start : start + _AT_ONCE]

            def step(done: int, start: int = start) -> None:
                progress(start + done, len(ids), Message("Hashing thumbnails"))

            jpegs = all_thumbnails(library, some, step)
            for row, made in enumerate(run_each(PerceptualHashes, tuple(jpegs[one] for one in some)), start):
                if made is not None:
                    hashes[row], there[row] = made, True
        return cls(ids[there], hashes[there], ids[~there])

    def ranked(self, asked: Hash) -> npt.NDArray[np.int64]:
        """Return the ids of all photographs by (differing bits, id) from the hash of a picture."""
        return self.ids[np.argsort(hamming(self.hashes, asked), kind="stable")]


@dataclass(frozen=True, eq=False)
class EvaluationPlan:
    """Plan of queries for columns.

    Attributes
    ----------
    first : int
        Results that each column is asked for.
    hashed : HashedThumbnails, optional
        Where the yardstick is among the columns.
    failed : list of EvaluationQuery
        Those so far whose picture no process could make or describe.
    """

    searcher: Searcher
    queries: Sequence[EvaluationQuery]
    columns: Sequence[EvaluationColumn]
    truth: str
    first: int
    hashed: HashedThumbnails | None = None
    failed: list[EvaluationQuery] = field(default_factory=list)

    @property
    def digests(self) -> Mapping[str, str]:
        """Digest of all queries and columns."""
        return {DATA: json_digest(one.known for one in self.columns)}

    @cached_property
    def steps(self) -> list[QueryStep]:
        """The steps, query by query."""
        return [
            DeclaredStep(self._key(query, column), (query, column), query.name, column.known)
            for query, column in product(self.queries, self.columns)
        ]

    def _key(self, query: EvaluationQuery, column: EvaluationColumn) -> str:
        truth = query.truth
        sets = (sorted(truth.right), sorted(truth.beside), truth.any_right, truth.most)
        about = {"program": PROGRAM, "truth": json_digest(sets), "first": self.first, "depth": column.depth}
        return step_key([column.known], {**about, "beside": query.beside, **query.known})

    def together(self, steps: Sequence[QueryStep]) -> Iterator[list[QueryStep]]:
        """Yield the steps of one query, whose picture is made and described once."""
        for _, group in groupby(steps, key=lambda one: id(one.what[0])):
            yield list(group)

    def load(self, progress: Progress) -> EvaluationPlan:
        """Return the plan unchanged: the first search loads an index."""
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        asked = [one.name for one in self.columns if one.row is not None]
        return DataFacts(", ".join(asked), 0, 0, len(self.queries), self.truth)

    @property
    def exact(self) -> float:
        """Unknown."""
        return 0.0

    def figures(self, steps: Sequence[QueryStep], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of the columns for one query."""
        query = steps[0].what[0]
        progress(0, 1, NOTHING)
        try:
            results = self._results(query, [column for _, column in (step.what for step in steps)])
        except UnreadableError:
            self.failed.append(query)
            return
        for column, result in results.items():
            judged = Judgement(depth=column.depth)
            judged.add(query.truth, result)
            yield Figures(judged.values() | {"map": judged.reciprocal_rank})

    def _results(
        self, query: EvaluationQuery, columns: Sequence[EvaluationColumn]
    ) -> dict[EvaluationColumn, RankedItems]:
        asked, found = query.picture(), {}
        with background_work.in_background():
            pictured, its_hash = asked.made() if isinstance(asked, Copy) else (asked, None)
        for kind in ("index", "descriptor"):
            some = [column for column in columns if column.kind == kind]
            if not some:
                continue
            wanted = SearchOptions(k=self.first + query.beside, exact=kind == "descriptor", check=some[0].check)
            names = [column.row.name for column in some if column.row is not None]
            with background_work.in_background():
                results = self.searcher.search_indexes(pictured, names, wanted)
            for column, result in zip(some, results, strict=True):
                ranked = np.array([photograph.id for photograph in result.hits], np.int64)
                found[column] = RankedItems(ranked, seconds=result.seconds.total)
        self._expect_unchanged(columns)
        for column in columns:
            if column.row is None and self.hashed is not None and its_hash is not None:
                began = time.perf_counter()
                found[column] = RankedItems(self.hashed.ranked(its_hash), seconds=time.perf_counter() - began)
        return {column: found[column] for column in columns}

    def _expect_unchanged(self, columns: Sequence[EvaluationColumn]) -> None:
        """Refuse results of an index whose codes have changed, which would be kept under the former key."""
        with self.searcher.library.store.reading() as r:
            for row in filter(None, (column.row for column in columns)):
                now = r.indexes.by_id(row.id)
                if now is None or now.codes_token != row.codes_token:
                    raise TwinlensError(
                        "“{name}” has changed while it was measured.", "Evaluate it again.", name=row.name
                    )


@dataclass(frozen=True, eq=False)
class EvaluationFigures:
    """The figures of a plan that are known so far.

    Attributes
    ----------
    queries : list of EvaluationQuery
        Those that every column answered.
    cancelled : bool
        Whether others are left.
    failed : int
        How many could not be asked, since no process could make or describe their picture.
    """

    queries: list[EvaluationQuery]
    cancelled: bool
    failed: int
    _figures: Mapping[tuple[EvaluationQuery, EvaluationColumn], Figures]

    def mean(self, column: EvaluationColumn, queries: Sequence[EvaluationQuery]) -> Mapping[str, float]:
        """Return the means of a column over some queries, by measure."""
        return summed([self._figures[query, column] for query in queries]).values


def measure_evaluation(plan: EvaluationPlan, timing: Timing) -> EvaluationFigures:
    """Measure the steps that are not known, keep them in the library's cache, and return all figures.

    Raises
    ------
    TwinlensError
        If an index changes meanwhile, or a picture cannot be had.
    """
    store, cancelled = CachedSteps.of(plan.searcher.library.store.id), False
    try:
        measure_plan(plan, store, timing)
    except Cancelled:
        cancelled = True
    kept = store.kept([step.key for step in plan.steps])
    figures = {step.what: kept[step.key].figures for step in plan.steps if step.key in kept}
    queries = [one for one in plan.queries if all((one, column) in figures for column in plan.columns)]
    if cancelled and not queries:
        raise Cancelled
    if plan.failed and not queries:
        raise TwinlensError(copies_left_out(len(plan.failed)))
    return EvaluationFigures(queries, cancelled, len(plan.failed), figures)


PROGRAM = version("twinlens")
"""Another version of the program may answer otherwise, and is asked again."""


class LibraryDigests:
    """Digests of a library's photographs at one moment, each computed once for all columns."""

    def __init__(self, r: Transaction) -> None:
        self._r = r

    @cached_property
    def ready(self) -> str:
        """Digest of the photographs that can be found."""
        return self._of(self._r.photographs.matching(Filter(states=(PhotographState.READY,))))

    @cached_property
    def with_keypoints(self) -> str:
        """Digest of the photographs with keypoints."""
        return self._of(self._r.keypoints.ids(keypoints.KEYPOINTS_VERSION))

    def described(self, kind: KindRow) -> str:
        """Return the digest of the photographs with vectors of a kind."""
        return self._of(self._r.descriptors.ids(kind))

    def _of(self, ids: Sequence[int] | Any) -> str:
        there, contents = self._r.photographs.contents(ids)
        return hashlib.sha256(there.astype("<i8").tobytes() + b"".join(contents)).hexdigest()


def index_columns(
    searcher: Searcher,
    moment: Moment,
    contents: LibraryDigests,
    names: Sequence[str],
    depth: int | None,
    check: bool | None,
) -> tuple[list[EvaluationColumn], list[Message]]:
    """Return the columns of the named indexes, else of all that can be searched, with a note on each other index.

    Raises
    ------
    TwinlensError
        If a named one is not there or cannot answer, or none can.
    """
    found, notes = [], []
    for name in dict.fromkeys(names or [row.name for row in usable_indexes(moment.r)]):
        try:
            found.append(evaluation_column(contents, searcher.index(moment, name), depth, check))
        except TwinlensError as error:
            if names:
                raise
            notes.append(error.whole)
    if not found:
        raise TwinlensError("No index has photos yet.", Remedy("add folder"))
    return found, notes


def evaluation_column(
    contents: LibraryDigests, index: LoadedIndex, depth: int | None, check: bool | None, descriptor: str = ""
) -> EvaluationColumn:
    """Return the column of an index, or of exact search by the vectors of a descriptor."""
    row, exact = index.row, bool(descriptor)
    measure = index.measure.kernel.identity() if isinstance(index.measure, Measure) else index.measure.pack().digest()
    known = [
        "exact" if exact else [catalogue.method(row.method).identity(), index.search.identity(), row.codes_token],
        index.descriptor.identity(), index.kind.key, str(measure), check,
        contents.described(index.kind), contents.ready, "" if check is False else contents.with_keypoints,
    ]  # fmt: skip
    text = f"{descriptor}, exactly" if exact else text_of(row)
    kind: Literal["index", "descriptor"] = "descriptor" if exact else "index"
    return EvaluationColumn(descriptor or row.name, text, kind, json_digest(known), row, depth, check)


def json_digest(values: Iterable[Any]) -> str:
    """Return a digest of a JSON value."""
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()


_AT_ONCE = 256
