"""Evaluation of a search with exact re-ranking: quality and time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix, Int64Rows
from core.evaluation.answers import Judgement, RankedItems, TaskTruths, judge_queries
from core.evaluation.evaluation_task import OVERLAPS, EvaluationTask, Figures, fitted_note
from core.evaluation.truth import KernelDistance, one_row
from core.exact_search.kernel_neighbours import ExactKnn
from core.message import NOTHING, Message, joined
from core.progress import Progress
from core.search.candidate_query import CodeQuery, find_candidates
from core.search.exact_ranking import Exact
from core.search.search_structure import CodeSearch, Search


def judge_search(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    queries: Sequence[CodeQuery],
    bits: int,
    search: Search,
    task: EvaluationTask,
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

    def answer(number: int) -> RankedItems:
        began = time.perf_counter()
        if knn is None:
            near_codes = find_candidates(search, structure, held.shape[1], queries[number], depth)
            candidates = near_codes.rows if places is None else places[near_codes.rows]
            rows, distances = exactly_ranked(candidates, task, number)
            found = RankedItems(rows, distances, len(rows), near_codes.scanned, near_codes.probed)
        else:
            near = knn.nearest(task.queries[number], depth, _others(task, number))
            found = RankedItems(near.rows, near.squared_distances, near.compared)
        return replace(found, seconds=time.perf_counter() - began)

    judgement = judge_queries(answer, TaskTruths(task, depth), Judgement.of(task, (*OVERLAPS, depth)), progress)
    judgement.fill(figures, [count for count in OVERLAPS if count <= min(task.neighbours.shape[1], depth)])
    if knn is not None:
        figures.note = joined([figures.note, fitted_note(knn), _lost(knn, judgement, depth)])
    if isinstance(search, CodeSearch) and search.candidates < depth:
        more = Message(
            "{depth} results are asked for, so {depth} candidates are ranked instead of {candidates}.",
            depth=depth,
            candidates=search.candidates,
        )
        figures.note = joined([figures.note, more])


def exactly_ranked(rows: Int64Rows, task: EvaluationTask, number: int) -> tuple[Int64Rows, Float64Matrix]:
    """Return the candidates of a query, without itself, and their distances, by (distance, row)."""
    if task.own is not None:
        rows = rows[rows != task.own[number]]
    rows = np.sort(rows)
    distances = task.distance.exactly(one_row(task.queries, number), task.base[rows])
    order = np.lexsort((rows, distances))
    return rows[order], distances[order]


def _bounded(search: Search, task: EvaluationTask) -> ExactKnn | None:
    """Return the search that spares comparisons, where everything is ranked by a kernel."""
    if not isinstance(search, Exact) or not isinstance(task.distance, KernelDistance):
        return None
    return ExactKnn(task.distance.kernel, task.base, search.bound)


def _others(task: EvaluationTask, number: int) -> npt.NDArray[np.bool_] | None:
    if task.own is None or task.own[number] < 0:
        return None
    mask = np.ones(len(task.base), np.bool_)
    mask[task.own[number]] = False
    return mask


def _lost(knn: ExactKnn, judgement: Judgement, depth: int) -> Message:
    """Return how many true neighbours the heuristic bound lost."""
    if knn.used != "heuristic":
        return NOTHING
    near, of = np.array(judgement.near[depth]).T
    return Message(
        "The heuristic bound lost {lost} of {neighbours} true neighbours, in {affected} of {queries} queries.",
        lost=(of - near).sum(),
        neighbours=of.sum(),
        affected=np.count_nonzero(of - near),
        queries=len(of),
    )
