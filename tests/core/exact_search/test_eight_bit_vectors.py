"""What is found by bounds of eight bits is what the plain sort of all distances finds, bit for bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.exact_search.test_distance_bounds import MADE, spread
from twinlens.core.arrays import BoolMask, FloatArray
from twinlens.core.compilation import compilation
from twinlens.core.errors import Cancelled
from twinlens.core.evaluation.truth import Euclidean
from twinlens.core.exact_search import eight_bit_plain, eight_bit_vectors
from twinlens.core.exact_search.eight_bit_vectors import LOOPS, EightBitVectors, RoundedTable, packed_vectors
from twinlens.core.vectors import pack_vectors, unit_rows, unpack_vectors


def rounded(x: FloatArray) -> EightBitVectors:
    return RoundedTable.of(lambda rows: x[rows], *x.shape).vectors()


def packed(x: FloatArray) -> EightBitVectors:
    codes, size = pack_vectors(x, "int8"), max(1, len(x) // 3)
    parts = range(0, len(x), size)
    return packed_vectors(lambda: ((np.arange(len(x))[i : i + size], codes[i : i + size]) for i in parts), *x.shape)


def compare(
    x: FloatArray,
    query: FloatArray,
    k: int,
    mask: BoolMask | None = None,
    made: Callable[[FloatArray], EightBitVectors] = rounded,
) -> int:
    """Compare with the plain sort; return how many were measured."""
    distance, asked = Euclidean(), []

    def exactly(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        asked.append(len(rows))
        return distance.exactly(query, x[rows])

    found = made(x).nearest(query, k, exactly, mask)
    far = distance.exactly(query, x)
    rows = np.arange(len(x)) if mask is None else np.flatnonzero(mask)
    expected = rows[np.lexsort((rows, far[rows]))][:k]
    assert found.rows.tolist() == expected.tolist()
    assert found.distances.tolist() == far[expected].tolist()
    return sum(asked)


@pytest.fixture(params=["compiled", "plain"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let either the compiled loops answer or their twins."""
    if request.param == "plain":
        monkeypatch.setattr(compilation, "worth", lambda work: False)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("k", [1, 10, 90])
def test_it_finds_what_the_sort_of_all_distances_finds(made: str, k: int) -> None:
    rng = np.random.default_rng(7)
    x = MADE[made](rng, 600, 20)
    for query in (x[5], x[17] + x[18], MADE[made](rng, 4, 20)[2]):
        compare(x, query, k)
        compare(x, query, k, rng.random(600) < 0.3)


@given(st.integers(0, 40), st.integers(1, 9), st.integers(0, 50), st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_whatever_the_sizes(n: int, d: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-3, 4, (n, d)) * 10.0 ** rng.integers(-3, 4, d)
    compare(x, rng.integers(-3, 4, d).astype(float), k, None if seed % 2 else rng.random(n) < 0.5)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("block", [500, 2_500, 10_000])
def test_few_are_measured_in_any_number_of_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eight_bit_vectors, "_BLOCK", block)
    monkeypatch.setattr(eight_bit_vectors, "_WRITTEN", 10_000)
    rng = np.random.default_rng(3)
    x = spread(rng, 5_000, 40).astype(np.float32)
    for query in x[:5] + 0.01:
        assert compare(x, query, 20) < 60
        assert compare(x, query, 400) < 600
        assert compare(x, query, 20, rng.random(len(x)) < 0.5) < 60
    compare(np.concatenate([x[:1]] * 3_000), x[0], 20)  # all are equally far


@pytest.mark.usefixtures("_way")
def test_packed_vectors_are_read_as_they_are() -> None:
    rng = np.random.default_rng(11)
    x = unpack_vectors(pack_vectors(unit_rows(spread(rng, 3_000, 300)), "int8"))
    x[::500] = 0  # like nothing: always measured
    for query in (unit_rows(x[3:6] + 0.01 * rng.standard_normal(300))).astype(np.float32):
        assert compare(x, query, 20, None, packed) < 60
        assert compare(x, query, 400, rng.random(len(x)) < 0.5, packed) < 600
    compare(np.concatenate([x[1:2]] * 200), x[1], 20, None, packed)  # all are equally far


@given(st.integers(0, 40), st.integers(1, 9), st.integers(0, 50), st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_packed_vectors_of_whatever_sizes(n: int, d: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = unpack_vectors(pack_vectors(unit_rows(rng.integers(-3, 4, (n, d)).astype(float)), "int8"))
    query = unit_rows(rng.integers(-3, 4, (1, d)).astype(float))[0].astype(np.float32)
    compare(x, query, k, None if seed % 2 else rng.random(n) < 0.5, packed)


def test_a_packed_vector_that_is_not_read_is_not_found() -> None:
    codes = pack_vectors(np.eye(3), "int8")
    vectors = packed_vectors(lambda: [(np.array([0, 2]), codes[[0, 2]])], 3, 3)
    found = vectors.nearest(np.eye(3)[1], 3, lambda rows: rows.astype(np.float64))
    assert found.rows.tolist() == [0, 2]


def test_both_loops_give_the_same_bits() -> None:
    rng = np.random.default_rng(2)
    n, d = 300, 77
    codes = rng.integers(-127, 128, (n, d), dtype=np.int8)
    numbers = rng.integers(-32_767, 32_768, d).astype(np.int16)
    squares, errors = 1e9 * rng.random(n), rng.random(n).astype(np.float32)
    factors = rng.random(n)
    found = []
    for bounds in (eight_bit_plain.bounds, compilation.loops(LOOPS).bounds):
        low, high = np.empty(n), np.empty(n)
        bounds(codes, numbers, factors, squares, errors, 1e8, 3.7, 2e5, low, high)
        found.append((low.tolist(), high.tolist()))
    assert found[0] == found[1]


def test_both_loops_round_alike() -> None:
    rng = np.random.default_rng(5)
    x, scale = 3 * rng.standard_normal((200, 33)), 0.02 * (1 + rng.random(33))
    found = []
    for write in (eight_bit_plain.write, compilation.loops(LOOPS).write):
        codes, squares, errors = np.empty(x.shape, np.int8), np.empty(200), np.empty(200)
        write(x, np.full(33, 0.1), 1 / scale, scale, codes, squares, errors)
        found.append((codes, squares, errors))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    assert np.abs(found[0][0]).max() == 127  # some lie outside
    np.testing.assert_allclose(found[0][1], found[1][1])
    np.testing.assert_allclose(found[0][2], found[1][2])


def test_slack_lets_in_what_another_order_may_find() -> None:
    x = np.linspace(0, 1, 200)[:, None]
    off = 0.01 * np.random.default_rng(0).random(200)
    squared = np.square(x[:, 0] - 0.5) + off
    found = rounded(x).nearest(np.array([0.5]), 15, lambda rows: squared[rows], slack=0.01)
    assert found.rows.tolist() == np.argsort(squared)[:15].tolist()


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    x = np.ones((3, 2))
    with pytest.raises(Cancelled):
        RoundedTable.of(lambda rows: x[rows], 3, 2, stop)
    with pytest.raises(Cancelled):
        rounded(x).nearest(x[0], 1, lambda rows: np.zeros(len(rows)), progress=stop)
