"""Measurement of hash methods on any vectors, without a library."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.bench.curves import curves_of
from app.bench.data import BenchTask, load_task
from app.bench.experiment import Experiment
from app.bench.partitions import bench_partitions, parted
from app.bench.results import BenchBytes, BenchCurve, BenchMethodResult, BenchResult, BenchSeconds
from app.bench.tables import Tables
from app.methods import catalogue
from core.errors import TwinlensError
from core.evaluation.method_evaluation import Figures, evaluate_searches
from core.hashing.hash_method import HashMethod
from core.message import Message
from core.progress import Progress, part, silent
from core.search.search_structure import Search

MAP_PROTOCOLS = ("ranking", "candidates")


def bench(
    experiment: Experiment, progress: Progress = silent, curves: bool = False, tables: Tables | None = None
) -> BenchResult:
    """Run an experiment.

    Parameters
    ----------
    experiment : Experiment
    progress : Progress
    curves : bool
        Whether to return curves, also over the rank of kernel methods.
    tables : Tables, optional
        The data, instead of the experiment's files.

    Raises
    ------
    TwinlensError
        If a file cannot be read, a declaration has no meaning, the numbers of rows or dimensions do not fit, or a
        method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    experiment = parted(experiment).complete()
    if experiment.partitions:
        data, found = bench_partitions(experiment, progress)
        return BenchResult(data=data, results=[], partitions=found)
    methods, searches = checked(experiment)
    loaded = load_task(experiment, methods, part(progress, 0.0, 0.3), tables)
    results: list[BenchMethodResult] = []
    drawn: list[BenchCurve] = []
    for number, method in enumerate(methods):
        share = part(progress, 0.3 + 0.7 * number / len(methods), 0.3 + 0.7 * (number + 1) / len(methods))
        every = [MethodRuns(method, search, experiment.seeds) for search in searches]
        _measure(every, loaded, share, curves)
        results.extend(one.summed(loaded.data.n, loaded.exact) for one in every)
        if curves:
            drawn.extend(curves_of(method.text(), experiment.seeds, every[0].runs))
    return BenchResult(data=loaded.data, results=results, curves=drawn)


def checked(experiment: Experiment) -> tuple[list[HashMethod], list[Search]]:
    """Return the declarations of a complete experiment, or refuse them."""
    methods = [catalogue.method(text) for text in experiment.methods]
    searches = [catalogue.search_structure(text) for text in experiment.search]
    if not experiment.seeds:
        raise TwinlensError(Message("No seeds are named."), Message("Name a seed, such as 0."))
    if experiment.map_protocol not in MAP_PROTOCOLS:
        raise TwinlensError(
            Message(
                "Unknown mAP protocol “{map_protocol}”. Choose one of: {map_protocols}.",
                map_protocol=experiment.map_protocol,
                map_protocols=", ".join(MAP_PROTOCOLS),
            ),
            Message("Check map_protocol."),
        )
    return methods, searches


@dataclass(frozen=True, eq=False)
class MethodRuns:
    """The figures of a method under a search structure, one for each seed.

    Attributes
    ----------
    method : HashMethod
    search : Search
    seeds : tuple of int
    runs : list of Figures
    before : list of Figures
        Without the metric; empty if that is not compared.
    """

    method: HashMethod
    search: Search
    seeds: tuple[int, ...]
    runs: list[Figures] = field(default_factory=list)
    before: list[Figures] = field(default_factory=list)

    def summed(self, n: int, exact: float) -> BenchMethodResult:
        """Return the means over the seeds with their deviations; of n vectors, with the seconds of exact search."""
        flat = [_flat(run) for run in self.runs]
        for values, run in zip(flat, self.before, strict=False):
            if run.accuracy is not None:
                values["accuracy_before"] = run.accuracy
        mean = {name: statistics.fmean(one[name] for one in flat) for name in flat[0]}
        spread = {name: statistics.stdev(one[name] for one in flat) for name in flat[0]} if len(flat) > 1 else {}
        told = all(run.precision_at for run in self.runs)  # not by steps of earlier versions
        curve = np.mean([run.precision_at for run in self.runs], axis=0) if told else np.empty((0, 2))
        return BenchMethodResult(
            method=self.method.text(),
            search=self.search.text(),
            bits=self.method.bits,
            seeds=list(self.seeds),
            recall={str(count): mean[f"recall@{count}"] for count in self.runs[0].recall},
            overlap={str(count): mean[f"overlap@{count}"] for count in self.runs[0].overlap},
            precision_at=[(float(r), float(p)) for r, p in curve],
            chance=statistics.fmean(run.curve[-1][1] for run in self.runs) if self.runs[0].curve else None,
            map=mean.get("map"),
            map_candidates=mean.get("map_candidates"),
            accuracy=mean.get("accuracy"),
            accuracy_before=mean.get("accuracy_before"),
            dropped=mean["dropped"],
            looked_at=mean["looked_at"],
            scanned=mean["scanned"],
            probed=mean["probed"],
            of=n,
            seconds=BenchSeconds(exact=exact, **{name: mean[f"seconds {name}"] for name in self.runs[0].seconds}),
            bytes=BenchBytes(**self.runs[0].bytes),
            deviation=spread,
            note=self.runs[0].note,
        )


def _measure(every: Sequence[MethodRuns], loaded: BenchTask, progress: Progress, curves: bool) -> None:
    """Fill in the figures of a method under several search structures."""
    method, seeds, searches = every[0].method, every[0].seeds, [one.search for one in every]
    for place, seed in enumerate(seeds):
        step = part(progress, place / len(seeds), (place + 1) / len(seeds))
        own = method.changed(seed=seed)
        first = step if loaded.before is None else part(step, 0.0, 0.5)
        try:
            found = evaluate_searches(own, searches, loaded.task, first, loaded.metric, curves)
        except TwinlensError as error:
            if not loaded.data.metric:
                raise
            raise TwinlensError(
                Message("With the metric {metric}: {reason}", metric=loaded.data.metric, reason=error.message),
                error.next_step,
            ) from None
        for one, figures in zip(every, found, strict=True):
            one.runs.append(figures)
        if loaded.before is not None:
            without = evaluate_searches(own, searches, loaded.before, part(step, 0.5, 1.0))
            for one, figures in zip(every, without, strict=True):
                one.before.append(figures)


def _flat(run: Figures) -> dict[str, float]:
    flat: dict[str, Any] = {f"recall@{count}": value for count, value in run.recall.items()}
    flat |= {f"overlap@{count}": value for count, value in run.overlap.items()}
    flat |= {"map": run.map, "map_candidates": run.map_candidates, "accuracy": run.accuracy}
    flat |= {"dropped": run.dropped, "looked_at": run.looked_at, "scanned": run.scanned, "probed": run.probed}
    flat |= {f"seconds {name}": value for name, value in run.seconds.items()}
    return {name: float(value) for name, value in flat.items() if value is not None}
