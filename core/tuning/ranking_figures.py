"""The ranking by Hamming distance alone: enough to compare candidates, in a part of the time of all figures."""

from __future__ import annotations

import time

import numpy as np

from core.evaluation.evaluation_task import Figures, Task, note_of
from core.evaluation.hamming_ranking import judge_ranking
from core.hashing.hash_method import HashMethod
from core.hashing.packed_codes import planar
from core.progress import Progress, part, silent
from core.search.search_structure import Search


def evaluate_ranking(method: HashMethod, search: Search, task: Task, progress: Progress = silent) -> Figures:
    """Fit a method on the base, encode, and judge the ranking; nothing is searched, and no query is timed alone.

    Parameters
    ----------
    method : HashMethod
    search : Search
        Not used; as in :func:`core.evaluation.method_evaluation.evaluate`.
    task : Task
    progress : Progress

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    figures = Figures()
    base = task.base
    if len(base) > method.sample_size:  # as evaluate draws it
        rng = np.random.default_rng(method.seed)
        base = base[np.sort(rng.choice(len(base), method.sample_size, replace=False))]
    began = time.perf_counter()
    encoder = method.fit(base, part(progress, 0.0, 0.5))
    figures.seconds["fit"] = time.perf_counter() - began
    began = time.perf_counter()
    codes, kept = encoder.encode(task.base), encoder.keeps(task.base)
    figures.seconds["encode"] = time.perf_counter() - began
    began = time.perf_counter()
    asked = encoder.encode(task.queries)
    figures.seconds["encode_query"] = (time.perf_counter() - began) / max(1, len(asked))
    arrays = encoder.pack().arrays.values()
    figures.bytes = {"model": sum(array.nbytes for array in arrays), "codes": codes.nbytes}
    figures.note = note_of(encoder)
    words = np.ascontiguousarray(planar(asked).T)
    judge_ranking(figures, planar(codes), words, encoder.bits, task, part(progress, 0.5, 1.0), kept)
    return figures
