"""Ranks of photographs in one column: in the exact ranking, and by the bits of their codes."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.indexes.loaded_index import LoadedIndex
from app.search.criterion import Distances, QueryDistance
from core.arithmetic.one_thread import one_thread
from core.arrays import Int64Ids, OptionalMask
from core.exact_search.exact_scan import BLOCK
from core.hashing.packed_codes import from_planar, planar, unpack_bits
from core.message import Message
from core.progress import Progress, silent
from storage.library.transaction import Transaction


@dataclass(frozen=True, eq=False)
class ExactRanking:
    """All photographs that may be found, in the order of (exact distance, id).

    Attributes
    ----------
    ids : Ids, (n,)
    distances : ndarray of float64, (n,)
    seconds : float
        Time that measuring took.
    """

    ids: Int64Ids
    distances: Distances
    seconds: float

    def places(self, ids: Int64Ids) -> Int64Ids:
        """Return the places of photographs, (m,) -> (m,), from 0; -1 for those not in it."""
        order = np.argsort(self.ids)
        found = np.searchsorted(self.ids, ids, sorter=order)
        found[found == len(order)] = 0
        places = order[found] if len(order) else np.zeros(len(ids), np.int64)
        there = self.ids[places] == ids if len(order) else np.zeros(len(ids), np.bool_)
        return np.where(there, places, -1)


def rank_everything(
    r: Transaction, index: LoadedIndex, mask: OptionalMask, criterion: QueryDistance, progress: Progress = silent
) -> ExactRanking:
    """Rank every photograph that may be found, in the order of :func:`app.search.ranking.rank_exactly`."""
    started = time.perf_counter()
    ids = index.ids if mask is None else index.ids[mask]
    distances = np.empty(len(ids))
    for start in range(0, len(ids), BLOCK):
        progress(start, len(ids), Message("Comparing every photo"))
        rows = slice(start, min(start + BLOCK, len(ids)))
        vectors, _ = r.descriptors.read(index.kind, ids[rows])
        distances[rows] = criterion.distances(vectors.astype(np.float32))
    np.copyto(distances, np.inf, where=np.isnan(distances))
    order = np.argsort(distances, kind="stable")  # of equals the lower id, since ids ascend
    return ExactRanking(ids[order], distances[order], time.perf_counter() - started)


@dataclass(frozen=True, eq=False)
class CodeDistances:
    """Codes of some photographs, compared with that of the query.

    Attributes
    ----------
    ids : Ids, (m,)
        Photographs that have a code, ascending.
    hamming : ndarray of int64, (m,)
        Differing bits, from the nearest example or view.
    places : ndarray of int64, (m,)
        From 0, by (differing bits, id) among all that may be found; -1 for others.
    differing : ndarray of uint8, (m, bytes)
        The differing bits, packed.
    bits : int
    """

    ids: Int64Ids
    hamming: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    differing: npt.NDArray[np.uint8]
    bits: int

    def row(self, photograph_id: int) -> int:
        """Return the row of a photograph; -1 if it is not in it."""
        row = int(np.searchsorted(self.ids, photograph_id))
        return row if row < len(self.ids) and self.ids[row] == photograph_id else -1

    def differ(self, photograph_id: int) -> npt.NDArray[np.bool_] | None:
        """Return whether each bit differs, (bits,); None for a photograph without a code."""
        row = self.row(photograph_id)
        return None if row < 0 else unpack_bits(self.differing[row : row + 1], self.bits)[0]


def code_distances(
    index: LoadedIndex, mask: OptionalMask, criterion: QueryDistance, ids: Int64Ids
) -> CodeDistances | None:
    """Compare codes with that of the query; return None if the index has none."""
    if index.encoder is None or index.structure is None:
        return None
    bits = index.encoder.bits
    with one_thread():
        asked = planar(index.encoder.encode(np.concatenate([criterion.alternatives[one] for one in criterion.liked()])))
    planes = index.structure.codes(np.arange(len(index.ids)))
    each = np.stack([np.bitwise_count(planes ^ query[:, None]).sum(axis=0, dtype=np.int64) for query in asked.T])
    nearest = each.min(axis=0)
    allowed = np.arange(len(index.ids)) if mask is None else np.flatnonzero(mask)
    places = np.full(len(index.ids), -1, np.int64)
    places[allowed[np.argsort(nearest[allowed], kind="stable")]] = np.arange(len(allowed))
    known = np.intersect1d(ids, index.ids)
    rows = np.searchsorted(index.ids, known)
    differing = from_planar(planes[:, rows] ^ asked[:, each[:, rows].argmin(axis=0)], bits)
    return CodeDistances(known, nearest[rows], places[rows], differing, bits)
