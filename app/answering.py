"""The answer of one index to one question, and what it says of itself: times, misses, how alike photographs are."""

from __future__ import annotations

import time

import numpy as np

from app.criterion import Criterion
from app.described import Described
from app.indexes import text_of
from app.library import Library
from app.loaded_index import LoadedIndex
from app.ranking import Ranked, rank, rank_exactly
from app.results import Hit, Missed, SearchResult, Seconds, shown
from app.scope import Scope
from core.progress import Progress, part
from storage.transaction import Transaction


def answer(
    library: Library,
    r: Transaction,
    index: LoadedIndex,
    scope: Scope,
    described: Described,
    k: int,
    exact: bool,
    compare_exact: bool,
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
    k, exact, compare_exact
        As in :meth:`app.searching.Searcher.ask`.
    progress : Progress
    """
    started = time.perf_counter()
    criterion = described.criterion(index)
    exactly = exact or index.structure is None
    if exactly:
        ranked = rank_exactly(r, index, scope.mask, criterion, k, part(progress, 0.0, 0.9))
    else:
        ranked = rank(r, index, scope.mask, criterion, k)
    total = described.extracting + time.perf_counter() - started
    truth = None
    if compare_exact:
        truth = ranked if exactly else rank_exactly(r, index, scope.mask, criterion, k, part(progress, 0.0, 0.9))
    return SearchResult(
        query=described.name,
        index=index.row.name,
        text=text_of(index.row),
        measure=index.measure_name,
        exact=exactly,
        hits=_hits(library, r, index, ranked, described.photographs()),
        seconds=Seconds(
            extract=described.extracting, encode=ranked.encode, scan=ranked.scan, rerank=ranked.rerank, total=total
        ),
        looked_at=ranked.looked_at,
        scanned=ranked.scanned,
        probed=ranked.probed,
        of=len(index.ids),
        overlap=None if truth is None else _overlap(truth, ranked),
        note=_note(index, described, criterion, exact),
        histogram=scope.histogram(criterion),
        missed=[] if truth is None else _missed(library, r, index, truth, ranked),
        exact_seconds=None if truth is None else truth.rerank,
    )


def _hits(library: Library, r: Transaction, index: LoadedIndex, ranked: Ranked, asked: set[int]) -> list[Hit]:
    rows = r.photographs.by_id(ranked.ids)
    similarities = index.measure.similarities(ranked.distances)
    return [
        Hit(
            path=shown(path),
            id=row.id,
            distance=round(float(distance), 6),
            similarity=round(float(similarity), 6),
            query=row.id in asked,
        )
        for row, path, distance, similarity in zip(
            rows, library.paths(r, rows), ranked.distances, similarities, strict=True
        )
    ]


def _overlap(truth: Ranked, ranked: Ranked) -> float:
    """Give the share of the exact first k that was found."""
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


def _note(index: LoadedIndex, described: Described, criterion: Criterion, exact: bool) -> str:
    """Say what a person should know of this answer."""
    plain_name = index.descriptor.plain_name
    if criterion.blank:
        asked = "This picture has" if len(described.queries) == 1 else "These pictures have"
        return (
            f"{asked} nothing that {plain_name} could be told by; "
            "ask an index of another descriptor, such as “Colours”."
        )
    dumb = [
        query.name
        for place, (query, weight) in enumerate(zip(described.queries, described.weights, strict=True))
        if weight and place not in criterion.examples
    ]
    notes = [f"{name} has nothing that {plain_name} could be told by, so it does not count." for name in dumb]
    if index.structure is None and not exact and index.search.uses_codes:
        notes.append("The index is not fitted yet, so every photograph was measured.")
    if index.structure is not None and not exact and not index.structure.is_built:
        notes.append("The search structure is still being built, so every code was compared.")
    return " ".join(notes)
