"""Bench: hash methods measured on any vectors, without a library.

The declarations of an experiment stand for candidates (hash methods, and indexes of faiss to compare them with). A
plan of candidates, data and metric is measured step by step. The steps of each method and search structure become a
row, summed up over the seeds, and curves, written as a table of method, seed, curve, x and y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

import numpy as np

from twinlens.app.bench.bench_metric import bench_metric, harm, pairs_of_file
from twinlens.app.bench.bench_results import BenchCurve, BenchData, BenchMethodResult, BenchResult
from twinlens.app.bench.experiment import PEER, Experiment, is_file_of_metric
from twinlens.app.bench.faiss_peer import FaissPeer
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.bench.partitions import PartitionsPlan, partitions_of, split_partitions, votes_of
from twinlens.app.bench.vector_files import file_digest, load_tables
from twinlens.app.machine.output_file import CsvTable, OutputFile, table
from twinlens.app.methods import catalogue
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Candidate, Figures, Measurement, summed
from twinlens.core.evaluation.measurement import MeasurablePlan, MeasuredStep, StepMemory, Timing, measure_plan
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.plan import AnyMetric, MeasurementPlan, NamedMetric
from twinlens.core.evaluation.tables import Tables
from twinlens.core.evaluation.truth import SEED
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class MeasuredBench:
    """A bench with its result, and the steps that figures are drawn from.

    Attributes
    ----------
    experiment : Experiment
        Written out.
    keys : sequence of str
        Of all its steps.
    steps : dict of str to MeasuredStep
        Those that could be measured, by key.
    """

    experiment: Experiment
    keys: Sequence[str]
    steps: Mapping[str, MeasuredStep]
    result: BenchResult


def bench(
    experiment: Experiment, progress: Progress = silent, curves: bool = False, tables: Tables | None = None
) -> BenchResult:
    """Return the result of :func:`measure_bench`."""
    return measure_bench(experiment, progress, curves, tables).result


def measure_bench(
    experiment: Experiment, progress: Progress = silent, curves: bool = False, tables: Tables | None = None
) -> MeasuredBench:
    """Run an experiment; a candidate that cannot be measured is a row that says why.

    Measured steps are kept in the cache, so that a stopped bench goes on where it was; curves are measured anew.

    Parameters
    ----------
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown.
    curves : bool
        Whether to return curves, also over the rank of kernel methods.
    tables : Tables, optional
        The data, instead of the experiment's files.

    Raises
    ------
    TwinlensError
        If a file cannot be read, a declaration has no meaning, the numbers of rows or dimensions do not fit, or no
        candidate can be measured on these vectors.
    """
    experiment = written_out(experiment)
    plan = measurable(experiment, load_tables(experiment) if tables is None else tables, spectrum=curves)
    refused: dict[str, TwinlensError] | None = None if experiment.partitions else {}
    store = StepMemory() if curves else CachedSteps.of()
    measured = measure_plan(plan, store, Timing(progress), refused=refused)
    if not measured and refused:
        raise next(iter(refused.values()))
    data = BenchData(**vars(next(iter(measured.values())).facts))
    keys = [step.key for step in plan.steps]
    if isinstance(plan, PartitionsPlan):
        result = BenchResult(data=data, results=[], partitions=partitions_of(plan, measured))
        return MeasuredBench(experiment, keys, measured, result)
    rows = list(rows_of(experiment, keys, measured))
    results = {row.number: row.result for row in rows}
    for number, method, search, own in _settings(experiment, keys):
        if number not in results:
            results[number] = _refused_row(method, search, experiment.seeds, (refused or {})[own[0]])
    firsts = {row.result.method: row for row in reversed(rows)} if curves else {}
    drawn = [
        curve
        for method, row in reversed(firsts.items())
        for curve in curves_of(method, row.result.seeds, [step.figures for step in row.steps])
    ]
    result = BenchResult(data=data, results=[results[number] for number in sorted(results)], curves=drawn)
    return MeasuredBench(experiment, keys, measured, result)


def written_out(experiment: Experiment) -> Experiment:
    """Return an experiment with partitions, sweeps and bits written out, each declaration once.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or no seed is named.
    """
    bits = experiment.bits
    experiment = split_partitions(experiment).changed(bits=()).complete()
    methods = declared(experiment)
    if bits:
        methods = [one.changed(bits=count) if isinstance(one, HashMethod) else one for one in methods for count in bits]
    searches = [catalogue.search_structure(text) for text in experiment.search]
    if not experiment.seeds:
        raise TwinlensError("No seeds are named.", "Name a seed, such as 0.")
    return experiment.changed(
        methods=tuple(dict.fromkeys(one.text() for one in methods)),
        search=tuple(dict.fromkeys(one.text() for one in searches)),
        seeds=tuple(dict.fromkeys(experiment.seeds)),
    )


def declared(experiment: Experiment) -> list[Candidate]:
    """Return the methods and peers of an experiment without sweeps."""
    return [candidate_of(text) for text in experiment.methods]


class PlanOnTables(MeasurablePlan[Any], Protocol):
    """A plan on the data of an experiment."""

    @property
    def tables(self) -> Tables:
        """The data."""


def measurable(experiment: Experiment, tables: Tables, spectrum: bool = False) -> PlanOnTables:
    """Return the plan of a written-out experiment, over partitions or as :func:`plan_of`."""
    return PartitionsPlan(experiment, tables) if experiment.partitions else plan_of(experiment, tables, spectrum)


def plan_of(experiment: Experiment, tables: Tables, spectrum: bool = False) -> MeasurementPlan:
    """Return the plan of a written-out experiment, its data, and whether eigenvalues are wanted.

    Raises
    ------
    TwinlensError
        If a declaration or a file is wrong.
    """
    return MeasurementPlan(
        tables=tables,
        candidates=declared(experiment),
        searches=[catalogue.search_structure(text) for text in experiment.search],
        seeds=experiment.seeds,
        truth=experiment.truth,
        k=experiment.k,
        neighbours=experiment.neighbours,
        resorted=experiment.map_protocol == "candidates",
        metric=_metric(experiment, tables),
        spectrum=spectrum,
    )


def _metric(experiment: Experiment, tables: Tables) -> NamedMetric:
    def pairs() -> MetricPairs | None:
        if experiment.pairs:
            return pairs_of_file(experiment.pairs, tables.base.shape[0])
        if tables.pairs is not None:
            return tables.pairs
        if not experiment.marks or tables.labels is None:
            return None
        return MetricPairs.of_labels(tables.labels, experiment.marks[0], tables.own, SEED)

    def fit(kernel: Kernel | None, progress: Progress) -> AnyMetric | None:
        return bench_metric(experiment.metric, tables.base, progress, pairs, kernel)

    known = experiment.metric
    if tables.metric is not None:
        known = tables.metric.pack().digest().hex()
    elif is_file_of_metric(known):
        known = file_digest(known)
    taught = tables.pairs.digest() if tables.pairs is not None else file_digest(experiment.pairs)
    return NamedMetric(experiment.metric, known, taught or experiment.marks, fit)


def candidate_of(text: str) -> Candidate:
    """Read a hash method, or ``faiss:`` with a factory string of faiss, such as ``faiss:OPQ16,PQ16``.

    Raises
    ------
    TwinlensError
        If there is no such thing.

    Examples
    --------
    >>> candidate_of("faiss:IVF64,PQ16@nprobe=8").text(), candidate_of("itq:bits=16").text()
    ('faiss:IVF64,PQ16@nprobe=8', 'itq:bits=16')
    """
    return FaissPeer.read(text) if text.startswith(PEER) else catalogue.candidate(text)


@dataclass(frozen=True, eq=False)
class Row:
    """One method with one search structure.

    Attributes
    ----------
    number : int
        From 1, counting rows without a measured step, too.
    steps : list of MeasuredStep
        One for each measured seed.
    """

    number: int
    result: BenchMethodResult
    measured: Measurement
    steps: Sequence[MeasuredStep]


def rows_of(experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]) -> Iterator[Row]:
    """Yield the rows of an experiment that have a measured step.

    Parameters
    ----------
    experiment : Experiment
        Written out.
    keys : sequence of str
        Of its steps.
    measured : dict of str to MeasuredStep
        Those that were measured, by key.
    """
    if experiment.partitions:
        yield from _over_partitions(experiment, keys, measured)
        return
    seeds = experiment.seeds
    for number, method, search, own in _settings(experiment, keys):
        by_key = dict(zip(reversed(own), reversed(seeds), strict=True))  # what draws nothing is measured once
        there = [(by_key[key], measured[key]) for key in dict.fromkeys(own) if key in measured]
        if there:
            steps = [step for _, step in there]
            yield _row(number, method, search, [seed for seed, _ in there], steps, steps[0].facts.n)


def _settings(experiment: Experiment, keys: Sequence[str]) -> Iterator[tuple[int, Candidate, str, Sequence[str]]]:
    """Yield each candidate with each search structure, numbered from 1, and the keys of its steps by their seeds."""
    count = len(experiment.seeds)
    for place, (method, search) in enumerate(product(declared(experiment), experiment.search)):
        yield place + 1, method, search, keys[place * count : (place + 1) * count]


def _over_partitions(
    experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]
) -> Iterator[Row]:
    """Yield the rows with the metric: seeds are partitions, and their exact search is the linear scan."""
    for place, one in enumerate(votes_of(experiment, keys, measured)):
        if one.setting.method is not None:
            _, search = one.setting.texts
            yield _row(place + 1, one.setting.method, search, one.partitions, one.with_accuracy_before(), one.base)


def _row(number: int, method: Candidate, search: str, seeds: list[int], steps: Sequence[MeasuredStep], n: int) -> Row:
    found = summed([step.figures for step in steps])
    values: dict[str, int | float] = {"dropped": 0.0, "seconds build": 0.0, "bytes search": 0, **found.values}
    values["seconds exact"] = steps[0].exact
    values["seconds encode each"] = values["seconds encode"] / max(1, n)
    values["bytes each"] = (values["bytes codes"] + values["bytes search"]) / max(1, n)
    result = BenchMethodResult(
        method=method.text(),
        search=search,
        bits=method.bits or round(8 * values["bytes codes"] / n),
        seeds=seeds,
        values=values,
        spread=found.spread,
        precision_at=found.precision_at,
        of=n,
        note=joined([found.note, *_metric_notes(found.values)]),
    )
    return Row(number, result, found, steps)


def _refused_row(method: Candidate, search: str, seeds: Sequence[int], why: TwinlensError) -> BenchMethodResult:
    advice = why.next_step if isinstance(why.next_step, Message) else NOTHING
    reason = joined([Message("Not measured: {reason}", reason=why.message), advice])
    return BenchMethodResult(
        method=method.text(), search=search, bits=method.bits, seeds=list(seeds), values={}, precision_at=[], of=0,
        refused=reason,
    )  # fmt: skip


def _metric_notes(values: Mapping[str, float]) -> Iterator[Message]:
    if values.get("pairs"):
        yield Message("The metric is learned from {pairs:,.0f} pairs.", pairs=values["pairs"])
    if "accuracy" in values and "accuracy_before" in values:
        yield harm(values["accuracy_before"], values["accuracy"])


Points = list[tuple[float, float]]
COLUMNS = ("method", "seed", "curve", "x", "y")
CURVES = table(COLUMNS)


def curves_of(method: str, seeds: Sequence[int], runs: Sequence[Figures]) -> list[BenchCurve]:
    """Return the curves of one method: the mean of its runs, and each run if there are several."""
    each = [_curves(run) for run in runs]
    found = [
        BenchCurve(method=method, seed=None, curve=name, points=_mean([one[name] for one in each])) for name in each[0]
    ]
    if len(runs) > 1:
        for seed, curves in zip(seeds, each, strict=True):
            found.extend(
                BenchCurve(method=method, seed=seed, curve=name, points=points) for name, points in curves.items()
            )
    return found


def write_curves(file: OutputFile, curves: Sequence[BenchCurve]) -> None:
    """Write curves as CSV.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    with file.opened_text(CURVES) as out:
        rows = CsvTable(out)
        rows.writerow(COLUMNS)
        rows.writerows(curve_rows(curves))


def curve_rows(curves: Sequence[BenchCurve]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of a table with the columns of ``COLUMNS``; the seed of a mean is ``mean``."""
    for one in curves:
        seed = "mean" if one.seed is None else str(one.seed)
        for x, y in one.points:
            yield one.method, seed, one.curve, f"{x:g}", f"{y:.8g}"


def _curves(run: Figures) -> dict[str, Points]:
    curves: dict[str, Points] = {
        "recall": [(float(radius), recall) for radius, (recall, _) in enumerate(run.curve)],
        "precision": [(float(radius), precision) for radius, (_, precision) in enumerate(run.curve)],
        "recall_at": [(float(count), value) for count, value in by_count(run.values, "recall@").items()],
    }
    if run.spectrum is not None:
        for name in ("eigenvalue", "residual", "estimation"):
            values = getattr(run.spectrum, "eigenvalues" if name == "eigenvalue" else name)
            curves[name] = [(rank + 1.0, float(value)) for rank, value in enumerate(values)]
    return {name: points for name, points in curves.items() if points}


def _mean(runs: Sequence[Points]) -> Points:
    """Return the mean of curves over the x that all share; infinite values are left out."""
    length = min(len(points) for points in runs)
    x = [point[0] for point in runs[0][:length]]
    y = np.mean([[point[1] for point in points[:length]] for points in runs], axis=0)
    return [(at, float(value)) for at, value in zip(x, y, strict=True) if np.isfinite(value)]
