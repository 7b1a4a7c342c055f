"""Measurement of hash methods on any vectors, without a library."""

from __future__ import annotations

import statistics
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
        runs, before = _runs(method, searches, experiment.seeds, loaded, share, curves)
        for place, search in enumerate(searches):
            one = [run[place] for run in runs]
            without = [run[place] for run in before]
            results.append(summed(method, search, one, without, experiment.seeds, loaded.data.n, loaded.exact))
        if curves:
            drawn.extend(curves_of(method.text(), experiment.seeds, [run[0] for run in runs]))
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


def _runs(
    method: HashMethod,
    searches: list[Search],
    seeds: tuple[int, ...],
    loaded: BenchTask,
    progress: Progress,
    curves: bool,
) -> tuple[list[list[Figures]], list[list[Figures]]]:
    """Return the figures of a method by seed and search, with the metric and without it if compared."""
    runs, before = [], []
    for place, seed in enumerate(seeds):
        step = part(progress, place / len(seeds), (place + 1) / len(seeds))
        own = method.changed(seed=seed)
        first = step if loaded.before is None else part(step, 0.0, 0.5)
        try:
            runs.append(evaluate_searches(own, searches, loaded.task, first, loaded.metric, curves))
        except TwinlensError as error:
            if not loaded.data.metric:
                raise
            raise TwinlensError(
                Message("With the metric {metric}: {reason}", metric=loaded.data.metric, reason=error.message),
                error.next_step,
            ) from None
        if loaded.before is not None:
            before.append(evaluate_searches(own, searches, loaded.before, part(step, 0.5, 1.0)))
    return runs, before


def summed(
    method: HashMethod,
    search: Search,
    runs: list[Figures],
    before: list[Figures],
    seeds: tuple[int, ...],
    n: int,
    exact: float,
) -> BenchMethodResult:
    """Return the means over the seeds with their deviations."""
    flat = [_flat(run) for run in runs]
    for values, run in zip(flat, before, strict=False):
        if run.accuracy is not None:
            values["accuracy_before"] = run.accuracy
    mean = {name: statistics.fmean(one[name] for one in flat) for name in flat[0]}
    spread = {name: statistics.stdev(one[name] for one in flat) for name in flat[0]} if len(flat) > 1 else {}
    told = all(run.precision_at for run in runs)  # not by steps of earlier versions
    curve = np.mean([run.precision_at for run in runs], axis=0) if told else np.empty((0, 2))
    return BenchMethodResult(
        method=method.text(),
        search=search.text(),
        bits=method.bits,
        seeds=list(seeds),
        recall={str(count): mean[f"recall@{count}"] for count in runs[0].recall},
        overlap={str(count): mean[f"overlap@{count}"] for count in runs[0].overlap},
        precision_at=[(float(r), float(p)) for r, p in curve],
        chance=statistics.fmean(run.curve[-1][1] for run in runs) if runs[0].curve else None,
        map=mean.get("map"),
        map_candidates=mean.get("map_candidates"),
        accuracy=mean.get("accuracy"),
        accuracy_before=mean.get("accuracy_before"),
        dropped=mean["dropped"],
        looked_at=mean["looked_at"],
        scanned=mean["scanned"],
        probed=mean["probed"],
        of=n,
        seconds=BenchSeconds(exact=exact, **{name: mean[f"seconds {name}"] for name in runs[0].seconds}),
        bytes=BenchBytes(**runs[0].bytes),
        deviation=spread,
        note=runs[0].note,
    )


def _flat(run: Figures) -> dict[str, float]:
    flat: dict[str, Any] = {f"recall@{count}": value for count, value in run.recall.items()}
    flat |= {f"overlap@{count}": value for count, value in run.overlap.items()}
    flat |= {"map": run.map, "map_candidates": run.map_candidates, "accuracy": run.accuracy}
    flat |= {"dropped": run.dropped, "looked_at": run.looked_at, "scanned": run.scanned, "probed": run.probed}
    flat |= {f"seconds {name}": value for name, value in run.seconds.items()}
    return {name: float(value) for name, value in flat.items() if value is not None}
