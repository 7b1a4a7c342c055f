"""Measurement of an index for advice: built as in the library, searched as in a search, compared with exact search.

Queries run through :func:`app.search.ranking.rank`. Figures therefore equal those of ``evaluate --no-check`` and
``bench``, and times are those that a person waits, including reading the candidates' vectors.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from app.bench.faiss_peer import FaissPeer, seen
from app.compare.columns import Column, learns_alike, wanted_row
from app.evaluate.evaluation import DEPTH
from app.indexes.encoders import fit_index
from app.indexes.loaded_index import LoadedIndex
from app.lab.advice.questions import Asked
from app.methods import catalogue
from app.search.criterion import Criterion
from app.search.ranking import Findable, Ranked, rank, rank_exactly
from core.errors import TwinlensError
from core.evaluation.answers import Answer, Judgement, counting, judged
from core.evaluation.truth import MetricDistance
from core.hashing.hash_method import Encoder
from core.hashing.method_under_metric import under
from core.hashing.packed_codes import Words, bytes_of, planar
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress
from core.search.updatable_structure import UpdatableStructure
from core.vectors import row_blocks
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

FIRST = 10
"""Results that are judged."""

Ids = npt.NDArray[np.int64]
Watch = Callable[[], None]


@dataclass(frozen=True, eq=False)
class Measured:
    """Measured figures of one index.

    Attributes
    ----------
    recall, wrong, overlap : float
        As in :class:`app.lab.advice.results.AdvicePoint`.
    questions : int
    encode, find, rank : float
        Seconds, the median of the questions.
    code_bytes, structure_bytes, model_bytes : int
        Of a code, of the structure beside all codes, of what was learned.
    photographs : int
    """

    recall: float
    wrong: float | None
    overlap: float
    questions: int
    encode: float
    find: float
    rank: float
    code_bytes: int
    structure_bytes: int
    model_bytes: int
    photographs: int

    @property
    def seconds(self) -> float:
        """The time of a query."""
        return self.encode + self.find + self.rank


@dataclass(eq=False)
class Bench:
    """Vectors of one descriptor under one measure, of the library or a sample, with queries.

    Attributes
    ----------
    r : Transaction
    base : LoadedIndex
        The index whose vectors and measure they are.
    ids : ndarray of int64, (n,), or None
        Photographs that are searched; None for all that have a vector.
    asked : list of Asked
    """

    r: Transaction
    base: LoadedIndex
    ids: Ids | None
    asked: list[Asked]
    _exactly: dict[int, Ranked] = field(default_factory=dict)
    _codes: dict[str, tuple[Encoder, Ids, Words]] = field(default_factory=dict)

    @property
    def every(self) -> LoadedIndex:
        """The index that searches these photographs exactly."""
        ids = np.asarray(self.r.descriptors.ids(self.base.kind), np.int64) if self.ids is None else self.ids
        search = catalogue.search_structure("exact")
        return replace(self.base, encoder=None, search=search, ids=ids, structure=None)

    def exactly(self, watch: Watch, count: int | None = None) -> Measured:
        """Measure exact search."""
        every = self.every
        vector = self.base.kind.dimensions * self.base.kind.stored().itemsize
        return self._judged(lambda number: self._exact(number, every, watch), watch, count, (vector, 0, 0), every)

    def index(self, row: IndexRow, progress: Progress) -> LoadedIndex:
        """Return an index of these photographs, built as in the library.

        Raises
        ------
        TwinlensError
            If the method cannot learn from these vectors.
        """
        search = catalogue.search_structure(row.search)
        if not search.uses_codes:
            return self.every
        key = _method_of(row)
        if key not in self._codes:
            self._codes[key] = self._learned(row, progress)
        encoder, ids, planes = self._codes[key]
        progress(1, 1, Message("Building"))  # a structure of many codes takes its time
        return replace(
            self.base, row=row, encoder=encoder, search=search, ids=ids,
            structure=UpdatableStructure.build(search, ids, planes, encoder.bits),
        )  # fmt: skip

    def has_codes(self, row: IndexRow) -> bool:
        """Return whether the codes of an index exist already, here or in the library."""
        return _method_of(row) in self._codes or self._is_kept(row)

    def _is_kept(self, row: IndexRow) -> bool:
        base = self.base
        kept = base.encoder is not None and base.structure is not None
        return self.ids is None and kept and learns_alike(row, base.row)

    def measured(self, index: LoadedIndex, watch: Watch, count: int | None = None) -> Measured:
        """Measure an index; the first query runs twice, since it includes work done only once."""
        if index.structure is None or index.encoder is None:
            return self.exactly(watch, count)
        findable = Findable(self.r, index)

        def answer(number: int) -> Ranked:
            watch()
            one = self.asked[number]
            for _ in range(1 if number else 2):
                found = rank(findable, self._criterion(one), DEPTH + _others(one), DEPTH + len(one.beside))
            return found

        model = sum(array.nbytes for array in index.encoder.pack().arrays.values())
        kept = bytes_of(index.encoder.bits), index.structure.built.bytes, model
        return self._judged(answer, watch, count, kept, index)

    def peer(self, peer: FaissPeer, candidates: int, watch: Watch, count: int | None = None) -> Measured:
        """Measure an index of another program on the same vectors, with as many candidates ranked exactly.

        Raises
        ------
        TwinlensError
            If that program is not installed, or refuses.
        """
        every, base = self.every, self.base
        asked = self.asked[:count]
        stored, _ = self.r.descriptors.read(base.kind, every.ids)
        x = stored.astype(np.float32)
        points = [x, np.stack([one.vectors[base.kind.id] for one in asked])]
        if isinstance(base.measure, FittedMetric):
            points = [seen(MetricDistance(base.measure), table) for table in points]
        depth = min(len(x), candidates)
        beside = max(len(one.beside) for one in asked)
        figures, given = peer.ranked(points[0], points[1], [depth], beside, lambda _done, _total, _text: watch())

        def answer(number: int) -> Ranked:
            found = every.ids[given.rows[number][given.rows[number] >= 0]]
            ids = np.sort(found[counting(found, asked[number])][:depth])
            began = time.perf_counter()
            distances = self._criterion(asked[number]).distances(x[np.searchsorted(every.ids, ids)])
            order = np.lexsort((ids, distances))
            spent = time.perf_counter() - began
            return Ranked(
                ids[order], distances[order], 0.0, given.seconds[depth], spent, len(ids), round(given.scanned)
            )

        codes = round(figures.bytes["codes"] / len(x))
        return self._judged(answer, watch, count, (codes, 0, figures.bytes["model"]), every)

    def _criterion(self, one: Asked) -> Criterion:
        return Criterion.of(self.base.measure, [one.vectors[self.base.kind.id]], [1.0])

    def _exact(self, number: int, index: LoadedIndex, watch: Watch) -> Ranked:
        if number not in self._exactly:
            watch()
            findable, one = Findable(self.r, index), self.asked[number]
            if not self._exactly:
                rank_exactly(findable, self._criterion(one), 1)  # what is read only once does not count
            self._exactly[number] = rank_exactly(findable, self._criterion(one), DEPTH + len(one.beside))
        return self._exactly[number]

    def _learned(self, row: IndexRow, progress: Progress) -> tuple[Encoder, Ids, Words]:
        base = self.base
        if self.ids is None:
            if self._is_kept(row) and base.encoder is not None and base.structure is not None:
                return base.encoder, base.ids, base.structure.codes(np.arange(len(base.ids)))
            made = fit_index(self.r, row, base.kind, progress)
            if made is None or made.encoder is None:
                raise TwinlensError(Message("There is nothing to learn from yet."), Message("Add photos."))
            return made.encoder, np.asarray(made.ids, np.int64), planar(made.codes)
        method = catalogue.method(row.method)
        stored, _ = self.r.descriptors.read(base.kind, self.ids)
        x = stored.astype(np.float32)
        learner = under(base.measure, method) if isinstance(base.measure, FittedMetric) else method
        encoder = learner.fit(x[: method.sample_size].astype(np.float64), progress)
        codes = []
        for rows in row_blocks(len(x), x.shape[1]):
            progress(rows.start, len(x), Message("Encoding"))
            codes.append(encoder.encode(x[rows]))
        return encoder, self.ids, planar(np.concatenate(codes))

    def _judged(
        self,
        answer: Callable[[int], Ranked],
        watch: Watch,
        count: int | None,
        kept: tuple[int, int, int],
        index: LoadedIndex,
    ) -> Measured:
        """Ask the first queries, and judge the answers."""
        every, truths = self.every, []
        for number, one in enumerate(self.asked[:count]):
            exact = self._exact(number, every, watch)
            truths.append(replace(one, true=exact.distances[counting(exact.ids, one)][:FIRST]))
        ranked: list[Ranked] = []

        def ask(number: int) -> Answer:
            ranked.append(answer(number))
            return Answer(ranked[-1].ids, ranked[-1].distances)

        found = judged(ask, truths, Judgement(near={FIRST: []}))
        overlap = found.overlap.get(FIRST, 1.0)
        return Measured(
            found.found.get(FIRST, overlap),
            found.wrong,
            overlap,
            len(truths),
            statistics.median(one.encode for one in ranked),
            statistics.median(one.scan for one in ranked),
            statistics.median(one.rerank for one in ranked),
            *kept,
            len(index.ids),
        )


def _method_of(row: IndexRow) -> str:
    """Return the text form of a row's method, under which a learned method is kept."""
    return catalogue.method(row.method).text()


def _others(one: Asked) -> int:
    """Return how many more results to ask for, as ``evaluate`` does, since those beside a copy do not count."""
    return len(one.beside) if one.any_right else 0


def row_of(r: Transaction, index: str, method: str, search: str) -> IndexRow:
    """Return an index's row with another method and search structure.

    Raises
    ------
    TwinlensError
        If that can never be.
    """
    return wanted_row(r, Column(index, method, search))
