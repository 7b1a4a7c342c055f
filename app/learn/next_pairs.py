"""Choice of the pairs to mark next: those whose mark teaches most, of photographs that differ from each other.

A sample of the library is looked at. Some of its photographs, far from each other, are each paired with what is nearest
by the measure of today and by what was learned, with some that are farther, and chance adds more: so that both similar
and different pairs come. Where nothing is marked yet, the pairs lie at all distances. Two files of the same picture,
as the check tells it, are never asked about: there is nothing to decide.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from app.indexes.index_measure import IndexMeasure, index_measure
from app.learn.learning import Proposal
from app.learn.next_pairs_results import OfferedPair, OfferResult, Reason
from app.learn.pair_candidates import PairCandidates, PhotographSample
from app.learn.proposed_metric import ProposedMetric
from app.learn.same_pictures import SamePictures
from app.library.library import AUTOMATIC, Library
from app.marks.marked_pairs import MarkedPairs, pairs_for
from app.results import shown
from core.arrays import Float64Matrix, Int64Rows
from core.exact_search.measure import Measure
from core.learning.metric_judgement import best_threshold
from core.learning.next_pairs import pick_pairs, usefulness
from core.learning.pair_distances import pair_distances
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress, part, silent
from storage.library.transaction import Transaction

_ALIKE = 0.02  # place among all pairs up to which photographs are taken as alike, where marks do not say
_FEW = 1 / 3  # of the marks: a kind with fewer is asked for
_LACKED = 1.5  # what a mark of that kind is worth more
_DISAGREE = 0.2  # usefulness by disagreement from which on it is said: about twice as near or far
_UNSURE = 0.4  # usefulness by nearness to the threshold from which on a pair is said to be unsure
_RENEWED = 10  # marks after which other photographs are looked at


@dataclass(frozen=True)
class NextPairSettings:
    """Pairs to ask a person about.

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
    library : Library
    index : str
        Whose vectors and measure are looked at.
    learned : Proposal or str, optional
        What was learned from the marks so far, kept or not.
    wanted : PairsWanted
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such index or metric, or both are of different descriptors.
    Cancelled
        If progress says so.
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
        pairs = _told(library, r, sample, measures, chosen)
    return OfferResult(
        index=measured.row.name,
        pairs=pairs,
        considered=len(found.rows),
        seconds=time.perf_counter() - started,
    )


def _metric(r: Transaction, learned: Proposal | str | None, index: IndexMeasure) -> FittedMetric | None:
    """Return the metric; None where nothing was learned yet."""
    if learned is None or (isinstance(learned, Proposal) and learned.metric is None):
        return None
    found = ProposedMetric.of(r, learned)
    found.check(index)
    return found.fitted


def _threshold(
    r: Transaction, index: IndexMeasure, measure: Measure | FittedMetric, marked: MarkedPairs, found: PairCandidates
) -> float:
    """Return the place among all pairs that parts similar from different ones, as far as marks tell."""
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


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Pairs that were chosen: their places among the candidates, their rows, how useful they are, and why."""

    places: Int64Rows
    rows: Int64Rows
    useful: Float64Matrix
    whys: list[tuple[Reason, Message]]


def _chosen(found: PairCandidates, threshold: float, marked: MarkedPairs, count: int) -> _Chosen:
    """Choose the pairs that are most useful to ask about."""
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


def _lacking(marked: MarkedPairs) -> bool | None:
    """Return which judgement is hardly there beside the other, similar or not; None where both are."""
    if not len(marked.rows):
        return None
    share = float(marked.similar.mean())
    return share < 0.5 if min(share, 1 - share) < _FEW else None


def _at_all_distances(found: PairCandidates, count: int) -> Int64Rows:
    """Choose pairs from very near to rather far, no photograph twice, near and far in turn."""
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
    if place < 0.01:
        return Message("To begin with: these two are among the nearest to each other.")
    if place < 0.1:
        return Message("To begin with: rather near each other.")
    return Message("To begin with: rather far from each other.")


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


def _told(
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
