"""Plan of an advice: the indexes to measure on some photographs, searched as in a search and judged by the truth.

A subject is a descriptor of the library under a measure, and a candidate an index over it by its declarations.
Photographs are searched exactly, or by any hash method, whose codes all search structures share.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.faiss_peer import FaissPeer
from twinlens.app.compare.columns import ComparisonColumn, column_row, learns_alike
from twinlens.app.evaluate.evaluation import DEPTH
from twinlens.app.indexes.encoders import fit_index
from twinlens.app.indexes.fitted_models import usable_indexes
from twinlens.app.indexes.index_specification import metric_text
from twinlens.app.indexes.indexes import default_row, text_of
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.lab.advice.advice_queries import AdviceQuery
from twinlens.app.lab.advice.advice_results import IndexParts
from twinlens.app.lab.advice.reasons import short_name
from twinlens.app.lab.figures.figure import BETWEEN
from twinlens.app.methods import catalogue
from twinlens.app.search.confirmation import RankedPhotographs, SearchCosts, rank, rank_exactly
from twinlens.app.search.query_distance import QueryDistance
from twinlens.app.search.search_space import SearchSpace
from twinlens.app.search.searcher import Searcher
from twinlens.core.arrays import UInt64Words
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.evaluation_task import EvaluationTask, Figures
from twinlens.core.evaluation.judgement import Judgement, RankedItems, counting, judge_queries
from twinlens.core.evaluation.measurement import DATA, DataFacts, DeclaredStep, step_key
from twinlens.core.evaluation.method_evaluation import encode_task
from twinlens.core.evaluation.truth import Euclidean, MetricDistance, euclidean_coordinates
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.packed_codes import bytes_of, planar
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress
from twinlens.core.search.search_structure import Search, UpdatableStructure
from twinlens.core.tuning.parameter_search import drawn_candidates
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

FIRST = 10
"""Results that are judged."""


@dataclass(frozen=True, eq=False)
class IndexSubject:
    """Vectors of the library under one measure, those of an index, with the methods and structures to try on them."""

    base: LoadedIndex
    photographs: int
    own: list[tuple[str, str]] = field(default_factory=list)

    @property
    def measure(self) -> str:
        """The kernel's text form; empty for a metric."""
        return self.base.measure.kernel.text() if isinstance(self.base.measure, Measure) else ""

    def candidate(self, r: Transaction, method: str, search: str) -> IndexCandidate:
        """Return an index over these vectors; without a method it searches exactly.

        Raises
        ------
        TwinlensError
            If that can never be.
        """
        return IndexCandidate(self, column_row(r, ComparisonColumn(self.base.row.name, method, search)))

    def others(self, r: Transaction, method: HashMethod, seed: int) -> Iterator[str]:
        """Draw other parameters of a hash method, with the same number of bits."""
        stored, _ = r.descriptors.read(self.base.kind, r.descriptors.ids(self.base.kind)[:_TELLING])
        shape, rng = self.base.descriptor.matrix_shape, np.random.default_rng(seed)
        usual = getattr(method, "kernel", None)
        for one in drawn_candidates(method, [method.bits], stored.astype(np.float32), shape, rng):
            if getattr(one, "kernel", None) == usual:  # another kernel would rank by another measure
                yield one.text()


@dataclass(frozen=True, eq=False)
class IndexCandidate:
    """An index to try, whether the library has it or not."""

    subject: IndexSubject
    row: IndexRow

    @cached_property
    def search(self) -> Search:
        """The search structure."""
        return catalogue.search_structure(self.row.search)

    @cached_property
    def method(self) -> HashMethod | None:
        """The hash method; None for exact search."""
        return catalogue.method(self.row.method) if self.search.uses_codes else None

    @cached_property
    def parts(self) -> IndexParts:
        """Its declarations in text form."""
        return IndexParts(
            key=text_of(self.row),
            descriptor=catalogue.descriptor(self.row.descriptor).text(),
            metric=metric_text(self.row),
            method="" if self.method is None else self.method.text(),
            search=self.search.text(),
        )


@dataclass(frozen=True, eq=False)
class TriedIndex:
    """An index, or an index of faiss in its place."""

    candidate: IndexCandidate
    parts: IndexParts
    peer: FaissPeer | None = None

    @property
    def method(self) -> HashMethod | FaissPeer | None:
        """The hash method; None for exact search."""
        return self.peer or self.candidate.method


IndexStep = DeclaredStep[TriedIndex]
PhotographIds = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedPhotographs:
    """Photographs coded by one method, and the seconds it took to learn and to code."""

    encoder: Encoder
    ids: PhotographIds
    planes: UInt64Words
    seconds: dict[str, float]


@dataclass(eq=False)
class AdvicePhotographs:
    """Photographs with the vectors and measure of an index: the whole library, or a sample of ascending ids."""

    r: Transaction
    base: LoadedIndex
    sample: PhotographIds | None
    _exactly: dict[AdviceQuery, RankedPhotographs] = field(default_factory=dict)
    _coded: dict[str, CodedPhotographs] = field(default_factory=dict)

    @cached_property
    def every(self) -> LoadedIndex:
        """The index that searches them exactly."""
        ids = self.r.descriptors.ids(self.base.kind) if self.sample is None else self.sample
        search = catalogue.search_structure("exact")
        return replace(self.base, encoder=None, search=search, ids=ids, structure=None)

    @cached_property
    def digest(self) -> str:
        """Digest of the photographs' ids, contents, vectors and measure."""
        base, made = self.base, hashlib.sha256()
        if self.sample is None:
            for ids, vectors in self.r.descriptors.blocks(base.kind):
                made.update(ids.tobytes() + vectors.tobytes())
            # A library's index learns from photographs that are drawn by their content.
            made.update(b"".join(self.r.photographs.contents(self.every.ids)[1]))
        else:
            made.update(self.sample.tobytes() + self.r.descriptors.read(base.kind, self.sample)[0].tobytes())
        measure = base.measure
        ranks = measure.kernel.identity() if isinstance(measure, Measure) else measure.pack().digest().hex()
        made.update(f"{base.kind.key} {ranks}".encode())
        return made.hexdigest()

    def vectors(self) -> npt.NDArray[np.float32]:
        """Read the vectors of all photographs, (n, d)."""
        return np.asarray(self.r.descriptors.read(self.base.kind, self.every.ids)[0], np.float32)

    def criterion(self, one: AdviceQuery) -> QueryDistance:
        """Return a query as the measure of these photographs takes it."""
        return QueryDistance.of(self.base.measure, [one.vectors[self.base.kind.id]], [1.0])

    def exactly(self, one: AdviceQuery) -> RankedPhotographs:
        """Return the exact first results of a query, searched once."""
        if one not in self._exactly:
            findable = SearchSpace(self.r, self.every)
            if not self._exactly:
                rank_exactly(findable, self.criterion(one), 1)  # what is read only once does not count
            self._exactly[one] = rank_exactly(findable, self.criterion(one), DEPTH + len(one.beside))
        return self._exactly[one]

    def kept_model(self, row: IndexRow) -> str:
        """Return the digest of the library's encoder for all of them; empty if there is none."""
        base = self.base
        if self.sample is not None or base.encoder is None or base.structure is None:
            return ""
        return base.encoder.pack().digest().hex() if learns_alike(row, base.row) else ""

    def has_codes(self, row: IndexRow) -> bool:
        """Return whether codes of an index exist, here or in the library."""
        return catalogue.method(row.method).text() in self._coded or bool(self.kept_model(row))

    def index(self, row: IndexRow, progress: Progress) -> tuple[LoadedIndex, dict[str, float]]:
        """Return an index of these photographs, built as in the library, and the seconds it took."""
        search, key = catalogue.search_structure(row.search), catalogue.method(row.method).text()
        if key not in self._coded:
            self._coded[key] = self._learned(row, progress)
        codes = self._coded[key]
        progress(1, 1, Message("Building"))  # a structure of many codes takes its time
        began = time.perf_counter()
        structure = UpdatableStructure.build(search, codes.ids, codes.planes, codes.encoder.bits)
        seconds = {**codes.seconds, "seconds build": time.perf_counter() - began}
        made = replace(self.base, row=row, encoder=codes.encoder, search=search, ids=codes.ids, structure=structure)
        return made, seconds

    def _learned(self, row: IndexRow, progress: Progress) -> CodedPhotographs:
        """Encode the whole library as indexing does, a sample as ``bench`` does."""
        base = self.base
        if self.sample is not None:
            metric = base.measure if isinstance(base.measure, FittedMetric) else None
            x = self.vectors()
            nobody = EvaluationTask(
                x, x[:0], np.empty((0, 0), np.int64), [], Euclidean()
            )  # asks: that is for every index to do
            found = encode_task(catalogue.method(row.method), nobody, progress, metric)
            took = {key: value for key, value in found.figures.values.items() if key.startswith("seconds ")}
            return CodedPhotographs(found.encoder, self.sample, found.planes, took)
        if self.kept_model(row) and base.encoder is not None and base.structure is not None:
            return CodedPhotographs(base.encoder, base.ids, base.structure.codes(np.arange(len(base.ids))), {})
        began = time.perf_counter()
        made = fit_index(self.r, row, base.kind, progress)
        if made is None or made.encoder is None:
            raise TwinlensError("There is nothing to learn from yet.", "Add photos.")
        took = {"seconds fit": time.perf_counter() - began}
        return CodedPhotographs(made.encoder, np.asarray(made.ids, np.int64), planar(made.codes), took)


@dataclass(frozen=True, eq=False)
class IndexPlan:
    """Indexes of some photographs, measured with some queries; its steps are chosen as figures come."""

    photographs: AdvicePhotographs
    queries: Sequence[AdviceQuery]
    truth: str
    steps: Sequence[IndexStep] = ()

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Digests of the vectors, of the queries with their relevant results, and of both."""
        made, kind = hashlib.sha256(), self.photographs.base.kind.id
        for one in self.queries:
            made.update(np.ascontiguousarray(one.vectors[kind]).tobytes())
            made.update(repr((sorted(one.right), sorted(one.wrong), sorted(one.beside), one.any_right)).encode())
        found = {"vectors": self.photographs.digest, "queries": made.hexdigest()}
        return {DATA: hashlib.sha256("".join(found.values()).encode()).hexdigest(), **found}

    def step(self, one: IndexCandidate, peer: FaissPeer | None = None) -> IndexStep:
        """Return the step of an index, or of an index of faiss with its search structure."""
        kept = "" if peer is not None or one.method is None else self.photographs.kept_model(one.row)
        about = {"advice": [FIRST, DEPTH], "data": self.digests[DATA], "model": kept}
        method, parts = peer or one.method, one.parts
        if peer is not None:
            name = f"{parts.key.split(BETWEEN)[0]}{BETWEEN}{peer.text()}"
            parts = parts.model_copy(update={"key": name, "method": peer.text()})
        identity, family, bits = ("", "", 0) if method is None else (method.identity(), method.key, method.bits)
        key, kind = step_key([identity, one.search.identity()], about), f"{parts.descriptor} {parts.metric} {family}"
        doing = Message("Trying {index}", index=short_name(parts))
        return IndexStep(key, TriedIndex(one, parts, peer), doing, kind, bits)

    def together(self, steps: Sequence[IndexStep]) -> Iterator[Sequence[IndexStep]]:
        """Yield candidates one after the other; codes are kept for the next one."""
        yield from ([one] for one in steps)

    def load(self, progress: Progress) -> IndexPlan:
        """Search every query exactly."""
        for number, one in enumerate(self.queries):
            progress(number, len(self.queries), Message("Searching"))
            self.photographs.exactly(one)
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        every = self.photographs.every
        return DataFacts(every.descriptor.text(), len(every.ids), every.kind.dimensions, len(self.queries), self.truth)

    @property
    def exact(self) -> float:
        """Seconds of exact search, per query."""
        return statistics.fmean(self.photographs.exactly(one).costs.rerank for one in self.queries)

    def figures(self, steps: Sequence[IndexStep], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of some indexes."""
        for one in (step.what for step in steps):
            if one.peer is not None:
                yield self._of_peer(one.peer, one.candidate.search, progress)
            elif one.method is None:
                kind = self.photographs.base.kind
                vectors = len(self.photographs.every.ids) * kind.dimensions * kind.stored().itemsize
                kept = {"bytes model": 0, "bytes codes": vectors, "bytes search": 0}
                yield self._judged(self.photographs.exactly, kept, progress)
            else:
                yield self._of_index(one.candidate.row, progress)

    def _of_index(self, row: IndexRow, progress: Progress) -> Figures:
        """Measure an index; the first query runs twice, since it includes work done only once."""
        index, seconds = self.photographs.index(row, progress)
        assert index.encoder is not None
        assert index.structure is not None
        findable = SearchSpace(self.photographs.r, index)

        def ranking(one: AdviceQuery) -> RankedPhotographs:
            # As ``evaluate`` does, since those beside a copy do not count.
            k = DEPTH + (len(one.beside) if one.any_right else 0)
            return rank(findable, self.photographs.criterion(one), k, DEPTH + len(one.beside))

        ranking(self.queries[0])
        model = sum(array.nbytes for array in index.encoder.pack().arrays.values())
        codes = bytes_of(index.encoder.bits) * len(index.ids)
        kept = {"bytes model": model, "bytes codes": codes, "bytes search": index.structure.built.bytes}
        return self._judged(ranking, {**seconds, **kept}, progress)

    def _of_peer(self, peer: FaissPeer, search: Search, progress: Progress) -> Figures:
        """Measure an index of faiss on the same vectors, with as many candidates re-ranked exactly."""
        every = self.photographs.every
        x = self.photographs.vectors()
        base, asking = x, np.stack([one.vectors[every.kind.id] for one in self.queries])
        if isinstance(every.measure, FittedMetric):
            base, asking = (euclidean_coordinates(MetricDistance(every.measure), table) for table in (x, asking))
        depth = min(len(x), search.depth(DEPTH))
        figures, given = peer.ranked(base, asking, [depth], max(len(one.beside) for one in self.queries), progress)
        rows = {one: line[line >= 0] for one, line in zip(self.queries, given.rows, strict=True)}

        def ranking(one: AdviceQuery) -> RankedPhotographs:
            began, found = time.perf_counter(), every.ids[rows[one]]
            ids = np.sort(found[counting(found, one)][:depth])
            distances = self.photographs.criterion(one).distances(x[np.searchsorted(every.ids, ids)])
            order = np.lexsort((ids, distances))
            spent = time.perf_counter() - began
            costs = SearchCosts(0.0, given.seconds[depth], spent, len(ids), round(given.scanned))
            return RankedPhotographs(ids[order], distances[order], costs)

        return self._judged(ranking, figures.values, progress)

    def _judged(
        self, ranking: Callable[[AdviceQuery], RankedPhotographs], built: Mapping[str, float], progress: Progress
    ) -> Figures:
        """Search every query, and return its figures with those of what was built; parts of its time are medians."""
        exact = [self.photographs.exactly(one) for one in self.queries]
        truths = [
            replace(one, true=found.distances[counting(found.ids, one)][:FIRST])
            for one, found in zip(self.queries, exact, strict=True)
        ]
        costs: list[SearchCosts] = []

        def ask(number: int) -> RankedItems:
            one = ranking(self.queries[number])
            costs.append(of := one.costs)
            return RankedItems(one.ids, one.distances, of.looked_at, of.scanned, of.probed, of.scan + of.rerank)

        found = judge_queries(ask, truths, Judgement(near={FIRST: []}), progress).values([FIRST])
        parts = zip(*((one.encode, one.scan, one.rerank) for one in costs), strict=True)
        names = ("seconds encode_query", "seconds find", "seconds rank")
        return Figures({**built, **found, **dict(zip(names, map(statistics.median, parts), strict=True))})


_TELLING = 1_000  # photographs by which values of parameters are drawn


def find_subjects(searcher: Searcher, wanted: Sequence[str], one: bool) -> tuple[list[IndexSubject], list[Message]]:
    """Return the vectors and measures of descriptors, by default all, those of the default index first, and notes."""
    texts = {catalogue.descriptor(text).text() for text in wanted}
    found: dict[tuple[str, str, str], IndexSubject] = {}
    notes = []
    with searcher.moment() as moment:
        first = default_row(moment.r)
        for row in sorted(usable_indexes(moment.r), key=lambda row: row.id != first.id):
            text = catalogue.descriptor(row.descriptor).text()
            if texts and text not in texts:
                continue
            try:
                base = searcher.index(moment, row.name)
            except TwinlensError as error:
                notes.append(error.whole)
                continue
            subject = IndexSubject(base, moment.r.descriptors.count(base.kind))
            if subject.photographs > 1:
                subject = found.setdefault((text, metric_text(row), subject.measure), subject)
                if catalogue.search_structure(row.search).uses_codes:
                    own = catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                    subject.own.append(own)
    lacking = texts - {text for text, *_ in found}
    if lacking:
        raise TwinlensError(
            "The library has no vectors of {descriptors}.",
            Remedy("create index", {"descriptor": min(lacking)}),
            descriptors=sorted(lacking),
        )
    if not found:
        raise TwinlensError("The library has too few photos to compare.", Remedy("add folder"))
    subjects = list(found.values())
    if one and not texts and len(subjects) > 1:
        notes.append(Message("Exact neighbours cannot compare descriptors, so that of the default index is used."))
        subjects = subjects[:1]
    return subjects, notes
