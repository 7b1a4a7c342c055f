"""The exact search beside the plain sort of all distances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from twinlens.core.arrays import Float64Values
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.truth import KernelDistance
from twinlens.core.exact_search import kernel_neighbours
from twinlens.core.exact_search.kernel_neighbours import Bound, ExactKnn
from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial, Sigmoid
from twinlens.core.kernels.histogram_kernels import ChiSquare, Intersection
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian

KERNELS: tuple[Kernel, ...] = (
    Linear(),
    Polynomial(a=0.01, c=1, p=2),
    Polynomial(a=0.3, c=0, p=3),
    Intersection(),
    ChiSquare(),
    Gaussian(gamma=0.1),
    Linear(normalise=True),
    Sigmoid(a=0.1),
)


def plainly(
    kernel: Kernel, x: Float64Values, query: Float64Values, k: int, allowed: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.intp], Float64Values]:
    rows = np.flatnonzero(allowed)
    distances = KernelDistance(kernel).exactly(query, x[rows])
    order = np.lexsort((rows, distances))[:k]
    return rows[order], distances[order]


def spread(n: int = 2_000, d: int = 8, seed: int = 0) -> Float64Values:
    rng = np.random.default_rng(seed)
    return np.abs(rng.standard_normal((n, d))) * rng.lognormal(0, 1, (n, 1))


# Few different small numbers: equal items, equal distances, and norms at which the bound is exactly reached.
small = st.integers(0, 140).flatmap(
    lambda n: arrays(np.float64, (n + 1, 2), elements=st.integers(0, 4).map(float), fill=st.just(1.0))
)


@settings(max_examples=30)  # of each kernel and bound
@given(x=small, k=st.integers(0, 150), data=st.data(), scale=st.sampled_from([1.0, 1e-8, 1e7]))
@pytest.mark.parametrize("bound", ["norms", "none"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.text())
def test_nothing_is_lost(
    kernel: Kernel, bound: Bound, x: Float64Values, k: int, data: st.DataObject, scale: float
) -> None:
    x = x * scale
    query, x = x[0], x[1:]
    mask = data.draw(st.none() | arrays(np.bool_, len(x)))
    allowed = np.ones(len(x), np.bool_) if mask is None else mask
    found = ExactKnn(kernel, x, bound).nearest(query, k, mask)
    rows, distances = plainly(kernel, x, query, k, allowed)
    np.testing.assert_array_equal(found.rows, rows)
    np.testing.assert_array_equal(found.squared_distances, distances)
    assert len(rows) <= found.compared <= np.count_nonzero(allowed)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 10, 3_000])
@pytest.mark.parametrize("kernel", KERNELS[:5], ids=lambda kernel: kernel.text())
def test_nothing_is_lost_among_many(kernel: Kernel, k: int, dtype: type[np.floating]) -> None:
    x = spread(7_000).astype(dtype)
    knn = ExactKnn(kernel, x)
    for query in (*x[:3], *spread(3, seed=1).astype(dtype), np.zeros(8, dtype)):
        found = knn.nearest(query, k)
        rows, distances = plainly(kernel, x, query, k, np.ones(len(x), np.bool_))
        np.testing.assert_array_equal(found.rows, rows)
        np.testing.assert_array_equal(found.squared_distances, distances)


@pytest.mark.parametrize("k", [1, 40, 400])
def test_nothing_is_lost_where_most_is_left(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_neighbours, "_LEAST", 4)
    monkeypatch.setattr(kernel_neighbours, "_MOST", 16)
    x = np.random.default_rng(0).standard_normal((1_500, 12))
    knn, mask = ExactKnn(Linear(), x), np.random.default_rng(1).random(1_500) < 0.8
    for query in x[:10]:
        for allowed in (np.ones(1_500, np.bool_), mask):
            found = knn.nearest(query, k, allowed)
            rows, distances = plainly(Linear(), x, query, k, allowed)
            np.testing.assert_array_equal(found.rows, rows)
            np.testing.assert_array_equal(found.squared_distances, distances)
            assert found.compared <= np.count_nonzero(allowed)


def test_norms_spare_comparisons_and_more_so_for_fewer_neighbours() -> None:
    x = spread()
    knn = ExactKnn(Linear(), x)
    compared = [np.mean([knn.nearest(query, k).compared for query in x[:50]]) for k in (1, 10, 100)]
    assert compared == sorted(compared)
    assert compared[0] < 0.25 * len(x)
    assert all(ExactKnn(Linear(), x, "none").nearest(query, 1).compared == len(x) for query in x[:3])


def test_what_the_bound_rules_out_is_not_compared() -> None:
    # On a line the bound is the distance itself: but for the first block, no farther item is looked at.
    x = np.arange(1.0, 10_001.0)[:, None]
    found = ExactKnn(Linear(), x).nearest(np.array([5_000.2]), 3)
    assert found.rows.tolist() == [4_999, 5_000, 4_998]
    assert found.compared <= 2 * 32


def test_rounding_does_not_hide_what_is_tied() -> None:
    # Of parallel items the bound is the distance; rounded, it may be more, and the first of equal items must be found.
    rng = np.random.default_rng(0)
    for _ in range(50):
        item = rng.standard_normal(7)
        x = np.repeat(item[None], 200, axis=0)
        x[-1] *= 0.1  # so that norms differ, and the bound is used
        found = ExactKnn(Polynomial(a=0.3, c=0, p=3), x).nearest(rng.uniform(1.1, 3) * item, 2)
        assert found.rows.tolist() == [0, 1]


def test_the_heuristic_is_not_true_and_what_it_loses_is_counted() -> None:
    # The query of norm 2 has a parallel item of norm 1 at d² = 1, and the heuristic says at least 1.5.
    far = np.repeat([[2.0, 1.2]], 64, axis=0)
    x = np.concatenate([far, [[1.0, 0.0]]])
    query = np.array([2.0, 0.0])
    assert ExactKnn(Linear(), x).nearest(query, 1).rows.tolist() == [64]
    heuristic = ExactKnn(Linear(), x, "heuristic")
    found = heuristic.nearest(query, 1)
    assert found.rows.tolist() == [0]
    assert found.compared == 64
    assert heuristic.lost(query, found) == 1
    assert not heuristic.note


@pytest.mark.parametrize("k", [1, 7])
def test_the_heuristic_counts_what_the_plain_sort_shows(k: int) -> None:
    x = spread()
    knn = ExactKnn(Polynomial(a=0.01), x, "heuristic")
    total = 0
    for query in spread(150, seed=2):
        found = knn.nearest(query, k)
        rows, distances = plainly(knn.kernel, x, query, k, np.ones(len(x), np.bool_))
        lost = set(rows[distances < found.squared_distances[-1]]) - set(found.rows)
        assert knn.lost(query, found) == len(lost)
        total += len(lost)
        assert len(found.rows) == k
    assert total > 0


@pytest.mark.parametrize("bound", ["norms", "heuristic"])
@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.1), Linear(normalise=True)], ids=lambda kernel: kernel.text())
def test_a_bound_that_cannot_help_says_so(kernel: Kernel, bound: Bound) -> None:
    x = spread(500)
    knn = ExactKnn(kernel, x, bound)
    assert knn.used == "none"
    assert kernel.text() in str(knn.note)
    assert "same norm" in str(knn.note)
    found = knn.nearest(x[3], 5)
    assert found.compared == 500
    assert knn.lost(x[3], found) == 0


def test_items_of_one_length_are_seen_to_be() -> None:
    x = spread(500)
    x = (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)
    knn = ExactKnn(Linear(), x)
    assert "same norm" in str(knn.note)
    assert knn.used == "none"


def test_no_bound_holds_under_what_is_no_dot_product() -> None:
    x = spread(100)
    assert "not positive definite" in str(ExactKnn(Sigmoid(), x).note)
    assert not ExactKnn(Sigmoid(), x, "none").note
    with pytest.raises(TwinlensError, match="not positive definite"):
        ExactKnn(Sigmoid(), x, "heuristic")


def test_vectors_that_the_kernel_is_not_defined_for() -> None:
    x = spread(10)
    with pytest.raises(TwinlensError, match="row 4 "):
        ExactKnn(Intersection(), np.where(np.arange(10)[:, None] == 4, -x, x))
    with pytest.raises(TwinlensError, match="negative"):
        ExactKnn(Intersection(), x).nearest(-x[0], 1)


@pytest.mark.parametrize("bound", ["norms", "heuristic", "none"])
def test_hardly_anything_to_search(bound: Bound) -> None:
    x = spread(1)
    for items, k in ((x[:0], 3), (x, 0), (x, 3)):
        knn = ExactKnn(Linear(), items, bound)
        found = knn.nearest(x[0], k)
        assert found.rows.tolist() == [0][: min(k, len(items))]
        assert found.rows.dtype == np.int64
        assert knn.lost(x[0], found) == 0
