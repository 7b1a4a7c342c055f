"""The ranking by Hamming distance alone, judged by measures none of which depends on the order within ties.

Histograms count the items, and the relevant ones, at each distance of each query. Recall, precision and average
precision need nothing else.

The average precision of candidates sorted again by their projections is that of Yun, Kim and Choi (Hashing with
Generalized Nyström Approximation, ICDM 2012, section IV): for each query 100 candidates are taken by their codes, or
slightly more if there is a tie, and sorted again by the projected data, the real values whose signs are the bits. A
relevant item that is not among the candidates counts as never found.

Codes tie all the time. What a measure would be on average, if every order of tied items were equally likely, follows
from two histograms of each query: how many items lie at each distance, and how many of those are relevant. With a items
strictly nearer and T tied at the distance of a relevant item, the item is among the first R with probability

    clip((R - a) / T, 0, 1)

and of T tied items of which r are relevant, behind a items of which p are, the expected sum of precisions at the
relevant ones is (McSherry and Najork: Computing Information Retrieval Performance Measures Efficiently in the Presence
of Tied Scores, ECIR 2008)

    r/T Σ_{i=1..T} (p + 1 + (i - 1)(r - 1)/(T - 1)) / (a + i)

Down to the k-th relevant item, p < k <= p + r, there are on average a + (k - p)(T + 1)/(r + 1) items, it included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Numbers
from twinlens.core.evaluation.evaluation_task import RECALL_CURVE, RECALLS, EvaluationTask, Figures
from twinlens.core.evaluation.tied_rankings import (
    RECALL_LEVELS,
    any_among_first,
    average_precision,
    overlap_at,
    precision_at_recall,
    precision_recall,
)
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent


def judge_ranking(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    bits: int,
    task: EvaluationTask,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
    curves: bool = True,
) -> None:
    """Fill in recall@R, mean average precision, and the curves of recall and precision.

    Parameters
    ----------
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    words : ndarray of uint64, (q, words)
        Codes of the queries.
    kept : ndarray of bool, (n,), optional
        False for items that are never found.
    curves : bool
        Whether recall at more R, precision and recall by radius, and precision at recalls are wanted, too.
    """
    first = task.nearest if task.nearest is not None else [rows[:1] for rows in task.neighbours]
    found = hamming_histograms(planes, words, first, bits, task.own, progress, kept)
    shares = any_among_first if task.any_nearest else overlap_at
    judged = hamming_histograms(planes, words, task.relevant, bits, task.own, progress, kept, found.counts)
    for count in RECALL_CURVE if curves else RECALLS:
        if count <= planes.shape[1]:
            share = float(shares(found.counts, found.relevant, count, found.lost).mean())
            if curves:
                figures.recall_curve.append((count, share))
            if count in RECALLS:
                figures.values[f"recall@{count}"] = share
    if not judged.relevant.any() and not judged.lost.any():
        return
    counted = judged.counts, judged.relevant, judged.lost
    figures.values["map"] = float(np.nanmean(average_precision(*counted)))
    if curves:
        recall, precision = precision_recall(*counted)
        figures.curve = [(float(r), float(p)) for r, p in zip(recall, precision, strict=True)]
        at = precision_at_recall(*counted)
        figures.precision_at = list(zip(RECALL_LEVELS.tolist(), at.tolist(), strict=True))


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
        Codes of the base, as :func:`twinlens.core.hashing.packed_codes.planar` lays them out.
    queries : ndarray of uint64, (q, words)
    relevant : sequence of ndarray of int
        For each query the rows of its relevant items, the true nearest first.
    own : ndarray of int, (q,), optional
        Row of the query itself where it is in the base, -1 where it is not: it is never its own result.
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
    relevant_at = np.zeros_like(counts)
    nearest, lost = np.zeros(len(queries), np.int64), np.zeros(len(queries), np.int64)
    for number, (query, rows) in enumerate(zip(queries, relevant, strict=True)):
        others = np.asarray(rows)[np.asarray(rows) != rows_of_queries[number]]
        there = others if kept is None else others[kept[others]]
        lost[number] = len(others) - len(there)
        far = distances_from(planes[:, there], query)
        relevant_at[number] = np.bincount(far, minlength=bits + 1)
        if len(others):
            nearest[number] = far[0] if len(there) and there[0] == others[0] else -1
    return Histograms(counts, relevant_at, nearest, lost)


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


_BLOCK = 1 << 16


def precision_of_candidates(
    encoder: Encoder,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    task: EvaluationTask,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
) -> float | None:
    """Return the mean average precision of ``task.candidates`` candidates; None where nothing is relevant to a query.

    Candidates whose projections are equally far from the query's count as in any order.

    Parameters
    ----------
    encoder : Encoder
        Gives the projections.
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    words : ndarray of uint64, (q, words)
        Codes of the queries.
    kept : ndarray of bool, (n,), optional
        False for items that are never found.
    """
    precisions = []
    for number, word in enumerate(words):
        progress(number, len(words), Message("Sorting candidates again"))
        own = -1 if task.own is None else int(task.own[number])
        relevant = np.asarray(task.relevant[number])
        relevant = relevant[relevant != own]
        if not len(relevant):
            continue
        rows = nearest_with_ties(planes, word, task.candidates, own, kept)
        if not len(rows):
            precisions.append(0.0)
            continue
        difference = encoder.project(task.base[rows]) - encoder.project(task.queries[number : number + 1])
        _, places = np.unique(np.square(difference).sum(axis=1), return_inverse=True)
        found = np.isin(rows, relevant)
        counts, relevant_at = np.bincount(places), np.bincount(places[found], minlength=places.max() + 1)
        lost = np.array([len(relevant) - int(found.sum())])
        precisions.append(float(average_precision(counts[None, :], relevant_at[None, :], lost)[0]))
    return float(np.mean(precisions)) if precisions else None


def nearest_with_ties(
    planes: npt.NDArray[np.uint64],
    word: npt.NDArray[np.uint64],
    count: int,
    own: int = -1,
    kept: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.int64]:
    """Return the rows of the nearest codes, ascending: so many, and all that are as near as the last of them."""
    n = planes.shape[1]
    far = np.concatenate([distances_from(planes[:, start : start + _BLOCK], word) for start in range(0, n, _BLOCK)])
    there = np.ones(n, np.bool_) if kept is None else kept.copy()
    if own >= 0:
        there[own] = False
    rows = np.flatnonzero(there)
    if len(rows) <= count:
        return rows
    last = np.partition(far[rows], count - 1)[count - 1]
    return np.asarray(rows[far[rows] <= last])
