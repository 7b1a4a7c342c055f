"""The photographs most similar to one photograph before and under a metric, side by side and exact.

All photographs are ranked by two measures at once, so the first photographs of one ranking have their ranks in the
other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.learn.learn_results import BeforeAfterResult, MarkedPairDistances, PairJudgement, RankedBothWays
from twinlens.app.learn.learning import Proposal, ProposedMetric
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.marks.marked_pairs import marks_among
from twinlens.core.arrays import AnyArray, Float32Vectors, Float64Matrix, Int64Ids, Int64Rows
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Exactly, Measure, exact_places, nearest_exactly
from twinlens.core.exact_search.measure_images import Images
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.metrics.kernel_metric import KernelItems, KernelMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import as_float32
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

ROOM = 1_000 * 10**6
"""Bytes that the images of all photographs may take, both measures together."""

_BLOCK = 8_192
_DRAWN, _ASKING = 200, 30  # photographs among which pairs are drawn, and those that all are measured from
_MOST = 10_000  # vectors that are measured at once


@dataclass(frozen=True, eq=False)
class MeasuredVectors:
    """Vectors in memory under a measure that has no images, so each distance is computed. Made by :meth:`of`.

    Attributes
    ----------
    x : ndarray of float32, (n, d)
    coordinates : ndarray of float64, (n, q), or None
        Under a metric of a kernel: where they lie along what it has learned, which takes the longest.
    """

    measure: Measure | FittedMetric
    x: Float32Vectors
    coordinates: Float64Matrix | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: Float32Vectors, progress: Progress = silent) -> MeasuredVectors:
        """Prepare vectors for the measure."""
        if not isinstance(measure, KernelMetric):
            return cls(measure, x, None)
        coordinates = np.empty((len(x), measure.axes.shape[1]))
        for start in range(0, len(x), _RANKING_BLOCK):
            progress(start, len(x), Message("Measuring by the metric"))
            coordinates[start : start + _RANKING_BLOCK] = measure.coordinates(x[start : start + _RANKING_BLOCK])
        return cls(measure, x, coordinates)

    def distances(self, query: Float32Vectors) -> Float64Matrix:
        """Return the distances of all vectors from one by the measure itself, (d,) -> (n,)."""
        if self.coordinates is None or not isinstance(self.measure, KernelMetric):
            return self.measure.distances(query, self.x)
        metric, found = self.measure, np.empty(len(self.x))
        query_images = metric.against(query[None])
        for start in range(0, len(self.x), _RANKING_BLOCK):
            rows = slice(start, start + _RANKING_BLOCK)
            items = KernelItems(metric.base, self.x[rows], self.coordinates[rows], metric.stretch - 1)
            by_angle = metric.ranking == "kernel"
            found[rows] = items.angles(query_images) if by_angle else items.distances(query_images, metric.spread)
        return found

    def taking(self, rows: Int64Rows, more: MeasuredVectors | None = None) -> MeasuredVectors:
        """Return the vectors of some rows, followed by others."""
        others = [] if more is None else [more]
        tables = [one.coordinates for one in others if one.coordinates is not None]
        return MeasuredVectors(
            self.measure,
            np.concatenate([self.x[rows], *(one.x for one in others)]),
            None if self.coordinates is None else np.concatenate([self.coordinates[rows], *tables]),
        )


Seen = Images | MeasuredVectors | None


class BeforeAfter:
    """Rankings by one index and one metric; data read for one ranking stay for the next.

    To be used from one thread at a time.

    Parameters
    ----------
    library : Library
        Open as long as it is asked.
    metric : Proposal or str
        A proposal, which need not be kept, or the name of a kept metric.
    index : str
        What a kept metric is compared with; a proposal is compared with the index that it was learned for.
    room : int
        Bytes that may stay in memory.

    Raises
    ------
    TwinlensError
        If the proposal has no metric, or there is no such metric or index, or both are of different descriptors.
    """

    def __init__(self, library: Library, metric: Proposal | str, index: str = AUTOMATIC, room: int = ROOM) -> None:
        self._library = library
        self._room = room
        self._known: _Known | None = None
        self._scaled: float | None = None
        with library.store.reading() as r:
            self._metric = ProposedMetric.of(r, metric)
            self._index = metric.index if isinstance(metric, Proposal) else index_measure(r, index)
        self._metric.check(self._index)
        self._measures = (self._index.measure, self._metric.fitted)

    def prepare(self, progress: Progress = silent) -> None:
        """Read and transform the vectors, so that the first ranking comes at once; it is work for a job."""
        version = self._library.store.data_version()
        with self._library.store.reading() as r:
            self._look(r, version, progress)

    def ask(self, photograph: int, k: int = 8, progress: Progress = silent) -> BeforeAfterResult:
        """Rank all photographs by both measures.

        Parameters
        ----------
        photograph : int
            That is asked with; it stands first in both lists.
        k : int
            How many of each list.

        Raises
        ------
        TwinlensError
            If the library has no such photograph, or it has no vector of this kind.
        """
        started = time.perf_counter()
        version = self._library.store.data_version()
        with self._library.store.reading() as r:
            query = self._query(r, photograph)
            known = self._look(r, version, part(progress, 0, 0.6))
            ranking = DoubleRanking(r, self._index.kind, self._measures, known.ids, known.images)
            before, after = ranking.rank(query, photograph, k, part(progress, 0.6, 1.0))
            ids = sorted({one.id for one in (*before, *after)} | {photograph})
            judgement = judgement_of(r, photograph, ids)
            rows = r.photographs.by_id(ids)
            paths = {row.id: shown(path) for row, path in zip(rows, self._library.paths(r, rows), strict=True)}
            contents = {row.id: (row.content_hash or b"").hex() for row in rows}
        lists = [
            [
                RankedBothWays(
                    id=one.id,
                    path=paths.get(one.id, ""),
                    content=contents.get(one.id, ""),
                    rank=rank,
                    other_rank=one.other_rank,
                    distance=one.distance,
                    other_distance=one.other_distance,
                    similarity=float(measure.similarities(np.array([one.distance]))[0]),
                    judged=judgement.get(one.id),
                    query=one.id == photograph,
                )
                for rank, one in enumerate(found, start=1)
            ]
            for found, measure in zip((before, after), self._measures, strict=True)
        ]
        return BeforeAfterResult(
            query=photograph,
            path=paths[photograph],
            index=self._index.row.name,
            metric=self._metric.name,
            of=len(known.ids),
            before=lists[0],
            after=lists[1],
            moved_up=len({one.id for one in after} - {one.id for one in before}),
            seconds=time.perf_counter() - started,
        )

    def distances(self, pairs: Sequence[tuple[int, int]]) -> list[MarkedPairDistances]:
        """Return the distances of pairs by both measures, as a list of marks shows them."""
        ids = np.unique(np.array(pairs, np.int64).reshape(-1, 2))
        with self._library.store.reading() as r:
            stored, present = r.descriptors.read(self._index.kind, ids)
            scale = self._scale(r)
        x = stored.astype(np.float32)
        found = []
        for first, second in pairs:
            one, other = np.searchsorted(ids, [first, second]).tolist()
            both = (
                [float(measure.distances(x[one], x[other : other + 1])[0]) for measure in self._measures]
                if present[one] and present[other]
                else [None, None]
            )
            comparable = None if both[1] is None else both[1] * scale
            found.append(
                MarkedPairDistances(first=first, second=second, before=both[0], after=both[1], comparable=comparable)
            )
        return found

    def _scale(self, r: Transaction) -> float:
        """Return the factor of distances before over those after, from drawn pairs: all may shrink alike."""
        if self._scaled is None:
            ids = r.descriptors.ids(self._index.kind)
            drawn = np.sort(np.random.default_rng(0).choice(ids, min(_DRAWN, len(ids)), replace=False))
            x = r.descriptors.read(self._index.kind, drawn)[0].astype(np.float32)
            near = [np.median([one.distances(row, x)[x.any(axis=1)] for row in x[:_ASKING]]) for one in self._measures]
            self._scaled = float(near[0] / near[1]) if near[1] > 0 and near[0] > 0 else 1.0
        return self._scaled

    def best_query(self) -> int | None:
        """Suggest a first query: the photograph with the most marks; None without marks."""
        with self._library.store.reading() as r:
            photographs = r.marks.photographs()
            described = set(r.descriptors.ids(self._index.kind).tolist())
            counts: dict[int, int] = {}
            for mark in r.marks.all():
                for content in mark.pair:
                    row = photographs.get(content)
                    if row is not None and row.id in described:
                        counts[row.id] = counts.get(row.id, 0) + 1
        return min(counts, key=lambda one: (-counts[one], one), default=None)

    def _query(self, r: Transaction, photograph: int) -> npt.NDArray[np.float32]:
        stored, present = r.descriptors.read(self._index.kind, [photograph])
        if not present[0]:
            raise TwinlensError(
                "The library has no photo {photograph} with a descriptor of “{name}”.",
                Remedy("rescan"),
                photograph=photograph,
                name=self._index.row.name,
            )
        return np.asarray(stored[0], np.float32)

    def _look(self, r: Transaction, version: int, progress: Progress) -> _Known:
        """Update the vectors: read only new or changed photographs."""
        old = self._known
        if old is not None and old.version == version:
            return old
        ids, contents = r.photographs.contents(r.descriptors.ids(self._index.kind))
        sizes = sum(self._out(measure) for measure in self._measures)
        if len(ids) * sizes * 4 > self._room:
            self._known = _Known(version, ids, contents, (None, None))
            return self._known
        if old is None or old.images == (None, None):
            self._known = _Known(version, ids, contents, self._images(r, ids, progress))
            return self._known
        there = dict(zip(old.ids.tolist(), zip(range(len(old.ids)), old.contents, strict=True), strict=True))
        places = [there.get(one, (-1, b"")) for one in ids.tolist()]
        kept = np.array(
            [place if was == content else -1 for (place, was), content in zip(places, contents, strict=True)], np.int64
        )
        if (kept < 0).any() or len(kept) < len(old.ids):
            new = self._images(r, ids[kept < 0], progress)
            rows = kept.copy()
            rows[kept < 0] = len(old.ids) + np.arange(int((kept < 0).sum()))
            first, second = (
                _taken(one, np.arange(len(old.ids)), more) for one, more in zip(old.images, new, strict=True)
            )
            first, second = _taken(first, rows, None), _taken(second, rows, None)
            self._known = _Known(version, ids, contents, (first, second))
        else:
            self._known = _Known(version, ids, contents, old.images)
        return self._known

    def _out(self, measure: Measure | FittedMetric) -> int:
        if isinstance(measure, KernelMetric):
            return self._index.kind.dimensions + 2 * len(measure.stretch)
        return self._index.kind.dimensions if isinstance(measure, Measure) else measure.out_dimensions

    def _images(self, r: Transaction, ids: Int64Ids, progress: Progress) -> tuple[Seen, Seen]:
        x = _vectors(r, self._index, ids, part(progress, 0, 0.3))
        first, second = self._measures
        return _seen(first, x, part(progress, 0.3, 0.5)), _seen(second, x, part(progress, 0.5, 1.0))


@dataclass(frozen=True, eq=False)
class _Known:
    """Vectors of the photographs under both measures, in one version of the library.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    contents : list of bytes
        Content hash of each: of what has changed the vector is another.
    images : tuple of Images, MeasuredVectors or None
        Before and after; None where the vectors are read for every question.
    """

    version: int
    ids: Int64Ids
    contents: list[bytes]
    images: tuple[Seen, Seen]


def _seen(measure: Measure | FittedMetric, x: AnyArray, progress: Progress) -> Images | MeasuredVectors:
    """Compute images of vectors, or keep the vectors if the measure has none."""
    images = Images.of(measure, x, progress)
    return MeasuredVectors.of(measure, x.astype(np.float32), progress) if images is None else images


def _taken(seen: Seen, rows: npt.NDArray[np.int64], more: Seen) -> Seen:
    if isinstance(seen, Images):
        return seen.taking(rows, more if isinstance(more, Images) else None)
    return None if seen is None else seen.taking(rows, more if isinstance(more, MeasuredVectors) else None)


def _vectors(r: Transaction, index: IndexMeasure, ids: Int64Ids, progress: Progress) -> AnyArray:
    """Read stored vectors, (n, d)."""
    if len(ids) < _MOST:
        return r.descriptors.read(index.kind, ids)[0]
    found = np.zeros((len(ids), index.kind.dimensions), index.kind.read_as())
    for some, vectors in r.descriptors.blocks(index.kind, _BLOCK):
        places = np.searchsorted(ids, some)
        places[places == len(ids)] = 0
        there = ids[places] == some
        found[places[there]] = vectors[there]
        progress(int(places.max(initial=0)), len(ids), Message("Reading what photos look like"))
    return found


def judgement_of(r: Transaction, photograph: int, ids: Sequence[int]) -> dict[int, PairJudgement]:
    """Return the marks between a photograph and some others."""
    words: dict[bool | None, PairJudgement] = {True: "similar", False: "different", None: "contradicted"}
    pairs = [one for one in marks_among(r, ids) if photograph in {one.first, one.second}]
    return {one.second if one.first == photograph else one.first: words[one.similar] for one in pairs}


_RANKING_BLOCK = 4_096
Measures = tuple[Measure | FittedMetric, Measure | FittedMetric]


@dataclass(frozen=True)
class RankedPhotograph:
    """A photograph in one ranking; ranks are counted from 1."""

    id: int
    distance: float
    other_rank: int
    other_distance: float


@dataclass(frozen=True, eq=False)
class DoubleRanking:
    """A ranking of the same photographs by two measures.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    images : tuple of Images, MeasuredVectors or None
        By each measure; where there are none the stored vectors are read.
    """

    r: Transaction
    kind: KindRow
    measures: Measures
    ids: Int64Ids
    images: tuple[Seen, Seen]

    def rank(
        self, query: Float32Vectors, photograph: int, k: int, progress: Progress = silent
    ) -> tuple[list[RankedPhotograph], list[RankedPhotograph]]:
        """Return the first k by each measure, in the order of (distance, id); the query comes first.

        Parameters
        ----------
        query : ndarray of float32, (d,)
        photograph : int
            Whose vector that is; one of the ids.
        """
        row = int(np.searchsorted(self.ids, photograph))
        seen = self._seen(query, progress)
        for one in seen:
            one.nearly[row] = np.inf  # the query comes first, before its copies
        lists = []
        for this, other in (seen, seen[::-1]):
            rows, distances = nearest_exactly(this.nearly, this.slack, this.exactly, min(k, len(self.ids)) - 1)
            elsewhere = other.exactly(rows)
            places = exact_places(rows, elsewhere, other.nearly, other.slack, other.exactly)
            columns = (self.ids[rows], distances, places + 2, elsewhere)
            others = [RankedPhotograph(*one) for one in zip(*(each.tolist() for each in columns), strict=True)]
            lists.append([RankedPhotograph(photograph, 0.0, 1, 0.0), *others])
        return lists[0], lists[1]

    def _seen(self, query: Float32Vectors, progress: Progress) -> tuple[_Seen, _Seen]:
        if None in self.images:
            measured = self._all(query, progress)
        found = []
        for number, (image, measure) in enumerate(zip(self.images, self.measures, strict=True)):
            if isinstance(image, Images):
                found.append(self._from_images(image, measure, query))
            else:
                found.append(_from_all(measured[number] if image is None else image.distances(query)))
        return found[0], found[1]

    def _from_images(self, images: Images, measure: Measure | FittedMetric, query: Float32Vectors) -> _Seen:
        squared, slack = images.distances_squared(query)

        def exactly(rows: Int64Rows) -> Float64Matrix:
            # A library may hold thousands without anything to compare: these are known without reading them.
            found = np.sqrt(squared[rows])
            telling = np.flatnonzero(~images.blank[rows]) if slack else rows[:0]
            for start in range(0, len(telling), _RANKING_BLOCK):
                some = telling[start : start + _RANKING_BLOCK]
                vectors, _ = self.r.descriptors.read(self.kind, self.ids[rows[some]])
                found[some] = measure.distances(query, as_float32(vectors))
            return np.asarray(found)

        return _Seen(squared.copy(), slack, exactly)

    def _all(self, query: Float32Vectors, progress: Progress) -> list[Float64Matrix]:
        """Return exact distances of every photograph by the measures that have no images, (n,) each."""
        found = [np.empty(len(self.ids) if image is None else 0) for image in self.images]
        for start in range(0, len(self.ids), _RANKING_BLOCK):
            progress(start, len(self.ids), Message("Measuring every photo"))
            rows = slice(start, start + _RANKING_BLOCK)
            vectors, _ = self.r.descriptors.read(self.kind, self.ids[rows])
            x = as_float32(vectors)
            for image, measure, distances in zip(self.images, self.measures, found, strict=True):
                if image is None:
                    distances[rows] = measure.distances(query, x)
        return found


@dataclass(frozen=True, eq=False)
class _Seen:
    """All photographs by one measure from the query: squared distances, their error, and the exact ones."""

    nearly: Float64Matrix
    slack: float
    exactly: Exactly


def _from_all(distances: Float64Matrix) -> _Seen:
    return _Seen(np.square(distances), 1e-12, lambda rows: np.asarray(distances[rows]))
