"""ITML against its own optimality conditions, against a plain version, and its two forms against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twinlens.core.arrays import Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.metrics.itml import (
    SLACKS,
    UNKNOWN,
    Itml,
    _vote_chances,
    chosen_slack,
    groups_by_pairs,
    implicit_weights,
    relations,
)
from twinlens.core.metrics.log_det import (
    Constraints,
    ProjectionResult,
    TellingPairs,
    inverse,
    percentile_bounds,
    project_on_constraints,
)
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.metrics.metric_priors import Whitening
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.progress import Progress
from twinlens.testing.declarations import training_data
from twinlens.testing.metrics import factor


def problem(d: int, count: int, seed: int) -> tuple[Float64Matrix, Constraints]:
    rng = np.random.default_rng(seed)
    v = rng.standard_normal((count, d))
    similar = rng.random(count) < 0.5
    squared = np.square(v).sum(axis=1)
    return v, Constraints(similar, np.where(similar, np.quantile(squared, 0.2), np.quantile(squared, 0.8)))


def plain(
    v: Float64Matrix, constraints: Constraints, slack: float, sweeps: int
) -> tuple[Float64Matrix, Float64Matrix, Float64Matrix]:
    """Run the algorithm as it is written, with A and the paper's G beside it: (A, G, duals)."""
    a, g = np.eye(v.shape[1]), np.eye(v.shape[1])
    duals, relaxed = np.zeros(len(v)), constraints.bounds.copy()
    for _ in range(sweeps):
        for i, sign in enumerate(constraints.signs):
            p = v[i] @ a @ v[i]
            share = 1.0 if np.isinf(slack) else slack / (slack + 1)
            alpha = min(duals[i], sign * share * (1 / p - 1 / relaxed[i]))
            duals[i] -= alpha
            relaxed[i] = 1 / (1 / relaxed[i] + sign * alpha / slack)
            beta = sign * alpha / (1 - sign * alpha * p)
            y = g @ v[i]
            grown = 1 + beta * (y @ y)
            g = g + (np.sqrt(grown) - 1) / (y @ y) * np.outer(y, y @ g)
            a = a + beta * np.outer(a @ v[i], v[i] @ a)
    return a, g, duals


def both(
    v: Float64Matrix, constraints: Constraints, slack: float, sweeps: int, tolerance: float
) -> list[ProjectionResult]:
    return [
        project_on_constraints(constraints, slack, sweeps, tolerance, differences=v),
        project_on_constraints(constraints, slack, sweeps, tolerance, gram=v @ v.T),
    ]


@pytest.mark.parametrize("slack", [0.05, 1.0, 20.0])
@pytest.mark.parametrize(("d", "count"), [(6, 40), (30, 12)])
def test_both_forms_do_what_is_written(d: int, count: int, slack: float) -> None:
    v, constraints = problem(d, count, seed=1)
    a, g, duals = plain(v, constraints, slack, sweeps=7)
    np.testing.assert_allclose(g.T @ g, a, atol=1e-10 * np.abs(a).max())
    for found in both(v, constraints, slack, 7, 1e-300):
        assert found.sweeps == 7
        np.testing.assert_allclose(found.duals, duals, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(np.linalg.inv(inverse(v, constraints.signs * found.duals)), a, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(found.squared, ((v @ a) * v).sum(axis=1), rtol=1e-7)


@example(8, 1, 10.0, 257)  # the pair lies on its bound: its dual is rounding
@given(
    st.integers(2, 12),
    st.integers(1, 25),
    st.sampled_from([0.1, 1.0, 10.0]),
    st.integers(0, 10**6),
)
def test_the_conditions_of_the_optimum_hold(d: int, count: int, slack: float, seed: int) -> None:
    v, constraints = problem(d, count, seed)
    for found in both(v, constraints, slack, 20_000, 1e-9):
        assert found.converged
        assert (found.duals >= 0).all()
        relaxed = 1 / (1 / constraints.bounds - constraints.signs * found.duals / slack)
        counting = found.duals > 1e-6
        np.testing.assert_allclose(found.squared[counting], relaxed[counting], rtol=1e-4)
        side = constraints.signs * (found.squared - constraints.bounds)
        assert (side[~counting] <= 1e-4 * constraints.bounds[~counting]).all()


def test_without_slack_all_bounds_are_kept_where_they_can_be() -> None:
    v = np.eye(5)
    similar = np.array([True, True, False, False, True])
    constraints = Constraints(similar, np.where(similar, 0.25, 4.0))
    for found in both(v, constraints, float("inf"), 1000, 1e-6):
        np.testing.assert_allclose(found.squared, constraints.bounds, rtol=1e-9)
        assert not constraints.violated(found.squared).any()


def test_equal_items_teach_nothing_and_hurt_nothing() -> None:
    v, constraints = problem(6, 10, seed=3)
    v[2] = v[7] = 0
    others = np.setdiff1d(np.arange(10), [2, 7])
    left = Constraints(constraints.similar[others], constraints.bounds[others])
    for found, without in zip(both(v, constraints, 1, 9, 1e-300), both(v[others], left, 1, 9, 1e-300), strict=True):
        assert found.duals[2] == found.duals[7] == 0
        np.testing.assert_allclose(found.duals[others], without.duals, rtol=1e-9)


def test_rounding_does_not_add_up() -> None:
    v, constraints = problem(8, 30, seed=4)
    _, _, duals = plain(v, constraints, 10.0, sweeps=450)
    for found in both(v, constraints, 10.0, 450, 1e-300):
        np.testing.assert_allclose(found.duals, duals, rtol=1e-6, atol=1e-9)


# ---- the metric ------------------------------------------------------------------------------------------------------
def labelled(count: int, d: int, seed: int = 5) -> tuple[np.ndarray, MetricPairs]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((200, d)).astype(np.float32)
    x[:, 1:] *= 3  # only the first tells
    rows = rng.integers(0, 200, (count, 2))
    return x, MetricPairs(rows, (x[rows[:, 0], 0] > 0) == (x[rows[:, 1], 0] > 0))


def test_few_pairs_give_the_implicit_form_and_it_is_the_explicit_one() -> None:
    x, pairs = labelled(10, 120)
    learned = Itml().learn(x, pairs)
    assert isinstance(learned.metric, ImplicitMetric)
    rows = learned.pairs.pairs.rows
    v = x[rows[:, 0]].astype(np.float64) - x[rows[:, 1]]
    a = np.linalg.inv(inverse(v, learned.constraints.signs * learned.projected.duals))
    g = factor(learned.metric)
    np.testing.assert_allclose(g.T @ g, a, atol=1e-5 * np.abs(a).max())
    assert learned.violated == int(learned.constraints.violated(((v @ a) * v).sum(axis=1)).sum())


def test_many_pairs_give_the_explicit_form_and_what_tells_counts_more() -> None:
    x, pairs = labelled(400, 8)
    metric = Itml(slack=10.0).fit(x, pairs)
    assert isinstance(metric, ExplicitMetric)
    g = factor(metric)
    a = g.T @ g
    assert a[0, 0] > 2 * np.diag(a)[1:].max()


def test_a_small_rank_changes_only_the_principal_directions() -> None:
    x, pairs = labelled(60, 40)
    x[:, :3] *= 10
    for rank, form in ((3, ImplicitMetric), (39, ExplicitMetric)):
        metric = Itml(rank=rank).fit(x, pairs)
        assert isinstance(metric, form)
        g = factor(metric)
        changed = np.linalg.matrix_rank(g - np.eye(40), tol=1e-4)
        assert 0 < changed <= rank


def test_the_prior_of_the_inverse_covariance_is_where_it_starts() -> None:
    x, pairs = labelled(30, 10)
    metric = Itml(prior="covariance", slack=1e-6).fit(x, pairs)
    g = factor(metric)
    a = g.T @ g
    spread = 1 / np.diag(np.cov(x.T))
    np.testing.assert_allclose(np.diag(a) / np.diag(a).mean(), spread / spread.mean(), rtol=0.35)


def test_the_implicit_weights_need_inner_products_alone() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(2)
    phi = scipy_sparse.random_array((9, 500), density=0.1, rng=rng, format="csr")
    ends = rng.integers(0, 9, (14, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    gram = (phi @ phi.T).toarray()
    dense = phi.toarray()
    v = dense[ends[:, 0]] - dense[ends[:, 1]]
    weights = rng.random(len(ends)) / 10
    metric = SparseMetric.of(phi, implicit_weights(gram, ends, weights))
    a_on_items = dense @ np.linalg.inv(inverse(v, weights)) @ dense.T
    np.testing.assert_allclose(gram + gram @ metric.m @ gram, a_on_items, atol=1e-10)


def test_pairs_that_teach_nothing_are_left_out_and_named() -> None:
    rows = np.array([[0, 1], [1, 0], [2, 2], [3, 4], [4, 3], [5, 6], [0, 7]])
    similar = np.array([True, True, True, True, False, False, True])
    blank = np.arange(8) == 7
    telling = TellingPairs.of(MetricPairs(rows, similar), blank)
    np.testing.assert_array_equal(telling.pairs.rows, [[0, 1], [5, 6]])
    np.testing.assert_array_equal(telling.pairs.similar, [True, False])
    assert (telling.itself, telling.twice, telling.contradicted, telling.blank) == (1, 1, 1, 1)
    for words in ("itself", "marked before", "both similar and different", "nothing to compare"):
        assert words in str(telling.left_out())
    with pytest.raises(TwinlensError, match="no pair to learn from"):
        TellingPairs.of(MetricPairs(rows[2:5], similar[2:5]), blank)
    with pytest.raises(TwinlensError, match="row 9"):
        TellingPairs.of(MetricPairs(np.array([[0, 9]]), np.array([True])), blank)


def test_bounds_are_percentiles_of_squared_distances() -> None:
    x = np.arange(6.0)[:, None]
    squared = [(i - j) ** 2 for i in range(6) for j in range(i)]
    found = percentile_bounds(x, np.array([True, False]), (10, 90), 1000, np.random.default_rng(0))
    np.testing.assert_allclose(found.bounds, np.percentile(squared, [10, 90]))
    drawn = percentile_bounds(
        np.random.default_rng(1).random((500, 3)), np.array([True, False]), (5, 95), 4000, np.random.default_rng(0)
    )
    assert 0 < drawn.bounds[0] < drawn.bounds[1]
    with pytest.raises(TwinlensError, match="equal"):
        percentile_bounds(np.ones((4, 2)), np.array([True]), (5, 95), 10, np.random.default_rng(0))


def test_without_pairs_it_says_so() -> None:
    with pytest.raises(TwinlensError, match="learns from pairs"):
        Itml().fit(training_data())


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
