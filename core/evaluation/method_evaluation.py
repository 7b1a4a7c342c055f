"""One hash method on one set of vectors: fitted, encoded, searched, and judged."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import UInt64Words
from core.errors import TwinlensError
from core.evaluation.candidate_precision import precision_of_candidates
from core.evaluation.evaluation_task import EvaluationTask, Figures, fitted_note
from core.evaluation.hamming_ranking import judge_ranking
from core.evaluation.ranked_search import judge_search
from core.evaluation.truth import is_dense
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.method_under_metric import under
from core.hashing.packed_codes import planar
from core.message import Message
from core.methods.lsh import Lsh
from core.metrics.metric import FittedMetric
from core.progress import Progress, part, silent
from core.search.candidate_query import CodeQuery, encode_queries, needs_projections
from core.search.search_structure import Search
from core.vectors import Vectors

if TYPE_CHECKING:
    from core.metrics.sparse_metric import SparseMetric


class Learner(Protocol):
    """A maker of encoders: a hash method, alone or behind a metric, or for sparse tables."""

    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        """Learn from rows."""


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
    method : HashMethod
    searches : sequence of Search
        At least one.
    task : Task
    progress : Progress
    metric : FittedMetric or SparseMetric, optional
        Stands before the method: it learns and encodes what the metric gives. For sparse tables a SparseMetric.
    spectrum : bool
        Whether the eigenvalues of what was learned are wanted; it takes time.

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors, or takes no sparse ones.
    Cancelled
        If progress says so.
    """
    projected = any(needs_projections(search) for search in searches)
    codes = encode_task(method, task, part(progress, 0.0, 0.4), metric, projected)
    yield from judged_codes(codes, searches, task, part(progress, 0.4, 1.0), spectrum)


def evaluate_ranking(method: HashMethod, task: EvaluationTask, progress: Progress = silent) -> Figures:
    """Judge the ranking by Hamming distance alone, in a part of the time: nothing is searched, no query timed alone."""
    codes = encode_task(method, task, part(progress, 0.0, 0.5), alone=False)
    judge_ranking(
        codes.figures, codes.planes, codes.words, codes.encoder.bits, task, part(progress, 0.5, 1.0), codes.kept
    )
    return codes.figures


@dataclass(frozen=True, eq=False)
class EncodedTask:
    """The base and the queries of a task, encoded by a method that has learned from the base.

    Attributes
    ----------
    encoder : Encoder
    planes : ndarray of uint64, (words, n)
    queries : list of Query
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
    """Judge the ranking by codes, and one search after the other; as :func:`evaluated_searches`, of codes there are."""
    figures, encoder = codes.figures, codes.encoder
    judge_ranking(figures, codes.planes, codes.words, encoder.bits, task, part(progress, 0.0, 0.33), codes.kept)
    if task.candidates:
        step = part(progress, 0.33, 0.58)
        figures.map_candidates = precision_of_candidates(encoder, codes.planes, codes.words, task, step, codes.kept)
    if spectrum:
        figures.spectrum = encoder.spectrum()
    for number, search in enumerate(searches):
        step = part(progress, 0.58 + 0.42 * number / len(searches), 0.58 + 0.42 * (number + 1) / len(searches))
        one = replace(figures, seconds=dict(figures.seconds), bytes=dict(figures.bytes), overlap={})
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
    sample = task.base
    if n > method.sample_size:
        rng = np.random.default_rng(method.seed)
        sample = task.base[np.sort(rng.choice(n, method.sample_size, replace=False))]
    began = time.perf_counter()
    encoder = learner.fit(sample, progress)
    figures.seconds["fit"] = time.perf_counter() - began
    began = time.perf_counter()
    codes = encoder.encode(task.base)
    kept = encoder.keeps(task.base)
    figures.seconds["encode"] = time.perf_counter() - began
    asked_for = task.queries.shape[0]
    at_once = 1 if alone else max(1, asked_for)
    began = time.perf_counter()
    queries = [
        query
        for number in range(0, asked_for, at_once)
        for query in encode_queries(encoder, task.queries[number : number + at_once], projected)
    ]
    figures.seconds["encode_query"] = (time.perf_counter() - began) / max(1, asked_for)
    model = sum(array.nbytes for array in encoder.pack().arrays.values())
    figures.bytes = {"model": model, "codes": codes.nbytes}
    figures.note = fitted_note(encoder)
    figures.dropped = 0 if kept is None else int(n - np.count_nonzero(kept))
    return EncodedTask(encoder, planar(codes), queries, kept, figures)


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
                Message("{key} does not take sparse vectors, since it would fill in all zeros.", key=method.key),
                Message("Choose lsh, or give dense vectors."),
            )
        self._method = method
        self._metric = metric

    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        from core.metrics.sparse_encoder import SparseEncoder
        from core.metrics.sparse_metric import SparseMetric

        progress(0, 1, Message("Drawing hyperplanes"))
        metric = self._metric if isinstance(self._metric, SparseMetric) else int(x.shape[1])
        return SparseEncoder.of(metric, self._method.bits, self._method.seed)
