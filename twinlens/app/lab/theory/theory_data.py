"""Data of theory: vectors of an index of the library or of a file, or marked pairs under a metric.

Of many vectors a sample is drawn. Here is also the list of the indexes, kernels and metrics of a library that theory
can be drawn over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twinlens.app.bench.vector_files import label_numbers, read_labels, read_table
from twinlens.app.indexes.fitted_models import load_metric
from twinlens.app.indexes.indexes import index_statuses
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.lab.theory.theory_settings import SAMPLE
from twinlens.app.learn.metrics import find_metric
from twinlens.app.learn.next_pairs import PhotographSample
from twinlens.app.library.library import Library
from twinlens.app.marks.marked_pairs import pairs_for
from twinlens.app.methods import catalogue
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.shift_invariant_hashing import SHIFT_INVARIANT
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import Vectors
from twinlens.storage.library.store import Transaction

LEAST = 30


@dataclass(frozen=True, eq=False)
class TheoryData:
    """The vectors that theory is drawn over.

    Attributes
    ----------
    x : ndarray of float32, (n, d)
        No row of it zero throughout.
    sample : Message
        A sentence: what they are, and how many of how many.
    method : HashMethod or None
        Of the index.
    kernel : Kernel or None
        By which the index ranks.
    """

    x: Vectors
    sample: Message
    method: HashMethod | None = None
    kernel: Kernel | None = None


@dataclass(frozen=True, eq=False)
class MarkedMetric:
    """A metric, with pairs that are known to be similar or different.

    Attributes
    ----------
    name : str
        Of the metric.
    background : ndarray of float32, (n, d)
        Items that pairs are drawn from by chance, behind those of the pairs.
    pairs : MetricPairs
        Of rows of the background.
    """

    metric: FittedMetric
    name: str
    background: Vectors
    pairs: MetricPairs
    sample: Message


def material_of_index(
    library: Library, name: str, seed: int = 0, size: int = SAMPLE, progress: Progress = silent
) -> TheoryData:
    """Load vectors of an index, as they are stored.

    Raises
    ------
    TwinlensError
        If there is no such index, it is not built, or it has fewer than `LEAST` vectors.
    """
    with library.store.reading() as r:
        index = index_measure(r, name)
        of = len(r.descriptors.ids(index.kind))
        found = PhotographSample.of(r, index.kind, [seed], part(progress, 0, 1), size)
    _refuse_few(len(found.x))
    kernel = index.measure.kernel if isinstance(index.measure, Measure) else index.descriptor.measure
    what = Message("photos of the index “{name}” ({descriptor})", name=name, descriptor=index.descriptor.key)
    sample = _sample(len(found.x), of, what, seed, size)
    return TheoryData(found.x, sample, catalogue.method(index.row.method), kernel)


def material_of_file(name: str, seed: int = 0, size: int = SAMPLE) -> TheoryData:
    """Load vectors of a file.

    Raises
    ------
    TwinlensError
        If it holds no dense table of vectors, or fewer than `LEAST`.
    """
    x, rows = _drawn(name, seed, size)
    return TheoryData(x[rows], _sample(len(rows), len(x), Message("vectors of {file}", file=name), seed, size))


def marked_of_library(library: Library, metric: str, seed: int = 0, progress: Progress = silent) -> MarkedMetric:
    """Load a kept metric, the library's marks, and photographs.

    Raises
    ------
    TwinlensError
        If there is no such metric, or nothing to measure by it.
    """
    with library.store.reading() as r:
        row = find_metric(r, metric)
        fitted, descriptor = load_metric(r, row.model_id), catalogue.descriptor(row.descriptor)
        kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == descriptor]
        if not kinds:
            raise TwinlensError(
                "The library has no vectors of {descriptor}, which the metric measures.",
                Remedy("create index", {"descriptor": descriptor.text()}),
                descriptor=descriptor.text(),
            )
        pairs = pairs_for(r, kinds[-1])
        marked, _ = r.descriptors.read(kinds[-1], pairs.ids)
        others = PhotographSample.of(r, kinds[-1], [seed], progress, SAMPLE)
    _refuse_few(len(others.x))
    x = np.concatenate([others.x, marked.astype(np.float32)])
    sample = Message(
        "{pairs} marked pairs; {photographs} photos, drawn with seed {seed:d}, for comparison.",
        pairs=len(pairs.rows),
        photographs=len(others.x),
        seed=seed,
    )
    return MarkedMetric(fitted, row.name, x, MetricPairs(pairs.rows + len(others.x), pairs.similar), sample)


def labelled_of_file(
    name: str, labels: str, pairs: int, seed: int = 0, size: int = SAMPLE
) -> tuple[Vectors, MetricPairs]:
    """Load vectors of a file, and pairs with equal and with different labels.

    Raises
    ------
    TwinlensError
        If there are no such vectors or labels.
    """
    x, rows = _drawn(name, seed, size)
    (given_labels,) = label_numbers(read_labels(labels, len(x)))
    if given_labels is None:
        raise TwinlensError("There are no pairs to learn a metric from.", "Name a file of labels.")
    return x[rows], MetricPairs.of_labels(given_labels[rows], pairs, None, seed)


def _drawn(name: str, seed: int, size: int) -> tuple[Vectors, np.ndarray]:
    x = read_table(name)
    if not isinstance(x, np.ndarray):
        raise TwinlensError("{name} is a sparse table.", "Theory is drawn over dense vectors.", name=name)
    rows = np.flatnonzero(x.any(axis=1))
    _refuse_few(len(rows))
    if len(rows) > size:
        rows = np.sort(np.random.default_rng(seed).choice(rows, size, replace=False))
    return x, rows


def _refuse_few(count: int) -> None:
    if count < LEAST:
        raise TwinlensError(
            "There are {count} vectors, too few to measure a theory on.",
            "It takes at least {least}.",
            count=count,
            least=LEAST,
        )


def _sample(taken: int, of: int, what: Message, seed: int, size: int) -> Message:
    if taken < of and taken >= size:
        return Message(
            "A sample of {taken} of {of} {what}, drawn with seed {seed:d}.", taken=taken, of=of, what=what, seed=seed
        )
    return Message("{taken} {what}.", taken=taken, what=what)


@dataclass(frozen=True)
class TheoryIndex:
    """An index that theory can be drawn over.

    Attributes
    ----------
    descriptor : str
        Title of what it compares.
    kernel : str
        Key of the kernel that it ranks by; empty where it ranks by none.
    """

    name: str
    descriptor: str
    kernel: str
    photographs: int


@dataclass(frozen=True)
class TheoryChoices:
    """The indexes, kernels and metrics of a library that theory can be drawn over.

    Attributes
    ----------
    indexes : tuple of TheoryIndex
        The one that search asks first.
    metrics : tuple of str
        Names of those that are kept, the latest first.
    photographs : int
        Of the library.
    """

    indexes: tuple[TheoryIndex, ...]
    metrics: tuple[str, ...]
    photographs: int


KERNEL_TITLES = {one.key: one.title for one in KERNELS}
"""Of every kernel, by its key."""

KERNELS_OF = {
    "rank": tuple(KERNEL_TITLES),
    "bounds": tuple(KERNEL_TITLES),
    "hamming": tuple(one.key for one in SHIFT_INVARIANT),
}
"""Kernels that a kind can be asked of."""


def theory_choices(library: Library) -> TheoryChoices:
    """Return the choices that a library offers."""
    with library.store.reading() as r:
        statuses = sorted(index_statuses(r), key=lambda one: not one.default)
        found = [_of_index(r, one.name, one.photographs) for one in statuses if one.photographs >= LEAST]
        metrics = tuple(row.name for row in reversed(r.metrics.all()))
        count = sum(r.photographs.counts().values())
    return TheoryChoices(tuple(one for one in found if one is not None), metrics, count)


def _of_index(r: Transaction, name: str, photographs: int) -> TheoryIndex | None:
    try:
        index = index_measure(r, name)
    except TwinlensError:
        return None  # it has nothing to measure yet
    kernel = index.measure.kernel if isinstance(index.measure, Measure) else index.descriptor.measure
    return TheoryIndex(name, catalogue.descriptor(index.row.descriptor).title, kernel.key, photographs)
