"""Measures of rankings with ties: means over every order of what is equally far."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Numbers

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
