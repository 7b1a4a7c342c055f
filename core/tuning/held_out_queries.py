"""Queries that are held out: they share no item with what is searched and learned from."""

from __future__ import annotations

import numpy as np

from core.arrays import Int64Rows
from core.evaluation.evaluation_task import EvaluationTask
from core.evaluation.plan import MeasurementPlan
from core.evaluation.tables import Tables
from core.progress import Progress, silent
from core.vectors import Vectors

_LARGEST_PART = 5  # at most one of so many items is a query


class HeldOutSplits:
    """Splits of some vectors, (n, d), into queries, at most a fifth, and what is searched; split i is of seed + i.

    The truth is ``l2``, ``cosine`` or the text form of a kernel with nothing left ``auto``: the same in every split.
    """

    def __init__(self, x: Vectors, truth: str, queries: int = 200, seed: int = 0) -> None:
        self.x, self.truth, self.seed = x, truth, seed
        self.queries = max(1, min(queries, len(x) // _LARGEST_PART))
        self._plans: dict[tuple[int, int], MeasurementPlan] = {}
        self._tasks: dict[tuple[int, int], EvaluationTask] = {}

    @property
    def most(self) -> int:
        """How many items there are to be searched."""
        return len(self.x) - self.queries

    def rows(self, split: int, size: int) -> tuple[Int64Rows, Int64Rows]:
        """Return the rows of the queries and of what is searched: a larger size holds a smaller one of its split."""
        order = np.random.default_rng(self.seed + split).permutation(len(self.x))
        return np.sort(order[: self.queries]), np.sort(order[self.queries : self.queries + size])

    def plan(self, split: int, size: int) -> MeasurementPlan:
        """Return the plan of a split with so many items: any candidate is a step of it."""
        if (split, size) not in self._plans:
            asked, searched = self.rows(split, size)
            tables = Tables(f"split {split}", self.x[searched], self.x[asked], measure=self.truth)
            self._plans[split, size] = MeasurementPlan(tables, (), (), truth=self.truth)
        return self._plans[split, size]

    def task(self, split: int, size: int, progress: Progress = silent) -> EvaluationTask:
        """Return what methods are judged on; the truth is found once."""
        if (split, size) not in self._tasks:
            self._tasks[split, size] = self.plan(split, size).load(progress).task
        return self._tasks[split, size]
