"""Queries that are held out: they share no item with what is searched and learned from."""

from __future__ import annotations

import numpy as np

from core.evaluation.evaluation_task import Task
from core.evaluation.truth import Distance, Rows, nearest
from core.progress import Progress, silent
from core.vectors import Vectors

NEIGHBOURS = 100
_LARGEST_PART = 5  # at most one of so many items is a query


class HeldOut:
    """Splits of some vectors into queries and what is searched, drawn from stated seeds.

    Parameters
    ----------
    x : ndarray, (n, d)
    distance : Distance
        By which the true neighbours are found.
    queries : int
        Held out of each split, at most a fifth of the items.
    seed : int
        Of split 0; split i is drawn from seed + i.
    """

    def __init__(self, x: Vectors, distance: Distance, queries: int = 200, seed: int = 0) -> None:
        self.x = x
        self.distance = distance
        self.queries = max(1, min(queries, len(x) // _LARGEST_PART))
        self.seed = seed
        self._known: dict[tuple[int, int], Task] = {}

    @property
    def most(self) -> int:
        """How many items there are to be searched."""
        return len(self.x) - self.queries

    def rows(self, split: int, size: int) -> tuple[Rows, Rows]:
        """Return the rows of the queries and of what is searched: a larger size holds a smaller one of its split."""
        order = np.random.default_rng(self.seed + split).permutation(len(self.x))
        return np.sort(order[: self.queries]), np.sort(order[self.queries : self.queries + size])

    def task(self, split: int, size: int, progress: Progress = silent) -> Task:
        """Return what methods are judged on; the truth is found once."""
        if (split, size) not in self._known:
            asked, searched = self.rows(split, size)
            base, queries = self.x[searched], self.x[asked]
            found = nearest(self.distance, base, queries, NEIGHBOURS, progress=progress)
            none = [np.empty(0, np.int64)] * len(queries)
            self._known[split, size] = Task(base, queries, found.rows, none, self.distance, nearest=found.first(1))
        return self._known[split, size]
