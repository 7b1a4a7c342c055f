"""Ranked results of a search: candidates of one index, or of several fused, with times, notes and missed photographs.

Similarity levels are the similarities from which photographs are called very similar and similar, where no marks
determine them. They hold for the index that a new library begins with. They were chosen on demo photographs of five
kinds (animals, fish, music, solar, windmills) and judged on photographs of four others (dams, monuments, sea, tools),
kinds by folder, each as a query in all 306; queries and copies (similarity 0.9) are left out. Shares of the same kind
among the first 20 results:

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.library.library import Library, LocatedPhotograph
from twinlens.app.search.confirmation import (
    FROM_PARTS,
    Confirmation,
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
from twinlens.app.search.query_descriptors import QueryDescriptors
from twinlens.app.search.query_distance import Distances, QueryDistance
from twinlens.app.search.search_options import FusionOptions, SearchOptions
from twinlens.app.search.search_results import (
    ConfidenceThreshold,
    MissedPhotograph,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    together,
    with_stacks,
)
from twinlens.app.search.search_space import SearchSpace
from twinlens.app.search.similarity_levels import similarity_levels
from twinlens.core.arrays import Int64Ids
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message, counted, joined, verbatim
from twinlens.core.progress import Progress, part
from twinlens.core.search.late_fusion import FUSIONS, Fused, RankedList
from twinlens.core.search.server_lists import ServedCodes
from twinlens.features.keypoints.geometric_check import CANDIDATES_TO_CHECK
from twinlens.storage.library.store import Transaction


@dataclass(frozen=True, eq=False)
class RankedResults:
    """The ranking of one search, from which its result is made: at once, or when the first photographs are checked.

    Attributes
    ----------
    descriptors : QueryDescriptors
        The query.
    options : SearchOptions
        Whether to check is decided.
    ids : Int64Ids, (n,)
        Photographs in the order before the check; at least as many as are to be shown, if there are so many.
    candidates : Int64Ids, (m,)
        Photographs to check, the most promising first; empty where no check is to follow.
    photographs : dict of int to LocatedPhotograph
        Every ranked photograph, candidate, and missed one, by id.
    results : dict of int to ResultPhotograph
        Every ranked photograph and candidate, by id, unchecked.
    unchecked : SearchResult
        The result without its photographs, notes and check.
    notes : list of Message
        What a person should know of how the search ran, a sentence each.
    uncertainty : Message
        Why the results have no error rate, where certain results alone are to be shown.
    stacks : mapping of int to int
        The stack of a photograph, by id; see :func:`twinlens.app.search.search_results.together`.
    """

    descriptors: QueryDescriptors
    options: SearchOptions
    ids: Int64Ids
    candidates: Int64Ids
    photographs: dict[int, LocatedPhotograph]
    results: dict[int, ResultPhotograph]
    unchecked: SearchResult
    notes: list[Message]
    uncertainty: Message
    stacks: Mapping[int, int]

    @cached_property
    def result(self) -> SearchResult:
        """The unchecked result; it does not mention marks."""
        return self._completed(self.unchecked, self.ids, self.notes, {})

    def of_words(self, typed: str, note: Message) -> RankedResults:
        """Return the ranking as that of a query with words: by their name, and with a note on them."""
        unchecked = self.unchecked.model_copy(update={"query": verbatim(typed)})
        return replace(self, unchecked=unchecked, notes=[*self.notes, note] if note else self.notes)

    def checked(self, confirmations: Confirmations, seconds: float) -> SearchResult:
        """Return the checked result, matches first, given the seconds that the check took."""
        before = self.unchecked.seconds
        unordered = self.unchecked.model_copy(
            update={
                "seconds": before.model_copy(update={"check": seconds, "total": before.total + seconds}),
                "checked": len(confirmations.found),
                "unprepared": confirmations.lacking,
            }
        )
        liked = self.descriptors.liked_photographs()
        ids = reordered(self.ids, confirmations, liked, self.options.confirmed_only)
        notes = [*self.notes, *confirmation_notes(confirmations, self.options)]
        return self._completed(unordered, ids, notes, confirmations.found)

    def _completed(
        self, unordered: SearchResult, ids: Int64Ids, notes: list[Message], found: Mapping[int, Confirmation]
    ) -> SearchResult:
        """Return a result with the first k of some photographs, their checks as far as there are any, and notes."""
        first = [
            self.results[one].model_copy(update={"check": as_geometric_check(found[one]) if one in found else None})
            for one in ids[: self.options.k].tolist()
        ]
        note = joined([joined(notes), self.uncertainty])
        result = unordered.model_copy(update={"hits": with_stacks(first, self.stacks), "note": note})
        return result.sure_only() if self.options.sure and result.threshold is not None else result


def confirm_results(
    library: Library, ranked: RankedResults, checks: ConfirmationCache, progress: Progress
) -> SearchResult:
    """Compare the candidates of a search with its pictures and return the result, matches first.

    Parameters
    ----------
    ranked : RankedResults
        Its unchecked result is returned where no check is to follow.
    checks : ConfirmationCache
        Earlier comparisons.
    """
    if not ranked.options.check:
        return ranked.result
    started = time.perf_counter()
    with library.store.reading() as r:
        confirmations = confirm(r, ranked.descriptors, ranked.candidates, checks, progress)
    return ranked.checked(confirmations, time.perf_counter() - started)


def confirmation_notes(confirmed: Confirmations, options: SearchOptions) -> list[Message]:
    """Return notes for a person on the check, a sentence each."""
    made = []
    if options.confirmed_only and not confirmed.found and not confirmed.lacking:
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
    library: Library,
    space: SearchSpace,
    descriptors: QueryDescriptors,
    options: SearchOptions,
    progress: Progress,
    threshold: ConfidenceThreshold | None = None,
    uncertainty: Message = NOTHING,
    stacked: bool = True,
) -> RankedResults:
    """Search an index; nothing is checked yet.

    Parameters
    ----------
    space : SearchSpace
        The photographs that may be found.
    options : SearchOptions
        Whether to check must be decided.
    threshold, uncertainty
        The distance up to which results are certain, or why it is lacking; see `RankedResults`.
    stacked : bool
        Whether to find which results belong into one stack.
    """
    started, index = time.perf_counter(), space.index
    query_distance = descriptors.distance(index)
    ranked = rank_first(space, query_distance, options, part(progress, 0.0, 0.5))
    candidates = photographs_to_confirm(space, descriptors, ranked.ids) if options.check else NOBODY
    total = descriptors.seconds + time.perf_counter() - started
    truth = None
    if options.compare_exact:
        truth = ranked
        if not ranked.exact:
            truth = rank_exactly(space, query_distance, options.k, part(progress, 0.5, 1.0))
        truth = truth.first(options.k)
    first = ranked.first(options.k)
    every = with_distances(space, query_distance, ranked, united_ids(ranked.ids, candidates))
    photographs = library.look_up(space.r, every.ids)
    missed = [] if truth is None else _missed(library, space, truth, first)
    levels = None if threshold is None else threshold.likeness
    return RankedResults(
        descriptors,
        options,
        ranked.ids,
        candidates,
        {one.row.id: one for one in (*photographs, *(one for _, one in missed))},
        result_photographs(descriptors, photographs, every.distances, index.measure.similarities(every.distances)),
        unchecked(
            descriptors,
            ranked.costs,
            total,
            index=index.row.name,
            text=index.text,
            measure=index.measure_name,
            exact=ranked.exact,
            of=len(index.ids),
            overlap=None if truth is None else _overlap(truth, first),
            histogram=space.histogram(query_distance) if options.histogram else None,
            missed=[one for one, _ in missed],
            exact_seconds=None if truth is None else truth.costs.rerank,
            threshold=threshold,
            likeness=levels or similarity_levels(index),
        ),
        query_notes(index, descriptors, query_distance, options),
        uncertainty,
        stacks(space.r, photographs) if stacked else {},
    )


def stacks(r: Transaction, photographs: Sequence[LocatedPhotograph]) -> dict[int, int]:
    """Return the stacks of photographs by id; see :func:`twinlens.app.search.search_results.together`."""
    return together(r, {one.row.id: one.row.content_hash for one in photographs})


def unchecked(descriptors: QueryDescriptors, costs: SearchCosts, total: float, **found: Any) -> SearchResult:
    """Return a result without photographs: its costs, and the given fields by name."""
    seconds = SearchSeconds(
        extract=descriptors.seconds, encode=costs.encode, scan=costs.scan, rerank=costs.rerank, total=total
    )
    return SearchResult(
        query=descriptors.name,
        hits=[],
        seconds=seconds,
        looked_at=costs.looked_at,
        scanned=costs.scanned,
        probed=costs.probed,
        **found,
    )


def result_photographs(
    descriptors: QueryDescriptors,
    photographs: Sequence[LocatedPhotograph],
    distances: Distances,
    similarities: Distances,
) -> dict[int, ResultPhotograph]:
    """Return photographs with their distances and similarities, (n,), as results, by their ids."""
    own = descriptors.photographs()
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
    index: LoadedIndex, descriptors: QueryDescriptors, query_distance: QueryDistance, options: SearchOptions
) -> list[Message]:
    """Return notes for a person on the search of an index, a sentence each."""
    compared = Message(index.descriptor.plain_name)
    if query_distance.blank:
        return [
            counted(
                "This picture shows too little to compare {compared}. Search by something else, such as “Colours”.",
                "These pictures show too little to compare {compared}. Search by something else, such as “Colours”.",
                len(descriptors.examples),
                compared=compared,
            )
        ]
    made = [
        Message(
            "{name} shows too little to compare {compared}, so it does not count.",
            name=one.picture.name,
            compared=compared,
        )
        for place, one in enumerate(descriptors.examples)
        if one.weight and place not in query_distance.examples
    ]
    if index.structure is None and not options.exact and index.search.uses_codes:
        made.append(Message("Still preparing: this search looked at every photo."))
    if index.structure is not None and not options.exact and not index.structure.is_built:
        made.append(Message("“{index}” is still being built, so this search took longer.", index=index.row.name))
    if isinstance(index.structure, ServedCodes) and not options.exact:
        made.append(
            Message("The server named the candidates, so these results are approximate: similar photos may be missing.")
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
    descriptors: QueryDescriptors,
    options: SearchOptions,
    progress: Progress,
) -> RankedResults:
    """Search several indexes together; nothing is checked yet.

    Parameters
    ----------
    spaces : sequence of SearchSpace
        The photographs of each index that may be found.
    options : SearchOptions
        Whether to check must be decided; by default results are fused by reciprocal ranks.

    Returns
    -------
    RankedResults
        The similarity of a result is its share of the best possible score, and its distance sqrt(2 - 2 similarity).
    """
    started = time.perf_counter()
    fusion = options.fusion or FusionOptions()
    indexes = [space.index for space in spaces]
    weights = fusion.index_weights(indexes)
    query_distances = [descriptors.distance(index) for index in indexes]
    deep = options.changed(k=max(options.k, DEPTH), check=False, confirmed_only=False)
    ranked = []
    for number, (one, query_distance) in enumerate(zip(spaces, query_distances, strict=True)):
        step = part(progress, number / len(indexes), (number + 1) / len(indexes))
        ranked.append(rank_first(one, query_distance, deep, step))
    # An index by which the query is blank has no ranking.
    telling = [weight if not one.blank else 0.0 for one, weight in zip(query_distances, weights, strict=True)]
    fused = _fused(indexes, ranked, telling if any(telling) else weights, fusion.way)
    ranking = fused.ids[: max(options.k, CANDIDATES_TO_CHECK)]
    candidates = _photographs_to_confirm(spaces, descriptors, fused.ids) if options.check else NOBODY
    total = descriptors.seconds + time.perf_counter() - started
    ids = united_ids(ranking, candidates)
    scores = dict(zip(fused.ids.tolist(), fused.scores.tolist(), strict=True))
    similarities = np.array([scores.get(one, 0.0) / fused.best for one in ids.tolist()], np.float64)
    photographs = library.look_up(spaces[0].r, ids)
    notes = [
        note
        for index, query_distance in zip(indexes, query_distances, strict=True)
        for note in query_notes(index, descriptors, query_distance, options)
    ]
    return RankedResults(
        descriptors,
        options,
        ranking,
        candidates,
        {one.row.id: one for one in photographs},
        result_photographs(descriptors, photographs, np.sqrt(np.maximum(0, 2 - 2 * similarities)), similarities),
        unchecked(
            descriptors,
            SearchCosts.total(one.costs for one in ranked),
            total,
            index=" + ".join(index.row.name for index in indexes),
            text=" + ".join(_weighted(index, weight) for index, weight in zip(indexes, weights, strict=True)),
            measure=_NAMES[fusion.way],
            exact=all(one.exact for one in ranked),
            of=len(np.unique(np.concatenate([index.ids for index in indexes]))),
        ),
        list(dict.fromkeys(notes)),
        NOTHING,
        stacks(spaces[0].r, photographs),
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


def _photographs_to_confirm(spaces: Sequence[SearchSpace], descriptors: QueryDescriptors, fused: Int64Ids) -> Int64Ids:
    """Return the first photographs, and a few that resemble parts of the query by some index."""
    first = fused[:CANDIDATES_TO_CHECK]
    added = [photographs_to_confirm(one, descriptors, fused)[len(first) :].tolist() for one in spaces]
    by_turns = [found[place] for place in range(FROM_PARTS) for found in added if place < len(found)]
    return np.array([*first.tolist(), *list(dict.fromkeys(by_turns))[:FROM_PARTS]], np.int64)


def _weighted(index: LoadedIndex, weight: float) -> str:
    return index.text if weight == 1 else f"{weight:g} × ({index.text})"
