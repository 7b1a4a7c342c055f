"""Queries that are held out: they share no item with what is searched and learned from."""

from __future__ import annotations

import numpy as np

from core.evaluation.evaluation_task import Task
from core.evaluation.plan import Plan
from core.evaluation.tables import Tables
from core.evaluation.truth import Rows
from core.progress import Progress, silent
from core.vectors import Vectors

_LARGEST_PART = 5  # at most one of so many items is a query


class HeldOut:
    """Splits of some vectors into queries and what is searched, drawn from stated seeds.

    Parameters
    ----------
    x : ndarray, (n, d)
    truth : str
        ``l2``, ``cosine`` or the text form of a kernel with nothing left ``auto``: the same in every split.
    queries : int
        Held out of each split, at most a fifth of the items.
    seed : int
        Of split 0; split i is drawn from seed + i.
    """

    def __init__(self, x: Vectors, truth: str, queries: int = 200, seed: int = 0) -> None:
        self.x, self.truth, self.seed = x, truth, seed
        self.queries = max(1, min(queries, len(x) // _LARGEST_PART))
        self._known: dict[tuple[int, int], Task] = {}

    @property
    def most(self) -> int:
        """How many items there are to be searched."""
        return len(self.x) - self.queries

    def rows(self, split: int, size: int) -> tuple[Rows, Rows]:
        """Return the rows of the queries and of what is searched: a larger size holds a smaller one of its split."""
        order = np.random.default_rng(self.seed + split).permutation(len(self.x))
        return np.sort(order[: self.queries]), np.sort(order[self.queries : self.queries + size])

    def plan(self, split: int, size: int) -> Plan:
        """Return the plan of a split with so many items: any candidate is a step of it."""
        asked, searched = self.rows(split, size)
        tables = Tables(f"split {split}", self.x[searched], self.x[asked], measure=self.truth)
        return Plan(tables, (), (), truth=self.truth)

    def task(self, split: int, size: int, progress: Progress = silent) -> Task:
        """Return what methods are judged on; the truth is found once."""
        if (split, size) not in self._known:
            self._known[split, size] = self.plan(split, size).load(progress).task
        return self._known[split, size]
