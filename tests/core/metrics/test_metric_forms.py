"""The two forms of one metric agree, and G = I is no metric at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.metrics.metric_priors import Whitening
from twinlens.testing.declarations import training_data
from twinlens.testing.metrics import factor


@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 10_000))
def test_implicit_is_explicit(c: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, s = rng.standard_normal((c, d)).astype(np.float32), rng.standard_normal((c, c)) / c
    implicit, x = ImplicitMetric.of(items, s), rng.standard_normal((20, d)).astype(np.float32)
    explicit = implicit.explicit()
    g = np.eye(d) + items.T.astype(np.float64) @ s @ items
    np.testing.assert_allclose(explicit.g, g, atol=1e-6 * np.abs(g).max())
    largest = np.abs(x.astype(np.float64) @ g.T).max()
    size = max(largest, np.abs(items).max() * np.abs(x).max() * np.abs(s).sum())
    np.testing.assert_allclose(implicit.apply(x), explicit.apply(x), atol=4e-6 * size)
    np.testing.assert_allclose(implicit.distances(x[0], x), explicit.distances(x[0], x), atol=3e-5 * size)
    spectrum = explicit.spectrum()
    np.testing.assert_allclose(implicit.spectrum(), spectrum, atol=2e-5 * spectrum[0])


def test_learned_kernel_is_that_of_the_paper() -> None:
    x = training_data(n=30) / 4
    items = x[:6]
    s = np.random.default_rng(1).standard_normal((6, 6)) / 5
    metric = ImplicitMetric.of(items, s)
    phi = items.T.astype(np.float64)
    gram = phi.T @ phi
    k, query = x.astype(np.float64) @ phi, x[9].astype(np.float64)
    expected = x @ query + k @ (s + s.T + s.T @ gram @ s) @ (query @ phi)
    np.testing.assert_allclose(metric.m, s + s.T + s.T @ gram @ s, rtol=1e-5)
    np.testing.assert_allclose(metric.kernel(x[9], x), expected, rtol=1e-5)


def test_both_running_factors_of_the_paper_are_one_metric() -> None:
    """The explicit update of G and the implicit one of S, over the same pairs with the same steps."""
    x = training_data(n=8).astype(np.float64)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    rng, d, c = np.random.default_rng(2), x.shape[1], len(x)
    g, s, gram, one = np.eye(d), np.zeros((c, c)), x @ x.T, np.eye(c)
    a = np.eye(d)
    for _ in range(40):
        i, j = rng.choice(c, 2, replace=False)
        v, e = x[i] - x[j], one[i] - one[j]
        y = g @ v
        beta = rng.uniform(-0.5, 0.5) / (y @ y)
        alpha = (np.sqrt(1 + beta * (y @ y)) - 1) / (y @ y)
        a += beta * np.outer(a @ v, a @ v)
        g += alpha * np.outer(y, y @ g)
        s += alpha * np.outer((one + s @ gram) @ e, e @ (one + gram @ s.T) @ (one + gram @ s))
    np.testing.assert_allclose(g.T @ g, a, atol=1e-12)
    metric = ImplicitMetric.of(x, s)
    np.testing.assert_allclose(factor(metric), g, atol=1e-5)
    np.testing.assert_allclose(metric.spectrum(), np.sort(np.linalg.eigvalsh(a))[::-1], atol=1e-5)


def test_the_identity_measures_as_no_metric_does() -> None:
    x = training_data()
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    none = Measure(Linear()).distances(x[0], x)
    for metric in (
        ExplicitMetric.of(np.eye(24)),
        ExplicitMetric.of(np.eye(24) * 7),
        ImplicitMetric.of(x[:3], np.zeros((3, 3))),
        ExplicitMetric.of(np.eye(24), ranking="kernel"),
    ):
        np.testing.assert_allclose(metric.fitted_to(x).distances(x[0], x), none, atol=1e-6)


def test_items_that_are_all_equal_have_a_spread() -> None:
    x = np.repeat(training_data(n=1), 9, axis=0)
    metric = ExplicitMetric.of(np.eye(24) * 2).fitted_to(x)
    assert metric.spread == pytest.approx(2 * np.linalg.norm(x[0]), rel=1e-6)
    np.testing.assert_array_equal(metric.distances(x[0], x), 0)
    assert ExplicitMetric.of(np.eye(24)[:1] * x[0, 1] - np.eye(24)[1:2] * x[0, 0]).fitted_to(x).spread > 0


def test_too_large_to_be_written_out_or_to_be_kept() -> None:
    with pytest.raises(TwinlensError, match="9,000 dimensions"):
        ImplicitMetric.of(np.ones((1, 9_000)), np.ones((1, 1))).explicit()
    with pytest.raises(TwinlensError, match=r"row 1 .*too large for float32"):
        ExplicitMetric.of(np.eye(2) * 1e30).apply(np.array([[1.0, 1.0], [1e20, 1.0]]))


# ---- whitening -------------------------------------------------------------------------------------------------------
@given(st.floats(0.001, 10), st.integers(0, 1_000))
def test_whitening_inverts_the_covariance(shrinkage: float, seed: int) -> None:
    x = training_data(n=200, d=9, seed=seed).astype(np.float64)
    metric = Whitening(shrinkage=shrinkage).fit(x)
    covariance = np.cov(x.T)
    expected = np.linalg.inv(covariance + shrinkage * np.trace(covariance) / 9 * np.eye(9))
    g = metric.g.astype(np.float64)
    np.testing.assert_allclose(g.T @ g, expected, atol=1e-5 * np.abs(expected).max())


def test_without_shrinkage_every_direction_counts_alike() -> None:
    x = training_data()
    images = Whitening(shrinkage=0).fit(x).apply(x)
    np.testing.assert_allclose(np.cov(images.T), np.eye(24), atol=1e-3)


def test_whitening_says_what_it_cannot_invert() -> None:
    x = training_data(n=10)
    with pytest.raises(TwinlensError, match=r"10 vectors differ in 9 directions only, of 24") as caught:
        Whitening(shrinkage=0).fit(x)
    assert "shrinkage" in str(caught.value.advice)
    assert "10 items know little" in str(Whitening().fit(x).note)
    assert not Whitening().fit(training_data()).note
    for equal in (x[:1], np.repeat(x[:1], 50, axis=0)):
        with pytest.raises(TwinlensError, match="are equal"):
            Whitening().fit(equal)
    with pytest.raises(TwinlensError, match="8,193"):
        Whitening().check(8_193)
    Whitening().check(2_048)
