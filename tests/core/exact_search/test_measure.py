""""""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from twinlens.core.exact_search.measure import Measure, nearest_by
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.testing.declarations import blas_threads
from twinlens.testing.kernels import made

ALL = pytest.mark.parametrize("cls", KERNELS, ids=lambda cls: cls.key)


def items(n: int = 60, d: int = 33) -> np.ndarray:
    return np.random.default_rng(2).random((n, d)).astype(np.float32)


@ALL
def test_formula(cls: type[Kernel]) -> None:
    x = items()
    kernel = made(cls, x)
    values = kernel.matrix(x[:1], x)[0] / np.sqrt(kernel.diagonal(x[:1]) * kernel.diagonal(x))
    distances = Measure(kernel).distances(x[0], x)
    np.testing.assert_allclose(distances, np.sqrt(np.maximum(0, 2 - 2 * values)), atol=2e-6)
    np.testing.assert_allclose(Measure(kernel).similarities(distances), np.minimum(values, 1), atol=1e-11)


def test_opposites_are_farthest_and_no_less_alike_than_not_at_all() -> None:
    measure = Measure(Linear())
    distances = measure.distances(np.array([1.0, 1.0]), np.array([[3.0, 3.0], [1.0, -1.0], [-2.0, -2.0]]))
    np.testing.assert_allclose(distances, [0, np.sqrt(2), 2])
    np.testing.assert_allclose(measure.similarities(distances), [1, 0, 0])


@ALL
def test_equal_items_are_at_zero_whatever_their_scale(cls: type[Kernel]) -> None:
    x = items()
    measure = Measure(made(cls, x))
    for query in x:
        assert measure.distances(query, query[None])[0] == 0
        if cls is Linear:
            np.testing.assert_array_equal(
                Measure(cls()).distances(query, np.stack([query * np.float32(0.37), query * np.float32(1e-15)])), 0
            )


@ALL
def test_blank_items_are_last_and_like_each_other(cls: type[Kernel]) -> None:
    x = items()
    x[[3, 5]] = 0
    measure = Measure(made(cls, x))
    distances = measure.distances(x[0], x)
    np.testing.assert_array_equal(distances[[3, 5]], 2)
    assert distances.max() == 2
    assert not np.isnan(distances).any()
    np.testing.assert_array_equal(measure.similarities(distances[[3, 5]]), 0)
    from_blank = measure.distances(x[3], x)
    np.testing.assert_array_equal(np.flatnonzero(from_blank == 0), [3, 5])
    assert set(from_blank) == {0.0, 2.0}


@ALL
@pytest.mark.parametrize("d", [1, 33, 256, 9_000])
def test_a_distance_does_not_depend_on_what_is_measured_beside_it(cls: type[Kernel], d: int) -> None:
    x = items(n=200, d=d)
    measure = Measure(made(cls, x))
    together = measure.distances(x[9], x)
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(measure.distances(x[9], x[::-1])[::-1], together)
            for i in range(200):
                assert measure.distances(x[9], x[i : i + 1])[0] == together[i]
                assert measure.distances(x[i], x[9:10])[0] == together[i]


@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-30, 1.0, 1e15]), d=st.integers(1, 5))
def test_limits(seed: int, scale: float, d: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((20, d)) * rng.integers(0, 2, (20, d)) * scale
    measure = Measure(Linear())
    distances = measure.distances(x[0], x)
    assert ((distances >= 0) & (distances <= 2)).all()
    similarities = measure.similarities(distances)
    assert ((similarities >= 0) & (similarities <= 1)).all()
    order = np.argsort(distances, kind="stable")
    assert (np.diff(similarities[order]) <= 0).all()


DISTANCES = hnp.arrays(
    np.float32, st.integers(0, 50), elements=st.sampled_from([-0.0, 0.0, 0.5, 1.0, 2.0, np.inf, np.nan])
)


@given(DISTANCES, st.integers(0, 60), st.integers(1, 12), st.data())
def test_it_is_exact(distances: npt.NDArray[np.float32], k: int, block: int, data: st.DataObject) -> None:
    n = len(distances)
    mask = data.draw(st.none() | hnp.arrays(np.bool_, n))
    found = nearest_by(lambda rows: distances[rows], n, k, mask, block)
    key = np.nan_to_num(distances, nan=np.inf, posinf=np.inf).tolist()
    expected = sorted((key[row], row) for row in range(n) if mask is None or mask[row])[:k]
    assert list(zip(found.distances.tolist(), found.rows.tolist(), strict=True)) == expected


def test_distances_are_not_changed_and_blocks_come_in_order() -> None:
    distances = np.array([3.0, np.nan, 1.0, 2.0, 1.0])
    before = distances.copy()
    asked: list[slice] = []

    def block(rows: slice) -> npt.NDArray[np.float64]:
        asked.append(rows)
        return distances[rows]

    assert nearest_by(block, 5, 2, block=2).rows.tolist() == [2, 4]
    assert asked == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert np.array_equal(distances, before, equal_nan=True)


def test_a_block_that_is_masked_whole_is_not_computed() -> None:
    asked: list[slice] = []

    def block(rows: slice) -> npt.NDArray[np.float64]:
        asked.append(rows)
        return np.zeros(rows.stop - rows.start)

    mask = np.array([False, False, True, False, False, False])
    assert nearest_by(block, 6, 4, mask, block=2).rows.tolist() == [2]
    assert asked == [slice(2, 4)]


def test_nothing_is_computed_for_nothing() -> None:
    def never(_rows: slice) -> npt.NDArray[np.float64]:
        raise AssertionError

    assert nearest_by(never, 10, 0).rows.tolist() == []
    assert nearest_by(never, 0, 10).rows.tolist() == []
    assert nearest_by(never, 3, 2, np.zeros(3, np.bool_)).rows.tolist() == []


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="k must not"):
        nearest_by(lambda rows: np.zeros(3), 3, -1)
    with pytest.raises(ValueError, match="the mask"):
        nearest_by(lambda rows: np.zeros(3), 3, 1, np.ones(2, np.bool_))
    with pytest.raises(ValueError, match="rows 0 to 3"):
        nearest_by(lambda rows: np.zeros((3, 1)), 3, 1)
