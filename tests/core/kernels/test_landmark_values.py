"""Rows against landmarks that stay: one value a pair, for any rows, any landmarks, any size, in blocks."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.compilation import compilation
from core.kernels import KERNELS
from core.kernels.dot_product_kernels import Polynomial
from core.kernels.kernel import Kernel, MonotoneTransform, UnitRange
from tests.core.contracts import made
from tests.core.threads import blas_threads

ALL = pytest.mark.parametrize("cls", KERNELS, ids=lambda cls: cls.key)


@ALL
@settings(max_examples=30)  # of each kernel
@given(
    n=st.integers(1, 9),
    m=st.integers(1, 9),
    d=st.integers(1, 80),
    seed=st.integers(0, 999),
    scale=st.sampled_from([1e-6, 1.0, 1e4]),
    normalise=st.booleans(),
    is_compiled=st.booleans(),
    threads=st.sampled_from([1, 2]),
)
def test_a_pair_has_one_value(
    cls: type[Kernel],
    n: int,
    m: int,
    d: int,
    seed: int,
    scale: float,
    normalise: bool,
    is_compiled: bool,
    threads: int,
) -> None:
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((n + m, d)) * rng.integers(0, 2, (n + m, d)) * scale).astype(np.float32)
    if cls.non_negative:
        x = abs(x)
    kernel = made(cls, x, normalise=normalise)
    transform = MonotoneTransform(2.0) if kernel.unit_range is UnitRange.ALL_ROWS else None
    against = kernel.against(x[:m], transform)
    together = against.values(x)
    assert np.isfinite(together).all()
    with blas_threads(threads), patch.object(compilation, "worth", lambda work: is_compiled):
        for i in range(n + m):
            np.testing.assert_array_equal(against.values(x[i : i + 1])[0], together[i])
        for j in range(m):
            np.testing.assert_array_equal(kernel.against(x[j : j + 1], transform).values(x)[:, 0], together[:, j])


@ALL
def test_many_rows_are_never_held_together(cls: type[Kernel]) -> None:
    rng = np.random.default_rng(0)
    x = rng.random((3_000, 5)).astype(np.float32)
    kernel = made(cls, x[:100])
    stop = 0
    for rows, values in kernel.against(x[:2_000]).blocks(x):
        assert rows.start == stop
        stop = rows.stop
        assert values.shape == (rows.stop - rows.start, 2_000)
        assert values.size <= 1 << 18
        values[:] = 0  # the reader's own
    assert stop == 3_000


@ALL
def test_rows_and_landmarks_stay_as_they_are(cls: type[Kernel]) -> None:
    x = np.random.default_rng(0).random((40, 9)).astype(np.float32)
    x.flags.writeable = False
    kernel = made(cls, x, normalise=True)
    against = kernel.against(x)
    np.testing.assert_array_equal(against.values(x), against.values(x))
    np.testing.assert_array_equal(kernel.matrix(x, x), kernel.matrix(x, x))


def test_bounds_and_kernels_that_no_norm_exists_for() -> None:
    x = np.array([[1.0], [-1.0], [3.0]])
    kernel = Polynomial(a=-1, c=0, p=1, normalise=True)  # k(x, x) = -x²: nothing can be divided by its root
    assert not kernel.matrix(x, x).any()
    assert not kernel.against(x).values(x).any()
