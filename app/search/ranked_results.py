"""Ranked results of a search: candidates of one index, or of several fused, with times, notes and what was missed.

Similarity levels say from which similarity on photographs are called alike, where no marks say it. They are those of
what a new library compares by, chosen on demo photographs of five kinds (animals, fish, music, solar, windmills) and
judged on those of four others (dams, monuments, sea, tools), kinds by folder, each as a query in all 306; queries and
copies (similarity 0.9) are left out. Shares of the same kind among the first 20 results:

    ================================  ============  =======  ==========
    mean of kinds (of all results)    very similar  similar  the others
    ================================  ============  =======  ==========
    chosen on                           91 (95) %   52 (67)    32 (48)
    judged on                           79 (95) %   59 (86)    33 (53)
    chosen on, beside other pictures    75 (90) %   40 (52)    26 (35)
    judged on, beside other pictures    76 (91) %   49 (74)    26 (39)
    ================================  ============  =======  ==========

Of all results, kinds with many photographs decide (86 monuments); the mean of kinds is nearer to a library where each
kind is rare. The other pictures are 380 photographs and cut-outs of other things. Among the first 50 the shares of both
words are the same. The network's components were learned from demo photographs too, from all and without their kinds.

Cut-out objects are all more alike, by their white: of 427 in 23 folders of Tux Paint, 46 % of what is called very
similar is of the same folder, 29 % of what is called similar; 0.48 and 0.39 would be 80 and 50 %.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from app.indexes.loaded_index import LoadedIndex
from app.indexes.standard_indexes import BEST, BEST_AT_360_PX
from app.library.library import Library, LocatedPhotograph
from app.methods import catalogue
from app.results import shown
from app.search.confirmation import (
    FROM_PARTS,
    ConfirmationCache,
    Confirmations,
    RankedPhotographs,
    SearchCosts,
    as_geometric_check,
    confirm,
    ids_without,
    photographs_to_confirm,
    rank_exactly,
    rank_first,
    reordered,
    with_distances,
)
from app.search.query_descriptors import QueryDescriptors
from app.search.query_distance import Distances, QueryDistance
from app.search.search_query import Feedback, FusionOptions, SearchOptions
from app.search.search_results import (
    MissedPhotograph,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    SimilarityLevels,
    with_stacks,
)
from app.search.search_space import SearchSpace
from core.arrays import Int64Ids
from core.message import NOTHING, Message, counted, joined
from core.progress import Progress, part
from core.search.late_fusion import FUSIONS, Fused, RankedList
from core.search.server_lists import ServedCodes
from features.keypoints.geometric_check import FIRST


@dataclass(frozen=True, eq=False)
class RankedResults:
    """Outcome of one search; see :func:`check` for the second half of it.

    Attributes
    ----------
    described : QueryDescriptors
        The query.
    wanted : SearchOptions
        Whether to check is said.
    ranked : Ids, (n,)
        At least as many photographs as are wanted, if there are so many, in the order before the check.
    candidates : Ids, (m,)
        Photographs to check, the most promising first; empty where no check is wanted.
    photographs : dict of int to LocatedPhotograph
        Every ranked photograph, candidate, and missed one.
    hits : dict of int to ResultPhotograph
        Every ranked photograph and candidate.
    unchecked : SearchResult
        Without hits and note.
    notes : list of Message
        What a person should know of how the query was answered, a sentence each.
    certainty : Message
        Why the results have no error rate, where one is wanted.
    feedback : Feedback or None
        The marks that were added to the query.
    confirmed : Confirmations or None
        None before the check.
    together : mapping of int to int
        What belongs into one stack; see :func:`app.search.search_results.together`.
    """

    described: QueryDescriptors
    wanted: SearchOptions
    ranked: Int64Ids
    candidates: Int64Ids
    photographs: dict[int, LocatedPhotograph]
    hits: dict[int, ResultPhotograph]
    unchecked: SearchResult
    notes: list[Message]
    certainty: Message = NOTHING
    feedback: Feedback | None = None
    confirmed: Confirmations | None = None
    together: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def result(self) -> SearchResult:
        """The result with its hits in order, as far as they are checked; it does not mention marks."""
        notes, ids = self.notes, self.ranked
        if self.confirmed is not None:
            ids = reordered(ids, self.confirmed, self.described.liked_photographs(), self.wanted.confirmed_only)
            notes = [*notes, *confirmation_notes(self.confirmed, self.wanted)]
        hits = with_stacks([self._hit(one) for one in ids[: self.wanted.k].tolist()], self.together)
        result = self.unchecked.model_copy(update={"hits": hits, "note": joined(notes)}).noted(self.certainty)
        return result.sure_only() if self.wanted.sure and result.threshold is not None else result

    def contents(self) -> dict[int, bytes | None]:
        """Return the content hashes of ranked photographs and candidates by their ids."""
        return {one: self.photographs[one].row.content_hash for one in self.hits}

    def _hit(self, photograph_id: int) -> ResultPhotograph:
        """Return a photograph as a result; one that was added by a mark is like any other."""
        hit = self.hits[photograph_id]
        confirmation = None if self.confirmed is None else self.confirmed.found.get(photograph_id)
        added = self.feedback is not None and photograph_id in self.feedback.added
        check = None if confirmation is None else as_geometric_check(confirmation)
        return hit.model_copy(update={"check": check, "query": hit.query and not added})


def confirm_results(
    library: Library, found: RankedResults, checks: ConfirmationCache, progress: Progress
) -> RankedResults:
    """Compare the candidates of a search with its pictures; matches come first.

    Parameters
    ----------
    found : RankedResults
        Returned as it is where no check is wanted.
    checks : ConfirmationCache
        Earlier comparisons.
    """
    if not found.wanted.check:
        return found
    started = time.perf_counter()
    with library.store.reading() as r:
        confirmed = confirm(r, found.described, found.candidates, checks, progress)
    took = time.perf_counter() - started
    before = found.unchecked.seconds
    seconds = before.model_copy(update={"check": took, "total": before.total + took})
    result = found.unchecked.model_copy(
        update={"seconds": seconds, "checked": len(confirmed.found), "unprepared": confirmed.lacking}
    )
    return replace(found, unchecked=result, confirmed=confirmed)


def confirmation_notes(confirmed: Confirmations, wanted: SearchOptions) -> list[Message]:
    """Return what a person should know of the check, a sentence each."""
    made = []
    if wanted.confirmed_only and not confirmed.found and not confirmed.lacking:
        made.append(Message("There is nothing to check: the query has no distinctive points."))
    if confirmed.lacking:
        made.append(
            counted(
                "{count} photo could not be checked yet. Rescan the library to include it.",
                "{count} photos could not be checked yet. Rescan the library to include them.",
                confirmed.lacking,
            )
        )
    if confirmed.left:
        made.append(
            counted(
                "There was time to check only the first photo.",
                "There was time to check only the first {count} photos.",
                len(confirmed.found),
            )
        )
    return made


NOBODY = np.empty(0, np.int64)


def search_index(
    library: Library, space: SearchSpace, described: QueryDescriptors, wanted: SearchOptions, progress: Progress
) -> RankedResults:
    """Search an index; nothing is checked yet.

    Parameters
    ----------
    space : SearchSpace
        The photographs that may be found.
    wanted : SearchOptions
        Whether to check must be said.
    """
    started, index = time.perf_counter(), space.index
    criterion = described.distance(index)
    ranked = rank_first(space, criterion, wanted, part(progress, 0.0, 0.5))
    candidates = photographs_to_confirm(space, described, ranked.ids) if wanted.check else NOBODY
    total = described.seconds + time.perf_counter() - started
    truth = None
    if wanted.compare_exact:
        truth = ranked
        if not ranked.exact:
            truth = rank_exactly(space, criterion, wanted.k, part(progress, 0.5, 1.0))
        truth = truth.first(wanted.k)
    first = ranked.first(wanted.k)
    every = with_distances(space, criterion, ranked, united_ids(ranked.ids, candidates))
    photographs = library.look_up(space.r, every.ids)
    hits = _result_photographs(described, photographs, every.distances, index.measure.similarities(every.distances))
    missed = [] if truth is None else _missed(library, space, truth, first)
    return RankedResults(
        described,
        wanted,
        ranked.ids,
        candidates,
        {one.row.id: one for one in (*photographs, *(one for _, one in missed))},
        hits,
        _unchecked(
            described,
            ranked.costs,
            total,
            index=index.row.name,
            text=index.text,
            measure=index.measure_name,
            exact=ranked.exact,
            of=len(index.ids),
            overlap=None if truth is None else _overlap(truth, first),
            histogram=space.histogram(criterion),
            missed=[one for one, _ in missed],
            exact_seconds=None if truth is None else truth.costs.rerank,
            likeness=similarity_levels(index),
        ),
        query_notes(index, described, criterion, wanted),
    )


def _unchecked(described: QueryDescriptors, costs: SearchCosts, total: float, **found: Any) -> SearchResult:
    """Return a result without photographs: its costs, and what was found by the names of the fields."""
    seconds = SearchSeconds(
        extract=described.seconds, encode=costs.encode, scan=costs.scan, rerank=costs.rerank, total=total
    )
    return SearchResult(
        query=described.name,
        hits=[],
        seconds=seconds,
        looked_at=costs.looked_at,
        scanned=costs.scanned,
        probed=costs.probed,
        **found,
    )


def _result_photographs(
    described: QueryDescriptors,
    photographs: Sequence[LocatedPhotograph],
    distances: Distances,
    similarities: Distances,
) -> dict[int, ResultPhotograph]:
    """Return photographs with their distances and similarities, (n,), as results, by their ids."""
    own = described.photographs()
    return {
        one.row.id: ResultPhotograph(
            path=shown(one.path),
            id=one.row.id,
            distance=round(float(distance), 6),
            similarity=round(float(similarity), 6),
            query=one.row.id in own,
        )
        for one, distance, similarity in zip(photographs, distances, similarities, strict=True)
    }


def united_ids(ids: Int64Ids, others: Int64Ids) -> Int64Ids:
    """Return ids, and those of others that are not among them."""
    return np.concatenate([ids, ids_without(others, ids)])


def _overlap(truth: RankedPhotographs, ranked: RankedPhotographs) -> float:
    """Return the share of the exact first k among the ranked ones."""
    return float(np.isin(truth.ids, ranked.ids).mean()) if len(truth.ids) else 1.0


def _missed(
    library: Library, space: SearchSpace, truth: RankedPhotographs, ranked: RankedPhotographs
) -> list[tuple[MissedPhotograph, LocatedPhotograph]]:
    """Return the photographs of the exact first k that were missed."""
    places = np.flatnonzero(~np.isin(truth.ids, ranked.ids))
    photographs = library.look_up(space.r, truth.ids[places])
    similarities = space.index.measure.similarities(truth.distances[places])
    return [
        (
            MissedPhotograph(
                rank=int(place) + 1, path=shown(one.path), id=one.row.id, similarity=round(float(similarity), 6)
            ),
            one,
        )
        for place, one, similarity in zip(places, photographs, similarities, strict=True)
    ]


def query_notes(
    index: LoadedIndex, described: QueryDescriptors, criterion: QueryDistance, wanted: SearchOptions
) -> list[Message]:
    """Return what a person should know of how an index answers a query, a sentence each."""
    compared = Message(index.descriptor.plain_name)
    if criterion.blank:
        return [
            counted(
                "This picture shows too little to compare {compared}. Search by something else, such as “Colours”.",
                "These pictures show too little to compare {compared}. Search by something else, such as “Colours”.",
                len(described.examples),
                compared=compared,
            )
        ]
    made = [
        Message(
            "{name} shows too little to compare {compared}, so it does not count.",
            name=one.picture.name,
            compared=compared,
        )
        for place, one in enumerate(described.examples)
        if one.weight and place not in criterion.examples
    ]
    if index.structure is None and not wanted.exact and index.search.uses_codes:
        made.append(Message("“{index}” is not fitted yet, so every photo was compared.", index=index.row.name))
    if index.structure is not None and not wanted.exact and not index.structure.is_built:
        made.append(Message("“{index}” is still being built, so this search took longer.", index=index.row.name))
    if isinstance(index.structure, ServedCodes) and not wanted.exact:
        made.append(
            Message("The server named the candidates, so this answer is approximate: near photos may be missing.")
        )
    return made


DEPTH = 1_000
"""Number of results of each index that are fused."""

_NAMES = {
    "rrf": Message("reciprocal rank fusion"),
    "borda": Message("Borda count"),
    "similarity": Message("sum of similarities"),
}


def search_fused(
    library: Library,
    spaces: Sequence[SearchSpace],
    described: QueryDescriptors,
    wanted: SearchOptions,
    progress: Progress,
) -> RankedResults:
    """Search several indexes together; nothing is checked yet.

    Parameters
    ----------
    spaces : sequence of SearchSpace
        The photographs of each index that may be found.
    wanted : SearchOptions
        Whether to check must be said; by default results are fused by reciprocal ranks.

    Returns
    -------
    RankedResults
        The similarity of a hit is its share of the best score there could be, and its distance sqrt(2 - 2 similarity).
    """
    started = time.perf_counter()
    fusing = wanted.fusing or FusionOptions()
    indexes = [space.index for space in spaces]
    weights = fusing.of(indexes)
    criteria = [described.distance(index) for index in indexes]
    deep = replace(wanted, k=max(wanted.k, DEPTH), check=False, confirmed_only=False)
    ranked = []
    for number, (one, criterion) in enumerate(zip(spaces, criteria, strict=True)):
        step = part(progress, number / len(indexes), (number + 1) / len(indexes))
        ranked.append(rank_first(one, criterion, deep, step))
    # An index to which the query says nothing has no ranking.
    telling = [weight if not one.blank else 0.0 for one, weight in zip(criteria, weights, strict=True)]
    fused = _fused(indexes, ranked, telling if any(telling) else weights, fusing.way)
    ranking = fused.ids[: max(wanted.k, FIRST)]
    candidates = _photographs_to_confirm(spaces, described, fused.ids) if wanted.check else NOBODY
    total = described.seconds + time.perf_counter() - started
    ids = united_ids(ranking, candidates)
    scores = dict(zip(fused.ids.tolist(), fused.scores.tolist(), strict=True))
    similarities = np.array([scores.get(one, 0.0) / fused.best for one in ids.tolist()], np.float64)
    photographs = library.look_up(spaces[0].r, ids)
    told = [
        sentence
        for index, criterion in zip(indexes, criteria, strict=True)
        for sentence in query_notes(index, described, criterion, wanted)
    ]
    return RankedResults(
        described,
        wanted,
        ranking,
        candidates,
        {one.row.id: one for one in photographs},
        _result_photographs(described, photographs, np.sqrt(np.maximum(0, 2 - 2 * similarities)), similarities),
        _unchecked(
            described,
            SearchCosts.total(one.costs for one in ranked),
            total,
            index=" + ".join(index.row.name for index in indexes),
            text=" + ".join(_weighted(index, weight) for index, weight in zip(indexes, weights, strict=True)),
            measure=_NAMES[fusing.way],
            exact=all(one.exact for one in ranked),
            of=len(np.unique(np.concatenate([index.ids for index in indexes]))),
        ),
        list(dict.fromkeys(told)),
    )


def _fused(
    indexes: Sequence[LoadedIndex],
    ranked: Sequence[RankedPhotographs],
    weights: Sequence[float],
    way: str,
) -> Fused:
    lists = [
        RankedList(one.ids, index.measure.similarities(one.distances))
        for index, one in zip(indexes, ranked, strict=True)
    ]
    return FUSIONS[way](lists, weights)


def _photographs_to_confirm(spaces: Sequence[SearchSpace], described: QueryDescriptors, fused: Int64Ids) -> Int64Ids:
    """Return the first photographs, and a few that resemble parts of the query by some index."""
    first = fused[:FIRST]
    added = [photographs_to_confirm(one, described, fused)[len(first) :].tolist() for one in spaces]
    by_turns = [found[place] for place in range(FROM_PARTS) for found in added if place < len(found)]
    return np.array([*first.tolist(), *list(dict.fromkeys(by_turns))[:FROM_PARTS]], np.int64)


def _weighted(index: LoadedIndex, weight: float) -> str:
    return index.text if weight == 1 else f"{weight:g} × ({index.text})"


_LIMITS = SimilarityLevels(very_similar=0.32, similar=0.26)


def similarity_levels(index: LoadedIndex) -> SimilarityLevels | None:
    """Return the shipped limits of an index; None where its similarities mean something else."""
    row = index.row
    learned = row.metric is not None or row.metric_id is not None
    # Only what is a fusion itself can be one of these, which take a while to read.
    best = index.descriptor.key == "fusion" and index.descriptor in map(catalogue.descriptor, (BEST, BEST_AT_360_PX))
    return _LIMITS if best and not learned else None
