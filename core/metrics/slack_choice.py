"""The slack of ITML, chosen by cross-validation within the items that are in pairs.

Davis, Kulis, Jain, Sra and Dhillon (ICML 2007, section 5) choose among .01, .1, 1 and 10 by k-NN with labels. Pairs
have no labels, but they have groups: items that similar pairs join, directly or by way of others. Items are held out; a
metric learned from the pairs of the others tells the group of each held-out item by its nearest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix
from core.metrics.metric import FittedMetric, MetricPairs
from core.progress import Progress, part, silent

SLACKS = (0.01, 0.1, 1.0, 10.0)

UNKNOWN = 1.0
"""The slack where too few items are in groups to be told."""

_FOLDS = 5
_VOTERS = 4
_LEAST_TOLD = 20  # held-out items

Groups = npt.NDArray[np.int64]
Learn = Callable[[float, MetricPairs, Progress], FittedMetric]


def chosen_slack(
    learn: Learn, items: Float64Matrix, pairs: MetricPairs, seed: int, progress: Progress = silent
) -> float:
    """Return the smallest slack that is about as good as the best.

    It is one standard error behind at most, by the share of held-out items that are told their group.

    Parameters
    ----------
    learn : callable
        Returns the metric of a slack and some of the pairs.
    items : ndarray, (c, d)
        The items of the pairs.
    pairs : Pairs
        Of rows of ``items``.
    seed : int
        Of the draw of folds.
    progress : Progress

    Raises
    ------
    Cancelled
        If progress says so.
    """
    groups = groups_by_pairs(len(items), pairs)
    related = relations(groups, pairs)
    folds = np.random.default_rng(seed).permutation(len(items)) % _FOLDS
    lost: list[Float64Matrix] = []
    for fold in range(_FOLDS):
        known = folds != fold
        kept = known[pairs.rows].all(axis=1)
        asked = np.flatnonzero(~known & _is_decidable(groups, related, known))
        if not len(asked) or not pairs.similar[kept].any():
            continue
        teaching = MetricPairs(pairs.rows[kept], pairs.similar[kept])
        told = np.empty((len(SLACKS), len(asked)))
        for place, slack in enumerate(SLACKS):
            done = fold * len(SLACKS) + place
            step = part(progress, done / (_FOLDS * len(SLACKS)), (done + 1) / (_FOLDS * len(SLACKS)))
            images = learn(slack, teaching, step).apply(items).astype(np.float64)
            told[place] = _vote_chances(images, groups, related, known, asked)
        lost.append(told)
    told = np.concatenate(lost, axis=1) if lost else np.empty((len(SLACKS), 0))
    if told.shape[1] < _LEAST_TOLD:
        return UNKNOWN
    behind = told[told.mean(axis=1).argmax()] - told
    error = behind.std(axis=1, ddof=1) / np.sqrt(told.shape[1])
    return SLACKS[int(np.argmax(behind.mean(axis=1) <= error))]


def groups_by_pairs(count: int, pairs: MetricPairs) -> Groups:
    """Return the group of each of some items, (count,): what similar pairs join is one group."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = pairs.rows[pairs.similar]
    joined = coo_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(count, count))
    return np.asarray(connected_components(joined, directed=False)[1], np.int64)


def relations(groups: Groups, pairs: MetricPairs) -> npt.NDArray[np.bool_]:
    """Return of which groups it is known that they are different, or the same, (g, g)."""
    known = np.eye(groups.max(initial=-1) + 1, dtype=bool)
    one, other = groups[pairs.rows[~pairs.similar]].T
    known[one, other] = known[other, one] = True
    return known


def _is_decidable(
    groups: Groups, related: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which items have both a known item of their group and a known one of another, (c,)."""
    counts = np.bincount(groups[known], minlength=len(related))
    own = counts[groups] > 0
    others = (related @ counts)[groups] > counts[groups]
    return np.asarray(own & others)


def _vote_chances(
    images: Float64Matrix, groups: Groups, related: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_], asked: Groups
) -> Float64Matrix:
    """Return of held-out items the chance that their nearest vote for their group, (q,).

    Only those vote of which it is known whether they are of its group.
    """
    squared = np.square(images[known]).sum(axis=1) - 2 * (images[asked] @ images[known].T)
    of = groups[known]
    squared[~related[groups[asked]][:, of]] = np.inf
    order = np.argsort(squared, axis=1, kind="stable")[:, :_VOTERS]
    counts = np.isfinite(np.take_along_axis(squared, order, axis=1))
    voters = of[order]
    votes = ((voters[:, :, None] == voters[:, None, :]) & counts[:, None, :]).sum(axis=2)
    first = counts & (votes == votes.max(axis=1, keepdims=True))
    share = first / np.maximum(votes, 1)  # each of the groups with most votes counts once
    return np.asarray((share * (voters == groups[asked][:, None])).sum(axis=1) / share.sum(axis=1))
