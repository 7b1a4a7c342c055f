from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.errors import TwinlensError
from core.kernels import KERNELS, ChiSquare, Hellinger, Intersection, Kernel, Linear

FORMULAS: dict[type[Kernel], Callable[[float, float], float]] = {
    Linear: lambda x, z: x * z,
    Intersection: min,
    ChiSquare: lambda x, z: 2 * x * z / (x + z) if x + z else 0.0,
    Hellinger: lambda x, z: math.sqrt(x * z),
}


def histograms(n: int, d: int, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.random((n, d)) * (rng.random((n, d)) < 0.6)
    x[0], x[-1] = 0, 1
    return x


@pytest.mark.parametrize("cls", FORMULAS, ids=lambda cls: cls.key)
def test_formula(cls: type[Kernel]) -> None:
    x, z = histograms(9, 17), histograms(6, 17, seed=6)
    for i, j in np.ndindex(9, 6):
        value = math.fsum(FORMULAS[cls](float(a), float(b)) for a, b in zip(x[i], z[j], strict=True))
        assert cls().matrix(x, z)[i, j] == pytest.approx(value, rel=1e-12)
        assert cls().pairs(x[i : i + 1], z[j : j + 1])[0] == pytest.approx(value, rel=1e-12)


def test_every_kernel_that_is_a_plain_sum_has_its_formula_here() -> None:
    assert {cls for cls in KERNELS if cls.of_sums is Kernel.of_sums} == set(FORMULAS)


@pytest.mark.parametrize("cls", [cls for cls in KERNELS if cls.non_negative], ids=lambda cls: cls.key)
def test_histogram_kernels(cls: type[Kernel]) -> None:
    x = histograms(50, 30)[1:]
    x /= x.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(cls().diagonal(x), 1, rtol=1e-12)
    cls().check(x)
    x[[7, 9], 3] = -1e-9
    with pytest.raises(TwinlensError, match=r"row 7 .* 2 of the 49 rows"):
        cls().check(x)


def test_linear_takes_any_sign() -> None:
    Linear().check(-histograms(4, 3))


class Cauchy(Kernel):
    """1 / (1 + |x - z|²), a kernel that is a function of a sum, and has no faster matrix."""

    key = "cauchy-of-the-test"
    title = "Cauchy"

    def terms(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.asarray(np.square(x - z))

    def of_sums(self, sums: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + sums))


def test_a_new_kernel_needs_its_terms_only() -> None:
    x = histograms(5, 4)
    expected = 1 / (1 + np.square(x[:, None] - x[None]).sum(axis=2))
    np.testing.assert_allclose(Cauchy().matrix(x, x), expected)
    np.testing.assert_array_equal(Cauchy().diagonal(x), 1)
