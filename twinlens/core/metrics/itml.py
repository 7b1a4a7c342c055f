"""ITML: a metric learned from pairs that are marked similar or different.

Davis, Kulis, Jain, Sra and Dhillon, ICML 2007; Kulis, Jain and Grauman, PAMI 2009, for what hashing needs of it.
:mod:`twinlens.core.metrics.log_det` solves it; G is computed once at the end. Where the pairs are fewer than the
dimensions, G is implicit, given by the items of the pairs (PAMI 2009, section 4.2).

The slack is chosen by cross-validation. Davis et al. (ICML 2007, section 5) choose among .01, .1, 1 and 10 by k-NN with
labels. Pairs have no labels, but they have groups: items that similar pairs join, directly or by way of others. Items
are held out; a metric learned from the pairs of the others predicts the group of each held-out item by its nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message, joined
from twinlens.core.metrics.log_det import (
    Constraints,
    ProjectionResult,
    TellingPairs,
    inverse,
    percentile_bounds,
    project_on_constraints,
)
from twinlens.core.metrics.metric import FittedMetric, Metric, MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.metrics.metric_priors import (
    Directions,
    Whitening,
    principal_directions,
    similar_pair_weights,
    similar_scatter,
    starting_factor,
)
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, one_thread, training_vectors

Places = npt.NDArray[np.intp]
DRAWS = 10_000
"""Pairs of items that the bounds are found from."""

_OTHERS = 1_000  # items that bounds and prior are found from while the slack is chosen
_ENOUGH = 50  # sweeps to compare slacks by
_CUT = 1e-10  # of the largest eigenvalue: below it is rounding


class Itml(Metric):
    """Brings together what was marked similar and moves apart what was marked different, and else changes little.

    Of all metrics that keep similar pairs near and different pairs far it takes the one nearest to where it starts.
    The slack says how much the marks count against that; a small rank lets it change only what most differs between
    photos, so that a few marks are not learned by heart.
    """

    key = "itml"
    title = "Learned from pairs (ITML)"
    paper = "Davis, Kulis, Jain, Sra and Dhillon, ICML 2007; Kulis, Jain and Grauman, PAMI 31(12), 2009"
    fitted: ClassVar[tuple[type[FittedMetric], ...]] = (ExplicitMetric, ImplicitMetric)
    version = 2
    needs_marks: ClassVar[bool] = True

    slack: float | Literal["auto"] = parameter(
        "auto",
        gt=0,
        le=1e6,
        shown=True,
        help="How much the marks count beside the prior; small values change less. By itself it is found by "
        "cross-validation among .01, .1, 1 and 10.",
    )
    prior: Literal["identity", "covariance", "similar"] = parameter(
        "identity",
        help="Where it starts: all directions count alike, the inverse covariance of the items with a tenth of the "
        "mean variance added (whitening), or what similar pairs differ in beside what all items differ in, which "
        "learns most from few pairs.",
    )
    rank: int = parameter(
        0,
        ge=0,
        le=8192,
        help="Principal directions that may be weighed anew; what lies outside stays as it is. 0 for all.",
    )
    strength: float = parameter(
        10.0,
        gt=0,
        le=1e6,
        help="Of prior=similar: so many similar pairs' worth count towards changing nothing. The larger, the more "
        "careful with few pairs.",
    )
    even: float = parameter(
        0.0,
        ge=0,
        le=1,
        help="Of prior=similar: how far principal directions of little spread are raised to those of much: 0 not at "
        "all, 1 to the same.",
    )
    near: float = parameter(
        5.0, ge=0, le=100, unit="%", help="Similar pairs shall be nearer than this share of all pairs of items."
    )
    far: float = parameter(
        95.0, ge=0, le=100, unit="%", help="Different pairs shall be farther than this share of all pairs of items."
    )
    sweeps: int = parameter(1000, ge=1, le=100_000, help="Times that the pairs are gone through at most.")
    tolerance: float = parameter(1e-3, gt=0, lt=1, help="It stops when the duals change by less than this share.")
    seed: int = parameter(0, ge=0, le=2**31 - 1, help="Start of the draw of pairs that the bounds are found from.")

    def fit(self, x: Vectors, pairs: MetricPairs | None = None, progress: Progress = silent) -> FittedMetric:
        """Learn a metric; see :meth:`learn`, which says more."""
        return self.learn(x, pairs, progress).metric

    def learn(self, x: Vectors, pairs: MetricPairs | None, progress: Progress = silent) -> LearnedMetric:
        """Learn a metric from pairs.

        Parameters
        ----------
        x : ndarray, (n, d)
            The items of the pairs and, better, others like them: bounds, prior and spread are found from all.
        pairs : MetricPairs
            Of rows of ``x``. Pairs of an item with itself, a second time, or marked both ways are left out.

        Raises
        ------
        TwinlensError
            If there are no pairs, none is left, a row does not exist, or the items are all equal.
        """
        items = np.asarray(x)
        sample = training_vectors(items)
        if pairs is None:
            raise TwinlensError(
                "{key} learns from pairs, and none are given.", "Mark some pairs, or name a file.", key=self.key
            )
        telling = TellingPairs.of(pairs, np.asarray(~items.any(axis=1)))
        rows = telling.pairs.rows
        if self.slack == "auto":
            return self._learned_by_choice(items, telling.pairs, pairs, progress)
        whitening = self._whitening(sample, part(progress, 0, 0.2))
        seen = sample if whitening is None else whitening.apply(sample)
        directions = self.directions(seen, part(progress, 0.2, 0.3))
        marked, where = np.unique(rows, return_inverse=True)
        ends = where.reshape(-1, 2)
        phi = (items[marked] if whitening is None else whitening.apply(items[marked])).astype(np.float64)
        table = seen.astype(np.float64)
        step = part(progress, 0.3, 0.8)
        made: FittedMetric
        if directions is None:
            v = phi[ends[:, 0]] - phi[ends[:, 1]]
            solved = self._projected(table, v, telling.pairs.similar, step)
            if whitening is None and 2 * len(phi) < phi.shape[1] and len(v) <= v.shape[1]:
                s = implicit_weights(phi @ phi.T, ends, solved.weights)
                made = ImplicitMetric.of(items[marked], s, ranking=self.ranking)
            else:
                made = self._whole(symmetric_root(inverse(v, solved.weights)), None, whitening)
        else:
            coordinates = PrincipalCoordinates(directions, table @ directions.basis, phi @ directions.basis)
            solved = self.solve(coordinates, MetricPairs(ends, telling.pairs.similar), step)
            made = self._whole(solved.factor, directions.basis, whitening)
        note = telling.left_out()
        if not solved.projected.converged:
            stopped = Message("Stopped after {sweeps} sweeps without converging.", sweeps=solved.projected.sweeps)
            note = joined([note, stopped])
        made = replace(made, note=note).fitted_to(sample, part(progress, 0.9, 1))
        return LearnedMetric(made, telling, solved.constraints, solved.projected)

    def _learned_by_choice(
        self, items: Vectors, telling: MetricPairs, pairs: MetricPairs, progress: Progress
    ) -> LearnedMetric:
        """Learn with the slack that cross-validation finds."""
        marked, ends = np.unique(telling.rows, return_inverse=True)
        others = items[draw_places(len(items), _OTHERS, np.random.default_rng(self.seed))]
        table = np.concatenate([items[marked], others])

        def learn(slack: float, some: MetricPairs, progress: Progress) -> FittedMetric:
            return self.changed(slack=slack, sweeps=min(self.sweeps, _ENOUGH)).learn(table, some, progress).metric

        at = MetricPairs(ends.reshape(-1, 2), telling.similar)
        slack = chosen_slack(learn, table[: len(marked)], at, self.seed, part(progress, 0, 0.9))
        learned = self.changed(slack=slack).learn(items, pairs, part(progress, 0.9, 1))
        found = Message("The slack {slack} was found by cross-validation.", slack=slack)
        return replace(learned, metric=replace(learned.metric, note=joined([learned.metric.note, found])))

    def directions(self, x: Vectors, progress: Progress = silent) -> Directions | None:
        """Find the principal directions of items that are weighed anew; None where all directions are."""
        if self.prior != "similar" and not 0 < self.rank < x.shape[1]:
            progress(0, 1, Message("Starting"))
            return None
        return principal_directions(x, min(self.rank or x.shape[1], x.shape[1]), self.seed, progress)

    def solve(self, at: PrincipalCoordinates, pairs: MetricPairs, progress: Progress = silent) -> ItmlSolution:
        """Learn the factor in principal directions; what lies outside of them stays as it is.

        Parameters
        ----------
        pairs : MetricPairs
            Of rows of its marked items, that tell something, similar ones first.

        Raises
        ------
        TwinlensError
            If the items are all equal.
        """
        v = at.marked[pairs.rows[:, 0]] - at.marked[pairs.rows[:, 1]]
        if self.prior != "similar":
            solved = self._projected(at.table, v, pairs.similar, progress)
            return replace(solved, factor=symmetric_root(inverse(v, solved.weights)))
        near = pairs.rows[pairs.similar]
        scatter = similar_scatter(v[pairs.similar], similar_pair_weights(near), at.directions.variances, self.strength)
        first = starting_factor(scatter, at.directions.variances, self.even)
        v = v @ first.T
        solved = self._projected(at.table @ first.T, v, pairs.similar, progress)
        return replace(solved, factor=symmetric_root(inverse(v, solved.weights)) @ first)

    def _projected(
        self, table: Float64Matrix, v: Float64Matrix, similar: npt.NDArray[np.bool_], progress: Progress
    ) -> ItmlSolution:
        assert self.slack != "auto", "what is solved has a slack"
        rng = np.random.default_rng(self.seed)
        constraints = percentile_bounds(table, similar, (self.near, self.far), DRAWS, rng)
        narrow = len(v) <= v.shape[1]
        projected = project_on_constraints(
            constraints,
            self.slack,
            self.sweeps,
            self.tolerance,
            differences=None if narrow else v,
            gram=v @ v.T if narrow else None,
            progress=progress,
        )
        return ItmlSolution(constraints, projected)

    def _whitening(self, sample: Vectors, progress: Progress) -> FittedMetric | None:
        if self.prior != "covariance":
            progress(0, 1, Message("Starting"))
            return None
        return Whitening().fit(sample, progress=progress)

    def _whole(self, g: Float64Matrix, basis: Float64Matrix | None, whitening: FittedMetric | None) -> FittedMetric:
        """Put G together: (I + U (G_r - I) U') times the factor of the prior."""
        if basis is not None and whitening is None and 2 * basis.shape[1] < basis.shape[0]:
            return ImplicitMetric.of(basis.T, g - np.eye(len(g)), ranking=self.ranking)
        if basis is not None:
            g = np.eye(basis.shape[0]) + basis @ (g - np.eye(len(g))) @ basis.T
        if whitening is not None:
            assert isinstance(whitening, ExplicitMetric)
            g = g @ whitening.g.astype(np.float64)
        return ExplicitMetric.of(g, ranking=self.ranking)


@dataclass(frozen=True, eq=False)
class LearnedMetric:
    """A metric, and how its learning went.

    Attributes
    ----------
    pairs : TellingPairs
        What it was learned from.
    """

    metric: FittedMetric
    pairs: TellingPairs
    constraints: Constraints
    projected: ProjectionResult

    @property
    def violated(self) -> int:
        """Number of pairs that are still on the wrong side of their bound."""
        return int(self.constraints.violated(self.projected.squared).sum())


@dataclass(frozen=True, eq=False)
class PrincipalCoordinates:
    """Items in principal directions.

    Attributes
    ----------
    directions : Directions
        r of them.
    table : ndarray of float64, (n, r)
        Items that bounds are found from.
    marked : ndarray of float64, (c, r)
        Items that pairs are of.
    """

    directions: Directions
    table: Float64Matrix
    marked: Float64Matrix


@dataclass(frozen=True, eq=False)
class ItmlSolution:
    """The solution in some coordinates.

    Attributes
    ----------
    factor : ndarray of float64, (r, r)
        G there, but empty where it is not asked for.
    """

    constraints: Constraints
    projected: ProjectionResult
    factor: Float64Matrix = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def weights(self) -> Float64Matrix:
        """δ λ of the pairs, (p,)."""
        return self.constraints.signs * self.projected.duals


def symmetric_root(inverse_of_a: Float64Matrix) -> Float64Matrix:
    """Return the symmetric G with G G = A of the inverse of A, (d, d) -> (d, d)."""
    with one_thread():
        values, directions = np.linalg.eigh(inverse_of_a)
    return np.asarray((directions / np.sqrt(np.maximum(values, _CUT * values[-1]))) @ directions.T)


def implicit_weights(gram: Float64Matrix, ends: Places, weights: Float64Matrix) -> Float64Matrix:
    """Return S of G = I + Φ S Φ', of which only the items' inner products are known.

    With O an orthonormal basis of what the items span, A = I + O N O' and G = I + O ((I + N)^(1/2) - I) O'.

    Parameters
    ----------
    gram : ndarray of float64, (c, c)
        K0 = Φ'Φ: inner products, or a kernel, of the items in pairs.
    ends : ndarray of int, (p, 2)
        The items of each pair.
    weights : ndarray of float64, (p,)
        δ λ of the pairs.

    Returns
    -------
    ndarray of float64, (c, c)
        Symmetric.
    """
    with one_thread():
        values, directions = np.linalg.eigh(gram)
    kept = values > _CUT * values[-1]
    values, directions = values[kept], directions[:, kept]
    coordinates = directions * np.sqrt(values)  # of the items, in the basis
    v = coordinates[ends[:, 0]] - coordinates[ends[:, 1]]
    change = symmetric_root(inverse(v, weights)) - np.eye(len(values))
    back = directions / np.sqrt(values)
    return np.asarray(back @ change @ back.T)


SLACKS = (0.01, 0.1, 1.0, 10.0)
UNKNOWN = 1.0
"""The slack where too few items are in groups to be told."""

_FOLDS = 5
_VOTERS = 4
_LEAST_JUDGED = 20  # held-out items
Groups = npt.NDArray[np.int64]
Learn = Callable[[float, MetricPairs, Progress], FittedMetric]


def chosen_slack(
    learn: Learn, items: Float64Matrix, pairs: MetricPairs, seed: int, progress: Progress = silent
) -> float:
    """Return the smallest slack that is about as good as the best.

    It is one standard error behind at most, by the share of held-out items that are told their group.

    Parameters
    ----------
    learn : callable
        Returns the metric of a slack and some of the pairs.
    items : ndarray, (c, d)
        The items of the pairs.
    pairs : MetricPairs
        Of rows of ``items``.
    seed : int
        Of the draw of folds.
    """
    groups = groups_by_pairs(len(items), pairs)
    related = relations(groups, pairs)
    folds = np.random.default_rng(seed).permutation(len(items)) % _FOLDS
    lost: list[Float64Matrix] = []
    for fold in range(_FOLDS):
        known = folds != fold
        kept = known[pairs.rows].all(axis=1)
        held_out = np.flatnonzero(~known & _is_decidable(groups, related, known))
        if not len(held_out) or not pairs.similar[kept].any():
            continue
        teaching = MetricPairs(pairs.rows[kept], pairs.similar[kept])
        chances = np.empty((len(SLACKS), len(held_out)))
        for place, slack in enumerate(SLACKS):
            done = fold * len(SLACKS) + place
            step = part(progress, done / (_FOLDS * len(SLACKS)), (done + 1) / (_FOLDS * len(SLACKS)))
            images = learn(slack, teaching, step).apply(items).astype(np.float64)
            chances[place] = _vote_chances(images, groups, related, known, held_out)
        lost.append(chances)
    chances = np.concatenate(lost, axis=1) if lost else np.empty((len(SLACKS), 0))
    if chances.shape[1] < _LEAST_JUDGED:
        return UNKNOWN
    behind = chances[chances.mean(axis=1).argmax()] - chances
    error = behind.std(axis=1, ddof=1) / np.sqrt(chances.shape[1])
    return SLACKS[int(np.argmax(behind.mean(axis=1) <= error))]


def groups_by_pairs(count: int, pairs: MetricPairs) -> Groups:
    """Return the group of each of some items, (count,): what similar pairs join is one group."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = pairs.rows[pairs.similar]
    joined = coo_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(count, count))
    return np.asarray(connected_components(joined, directed=False)[1], np.int64)


def relations(groups: Groups, pairs: MetricPairs) -> npt.NDArray[np.bool_]:
    """Return of which groups it is known that they are different, or the same, (g, g)."""
    known = np.eye(groups.max(initial=-1) + 1, dtype=bool)
    one, other = groups[pairs.rows[~pairs.similar]].T
    known[one, other] = known[other, one] = True
    return known


def _is_decidable(
    groups: Groups, related: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which items have a known item of their own group and of another, (c,)."""
    counts = np.bincount(groups[known], minlength=len(related))
    own = counts[groups] > 0
    others = (related @ counts)[groups] > counts[groups]
    return np.asarray(own & others)


def _vote_chances(
    images: Float64Matrix,
    groups: Groups,
    related: npt.NDArray[np.bool_],
    known: npt.NDArray[np.bool_],
    held_out: Groups,
) -> Float64Matrix:
    """Return of held-out items the chance that their nearest vote for their group, (q,).

    Only those vote of which it is known whether they are of its group.
    """
    squared = np.square(images[known]).sum(axis=1) - 2 * (images[held_out] @ images[known].T)
    of = groups[known]
    squared[~related[groups[held_out]][:, of]] = np.inf
    order = np.argsort(squared, axis=1, kind="stable")[:, :_VOTERS]
    counts = np.isfinite(np.take_along_axis(squared, order, axis=1))
    voters = of[order]
    votes = ((voters[:, :, None] == voters[:, None, :]) & counts[:, None, :]).sum(axis=2)
    first = counts & (votes == votes.max(axis=1, keepdims=True))
    share = first / np.maximum(votes, 1)  # each of the groups with most votes counts once
    return np.asarray((share * (voters == groups[held_out][:, None])).sum(axis=1) / share.sum(axis=1))
