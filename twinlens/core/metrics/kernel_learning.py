"""Learning a metric of a kernel, or of sparse vectors, from pairs: by the kernel's matrix of a few items alone.

The items of the pairs, and some more that bounds and priors are found from, are given coordinates that keep their
distances (:mod:`twinlens.core.metrics.kernel_metric`); from these the metric is learned as from any vectors, with every
choice that there is for those, and what it changes is then said by the items (Kulis, Jain and Grauman, PAMI 2009, on
kernels).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, joined
from twinlens.core.metrics.itml import Itml, LearnedMetric
from twinlens.core.metrics.kernel_metric import LEARNED, Change, KernelMetric, KernelSpace
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.metrics.sparse_metric import Rows, SparseMetric, as_sparse, products
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, as_vectors, one_thread

BACKGROUND = 400
"""Items beside those of the pairs that bounds and priors are found from."""

MOST_ITEMS = 400
"""Items that a metric of a kernel keeps: every distance asks for the kernel with each of them."""


@dataclass(frozen=True, eq=False)
class KernelTable:
    """Items and the space that they span under a kernel. Made by :meth:`of`.

    Attributes
    ----------
    kernel : Kernel
        With nothing left ``auto``.
    items : ndarray of float32, (t, d)
    """

    kernel: Kernel
    items: npt.NDArray[np.float32]
    space: KernelSpace

    @classmethod
    def of(cls, kernel: Kernel, items: Vectors) -> Self:
        """Find the span of items, (t, d).

        Raises
        ------
        TwinlensError
            If the kernel is not defined for one of them, or tells nothing of any.
        """
        table = np.asarray(as_vectors(items, np.float32), np.float32)
        kernel.check(table)
        blank = ~table.any(axis=1)
        with one_thread():
            gram = kernel.matrix(table, table)
        gram[blank] = gram[:, blank] = 0
        space = KernelSpace.of(gram)
        if not space.rank:
            raise TwinlensError(
                "The kernel {kernel} tells nothing of these vectors.",
                "Choose another kernel, or other vectors.",
                kernel=kernel.text(),
            )
        return cls(kernel, table, space)

    def metric(self, learned: FittedMetric, few: npt.NDArray[np.integer] | None = None) -> KernelMetric:
        """Return the metric of the kernel for a metric learned of the coordinates; its spread is that of the items.

        Parameters
        ----------
        few : ndarray of int, optional
            Items that may be enough to say it by: those of the pairs.
        """
        whole = changed(self.space, learned, few)
        change = self.space.fewer(whole, MOST_ITEMS)
        note = learned.note
        if len(change.items) < len(whole.items):
            fewer = Message(
                "Of {items} items that it was learned from it keeps the {kept} that tell most.",
                items=len(whole.items),
                kept=MOST_ITEMS,
            )
            note = joined([note, fewer])
        items = self.items[change.items]
        made = KernelMetric.of(self.kernel, items, change.axes, change.stretch, None, learned.ranking, note)
        return made.fitted_to(self.items)


def changed(space: KernelSpace, learned: FittedMetric, few: npt.NDArray[np.integer] | None = None) -> Change:
    """Return the change by a metric that was learned of coordinates, by ``few`` items where these are enough."""
    g = learned.image(np.eye(space.rank)).T
    return space.changed_by(g, few, LEARNED)


def learn_of_kernel(
    declared: Itml, kernel: Kernel, x: Vectors, pairs: MetricPairs, seed: int = 0, progress: Progress = silent
) -> LearnedMetric:
    """Learn a metric of a kernel.

    Parameters
    ----------
    kernel : Kernel
        With nothing left ``auto``.
    x : ndarray, (n, d)
        The items of the pairs and others like them.
    pairs : MetricPairs
        Of rows of ``x``.
    seed : int
        Of the draw of others, where there are more than ``BACKGROUND``.

    Returns
    -------
    LearnedMetric
        Its metric is a :class:`KernelMetric`, fitted to ``x``.

    Raises
    ------
    TwinlensError
        As :meth:`Itml.learn`, and if the kernel is not defined for the items, or the prior is no metric of kernels.
    """
    refuse_prior(declared)
    places, local = kernel_table(len(x), pairs, seed)
    progress(0, 1, Message("Evaluating the kernel"))
    table = KernelTable.of(kernel, np.asarray(x)[places])
    learned = declared.learn(table.space.coordinates, local, part(progress, 0.2, 0.8))
    metric = table.metric(learned.metric, telling_items(learned))
    return replace(learned, metric=metric.fitted_to(x, part(progress, 0.8, 1)))


@dataclass(frozen=True, eq=False)
class LearnedSparseMetric:
    """A metric of sparse vectors, and how its learning went.

    Attributes
    ----------
    learned : LearnedMetric
        Of the coordinates of the items; its rows count among these.
    """

    metric: SparseMetric
    learned: LearnedMetric


def learn_sparse(
    declared: Itml, x: Any, pairs: MetricPairs, seed: int = 0, progress: Progress = silent
) -> LearnedSparseMetric:
    """Learn a metric of sparse vectors, of any number of dimensions; as :func:`learn_of_kernel`.

    Parameters
    ----------
    x : scipy.sparse array, (n, d)

    Returns
    -------
    LearnedSparseMetric
        The metric is fitted to ``x``.

    Raises
    ------
    TwinlensError
        As :func:`learn_of_kernel`.
    """
    refuse_prior(declared)
    rows: Rows = as_sparse(x)
    places, local = kernel_table(rows.shape[0], pairs, seed)
    items = rows[places]
    progress(0, 1, Message("Evaluating the kernel"))
    space = KernelSpace.of(products(items, items))
    if not space.rank:
        raise TwinlensError("All sparse vectors are zero throughout.", "Give at least one that is not.")
    learned = declared.learn(space.coordinates, local, part(progress, 0.2, 0.9))
    change = changed(space, learned.metric, telling_items(learned))
    metric = SparseMetric.of(items[change.items], change.s, declared.ranking)
    metric = replace(metric, note=learned.metric.note)
    progress(0.9, 1, Message("Spread"))
    return LearnedSparseMetric(metric.fitted_to(rows), learned)


def kernel_table(n: int, pairs: MetricPairs, seed: int) -> tuple[npt.NDArray[np.int64], MetricPairs]:
    """Choose the rows to learn from: those of the pairs, and as many others as are enough.

    Returns
    -------
    places : ndarray of int64, (t,)
        The rows of the pairs, ascending, then others, ascending.
    pairs : MetricPairs
        Of places.

    Raises
    ------
    TwinlensError
        If a pair names a row that there is not.
    """
    rows = np.asarray(pairs.rows, np.int64).reshape(-1, 2)
    if len(rows) and not (rows.min() >= 0 and rows.max() < n):
        wrong = int(rows[(rows < 0) | (rows >= n)][0])
        raise TwinlensError(
            "A pair names row {wrong}, but there are {n} vectors, counted from 0.", "Mend that pair.", wrong=wrong, n=n
        )
    marked, ends = np.unique(rows, return_inverse=True)
    others = np.setdiff1d(np.arange(n), marked, assume_unique=True)
    drawn = others[draw_places(len(others), BACKGROUND, np.random.default_rng(seed))]
    return np.concatenate([marked, drawn]), MetricPairs(
        ends.reshape(-1, 2).astype(np.int64), np.asarray(pairs.similar, bool)
    )


def telling_items(learned: LearnedMetric) -> npt.NDArray[np.int64]:
    """Return the items of the pairs that count, ascending: without slack to spare, the others change nothing."""
    return np.unique(learned.pairs.pairs.rows[learned.projected.duals > 0])


def refuse_prior(declared: Itml) -> None:
    """Refuse a prior that says nothing of what items do not span.

    Raises
    ------
    TwinlensError
        If it is the inverse covariance.
    """
    if declared.prior == "covariance":
        raise TwinlensError(
            "A metric of a kernel, or of sparse vectors, cannot start from prior={prior}: of most "
            "directions the items tell no variance.",
            "Leave the prior out.",
            prior=declared.prior,
        )
