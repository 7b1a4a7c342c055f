"""Size of an experiment: how much of the data and how many repetitions, all of it or a part in minutes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, DataSetFacts, Made, data_folder, papers_folder, ready
from twinlens.app.bench.experiment import Experiment
from twinlens.core.progress import Progress

WIDE = 10_000
"""Numbers in a row from which on the quick size takes fewer rows still."""


@dataclass(frozen=True)
class Size:
    """A size.

    Attributes
    ----------
    items, wide_items : int
        Rows of an array that are taken at most; 0 for all.
    queries, seeds, repeats : int
        The most there may be of each; 0 for as many as the experiment or study says.
    """

    name: str
    items: int = 0
    wide_items: int = 0
    queries: int = 0
    seeds: int = 0
    repeats: int = 0


QUICK = Size("quick", items=4_000, wide_items=400, queries=200, seeds=3, repeats=3)
FULL = Size("full")
SIZES = {size.name: size for size in (QUICK, FULL)}


class Tables:
    """Gives the arrays of data sets at a size: ``tables("digits", "base")``, not to be written to."""

    def __init__(self, size: Size) -> None:
        self._size = size

    def __call__(self, name: str, array: str) -> npt.NDArray[np.generic]:
        """Return an array as a memory map."""
        table: npt.NDArray[np.generic] = np.load(self.path(name, array), mmap_mode="r")
        return table

    def path(self, name: str, array: str) -> Path:
        """Say where the array is; its data set has to be ready."""
        return home(self._size) / name / f"{array}.npy"


def home(size: Size) -> Path:
    """Return the folder of the data sets of a size: the quick ones are small copies, beside the others."""
    return papers_folder() / "quick" / "data" if size.items else data_folder()


def sized(experiment: Experiment, size: Size, tables: Tables) -> Experiment:
    """Ask an experiment of a size; its files are ``SET/ARRAY.npy``."""
    files: dict[str, Any] = {}
    for field in ("base", "queries", "labels", "query_labels", "pairs"):
        if path := getattr(experiment, field):
            files[field] = str(tables.path(Path(path).parent.name, Path(path).stem))
    seeds = experiment.seeds[: size.seeds or None]
    partitions = min(experiment.partitions, size.seeds or experiment.partitions)
    count = experiment.query_count
    count = min(count or size.queries, size.queries) if size.queries else count
    return experiment.changed(**files, seeds=seeds, partitions=partitions, query_count=count)


def ready_at(size: Size, data_set: DataSet, progress: Progress) -> DataSetFacts:
    """Make a data set of a size, or find it."""
    return ready(_small(size, data_set), progress, home(size)) if size.items else ready(data_set, progress)


def _small(size: Size, data_set: DataSet) -> DataSet:
    """Return a data set of the first rows of another."""

    def make(progress: Progress) -> Made:
        facts = ready(data_set, progress)
        arrays, photographs = {}, {}
        for name, file in facts.files.items():
            rows = size.wide_items if int(np.prod(file.shape[1:])) >= WIDE else size.items
            arrays[name] = np.load(data_folder() / data_set.name / f"{name}.npy", mmap_mode="r")[:rows]
            photographs[name] = file.photographs
        return Made(arrays, facts.packages, photographs)

    return replace(data_set, make=make, version=1_000 * size.items + data_set.version)
