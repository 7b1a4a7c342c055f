"""The search of one index for one query, with its times, what it missed and notes for the person."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library, LocatedPhotograph
from app.results import shown
from app.search.criterion import Distances, QueryDistance
from app.search.described_question import EncodedQuery
from app.search.found import RankedResults
from app.search.likeness import similarity_levels
from app.search.ranking import (
    RankedPhotographs,
    SearchSpace,
    ids_without,
    photographs_to_confirm,
    rank_exactly,
    rank_first,
    with_distances,
)
from app.search.results import MissedPhotograph, ResultPhotograph, SearchResult, SearchSeconds
from app.search.scope import Scope
from app.search.wanted import SearchOptions
from core.arrays import Int64Ids
from core.message import Message, counted
from core.progress import Progress, part
from core.search.server_lists import ServedCodes
from storage.library.transaction import Transaction

NOBODY = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class SearchRun:
    """A query on its way through indexes.

    Attributes
    ----------
    library : Library
    r : Transaction
    described : Described
        The query.
    wanted : Wanted
        Whether to check must be said.
    """

    library: Library
    r: Transaction
    described: EncodedQuery
    wanted: SearchOptions

    def hits(
        self, photographs: Sequence[LocatedPhotograph], distances: Distances, similarities: Distances
    ) -> dict[int, ResultPhotograph]:
        """Return photographs with their distances and similarities, (n,), as results, by their ids."""
        asked = self.described.photographs()
        return {
            one.row.id: ResultPhotograph(
                path=shown(one.path),
                id=one.row.id,
                distance=round(float(distance), 6),
                similarity=round(float(similarity), 6),
                query=one.row.id in asked,
            )
            for one, distance, similarity in zip(photographs, distances, similarities, strict=True)
        }


def search_index(inquiry: SearchRun, index: LoadedIndex, scope: Scope, progress: Progress) -> RankedResults:
    """Search an index; nothing is checked yet.

    Parameters
    ----------
    inquiry : Inquiry
    index : LoadedIndex
    scope : Scope
        The photographs that may be found.
    progress : Progress
    """
    started = time.perf_counter()
    described, wanted = inquiry.described, inquiry.wanted
    findable, criterion = (
        SearchSpace(inquiry.r, index, scope.mask, inquiry.library.store.id),
        described.criterion(index),
    )
    ranked = rank_first(findable, criterion, wanted, part(progress, 0.0, 0.5))
    candidates = photographs_to_confirm(findable, described, ranked.ids) if wanted.check else NOBODY
    total = described.extracting + time.perf_counter() - started
    truth = None
    if wanted.compare_exact:
        truth = ranked
        if not ranked.exact:
            truth = rank_exactly(findable, criterion, wanted.k, part(progress, 0.5, 1.0))
        truth = truth.first(wanted.k)
    first = ranked.first(wanted.k)
    every = with_distances(findable, criterion, ranked, united_ids(ranked.ids, candidates))
    photographs = inquiry.library.look_up(inquiry.r, every.ids)
    hits = inquiry.hits(photographs, every.distances, index.measure.similarities(every.distances))
    missed = [] if truth is None else _missed(inquiry, index, truth, first)
    return RankedResults(
        described,
        wanted,
        ranked.ids,
        candidates,
        {one.row.id: one for one in (*photographs, *(one for _, one in missed))},
        hits,
        SearchResult(
            query=described.name,
            index=index.row.name,
            text=index.text,
            measure=index.measure_name,
            exact=ranked.exact,
            hits=[],
            seconds=SearchSeconds(
                extract=described.extracting,
                encode=ranked.encode,
                scan=ranked.scan,
                rerank=ranked.rerank,
                total=total,
            ),
            looked_at=ranked.looked_at,
            scanned=ranked.scanned,
            probed=ranked.probed,
            of=len(index.ids),
            overlap=None if truth is None else _overlap(truth, first),
            histogram=scope.histogram(criterion),
            missed=[one for one, _ in missed],
            exact_seconds=None if truth is None else truth.rerank,
            likeness=similarity_levels(index),
        ),
        query_notes(index, described, criterion, wanted),
    )


def united_ids(ids: Int64Ids, others: Int64Ids) -> Int64Ids:
    """Return ids, and those of others that are not among them."""
    return np.concatenate([ids, ids_without(others, ids)])


def _overlap(truth: RankedPhotographs, ranked: RankedPhotographs) -> float:
    """Return the share of the exact first k among the ranked ones."""
    return float(np.isin(truth.ids, ranked.ids).mean()) if len(truth.ids) else 1.0


def _missed(
    inquiry: SearchRun, index: LoadedIndex, truth: RankedPhotographs, ranked: RankedPhotographs
) -> list[tuple[MissedPhotograph, LocatedPhotograph]]:
    """Return the photographs of the exact first k that were missed."""
    places = np.flatnonzero(~np.isin(truth.ids, ranked.ids))
    photographs = inquiry.library.look_up(inquiry.r, truth.ids[places])
    similarities = index.measure.similarities(truth.distances[places])
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
    index: LoadedIndex, described: EncodedQuery, criterion: QueryDistance, wanted: SearchOptions
) -> list[Message]:
    """Return what a person should know of how an index answers a query, a sentence each."""
    compared = Message(index.descriptor.plain_name)
    if criterion.blank:
        return [
            counted(
                "This picture shows too little to compare {compared}. Search by something else, such as “Colours”.",
                "These pictures show too little to compare {compared}. Search by something else, such as “Colours”.",
                len(described.queries),
                compared=compared,
            )
        ]
    made = [
        Message(
            "{name} shows too little to compare {compared}, so it does not count.", name=query.name, compared=compared
        )
        for place, (query, weight) in enumerate(zip(described.queries, described.weights, strict=True))
        if weight and place not in criterion.examples
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
