"""Trials of a metric on held-out pairs: the folds, and the places of pairs under a metric learned from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import BoolMask, Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.learning.metric_judgement import (
    PairMeasure,
    pair_distances,
)
from twinlens.core.message import Message
from twinlens.core.metrics.itml import Itml, PrincipalCoordinates
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.metrics.metric_priors import Directions, pair_groups, principal_directions
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import one_thread


@dataclass(frozen=True, eq=False)
class MetricTrial:
    """The data on which metrics are tried. Made by :meth:`of`.

    Everything that a metric leaves as it is, is worked out once: squared distances to the sample and between pairs.
    """

    pairs: MetricPairs
    directions: Directions
    table: Float64Matrix
    marked: Float64Matrix
    sample: Float64Matrix
    plain: Float64Matrix
    plain_pairs: Float64Matrix
    before: Float64Matrix
    before_pairs: Float64Matrix

    @classmethod
    def of(
        cls,
        x: Float32Vectors,
        pairs: MetricPairs,
        background: Float32Vectors,
        sample: npt.NDArray[np.intp],
        before: PairMeasure,
        rank: int,
        progress: Progress = silent,
    ) -> MetricTrial:
        """Prepare.

        Parameters
        ----------
        x, pairs, background, before
            See :func:`twinlens.core.learning.metric_choice.cross_validate`; similar pairs come first.
        sample : ndarray of int
            Rows of the background among which photographs are looked for.
        rank : int
            Principal directions that the metrics to try need at most.
        """
        table = np.concatenate([x, background])
        progress(0, 4, Message("Principal directions"))
        directions = principal_directions(table, min(rank, table.shape[1]), Itml().seed, silent)
        some, rows = background[sample], pairs.rows
        measured = np.empty((len(x), len(some)))
        for number, item in enumerate(x):
            progress(1 + 2 * number / len(x), 4, Message("Measuring as it is"))
            measured[number] = before.distances(item, some)
        items, others = x.astype(np.float64), some.astype(np.float64)
        plain = np.square(items).sum(axis=1)[:, None] + np.square(others).sum(axis=1) - 2 * items @ others.T
        return cls(
            pairs,
            directions,
            table @ directions.basis,
            items @ directions.basis,
            others @ directions.basis,
            plain,
            np.square(items[rows[:, 0]] - items[rows[:, 1]]).sum(axis=1),
            measured,
            pair_distances(before, x, rows),
        )

    def places_before(self, judged: Int64Rows) -> Float64Matrix:
        """Return the places of held-out photographs as things are, (j, 2) -> (j,); see :class:`Split`."""
        asking = self.pairs.rows[judged[:, 0], 1 - judged[:, 1]]
        return shares_nearer(self.before_pairs[judged[:, 0]], self.before[asking])

    def places(self, metric: Itml, split: Split, added: Int64Rows, progress: Progress = silent) -> Float64Matrix:
        """Learn a metric and return the places of the held-out photographs, (j,).

        Parameters
        ----------
        added : ndarray of int64, (a, 2)
            Pairs of the sample that stand for different ones.
        """
        factor, at = self._learned(metric, split, added, progress)
        with one_thread():
            change = factor.T @ factor - np.eye(len(factor))
            asking = self.pairs.rows[split.judged[:, 0], 1 - split.judged[:, 1]]
            other_rows = self.pairs.rows[split.judged[:, 0], split.judged[:, 1]]
            q, k, b = self.marked[asking, :at], self.marked[other_rows, :at], self.sample[:, :at]
            moved = q @ change
            squared = self.plain_pairs[split.judged[:, 0]] + (((k - q) @ change) * (k - q)).sum(axis=1)
            others = self.plain[asking] + (moved * q).sum(axis=1)[:, None] + ((b @ change) * b).sum(axis=1)
            others -= 2 * moved @ b.T
        return shares_nearer(squared, others)

    def _learned(self, metric: Itml, split: Split, added: Int64Rows, progress: Progress) -> tuple[Float64Matrix, int]:
        directions = self.directions.first(metric.rank)
        at = directions.basis.shape[1]
        items = np.concatenate([self.marked[:, :at], self.sample[:, :at]])
        rows, similar = self.pairs.rows[split.learned], self.pairs.similar[split.learned]
        teaching = MetricPairs(
            np.concatenate([rows, added + len(self.marked)]), np.concatenate([similar, np.zeros(len(added), bool)])
        )
        solved = metric.solve(PrincipalCoordinates(directions, self.table[:, :at], items), teaching, progress)
        return solved.factor, at


def shares_nearer(one: Float64Matrix, others: Float64Matrix) -> Float64Matrix:
    """Return the share of others that are nearer than each, (j,), (j, s) -> (j,); of equal ones, half."""
    nearer, equal = (others < one[:, None]).mean(axis=1), (others == one[:, None]).mean(axis=1)
    return np.asarray(nearer + equal / 2)


def of_pairs(
    values: Float64Matrix, judged: Sequence[Int64Rows], count: int
) -> tuple[Float64Matrix, npt.NDArray[np.intp]]:
    """Average what was found of held-out photographs by pairs, (j, m) -> (k, m), and say which pairs these are."""
    pair = np.concatenate([one[:, 0] for one in judged])
    times = np.bincount(pair, minlength=count)
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, pair, values)
    seen = np.flatnonzero(times)
    return total[seen] / times[seen, None], seen


FOLDS = 8
"""Parts of the photographs, of which one is held out at a time: so many splits judge every photograph once."""


@dataclass(frozen=True, eq=False)
class Split:
    """Pairs to learn from, and held-out photographs to judge by.

    Attributes
    ----------
    learned : ndarray of bool, (p,)
        Pairs without a held-out photograph.
    judged : ndarray of int64, (j, 2)
        A pair, and which of its two photographs, 0 or 1, is held out. The other one may be known from pairs that were
        learned from: it asks, and the held-out one is looked for among photographs that are as new as it is.
    """

    learned: BoolMask
    judged: Int64Rows


def splits(pairs: MetricPairs, repeats: int, seed: int) -> Iterator[Split]:
    """Draw splits by photographs: what hangs together by marks is held out together where it is small enough.

    Parameters
    ----------
    repeats : int
        How often everything is held out once.

    Yields
    ------
    Split
        ``FOLDS`` for every repeat; without those that would leave no similar pair to learn from.
    """
    items, where = np.unique(pairs.rows, return_inverse=True)
    ends = where.reshape(-1, 2)
    if not len(items):
        return
    group = pair_groups(ends, len(items))
    sizes = np.bincount(group, minlength=len(items))
    alone = sizes[group] > max(2, len(items) // (2 * FOLDS))
    together = np.where(alone, len(items) + np.arange(len(items)), group)
    similar = np.zeros(len(items), bool)
    similar[ends[pairs.similar]] = True
    units, of_unit = np.unique(together, return_inverse=True)
    likes = np.zeros(len(units), bool)
    np.logical_or.at(likes, of_unit, similar)
    for repeat in range(repeats):
        rng = np.random.default_rng([seed, repeat])
        order = rng.permutation(len(units))
        order = order[np.argsort(~likes[order], kind="stable")]
        part = np.empty(len(units), np.int64)
        part[order] = np.arange(len(units)) % FOLDS
        for number in range(FOLDS):
            held = (part == number)[of_unit][ends]
            learned = ~held.any(axis=1)
            if held.any() and (learned & pairs.similar).any():
                yield Split(learned, np.argwhere(held))
