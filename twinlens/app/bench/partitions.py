"""k-NN before and after a metric, by linear scan and by codes, over random partitions of labelled vectors.

Votes are summed up over the partitions: means with standard errors, gains and losses taken within each partition.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby, product
from typing import NamedTuple

import numpy as np

from twinlens.app.bench.bench_metric import bench_metric, harm, pairs_of_file
from twinlens.app.bench.bench_results import BenchPartitions, BenchVotes
from twinlens.app.bench.compiled_loops import compile_first
from twinlens.app.bench.experiment import Experiment, is_file_of_metric
from twinlens.app.bench.vector_files import file_digest
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Int64Labels
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.measurement import DATA, DataFacts, DeclaredStep, MeasuredStep, step_key
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.tables import Tables
from twinlens.core.evaluation.truth import is_dense
from twinlens.core.evaluation.voting import Images, Partition, Voting, hashed, linear, pairs_among, partition
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.progress import Progress
from twinlens.core.search.permuted_lists import Permuted
from twinlens.core.search.search_structure import CodeSearch, Search

PARTITIONS = 10
"""How many there are where something is asked for that needs them."""

PAIRS_PER_CLASSES = 20
"""Where no number of pairs is given there are as many times the square of the number of classes, as usual for ITML."""

_WORTH_WAITING = 100_000  # vectors, times queries, times partitions


@dataclass(frozen=True)
class PartitionSearch:
    """One way to search; the linear scan has no method."""

    method: HashMethod | None = None
    search: Search | None = None

    @property
    def texts(self) -> tuple[str, str]:
        """Text forms of method and search."""
        if self.method is None or self.search is None:
            return "", "linear"
        return self.method.text(), self.search.text()

    def seeded(self, seed: int) -> PartitionSearch:
        """Return the search with the seed of a partition."""
        method = None if self.method is None else self.method.changed(seed=seed)
        search = self.search.changed(seed=seed) if isinstance(self.search, Permuted) else self.search
        return PartitionSearch(method, search)


Vote = tuple[int, int | None, PartitionSearch]
"""A partition, how many pairs a metric is learned from in it (None: without a metric), and a setting."""


class PartitionsPlan:
    """Plan over partitions of the data of a written-out experiment.

    Raises
    ------
    TwinlensError
        If there are no labels or no metric, the vectors are sparse, or something else cannot be read or has no meaning.
    """

    def __init__(self, experiment: Experiment, tables: Tables) -> None:
        self.experiment, self.tables = experiment, tables
        self.x, self.labels = _labelled(experiment, tables)
        self.marked = pairs_of_file(experiment.pairs, len(self.x)) if experiment.pairs else None
        rows = None if self.marked is None else self.marked.rows
        self.parts = [
            partition(self.labels, experiment.labelled, experiment.asked, seed, rows)
            for seed in range(experiment.partitions)
        ]
        self.classes = len(np.unique(self.labels))
        usual = PAIRS_PER_CLASSES * self.classes**2 if self.marked is None else len(self.marked.rows)
        if _learned(experiment):
            self.experiment = experiment.changed(marks=tuple(dict.fromkeys(experiment.marks)) or (usual,))
        elif _supervised(experiment):
            raise TwinlensError(
                "The metric {metric} is not learned from pairs.", "Leave out the pairs.", metric=experiment.metric
            )

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Digests of vectors and labels by name, and one of all."""
        return {DATA: self.tables.digest(), **self.tables.digests()}

    @cached_property
    def steps(self) -> list[DeclaredStep[Vote]]:
        """The steps, by partition, pairs and setting."""
        numbers, counts = range(len(self.parts)), (None, *counts_of(self.experiment))
        settings = settings_of(self.experiment, len(self.parts[0].base))
        return [self._step(*one) for one in product(numbers, counts, settings)]

    def _step(self, number: int, pairs: int | None, setting: PartitionSearch) -> DeclaredStep[Vote]:
        method, search = setting.texts
        text = "{method} · {search}, partition {number}"
        name = Message(text, method=method or "-", search=search, number=number + 1)
        kind, size = ("", 0) if setting.method is None else (setting.method.key, setting.method.bits)
        return DeclaredStep(self._key(number, pairs, setting), (number, pairs, setting), name, kind, size)

    @cached_property
    def _metric(self) -> tuple[str, str]:
        """Identity of the metric and the pairs."""
        text, pairs = self.experiment.metric, self.experiment.pairs
        return file_digest(text) if is_file_of_metric(text) else text, file_digest(pairs)

    def _key(self, number: int, pairs: int | None, setting: PartitionSearch) -> str:
        experiment, one = self.experiment, setting.seeded(number)
        about = {
            "data": self.digests[DATA], "partition": number, "labelled": experiment.labelled, "asked": experiment.asked,
            "k": experiment.k, "scaled": experiment.scaled, "searched": self._metric[1],
            "metric": None if pairs is None else [self._metric[0], pairs],
        }  # fmt: skip
        return step_key(["votes", *(declared.identity() for declared in (one.method, one.search) if declared)], about)

    def together(self, steps: Sequence[DeclaredStep[Vote]]) -> Iterator[list[DeclaredStep[Vote]]]:
        """Yield the steps that share a partition and a metric."""
        for _, group in groupby(steps, key=lambda one: one.what[:2]):
            yield list(group)

    def load(self, progress: Progress) -> PartitionsPlan:
        """Return the plan, after the compiled loops are ready if that is worth the wait."""
        if len(self.x) * self.facts.queries * len(self.parts) >= _WORTH_WAITING:
            compile_first(progress)
        return self

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""
        (n, d), meaning = self.x.shape, Message("vectors with the same label")
        queries, metric = len(self.parts[0].queries), self.experiment.metric
        return DataFacts(self.experiment.base, n, d, queries, "labels", meaning, metric)

    @property
    def exact(self) -> float:
        """Unknown: the linear scan is a step of its own."""
        return 0.0

    def figures(self, steps: Sequence[DeclaredStep[Vote]], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of the steps of one partition and metric; each method learns once."""
        number, count, _ = steps[0].what
        one, experiment = self.parts[number], self.experiment
        table = scaled(self.x, one) if experiment.scaled else self.x
        fit, learned = 0.0, 0
        if count is not None:
            marked = _pairs(self.labels, one, self.marked, count, number) if count else None
            learned = 0 if marked is None else len(marked.rows)
            began = time.perf_counter()
            metric = bench_metric(experiment.metric, table[one.base], progress, partial(of_base, marked, one))
            assert isinstance(metric, FittedMetric)
            fit = time.perf_counter() - began
            table = metric.apply(table)
        labels = self.labels
        voting = Voting(table[one.base], table[one.queries], labels[one.base], labels[one.queries], experiment.k)
        for method, some in groupby((step.what[2].seeded(number) for step in steps), key=lambda own: own.method):
            progress(0, 1, Message("Searching"))
            searches = [own.search for own in some if own.search is not None]
            for figures in (linear(voting),) if method is None else hashed(voting, method, searches):
                figures.values |= {"seconds metric": fit, "pairs": learned}
                yield figures


def split_partitions(experiment: Experiment) -> Experiment:
    """Add partitions to an experiment that sets none and has options that need them.

    That is, for one of their own options, several numbers of marks, or a metric that is learned from pairs with labels
    and no word of which pairs.
    """
    own = ("labelled", "asked", "epsilons", "shares", "scaled")
    plain = Experiment(base=experiment.base)
    differs = any(getattr(experiment, name) != getattr(plain, name) for name in own) or len(experiment.marks) > 1
    if not experiment.partitions and (
        differs or (experiment.labels and not _supervised(experiment) and _learned(experiment))
    ):
        return experiment.changed(partitions=PARTITIONS)
    return experiment


def _supervised(experiment: Experiment) -> bool:
    return bool(experiment.marks or experiment.pairs)


def _learned(experiment: Experiment) -> bool:
    """Return whether the metric is learned from pairs."""
    text = experiment.metric
    return bool(text) and not is_file_of_metric(text) and catalogue.metric(text).needs_marks


def _labelled(experiment: Experiment, tables: Tables) -> tuple[Images, Int64Labels]:
    """Return vectors and labels, and refuse options that make no sense here."""
    if experiment.queries or experiment.query_labels or experiment.truth:
        raise TwinlensError(
            "Over partitions the queries are drawn from the base, and the truth is its labels.",
            "Leave out queries and truth, or partitions.",
        )
    if not experiment.metric:
        raise TwinlensError("Partitions need a metric.", "Name a metric, such as itml.")
    if not all(0 < share <= 1 for share in experiment.shares):
        raise TwinlensError("Shares must be above 0 and at most 1.", "Give 0.1 for a tenth.")
    if not isinstance(tables.base, np.ndarray) or not is_dense(tables.base):
        raise TwinlensError(
            "Partitions do not work with sparse vectors yet.", "Give dense vectors, or leave out partitions."
        )
    if tables.labels is None:
        raise TwinlensError("Partitions need labels.", "Give a file of labels.")
    return tables.base, tables.labels


def settings_of(experiment: Experiment, n: int) -> list[PartitionSearch]:
    """Return the linear scan, then every method with every search, epsilon and share of n."""
    methods = [catalogue.method(text) for text in experiment.methods]
    searches: list[Search] = []
    for text in experiment.search:
        search = catalogue.search_structure(text)
        if not isinstance(search, CodeSearch):
            raise TwinlensError(
                "{key} does not search codes. The linear scan is always measured.", "Leave it out.", key=search.key
            )
        some: list[CodeSearch] = [search]
        if isinstance(search, Permuted) and experiment.epsilons:
            some = [search.changed(epsilon=epsilon) for epsilon in experiment.epsilons]
        searches += some
        searches += [_looking_at(share, one, n) for one in some for share in experiment.shares]
    each = {search.text(): search for search in searches}.values()  # a share may be what a search looks at anyway
    return [PartitionSearch(), *(PartitionSearch(method, search) for method, search in product(methods, each))]


def most_steps(experiment: Experiment) -> int:
    """Return the largest number of steps that a written-out experiment has."""
    return experiment.partitions * (1 + len(experiment.marks or (0,))) * len(settings_of(experiment, 10_000))


def _looking_at(share: float, search: CodeSearch, n: int) -> CodeSearch:
    """Limit a search to a share of n items, if it can: more codes of a list, or fewer in all."""
    wanted = max(1, round(share * n))
    if isinstance(search, Permuted):
        return search.changed(spread=max(1, wanted // (2 * search.count(n))), candidates=max(1_000, wanted))
    return search.changed(candidates=wanted)


def counts_of(experiment: Experiment) -> tuple[int, ...]:
    """Return the numbers of pairs that the metric is learned from; 0 if it learns from none."""
    return experiment.marks if _learned(experiment) else (0,)


def scaled(x: Images, one: Partition) -> Images:
    """Bring every dimension to mean 0 and variance 1 over the base, as float32."""
    base = x[one.base].astype(np.float64)
    width = base.std(axis=0)
    found: Images = ((x - base.mean(axis=0)) / np.where(width > 0, width, 1.0)).astype(np.float32)
    return found


def _pairs(labels: Int64Labels, one: Partition, marked: MetricPairs | None, count: int, seed: int) -> MetricPairs:
    """Return the pairs of one partition, drawn by the labels or some of the file."""
    if marked is None:
        return pairs_among(labels, one.labelled, count, seed)
    chosen = np.random.default_rng(seed).permutation(len(marked.rows))[:count]
    return MetricPairs(marked.rows[chosen], marked.similar[chosen])


def of_base(pairs: MetricPairs | None, one: Partition) -> MetricPairs | None:
    """Return the rows of pairs as positions in the base."""
    return None if pairs is None else MetricPairs(np.searchsorted(one.base, pairs.rows), pairs.similar)


class Votes(NamedTuple):
    """Figures of one setting and number of pairs, in the partitions in which all settings are measured.

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
        """Return the figures with the metric, beside accuracy without it and the time of the linear scan."""
        every = zip(self.before, self.after, self.scans, strict=True)
        return [
            replace(
                new,
                figures=replace(
                    new.figures, values={**new.figures.values, "accuracy_before": old.figures.values["accuracy"]}
                ),
                exact=scan.figures.values["seconds search"],
            )
            for old, new, scan in every
        ]


def votes_of(experiment: Experiment, keys: Sequence[str], measured: Mapping[str, MeasuredStep]) -> Iterator[Votes]:
    """Yield the votes of an experiment over partitions, by pairs and setting.

    Parameters
    ----------
    experiment : Experiment
        That of a :class:`twinlens.app.bench.partitions.PartitionsPlan`.
    keys : sequence of str
        Of its steps.
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
    """Return the fastest search; empty if only the linear scan was measured."""
    hashed = max((row for row in rows if row.method), key=lambda row: row.values["times"], default=None)
    if hashed is None:
        return NOTHING
    name = f"{hashed.method} · {hashed.search}"
    if hashed.values["times"] > 1:
        return Message(
            "Fastest search: {name}, {times:,.1f} times as fast as the linear scan.",
            name=name,
            times=hashed.values["times"],
        )
    return Message(
        "Fastest search: the linear scan. Hashing does not pay for so few vectors: a query by {name} takes "
        "{times:,.1f} times as long.",
        name=name,
        times=1 / hashed.values["times"],
    )


def _summed(votes: Votes) -> BenchVotes:
    own, n = [one.figures.values for one in votes.after], votes.base
    old, new, scans_before, scans = (
        np.array([one.figures.values["accuracy"] for one in some], np.float64)
        for some in (votes.before, votes.after, votes.scans_before, votes.scans)
    )
    seconds = np.array([one["seconds search"] for one in own])
    measured = {
        "pairs": [one["pairs"] for one in own],
        "before": old,
        "after": new,
        "gain": new - old,
        "lost_before": scans_before - old,
        "lost": scans - new,
        "overlap share": [next(iter(by_count(one, "overlap@").values())) for one in own],
        "looked_at share": [one["looked_at"] / n for one in own],
        "scanned share": [one["scanned"] / n for one in own],
        "query_seconds": seconds,
        "times": np.array([one.figures.values["seconds search"] for one in votes.scans]) / seconds,
        "fit_seconds": [one["seconds metric"] for one in own],
    }
    spread = (
        {name: float(np.std(some, ddof=1) / np.sqrt(len(own))) for name, some in measured.items()} if own[1:] else {}
    )
    method, search = votes.setting.texts
    return BenchVotes(
        method=method,
        search=search,
        bits=0 if votes.setting.method is None else votes.setting.method.bits,
        values={name: float(np.mean(some)) for name, some in measured.items()},
        spread=spread,
        note=harm(float(np.mean(old)), float(np.mean(new)), spread.get("gain") or 0.005),
    )
