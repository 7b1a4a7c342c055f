"""The slack of ITML, chosen by cross-validation."""

from __future__ import annotations

import numpy as np
import pytest

from core.arrays import Float64Matrix
from core.metrics.itml import SLACKS, UNKNOWN, Itml, _vote_chances, chosen_slack, groups_by_pairs, relations
from core.metrics.metric import FittedMetric, MetricPairs
from core.metrics.metric_priors import Whitening
from core.progress import Progress


def classes(n: int, d: int, told_by: int, seed: int = 0) -> tuple[Float64Matrix, np.ndarray]:
    """Make items of four classes that a few of d dimensions tell, and these hold little."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, n)
    x = rng.standard_normal((n, d))
    x[:, :told_by] = 0.3 * rng.standard_normal((n, told_by)) + rng.standard_normal((4, told_by))[labels]
    return x, labels


def drawn(labels: np.ndarray, count: int, seed: int = 1) -> MetricPairs:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, len(labels), (20 * count, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    same = labels[rows[:, 0]] == labels[rows[:, 1]]
    some = np.concatenate([rows[same][: count // 2], rows[~same][: count // 2]])
    return MetricPairs(some, np.arange(len(some)) < count // 2)


def accuracy(metric: FittedMetric, x: Float64Matrix, labels: np.ndarray) -> float:
    images = metric.apply(x).astype(np.float64)
    squared = np.square(images[:, None] - images[None]).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return float(np.mean(labels[squared.argmin(axis=1)] == labels))


def test_what_similar_pairs_join_is_one_group() -> None:
    pairs = MetricPairs(np.array([[0, 1], [1, 2], [3, 4], [0, 3]]), np.array([True, True, True, False]))
    groups = groups_by_pairs(6, pairs)
    assert len(set(groups[:3])) == 1
    assert groups[3] == groups[4] != groups[0]
    assert groups[5] not in groups[:5]
    related = relations(groups, pairs)
    assert related[groups[0], groups[4]]
    assert not related[groups[0], groups[5]]
    assert related.diagonal().all()


def test_only_those_vote_of_which_something_is_known() -> None:
    images = np.array([[0.0], [0.1], [0.2], [0.3], [1.0], [1.1]])
    groups = np.array([0, 1, 2, 2, 0, 0])
    related = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool)
    known = np.array([False, True, True, True, True, True])
    (chance,) = _vote_chances(images, groups, related, known, np.array([0]))
    assert chance == pytest.approx(0.5)  # two of group 2 and two of its own; the nearest of all says nothing


def test_pairs_with_much_to_teach_get_more_slack_than_pairs_made_at_random() -> None:
    x, labels = classes(160, 20, told_by=3)
    pairs = drawn(labels, 300)
    at_random = MetricPairs(pairs.rows, np.random.default_rng(2).permutation(pairs.similar))

    def learn(slack: float, some: MetricPairs, progress: Progress) -> FittedMetric:
        return Itml(slack=slack, sweeps=50).fit(x, some, progress)

    taught = chosen_slack(learn, x, pairs, 0)
    assert taught > SLACKS[0]
    assert taught >= chosen_slack(learn, x, at_random, 0)
    chosen = Itml().fit(x, pairs)
    assert f"{taught:g}" in str(chosen.note)
    fixed = Itml(slack=taught).fit(x, pairs)
    np.testing.assert_array_equal(chosen.apply(x), fixed.apply(x))
    assert accuracy(chosen, x, labels) > accuracy(Whitening().fit(x), x, labels) + 0.1


@pytest.mark.parametrize(
    "pairs", [drawn(np.arange(40) % 4, 8), MetricPairs(np.array([[0, 1], [2, 3]] * 20), np.ones(40, bool))]
)
def test_where_too_little_can_be_told_it_is_one(pairs: MetricPairs) -> None:
    def learn(slack: float, some: MetricPairs, progress: Progress) -> FittedMetric:
        return Whitening().fit(x)

    x = np.random.default_rng(0).standard_normal((40, 4))
    assert chosen_slack(learn, x, pairs, 0) == UNKNOWN


def test_the_choice_repeats() -> None:
    x, labels = classes(80, 6, told_by=2, seed=4)
    pairs = drawn(labels, 120)
    np.testing.assert_array_equal(Itml().fit(x, pairs).apply(x), Itml().fit(x, pairs).apply(x))
