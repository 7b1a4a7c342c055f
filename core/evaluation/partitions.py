"""A table with labels, parted anew at random: what is asked, what is searched, and what of that is known by its label.

Jain, Kulis and Grauman (CVPR 2008, section 6.1): of each class so many items ask and the others are searched; a metric
is learned from pairs of a few of these, of which the labels are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Int64Labels, Int64Rows
from core.errors import TwinlensError
from core.message import Message
from core.metrics.metric import MetricPairs

MOST_LABELLED = 5_000
"""Items of which all pairs are listed, to draw from them."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows of a table, ascending. Made by :func:`partition`.

    Attributes
    ----------
    base : ndarray of int64
        Searched.
    queries : ndarray of int64
        Asked; the base and these are the whole table.
    labelled : ndarray of int64
        Those of the base of which pairs are drawn.
    """

    base: Int64Rows
    queries: Int64Rows
    labelled: Int64Rows


def partition(
    labels: Int64Labels, labelled: int, asked: int, seed: int, searched: Int64Rows | None = None
) -> Partition:
    """Part a table.

    Parameters
    ----------
    labels : ndarray of int64, (n,)
    labelled, asked : int
        Items of each class; of a small class, not more than a third asks, and not more than half of the rest is
        labelled.
    seed : int
    searched : ndarray of int64, optional
        Rows that never ask.

    Raises
    ------
    TwinlensError
        If no class has items enough to ask and to be found.
    """
    rng = np.random.default_rng(seed)
    queries, known = [], []
    for label in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == label))
        free = rows if searched is None else rows[~np.isin(rows, searched)]
        count = min(asked, len(rows) // 3, len(free))
        rest = rows[~np.isin(rows, free[:count])]
        queries.append(free[:count])
        known.append(rest[: min(labelled, len(rest) // 2)])
    chosen = np.sort(np.concatenate(queries))
    if not len(chosen):
        raise TwinlensError(
            Message("No label has three vectors, so no query has others of its label."),
            Message("Give labels of classes."),
        )
    return Partition(np.setdiff1d(np.arange(len(labels)), chosen), chosen, np.sort(np.concatenate(known)))


def pairs_among(labels: Int64Labels, rows: Int64Rows, count: int, seed: int) -> MetricPairs:
    """Draw different pairs of some rows, half of one label and half of two; as many as there are if those are fewer.

    Parameters
    ----------
    labels : ndarray of int64, (n,)
        Of the whole table.
    rows : ndarray of int64, (m,)
        Of so many that all their pairs can be listed; of more, some are drawn first.
    count : int
    seed : int
        The pairs of a smaller count are among those of a larger one.

    Raises
    ------
    TwinlensError
        If all labels are equal, or no two are.
    """
    rng = np.random.default_rng(seed)
    if len(rows) > MOST_LABELLED:
        rows = np.sort(rng.choice(rows, MOST_LABELLED, replace=False))
    first, second = np.triu_indices(len(rows), 1)
    same = labels[rows[first]] == labels[rows[second]]
    kinds = [rng.permutation(np.flatnonzero(same)), rng.permutation(np.flatnonzero(~same))]
    if not all(len(kind) for kind in kinds):
        raise TwinlensError(
            Message("The labels do not give pairs of the same label and of different ones."),
            Message("Give labels of which some, but not all, are equal."),
        )
    similar, different = kinds[0][: count - count // 2], kinds[1][: max(1, count // 2)]
    chosen = np.concatenate([similar, different])
    return MetricPairs(
        np.column_stack([rows[first[chosen]], rows[second[chosen]]]), np.arange(len(chosen)) < len(similar)
    )
