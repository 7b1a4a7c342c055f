"""Rows of an experiment: the measured steps of each method and search structure, summed up over the seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.bench.experiment import Experiment
from app.bench.metric import harm
from app.bench.plan import declared
from app.bench.results import BenchBytes, BenchMethodResult, BenchSeconds
from app.bench.votes import votes_of
from core.evaluation.candidates import Candidate
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import MeasuredStep
from core.evaluation.summary import FiguresOverSeeds, summed
from core.message import NOTHING, Message, joined


@dataclass(frozen=True, eq=False)
class Row:
    """One method with one search structure.

    Attributes
    ----------
    number : int
        From 1, counting rows without a measured step, too.
    result : BenchMethodResult
    summary : Summary
    steps : list of Measured
        One for each measured seed.
    """

    number: int
    result: BenchMethodResult
    summary: FiguresOverSeeds
    steps: Sequence[MeasuredStep]


def rows_of(experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]) -> Iterator[Row]:
    """Yield the rows of an experiment with a measured step.

    Parameters
    ----------
    experiment : Experiment
        Written out.
    keys : sequence of str
        Of its steps.
    measured : dict of str to Measured
        Those that were measured, by key.
    """
    if experiment.partitions:
        yield from _over_partitions(experiment, keys, measured)
        return
    seeds = experiment.seeds
    every = [(method, search) for method in declared(experiment) for search in experiment.search]
    for place, (method, search) in enumerate(every):
        own = keys[place * len(seeds) : (place + 1) * len(seeds)]
        by_key = dict(zip(reversed(own), reversed(seeds), strict=True))  # what draws nothing is measured once
        there = [(by_key[key], measured[key]) for key in dict.fromkeys(own) if key in measured]
        if there:
            steps = [step for _, step in there]
            yield _row(place + 1, method, search, [seed for seed, _ in there], steps, steps[0].facts.n)


def _over_partitions(
    experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]
) -> Iterator[Row]:
    """Yield the rows of hash methods with the metric: their seeds are partitions, their exact search is the scan."""
    for place, one in enumerate(votes_of(experiment, keys, measured)):
        if one.setting.method is not None:
            _, search = one.setting.texts
            yield _row(place + 1, one.setting.method, search, one.partitions, one.with_accuracy_before(), one.base)


def _row(number: int, method: Candidate, search: str, seeds: list[int], steps: Sequence[MeasuredStep], n: int) -> Row:
    found = summed([step.figures for step in steps])
    mean = found.mean
    seconds = {name: value for name, value in mean.seconds.items() if name in BenchSeconds.model_fields}
    result = BenchMethodResult(
        method=method.text(),
        search=search,
        bits=method.bits or round(8 * mean.bytes["codes"] / n),
        seeds=seeds,
        recall={str(count): value for count, value in mean.recall.items()},
        overlap={str(count): value for count, value in mean.overlap.items()},
        found={str(count): value for count, value in mean.found.items()},
        precision={str(count): value for count, value in mean.precision.items()},
        precision_at=mean.precision_at,
        chance=found.chance,
        map=mean.map,
        map_candidates=mean.map_candidates,
        accuracy=mean.accuracy,
        accuracy_before=mean.accuracy_before,
        dropped=mean.dropped,
        looked_at=mean.looked_at,
        scanned=mean.scanned,
        probed=mean.probed,
        of=n,
        seconds=BenchSeconds(exact=steps[0].exact, **seconds),
        bytes=BenchBytes(**mean.bytes),
        deviation=found.deviation,
        note=joined([mean.note, _learned(mean), _harm(mean)]),
    )
    return Row(number, result, found, steps)


def _learned(mean: Figures) -> Message:
    if not mean.pairs:
        return NOTHING
    return Message("The metric is learned from {pairs:,.0f} pairs.", pairs=mean.pairs)


def _harm(mean: Figures) -> Message:
    if mean.accuracy is None or mean.accuracy_before is None:
        return NOTHING
    return harm(mean.accuracy_before, mean.accuracy)
