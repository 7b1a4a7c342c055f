"""Average precision of candidates that are sorted again by their projections.

Yun, Kim and Choi: Hashing with Generalized Nyström Approximation, ICDM 2012, section IV: for each query 100 candidates
are taken by their codes, or slightly more if there is a tie, and sorted again by the projected data, the real values
whose signs are the bits; of that order the average precision is computed. What is relevant and not among the
candidates counts as never found.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.evaluation.evaluation_task import EvaluationTask
from core.evaluation.hamming_histograms import distances_from
from core.evaluation.ranking_measures import average_precision
from core.hashing.hash_method import Encoder
from core.message import Message
from core.progress import Progress

_BLOCK = 1 << 16


def precision_of_candidates(
    encoder: Encoder,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    task: EvaluationTask,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
) -> float | None:
    """Return the mean average precision of ``task.candidates`` candidates; None where nothing is relevant to a query.

    Candidates whose projections are equally far from the query's count as in any order.

    Parameters
    ----------
    encoder : Encoder
        Gives the projections.
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    words : ndarray of uint64, (q, words)
        Codes of the queries.
    task : Task
    progress : Progress
    kept : ndarray of bool, (n,), optional
        False for items that are never found.
    """
    precisions = []
    for number, word in enumerate(words):
        progress(number, len(words), Message("Sorting candidates again"))
        own = -1 if task.own is None else int(task.own[number])
        relevant = np.asarray(task.relevant[number])
        relevant = relevant[relevant != own]
        if not len(relevant):
            continue
        rows = nearest_with_ties(planes, word, task.candidates, own, kept)
        if not len(rows):
            precisions.append(0.0)
            continue
        difference = encoder.project(task.base[rows]) - encoder.project(task.queries[number : number + 1])
        _, places = np.unique(np.square(difference).sum(axis=1), return_inverse=True)
        found = np.isin(rows, relevant)
        counts, hits = np.bincount(places), np.bincount(places[found], minlength=places.max() + 1)
        lost = np.array([len(relevant) - int(found.sum())])
        precisions.append(float(average_precision(counts[None, :], hits[None, :], lost)[0]))
    return float(np.mean(precisions)) if precisions else None


def nearest_with_ties(
    planes: npt.NDArray[np.uint64],
    word: npt.NDArray[np.uint64],
    count: int,
    own: int = -1,
    kept: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.int64]:
    """Return the rows of the nearest codes, ascending: so many, and all that are as near as the last of them."""
    n = planes.shape[1]
    far = np.concatenate([distances_from(planes[:, start : start + _BLOCK], word) for start in range(0, n, _BLOCK)])
    there = np.ones(n, np.bool_) if kept is None else kept.copy()
    if own >= 0:
        there[own] = False
    rows = np.flatnonzero(there)
    if len(rows) <= count:
        return rows
    last = np.partition(far[rows], count - 1)[count - 1]
    return np.asarray(rows[far[rows] <= last])
