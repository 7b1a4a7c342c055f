"""Vectors that theory is drawn over: of an index of the library, or of a file; of many, some that are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.bench.vector_table import read_labels, read_table
from app.indexes.index_measure import index_measure
from app.indexes.index_metric import load_metric
from app.learn.metrics import find_metric
from app.learn.pair_candidates import PhotographSample
from app.library.library import Library
from app.marks.marked_pairs import pairs_for
from app.methods import catalogue
from core.errors import Remedy, TwinlensError
from core.exact_search.measure import Measure
from core.hashing.hash_method import HashMethod
from core.kernels.kernel import Kernel
from core.message import Message
from core.metrics.metric import FittedMetric, MetricPairs
from core.progress import Progress, part, silent
from core.vectors import Vectors

SAMPLE = 2_000
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
    """A metric, and pairs of which it is known whether they are alike.

    Attributes
    ----------
    metric : FittedMetric
    name : str
        Of the metric.
    background : ndarray of float32, (n, d)
        Items that pairs are drawn from by chance, behind those of the pairs.
    pairs : Pairs
        Of rows of the background.
    sample : Message
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
                Message(
                    "The library has no vectors of {descriptor}, which the metric measures.",
                    descriptor=descriptor.text(),
                ),
                Remedy("create index", {"descriptor": descriptor.text()}),
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
    from app.bench.pairs import pairs_of_labels

    x, rows = _drawn(name, seed, size)
    told = read_labels(labels, len(x))
    if told is None:
        raise TwinlensError(Message("There are no pairs to learn a metric from."), Message("Name a file of labels."))
    return x[rows], pairs_of_labels(told[rows], pairs, None, seed)


def _drawn(name: str, seed: int, size: int) -> tuple[Vectors, np.ndarray]:
    x = read_table(name)
    if not isinstance(x, np.ndarray):
        raise TwinlensError(
            Message("{name} is a sparse table.", name=name), Message("Theory is drawn over dense vectors.")
        )
    rows = np.flatnonzero(x.any(axis=1))
    _refuse_few(len(rows))
    if len(rows) > size:
        rows = np.sort(np.random.default_rng(seed).choice(rows, size, replace=False))
    return x, rows


def _refuse_few(count: int) -> None:
    if count < LEAST:
        raise TwinlensError(
            Message("There are {count} vectors, too few to measure a theory on.", count=count),
            Message("It takes at least {least}.", least=LEAST),
        )


def _sample(taken: int, of: int, what: Message, seed: int, size: int) -> Message:
    if taken < of and taken >= size:
        return Message(
            "A sample of {taken} of {of} {what}, drawn with seed {seed:d}.", taken=taken, of=of, what=what, seed=seed
        )
    return Message("{taken} {what}.", taken=taken, what=what)
