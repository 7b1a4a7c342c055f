"""The ranking by Hamming distance alone, judged over all orders of what is tied."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.evaluation.evaluation_task import RECALL_CURVE, RECALLS, EvaluationTask, Figures
from core.evaluation.hamming_histograms import hamming_histograms
from core.evaluation.ranking_measures import (
    RECALL_LEVELS,
    average_precision,
    overlap_at,
    precision_at_recall,
    precision_recall,
)
from core.progress import Progress


def judge_ranking(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    bits: int,
    task: EvaluationTask,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
    curves: bool = True,
) -> None:
    """Fill in recall@R, mean average precision, and the curves of recall and precision.

    Parameters
    ----------
    figures : Figures
    planes : ndarray of uint64, (words, n)
        Codes of the base.
    words : ndarray of uint64, (q, words)
        Codes of the queries.
    bits : int
    task : Task
    progress : Progress
    kept : ndarray of bool, (n,), optional
        False for items that are never found.
    curves : bool
        Whether recall at more R, precision and recall by radius, and precision at recalls are wanted, too.
    """
    first = task.nearest if task.nearest is not None else [rows[:1] for rows in task.neighbours]
    found = hamming_histograms(planes, words, first, bits, task.own, progress, kept)
    judged = hamming_histograms(planes, words, task.relevant, bits, task.own, progress, kept, found.counts)
    for count in RECALL_CURVE if curves else RECALLS:
        if count <= planes.shape[1]:
            share = float(overlap_at(found.counts, found.relevant, count, found.lost).mean())
            if curves:
                figures.recall_curve.append((count, share))
            if count in RECALLS:
                figures.recall[count] = share
    if not judged.relevant.any() and not judged.lost.any():
        return
    counted = judged.counts, judged.relevant, judged.lost
    figures.map = float(np.nanmean(average_precision(*counted)))
    if curves:
        recall, precision = precision_recall(*counted)
        figures.curve = [(float(r), float(p)) for r, p in zip(recall, precision, strict=True)]
        at = precision_at_recall(*counted)
        figures.precision_at = list(zip(RECALL_LEVELS.tolist(), at.tolist(), strict=True))
