"""Histograms of Hamming distances: the items, and the relevant ones, at each distance of each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.evaluation.ranking_measures import Counts
from core.message import Message
from core.progress import Progress, silent

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Histograms:
    """Histograms of some queries.

    Attributes
    ----------
    counts : Counts, (q, bits + 1)
        Items at each distance, the query itself and what is not kept left out.
    relevant : Counts, (q, bits + 1)
        Relevant items at each distance, likewise.
    nearest : ndarray of int64, (q,)
        Distance of the first relevant item as it was given, which is the true nearest; 0 where there is none, -1 where
        it is not kept.
    lost : ndarray of int64, (q,)
        Relevant items that are not kept, and so are never found.
    """

    counts: Counts
    relevant: Counts
    nearest: npt.NDArray[np.int64]
    lost: npt.NDArray[np.int64]


def hamming_histograms(
    planes: npt.NDArray[np.uint64],
    queries: npt.NDArray[np.uint64],
    relevant: Sequence[npt.NDArray[np.integer]],
    bits: int,
    own: npt.NDArray[np.integer] | None = None,
    progress: Progress = silent,
    kept: npt.NDArray[np.bool_] | None = None,
) -> Histograms:
    """Count.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
        Codes of the base, as :func:`core.hashing.packed_codes.planar` lays them out.
    queries : ndarray of uint64, (q, words)
    relevant : sequence of ndarray of int
        For each query the rows of its relevant items, the true nearest first.
    bits : int
    own : ndarray of int, (q,), optional
        Row of the query itself where it is in the base, -1 where it is not: it is never its own answer.
    progress : Progress
        May raise ``Cancelled``.
    kept : ndarray of bool, (n,), optional
        False for items that have no place among the codes; None keeps all.
    """
    n = planes.shape[1]
    counts = np.zeros((len(queries), bits + 1), np.int64)
    hits = np.zeros_like(counts)
    nearest, lost = np.zeros(len(queries), np.int64), np.zeros(len(queries), np.int64)
    for number, (query, rows) in enumerate(zip(queries, relevant, strict=True)):
        progress(number, len(queries), Message("Counting by distance"))
        for start in range(0, n, _BLOCK):
            distances = distances_from(planes[:, start : start + _BLOCK], query)
            if kept is not None:
                distances = distances[kept[start : start + _BLOCK]]
            counts[number] += np.bincount(distances, minlength=bits + 1)
        self_row = -1 if own is None else int(own[number])
        others = np.asarray(rows)[np.asarray(rows) != self_row]
        there = others if kept is None else others[kept[others]]
        lost[number] = len(others) - len(there)
        far = distances_from(planes[:, there], query)
        hits[number] = np.bincount(far, minlength=bits + 1)
        if len(others):
            nearest[number] = far[0] if len(there) and there[0] == others[0] else -1
        if self_row >= 0 and (kept is None or kept[self_row]):
            counts[number, distances_from(planes[:, [self_row]], query)[0]] -= 1
    return Histograms(counts, hits, nearest, lost)


def distances_from(planes: npt.NDArray[np.uint64], query: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the Hamming distances of codes, (words, m), from one, (words,) -> (m,)."""
    distances = np.zeros(planes.shape[1], np.int64)
    for plane, word in zip(planes, query, strict=True):
        distances += np.bitwise_count(plane ^ word)
    return distances
