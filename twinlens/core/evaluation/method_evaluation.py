"""Evaluation of one hash method on one set of vectors: fit, encode, search, and judge.

A search with exact re-ranking is judged by quality and time. Rankings by another program are judged in the same ways as
rankings by codes: alone, and with exact ranking of the first items.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Rows, UInt64Words
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import (
    OVERLAPS,
    RECALL_CURVE,
    RECALLS,
    EvaluationTask,
    Figures,
    fitted_note,
)
from twinlens.core.evaluation.hamming_ranking import judge_ranking, precision_of_candidates
from twinlens.core.evaluation.judgement import Judgement, RankedItems, TaskTruths, judge_queries
from twinlens.core.evaluation.truth import KernelDistance, is_dense, one_row
from twinlens.core.exact_search.kernel_neighbours import ExactKnn
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.method_under_metric import under
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.methods.lsh import Lsh
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.search.linear_scan import Exact
from twinlens.core.search.search_structure import (
    CodeQuery,
    CodeSearch,
    Search,
    encode_queries,
    find_candidates,
    needs_projections,
)
from twinlens.core.vectors import Vectors

if TYPE_CHECKING:
    from twinlens.core.hashing.supervision import Supervision
    from twinlens.core.metrics.sparse_metric import SparseMetric


def evaluate_method(
    method: HashMethod,
    search: Search,
    task: EvaluationTask,
    progress: Progress = silent,
    metric: FittedMetric | SparseMetric | None = None,
    spectrum: bool = False,
) -> Figures:
    """Fit a method on the base, encode, search and judge; see :func:`evaluated_searches`."""
    (figures,) = evaluated_searches(method, [search], task, progress, metric, spectrum)
    return figures


def evaluated_searches(
    method: HashMethod,
    searches: Sequence[Search],
    task: EvaluationTask,
    progress: Progress = silent,
    metric: FittedMetric | SparseMetric | None = None,
    spectrum: bool = False,
) -> Iterator[Figures]:
    """Fit a method on the base, encode, and judge one search after the other on its codes, each given when it is done.

    Parameters
    ----------
    searches : sequence of Search
        At least one.
    metric : FittedMetric or SparseMetric, optional
        Stands before the method: it learns and encodes what the metric gives. For sparse tables a SparseMetric.
    spectrum : bool
        Whether the eigenvalues of what was learned are wanted; it takes time.

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors, or takes no sparse ones.
    """
    projected = any(needs_projections(search) for search in searches)
    codes = encode_task(method, task, part(progress, 0.0, 0.4), metric, projected)
    yield from judged_codes(codes, searches, task, part(progress, 0.4, 1.0), spectrum)


def evaluate_ranking(
    method: HashMethod,
    task: EvaluationTask,
    progress: Progress = silent,
    metric: FittedMetric | SparseMetric | None = None,
) -> Figures:
    """Judge the ranking by Hamming distance alone, in a part of the time: nothing is searched, no query timed alone."""
    codes = encode_task(method, task, part(progress, 0.0, 0.5), metric, alone=False)
    judge_ranking(
        codes.figures, codes.planes, codes.words, codes.encoder.bits, task, part(progress, 0.5, 1.0), codes.kept
    )
    return codes.figures


@dataclass(frozen=True, eq=False)
class EncodedTask:
    """The base and the queries of a task, encoded by a method that has learned from the base.

    Attributes
    ----------
    planes : ndarray of uint64, (words, n)
    kept : ndarray of bool, (n,), or None
        False for items that are never found.
    figures : Figures
        Seconds, bytes and note so far.
    """

    encoder: Encoder
    planes: UInt64Words
    queries: list[CodeQuery]
    kept: npt.NDArray[np.bool_] | None
    figures: Figures

    @property
    def words(self) -> UInt64Words:
        """Codes of the queries, (q, words)."""
        if not self.queries:
            return np.empty((0, len(self.planes)), np.uint64)
        return np.stack([query.code for query in self.queries])


def judged_codes(
    codes: EncodedTask, searches: Sequence[Search], task: EvaluationTask, progress: Progress, spectrum: bool = False
) -> Iterator[Figures]:
    """Judge the ranking by codes, and searches one by one, as :func:`evaluated_searches` does, of given codes."""
    figures, encoder = codes.figures, codes.encoder
    judge_ranking(figures, codes.planes, codes.words, encoder.bits, task, part(progress, 0.0, 0.33), codes.kept)
    if task.candidates:
        step = part(progress, 0.33, 0.58)
        precision = precision_of_candidates(encoder, codes.planes, codes.words, task, step, codes.kept)
        if precision is not None:
            figures.values["map_candidates"] = precision
    if spectrum:
        figures.spectrum = encoder.spectrum()
    for number, search in enumerate(searches):
        step = part(progress, 0.58 + 0.42 * number / len(searches), 0.58 + 0.42 * (number + 1) / len(searches))
        one = replace(figures, values=dict(figures.values))
        judge_search(one, codes.planes, codes.queries, encoder.bits, search, task, step, codes.kept)
        yield one


def encode_task(
    method: HashMethod,
    task: EvaluationTask,
    progress: Progress = silent,
    metric: FittedMetric | SparseMetric | None = None,
    projected: bool = False,
    alone: bool = True,
) -> EncodedTask:
    """Fit a method on the base of a task, and encode.

    Parameters
    ----------
    method, task, progress, metric
        As of :func:`evaluated_searches`.
    projected : bool
        Whether a search needs the projections of queries.
    alone : bool
        Whether queries are encoded one by one, as they come in a search, which is timed; else all at once.
    """
    learner, figures, n = _learner(method, task.base, metric), Figures(), task.base.shape[0]
    sample, supervision = task.base, task.supervision if method.supervised else None
    if n > method.sample_size:
        rows = draw_places(n, method.sample_size, np.random.default_rng(method.seed))
        sample, supervision = task.base[rows], None if supervision is None else supervision.of_rows(rows)
    began = time.perf_counter()
    encoder = learner.fit_with(sample, supervision, progress)
    figures.values["seconds fit"] = time.perf_counter() - began
    began = time.perf_counter()
    codes = encoder.encode(task.base)
    kept = encoder.keeps(task.base)
    figures.values["seconds encode"] = time.perf_counter() - began
    query_count = task.queries.shape[0]
    at_once = 1 if alone else max(1, query_count)
    began = time.perf_counter()
    queries = [
        query
        for number in range(0, query_count, at_once)
        for query in encode_queries(encoder, task.queries[number : number + at_once], projected)
    ]
    figures.values["seconds encode_query"] = (time.perf_counter() - began) / max(1, query_count)
    figures.values["bytes model"] = sum(array.nbytes for array in encoder.pack().arrays.values())
    figures.values["bytes codes"] = codes.nbytes
    figures.values["dropped"] = 0 if kept is None else int(n - np.count_nonzero(kept))
    figures.note = fitted_note(encoder)
    return EncodedTask(encoder, planar(codes), queries, kept, figures)


class Learner(Protocol):
    """A maker of encoders: a hash method, alone or behind a metric, or for sparse tables."""

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> Encoder:
        """Learn from rows, and from what is known of them."""


def _learner(method: HashMethod, base: Vectors, metric: FittedMetric | SparseMetric | None) -> Learner:
    if not is_dense(base):
        return _SparseHyperplanes(method, metric)
    if metric is None:
        return method
    assert isinstance(metric, FittedMetric)
    return under(metric, method)


class _SparseHyperplanes:
    """The method ``lsh`` for sparse tables."""

    def __init__(self, method: HashMethod, metric: FittedMetric | SparseMetric | None) -> None:
        if not isinstance(method, Lsh):
            raise TwinlensError(
                "{key} does not take sparse vectors, since it would fill in all zeros.",
                "Choose lsh, or give dense vectors.",
                key=method.key,
            )
        self._method = method
        self._metric = metric

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> Encoder:
        from twinlens.core.hashing.sparse_encoder import SparseEncoder
        from twinlens.core.metrics.sparse_metric import SparseMetric

        progress(0, 1, Message("Drawing hyperplanes"))
        metric = self._metric if isinstance(self._metric, SparseMetric) else int(x.shape[1])
        return SparseEncoder.of(metric, self._method.bits, self._method.seed)


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
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    kept : ndarray of bool, (n,), optional
        False for items that have no place among the codes.
    """
    places = None if kept is None or not search.uses_codes else np.flatnonzero(kept)
    held = planes if places is None else np.ascontiguousarray(planes[:, places])
    began = time.perf_counter()
    structure = search.build(held, bits)
    figures.values["seconds build"] = time.perf_counter() - began
    figures.values["bytes search"] = structure.bytes
    knn = _bounded(search, task)
    depth = max(task.retrieved, task.k)

    def ranked_items(number: int) -> RankedItems:
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

    judgement = judge_queries(ranked_items, TaskTruths(task, depth), Judgement.of(task, (*OVERLAPS, depth)), progress)
    figures.values |= judgement.values(count for count in OVERLAPS if count <= min(task.neighbours.shape[1], depth))
    if knn is not None:
        figures.note = joined([figures.note, fitted_note(knn), _lost(knn, judgement, depth)])
    if isinstance(search, CodeSearch) and search.candidates < depth:
        more = Message(
            "{depth} results are wanted, so {depth} candidates are ranked instead of {candidates}.",
            depth=depth,
            candidates=search.candidates,
        )
        figures.note = joined([figures.note, more])


def exactly_ranked(rows: Int64Rows, task: EvaluationTask, number: int) -> tuple[Int64Rows, Float64Matrix]:
    """Return the candidates of a query, without the query itself, and their distances, by (distance, row)."""
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
        """Return the results of one query, without the query itself."""
        rows = self.rows[number]
        return np.asarray(rows[(rows >= 0) & (rows != own)])


def depth_of(search: Search, task: EvaluationTask) -> int:
    """Return how many candidates are ranked exactly."""
    return min(search.depth(max(task.retrieved, task.k)), int(task.base.shape[0]))


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
    """
    own = np.full(task.queries.shape[0], -1) if task.own is None else np.asarray(task.own)
    nearest = [given.nearest(number, int(row)) for number, row in enumerate(own)]
    for count in RECALL_CURVE:
        if count <= task.base.shape[0] and count <= given.rows.shape[1]:
            figures.recall_curve.append((count, _recall(nearest, task, own, count)))
    figures.values |= {f"recall@{count}": share for count, share in figures.recall_curve if count in RECALLS}
    for number, search in enumerate(searches):
        depth = depth_of(search, task)
        known = given.seconds[depth]

        def ranked_items(query: int, depth: int = depth, known: float = known) -> RankedItems:
            began = time.perf_counter()
            rows, distances = exactly_ranked(nearest[query][:depth], task, query)
            return RankedItems(rows, distances, len(rows), seconds=known + time.perf_counter() - began)

        step = part(progress, number / len(searches), (number + 1) / len(searches))
        wanted = max(task.retrieved, task.k)
        judgement = judge_queries(ranked_items, TaskTruths(task, wanted), Judgement.of(task), step)
        found = judgement.values(count for count in OVERLAPS if count <= min(task.neighbours.shape[1], wanted))
        yield replace(figures, values=figures.values | found | {"scanned": given.scanned})


def _recall(nearest: Sequence[Int64Rows], task: EvaluationTask, own: Int64Rows, count: int) -> float:
    """Return recall@R: of the true nearest, which may be several, the mean share among the first so many."""
    shares = []
    for number, rows in enumerate(nearest):
        right = task.neighbours[number][:1] if task.nearest is None else task.nearest[number]
        right = right[right != own[number]]
        found = np.isin(right, rows[:count])
        shares.append(float(found.any() if task.any_nearest else found.mean()) if len(right) else 1.0)
    return float(np.mean(shares))
