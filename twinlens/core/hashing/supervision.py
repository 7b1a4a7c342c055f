"""Supervision: labels or judged pairs, from which it is known which items belong together.

Of judged pairs, items that similar ones join are a group, and have its label. Groups are different from each other
where no pair is judged different; else only what is judged so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Labels, Int64Rows
from twinlens.core.containers import DisjointSets
from twinlens.core.metrics.metric import MetricPairs

UNKNOWN = -1
"""The label of an item of which nothing is known."""


@dataclass(frozen=True, eq=False)
class Supervision:
    """Labels or judged pairs of n items. Made by :meth:`of_labels` or :meth:`of_pairs`.

    Attributes
    ----------
    labels : ndarray of int64, (n,)
        From 0; ``UNKNOWN`` where nothing is known.
    pairs : MetricPairs or None
        The judged pairs that the labels come from; None where these were given.
    """

    labels: Int64Labels
    pairs: MetricPairs | None = None

    @classmethod
    def of_labels(cls, labels: Int64Labels, hidden: Int64Rows | None = None) -> Self:
        """Take labels, any whole numbers, (n,), without those of some hidden rows.

        Examples
        --------
        >>> Supervision.of_labels(np.array([7, 7, -3]), hidden=np.array([1])).labels.tolist()
        [1, -1, 0]
        """
        known = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        if hidden is not None:
            known[hidden] = UNKNOWN
        return cls(known)

    @classmethod
    def of_pairs(cls, pairs: MetricPairs, count: int) -> Self:
        """Take judged pairs of rows of ``count`` items.

        Examples
        --------
        >>> pairs = MetricPairs(np.array([[0, 3], [3, 1], [2, 0]]), np.array([True, True, False]))
        >>> Supervision.of_pairs(pairs, 5).labels.tolist()
        [0, 0, -1, 0, -1]
        """
        sets = DisjointSets[int]()
        for one, other in pairs.rows[pairs.similar].tolist():
            sets.join(one, other)
        labels = np.full(count, UNKNOWN, np.int64)
        for label, members in enumerate(sets.all()):
            labels[members] = label
        return cls(labels, pairs)

    @property
    def groups(self) -> int:
        """How many groups have two members at least."""
        return int((np.bincount(self.labels[self.labels >= 0]) > 1).sum())

    @property
    def teaches(self) -> bool:
        """Whether it tells anything apart: two groups, or one and what differs from it."""
        classes = len(np.unique(self.labels[self.labels >= 0]))
        return self.groups > 0 and (classes > 1 or (self.pairs is not None and not bool(self.pairs.similar.all())))

    def of_rows(self, rows: npt.NDArray[np.integer[Any]]) -> Supervision:
        """Return what is known of some of the items, each once, in their order."""
        if self.pairs is None:
            return Supervision(self.labels[rows])
        place = np.full(len(self.labels), UNKNOWN, np.int64)
        place[rows] = np.arange(len(rows))
        moved = place[self.pairs.rows]
        there = (moved >= 0).all(axis=1)
        return Supervision.of_pairs(MetricPairs(moved[there], self.pairs.similar[there]), len(rows))

    def drawn(self, per_class: int | None, rng: np.random.Generator) -> Supervision:
        """Return what is known of so many items of each label, at most, drawn at random; all for None."""
        if per_class is None:
            return self
        order = rng.permutation(len(self.labels))
        kept = np.full(len(self.labels), UNKNOWN, np.int64)
        for label in np.unique(self.labels[self.labels >= 0]):
            some = order[self.labels[order] == label][:per_class]
            kept[some] = label
        if self.pairs is None:
            return Supervision(kept)
        judged = self.pairs.rows
        there = ((kept[judged] >= 0) | (self.labels[judged] < 0)).all(axis=1)
        return Supervision.of_pairs(MetricPairs(judged[there], self.pairs.similar[there]), len(self.labels))

    def similarities(self, most: int, rng: np.random.Generator) -> tuple[Int64Rows, Float64Matrix]:
        """Return items of which anything is known, (l,), and how they belong together, (l, l).

        Parameters
        ----------
        most : int
            Of more items so many are drawn.

        Returns
        -------
        ndarray of int64, (l,)
        ndarray of float64, (l, l)
            1 for similar, -1 for different, 0 where it is not known.
        """
        known = self.labels >= 0
        if self.pairs is not None:
            known[self.pairs.rows] = True
        rows = np.flatnonzero(known)
        if len(rows) > most:
            rows = np.sort(rng.choice(rows, most, replace=False))
        labels = self.labels[rows]
        same = (labels[:, None] == labels) & (labels >= 0)
        if self.pairs is None or self.pairs.similar.all():
            return rows, np.where(same, 1.0, -1.0)
        found = same.astype(np.float64)
        np.fill_diagonal(found, 1.0)
        place = np.full(len(self.labels), UNKNOWN, np.int64)
        place[rows] = np.arange(len(rows))
        far = place[self.pairs.rows[~self.pairs.similar]]
        one, other = far[(far >= 0).all(axis=1)].T
        found[one, other] = found[other, one] = -1.0
        return rows, found
