"""Judgement of search results, the same for codes, an index of a library, and another program."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Rows
from twinlens.core.evaluation.evaluation_task import FOUND, OVERLAPS, EvaluationTask
from twinlens.core.evaluation.tied_rankings import vote_chance
from twinlens.core.evaluation.truth import one_row
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent

Far = Float64Matrix | npt.NDArray[np.int64]
"""Distances: measured exactly, or in bits."""

OF_QUERIES = ("seconds search", "looked_at", "scanned", "probed")
"""What is measured of every query."""

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class QueryTruth:
    """The truth of one query.

    Attributes
    ----------
    right, wrong : set of int
        Items to find, and not to find.
    beside : set of int
        Items that do not count: the query itself, or further contents of a copy.
    any_right : bool
        Whether one right item is enough, as of identical files.
    most : int, optional
        How many right results there can be; by default as many as there are right items.
    true : ndarray of float64, (k,), optional
        Distances of the exact first results, ascending.
    label : int, optional
        Label that the nearest should vote for.
    """

    right: AbstractSet[int] = _NONE
    wrong: AbstractSet[int] = _NONE
    beside: AbstractSet[int] = _NONE
    any_right: bool = False
    most: int | None = None
    true: Far | None = None
    label: int | None = None


@dataclass(frozen=True, eq=False)
class RankedItems:
    """The ranked results of one query.

    Attributes
    ----------
    items : ndarray of int64, (m,)
        By (distance, item).
    distances : ndarray of float64, (m,), optional
        None where only the order is known.
    looked_at, scanned, probed : int
        Items measured exactly, codes compared, and buckets or places of lists visited.
    """

    items: Int64Rows
    distances: Far | None = None
    looked_at: int = 0
    scanned: int = 0
    probed: int = 0
    seconds: float = 0.0


WORST = 10
"""Results of which the overlap of the worst query, and its standard error over all, are reported."""


@dataclass(eq=False)
class Judgement:
    """Figures of the results of one candidate, which are added query by query.

    Attributes
    ----------
    labels : ndarray of int64, (n,), optional
        Of the items, if the nearest vote.
    k : int
        How many vote.
    depth : int, optional
        Results that are looked through; None for all.
    each : dict of str to list of float
        By measure, of each query that has it: what the mean is taken of.
    places : list of (int or None)
        Of each query with right items, how many results stand before the first of them; None where there is none.
    chances : list of float
        Of each query with a label, how likely the nearest vote for it.
    near : dict of int to list of (int, int)
        Of each query with a true order, how many of the first so many are as near as the true ones, and of how many.
    """

    labels: npt.NDArray[np.int64] | None = None
    k: int = 1
    depth: int | None = None
    each: dict[str, list[float]] = field(default_factory=lambda: {key: [] for key in OF_QUERIES})
    places: list[int | None] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    near: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: {count: [] for count in OVERLAPS})

    @classmethod
    def of(cls, task: EvaluationTask, counts: Iterable[int] = OVERLAPS) -> Judgement:
        """Begin the judgement of a candidate on a task, with overlaps of some counts."""
        return cls(task.labels, task.k, near={count: [] for count in counts})

    def add(self, truth: QueryTruth, ranked: RankedItems) -> None:
        """Judge the results of one query."""
        items, distances = ranked.items, ranked.distances
        if truth.beside:
            places = counting(items, truth)
            items, distances = items[places], None if distances is None else distances[places]
        items = items[: self.depth]
        work = ranked.seconds, ranked.looked_at, ranked.scanned, ranked.probed
        of: dict[str, float] = dict(zip(OF_QUERIES, work, strict=True))
        if truth.right:
            self.places.append(_place(items, truth.right))
            most = len(truth.right) if truth.most is None else truth.most
            for first in FOUND:
                of[f"found@{first}"] = found_among(items, truth, first)
                among = len(truth.right & set(items[: min(first, most)].tolist()))
                of[f"precision@{first}"] = among / min(first, most)
        if truth.wrong:
            of["wrong"] = len(set(items[: max(FOUND)].tolist()) & truth.wrong) / len(truth.wrong)
        for key, value in of.items():
            self.each.setdefault(key, []).append(value)
        if truth.true is not None and distances is not None:
            for count, near in self.near.items():
                near.append((as_near(distances, truth.true, count), min(count, len(truth.true))))
        if self.labels is not None and truth.label is not None and distances is not None:
            self.chances.append(vote_chance(self.labels[items], np.asarray(distances, np.float64), self.k, truth.label))

    @property
    def reciprocal_rank(self) -> float:
        """Mean of 1 / rank of the first right item, 0 where there is none: of one right item the average precision."""
        ranks = [0.0 if place is None else 1 / (place + 1) for place in self.places]
        return statistics.fmean(ranks) if ranks else 0.0

    @property
    def overlap(self) -> dict[int, float]:
        """Share of the exact first k that were found, or of others as near, by k."""
        return {
            count: float(np.mean([near for near, _ in some])) / float(np.mean([of for _, of in some]))
            for count, some in self.near.items()
            if any(of for _, of in some)
        }

    def values(self, counts: Iterable[int] = OVERLAPS) -> dict[str, float]:
        """Return the means over the queries, by measure; overlaps of some counts."""
        found, wanted = {key: statistics.fmean(some) if some else 0.0 for key, some in self.each.items()}, set(counts)
        found |= {f"overlap@{count}": share for count, share in self.overlap.items() if count in wanted}
        if WORST in wanted and (shares := [near / of for near, of in self.near.get(WORST, ()) if of]):
            found[f"worst@{WORST}"] = min(shares)
            found[f"error@{WORST}"] = float(np.std(shares) / np.sqrt(len(shares)))
        if self.chances:
            found["accuracy"] = float(np.mean(self.chances))
        return found


def judge_queries(
    ranked_items: Callable[[int], RankedItems],
    truths: Sequence[QueryTruth],
    judgement: Judgement,
    progress: Progress = silent,
) -> Judgement:
    """Run some queries one after the other, and judge their results.

    Parameters
    ----------
    ranked_items : callable
        Returns the results of the query of a number, and their time.
    judgement : Judgement
        Receives the results.
    """
    for number, truth in enumerate(truths):
        progress(number, len(truths), Message("Searching"))
        judgement.add(truth, ranked_items(number))
    return judgement


class TaskTruths(Sequence[QueryTruth]):
    """The truths of a task's queries, as far as results are looked through."""

    def __init__(self, task: EvaluationTask, depth: int) -> None:
        self._task, self._depth = task, depth

    def __len__(self) -> int:
        return int(self._task.queries.shape[0])

    def __getitem__(self, number: int) -> QueryTruth:  # type: ignore[override]
        task = self._task
        if number >= len(self):
            raise IndexError
        true = task.distance.exactly(one_row(task.queries, number), task.base[task.neighbours[number][: self._depth]])
        own = -1 if task.own is None else int(task.own[number])
        return QueryTruth(
            frozenset(np.asarray(task.relevant[number]).tolist()) - {own} if task.relevance_given else _NONE,
            any_right=task.any_right,
            true=true,
            label=None if task.query_labels is None else int(task.query_labels[number]),
        )


def found_among(items: Int64Rows, truth: QueryTruth, first: int) -> float:
    """Return the share of the right items that are among the first, of as many as can be.

    Examples
    --------
    >>> items = np.array([4, 9, 2])
    >>> found_among(items, QueryTruth({2, 4}), 2), found_among(items, QueryTruth({2, 4}, any_right=True), 2)
    (0.5, 1.0)
    """
    there = len(truth.right & set(items[:first].tolist()))
    return float(there > 0) if truth.any_right else there / min(first, len(truth.right))


def as_near(found: Far, true: Far, count: int) -> int:
    """Count how many of the first so many that were found are as near as the last of the true ones, or nearer.

    Of items that are equally far any is as right as any other, so rankings are compared by their distances.
    """
    if not len(true) or not len(found):
        return 0
    last = true[min(count, len(true)) - 1]
    return min(int(np.count_nonzero(found[:count] <= last)), len(true[:count]))


def counting(items: Int64Rows, truth: QueryTruth) -> npt.NDArray[np.intp]:
    """Return the places of the items that count."""
    if not truth.beside:
        return np.arange(len(items))
    return np.flatnonzero(~np.isin(items, np.fromiter(truth.beside, np.int64, len(truth.beside))))


def _place(items: Int64Rows, right: AbstractSet[int]) -> int | None:
    """Return the number of results before the first right one; None if there is none."""
    places = np.flatnonzero(np.isin(items, np.fromiter(right, np.int64, len(right))))
    return int(places[0]) if len(places) else None
