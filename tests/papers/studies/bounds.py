"""Comparisons that bounds spare in exact kernel k-NN, and neighbours that are lost (Bodó and Csató 2012, Table II)."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.evaluation.measures import majority
from core.exact_knn import Bound, ExactKnn
from core.progress import Progress
from tests.papers.size import Tables
from tests.papers.studies.buckets import KERNEL, VOTES

DATA = CASES = ("digits", "dna")
BOUNDS: tuple[Bound, ...] = ("norms", "heuristic", "none")
QUERIES = 300
REPEATS = 1
"""Nothing is drawn here."""


def measure(case: str, tables: Tables, _repeats: int, progress: Progress) -> dict[str, Any]:
    """Give of each bound the share of items compared, accuracy, and the share of queries with a loss."""
    return {bound: _measured(tables, case, bound, progress) for bound in BOUNDS}


def _measured(tables: Tables, name: str, bound: Bound, progress: Progress) -> dict[str, Any]:
    base, labels = np.array(tables(name, "base")), np.array(tables(name, "labels"), np.int64)
    queries, answers = (np.array(tables(name, array)[:QUERIES]) for array in ("queries", "query_labels"))
    knn = ExactKnn(KERNEL, base, bound)
    compared, right, lost = 0, 0, 0
    for number, (query, answer) in enumerate(zip(queries, answers, strict=True)):
        progress(number, len(queries), f"Neighbours of {name} by the bound {bound}")
        found = knn.nearest(query, VOTES[name])
        compared += found.compared
        right += int(majority(labels[found.rows][None], found.squared_distances[None], VOTES[name])[0] == answer)
        lost += knn.lost(query, found) > 0
    count = len(queries)
    share = {"compared": compared / (count * len(base)), "accuracy": right / count, "losing": lost / count}
    return {**share, "queries": count, "note": knn.note}
