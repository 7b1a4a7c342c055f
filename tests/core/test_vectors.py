from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TwinlensError
from core.vectors import Vectors, as_float32, as_vectors, row_blocks, training_vectors, unit_rows


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
