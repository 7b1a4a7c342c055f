"""Rankings that another program gives, judged as those of codes are: alone, and with exact ranking of their first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Int64Rows
from core.evaluation.answers import Judgement, RankedItems, TaskTruths, judge_queries
from core.evaluation.evaluation_task import OVERLAPS, RECALL_CURVE, RECALLS, EvaluationTask, Figures
from core.evaluation.ranked_search import exactly_ranked
from core.progress import Progress, part
from core.search.search_structure import Search


@dataclass(frozen=True, eq=False)
class GivenRanking:
    """The nearest of each query, as another program ranks them.

    Attributes
    ----------
    rows : ndarray of int64, (q, m)
        The nearest first; -1 where there are no more.
    seconds : dict of int to float
        A query, for so many of them.
    scanned : float
        Items compared by that program, a query.
    """

    rows: Int64Rows
    seconds: Mapping[int, float]
    scanned: float

    def nearest(self, number: int, own: int) -> Int64Rows:
        """Return what one query finds beside itself."""
        rows = self.rows[number]
        return np.asarray(rows[(rows >= 0) & (rows != own)])


def depth_of(search: Search, task: EvaluationTask) -> int:
    """Return how many candidates are ranked exactly."""
    return min(search.depth(max(task.asked_for, task.k)), int(task.base.shape[0]))


def judged_rankings(
    figures: Figures, given: GivenRanking, searches: Sequence[Search], task: EvaluationTask, progress: Progress
) -> Iterator[Figures]:
    """Yield the figures of each search structure, which says how many candidates are ranked exactly.

    Parameters
    ----------
    figures : Figures
        Seconds and bytes of what was built.
    given : GivenRanking
        As many of each query as any search needs.
    searches : sequence of Search
    task : Task
    progress : Progress
    """
    own = np.full(task.queries.shape[0], -1) if task.own is None else np.asarray(task.own)
    nearest = [given.nearest(number, int(row)) for number, row in enumerate(own)]
    for count in RECALL_CURVE:
        if count <= task.base.shape[0] and count <= given.rows.shape[1]:
            figures.recall_curve.append((count, _recall(nearest, task, own, count)))
    figures.recall = {count: share for count, share in figures.recall_curve if count in RECALLS}
    for number, search in enumerate(searches):
        depth = depth_of(search, task)
        known = given.seconds[depth]

        def answer(asked: int, depth: int = depth, known: float = known) -> RankedItems:
            began = time.perf_counter()
            rows, distances = exactly_ranked(nearest[asked][:depth], task, asked)
            return RankedItems(rows, distances, len(rows), seconds=known + time.perf_counter() - began)

        one = replace(figures, seconds=dict(figures.seconds))
        step = part(progress, number / len(searches), (number + 1) / len(searches))
        wanted = max(task.asked_for, task.k)
        judgement = judge_queries(answer, TaskTruths(task, wanted), Judgement.of(task), step)
        judgement.fill(one, [count for count in OVERLAPS if count <= min(task.neighbours.shape[1], wanted)])
        one.scanned = given.scanned
        yield one


def _recall(nearest: Sequence[Int64Rows], task: EvaluationTask, own: Int64Rows, count: int) -> float:
    """Return the mean share of the true nearest among the first so many."""
    shares = []
    for number, rows in enumerate(nearest):
        right = task.neighbours[number][:1] if task.nearest is None else task.nearest[number]
        right = right[right != own[number]]
        shares.append(np.isin(right, rows[:count]).mean() if len(right) else 1.0)
    return float(np.mean(shares))
