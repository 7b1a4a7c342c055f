"""The quick size: a small part of every data set, and two draws. It shows that all runs to the end, not what is so."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.experiment import Experiment
from core.progress import Progress
from tests.papers.data_set import DataSet, Made, data_folder, ready
from tests.papers.debian_files import papers_folder

ITEMS, QUERIES, REPEATS = 500, 50, 2

WIDE = 10_000
"""Dimensions from which on the items of a data set are fewer still."""


def home() -> Path:
    """Give the folder of quick results, and of the data they are of: what is kept of full runs is left alone."""
    return papers_folder() / "quick"


def small(data_set: DataSet) -> DataSet:
    """Give a data set of the first rows of another."""

    def make(progress: Progress) -> Made:
        facts = ready(data_set, progress)
        arrays, photographs = {}, {}
        for name, file in facts.files.items():
            wide = int(np.prod(file.shape[1:])) >= WIDE
            count = QUERIES if name.startswith("quer") else ITEMS // 5 if wide else ITEMS
            arrays[name] = np.load(data_folder() / data_set.name / f"{name}.npy", mmap_mode="r")[:count]
            photographs[name] = file.photographs
        return Made(arrays, facts.packages, photographs)

    title = f"a small part of: {data_set.title}"
    return DataSet(data_set.name, title, data_set.stands_for, make, data_set.version)


def shortened(experiment: Experiment) -> Experiment:
    """Ask an experiment fewer queries, with fewer seeds."""
    count = min(experiment.query_count or QUERIES, QUERIES)
    return experiment.changed(seeds=experiment.seeds[:REPEATS], query_count=count)
