"""The result of one query in one index, with its times, what it missed and notes for the person."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.results import Hit, Missed, SearchResult, Seconds, shown
from app.search.candidates import at_distances, rank_first, to_be_checked
from app.search.criterion import Criterion, Distances
from app.search.described_question import Described
from app.search.filters import Ids
from app.search.geometric_check import Checks, Confirmed, as_result, confirm, reordered
from app.search.ranking import Findable, Ranked, rank_exactly
from app.search.scope import Scope
from app.search.wanted import Wanted
from core.message import Message, counted, joined
from core.progress import Progress, part
from storage.library.transaction import Transaction


@dataclass(frozen=True, eq=False)
class Inquiry:
    """A query on its way through indexes.

    Attributes
    ----------
    library : Library
    r : Transaction
    described : Described
        The query.
    wanted : Wanted
        Whether to check must be said.
    checks : Checks
        Earlier checks.
    """

    library: Library
    r: Transaction
    described: Described
    wanted: Wanted
    checks: Checks

    def confirmed(self, ids: Ids, progress: Progress) -> Confirmed:
        """Compare photographs with the query's pictures; see :func:`app.search.geometric_check.confirm`."""
        return confirm(self.r, self.described, ids, self.checks, progress)

    def reordered(self, ranked: Ids, confirmed: Confirmed) -> Ids:
        """Return ranked photographs with the matches first; see :func:`app.search.geometric_check.reordered`."""
        return reordered(ranked, confirmed, self.described.liked_photographs(), self.wanted.confirmed_only)

    def hits(self, ranked: Ranked, similarities: Distances, confirmed: Confirmed) -> list[Hit]:
        """Return photographs in their order, (n,), with their similarities, (n,), as results."""
        rows, asked = self.r.photographs.by_id(ranked.ids), self.described.photographs()
        return [
            Hit(
                path=shown(path),
                id=row.id,
                distance=round(float(distance), 6),
                similarity=round(float(similarity), 6),
                query=row.id in asked,
                check=as_result(confirmed.found[row.id]) if row.id in confirmed.found else None,
            )
            for row, path, distance, similarity in zip(
                rows, self.library.paths(self.r, rows), ranked.distances, similarities, strict=True
            )
        ]


def answer(inquiry: Inquiry, index: LoadedIndex, scope: Scope, progress: Progress) -> SearchResult:
    """Return the result of a query in an index.

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
    findable, criterion = Findable(inquiry.r, index, scope.mask), described.criterion(index)
    exactly = wanted.exact or index.structure is None
    ranked = rank_first(findable, criterion, wanted, part(progress, 0.0, 0.4))
    confirmed, checking = Confirmed({}, ()), 0.0
    first = ranked.first(wanted.k)
    if wanted.check:
        then = time.perf_counter()
        candidates = to_be_checked(findable, described, ranked.ids)
        confirmed = inquiry.confirmed(candidates, part(progress, 0.4, 0.5))
        ids = inquiry.reordered(ranked.ids, confirmed)[: wanted.k]
        first = at_distances(findable, criterion, ranked, ids)
        checking = time.perf_counter() - then
    total = described.extracting + time.perf_counter() - started
    truth = None
    if wanted.compare_exact:
        truth = ranked
        if not exactly:
            truth = rank_exactly(findable, criterion, wanted.k, part(progress, 0.5, 0.9))
        truth = truth.first(wanted.k)
    unchecked = ranked.first(wanted.k)
    similarities = index.measure.similarities(first.distances)
    return SearchResult(
        query=described.name,
        index=index.row.name,
        text=text_of(index.row),
        measure=index.measure_name,
        exact=exactly,
        hits=inquiry.hits(first, similarities, confirmed),
        seconds=Seconds(
            extract=described.extracting,
            encode=ranked.encode,
            scan=ranked.scan,
            rerank=ranked.rerank,
            check=checking,
            total=total,
        ),
        looked_at=ranked.looked_at,
        scanned=ranked.scanned,
        probed=ranked.probed,
        of=len(index.ids),
        overlap=None if truth is None else _overlap(truth, unchecked),
        note=joined([*notes(index, described, criterion, wanted), *notes_of_check(confirmed, wanted)]),
        histogram=scope.histogram(criterion),
        missed=[] if truth is None else _missed(inquiry, index, truth, unchecked),
        exact_seconds=None if truth is None else truth.rerank,
        checked=len(confirmed.found),
    )


def _overlap(truth: Ranked, ranked: Ranked) -> float:
    """Return the share of the exact first k among the ranked ones."""
    return float(np.isin(truth.ids, ranked.ids).mean()) if len(truth.ids) else 1.0


def _missed(inquiry: Inquiry, index: LoadedIndex, truth: Ranked, ranked: Ranked) -> list[Missed]:
    """Return the photographs of the exact first k that were missed."""
    places = np.flatnonzero(~np.isin(truth.ids, ranked.ids))
    rows = inquiry.r.photographs.by_id(truth.ids[places])
    similarities = index.measure.similarities(truth.distances[places])
    return [
        Missed(rank=int(place) + 1, path=shown(path), id=row.id, similarity=round(float(similarity), 6))
        for place, row, path, similarity in zip(
            places, rows, inquiry.library.paths(inquiry.r, rows), similarities, strict=True
        )
    ]


def notes(index: LoadedIndex, described: Described, criterion: Criterion, wanted: Wanted) -> list[Message]:
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
    return made


def notes_of_check(confirmed: Confirmed, wanted: Wanted) -> list[Message]:
    """Return what a person should know of the check, a sentence each."""
    made = []
    if wanted.confirmed_only and not confirmed.found and not confirmed.lacking:
        made.append(Message("There is nothing to check: the query has no distinctive points."))
    if confirmed.lacking and (wanted.confirmed_only or not confirmed.found):
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
