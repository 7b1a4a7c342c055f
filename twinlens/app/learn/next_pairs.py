"""Choice of the pairs to mark next: pairs whose marks teach most, of photographs that differ from each other.

Candidates are pairs of photographs far from each other in the library, each with near and with farther ones. Pairs that
show the same picture, by content or keypoints, are left out, so that nobody has to mark them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.learn.learn_results import OfferedPair, OfferResult, Reason
from twinlens.app.learn.learning import Proposal, ProposedMetric
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.marks.marked_pairs import MarkedPairs, pairs_for
from twinlens.core.arrays import Float64Matrix, Int64Ids, Int64Rows
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import Images
from twinlens.core.files.untrusted_input import shown
from twinlens.core.learning.metric_judgement import (
    background_places,
    best_threshold,
    pair_distances,
    pick_pairs,
    usefulness,
)
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import one_thread
from twinlens.features.keypoints import keypoints
from twinlens.features.keypoints.geometric_check import CandidateCheck
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter

_ALIKE = 0.02  # place among all pairs up to which photographs are taken as alike, where marks do not say
_FEW = 1 / 3  # of the marks: a kind with a smaller share is wanted
_LACKED = 1.5  # what a mark of that kind is worth more
_DISAGREE = 0.2  # disagreement from which on it is the reason: about twice as near or far
_UNSURE = 0.4  # nearness to the threshold from which on it is the reason
_RENEWED = 10  # marks after which other photographs are looked at


@dataclass(frozen=True)
class NextPairSettings:
    """Options of the choice of pairs to mark.

    Attributes
    ----------
    count : int
        How many pairs.
    skipped : collection of (int, int)
        Pairs of photographs that shall not be offered; marked ones never are.
    seed : int
        Of the sample: the same marks and seed offer the same pairs.
    """

    count: int = 10
    skipped: Collection[tuple[int, int]] = ()
    seed: int = 0


def offer_pairs(
    library: Library,
    wanted: NextPairSettings = NextPairSettings(),
    index: str = AUTOMATIC,
    learned: Proposal | str | None = None,
    progress: Progress = silent,
) -> OfferResult:
    """Find pairs to mark next.

    Parameters
    ----------
    index : str
        Whose vectors and measure are looked at.
    learned : Proposal or str, optional
        What was learned from the marks so far, kept or not.

    Raises
    ------
    TwinlensError
        If there is no such index or metric, or both are of different descriptors.
    """
    started = time.perf_counter()
    with library.store.reading() as r:
        measured = index_measure(r, index)
        metric = _metric(r, learned, measured)
        marked = pairs_for(r, measured.kind)
        drawn = [wanted.seed, len(marked.rows) // _RENEWED]
        sample = PhotographSample.of(r, measured.kind, drawn, part(progress, 0, 0.5))
        measures = [measured.measure] if metric is None else [measured.measure, metric]
        found = PairCandidates.of(sample, measures, drawn, part(progress, 0.5, 0.9))
        found = found.without(r, sample, wanted.skipped)
        threshold = _threshold(r, measured, measures[-1], marked, found)
        same = SamePictures(r, sample.ids)
        chosen = _chosen(found, threshold, marked, wanted.count)
        while len(shown_same := chosen.places[same.among(chosen.rows, part(progress, 0.9, 1.0))]):
            found = found.but(shown_same)
            chosen = _chosen(found, threshold, marked, wanted.count)
        pairs = _explained(library, r, sample, measures, chosen)
    return OfferResult(
        index=measured.row.name,
        pairs=pairs,
        considered=len(found.rows),
        seconds=time.perf_counter() - started,
    )


def _metric(r: Transaction, learned: Proposal | str | None, index: IndexMeasure) -> FittedMetric | None:
    """Return the metric; None if none is learned yet."""
    if learned is None or (isinstance(learned, Proposal) and learned.metric is None):
        return None
    found = ProposedMetric.of(r, learned)
    found.check(index)
    return found.fitted


def _threshold(
    r: Transaction, index: IndexMeasure, measure: Measure | FittedMetric, marked: MarkedPairs, found: PairCandidates
) -> float:
    """Return the quantile of distances that separates similar from different pairs, as marks show."""
    similar = marked.similar
    if not len(similar) or not len(found.background[-1]):
        return _ALIKE
    vectors, _ = r.descriptors.read(index.kind, marked.ids)
    places = found.places_of(-1, pair_distances(measure, vectors.astype(np.float32), marked.rows))
    if similar.all():
        parting = float(np.quantile(places, 0.9))
    elif not similar.any():
        parting = min(_ALIKE, float(np.quantile(places, 0.1)))
    else:
        parting = best_threshold(places[similar], places[~similar])
    return float(np.clip(parting, 0.001, 0.5))


def _chosen(found: PairCandidates, threshold: float, marked: MarkedPairs, count: int) -> _Chosen:
    """Choose the pairs whose marks are most useful."""
    before, now = found.places[0], found.places[-1]
    useful = usefulness(now, before, threshold)
    lacking = _lacking(marked)
    if lacking is not None:
        useful = np.where((now <= threshold) == lacking, useful * _LACKED, useful)
    if not len(marked.rows):
        places = _at_all_distances(found, count)
        first: list[tuple[Reason, Message]] = [("first", _first_words(place)) for place in now[places].tolist()]
        return _Chosen(places, found.rows[places], useful[places], first)
    alone = usefulness(now, now, threshold)
    places = pick_pairs(found.rows, useful, count).astype(np.int64)
    whys = [
        _why(float(alone[one]), float(useful[one] - alone[one]), float(before[one]), float(now[one]), threshold)
        for one in places
    ]
    return _Chosen(places, found.rows[places], useful[places], whys)


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Chosen pairs: their positions among the candidates, their rows, their usefulness, and the reasons."""

    places: Int64Rows
    rows: Int64Rows
    useful: Float64Matrix
    whys: list[tuple[Reason, Message]]


def _lacking(marked: MarkedPairs) -> bool | None:
    """Return the judgement that is rare beside the other, similar or not; None if neither is."""
    if not len(marked.rows):
        return None
    share = float(marked.similar.mean())
    return share < 0.5 if min(share, 1 - share) < _FEW else None


def _at_all_distances(found: PairCandidates, count: int) -> Int64Rows:
    """Choose pairs from very near to rather far, near and far in turn, no photograph twice."""
    wanted = np.geomspace(1e-3, 0.4, max(1, count))
    far = np.abs(np.log(np.maximum(found.places[-1], 1e-4))[None] - np.log(wanted)[:, None])
    taken: set[int] = set()
    chosen: list[int] = []
    for row in far:
        for place in np.argsort(row, kind="stable").tolist():
            both = set(found.rows[place].tolist())
            if not both & taken:
                chosen.append(place)
                taken |= both
                break
    half = (len(chosen) + 1) // 2
    mixed = [one for pair in zip(chosen[:half], [*chosen[half:], -1], strict=False) for one in pair if one >= 0]
    return np.array(mixed, np.int64)


def _first_words(place: float) -> Message:
    if place < 0.1:
        return Message("These look similar to Twinlens. Do they to you?")
    return Message("These look different to Twinlens. Do they to you?")


def _why(unsure: float, disagreement: float, before: float, now: float, threshold: float) -> tuple[Reason, Message]:
    if disagreement > max(unsure, _DISAGREE):
        if now < before:
            return "disagree", Message("They were far from each other, and by what was learned they are near.")
        return "disagree", Message("They were near each other, and by what was learned they are far.")
    if unsure > _UNSURE:
        return "unsure", Message("Twinlens is unsure about this pair.")
    if now <= threshold:
        return "unsure", Message("Probably alike, which few marks say so far.")
    return "unsure", Message("Probably different, which few marks say so far.")


def _explained(
    library: Library, r: Transaction, sample: PhotographSample, measures: list[Measure | FittedMetric], chosen: _Chosen
) -> list[OfferedPair]:
    photographs = {row.id: row for row in r.photographs.by_id(np.unique(sample.ids[chosen.rows]).tolist())}
    names = [shown(path) for path in library.paths(r, photographs.values())]
    paths = dict(zip(photographs, names, strict=True))
    contents = {one: (row.content_hash or b"").hex() for one, row in photographs.items()}
    distances = [pair_distances(measure, sample.x, chosen.rows) for measure in measures]
    return [
        OfferedPair(
            first_id=first,
            second_id=second,
            first=paths[first],
            second=paths[second],
            first_content=contents[first],
            second_content=contents[second],
            why=why,
            reason=reason,
            distance=float(distances[0][place]),
            learned_distance=float(distances[1][place]) if len(distances) > 1 else None,
            usefulness=float(chosen.useful[place]),
        )
        for place, ((first, second), (why, reason)) in enumerate(
            zip(sample.ids[chosen.rows].tolist(), chosen.whys, strict=True)
        )
    ]


SAMPLE = 8_000
"""Photographs that are looked at; more would cost time, and there are far more pairs of them than can be marked."""

_ANCHORS = 200
_ANCHORS_OF = 1_500  # among which they are chosen
_NEAREST = 6
_FARTHER = (10, 25, 60, 150, 400)
_BACKGROUND = 4_000
_SAME = 0.1  # up to this distance two photographs hardly differ
Measures = Sequence[Measure | FittedMetric]


@dataclass(frozen=True, eq=False)
class PhotographSample:
    """Photographs of the library, drawn by chance, all of different content. Made by :meth:`of`.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    contents : list of bytes
    x : ndarray of float32, (n, d)
    """

    ids: Int64Ids
    contents: list[bytes]
    x: npt.NDArray[np.float32]

    @classmethod
    def of(
        cls, r: Transaction, kind: KindRow, seed: Sequence[int], progress: Progress = silent, size: int = SAMPLE
    ) -> PhotographSample:
        """Draw photographs that were read, are present, and have vectors."""
        progress(0, 1, Message("Looking for pairs"))
        ready = r.photographs.matching(Filter(states=(PhotographState.READY,)))
        ids = np.intersect1d(r.descriptors.ids(kind), ready, assume_unique=True)
        if len(ids) > size:
            ids = np.sort(np.random.default_rng(seed).choice(ids, size, replace=False))
        ids, contents = r.photographs.contents(ids)
        stored, present = r.descriptors.read(kind, ids)
        first: dict[bytes, int] = {}
        for row, content in enumerate(contents):
            first.setdefault(content, row)
        rows = np.array([row for row in first.values() if present[row] and stored[row].any()], np.int64)
        return cls(ids[rows], [contents[row] for row in rows.tolist()], stored[rows].astype(np.float32))


@dataclass(frozen=True, eq=False)
class PairCandidates:
    """Candidate pairs of a sample. Made by :meth:`of`.

    Attributes
    ----------
    rows : ndarray of int64, (p, 2)
        Of the sample; the smaller first, no pair twice.
    distances : tuple of ndarray of float64, (p,)
        By each measure.
    background : tuple of ndarray of float64, (b,)
        By each measure those of pairs drawn by chance.
    """

    rows: Int64Rows
    distances: tuple[Float64Matrix, ...]
    background: tuple[Float64Matrix, ...]

    @property
    def places(self) -> tuple[Float64Matrix, ...]:
        """Quantile of each pair's distance, by each measure."""
        return tuple(self.places_of(number, one) for number, one in enumerate(self.distances))

    def places_of(self, measure: int, distances: Float64Matrix) -> Float64Matrix:
        """Return the quantiles of distances by a measure."""
        return background_places(distances, self.background[measure])

    @classmethod
    def of(
        cls, sample: PhotographSample, measures: Measures, seed: Sequence[int], progress: Progress = silent
    ) -> PairCandidates:
        """Pair photographs far from each other with near ones by each measure, with farther ones, and by chance."""
        n = len(sample.ids)
        if n < 2:
            nothing = tuple(np.empty(0) for _ in measures)
            return cls(np.empty((0, 2), np.int64), nothing, nothing)
        rng = np.random.default_rng(seed)
        seen = [_Seen.of(measure, sample.x) for measure in measures]
        anchors = _apart(seen[0], rng, min(_ANCHORS, n))
        found = [_chance(rng, n, len(anchors))]
        for number, one in enumerate(seen):
            ranks = np.array([rank for rank in (*range(1, 1 + _NEAREST), *_FARTHER) if rank < n])
            for done, (anchor, distances) in enumerate(zip(anchors.tolist(), one.from_rows(anchors), strict=True)):
                progress(number * len(anchors) + done, len(seen) * len(anchors), Message("Looking for pairs"))
                distances[anchor] = -1.0
                near = np.argpartition(distances, ranks[-1])[: ranks[-1] + 1]
                near = near[np.lexsort((near, distances[near]))][ranks]
                found.append(np.column_stack([np.full(len(near), anchor), near]))
        rows = np.unique(np.sort(np.concatenate(found), axis=1), axis=0)
        chance = _chance(rng, n, _BACKGROUND)
        kept = cls(rows, tuple(one.pairs(rows) for one in seen), tuple(one.pairs(chance) for one in seen))
        return kept._taking(kept.distances[0] > _SAME)

    def without(self, r: Transaction, sample: PhotographSample, skipped: Collection[tuple[int, int]]) -> PairCandidates:
        """Leave out marked and skipped pairs."""
        marked = {row.pair for row in r.marks.all()}
        passed = {(min(pair), max(pair)) for pair in skipped}
        ids, contents = sample.ids.tolist(), sample.contents

        def wanted(one: int, other: int) -> bool:
            both = contents[one], contents[other]
            return (min(both), max(both)) not in marked and (ids[one], ids[other]) not in passed

        return self._taking(np.array([wanted(*pair) for pair in self.rows.tolist()], bool))

    def but(self, places: Int64Rows) -> PairCandidates:
        """Return all candidates except some, by their positions."""
        kept = np.ones(len(self.rows), np.bool_)
        kept[places] = False
        return self._taking(kept)

    def _taking(self, kept: npt.NDArray[np.bool_]) -> PairCandidates:
        return PairCandidates(self.rows[kept], tuple(one[kept] for one in self.distances), self.background)


@dataclass(frozen=True, eq=False)
class _Seen:
    """The sample by one measure, in images if it has any, which are fast and exact enough to choose by."""

    measure: Measure | FittedMetric
    x: npt.NDArray[np.float32]
    images: Images | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: npt.NDArray[np.float32]) -> _Seen:
        return cls(measure, x, Images.of(measure, x))

    def from_rows(self, rows: Int64Rows) -> Iterator[Float64Matrix]:
        """Return the distances of all photographs from each of some, (n,) each."""
        if self.images is None:
            yield from (self.measure.distances(self.x[row], self.x) for row in rows.tolist())
            return
        squared, vectors = self.images.squared, self.images.vectors
        for start in range(0, len(rows), 50):
            some = rows[start : start + 50]
            along = vectors[some] @ vectors.T
            yield from np.sqrt(np.maximum(squared + squared[some, None] - 2 * along, 0))

    def pairs(self, rows: Int64Rows) -> Float64Matrix:
        """Return the distances of pairs of rows, (p, 2) -> (p,)."""
        found = np.empty(len(rows))
        if self.images is not None:
            for start in range(0, len(rows), 1000):
                some = rows[start : start + 1000]
                difference = self.images.vectors[some[:, 0]].astype(np.float64) - self.images.vectors[some[:, 1]]
                found[start : start + 1000] = np.sqrt(np.square(difference).sum(axis=1))
            return found
        for first in np.unique(rows[:, 0]):
            where = rows[:, 0] == first
            found[where] = self.measure.distances(self.x[first], self.x[rows[where, 1]])
        return found


def _apart(seen: _Seen, rng: np.random.Generator, count: int) -> Int64Rows:
    """Choose rows far from each other, each with probability proportional to its squared distance from the chosen."""
    order = rng.permutation(len(seen.x))[:_ANCHORS_OF]
    some = _Seen.of(seen.measure, seen.x[order])
    chosen = [0]
    with one_thread():
        nearest = np.square(next(some.from_rows(np.array(chosen))))
        while len(chosen) < count and nearest.sum() > 0:
            nearest[chosen] = 0
            chosen.append(int(rng.choice(len(nearest), p=nearest / nearest.sum())))
            nearest = np.minimum(nearest, np.square(next(some.from_rows(np.array(chosen[-1:])))))
            nearest[chosen] = 0
    return order[chosen].astype(np.int64)


def _chance(rng: np.random.Generator, n: int, count: int) -> Int64Rows:
    first = rng.integers(0, n, count)
    return np.column_stack([first, (first + rng.integers(1, n, count)) % n]).astype(np.int64)


class SamePictures:
    """Check of pairs of photographs for the same picture, each pair once.

    Parameters
    ----------
    ids : ndarray of int64, (n,)
        Photographs that rows stand for.
    """

    def __init__(self, r: Transaction, ids: Int64Ids) -> None:
        self._r = r
        self._ids = ids
        self._known: dict[tuple[int, int], bool] = {}

    def among(self, rows: Int64Rows, progress: Progress = silent) -> npt.NDArray[np.bool_]:
        """Return which pairs show the same picture, (p, 2) -> (p,); photographs without keypoints show none."""
        pairs = [(int(one), int(other)) for one, other in rows]
        for number, pair in enumerate(pairs):
            progress(number, len(pairs), Message("Checking pairs"))
            if pair not in self._known:
                self._known[pair] = self._same(*pair)
        return np.array([self._known[pair] for pair in pairs], np.bool_)

    def _same(self, one: int, other: int) -> bool:
        first, second = self._r.keypoints.read(self._ids[[one, other]].tolist(), keypoints.KEYPOINTS_VERSION)
        if first is None or second is None:
            return False
        with one_thread():
            checked = CandidateCheck(keypoints.restored_keypoints(first)).of(keypoints.restored_keypoints(second))
        return checked.agreement.accepted
