"""Constraints that a metric is learned from: pairs, and bounds on their distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix
from core.errors import TwinlensError
from core.message import NOTHING, Message, joined
from core.metrics.log_det import Constraints
from core.metrics.metric import MetricPairs

_LEAST_BOUND = 1e-9  # of the larger bound


@dataclass(frozen=True, eq=False)
class TellingPairs:
    """The pairs that something can be learned from. Made by :meth:`of`.

    Attributes
    ----------
    pairs : Pairs
        Similar ones first, each in the order given, no pair twice.
    itself, twice, contradicted, blank : int
        How many were left out: an item with itself, a pair marked before, a pair marked both similar and different
        (both marks), an item that is zero throughout.
    """

    pairs: MetricPairs
    itself: int
    twice: int
    contradicted: int
    blank: int

    @classmethod
    def of(cls, pairs: MetricPairs, blank: npt.NDArray[np.bool_]) -> TellingPairs:
        """Leave out what teaches nothing.

        Parameters
        ----------
        pairs : Pairs
        blank : ndarray of bool, (n,)
            Items that are zero throughout.

        Raises
        ------
        TwinlensError
            If a row does not exist, or no pair is left.
        """
        rows, similar = np.asarray(pairs.rows, np.int64).reshape(-1, 2), np.asarray(pairs.similar, bool)
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(blank)):
            wrong = int(rows[(rows < 0) | (rows >= len(blank))][0])
            raise TwinlensError(
                Message(
                    "A pair names row {wrong}, but there are {blank} vectors, counted from 0.",
                    wrong=wrong,
                    blank=len(blank),
                ),
                Message("Mend that pair."),
            )
        kept: dict[tuple[int, int], bool] = {}
        itself = twice = without = 0
        contradicted: set[tuple[int, int]] = set()
        for (one, other), mark in zip(rows.tolist(), similar.tolist(), strict=True):
            key = (min(one, other), max(one, other))
            if one == other:
                itself += 1
            elif blank[one] or blank[other]:
                without += 1
            elif key not in kept:
                kept[key] = mark
            elif kept[key] == mark:
                twice += 1
            else:
                contradicted.add(key)
        left = [(key, mark) for key, mark in kept.items() if key not in contradicted]
        left.sort(key=lambda one: not one[1])
        table = np.array([key for key, _ in left], np.int64).reshape(-1, 2)
        found = cls(
            MetricPairs(table, np.array([mark for _, mark in left], bool)), itself, twice, len(contradicted), without
        )
        if not left:
            raise TwinlensError(
                joined([Message("There is no pair to learn from."), found.left_out()]),
                Message("Mark some pairs as similar or different."),
            )
        return found

    def left_out(self) -> Message:
        """Return what was left out; empty where nothing was."""
        pairs = [
            Message("{count} of an item with itself", count=self.itself) if self.itself else NOTHING,
            Message("{count} marked before", count=self.twice) if self.twice else NOTHING,
            Message("{count} marked both similar and different", count=self.contradicted)
            if self.contradicted
            else NOTHING,
            Message("{count} with an item that has nothing to compare", count=self.blank) if self.blank else NOTHING,
        ]
        found = joined(pairs, ", ")
        return Message("Left out: {pairs}.", pairs=found) if found else NOTHING


def percentile_bounds(
    x: Float64Matrix,
    similar: npt.NDArray[np.bool_],
    percentiles: tuple[float, float],
    draws: int,
    rng: np.random.Generator,
) -> Constraints:
    """Bound pairs by how far items are from each other: similar ones below a low percentile, different above a high.

    Parameters
    ----------
    x : ndarray of float64, (n, d)
        Items as the prior sees them: |x_i - x_j|² is their squared distance under it.
    similar : ndarray of bool, (p,)
    percentiles : tuple of float
        Of the squared distances of items drawn in pairs.
    draws : int
        How many pairs are drawn; all of them where there are no more.
    rng : Generator

    Raises
    ------
    TwinlensError
        If all items are equal.
    """
    n = len(x)
    if n * (n - 1) // 2 <= draws:
        first, second = np.triu_indices(n, 1)
    else:
        first = rng.integers(0, n, draws)
        second = (first + rng.integers(1, n, draws)) % n
    squared = np.concatenate(
        [np.square(x[first[s : s + 1000]] - x[second[s : s + 1000]]).sum(axis=1) for s in range(0, len(first), 1000)]
        or [np.zeros(0)]
    )
    if not len(squared) or squared.max() <= 0:
        raise TwinlensError(
            Message("All items are equal, so no metric can tell them apart."), Message("Give vectors that differ.")
        )
    low, high = np.percentile(squared, percentiles)
    low, high = max(low, _LEAST_BOUND * squared.max()), max(high, _LEAST_BOUND * squared.max())
    return Constraints(similar, np.where(similar, low, high).astype(np.float64))
