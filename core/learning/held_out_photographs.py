"""Photographs that are held out to judge a metric: no pair of theirs is among those that it was learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolMask, Int64Rows
from core.metrics.metric import MetricPairs
from core.metrics.principal_start import pair_groups

FOLDS = 8
"""Parts of the photographs, of which one is held out at a time: so many splits judge every photograph once."""


@dataclass(frozen=True, eq=False)
class Split:
    """Pairs to learn from, and held-out photographs to judge by.

    Attributes
    ----------
    learned : ndarray of bool, (p,)
        Pairs without a held-out photograph.
    judged : ndarray of int64, (j, 2)
        A pair, and which of its two photographs, 0 or 1, is held out. The other one may be known from pairs that were
        learned from: it asks, and the held-out one is looked for among photographs that are as new as it is.
    """

    learned: BoolMask
    judged: Int64Rows


def splits(pairs: MetricPairs, repeats: int, seed: int) -> Iterator[Split]:
    """Draw splits by photographs: what hangs together by marks is held out together where it is small enough.

    Parameters
    ----------
    pairs : Pairs
    repeats : int
        How often everything is held out once.
    seed : int

    Yields
    ------
    Split
        ``FOLDS`` for every repeat; without those that would leave no similar pair to learn from.
    """
    items, where = np.unique(pairs.rows, return_inverse=True)
    ends = where.reshape(-1, 2)
    if not len(items):
        return
    group = pair_groups(ends, len(items))
    sizes = np.bincount(group, minlength=len(items))
    alone = sizes[group] > max(2, len(items) // (2 * FOLDS))
    together = np.where(alone, len(items) + np.arange(len(items)), group)
    similar = np.zeros(len(items), bool)
    similar[ends[pairs.similar]] = True
    units, of_unit = np.unique(together, return_inverse=True)
    likes = np.zeros(len(units), bool)
    np.logical_or.at(likes, of_unit, similar)
    for repeat in range(repeats):
        rng = np.random.default_rng([seed, repeat])
        order = rng.permutation(len(units))
        order = order[np.argsort(~likes[order], kind="stable")]
        part = np.empty(len(units), np.int64)
        part[order] = np.arange(len(units)) % FOLDS
        for number in range(FOLDS):
            held = (part == number)[of_unit][ends]
            learned = ~held.any(axis=1)
            if held.any() and (learned & pairs.similar).any():
                yield Split(learned, np.argwhere(held))
