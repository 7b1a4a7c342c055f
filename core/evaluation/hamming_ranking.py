"""The ranking by Hamming distance alone, judged over all orders of what is tied."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.evaluation.evaluation_task import RECALL_CURVE, RECALLS, Figures, Task
from core.evaluation.hamming_histograms import hamming_histograms
from core.evaluation.ranking_measures import (
    RECALL_LEVELS,
    average_precision,
    overlap_at,
    precision_at_recall,
    precision_recall,
)
from core.progress import Progress, part


def judge_ranking(
    figures: Figures,
    planes: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
    bits: int,
    task: Task,
    progress: Progress,
    kept: npt.NDArray[np.bool_] | None = None,
) -> None:
    """Fill in recall@R, mean average precision, precision and recall by radius, and precision at recalls.

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
    """
    first = task.nearest if task.nearest is not None else [rows[:1] for rows in task.neighbours]
    found = hamming_histograms(planes, words, first, bits, task.own, part(progress, 0.0, 0.5), kept)
    for count in RECALL_CURVE:
        if count <= planes.shape[1]:
            share = float(overlap_at(found.counts, found.relevant, count, found.lost).mean())
            figures.recall_curve.append((count, share))
            if count in RECALLS:
                figures.recall[count] = share
    judged = hamming_histograms(planes, words, task.relevant, bits, task.own, part(progress, 0.5, 1.0), kept)
    if judged.relevant.any() or judged.lost.any():
        precisions = average_precision(judged.counts, judged.relevant, judged.lost)
        figures.map = float(np.nanmean(precisions))
        recall, precision = precision_recall(judged.counts, judged.relevant, judged.lost)
        figures.curve = [(float(r), float(p)) for r, p in zip(recall, precision, strict=True)]
        at = precision_at_recall(judged.counts, judged.relevant, judged.lost)
        figures.precision_at = list(zip(RECALL_LEVELS.tolist(), at.tolist(), strict=True))
