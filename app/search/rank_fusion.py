"""One search of several indexes together: their ranked lists are fused."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.indexes.loaded_index import LoadedIndex
from app.search.described_question import EncodedQuery
from app.search.found import RankedResults
from app.search.geometric_check import FIRST, FROM_PARTS
from app.search.index_answer import NOBODY, SearchRun, query_notes, united_ids
from app.search.ranking import RankedPhotographs, SearchSpace, photographs_to_confirm, rank_first
from app.search.results import SearchResult, SearchSeconds
from app.search.scope import Scope
from app.search.wanted import FusionOptions
from core.arrays import Int64Ids
from core.message import Message
from core.progress import Progress, part
from core.search.late_fusion import FUSIONS, Fused, RankedList

DEPTH = 1_000
"""Number of results of each index that are fused."""

_NAMES = {
    "rrf": Message("reciprocal rank fusion"),
    "borda": Message("Borda count"),
    "similarity": Message("sum of similarities"),
}


def search_fused(inquiry: SearchRun, indexes: Sequence[tuple[LoadedIndex, Scope]], progress: Progress) -> RankedResults:
    """Search several indexes together; nothing is checked yet.

    Parameters
    ----------
    inquiry : Inquiry
        By default answers are fused by reciprocal ranks.
    indexes : sequence of (LoadedIndex, Scope)
        Each with the photographs that may be found.
    progress : Progress

    Returns
    -------
    Found
        The similarity of a hit is its share of the best score there could be, and its distance sqrt(2 - 2 similarity).
    """
    started = time.perf_counter()
    described, wanted = inquiry.described, inquiry.wanted
    fusing = wanted.fusing or FusionOptions()
    weights = fusing.of([index for index, _ in indexes])
    criteria = [described.criterion(index) for index, _ in indexes]
    deep = replace(wanted, k=max(wanted.k, DEPTH), check=False, confirmed_only=False)
    findable = [SearchSpace(inquiry.r, index, scope.mask, inquiry.library.store.id) for index, scope in indexes]
    ranked = []
    for number, (one, criterion) in enumerate(zip(findable, criteria, strict=True)):
        step = part(progress, number / len(indexes), (number + 1) / len(indexes))
        ranked.append(rank_first(one, criterion, deep, step))
    # An index to which the query says nothing has no ranking.
    telling = [weight if not one.blank else 0.0 for one, weight in zip(criteria, weights, strict=True)]
    fused = _fused(indexes, ranked, telling if any(telling) else weights, fusing.way)
    ranking = fused.ids[: max(wanted.k, FIRST)]
    candidates = _photographs_to_confirm(findable, described, fused.ids) if wanted.check else NOBODY
    total = described.extracting + time.perf_counter() - started
    ids = united_ids(ranking, candidates)
    scores = dict(zip(fused.ids.tolist(), fused.scores.tolist(), strict=True))
    similarities = np.array([scores.get(one, 0.0) / fused.best for one in ids.tolist()], np.float64)
    photographs = inquiry.library.look_up(inquiry.r, ids)
    told = [
        sentence
        for (index, _), criterion in zip(indexes, criteria, strict=True)
        for sentence in query_notes(index, described, criterion, wanted)
    ]
    return RankedResults(
        described,
        wanted,
        ranking,
        candidates,
        {one.row.id: one for one in photographs},
        inquiry.hits(photographs, np.sqrt(np.maximum(0, 2 - 2 * similarities)), similarities),
        SearchResult(
            query=described.name,
            index=" + ".join(index.row.name for index, _ in indexes),
            text=" + ".join(_weighted(index, weight) for (index, _), weight in zip(indexes, weights, strict=True)),
            measure=_NAMES[fusing.way],
            exact=all(one.exact for one in ranked),
            hits=[],
            seconds=SearchSeconds(
                extract=described.extracting,
                encode=sum(one.encode for one in ranked),
                scan=sum(one.scan for one in ranked),
                rerank=sum(one.rerank for one in ranked),
                total=total,
            ),
            looked_at=sum(one.looked_at for one in ranked),
            scanned=sum(one.scanned for one in ranked),
            probed=sum(one.probed for one in ranked),
            of=len(np.unique(np.concatenate([index.ids for index, _ in indexes]))),
        ),
        list(dict.fromkeys(told)),
    )


def _fused(
    indexes: Sequence[tuple[LoadedIndex, Scope]],
    ranked: Sequence[RankedPhotographs],
    weights: Sequence[float],
    way: str,
) -> Fused:
    lists = [
        RankedList(one.ids, index.measure.similarities(one.distances))
        for (index, _), one in zip(indexes, ranked, strict=True)
    ]
    return FUSIONS[way](lists, weights)


def _photographs_to_confirm(findable: Sequence[SearchSpace], described: EncodedQuery, fused: Int64Ids) -> Int64Ids:
    """Return the first photographs, and a few that resemble parts of the query by some index."""
    first = fused[:FIRST]
    added = [photographs_to_confirm(one, described, fused)[len(first) :].tolist() for one in findable]
    by_turns = [found[place] for place in range(FROM_PARTS) for found in added if place < len(found)]
    return np.array([*first.tolist(), *list(dict.fromkeys(by_turns))[:FROM_PARTS]], np.int64)


def _weighted(index: LoadedIndex, weight: float) -> str:
    return index.text if weight == 1 else f"{weight:g} × ({index.text})"
