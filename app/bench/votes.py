"""Votes over partitions, summed up: means with standard errors, gains and losses taken within each partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from app.bench.experiment import Experiment
from app.bench.metric import harm
from app.bench.partitions import PartitionSearch, PartitionsPlan, counts_of, settings_of
from app.bench.results import BenchPartitions, BenchVotes, MeanError
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import MeasuredStep
from core.message import NOTHING, Message


class Votes(NamedTuple):
    """The measured figures of one setting and number of pairs, in the partitions where all of them are known.

    Without and with the metric, and those of the linear scan likewise; of `base` items that are searched.
    """

    setting: PartitionSearch
    partitions: list[int]
    base: int
    before: list[MeasuredStep]
    after: list[MeasuredStep]
    scans_before: list[MeasuredStep]
    scans: list[MeasuredStep]

    def with_accuracy_before(self) -> list[MeasuredStep]:
        """Return the figures with the metric, each with the accuracy without it and the time of the linear scan."""
        every = zip(self.before, self.after, self.scans, strict=True)
        return [
            replace(
                new,
                figures=replace(new.figures, accuracy_before=old.figures.accuracy),
                exact=scan.figures.seconds["search"],
            )
            for old, new, scan in every
        ]


def votes_of(experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]) -> Iterator[Votes]:
    """Yield what is measured of an experiment over partitions, by pairs and setting.

    Parameters
    ----------
    experiment : Experiment
        That of a :class:`app.bench.partitions.PartitionsPlan`.
    keys : sequence of str
        Of its steps.
    measured : dict of str to Measured
    """
    first = next(iter(measured.values()), None)
    if first is None:
        return
    base = first.facts.n - first.facts.queries
    settings, counts = settings_of(experiment, base), counts_of(experiment)
    table = np.array(keys, object).reshape(experiment.partitions, 1 + len(counts), len(settings))
    for count in range(1, table.shape[1]):
        for place, setting in enumerate(settings):
            wanted = table[:, [0, count, 0, count], [place, place, 0, 0]]
            there = [number for number, some in enumerate(wanted) if all(key in measured for key in some)]
            if there:
                columns = ([measured[key] for key in column] for column in wanted[there].T)
                yield Votes(setting, there, base, *columns)


def partitions_of(plan: PartitionsPlan, measured: Mapping[str, MeasuredStep]) -> BenchPartitions:
    """Return the table of an experiment over partitions."""
    experiment, first = plan.experiment, plan.parts[0]
    keys = [step.key for step in plan.steps]
    rows = [_summed(one) for one in votes_of(experiment, keys, measured)]
    return BenchPartitions(
        partitions=experiment.partitions, classes=plan.classes, k=experiment.k, base=len(first.base),
        labelled=len(first.labelled) if plan.marked is None else 0, scaled=experiment.scaled,
        rows=rows, fastest=fastest(rows),
    )  # fmt: skip


def fastest(rows: Sequence[BenchVotes]) -> Message:
    """Return which search is the fastest, as measured; empty where the linear scan was measured alone."""
    hashed = max((row for row in rows if row.method), key=lambda row: row.times.mean, default=None)
    if hashed is None:
        return NOTHING
    name = f"{hashed.method} · {hashed.search}"
    if hashed.times.mean > 1:
        return Message(
            "Fastest search: {name}, {times:,.1f} times as fast as the linear scan.",
            name=name,
            times=hashed.times.mean,
        )
    return Message(
        "Fastest search: the linear scan. Hashing does not pay for so few vectors: a query by {name} takes "
        "{times:,.1f} times as long.",
        name=name,
        times=1 / hashed.times.mean,
    )


def _summed(votes: Votes) -> BenchVotes:
    own, n = [one.figures for one in votes.after], votes.base
    old, new = ([_accuracy(one.figures) for one in some] for some in (votes.before, votes.after))
    gain = _over(np.subtract(new, old).tolist())
    method, search = votes.setting.texts
    return BenchVotes(
        method=method,
        search=search,
        bits=0 if votes.setting.method is None else votes.setting.method.bits,
        pairs=float(np.mean([one.pairs for one in own])),
        before=_over(old),
        after=_over(new),
        gain=gain,
        lost_before=_lost(votes.before, votes.scans_before),
        lost=_lost(votes.after, votes.scans),
        overlap=_over([next(iter(one.overlap.values())) for one in own]),
        looked_at=_over([one.looked_at / n for one in own]),
        scanned=_over([one.scanned / n for one in own]),
        query_seconds=_over([one.seconds["search"] for one in own]),
        times=_over([a.figures.seconds["search"] / b.seconds["search"] for a, b in zip(votes.scans, own, strict=True)]),
        fit_seconds=_over([one.seconds["metric"] for one in own]),
        note=harm(float(np.mean(old)), float(np.mean(new)), gain.error or 0.005),
    )


def _over(values: Sequence[float]) -> MeanError:
    """Return the mean and the standard error over the partitions."""
    table = np.asarray(values, np.float64)
    error = float(table.std(ddof=1) / np.sqrt(len(table))) if len(table) > 1 else None
    return MeanError(mean=float(table.mean()), error=error)


def _lost(own: Sequence[MeasuredStep], scans: Sequence[MeasuredStep]) -> MeanError:
    pairs = zip(own, scans, strict=True)
    return _over([_accuracy(scan.figures) - _accuracy(one.figures) for one, scan in pairs])


def _accuracy(figures: Figures) -> float:
    assert figures.accuracy is not None
    return figures.accuracy
