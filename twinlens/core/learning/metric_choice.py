"""Choice of the metric to learn from marks, or of none, by cross-validation of its slack and rank.

A metric over hundreds of dimensions can learn any few marks by heart, so that it fits them says nothing. Every choice
is judged by photographs that it has not seen, several times over, and beside no metric at all: similar photographs have
to come earlier among the library than they did. Few marks leave that open within wide limits. What lets a small gain
count is that the marks mean something: that held-out pairs marked similar are nearer than different ones. Where they
are not, as where marks are made at random, only a large gain does.

No pair of a held-out photograph is among the pairs from which a metric was learned.

Of a held-out photograph and the one that it is marked with, the second is the query, and the first is searched among a
sample of the library: its place is the share of the sample that is nearer. The sample is as new to the metric as the
searched photograph, so that a metric learned from marks that mean nothing leaves the place, on average, where it was.
Some photographs of the sample are similar, too; they are so before and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import BoolMask, Float32Vectors, Float64Matrix
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.learning import marks_wanted
from twinlens.core.learning.metric_judgement import (
    HeldOutFigures,
    MeanEstimate,
    PairMeasure,
    best_threshold,
    estimate_mean,
    standing,
)
from twinlens.core.learning.metric_trial import MetricTrial, Split, of_pairs, splits
from twinlens.core.message import Message
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.progress import Progress, part, silent

RANKS = (16, 32)
EVENS = (0.0, 0.25, 0.5)
CAREFUL = 40.0
"""Strength of what changes least among the choices."""

LEAST_PAIRS = 8
"""Fewer marks cannot be learned from and judged by."""

_LEAST_SIMILAR = 3
_REPEATS = 2
_SAMPLE = 1_000  # photographs that a place is found among
_FIRST = 0.01  # of the sample: among so few, earlier or later hardly counts
_FRONT = 0.1  # of the sample
_MOST_WANTED = 100  # marks after which another look is worth it, however far a sure result may be
_MOST_TRIED = 800  # of more marks so many are drawn to judge by: they tell enough, and learning goes through all
_UNCHANGED = 1e-9
_AGAIN = 2.0  # what two pairs have in common by chance helps both, since each is judged by what the other taught
_BELOW = 1.0  # errors below the mean at which choices are compared: the greatest of several means is helped by chance
_MEANING = 1.8  # errors by which similar pairs are nearer than different ones, or marks may be made at random

# Errors above nothing, where marks mean something, and where that is not known. What is tried helps far more often than
# not: of 200 times that marks of real classes were learned from, 84 of 100 that were so adopted found more of the
# class, all by 2.2 points of precision@10; of 150 times that marks were made at random 5 of 100 were adopted.
_SURE, _SURE_ALONE = 0.0, 2.5


@dataclass(frozen=True)
class TriedMetric:
    """A choice and its outcome.

    Attributes
    ----------
    metric : Declaration or None
        An Itml, or a hash method that learned from the pairs; None for neither: as it was before.
    area : MeanEstimate
        ROC area on held-out photographs: 1 where every similar pair is nearer than every different one, 0.5 by chance.
    gain : MeanEstimate
        Of held-out similar pairs, the mean logarithm of how much earlier than before the one comes among the library
        when the other asks: 0.7 is twice as early.
    front : float
        What more than before of these comes among the first tenth of the library.
    """

    metric: Declaration | None
    area: MeanEstimate
    gain: MeanEstimate
    front: float = 0.0

    @property
    def worth(self) -> tuple[bool, float]:
        """The value by which choices are compared."""
        return self.front >= 0, self.gain.mean - _BELOW * self.gain.error


@dataclass(frozen=True)
class CrossValidatedChoice:
    """The chosen way to learn. Made by :func:`cross_validate`.

    Attributes
    ----------
    metric : Declaration or None
        None where nothing that was tried is better than no metric by as much as has to be.
    tried : tuple of TriedMetric
        No metric first.
    apart : bool
        Whether no photograph of a held-out pair was in a pair that was learned from. Where marks hang together too
        closely for that, one of the two may be: then it asks, and the other one is looked for.
    better, worse, of : int
        Held-out similar pairs of which one comes earlier, or later, among the library when the other asks, by the best
        metric than before, and how many there were.
    more : int
        How many further marks would probably tell; 0 where there are enough.
    before, after : HeldOutFigures or None
        How held-out pairs stand by no metric, and by the best one; None where there were too few to hold any out.
    """

    metric: Declaration | None
    tried: tuple[TriedMetric, ...]
    apart: bool
    better: int
    worse: int
    of: int
    more: int
    before: HeldOutFigures | None = None
    after: HeldOutFigures | None = None

    @property
    def best(self) -> TriedMetric:
        """The best of what was tried beside no metric; no metric where nothing could be tried."""
        return max(self.tried[1:], key=lambda one: one.worth, default=self.tried[0])

    @property
    def earlier(self) -> float:
        """The factor by which held-out photographs come earlier, by the best; the geometric mean."""
        return float(np.exp(self.best.gain.mean))

    def sentence(self) -> Message:
        """Return a sentence about the outcome.

        Examples
        --------
        >>> without = TriedMetric(None, MeanEstimate(0.5, 0.1), MeanEstimate(0, 0))
        >>> print(CrossValidatedChoice(None, (without,), True, 0, 0, 0, 6).sentence())
        Not enough marks yet: about 6 more would tell.
        """
        if self.metric is not None:
            return Message(
                "What is similar comes {earlier:.2f} times as early: held-out photos come earlier in {better} of "
                "{of} pairs, later in {worse}.",
                earlier=self.earlier,
                better=self.better,
                of=self.of,
                worse=self.worse,
            )
        if self.of == 0:
            return Message("Not enough marks yet: about {more} more would tell.", more=self.more)
        return Message(
            "Not enough marks yet: better on {better} of {of} held-out pairs and worse on {worse}, which may be "
            "chance. About {more} more would tell.",
            better=self.better,
            of=self.of,
            worse=self.worse,
            more=self.more,
        )


def cross_validate(
    x: Float32Vectors,
    pairs: MetricPairs,
    background: Float32Vectors,
    before: PairMeasure,
    seed: int = 0,
    progress: Progress = silent,
) -> CrossValidatedChoice:
    """Find the metric that marks can teach.

    Parameters
    ----------
    x : ndarray of float32, (c, d)
        The items of the pairs.
    pairs : MetricPairs
        Of rows of ``x``, of which each says something (:class:`twinlens.core.metrics.log_det.TellingPairs`).
    background : ndarray of float32, (b, d)
        Other items, as they are drawn from the library: similar ones are looked for among them, and they stand for
        different pairs where none are marked.
    before : PairMeasure
        How far items are from each other as things are.
    """
    rng = np.random.default_rng(seed)
    held = HeldOutPairs.of(x, pairs, background, seed, rng)
    if isinstance(held, CrossValidatedChoice):
        return held
    x, pairs, sample, drawn = held.x, held.pairs, held.sample, held.splits
    similar = int(pairs.similar.sum())
    added = rng.integers(0, len(sample), (0 if not pairs.similar.all() else similar, 2))
    added = added[added[:, 0] != added[:, 1]]
    options = _options(x.shape[1])
    trial = MetricTrial.of(x, pairs, background, sample, before, max(RANKS), part(progress, 0, 0.2))
    places = [_tried(trial, options, split, added, part(progress, *_share(n, drawn))) for n, split in enumerate(drawn)]
    return held.choice(options, np.concatenate(places))


@dataclass(frozen=True, eq=False)
class HeldOutPairs:
    """Pairs, and the photographs that are held out in turn. Made by :meth:`of`.

    Attributes
    ----------
    x, pairs
        As :func:`cross_validate` takes them, but no more pairs than judging needs, similar ones first.
    sample : ndarray of int64, (s,)
        Rows of the background among which photographs are looked for.
    splits : sequence of Split
        At least one.
    """

    x: Float32Vectors
    pairs: MetricPairs
    sample: npt.NDArray[np.int64]
    splits: Sequence[Split]

    @classmethod
    def of(
        cls, x: Float32Vectors, pairs: MetricPairs, background: Float32Vectors, seed: int, rng: np.random.Generator
    ) -> HeldOutPairs | CrossValidatedChoice:
        """Draw them; where there are too few pairs, return that nothing can be chosen, and how many more would do."""
        pairs = _similar_first(pairs)
        if len(pairs.rows) > _MOST_TRIED:
            x, pairs = _some(x, pairs, rng)
        lacking = max(LEAST_PAIRS - len(pairs.rows), _LEAST_SIMILAR - int(pairs.similar.sum()), 0)
        sample = np.sort(rng.choice(len(background), min(_SAMPLE, len(background)), replace=False))
        drawn = list(splits(pairs, _REPEATS, seed)) if not lacking and len(sample) > 1 else []
        if drawn and any(pairs.similar[split.judged[:, 0]].any() for split in drawn):
            return cls(x, pairs, sample, drawn)
        nothing = TriedMetric(None, MeanEstimate(0.5, float("inf")), MeanEstimate(0, 0))
        more = max(1, lacking, marks_wanted(len(pairs.rows)))
        return CrossValidatedChoice(None, (nothing,), True, 0, 0, 0, more)

    def choice(self, options: Sequence[Declaration], places: Float64Matrix) -> CrossValidatedChoice:
        """Choose by the places of held-out photographs, of all splits in order, as things are and by each option.

        Parameters
        ----------
        places : ndarray of float64, (j, 1 + options)
            Shares of the sample that are nearer.
        """
        return _chosen(self.pairs, options, self.splits, places, 1 / len(self.sample))


def _similar_first(pairs: MetricPairs) -> MetricPairs:
    order = np.argsort(~pairs.similar, kind="stable")
    return MetricPairs(pairs.rows[order], pairs.similar[order])


def _some(x: Float32Vectors, pairs: MetricPairs, rng: np.random.Generator) -> tuple[Float32Vectors, MetricPairs]:
    """Draw the pairs to judge by, at least a quarter of each kind, and return them with their items."""
    similar, different = np.flatnonzero(pairs.similar), np.flatnonzero(~pairs.similar)
    least = _MOST_TRIED // 4
    share = round(_MOST_TRIED * len(similar) / len(pairs.rows))
    near = min(len(similar), max(least, min(share, _MOST_TRIED - min(least, len(different)))))
    far = min(len(different), _MOST_TRIED - near)
    drawn = np.concatenate(
        [np.sort(rng.choice(some, count, replace=False)) for some, count in ((similar, near), (different, far))]
    )
    items, rows = np.unique(pairs.rows[drawn], return_inverse=True)
    return x[items], MetricPairs(rows.reshape(-1, 2).astype(np.int64), pairs.similar[drawn])


def _share(number: int, drawn: Sequence[Split]) -> tuple[float, float]:
    return 0.2 + 0.8 * number / len(drawn), 0.2 + 0.8 * (number + 1) / len(drawn)


def _options(d: int) -> list[Itml]:
    """Return the choices to try, for vectors of d dimensions."""
    found = []
    for rank in dict.fromkeys(rank if rank < d else 0 for rank in RANKS):
        found += [Itml(prior="similar", slack=0.1, rank=rank, even=even) for even in EVENS]
        found.append(Itml(prior="similar", slack=0.01, rank=rank, strength=CAREFUL))
    return found


def _tried(
    trial: MetricTrial, options: Sequence[Itml], split: Split, added: npt.NDArray[np.int64], progress: Progress
) -> Float64Matrix:
    """Return the places of held-out photographs by no metric and by all options, (j, 1 + m)."""
    found = np.empty((len(split.judged), 1 + len(options)))
    found[:, 0] = trial.places_before(split.judged)
    for column, option in enumerate(options):
        step = part(progress, column / len(options), (column + 1) / len(options))
        found[:, 1 + column] = trial.places(option, split, added, step)
    return found


def _chosen(
    pairs: MetricPairs, options: Sequence[Declaration], drawn: Sequence[Split], places: Float64Matrix, step: float
) -> CrossValidatedChoice:
    judged = [split.judged for split in drawn]
    closeness, seen = of_pairs(-np.log(places + _FIRST), judged, len(pairs.rows))
    mean_places, _ = of_pairs(places, judged, len(pairs.rows))
    early, _ = of_pairs((places <= 10 * step).astype(np.float64), judged, len(pairs.rows))
    fronts, _ = of_pairs((places <= _FRONT).astype(np.float64), judged, len(pairs.rows))
    rows, similar = pairs.rows[seen], pairs.similar[seen]
    gains = (closeness[:, 1:] - closeness[:, :1])[similar]
    front = (fronts[:, 1:] - fronts[:, :1])[similar].mean(axis=0)
    held = [_held_out(column, first, similar, rows) for column, first in zip(mean_places.T, early.T, strict=True)]
    nothing = TriedMetric(None, held[0].area, MeanEstimate(0, 0))
    tried = [
        TriedMetric(
            option, held[1 + column].area, estimate_mean(gains[:, column], rows[similar], _AGAIN), float(front[column])
        )
        for column, option in enumerate(options)
    ]
    best = max(range(len(tried)), key=lambda number: tried[number].worth)
    seen_by_all = (mean_places[:, 0] + mean_places[:, 1:].mean(axis=1)) / 2
    meaning = meaningful(seen_by_all, similar, rows)
    needed = _SURE if meaning > _MEANING else _SURE_ALONE
    gain, change = tried[best].gain, gains[:, best]
    sure = tried[best].front >= 0 and gain.mean > needed * gain.error
    return CrossValidatedChoice(
        options[best] if sure else None,
        (nothing, *tried),
        all(_is_apart(pairs, split) for split in drawn),
        int((change > _UNCHANGED).sum()),
        int((change < -_UNCHANGED).sum()),
        len(change),
        0 if sure else _more(len(pairs.rows), tried[best], meaning),
        held[0],
        held[1 + best],
    )


def meaningful(places: Float64Matrix, similar: BoolMask, rows: npt.NDArray[np.int64]) -> float:
    """Return by how many errors similar pairs are nearer than different ones, or than any where none are different.

    Parameters
    ----------
    places : ndarray of float64, (p,)
        Shares of the library that are nearer.
    similar : ndarray of bool, (p,)
    rows : ndarray of int64, (p, 2)
    """
    near = estimate_mean(places[similar], rows[similar])
    far = MeanEstimate(0.5, 0.0) if similar.all() else estimate_mean(places[~similar], rows[~similar])
    return MeanEstimate(far.mean - near.mean, float(np.hypot(near.error, far.error))).surely


def _is_apart(pairs: MetricPairs, split: Split) -> bool:
    judged = np.isin(pairs.rows[split.judged[:, 0]], pairs.rows[split.learned])
    return not bool(judged.any())


def _held_out(
    places: Float64Matrix, early: Float64Matrix, similar: BoolMask, rows: npt.NDArray[np.int64]
) -> HeldOutFigures:
    """Return how well held-out pairs are separated, by their places; without different pairs, from others."""
    stands = standing(places, similar, np.linspace(0, 1, 201))
    area = estimate_mean(stands[similar], rows[similar])
    far = places[~similar] if not similar.all() else np.linspace(0, 1, 201)
    threshold = best_threshold(places[similar], far)
    right = np.where(similar, places <= threshold, places > threshold).astype(np.float64)
    near_right = estimate_mean(right[similar], rows[similar])
    far_right = MeanEstimate(float((far > threshold).mean()), 0.0)
    if not similar.all():
        area = replace(area, error=float(np.hypot(area.error, estimate_mean(stands[~similar], rows[~similar]).error)))
        far_right = estimate_mean(right[~similar], rows[~similar])
    accuracy = MeanEstimate(
        (near_right.mean + far_right.mean) / 2, float(np.hypot(near_right.error, far_right.error)) / 2
    )
    return HeldOutFigures(accuracy, area, estimate_mean(early[similar], rows[similar]))


def with_background(pairs: MetricPairs, others: npt.NDArray[np.int64]) -> MetricPairs:
    """Add as many pairs of others, as different ones, as there are similar ones, if none is marked different."""
    if not len(pairs.rows) or not pairs.similar.all():
        return pairs
    added = others[: len(pairs.rows)]
    return MetricPairs(np.concatenate([pairs.rows, added]), np.concatenate([pairs.similar, np.zeros(len(added), bool)]))


def _more(count: int, best: TriedMetric, meaning: float) -> int:
    """Return how many more marks would make sure of the gain, or of a meaning of the marks, whichever is less.

    Errors fall with the root of the number of marks. Where there is no gain, nobody can know: as many again are what a
    next look is worth. It is never fewer than what was asked for before anything was learned.
    """
    gain = best.gain
    least = marks_wanted(count)
    if gain.mean <= 0 or best.front < 0 or not np.isfinite(gain.error):
        return min(_MOST_WANTED, max(LEAST_PAIRS, count, least))
    enough = count * (_SURE_ALONE * gain.error / gain.mean) ** 2
    if meaning > 0:
        enough = min(enough, count * (_MEANING / meaning) ** 2)
    return int(min(_MOST_WANTED, max(2, least, np.ceil(enough - count) + 1)))
