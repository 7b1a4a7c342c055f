"""How many items, and how many relevant ones, lie at each Hamming distance of each query: all that measures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.evaluation.measures import Counts
from core.progress import Progress, silent

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Histograms:
    """Histograms of some queries.

    Attributes
    ----------
    counts : Counts, (q, bits + 1)
        Items at each distance, the query itself left out.
    relevant : Counts, (q, bits + 1)
        Relevant items at each distance.
    nearest : ndarray of int64, (q,)
        Distance of the first relevant item as it was given, which is the true nearest; 0 where there is none.
    """

    counts: Counts
    relevant: Counts
    nearest: npt.NDArray[np.int64]


def hamming_histograms(
    planes: npt.NDArray[np.uint64],
    queries: npt.NDArray[np.uint64],
    relevant: Sequence[npt.NDArray[np.integer]],
    bits: int,
    own: npt.NDArray[np.integer] | None = None,
    progress: Progress = silent,
) -> Histograms:
    """Count.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
        Codes of the base, as :func:`core.codes.planar` lays them out.
    queries : ndarray of uint64, (q, words)
    relevant : sequence of ndarray of int
        For each query the rows of its relevant items, the true nearest first.
    bits : int
    own : ndarray of int, (q,), optional
        Row of the query itself where it is in the base, -1 where it is not: it is never its own answer.
    progress : Progress
        May raise ``Cancelled``.
    """
    words, n = planes.shape
    counts = np.zeros((len(queries), bits + 1), np.int64)
    hits = np.zeros_like(counts)
    nearest = np.zeros(len(queries), np.int64)
    for number, (query, rows) in enumerate(zip(queries, relevant, strict=True)):
        progress(number, len(queries), "Counting by distance")
        for start in range(0, n, _BLOCK):
            part = planes[:, start : start + _BLOCK]
            distances = np.zeros(part.shape[1], np.int64)
            for word in range(words):
                distances += np.bitwise_count(part[word] ^ query[word])
            counts[number] += np.bincount(distances, minlength=bits + 1)
        self_row = -1 if own is None else int(own[number])
        kept = np.asarray(rows)[np.asarray(rows) != self_row]
        far = _distances(planes, query, kept)
        hits[number] = np.bincount(far, minlength=bits + 1)
        if len(far):
            nearest[number] = far[0]
        if self_row >= 0:
            counts[number, _distances(planes, query, np.array([self_row]))[0]] -= 1
    return Histograms(counts, hits, nearest)


def _distances(
    planes: npt.NDArray[np.uint64], query: npt.NDArray[np.uint64], rows: npt.NDArray[np.integer]
) -> npt.NDArray[np.int64]:
    """Measure some rows, (m,)."""
    return np.asarray(np.bitwise_count(planes[:, rows] ^ query[:, None]).sum(axis=0, dtype=np.int64))
