"""The answer of one index to one question, and what it says of itself: times, misses, how alike photographs are."""

from __future__ import annotations

import time

import numpy as np

from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.results import Hit, Missed, SearchResult, Seconds, shown
from app.search.candidates import at_distances, rank_first, to_be_checked
from app.search.criterion import Criterion, Distances
from app.search.described_question import Described
from app.search.geometric_check import Checks, Confirmed, as_result, confirm, reordered
from app.search.ranking import Ranked, rank_exactly
from app.search.scope import Scope
from app.search.wanted import Wanted
from core.progress import Progress, part
from storage.transaction import Transaction


def answer(
    library: Library,
    r: Transaction,
    index: LoadedIndex,
    scope: Scope,
    described: Described,
    wanted: Wanted,
    checks: Checks,
    progress: Progress,
) -> SearchResult:
    """Answer a question.

    Parameters
    ----------
    library : Library
    r : Transaction
    index : LoadedIndex
    scope : Scope
        What may be found.
    described : Described
        The question.
    wanted : Wanted
    checks : Checks
        What was checked before.
    progress : Progress
    """
    started = time.perf_counter()
    criterion = described.criterion(index)
    exactly = wanted.exact or index.structure is None
    ranked = rank_first(r, index, scope.mask, criterion, wanted, part(progress, 0.0, 0.4))
    confirmed, checking = Confirmed({}, ()), 0.0
    first = ranked.first(wanted.k)
    if wanted.check:
        then = time.perf_counter()
        candidates = to_be_checked(r, index, scope.mask, described, ranked.ids)
        confirmed = confirm(r, described, candidates, checks, part(progress, 0.4, 0.5))
        ids = reordered(ranked.ids, confirmed, described.liked_photographs(), wanted.confirmed_only)[: wanted.k]
        first = at_distances(r, index, criterion, ranked, ids)
        checking = time.perf_counter() - then
    total = described.extracting + time.perf_counter() - started
    truth = None
    if wanted.compare_exact:
        truth = ranked
        if not exactly:
            truth = rank_exactly(r, index, scope.mask, criterion, wanted.k, part(progress, 0.5, 0.9))
        truth = truth.first(wanted.k)
    unchecked = ranked.first(wanted.k)
    similarities = index.measure.similarities(first.distances)
    return SearchResult(
        query=described.name,
        index=index.row.name,
        text=text_of(index.row),
        measure=index.measure_name,
        exact=exactly,
        hits=hits(library, r, first, similarities, described.photographs(), confirmed),
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
        note=" ".join([*notes(index, described, criterion, wanted), *notes_of_check(confirmed, wanted)]),
        histogram=scope.histogram(criterion),
        missed=[] if truth is None else _missed(library, r, index, truth, unchecked),
        exact_seconds=None if truth is None else truth.rerank,
        checked=len(confirmed.found),
    )


def hits(
    library: Library,
    r: Transaction,
    ranked: Ranked,
    similarities: Distances,
    asked: set[int],
    confirmed: Confirmed,
) -> list[Hit]:
    """Write photographs in their order, (n,), with their similarities, (n,)."""
    rows = r.photographs.by_id(ranked.ids)
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
            rows, library.paths(r, rows), ranked.distances, similarities, strict=True
        )
    ]


def _overlap(truth: Ranked, ranked: Ranked) -> float:
    """Return the share of the exact first k that was found."""
    return float(np.isin(truth.ids, ranked.ids).mean()) if len(truth.ids) else 1.0


def _missed(library: Library, r: Transaction, index: LoadedIndex, truth: Ranked, ranked: Ranked) -> list[Missed]:
    """List what is of the exact first k and was not found."""
    places = np.flatnonzero(~np.isin(truth.ids, ranked.ids))
    rows = r.photographs.by_id(truth.ids[places])
    similarities = index.measure.similarities(truth.distances[places])
    return [
        Missed(rank=int(place) + 1, path=shown(path), id=row.id, similarity=round(float(similarity), 6))
        for place, row, path, similarity in zip(places, rows, library.paths(r, rows), similarities, strict=True)
    ]


def notes(index: LoadedIndex, described: Described, criterion: Criterion, wanted: Wanted) -> list[str]:
    """Say what a person should know of how an index answers a question, a sentence each."""
    plain_name = index.descriptor.plain_name
    if criterion.blank:
        asked = "This picture has" if len(described.queries) == 1 else "These pictures have"
        other = "ask an index of another descriptor, such as “Colours”."
        return [f"{asked} nothing that {plain_name} could be told by; {other}"]
    dumb = [
        query.name
        for place, (query, weight) in enumerate(zip(described.queries, described.weights, strict=True))
        if weight and place not in criterion.examples
    ]
    told = [f"{name} has nothing that {plain_name} could be told by, so it does not count." for name in dumb]
    if index.structure is None and not wanted.exact and index.search.uses_codes:
        told.append("The index is not fitted yet, so every photograph was measured.")
    if index.structure is not None and not wanted.exact and not index.structure.is_built:
        told.append("The search structure is still being built, so every code was compared.")
    return told


def notes_of_check(confirmed: Confirmed, wanted: Wanted) -> list[str]:
    """Say what a person should know of the check."""
    told = []
    if wanted.confirmed_only and not confirmed.found and not confirmed.lacking:
        told.append("There is nothing to check here: what was asked with has no distinctive points.")
    if confirmed.lacking and (wanted.confirmed_only or not confirmed.found):
        told.append(f"{confirmed.lacking:,} photographs could not be checked yet; `twinlens rescan` looks at them.")
    if confirmed.left:
        told.append(f"There was time to check the first {len(confirmed.found):,} photographs only.")
    return told
