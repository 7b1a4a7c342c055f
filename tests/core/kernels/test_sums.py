"""The compiled sums and their plain twin give the same bits, for every shape and every kind of entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.compilation import compilation
from twinlens.core.kernels.sums import CHI_SQUARE, DISTANCE, INTERSECTION, plain_sums, sums

KINDS = {"intersection": INTERSECTION, "chi-square": CHI_SQUARE, "distance": DISTANCE}
TERMS: dict[str, Callable[[Any, Any], Any]] = {
    "intersection": np.minimum,
    "chi-square": lambda x, z: np.where(x > 0, x * (z / np.where(x > 0, x + z, 1)), 0),
    "distance": lambda x, z: abs(x - z),
}
EACH = pytest.mark.parametrize("kind", KINDS)


def entries(rng: np.random.Generator, shape: tuple[int, int], dtype: type[np.floating], scale: float) -> np.ndarray:
    return np.asarray(rng.random(shape) * (rng.random(shape) < 0.7) * scale, dtype)


@EACH
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(
    n=st.integers(0, 40),
    m=st.integers(0, 40),
    d=st.integers(1, 100),
    seed=st.integers(0, 99),
    scale=st.sampled_from([1.0, 1e-37, 1e-44, 3e38]),
)
def test_twins(kind: str, dtype: type[np.floating], n: int, m: int, d: int, seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    x, z = entries(rng, (n, d), dtype, scale), entries(rng, (d, m), dtype, scale)
    compiled, twin = np.full((n, m), np.nan), np.full((n, m), np.nan)
    compilation.loops("twinlens.core.kernels.sum_loops").sums(KINDS[kind], x, z, compiled)
    plain_sums(KINDS[kind], x, z, twin)
    np.testing.assert_array_equal(compiled, twin)


@EACH
def test_many_dimensions_cost_no_digits(kind: str) -> None:
    rng = np.random.default_rng(2)
    x, z = entries(rng, (3, 40_000), np.float32, 1), entries(rng, (40_000, 4), np.float32, 1)
    exact = [[np.sum(TERMS[kind](a.astype(np.float64), b.astype(np.float64))) for b in z.T] for a in x]
    np.testing.assert_allclose(sums(KINDS[kind], x, z), exact, rtol=3e-7)


@EACH
def test_any_layout(kind: str) -> None:
    rng = np.random.default_rng(3)
    x, z = entries(rng, (50, 70), np.float32, 1), entries(rng, (70, 9), np.float32, 1)
    expected = sums(KINDS[kind], x, z)
    np.testing.assert_array_equal(sums(KINDS[kind], np.asfortranarray(x), np.asfortranarray(z)), expected)
    np.testing.assert_array_equal(sums(KINDS[kind], x[::-2], z), expected[::-2])
