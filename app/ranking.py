"""Ranking the photographs of an index: candidates by their codes and then by the measure, or all by the measure."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.criterion import Criterion, Distances
from app.filters import Ids, Mask
from app.loaded_index import LoadedIndex
from core.progress import Progress, silent
from core.search.exact_scan import nearest_by
from core.search.finding import encoded, find, needs_projections
from storage.transaction import Transaction


@dataclass(frozen=True, eq=False)
class Ranked:
    """Photographs in the order of (distance, id), and what it took to find them.

    Attributes
    ----------
    ids : Ids, (found,)
    distances : ndarray of float64, (found,)
    encode, scan, rerank : float
        Seconds.
    looked_at : int
        Items whose exact measure was computed.
    scanned : int
        Codes compared.
    probed : int
        Buckets, or places of sorted lists, visited.
    """

    ids: Ids
    distances: Distances
    encode: float
    scan: float
    rerank: float
    looked_at: int
    scanned: int
    probed: int = 0


def rank(r: Transaction, index: LoadedIndex, mask: Mask, criterion: Criterion, k: int) -> Ranked:
    """Find candidates by their codes, those of every example that is liked, and rank them by the exact measure."""
    assert index.encoder is not None
    assert index.structure is not None
    start = time.perf_counter()
    liked = criterion.vectors[criterion.liked()]
    queries = encoded(index.encoder, liked, needs_projections(index.search))
    made = time.perf_counter()
    found = [find(index.search, index.structure, len(index.ids), query, k, mask) for query in queries]
    rows = found[0].rows if len(found) == 1 else np.unique(np.concatenate([one.rows for one in found]))
    scanned = time.perf_counter()
    ids = index.ids[rows]
    vectors, present = r.descriptors.read(index.kind, ids)
    distances = criterion.distances(vectors.astype(np.float32))
    ids, distances = _first(ids[present], distances[present], k)
    done = time.perf_counter()
    compared = sum(one.scanned for one in found)
    return Ranked(
        ids,
        distances,
        made - start,
        scanned - made,
        done - scanned,
        int(present.sum()),
        compared,
        sum(one.probed for one in found),
    )


def rank_exactly(
    r: Transaction, index: LoadedIndex, mask: Mask, criterion: Criterion, k: int, progress: Progress = silent
) -> Ranked:
    """Measure every photograph that may be found."""
    start = time.perf_counter()
    ids = index.ids if mask is None else index.ids[mask]

    def measured(rows: slice) -> Distances:
        progress(rows.start, len(ids), "Measuring every photograph")
        vectors, _ = r.descriptors.read(index.kind, ids[rows])
        return criterion.distances(vectors.astype(np.float32))

    found = nearest_by(measured, len(ids), k)
    return Ranked(ids[found.rows], found.distances, 0.0, 0.0, time.perf_counter() - start, len(ids), 0)


def _first(ids: Ids, distances: Distances, k: int) -> tuple[Ids, npt.NDArray[np.float64]]:
    """Give the first k by (distance, id)."""
    order = np.lexsort((ids, distances))[:k]
    return ids[order], distances[order]
