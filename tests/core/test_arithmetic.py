"""Products that do not depend on the order of summation: checked against fractions, which do not round at all."""

from __future__ import annotations

import threading
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from core import arithmetic as module
from core.arithmetic import digits, one_thread, to_grid
from tests.core.threads import blas_threads


def vectors(n: int, d: int, seed: int, spread: float) -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((n, d)) * np.exp(spread * rng.standard_normal((n, 1)))).astype(np.float32)


@given(d=st.integers(1, 300), seed=st.integers(0, 1_000), spread=st.sampled_from([0.0, 5.0, 20.0]))
def test_nothing_is_rounded(d: int, seed: int, spread: float) -> None:
    x, p = to_grid(vectors(3, d, seed, spread), 1), to_grid(vectors(d, 2, seed + 1, 0), 0)
    product = x @ p
    for i in range(3):
        for j in range(2):
            exact = sum((Fraction(a) * Fraction(b) for a, b in zip(x[i], p[:, j], strict=True)), Fraction(0))
            assert Fraction(product[i, j]) == exact


@pytest.mark.parametrize("d", [1, 2, 17, 256, 1_500])
def test_order_place_and_threads_do_not_matter(d: int) -> None:
    rng = np.random.default_rng(d)
    x, p = to_grid(vectors(300, d, 1, 3), 1), to_grid(vectors(d, 70, 2, 0), 0)
    product = x @ p
    shuffled, turned = rng.permutation(300), rng.permutation(d)
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(x[shuffled] @ p, product[shuffled])
            np.testing.assert_array_equal(x[:, turned] @ p[turned], product)
            for i in range(0, 300, 23):
                np.testing.assert_array_equal(x[i : i + 1] @ p, product[i : i + 1])
                np.testing.assert_array_equal(x[i : i + 64] @ np.asfortranarray(p), product[i : i + 64])


@given(d=st.integers(1, 2**30))
def test_as_many_digits_as_fit(d: int) -> None:
    # A sum of d products of two numbers up to 2^digits must not pass 2^53.
    assert d * 4 ** digits(d) <= 2**53
    assert digits(d) == 24 or d * 4 ** (digits(d) + 1) > 2**53 // 2


@given(
    values=st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=1, max_size=40),
    scale=st.sampled_from([1.0, 2.0**-130, 2.0**-600, 2.0**600]),
)
def test_rounding_is_small_and_the_same_again(values: list[float], scale: float) -> None:
    row = np.array([values]) * scale
    grid = to_grid(row, 1)
    assert np.abs(grid - row).max() <= np.abs(row).max() * 2.0 ** -digits(row.shape[1])
    np.testing.assert_array_equal(to_grid(grid, 1), grid)
    np.testing.assert_array_equal(to_grid(row.T, 0), grid.T)


def test_zero_stays_zero_and_operands_stay_untouched() -> None:
    x = np.array([[0.0, 0.0], [1 / 3, 1e-9]])
    before = x.copy()
    assert not to_grid(x, 1)[0].any()
    np.testing.assert_array_equal(x, before)
    assert to_grid(np.empty((0, 5)), 1).shape == (0, 5)


@pytest.fixture(autouse=True)
def as_if_it_were_used_for_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    module._libraries.cache_clear()  # other tests may have loaded more
    monkeypatch.setattr(module._Inside, "threads", 1)
    assert np.ones(2) @ np.ones(2) == 2


def thread_counts() -> set[int]:
    # A library on OpenMP, as another test's peer brings, has a number for each thread that asks.
    found = [one for one in threadpool_info() if one["user_api"] == "blas" and one["threading_layer"] != "openmp"]
    return {one["num_threads"] for one in found}


def test_it_holds_inside_and_is_set_back() -> None:
    with threadpool_limits(2, "blas"):
        before = thread_counts()
        with one_thread():
            with one_thread():
                assert thread_counts() == {1}
            assert thread_counts() == {1}
        assert thread_counts() == before == {2}


def test_who_leaves_first_does_not_leave_the_other_with_one_thread_for_good() -> None:
    entered, left = threading.Event(), threading.Event()

    def other() -> None:
        with one_thread():
            entered.set()
            assert left.wait(30)

    with threadpool_limits(2, "blas"):
        thread = threading.Thread(target=other)
        with one_thread():
            thread.start()
            assert entered.wait(30)
        assert thread_counts() == {1}
        left.set()
        thread.join()
        assert thread_counts() == {2}


def test_an_error_sets_it_back() -> None:
    with threadpool_limits(2, "blas"):
        with pytest.raises(ValueError, match="meanwhile"), one_thread():
            raise ValueError("meanwhile")
        assert thread_counts() == {2}
