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

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Numbers
from twinlens.core.evaluation.evaluation_task import RECALL_CURVE, RECALLS, EvaluationTask, Figures
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
        counts, hits = np.bincount(places), np.bincount(places[found], minlength=places.max() + 1)
        lost = np.array([len(relevant) - int(found.sum())])
        precisions.append(float(average_precision(counts[None, :], hits[None, :], lost)[0]))
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


RECALL_LEVELS: Float64Values = np.linspace(0.0, 1.0, 51)
"""At which precision is told; at 0 it is that down to the first relevant item."""

Lost = npt.NDArray[np.integer] | int
"""(q,): how many relevant items of each query have no place in the ranking."""


def chance_among_first(counts: Int64Numbers, first: int) -> Float64Values:
    """Return the probability that an item at each distance is among the first so many, (q, distances).

    Parameters
    ----------
    first : int
        R of recall@R, k of overlap@k.

    Examples
    --------
    >>> chance_among_first(np.array([[1, 4, 2]]), 3).tolist()
    [[1.0, 0.5, 0.0]]
    """
    nearer = np.cumsum(counts, axis=1) - counts
    return np.clip((first - nearer) / np.maximum(counts, 1), 0.0, 1.0)


def overlap_at(counts: Int64Numbers, relevant: Int64Numbers, first: int, lost: Lost = 0) -> Float64Values:
    """Return overlap@k: the expected share of the true first k that are among the first k, (q,).

    Of the true nearest alone it is recall@k.

    Parameters
    ----------
    relevant : Int64Numbers
        Of the true first k; a query without any counts as 1, for it misses nothing.
    first : int
        k.
    lost : ndarray of int, (q,), or 0
        Those of the true first k that are never found.
    """
    found = (chance_among_first(counts, first) * relevant).sum(axis=1)
    there = relevant.sum(axis=1) + lost
    return np.asarray(np.where(there > 0, found / np.maximum(there, 1), 1.0))


def any_among_first(counts: Int64Numbers, relevant: Int64Numbers, first: int, lost: Lost = 0) -> Float64Values:
    """Return the probability that any of several relevant items is among the first so many, (q,).

    Of those that are equally near it is recall@R: each of them is as right as any other. Of T tied items of which r are
    relevant m are taken, and none of these is relevant with probability C(T - r, m) / C(T, m).

    Parameters
    ----------
    relevant : Int64Numbers
        A query without any counts as 1, for it misses nothing.
    first : int
        R.
    lost : ndarray of int, (q,), or 0
        Relevant items that are never found.

    Examples
    --------
    >>> any_among_first(np.array([[4, 1]]), np.array([[2, 0]]), 2).round(3).tolist()  # 1 - 1/6
    [0.833]
    """
    there = relevant > 0
    level = np.argmax(there, axis=1)[:, None]
    tied, right = (np.take_along_axis(values, level, 1)[:, 0] for values in (counts, relevant))
    nearer = np.take_along_axis(np.cumsum(counts, axis=1) - counts, level, 1)[:, 0]
    taken = np.clip(first - nearer, 0, tied)
    missed = 1 - taken / np.maximum(tied, 1)  # of one
    several = np.flatnonzero(right > 1)
    missed[several] = 1.0
    for drawn in range(int(taken[several].max(initial=0))):
        some = several[drawn < taken[several]]
        missed[some] *= np.maximum(tied[some] - right[some] - drawn, 0) / (tied[some] - drawn)
    return np.asarray(np.where(there.any(axis=1), 1 - missed, np.where(np.asarray(lost) > 0, 0.0, 1.0)))


def average_precision(counts: Int64Numbers, relevant: Int64Numbers, lost: Lost = 0) -> Float64Values:
    """Return the expected average precision of each query, (q,); NaN where nothing is relevant.

    Parameters
    ----------
    relevant : Int64Numbers
        How many of them are relevant.
    lost : ndarray of int, (q,), or 0
        Relevant items that are never found: they count with a precision of 0.

    Examples
    --------
    >>> average_precision(np.array([[1, 1]]), np.array([[0, 1]])).tolist()
    [0.5]
    >>> average_precision(np.array([[2]]), np.array([[1]])).tolist()  # first or second, equally likely
    [0.75]
    """
    before = np.cumsum(counts, axis=1) - counts
    found = np.cumsum(relevant, axis=1) - relevant
    reciprocals = _harmonic(int(counts.sum(axis=1).max(initial=0)))
    inverse = reciprocals[before + counts] - reciprocals[before]  # Σ 1 / (a + i)
    step = (relevant - 1) / np.maximum(counts - 1, 1)
    sums = (found + 1) * inverse + step * (counts - (before + 1) * inverse)
    total = (relevant / np.maximum(counts, 1) * sums).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / (relevant.sum(axis=1) + lost))


def _harmonic(largest: int) -> Float64Values:
    """Return H(0), H(1), ..., H(largest)."""
    return np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, largest + 1))])


def precision_recall(
    counts: Int64Numbers, relevant: Int64Numbers, lost: Lost = 0
) -> tuple[Float64Values, Float64Values]:
    """Return recall and precision of what lies within each Hamming radius, averaged over the queries.

    Parameters
    ----------
    counts, relevant : Int64Numbers
        Queries without anything relevant are left out.
    lost : ndarray of int, (q,), or 0
        Relevant items that are never found.

    Returns
    -------
    recall, precision : ndarray of float64, (distances,)
        By radius, 0 first. A query that finds nothing within a radius counts as precision 1 there, since nothing of
        what it found is wrong, until it finds something.
    """
    there = relevant.sum(axis=1) + lost
    telling = there > 0
    within, right = np.cumsum(counts[telling], axis=1), np.cumsum(relevant[telling], axis=1)
    if not len(within):
        return np.full(counts.shape[1], np.nan), np.full(counts.shape[1], np.nan)
    recall = right / there[telling][:, None]
    precision = np.where(within > 0, right / np.maximum(within, 1), 1.0)
    return recall.mean(axis=0), precision.mean(axis=0)


def precision_at_recall(counts: Int64Numbers, relevant: Int64Numbers, lost: Lost = 0) -> Float64Values:
    """Return the precision down to where each share of `RECALL_LEVELS` is found, averaged over the queries, (levels,).

    Of each query it is k over the items that come down to its k-th relevant one on average, k the least number that is
    such a share: so curves of one query add up at equal recall, not at equal radius, and short and long lists of
    relevant items are never mixed.

    Parameters
    ----------
    counts, relevant : Int64Numbers
        Queries without anything relevant are left out; all NaN where no query is left.
    lost : ndarray of int, (q,), or 0
        Relevant items that are never found: a share that needs them has a precision of 0.

    Examples
    --------
    >>> precision_at_recall(np.array([[1, 1, 3]]), np.array([[0, 1, 1]]))[[0, 25, 50]].tolist()
    [0.5, 0.5, 0.5]
    """
    there = relevant.sum(axis=1) + lost
    precisions = []
    for found, right, all_right in zip(counts, relevant, there, strict=True):
        if not all_right:
            continue
        wanted = np.maximum(np.ceil(RECALL_LEVELS * all_right - 1e-9), 1)
        within = np.cumsum(right)
        place = np.searchsorted(within, wanted)
        reached = place < len(right)
        place = np.minimum(place, len(right) - 1)
        before = (np.cumsum(found) - found)[place]
        still = wanted - (within - right)[place]
        down_to = before + still * (found[place] + 1) / (right[place] + 1)
        precisions.append(np.where(reached, wanted / np.maximum(down_to, 1), 0.0))
    return np.mean(precisions, axis=0) if precisions else np.full(len(RECALL_LEVELS), np.nan)


def majority(labels: npt.NDArray[np.integer], distances: Float64Values, k: int) -> npt.NDArray[np.integer]:
    """Label each query by the majority of its k nearest; a tie goes to the label of the nearer ones.

    Parameters
    ----------
    labels : ndarray of int, (q, c)
        Of the neighbours found, the nearest first; -1 where fewer were found.
    distances : ndarray, (q, c)
        Theirs, ascending.

    Returns
    -------
    ndarray of int, (q,)
        -1 where nothing was found.

    Examples
    --------
    >>> majority(np.array([[4, 7, 7], [4, 7, -1]]), np.array([[0.1, 0.2, 0.3], [0.1, 0.2, np.inf]]), 3).tolist()
    [7, 4]
    """
    chosen = np.full(len(labels), -1, labels.dtype)
    for query, (own, far) in enumerate(zip(labels[:, :k], distances[:, :k], strict=True)):
        present = own >= 0
        if not present.any():
            continue
        names, places = np.unique(own[present], return_inverse=True)
        votes = np.bincount(places)
        sums = np.bincount(places, weights=far[present])
        best = votes == votes.max()
        chosen[query] = names[best][np.argmin(sums[best])]
    return chosen


def vote_chance(labels: npt.NDArray[np.integer], distances: Float64Values, k: int, wanted: int) -> float:
    """Return the probability that the k nearest of one query vote for a label.

    Of items that are equally far as the k-th, every choice of as many as there is room for is equally likely, so it
    does not depend on their order. A tied vote goes to the label of the nearer ones, then to the smaller label.

    Parameters
    ----------
    labels : ndarray of int, (c,)
        Of what was found, the nearest first, with all that are as far as the k-th.
    distances : ndarray, (c,)
        Theirs, ascending.

    Examples
    --------
    >>> vote_chance(np.array([1, 2, 2]), np.array([0.5, 0.5, 0.5]), 1, wanted=2)  # one of three equally near
    0.6666666666666666
    """
    count = min(k, len(labels))
    if count == 0:
        return 0.0
    last = distances[count - 1]
    names, places = np.unique(labels[distances <= last], return_inverse=True)
    tied = distances[distances <= last] == last
    sure = np.bincount(places[~tied], minlength=len(names)).tolist()
    sums = np.bincount(places[~tied], weights=distances[: len(places)][~tied], minlength=len(names)).tolist()
    spare = np.bincount(places[tied], minlength=len(names)).tolist()
    draws = count - sum(sure)
    if wanted not in names:
        return 0.0
    own = int(np.searchsorted(names, wanted))

    def standing(label: int, drawn: int) -> tuple[int, float, int]:
        return -(sure[label] + drawn), sums[label] + drawn * last, label  # the smallest wins

    ways = 0
    for drawn in range(min(draws, spare[own]) + 1):
        choices = [1] + [0] * (draws - drawn)  # by how many of the others are drawn, none of whom may win
        for label in range(len(names)):
            if label == own:
                continue
            allowed = [
                math.comb(spare[label], more) if standing(label, more) > standing(own, drawn) else 0
                for more in range(min(draws - drawn, spare[label]) + 1)
            ]
            choices = [
                sum(allowed[more] * choices[total - more] for more in range(min(total, len(allowed) - 1) + 1))
                for total in range(len(choices))
            ]
        ways += math.comb(spare[own], drawn) * choices[draws - drawn]
    return ways / math.comb(sum(spare), draws)
