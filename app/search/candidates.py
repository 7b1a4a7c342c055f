"""Selection of the candidates to rank and to check."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.search.criterion import Criterion
from app.search.described_question import Described
from app.search.filters import Ids
from app.search.geometric_check import FIRST, FROM_PARTS
from app.search.ranking import Findable, Ranked, rank, rank_exactly
from app.search.wanted import Wanted
from core.progress import Progress


def rank_first(findable: Findable, criterion: Criterion, wanted: Wanted, progress: Progress) -> Ranked:
    """Rank as many photographs as are wanted or checked; exactly if wished, or if there are no codes."""
    first = max(wanted.k, FIRST) if wanted.check else wanted.k
    if wanted.exact or findable.index.structure is None:
        return rank_exactly(findable, criterion, first, progress)
    return rank(findable, criterion, wanted.k, first)


def to_be_checked(findable: Findable, described: Described, ranked: Ids) -> Ids:
    """Return the photographs to check: the first, (n,), and a few that resemble parts of the query."""
    first = ranked[:FIRST]
    criterion = described.parts_criterion(findable.index)
    if criterion is None:
        return first
    if findable.index.structure is None:
        found = rank_exactly(findable, criterion, FIRST + FROM_PARTS)
    else:
        found = rank(findable, criterion, FIRST + FROM_PARTS, few=True)
    return np.concatenate([first, found.ids[~np.isin(found.ids, first)][:FROM_PARTS]])


def at_distances(findable: Findable, criterion: Criterion, ranked: Ranked, ids: Ids) -> Ranked:
    """Return photographs, (n,), with their distances, computed for those that were not ranked."""
    order = np.argsort(ranked.ids)
    places = np.searchsorted(ranked.ids, ids, sorter=order)
    places[places == len(order)] = 0
    distances = ranked.distances[order[places]]
    new = ranked.ids[order[places]] != ids
    if new.any():
        vectors, _ = findable.r.descriptors.read(findable.index.kind, ids[new])
        distances[new] = criterion.distances(vectors.astype(np.float32))
    return replace(ranked, ids=ids, distances=distances)
