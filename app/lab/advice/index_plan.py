"""Plan of an advice: indexes of some photographs, searched as in a search, judged by exact search and the truth.

Queries run through :func:`app.search.ranking.rank`. Figures therefore equal those of ``evaluate --no-check`` and
``bench``, and times are those that a person waits, including reading the candidates' vectors.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from app.bench.faiss_peer import FaissPeer, coordinates_for_faiss
from app.evaluate.evaluation import DEPTH
from app.lab.advice.photographs import AdvicePhotographs
from app.lab.advice.questions import AdviceQuery
from app.lab.advice.reasons import short_name
from app.lab.advice.results import IndexParts
from app.lab.advice.subjects import IndexCandidate
from app.lab.figures.names import BETWEEN
from app.search.ranking import RankedPhotographs, SearchSpace, rank
from core.evaluation.answers import Judgement, RankedItems, counting, judge_queries
from core.evaluation.engine import DATA
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import DataFacts, DeclaredStep, step_key
from core.evaluation.truth import MetricDistance
from core.hashing.hash_method import HashMethod
from core.hashing.packed_codes import bytes_of
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress
from core.search.search_structure import Search
from storage.indexes.indexes import IndexRow

FIRST = 10
"""Results that are judged."""


@dataclass(frozen=True, eq=False)
class TriedIndex:
    """An index, or an index of another program in its place."""

    candidate: IndexCandidate
    parts: IndexParts
    peer: FaissPeer | None = None

    @property
    def method(self) -> HashMethod | FaissPeer | None:
        """The hash method; None for exact search."""
        return self.peer or self.candidate.method


IndexStep = DeclaredStep[TriedIndex]


@dataclass(frozen=True, eq=False)
class IndexPlan:
    """Indexes of some photographs, asked some questions; its steps are chosen as figures come."""

    photographs: AdvicePhotographs
    asked: Sequence[AdviceQuery]
    truth: str
    steps: Sequence[IndexStep] = ()

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Digests of vectors, of questions with their right results, and of all."""
        made, kind = hashlib.sha256(), self.photographs.base.kind.id
        for one in self.asked:
            made.update(np.ascontiguousarray(one.vectors[kind]).tobytes())
            made.update(repr((sorted(one.right), sorted(one.wrong), sorted(one.beside), one.any_right)).encode())
        found = {"vectors": self.photographs.digest, "queries": made.hexdigest()}
        return {DATA: hashlib.sha256("".join(found.values()).encode()).hexdigest(), **found}

    def step(self, one: IndexCandidate, peer: FaissPeer | None = None) -> IndexStep:
        """Return the step of an index, or of another program with its search structure."""
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
        """Yield one after the other: codes are kept for the next."""
        yield from ([one] for one in steps)

    def load(self, progress: Progress) -> IndexPlan:
        """Search exactly with every question."""
        for number, one in enumerate(self.asked):
            progress(number, len(self.asked), Message("Searching"))
            self.photographs.exactly(one)
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        every = self.photographs.every
        return DataFacts(every.descriptor.text(), len(every.ids), every.kind.dimensions, len(self.asked), self.truth)

    @property
    def exact(self) -> float:
        """Seconds of exact search, per query."""
        return statistics.fmean(self.photographs.exactly(one).rerank for one in self.asked)

    def figures(self, steps: Sequence[IndexStep], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of some indexes."""
        for one in (step.what for step in steps):
            if one.peer is not None:
                yield self._of_peer(one.peer, one.candidate.search, progress)
            elif one.method is None:
                kind = self.photographs.base.kind
                vectors = len(self.photographs.every.ids) * kind.dimensions * kind.stored().itemsize
                kept = Figures(bytes={"model": 0, "codes": vectors, "search": 0})
                yield self._judged(self.photographs.exactly, kept, progress)
            else:
                yield self._of_index(one.candidate.row, progress)

    def _of_index(self, row: IndexRow, progress: Progress) -> Figures:
        """Measure an index; the first query runs twice, since it includes work done only once."""
        index, seconds = self.photographs.index(row, progress)
        assert index.encoder is not None
        assert index.structure is not None
        findable = SearchSpace(self.photographs.r, index)

        def answer(one: AdviceQuery) -> RankedPhotographs:
            # As ``evaluate`` does, since those beside a copy do not count.
            k = DEPTH + (len(one.beside) if one.any_right else 0)
            return rank(findable, self.photographs.criterion(one), k, DEPTH + len(one.beside))

        answer(self.asked[0])
        model = sum(array.nbytes for array in index.encoder.pack().arrays.values())
        codes = bytes_of(index.encoder.bits) * len(index.ids)
        kept = {"model": model, "codes": codes, "search": index.structure.built.bytes}
        return self._judged(answer, Figures(seconds=seconds, bytes=kept), progress)

    def _of_peer(self, peer: FaissPeer, search: Search, progress: Progress) -> Figures:
        """Measure an index of another program on the same vectors, with as many candidates ranked exactly."""
        every = self.photographs.every
        x = self.photographs.vectors()
        base, asking = x, np.stack([one.vectors[every.kind.id] for one in self.asked])
        if isinstance(every.measure, FittedMetric):
            base, asking = (coordinates_for_faiss(MetricDistance(every.measure), table) for table in (x, asking))
        depth = min(len(x), search.depth(DEPTH))
        figures, given = peer.ranked(base, asking, [depth], max(len(one.beside) for one in self.asked), progress)
        rows = {one: line[line >= 0] for one, line in zip(self.asked, given.rows, strict=True)}

        def answer(one: AdviceQuery) -> RankedPhotographs:
            began, found = time.perf_counter(), every.ids[rows[one]]
            ids = np.sort(found[counting(found, one)][:depth])
            distances = self.photographs.criterion(one).distances(x[np.searchsorted(every.ids, ids)])
            order = np.lexsort((ids, distances))
            spent = time.perf_counter() - began
            return RankedPhotographs(
                ids[order], distances[order], 0.0, given.seconds[depth], spent, len(ids), round(given.scanned)
            )

        return self._judged(answer, figures, progress)

    def _judged(
        self, answer: Callable[[AdviceQuery], RankedPhotographs], figures: Figures, progress: Progress
    ) -> Figures:
        """Ask every question, and fill in what the answers tell; the parts of a query's time are medians."""
        exact = [self.photographs.exactly(one) for one in self.asked]
        truths = [
            replace(one, true=found.distances[counting(found.ids, one)][:FIRST])
            for one, found in zip(self.asked, exact, strict=True)
        ]
        ranked: list[RankedPhotographs] = []

        def ask(number: int) -> RankedItems:
            ranked.append(one := answer(self.asked[number]))
            return RankedItems(one.ids, one.distances, one.looked_at, one.scanned, one.probed, one.scan + one.rerank)

        judge_queries(ask, truths, Judgement(near={FIRST: []}), progress).fill(figures, [FIRST])
        parts = zip(*((one.encode, one.scan, one.rerank) for one in ranked), strict=True)
        figures.seconds |= dict(zip(("encode_query", "find", "rank"), map(statistics.median, parts), strict=True))
        return figures
