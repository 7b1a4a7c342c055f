"""Vectors: what is refused at the border, the blocks they are worked through in, and arithmetic that is exact."""

from __future__ import annotations

import threading
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from twinlens.core import vectors as module
from twinlens.core.errors import TwinlensError
from twinlens.core.vectors import (
    Vectors,
    as_float32,
    as_vectors,
    digits,
    one_thread,
    row_blocks,
    to_grid,
    training_vectors,
    unit_rows,
)
from twinlens.testing.declarations import blas_threads


@given(rows=st.integers(0, 5_000), columns=st.integers(0, 40_000))
def test_blocks_cover_every_row_once(rows: int, columns: int) -> None:
    covered = [row for block in row_blocks(rows, columns) for row in range(block.start, block.stop)]
    assert covered == list(range(rows))


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (np.ones(5), r"shape \(5,\)"),
        (np.ones((2, 3, 4)), r"shape \(2, 3, 4\)"),
        (np.ones((5, 0)), r"shape \(5, 0\)"),
        (np.ones((5, 3)), "3 dimensions, but 4 are expected"),
        (np.ones((5, 4), complex), "real numbers"),
        (np.array([["a", "b", "c", "d"]]), "real numbers"),
        ([[1, 2, 3, 4], [1]], "different lengths"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(x: object, says: str) -> None:
    with pytest.raises(TwinlensError, match=says) as caught:
        as_vectors(x, np.float32, dimensions=4)  # type: ignore[arg-type]
    assert str(caught.value.advice)


def test_the_first_bad_row_is_named() -> None:
    x = np.ones((10, 3))
    x[[4, 7], [0, 2]] = [np.nan, -np.inf]
    with pytest.raises(TwinlensError, match=r"Row 4 .* 2 of the 10 rows"):
        as_vectors(x)
    with pytest.raises(TwinlensError, match="Row 1,004 "):
        as_vectors(x, first_row=1_000)


def test_infinities_that_cancel_are_found() -> None:
    with pytest.raises(TwinlensError, match="Row 0 "):
        as_vectors([[np.inf, -np.inf]])


def test_what_the_type_cannot_hold_is_refused() -> None:
    with pytest.raises(TwinlensError, match="finite float32"):
        as_vectors([[1e300]], np.float32)


def test_large_finite_numbers_pass() -> None:
    x = np.full((4, 2), 1e308)
    np.testing.assert_array_equal(as_vectors(x), x)


def test_no_copy_where_none_is_needed() -> None:
    x = np.ones((4, 3), np.float32)
    assert as_vectors(x, np.float32) is x
    assert training_vectors(x) is x


def test_blank_rows_are_left_out() -> None:
    x = np.array([[0, 0], [1, 0], [0, 0], [0, 2]])
    np.testing.assert_array_equal(training_vectors(x), [[1, 0], [0, 2]])


@pytest.mark.parametrize(
    ("given_type", "type_"),
    [(np.uint8, np.float32), (np.float16, np.float32), (np.float32, np.float32), (np.int64, np.float64)],
)
def test_numbers_keep_their_values(given_type: type[np.number], type_: type[np.number]) -> None:
    assert training_vectors(np.ones((2, 2), given_type)).dtype == type_


@pytest.mark.parametrize(("x", "says"), [(np.zeros((3, 2)), "all 3 vectors"), (np.zeros((0, 2)), "no vector")])
def test_nothing_to_learn_from(x: np.ndarray, says: str) -> None:
    with pytest.raises(TwinlensError, match=says):
        training_vectors(x)


@pytest.mark.parametrize("shape", [(1 << 16,), (256, 256)])
def test_every_float16_becomes_the_float32_that_numpy_makes_of_it(shape: tuple[int, ...]) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(shape)
    with np.errstate(invalid="ignore"):
        expected = halves.astype(np.float32)
    found = as_float32(halves)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(as_float32(halves[::-3]), expected[::-3])


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8"])
def test_other_numbers_are_copied_as_float32(dtype: str) -> None:
    x = np.arange(12).reshape(3, 4).astype(np.dtype(dtype))
    found = as_float32(x)
    np.testing.assert_array_equal(found, x.astype(np.float32))
    assert found.dtype == np.float32
    assert not np.shares_memory(found, x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 3, 8, 129, 1000])
def test_unit_rows_give_the_same_bits_in_a_table_and_alone(dtype: type[np.floating], d: int) -> None:
    x: Vectors = np.random.default_rng(d).normal(size=(400, d)).astype(dtype)
    x[7] = 0
    x[8, 1:] = 0
    units = unit_rows(x)
    wide = x.astype(np.float64)
    for row in range(len(x)):
        alone = wide[row] / (np.sqrt(np.square(wide[row]).sum()) or 1.0)
        assert alone.tobytes() == units[row].tobytes() == unit_rows(x[row : row + 1]).tobytes()
    lengths = np.sqrt(np.square(wide).sum(axis=1, keepdims=True))
    divided = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    assert divided.tobytes() == units.tobytes() == np.vstack([unit_rows(x[at]) for at in row_blocks(400, d)]).tobytes()
    assert not units[7].any()


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
    monkeypatch.setattr(module._Inside, "most", 1)
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


@pytest.mark.parametrize("count", [2, 1])
def test_it_says_how_many_there_were(count: int) -> None:
    with threadpool_limits(count, "blas"), one_thread() as before:
        assert before == count
        with one_thread() as still:
            assert still == count


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
