"""One hash method on one set of vectors: fitted, encoded, searched, and judged."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.codes import planar
from core.evaluation.histograms import hamming_histograms
from core.evaluation.measures import (
    average_precision,
    majority,
    precision_recall,
    recall_at,
)
from core.evaluation.truth import Distance, KernelDistance, Rows
from core.exact_knn import ExactKnn
from core.hash_method import HashMethod
from core.progress import Progress, part, silent
from core.search.exact import Exact
from core.search.search import Search, Structure
from core.vectors import Vectors

RECALLS = (1, 10, 100, 1000)
OVERLAPS = (10, 100)


@dataclass(frozen=True, eq=False)
class Task:
    """What methods are judged on.

    Attributes
    ----------
    base : ndarray, (n, d)
    queries : ndarray, (q, d)
    neighbours : ndarray of int64, (q, k)
        The true nearest of each query, in order.
    relevant : sequence of ndarray of int64
        For each query what counts as found in precision, recall and average precision: neighbours within a radius, or
        the items of its label. A query without any is left out of these.
    distance : Distance
        By which candidates are ranked.
    own : ndarray of int64, (q,), optional
        Row of each query in the base, -1 where it is not there.
    labels, query_labels : ndarray of int64, (n,) and (q,), optional
        For the accuracy of k-NN.
    k : int
        Neighbours that vote.
    """

    base: Vectors
    queries: Vectors
    neighbours: Rows
    relevant: Sequence[Rows]
    distance: Distance
    own: npt.NDArray[np.int64] | None = None
    labels: npt.NDArray[np.int64] | None = None
    query_labels: npt.NDArray[np.int64] | None = None
    k: int = 1


@dataclass
class Figures:
    """What came of it.

    Attributes
    ----------
    recall : dict of int to float
        recall@R of the ranking by Hamming distance.
    overlap : dict of int to float
        overlap@k of what the search found and ranked exactly.
    curve : list of (float, float)
        Recall and precision within each Hamming radius.
    map : float or None
        Mean average precision of the ranking by Hamming distance.
    accuracy : float or None
        Of the vote of the nearest that the search found.
    looked_at, scanned : float
        Items measured exactly, and codes compared, a query.
    seconds : dict of str to float
        ``fit`` and ``encode`` in all; ``encode_query`` and ``search`` a query.
    bytes : dict of str to int
        ``model`` and ``codes``.
    note : str
    """

    recall: dict[int, float] = field(default_factory=dict)
    overlap: dict[int, float] = field(default_factory=dict)
    curve: list[tuple[float, float]] = field(default_factory=list)
    map: float | None = None
    accuracy: float | None = None
    looked_at: float = 0.0
    scanned: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    note: str = ""


def evaluate(method: HashMethod, search: Search, task: Task, progress: Progress = silent) -> Figures:
    """Fit a method on the base, encode, search and judge.

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    figures = Figures()
    rng = np.random.default_rng(method.seed)
    base = task.base
    if len(base) > method.sample_size:
        chosen = np.sort(rng.choice(len(base), method.sample_size, replace=False))
        sample = np.asarray(base[chosen])
    else:
        sample = np.asarray(base)
    began = time.perf_counter()
    encoder = method.fit(sample, part(progress, 0.0, 0.5))
    figures.seconds["fit"] = time.perf_counter() - began
    began = time.perf_counter()
    codes = encoder.encode(base)
    figures.seconds["encode"] = time.perf_counter() - began
    began = time.perf_counter()
    asked = np.concatenate([encoder.encode(query[None, :]) for query in task.queries])
    figures.seconds["encode_query"] = (time.perf_counter() - began) / len(task.queries)
    packed = encoder.pack()
    figures.bytes = {"model": sum(array.nbytes for array in packed.arrays.values()), "codes": codes.nbytes}
    figures.note = str(getattr(encoder, "note", ""))
    planes, words = planar(codes), np.ascontiguousarray(planar(asked).T)
    _judge_ranking(figures, planes, words, encoder.bits, task, part(progress, 0.5, 0.75))
    _judge_search(figures, planes, words, search, task, part(progress, 0.75, 1.0))
    return figures


def _judge_ranking(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    bits: int,
    task: Task,
    progress: Progress,
) -> None:
    """Judge the ranking by Hamming distance alone, over the orders of ties."""
    first = [rows[:1] for rows in task.neighbours]
    found = hamming_histograms(planes, words, first, bits, task.own, part(progress, 0.0, 0.5))
    for count in RECALLS:
        if count <= planes.shape[1]:
            figures.recall[count] = float(recall_at(found.counts, found.nearest, count).mean())
    judged = hamming_histograms(planes, words, task.relevant, bits, task.own, part(progress, 0.5, 1.0))
    if judged.relevant.any():
        figures.map = float(np.nanmean(average_precision(judged.counts, judged.relevant)))
        recall, precision = precision_recall(judged.counts, judged.relevant)
        figures.curve = [(float(r), float(p)) for r, p in zip(recall, precision, strict=True)]


def _judge_search(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    search: Search,
    task: Task,
    progress: Progress,
) -> None:
    """Judge what the search finds and ranks exactly, and time it."""
    structure, knn = search.build(planes), _bounded(search, task)
    depth = max(*OVERLAPS, task.k)
    spent, looked_at, scanned = 0.0, 0, 0
    found_rows: list[Rows] = []
    found_distances: list[npt.NDArray[np.float64]] = []
    for number, word in enumerate(words):
        progress(number, len(words), "Searching")
        began = time.perf_counter()
        if knn is None:
            found = _ranked(structure, word, search.depth(depth), task, number)
        else:
            near = knn.nearest(task.queries[number], depth, _others(task, number))
            found = _Found(near.rows, near.squared_distances, near.compared, 0)
        spent += time.perf_counter() - began
        looked_at += found.looked_at
        scanned += found.scanned
        found_rows.append(found.rows[:depth])
        found_distances.append(found.distances[:depth])
    if knn is not None:
        figures.note = " ".join(filter(None, [figures.note, knn.note, _lost(knn, task, found_rows)]))
    figures.seconds["search"] = spent / len(words)
    figures.looked_at, figures.scanned = looked_at / len(words), scanned / len(words)
    for count in OVERLAPS:
        if count <= task.neighbours.shape[1]:
            pairs = zip(task.neighbours, found_rows, strict=True)
            shares = [np.isin(true[:count], rows[:count]).mean() for true, rows in pairs]
            figures.overlap[count] = float(np.mean(shares))
    if task.labels is not None and task.query_labels is not None:
        figures.accuracy = _accuracy(task, found_rows, found_distances)


@dataclass(frozen=True)
class _Found:
    rows: Rows
    distances: npt.NDArray[np.float64]
    looked_at: int
    scanned: int


def _ranked(structure: Structure, word: npt.NDArray[np.uint64], depth: int, task: Task, number: int) -> _Found:
    """Find candidates by their codes, and rank them by the exact distance."""
    found = structure.candidates(word, depth)
    rows = found.rows
    if task.own is not None:
        rows = rows[rows != task.own[number]]
    rows = np.sort(rows)
    distances = task.distance.exactly(task.queries[number], task.base[rows])
    order = np.lexsort((rows, distances))
    return _Found(rows[order], distances[order], len(rows), found.scanned)


def _bounded(search: Search, task: Task) -> ExactKnn | None:
    """Give the search that spares comparisons, where everything is ranked by a kernel."""
    if not isinstance(search, Exact) or not isinstance(task.distance, KernelDistance):
        return None
    return ExactKnn(task.distance.kernel, task.base, search.bound)


def _others(task: Task, number: int) -> npt.NDArray[np.bool_] | None:
    if task.own is None or task.own[number] < 0:
        return None
    mask = np.ones(len(task.base), np.bool_)
    mask[task.own[number]] = False
    return mask


def _lost(knn: ExactKnn, task: Task, found: list[Rows]) -> str:
    """Say how many of the true nearest the heuristic bound lost."""
    if knn.used != "heuristic":
        return ""
    pairs = [(true[: len(rows)], rows) for true, rows in zip(task.neighbours, found, strict=True)]
    lost = [int(np.count_nonzero(~np.isin(true, rows))) for true, rows in pairs]
    total = sum(len(true) for true, _ in pairs)
    return (
        f"The heuristic bound lost {sum(lost):,} of {total:,} true neighbours, "
        f"of {np.count_nonzero(lost):,} of {len(lost):,} queries."
    )


def _accuracy(task: Task, found: list[Rows], distances: list[npt.NDArray[np.float64]]) -> float:
    """Let the nearest that were found vote."""
    assert task.labels is not None
    assert task.query_labels is not None
    labels = np.full((len(found), task.k), -1, np.int64)
    near = np.full((len(found), task.k), np.inf)
    for number, rows in enumerate(found):
        count = min(task.k, len(rows))
        labels[number, :count] = task.labels[rows[:count]]
        near[number, :count] = distances[number][:count]
    return float((majority(labels, near, task.k) == task.query_labels).mean())
