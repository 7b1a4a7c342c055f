"""Comparisons that bounds spare in exact kernel k-NN, and neighbours that are lost (Bodó and Csató 2012, Table II)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.evaluation.measures import majority
from core.exact_knn import Bound, ExactKnn
from core.progress import Progress
from tests.papers.studies.buckets import KERNEL, VOTES

DATA = ("digits", "dna")
BOUNDS: tuple[Bound, ...] = ("norms", "heuristic", "none")
QUERIES = 300
REPEATS = 1
"""Nothing is drawn here."""


def measure(folders: Mapping[str, Path], _repeats: int, progress: Progress) -> dict[str, Any]:
    """Give of each data set and bound the share of items compared, accuracy, and the share of queries with a loss."""
    return {name: {bound: _measured(folders[name], name, bound, progress) for bound in BOUNDS} for name in DATA}


def _measured(folder: Path, name: str, bound: Bound, progress: Progress) -> dict[str, Any]:
    base, labels = np.load(folder / "base.npy"), np.load(folder / "labels.npy").astype(np.int64)
    queries, answers = np.load(folder / "queries.npy")[:QUERIES], np.load(folder / "query_labels.npy")[:QUERIES]
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
