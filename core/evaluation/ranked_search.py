"""Evaluation of a search with exact re-ranking: quality and time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.evaluation.evaluation_task import OVERLAPS, Figures, Task, note_of
from core.evaluation.ranking_measures import vote_chance
from core.evaluation.truth import KernelDistance, Matrix, Rows, one_row
from core.exact_search.kernel_neighbours import ExactKnn
from core.message import NOTHING, Message, joined
from core.progress import Progress
from core.search.candidate_query import Query, find
from core.search.exact_ranking import Exact
from core.search.search_structure import Candidates, CodeSearch, Search


@dataclass(frozen=True)
class _Found:
    """The answer of one query, by (distance, row)."""

    rows: Rows
    distances: Matrix
    looked_at: int
    scanned: int


def judge_search(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    queries: Sequence[Query],
    bits: int,
    search: Search,
    task: Task,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
) -> None:
    """Fill in overlap@k, accuracy, what was looked at, and the seconds and bytes of the search.

    Parameters
    ----------
    figures : Figures
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    queries : sequence of Query
    bits : int
    search : Search
    task : Task
    progress : Progress
    kept : ndarray of bool, (n,), optional
        False for items that have no place among the codes.
    """
    places = None if kept is None or not search.uses_codes else np.flatnonzero(kept)
    held = planes if places is None else np.ascontiguousarray(planes[:, places])
    began = time.perf_counter()
    structure = search.build(held, bits)
    figures.seconds["build"] = time.perf_counter() - began
    figures.bytes["search"] = structure.bytes
    knn = _bounded(search, task)
    depth = max(task.asked_for, task.k)
    asked = len(queries)
    spent, looked_at, scanned, probed = 0.0, 0, 0, 0
    right = np.zeros((asked, len(OVERLAPS)))
    lost = np.zeros(asked, np.int64)
    chances = []
    for number, query in enumerate(queries):
        progress(number, asked, Message("Searching"))
        began = time.perf_counter()
        if knn is None:
            near_codes = find(search, structure, held.shape[1], query, depth)
            found = _ranked(near_codes, task, number, places)
            probed += near_codes.probed
        else:
            near = knn.nearest(task.queries[number], depth, _others(task, number))
            found = _Found(near.rows, near.squared_distances, near.compared, 0)
        spent += time.perf_counter() - began
        looked_at += found.looked_at
        scanned += found.scanned
        true = task.distance.exactly(one_row(task.queries, number), task.base[task.neighbours[number][:depth]])
        right[number] = [_as_near(found.distances, true, count) for count in OVERLAPS]
        lost[number] = len(true[:depth]) - _as_near(found.distances, true, depth)
        if task.labels is not None and task.query_labels is not None:
            wanted = int(task.query_labels[number])
            chances.append(vote_chance(task.labels[found.rows], found.distances, task.k, wanted))
    if knn is not None:
        figures.note = joined([figures.note, note_of(knn), _lost(knn, lost, task, depth)])
    if isinstance(search, CodeSearch) and search.candidates < depth:
        more = Message(
            "{depth} results are asked for, so {depth} candidates are ranked instead of {candidates}.",
            depth=depth,
            candidates=search.candidates,
        )
        figures.note = joined([figures.note, more])
    figures.seconds["search"] = spent / max(1, asked)
    figures.looked_at, figures.scanned = looked_at / max(1, asked), scanned / max(1, asked)
    figures.probed = probed / max(1, asked)
    for place, count in enumerate(OVERLAPS):
        if count <= min(task.neighbours.shape[1], depth):
            figures.overlap[count] = float(right[:, place].mean() / count)
    if chances:
        figures.accuracy = float(np.mean(chances))


def _as_near(found: Matrix, true: Matrix, count: int) -> int:
    """Count how many of the first so many that were found are as near as the last of the true ones, or nearer.

    Of items that are equally far any is as right as any other, so rankings are compared by their distances.
    """
    if not len(true) or not len(found):
        return 0
    last = true[min(count, len(true)) - 1]
    return min(int(np.count_nonzero(found[:count] <= last)), len(true[:count]))


def _ranked(found: Candidates, task: Task, number: int, places: Rows | None) -> _Found:
    """Rank candidates by the exact distance."""
    rows = found.rows if places is None else places[found.rows]
    if task.own is not None:
        rows = rows[rows != task.own[number]]
    rows = np.sort(rows)
    distances = task.distance.exactly(one_row(task.queries, number), task.base[rows])
    order = np.lexsort((rows, distances))
    return _Found(rows[order], distances[order], len(rows), found.scanned)


def _bounded(search: Search, task: Task) -> ExactKnn | None:
    """Return the search that spares comparisons, where everything is ranked by a kernel."""
    if not isinstance(search, Exact) or not isinstance(task.distance, KernelDistance):
        return None
    return ExactKnn(task.distance.kernel, task.base, search.bound)


def _others(task: Task, number: int) -> npt.NDArray[np.bool_] | None:
    if task.own is None or task.own[number] < 0:
        return None
    mask = np.ones(len(task.base), np.bool_)
    mask[task.own[number]] = False
    return mask


def _lost(knn: ExactKnn, lost: npt.NDArray[np.int64], task: Task, depth: int) -> Message:
    """Return how many true neighbours the heuristic bound lost."""
    if knn.used != "heuristic":
        return NOTHING
    asked_for = len(lost) * min(depth, task.neighbours.shape[1])
    return Message(
        "The heuristic bound lost {lost} of {neighbours} true neighbours, in {affected} of {queries} queries.",
        lost=lost.sum(),
        neighbours=asked_for,
        affected=np.count_nonzero(lost),
        queries=len(lost),
    )
