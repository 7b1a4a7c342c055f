"""Where ITML starts from similar pairs: in plain numpy, and that it learns from few what the identity does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.metrics.itml import Itml, PrincipalCoordinates
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.metrics.metric_forms import ImplicitMetric
from twinlens.core.metrics.metric_priors import (
    pair_groups,
    principal_directions,
    similar_pair_weights,
    similar_scatter,
    starting_factor,
)
from twinlens.core.progress import silent
from twinlens.testing.metrics import factor


def kinds(count: int, d: int = 60, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Make items of five kinds, told by some of the louder directions; all else is noise."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 5, count)
    x = rng.standard_normal((count, d)) * np.linspace(2, 0.2, d)
    x[:, 4:12] += 2 * np.random.default_rng(99).standard_normal((5, 8))[kind]
    return x.astype(np.float32), kind


def paired(count: int, seed: int) -> tuple[np.ndarray, MetricPairs]:
    x, kind = kinds(600, seed=seed)
    rows = np.random.default_rng(seed).permutation(400)[: 4 * count].reshape(-1, 2)
    similar = kind[rows[:, 0]] == kind[rows[:, 1]]
    chosen = np.concatenate([np.flatnonzero(similar)[: count // 4], np.flatnonzero(~similar)[: count - count // 4]])
    return x, MetricPairs(rows[chosen], similar[chosen])


def precision(x: np.ndarray, kind: np.ndarray) -> float:
    squared = np.square(x[:, None] - x[None]).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return float((kind[np.argsort(squared, axis=1)[:, :10]] == kind[:, None]).mean())


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_groups_are_what_pairs_hang_together(edges: list[tuple[int, int]]) -> None:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    reached = np.eye(12, dtype=bool)
    for one, other in edges:
        reached[one, other] = reached[other, one] = True
    for _ in range(12):
        reached = reached @ reached
    np.testing.assert_array_equal(pair_groups(ends, 12), reached.argmax(axis=1))


def test_a_group_says_as_much_as_its_items_less_one() -> None:
    clique = np.array([(i, j) for i in range(5) for j in range(i)])
    np.testing.assert_allclose(similar_pair_weights(clique), 0.4)
    np.testing.assert_allclose(similar_pair_weights(np.arange(8).reshape(-1, 2)), 1)
    np.testing.assert_allclose(similar_pair_weights(np.array([(0, 1), (0, 2), (0, 3)])), 1)
    np.testing.assert_allclose(similar_pair_weights(np.concatenate([clique, [(7, 9)]]))[-1], 1)
    assert not len(similar_pair_weights(np.zeros((0, 2), np.int64)))


def test_the_scatter_is_that_of_the_pairs_beside_that_of_all() -> None:
    rng = np.random.default_rng(0)
    v, variances = rng.standard_normal((7, 4)), np.array([4.0, 2, 1, 0.5])
    counts = np.array([1, 1, 1, 1, 0.5, 0.5, 0.5])
    u = v / np.sqrt(variances)
    expected = (10 * np.eye(4) + sum(c * np.outer(row, row) / 2 for c, row in zip(counts, u, strict=True))) / 15.5
    np.testing.assert_allclose(similar_scatter(v, counts, variances, 10.0), expected)
    g = starting_factor(expected, variances, even=0.5)
    evened = np.diag((variances / 4) ** -0.25)
    np.testing.assert_allclose(g.T @ g, evened @ np.linalg.inv(expected) @ evened)


def test_pairs_like_any_change_nothing() -> None:
    """Of pairs that differ as all items do, W is the identity."""
    rng = np.random.default_rng(2)
    variances = np.array([9.0, 4, 1])
    v = rng.standard_normal((200_000, 3)) * np.sqrt(2 * variances)
    np.testing.assert_allclose(similar_scatter(v, np.ones(len(v)), variances, 1.0), np.eye(3), atol=0.02)


def test_principal_directions_come_with_their_variances() -> None:
    x, _ = kinds(500)
    found = principal_directions(x, 7, 0, silent)
    values = np.linalg.eigvalsh(np.cov(x.T.astype(np.float64), bias=True))[::-1]
    np.testing.assert_allclose(found.variances, values[:7], rtol=1e-5)
    np.testing.assert_allclose(found.basis.T @ found.basis, np.eye(7), atol=1e-9)
    assert found.first(3).basis.shape == (60, 3)
    assert found.first(0) is found


@pytest.mark.parametrize("even", [0.0, 0.5])
def test_the_metric_is_the_start_where_the_slack_is_next_to_nothing(even: float) -> None:
    x, pairs = paired(40, 3)
    metric = Itml(prior="similar", rank=8, slack=1e-9, even=even).fit(x, pairs)
    assert isinstance(metric, ImplicitMetric)
    found = principal_directions(x, 8, 0, silent)
    near = pairs.rows[pairs.similar]
    v = (x[near[:, 0]] - x[near[:, 1]]).astype(np.float64) @ found.basis
    first = starting_factor(similar_scatter(v, np.ones(len(v)), found.variances, 10.0), found.variances, even)
    expected = np.eye(60) + found.basis @ (first - np.eye(8)) @ found.basis.T
    np.testing.assert_allclose(factor(metric), expected, atol=1e-5)


def test_it_is_the_same_in_principal_directions() -> None:
    x, pairs = paired(40, 4)
    declared = Itml(prior="similar", rank=8, slack=0.5)
    found = declared.directions(x)
    assert found is not None
    at = PrincipalCoordinates(found, x @ found.basis, x @ found.basis)
    order = np.argsort(~pairs.similar, kind="stable")
    solved = declared.solve(at, MetricPairs(pairs.rows[order], pairs.similar[order]))
    g = factor(declared.fit(x, pairs))
    np.testing.assert_allclose(found.basis.T @ g @ found.basis, solved.factor, atol=1e-5)


def test_few_pairs_teach_it_what_they_do_not_teach_plain_itml() -> None:
    gains = []
    for seed in range(3):
        x, pairs = paired(60, seed)
        fresh, kind = kinds(400, seed=100 + seed)
        before = precision(fresh, kind)
        learned, plain = (
            precision(one.fit(x, pairs).apply(fresh), kind) - before
            for one in (Itml(prior="similar", rank=16, slack=0.1), Itml(rank=16, slack=0.1))
        )
        gains.append((learned, plain))
    learned, plain = np.mean(gains, axis=0)
    assert learned > 0.04
    assert learned > plain


def test_without_a_similar_pair_it_starts_where_all_count_alike() -> None:
    x, pairs = paired(40, 5)
    far = MetricPairs(pairs.rows[~pairs.similar], pairs.similar[~pairs.similar])
    metric = Itml(prior="similar", rank=8, slack=1e-9).fit(x, far)
    np.testing.assert_allclose(factor(metric), np.eye(60), atol=1e-5)
