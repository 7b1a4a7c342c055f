"""Metrics that were learned elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.metrics.made import positive_definite
from twinlens.core.errors import TwinlensError
from twinlens.core.metrics.metric_arrays import read_metric, read_sparse_metric
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.testing.declarations import training_data

RNG = np.random.default_rng(0)
SQUARE = RNG.standard_normal((4, 4))


def test_a_matrix_alone_is_g() -> None:
    g = RNG.standard_normal((3, 5))
    for arrays in (g, {"G": g}, {"arr_0": g}):
        metric = read_metric(arrays)
        assert isinstance(metric, ExplicitMetric)
        np.testing.assert_allclose(metric.g, g, rtol=1e-6, atol=1e-6)
    assert read_metric(np.arange(6).reshape(2, 3)).out_dimensions == 2


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 10_000))
def test_a_is_factored(d: int, missing: int, seed: int) -> None:
    rank = max(1, d - missing)
    half = np.random.default_rng(seed).standard_normal((rank, d))
    a = half.T @ half
    metric = read_metric({"A": a})
    assert isinstance(metric, ExplicitMetric)
    assert metric.dimensions == d
    assert metric.out_dimensions == rank
    g = metric.g.astype(np.float64)
    np.testing.assert_allclose(g.T @ g, a, atol=1e-5 * np.abs(a).max())


def test_of_full_rank_the_root_is_symmetric() -> None:
    metric = read_metric({"A": positive_definite()})
    assert isinstance(metric, ExplicitMetric)
    np.testing.assert_allclose(metric.g, metric.g.T, atol=1e-6)
    assert np.linalg.eigvalsh(metric.g)[0] > 0


def test_a_of_float32_may_be_off_by_its_rounding() -> None:
    a = positive_definite()
    read_metric({"A": a.astype(np.float32)})
    a[0, 1] += 1e-7
    read_metric({"A": a})


def test_items_and_s() -> None:
    items, s = training_data(n=5), RNG.standard_normal((5, 5))
    metric = read_metric({"items": items, "S": s}, "kernel")
    assert isinstance(metric, ImplicitMetric)
    assert metric.ranking == "kernel"
    np.testing.assert_array_equal(metric.items, items)
    np.testing.assert_array_equal(metric.s, s)


def with_nan(shape: tuple[int, int], row: int) -> np.ndarray[Any, Any]:
    array = np.ones(shape)
    array[row, 0] = np.nan
    return array


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "There is no array"),
    "unknown names": ({"B": SQUARE, "W": SQUARE}, "B, W"),
    "two metrics": ({"A": SQUARE, "G": SQUARE}, "A, G"),
    "S alone": ({"S": SQUARE}, "no metric: S"),
    "text": (np.array([["a", "b"]]), "real numbers"),
    "complex": (np.ones((2, 2)) * 1j, "real numbers"),
    "a row": (np.ones(3), r"\(3,\)"),
    "empty": (np.ones((0, 3)), r"\(0, 3\)"),
    "NaN in G": (with_nan((5, 3), 2), r"Row 2 .*metric's G"),
    "too large for float32": (np.full((2, 2), 1e300), r"Row 0 .*metric's G"),
    "zero G": (np.zeros((2, 3)), "zero throughout"),
    "NaN in A": ({"A": with_nan((4, 4), 3)}, r"Row 3 .*metric's A"),
    "A no square": ({"A": np.ones((3, 4))}, "3 rows and 4 columns"),
    "A asymmetric": ({"A": np.array([[2.0, 1.0], [0.5, 2.0]])}, r"entry \(0, 1\).* is 1, and entry \(1, 0\) is 0.5"),
    "A indefinite": ({"A": np.diag([1.0, -0.25])}, "negative eigenvalue, -0.25"),
    "A negative": ({"A": -np.eye(2)}, "negative eigenvalue, -1"),
    "A zero": ({"A": np.zeros((2, 2))}, "zero throughout"),
    "S no square": ({"S": np.ones((3, 4)), "items": np.ones((3, 6))}, "3 rows and 4 columns"),
    "S of others": ({"S": np.ones((3, 3)), "items": np.ones((4, 6))}, "3 rows, but there are 4 items"),
    "NaN in items": ({"S": np.ones((3, 3)), "items": with_nan((3, 6), 1)}, r"Row 1 .*metric's items"),
    "NaN in S": ({"S": with_nan((3, 3), 1), "items": np.ones((3, 6))}, r"Row 1 .*metric's S"),
}


@pytest.mark.parametrize(("arrays", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_no_metric_gets_a_sentence(arrays: Any, said: str) -> None:
    with pytest.raises(TwinlensError, match=said) as caught:
        read_metric(arrays)
    assert str(caught.value.message).endswith(".")
    assert str(caught.value.advice).endswith(".")


def test_sparse_items_and_s() -> None:
    from scipy.sparse import csr_array

    items, s = csr_array(np.eye(3, 9)), np.full((3, 3), 0.5)
    arrays: dict[str, Any] = {
        "data": items.data,
        "indices": items.indices,
        "indptr": items.indptr,
        "shape": np.array(items.shape),
    }
    for named in (
        arrays | {"S": s},
        arrays | {"S": s, "format": np.array(b"csr")},
        {"items": items.toarray(), "S": s},
    ):
        metric = read_sparse_metric(named)
        assert metric.dimensions == 9
        np.testing.assert_array_equal(metric.items.toarray(), items.toarray())
        np.testing.assert_array_equal(metric.s, s)
    wrong: list[tuple[dict[str, Any], str]] = [
        (arrays, "no metric for sparse"),
        (arrays | {"S": s, "format": np.array(b"csc")}, "no metric for sparse"),
        (arrays | {"S": np.ones((2, 2))}, "there are 3 items"),
        (arrays | {"S": with_nan((3, 3), 1)}, "Row 1"),
        (arrays | {"S": s, "indices": np.array([0, 1, 99])}, "damaged"),
        (arrays | {"S": s, "indptr": np.array([0, 1])}, "damaged"),
        (arrays | {"S": s, "shape": np.array([3])}, "damaged"),
    ]
    for bad, said in wrong:
        with pytest.raises(TwinlensError, match=said):
            read_sparse_metric(bad)
