"""Histograms of Hamming distances: the items, and the relevant ones, at each distance of each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Numbers
from core.message import Message
from core.progress import Progress, silent

_TABLE = 1 << 16  # distances that are counted at once


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

    counts: Int64Numbers
    relevant: Int64Numbers
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
    counts: Int64Numbers | None = None,
) -> Histograms:
    """Count the items of a base by their distance from each query.

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
    counts : ndarray of int64, (q, bits + 1), optional
        Items at each distance, where the same base was counted before.
    """
    rows_of_queries = np.full(len(queries), -1) if own is None else np.asarray(own)
    if counts is None:
        counts = _counted(planes, queries, bits, progress, kept)
        for number, row in enumerate(rows_of_queries.tolist()):
            if row >= 0 and (kept is None or kept[row]):
                counts[number, distances_from(planes[:, [row]], queries[number])[0]] -= 1
    hits = np.zeros_like(counts)
    nearest, lost = np.zeros(len(queries), np.int64), np.zeros(len(queries), np.int64)
    for number, (query, rows) in enumerate(zip(queries, relevant, strict=True)):
        others = np.asarray(rows)[np.asarray(rows) != rows_of_queries[number]]
        there = others if kept is None else others[kept[others]]
        lost[number] = len(others) - len(there)
        far = distances_from(planes[:, there], query)
        hits[number] = np.bincount(far, minlength=bits + 1)
        if len(others):
            nearest[number] = far[0] if len(there) and there[0] == others[0] else -1
    return Histograms(counts, hits, nearest, lost)


def _counted(
    planes: npt.NDArray[np.uint64],
    queries: npt.NDArray[np.uint64],
    bits: int,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None,
) -> Int64Numbers:
    """Count all items at each distance, (q, bits + 1), a table of some queries by some items at a time."""
    n = planes.shape[1]
    counts = np.zeros((len(queries), bits + 1), np.int64)
    at_once = max(1, _TABLE // max(1, n))
    for first in range(0, len(queries), at_once):
        progress(first, len(queries), Message("Counting by distance"))
        words = queries[first : first + at_once]
        places = np.arange(len(words))[:, None] * (bits + 1)
        for start in range(0, n, _TABLE):
            table = np.zeros((len(words), min(_TABLE, n - start)), np.int64)
            for plane, word in zip(planes[:, start : start + _TABLE], words.T, strict=True):
                table += np.bitwise_count(plane ^ word[:, None])
            if kept is not None:
                table = table[:, kept[start : start + _TABLE]]
            counted = np.bincount((table + places).ravel(), minlength=len(words) * (bits + 1))
            counts[first : first + at_once] += counted.reshape(len(words), bits + 1)
    return counts


def distances_from(planes: npt.NDArray[np.uint64], query: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the Hamming distances of codes, (words, m), from one, (words,) -> (m,)."""
    distances = np.zeros(planes.shape[1], np.int64)
    for plane, word in zip(planes, query, strict=True):
        distances += np.bitwise_count(plane ^ word)
    return distances
