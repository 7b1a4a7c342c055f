"""k-NN before and after a metric, by a linear scan and hashed, over random partitions of labelled vectors.

The experiment of Jain, Kulis and Grauman (CVPR 2008, section 6.1): of each class some items ask and the rest is
searched; the metric is learned from pairs of a few labelled items of that rest. Every figure is a mean over the
partitions with its standard error; gains and losses are taken within each partition.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from app.bench.compiled_loops import compile_first
from app.bench.experiment import Experiment, is_file_of_metric
from app.bench.metric import bench_metric, harm
from app.bench.pairs import pairs_of_file
from app.bench.results import BenchData, BenchPartitions, BenchVotes, MeanError
from app.bench.vector_table import read_labels, read_table
from app.methods import catalogue
from core.errors import TwinlensError
from core.evaluation.partitions import Partition, pairs_among, partition
from core.evaluation.tables import Labels
from core.evaluation.truth import is_dense
from core.evaluation.voting import Images, Votes, Voting, hashed, linear
from core.hashing.hash_method import HashMethod
from core.message import Message
from core.metrics.metric import FittedMetric, Pairs
from core.progress import Progress, part
from core.search.permuted_lists.permuted_lists import Permuted
from core.search.search_structure import CodeSearch, Search

PARTITIONS = 10
"""How many there are where something is asked for that needs them."""

PAIRS_PER_CLASSES = 20
"""Where no number of pairs is given there are as many times the square of the number of classes, as usual for ITML."""

_WORTH_WAITING = 100_000  # vectors, times queries, times partitions
_LINEAR = "", "linear"


@dataclass(frozen=True)
class _Setting:
    """One way to search; the linear scan has no method."""

    method: HashMethod | None
    search: Search | None

    def texts(self) -> tuple[str, str]:
        if self.method is None or self.search is None:
            return _LINEAR
        return self.method.text(), self.search.text()


@dataclass(frozen=True)
class _Run:
    """One setting in one partition; before a metric nothing is fitted, and from no pairs."""

    votes: Votes
    fit: float
    pairs: int


def bench_partitions(experiment: Experiment, progress: Progress) -> tuple[BenchData, BenchPartitions]:
    """Run an experiment over partitions.

    Raises
    ------
    TwinlensError
        If there are no labels or no metric, the vectors are sparse, something else cannot be read or has no meaning, or
        a method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    x, labels = _table(experiment)
    marked = pairs_of_file(experiment.pairs, len(x)) if experiment.pairs else None
    parts = [
        partition(labels, experiment.labelled, experiment.asked, seed, None if marked is None else marked.rows)
        for seed in range(experiment.partitions)
    ]
    if len(x) * len(parts[0].queries) * len(parts) >= _WORTH_WAITING:
        compile_first(part(progress, 0.0, 0.0))
    settings = list(_settings(experiment, len(parts[0].base)))
    classes = len(np.unique(labels))
    counts = _counts(experiment, PAIRS_PER_CLASSES * classes**2 if marked is None else len(marked.rows))
    before: dict[tuple[str, str], list[_Run]] = defaultdict(list)
    after: dict[tuple[int, str, str], list[_Run]] = defaultdict(list)
    for number, one in enumerate(parts):
        share = part(progress, number / len(parts), (number + 1) / len(parts))
        table = _scaled(x, one) if experiment.scaled else x
        steps = 1 + len(counts)
        asked = _asked(table, labels, one, experiment.k)
        for texts, run in _runs(asked, settings, number, part(share, 0, 1 / steps)):
            before[texts].append(_Run(run, 0.0, 0))
        for place, count in enumerate(counts):
            step = part(share, (1 + place) / steps, (2 + place) / steps)
            pairs = _pairs(labels, one, marked, count, number) if count else None
            own = partial(_of_base, pairs, one)
            began = time.perf_counter()
            metric = bench_metric(experiment.metric, table[one.base], step, own)
            assert isinstance(metric, FittedMetric)
            fit = time.perf_counter() - began
            learned = 0 if pairs is None else len(pairs.rows)
            asked = _asked(metric.apply(table), labels, one, experiment.k)
            for texts, run in _runs(asked, settings, number, step):
                after[(count, *texts)].append(_Run(run, fit, learned))
    rows = [
        _summed(
            setting,
            [before[one] for one in (setting.texts(), _LINEAR)],
            [after[(count, *one)] for one in (setting.texts(), _LINEAR)],
        )
        for count in counts
        for setting in settings
    ]
    data = BenchData(
        base=experiment.base, n=len(x), d=x.shape[1], queries=len(parts[0].queries), truth="labels",
        relevant=Message("vectors with the same label"), metric=experiment.metric,
    )  # fmt: skip
    return data, BenchPartitions(
        partitions=experiment.partitions, classes=classes, k=experiment.k, base=len(parts[0].base),
        labelled=len(parts[0].labelled) if marked is None else 0, scaled=experiment.scaled, rows=rows,
    )  # fmt: skip


def parted(experiment: Experiment) -> Experiment:
    """Return an experiment its partitions, if it does not say how many and asks for what has a meaning over them alone.

    That is, for one of their own options, several numbers of marks, or a metric that is learned from pairs with labels
    and no word of which pairs.
    """
    own = ("labelled", "asked", "bits", "epsilons", "shares", "scaled")
    plain = Experiment(experiment.base)
    asked = any(getattr(experiment, name) != getattr(plain, name) for name in own) or len(experiment.marks) > 1
    if not experiment.partitions and (asked or (experiment.labels and not _told(experiment) and _learned(experiment))):
        return experiment.changed(partitions=PARTITIONS)
    return experiment


def _told(experiment: Experiment) -> bool:
    return bool(experiment.marks or experiment.pairs)


def _learned(experiment: Experiment) -> bool:
    """Return whether the metric is learned from pairs."""
    text = experiment.metric
    return bool(text) and not is_file_of_metric(text) and catalogue.metric(text).needs_marks


def _table(experiment: Experiment) -> tuple[Images, Labels]:
    """Read vectors and labels, and refuse what has no meaning here."""
    if experiment.queries or experiment.query_labels or experiment.truth:
        raise TwinlensError(
            Message("Over partitions the queries are drawn from the base, and the truth is its labels."),
            Message("Leave out queries and truth, or partitions."),
        )
    if not experiment.metric:
        raise TwinlensError(Message("Partitions need a metric."), Message("Name a metric, such as itml."))
    if not all(0 < share <= 1 for share in experiment.shares):
        raise TwinlensError(Message("Shares must be above 0 and at most 1."), Message("Give 0.1 for a tenth."))
    x = read_table(experiment.base)
    if not isinstance(x, np.ndarray) or not is_dense(x):
        raise TwinlensError(
            Message("Partitions do not work with sparse vectors yet."),
            Message("Give dense vectors, or leave out partitions."),
        )
    labels = read_labels(experiment.labels, len(x))
    if labels is None:
        raise TwinlensError(Message("Partitions need labels."), Message("Give a file of labels."))
    return x, labels


def _settings(experiment: Experiment, n: int) -> Iterator[_Setting]:
    """Yield the linear scan, then every method, with each number of bits, with every search, epsilon and share of n."""
    yield _Setting(None, None)
    methods = [catalogue.method(text) for text in dict.fromkeys(experiment.methods)]
    searches: list[Search] = []
    for text in experiment.search:
        search = catalogue.search_structure(text)
        if not isinstance(search, CodeSearch):
            raise TwinlensError(
                Message("{key} does not search codes. The linear scan is always measured.", key=search.key),
                Message("Leave it out."),
            )
        some: list[CodeSearch] = [search]
        if isinstance(search, Permuted) and experiment.epsilons:
            some = [search.changed(epsilon=epsilon) for epsilon in experiment.epsilons]
        searches += some
        searches += [_looking_at(share, one, n) for one in some for share in experiment.shares]
    each = {search.text(): search for search in searches}.values()  # a share may be what a search looks at anyway
    for method in methods:
        for bits, search in product(dict.fromkeys(experiment.bits or (method.bits,)), each):
            yield _Setting(method.changed(bits=bits), search)


def _looking_at(share: float, search: CodeSearch, n: int) -> CodeSearch:
    """Let a search look at no more than a share of n items, where it can: at more codes of a list, or fewer in all."""
    wanted = max(1, round(share * n))
    if isinstance(search, Permuted):
        return search.changed(spread=max(1, wanted // (2 * search.count(n))), candidates=max(1_000, wanted))
    return search.changed(candidates=wanted)


def _counts(experiment: Experiment, usual: int) -> tuple[int, ...]:
    """Return how many pairs the metric is learned from, several times; 0 where it learns from none."""
    if not _learned(experiment):
        if _told(experiment):
            raise TwinlensError(
                Message("The metric {metric} is not learned from pairs.", metric=experiment.metric),
                Message("Leave out the pairs."),
            )
        return (0,)
    return tuple(dict.fromkeys(experiment.marks)) or (usual,)


def _scaled(x: Images, one: Partition) -> Images:
    """Bring every dimension to mean 0 and variance 1 over the base."""
    base = x[one.base].astype(np.float64)
    width = base.std(axis=0)
    scaled: Images = ((x - base.mean(axis=0)) / np.where(width > 0, width, 1.0)).astype(np.float32)
    return scaled


def _pairs(labels: Labels, one: Partition, marked: Pairs | None, count: int, seed: int) -> Pairs:
    """Return the pairs of one partition: drawn by the labels, or some of the file."""
    if marked is None:
        return pairs_among(labels, one.labelled, count, seed)
    chosen = np.random.default_rng(seed).permutation(len(marked.rows))[:count]
    return Pairs(marked.rows[chosen], marked.similar[chosen])


def _of_base(pairs: Pairs | None, one: Partition) -> Pairs | None:
    """Name the rows of pairs by their places in the base."""
    return None if pairs is None else Pairs(np.searchsorted(one.base, pairs.rows), pairs.similar)


def _asked(images: Images, labels: Labels, one: Partition, k: int) -> Voting:
    """Return the queries of a partition, with vectors that the metric has been applied to."""
    return Voting(images[one.base], images[one.queries], labels[one.base], labels[one.queries], k)


def _runs(
    asked: Voting, settings: Sequence[_Setting], seed: int, progress: Progress
) -> Iterator[tuple[tuple[str, str], Votes]]:
    """Judge every setting; what a method learns, it learns once."""
    groups: dict[str, list[_Setting]] = defaultdict(list)
    for setting in settings:
        groups["" if setting.method is None else setting.method.text()].append(setting)
    for number, some in enumerate(groups.values()):
        progress(number, len(groups), Message("Searching"))
        method = some[0].method
        if method is None:
            yield some[0].texts(), linear(asked)
            continue
        searches = [_seeded(setting.search, seed) for setting in some if setting.search is not None]
        found = hashed(asked, method.changed(seed=seed), searches)
        yield from zip((setting.texts() for setting in some), found, strict=True)


def _seeded(search: Search, seed: int) -> Search:
    return search.changed(seed=seed) if isinstance(search, Permuted) else search


def _summed(setting: _Setting, before: Sequence[list[_Run]], after: Sequence[list[_Run]]) -> BenchVotes:
    """Return means and standard errors over the partitions."""

    def over(values: Sequence[float]) -> MeanError:
        table = np.asarray(values, np.float64)
        error = float(table.std(ddof=1) / np.sqrt(len(table))) if len(table) > 1 else None
        return MeanError(mean=float(table.mean()), error=error)

    def lost(runs: Sequence[list[_Run]]) -> MeanError:
        return over([scan.votes.accuracy - own.votes.accuracy for own, scan in zip(*runs, strict=True)])

    own, scan = after
    old, new = [run.votes.accuracy for run in before[0]], [run.votes.accuracy for run in own]
    method, search = setting.texts()
    gain = over(np.subtract(new, old).tolist())
    return BenchVotes(
        method=method,
        search=search,
        bits=0 if setting.method is None else setting.method.bits,
        pairs=float(np.mean([run.pairs for run in own])),
        before=over(old),
        after=over(new),
        gain=gain,
        lost_before=lost(before),
        lost=lost(after),
        overlap=over([run.votes.overlap for run in own]),
        looked_at=over([run.votes.looked_at for run in own]),
        scanned=over([run.votes.scanned for run in own]),
        query_seconds=over([run.votes.seconds for run in own]),
        times=over([a.votes.seconds / b.votes.seconds for a, b in zip(scan, own, strict=True)]),
        fit_seconds=over([run.fit for run in own]),
        note=harm(float(np.mean(old)), float(np.mean(new)), gain.error or 0.005),
    )
