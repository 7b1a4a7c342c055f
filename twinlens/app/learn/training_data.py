"""Training data of a metric: photographs of judged pairs, their vectors, and other photographs as background.

A metric is learned in the space of the vectors, or, for indexes with a kernel, in the span of landmarks. The library
remembers which photographs a kept metric was learned from, to judge it fairly later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import IndexMeasure
from twinlens.app.library.library import Library
from twinlens.app.marks.marked_pairs import MarkedPairs, named_pairs, pairs_for
from twinlens.app.marks.pair_file import NamedPair
from twinlens.core.arrays import Float32Vectors, Int64Ids
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, counted, joined
from twinlens.core.metrics.itml import LearnedMetric
from twinlens.core.metrics.kernel_learning import KernelTable, telling_items
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.log_det import TellingPairs
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.storage.library.store import Transaction

BACKGROUND = 2_000
"""Photographs drawn from the library, that bounds and spread are found from."""


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training data of a metric. Made by :meth:`of`.

    Attributes
    ----------
    ids : ndarray of int64, (c,)
        The photographs in pairs, ascending.
    table : ndarray of float32, (c + b, d)
        Their vectors, then those of others.
    pairs : MetricPairs
        Of rows of the table, each once, similar ones first.
    left_out : list of Message
        A sentence for each pair, or kind of pairs, that does not count.
    contradicted : int
        Pairs that were judged both ways.
    marks : bool
        Whether they are the library's own marks.
    """

    ids: npt.NDArray[np.int64]
    table: Float32Vectors
    pairs: MetricPairs
    left_out: list[Message]
    contradicted: int
    marks: bool

    @property
    def x(self) -> Float32Vectors:
        """The vectors of the photographs in pairs."""
        return self.table[: len(self.ids)]

    @property
    def background(self) -> Float32Vectors:
        """The vectors of the other photographs."""
        return self.table[len(self.ids) :]

    @classmethod
    def of(
        cls, library: Library, r: Transaction, index: IndexMeasure, named: Sequence[NamedPair] | None, seed: int
    ) -> TrainingData:
        """Find the photographs of the pairs, and draw others.

        Parameters
        ----------
        index : IndexMeasure
            Whose vectors are read.
        named : sequence of NamedPair or None
            None for the library's own marks.
        seed : int
            Of the draw.

        Raises
        ------
        TwinlensError
            If there are no marks, or no pair can be learned from.
        """
        pairs = own_marks(r, index) if named is None else named_pairs(library, r, named)
        vectors, present = r.descriptors.read(index.kind, pairs.ids)
        x = vectors.astype(np.float32)
        left_out = pairs.left_out + [
            Message(
                "This index has not described photo {photograph:d} yet. Look for changes first.",
                photograph=photograph,
            )
            for photograph in pairs.ids[~present].tolist()
        ]
        telling = TellingPairs.of(MetricPairs(pairs.rows, pairs.similar), np.asarray(~x.any(axis=1)))
        if telling.left_out():
            left_out.append(telling.left_out())
        others = np.setdiff1d(r.descriptors.ids(index.kind), pairs.ids, assume_unique=True)
        rng = np.random.default_rng(seed)
        drawn = np.sort(rng.choice(others, min(BACKGROUND, len(others)), replace=False))
        more, _ = r.descriptors.read(index.kind, drawn)
        background = more.astype(np.float32)
        table = np.concatenate([x, background[background.any(axis=1)]])
        contradicted = pairs.contradicted + telling.contradicted
        return cls(pairs.ids, table, telling.pairs, left_out, contradicted, named is None)


def own_marks(r: Transaction, index: IndexMeasure) -> MarkedPairs:
    """Return the library's own marks.

    Raises
    ------
    TwinlensError
        If there are none, or none of them can be used.
    """
    count = r.marks.count()
    if not count:
        raise TwinlensError("The library has no marks yet.", Remedy("mark pairs"))
    pairs = pairs_for(r, index.kind)
    if not len(pairs.rows):
        raise TwinlensError(
            joined(
                [
                    counted(
                        "The library's {count} mark cannot be used.",
                        "None of the library's {count} marks can be used.",
                        count,
                    ),
                    *pairs.left_out,
                ]
            ),
            Remedy("list marks"),
        )
    return pairs


_SETTING = "metric learned from"


def remember_photographs(w: Transaction, metric_id: int, photographs: Int64Ids) -> None:
    """Remember the photographs of the pairs that a metric was learned from, (c,), ascending."""
    known = _known(w)
    # Differences of ascending ids are short numbers.
    known[str(metric_id)] = np.diff(photographs, prepend=0).tolist()
    w.settings.put(_SETTING, known)


def photographs_learned_from(r: Transaction, metric_id: int) -> Int64Ids | None:
    """Return the photographs that a metric was learned from; None where that is not known, as of one from a file."""
    found = _known(r).get(str(metric_id))
    return None if found is None else np.cumsum(np.array(found, np.int64))


def forget_photographs(w: Transaction, metric_id: int) -> None:
    """Forget what a metric was learned from, for it is deleted."""
    known = _known(w)
    if known.pop(str(metric_id), None) is not None:
        w.settings.put(_SETTING, known)


def _known(r: Transaction) -> dict[str, list[int]]:
    found = r.settings.get(_SETTING, {})
    return found if isinstance(found, dict) else {}


SPANNING_BACKGROUND = 600
"""Photographs beside those of the pairs that span the space of a kernel."""

LEADING = 384
"""Directions of that space in which metrics are tried and judged: what is left out is next to nothing."""


@dataclass(frozen=True, eq=False)
class LearningSpace:
    """The items that a metric is learned from, in their space. Made by :meth:`of`.

    Attributes
    ----------
    x : ndarray of float32, (c, r)
        The photographs of the pairs.
    background : ndarray of float32, (b, r)
        Others.
    before : Measure or FittedMetric
        How far these are from each other as things are.
    table : KernelTable or None
        What a kernel knows of them; None where vectors are what they are.
    """

    x: Float32Vectors
    background: Float32Vectors
    before: Measure | FittedMetric
    table: KernelTable | None

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: Float32Vectors, background: Float32Vectors) -> Self:
        """Find where to learn.

        Parameters
        ----------
        measure : Measure or FittedMetric
            Of the index.
        x : ndarray of float32, (c, d)
            The photographs of the pairs; what is zero throughout among them is so in the space, too.
        background : ndarray of float32, (b, d)
            Others; only as many as a kernel needs are looked at.

        Raises
        ------
        TwinlensError
            If the kernel is not defined for them.
        """
        kernel = kernel_of_measure(measure)
        if kernel is None or not x.any():
            return cls(x, background, measure, None)
        some = np.linspace(0, len(background) - 1, min(SPANNING_BACKGROUND, len(background))).astype(np.intp)
        table = KernelTable.of(kernel, np.concatenate([x, background[some]]))
        leading = table.space.first(LEADING).coordinates.astype(np.float32)
        before = measure
        if isinstance(measure, KernelMetric):
            before = _as_seen(measure, replace(table, space=table.space.first(LEADING)))
        else:
            before = Measure(Linear())
        return cls(leading[: len(x)], leading[len(x) :], before, table)

    def vectors(self, rank: int) -> npt.NDArray[np.floating]:
        """Return the vectors, (c + b, r), that a metric of so many directions, 0 for all, is learned from at last."""
        if self.table is None or 0 < rank <= LEADING:
            return np.concatenate([self.x, self.background])
        return self.table.space.coordinates

    def with_material(self, learned: LearnedMetric) -> LearnedMetric:
        """Return what was learned from :meth:`vectors` as a metric of what the library keeps."""
        if self.table is None:
            return learned
        g = learned.metric
        table = self.table
        if g.dimensions < table.space.rank:
            table = replace(table, space=table.space.first(g.dimensions))
        return replace(learned, metric=table.metric(g, telling_items(learned)))


def kernel_of_measure(measure: Measure | FittedMetric) -> Kernel | None:
    """Return the kernel that a metric begins from, normalised as the measure is; None for the vectors themselves."""
    if isinstance(measure, KernelMetric):
        return measure.base
    if isinstance(measure, FittedMetric) or isinstance(measure.kernel, Linear):
        return None
    return measure.kernel.changed(normalise=True)


def _as_seen(metric: KernelMetric, table: KernelTable) -> ExplicitMetric:
    """Return a metric of the same kernel as it is in the space of other items."""
    space, r = table.space, table.space.rank
    g = np.eye(r)
    if metric.axes.size:
        along = space.axes.T @ table.kernel.matrix(table.items, metric.items) @ metric.axes
        g += (along * (np.sqrt(metric.stretch) - 1)) @ along.T
    return ExplicitMetric.of(g, metric.spread, metric.ranking)
