"""Neighbours found by bounds are those of the plain sort of all distances, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.arrays import FloatArray
from twinlens.core.compilation import compilation
from twinlens.core.errors import Cancelled
from twinlens.core.evaluation.truth import Cosine, Distance, Euclidean, true_neighbours
from twinlens.core.exact_search import bounds, distance_bounds
from twinlens.testing.declarations import blas_threads


def expected(
    distance: Distance, base: FloatArray, query: FloatArray, k: int, own: int
) -> tuple[list[int], list[float]]:
    far = distance.exactly(query, base)
    rows = np.setdiff1d(np.arange(len(base)), [own])
    rows = rows[np.lexsort((rows, far[rows]))][:k]
    return rows.tolist(), far[rows].tolist()


def compare(
    distance: Distance, base: FloatArray, queries: FloatArray, k: int, own: npt.NDArray[np.int64] | None = None
) -> None:
    found = true_neighbours(distance, base, queries, k, own)
    for number, query in enumerate(queries):
        rows, far = expected(distance, base, query, k, -1 if own is None else int(own[number]))
        assert found.rows[number].tolist() == rows
        assert found.distances[number].tolist() == far
        if far:
            everything = distance.exactly(query, base)
            as_near = np.flatnonzero(everything <= far[-1])
            as_near = as_near[as_near != (-1 if own is None else own[number])]
            assert sorted(found.level[number].tolist()) == as_near.tolist()


def spread(rng: np.random.Generator, n: int, d: int) -> FloatArray:
    """Vectors whose variance falls along their components."""
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return np.asarray((rng.standard_normal((n, d)) * (1 + np.arange(d)) ** -0.8) @ turn)


MADE: dict[str, Callable[[np.random.Generator, int, int], FloatArray]] = {
    "falling": spread,
    "even": lambda rng, n, d: rng.standard_normal((n, d)),
    "whole numbers": lambda rng, n, d: rng.integers(0, 4, (n, d)).astype(np.float32),
    "bytes": lambda rng, n, d: np.rint(100 + 80 * spread(rng, n, d)).clip(0, 255).astype(np.uint8),
    "duplicates": lambda rng, n, d: spread(rng, max(1, n // 50), d)[rng.integers(0, max(1, n // 50), n)],
    "equal": lambda rng, n, d: np.full((n, d), 0.3, np.float32),
    "far off": lambda rng, n, d: (1e6 + spread(rng, n, d)).astype(np.float32),
    "farther off": lambda rng, n, d: 1e12 + spread(rng, n, d),
    "tiny": lambda rng, n, d: 1e-30 * spread(rng, n, d),
    "huge": lambda rng, n, d: 1e30 * spread(rng, n, d),
    "one of another size": lambda rng, n, d: np.vstack([spread(rng, n - 1, d), np.full((1, d), 1e25)]),
    "many zeros": lambda rng, n, d: spread(rng, n, d) * (rng.random((n, 1)) < 0.5),
}


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("distance", [Euclidean(), Cosine()], ids=["euclidean", "cosine"])
def test_components_lose_nothing(distance: Distance, made: str, compiled: bool) -> None:
    rng = np.random.default_rng(5)
    x = MADE[made](rng, 1_264, 24)
    with (
        patch.object(distance_bounds, "_SEED", 300),
        patch.object(distance_bounds, "_SAMPLE", 200),
        patch.object(distance_bounds, "_ROWS", 96),
        patch.object(compilation, "worth", lambda _: compiled),
    ):
        compare(distance, x[:1_200], x[1_200:], 7)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**20),
    n=st.integers(1, 500),
    d=st.sampled_from([1, 3, 16, 40]),
    queries=st.integers(0, 70),
    k=st.sampled_from([0, 1, 10, 100, 600]),
    made=st.sampled_from(["falling", "whole numbers", "bytes", "duplicates", "many zeros"]),
    own=st.booleans(),
    compiled=st.booleans(),
)
def test_any_sizes(seed: int, n: int, d: int, queries: int, k: int, made: str, own: bool, compiled: bool) -> None:
    rng = np.random.default_rng(seed)
    base = MADE[made](rng, n, d)
    selves = rng.integers(0, n, queries) if own else None
    asked = base[selves] if selves is not None else MADE[made](rng, queries, d)[:queries]
    with (
        patch.object(distance_bounds, "_SEED", 100),
        patch.object(distance_bounds, "_ROWS", 33),
        patch.object(compilation, "worth", lambda _: compiled),
    ):
        compare(Euclidean(), base, asked.reshape(queries, d), k, selves)


def test_a_guess_too_bold_is_mended() -> None:
    rng = np.random.default_rng(3)
    x = spread(rng, 1_064, 20)
    with (
        patch.object(distance_bounds, "_SEED", 300),
        patch.object(distance_bounds, "_order_in_sample", lambda *_: 0),
    ):
        compare(Euclidean(), x[64:], x[:64], 20)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads: int) -> None:
    x = spread(np.random.default_rng(4), 5_100, 32)
    with blas_threads(threads), patch.object(distance_bounds, "_SEED", 1_000):
        compare(Euclidean(), x[100:].astype(np.float32), x[:100].astype(np.float32), 15)


def test_loops_read_what_is_made_ready() -> None:
    assert compilation.ready(wait=True)
    loops = compilation.loops(bounds.LOOPS)
    assert (bounds.GROUP, bounds.BLOCK) == (loops.LINES, loops.ITEMS)


def test_it_can_be_stopped() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if done:
            raise Cancelled

    x = spread(np.random.default_rng(4), 5_000, 8)
    with pytest.raises(Cancelled):
        true_neighbours(Euclidean(), x, x[:3], 5, progress=stop)
