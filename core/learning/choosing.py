"""Which metric to learn from marks, or none: how strongly, and in how many directions, is found by cross-validation.

A metric over hundreds of dimensions can learn any few marks by heart, so that it fits them says nothing. Every choice
is judged by pairs whose photographs it has not seen, several times over, and beside no metric at all; it has to be
better than that by more than the judging may be off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.learning.held_out import FOLDS, Split, splits
from core.learning.judging import Estimate, HeldOut, Matrix, estimate, standing
from core.metrics import Itml, Pairs
from core.progress import Progress, part, silent

Vectors = npt.NDArray[np.float32]

SLACKS = (0.1, 1.0, 10.0)
RANKS = (16, 64, 0)

LEAST_PAIRS = 8
"""Fewer marks cannot be learned from and judged by."""

_SPLITS = 2 * FOLDS
_BACKGROUND = 600  # items that choices are tried with: more cost time and change nothing
_BACKGROUND_PAIRS = 2_000
_MOST_WANTED = 500
_UNCHANGED = 1e-9
_SURE = 2.5  # errors above nothing: the best of nine that marks at random teach is above 2.2 one time in ten


class Measuring(Protocol):
    """What tells how far items are from one."""

    def distances(self, query: Vectors, x: Vectors) -> Matrix:
        """Measure items, (d,), (n, d) -> (n,)."""


@dataclass(frozen=True)
class Tried:
    """A choice, and what came of it.

    Attributes
    ----------
    metric : Itml or None
        None for no metric: as it was before.
    area : Estimate
        ROC area on held-out pairs: 1 where every similar pair is nearer than every different one, 0.5 by chance.
    gain : Estimate
        What it has more than no metric, compared split by split.
    """

    metric: Itml | None
    area: Estimate
    gain: Estimate


@dataclass(frozen=True)
class Choice:
    """What to learn. Made by :func:`choose`.

    Attributes
    ----------
    metric : Itml or None
        None where nothing that was tried is surely better than no metric.
    tried : tuple of Tried
        No metric first.
    apart : bool
        Whether held-out pairs shared no photograph with the learned ones.
    better, worse, of : int
        Held-out pairs that stand better, or worse, among the others by the best metric than before, and how many there
        were (:func:`core.learning.judging.standing`).
    more : int
        How many further marks would probably tell; 0 where there are enough.
    before, after : HeldOut or None
        How held-out pairs stand by no metric, and by the best one; None where there were too few to hold any out.
    """

    metric: Itml | None
    tried: tuple[Tried, ...]
    apart: bool
    better: int
    worse: int
    of: int
    more: int
    before: HeldOut | None = None
    after: HeldOut | None = None

    @property
    def best(self) -> Tried:
        """The best of what was tried beside no metric; no metric where nothing could be tried."""
        return max(self.tried[1:], key=lambda one: one.gain.low, default=self.tried[0])

    def sentence(self) -> str:
        """Say in a sentence what came of it.

        Examples
        --------
        >>> nothing = Estimate(0.5, 0.1)
        >>> Choice(None, (Tried(None, nothing, Estimate(0, 0)),), True, 0, 0, 0, 6).sentence()
        'Not enough marks yet: about 6 more would tell.'
        """
        if self.metric is not None:
            return f"Better on {self.better:,} of {self.of:,} held-out pairs, worse on {self.worse:,}."
        if self.of == 0:
            return f"Not enough marks yet: about {self.more:,} more would tell."
        return (
            f"Not enough marks yet: better on {self.better:,} of {self.of:,} held-out pairs and worse on "
            f"{self.worse:,}, which may be chance. About {self.more:,} more would tell."
        )


def pair_distances(measure: Measuring, x: Vectors, rows: npt.NDArray[np.int64]) -> Matrix:
    """Measure pairs of rows, (p, 2) -> (p,)."""
    found = np.empty(len(rows))
    for first in np.unique(rows[:, 0]):
        where = rows[:, 0] == first
        found[where] = measure.distances(x[first], x[rows[where, 1]])
    return found


def choose(
    x: Vectors, pairs: Pairs, background: Vectors, before: Measuring, seed: int = 0, progress: Progress = silent
) -> Choice:
    """Find out which metric marks can teach.

    Parameters
    ----------
    x : ndarray of float32, (c, d)
        The items of the pairs.
    pairs : Pairs
        Of rows of ``x``, of which each says something (:class:`core.metrics.constraints.Telling`).
    background : ndarray of float32, (b, d)
        Other items, of which hardly two are alike; they stand for different pairs where none are marked.
    before : Measuring
        How far items are from each other as things are.
    seed : int
    progress : Progress

    Raises
    ------
    Cancelled
        If progress says so.
    """
    rng = np.random.default_rng(seed)
    chosen = background[np.sort(rng.choice(len(background), min(_BACKGROUND, len(background)), replace=False))]
    table = np.concatenate([x, chosen])
    others = len(x) + rng.integers(0, max(1, len(chosen)), (_BACKGROUND_PAIRS, 2))
    others = others[others[:, 0] != others[:, 1]]
    drawn = list(splits(pairs, _SPLITS, seed)) if len(pairs.rows) >= LEAST_PAIRS and len(others) else []
    if not drawn:
        chance = Estimate(0.5, float("inf"))
        none = (Tried(None, chance, Estimate(0, 0)),)
        return Choice(None, none, True, 0, 0, 0, max(1, LEAST_PAIRS - len(pairs.rows)))
    options = [Itml(slack=slack, rank=rank) for rank in RANKS if rank < x.shape[1] for slack in SLACKS]
    areas = np.empty((1 + len(options), len(drawn)))
    stands = np.zeros((1 + len(options), len(pairs.rows)))
    steps = len(drawn) * len(options)
    for number, split in enumerate(drawn):
        judged, teaching = split.judged, _teaching(pairs, split, others)
        for row, option in enumerate([None, *options]):
            done = number * len(options) + max(0, row - 1)
            step = part(progress, done / steps, (done + 1) / steps)
            measure = before if option is None else option.fit(table, teaching, step)
            found = standing(
                pair_distances(measure, table, pairs.rows[judged]),
                pairs.similar[judged],
                pair_distances(measure, table, others),
            )
            areas[row, number] = found.mean()
            stands[row, judged] += found
    share = float(np.mean([split.judged.sum() / max(1, split.learned.sum()) for split in drawn]))
    tried = tuple(
        Tried(option, estimate(areas[row], share), estimate(areas[row] - areas[0], share))
        for row, option in enumerate([None, *options])
    )
    tried = (replace(tried[0], gain=Estimate(0, 0)), *tried[1:])
    # The surest, not the greatest: of so many the greatest gain would be one that chance has helped.
    best = 1 + int(np.argmax([one.gain.low for one in tried[1:]]))
    gain, change = tried[best].gain, stands[best] - stands[0]
    sure = gain.mean > _SURE * gain.error
    return Choice(
        options[best - 1] if sure else None,
        tried,
        all(split.apart for split in drawn),
        int((change > _UNCHANGED).sum()),
        int((change < -_UNCHANGED).sum()),
        len(pairs.rows),
        0 if sure else _more(len(pairs.rows), gain),
    )


def _teaching(pairs: Pairs, split: Split, others: npt.NDArray[np.int64]) -> Pairs:
    """Give the pairs to learn from; where none of them is different, as many of the background stand for those."""
    return with_background(Pairs(pairs.rows[split.learned], pairs.similar[split.learned]), others)


def with_background(pairs: Pairs, others: npt.NDArray[np.int64]) -> Pairs:
    """Add as many pairs of others, as different ones, as there are similar ones, if none is marked different."""
    if not len(pairs.rows) or not pairs.similar.all():
        return pairs
    added = others[: len(pairs.rows)]
    return Pairs(np.concatenate([pairs.rows, added]), np.concatenate([pairs.similar, np.zeros(len(added), bool)]))


def _more(count: int, gain: Estimate) -> int:
    """Say how many more marks would make so small a gain sure: the error falls with the root of their number."""
    if gain.mean <= 0 or not np.isfinite(gain.error):
        return min(_MOST_WANTED, max(LEAST_PAIRS, count))
    needed = count * (_SURE * gain.error / gain.mean) ** 2
    return int(min(_MOST_WANTED, max(2, np.ceil(needed - count) + 1)))
