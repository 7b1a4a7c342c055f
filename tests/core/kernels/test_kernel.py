"""Each kernel is its formula, a term at a time, and scikit-learn's where that has it."""

from __future__ import annotations

import math
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.compilation import compilation
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial, Sigmoid
from twinlens.core.kernels.histogram_kernels import ChiSquare, Hellinger, Intersection
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform, UnitRange
from twinlens.core.kernels.radial_kernels import Cauchy, Gaussian, Laplacian
from twinlens.testing.declarations import blas_threads
from twinlens.testing.kernels import made

Vector = list[float]


def dot(x: Vector, z: Vector) -> float:
    return math.fsum(a * b for a, b in zip(x, z, strict=True))


def squared(x: Vector, z: Vector) -> float:
    return math.fsum((a - b) ** 2 for a, b in zip(x, z, strict=True))


FORMULAS: dict[Kernel, Callable[[Vector, Vector], float]] = {
    Linear(): dot,
    Polynomial(a=0.5, c=0.25, p=3): lambda x, z: (0.5 * dot(x, z) + 0.25) ** 3,
    Polynomial(a=0.5, c=0.25, p=1.5): lambda x, z: (0.5 * dot(x, z) + 0.25) ** 1.5,
    Polynomial(a=-2, c=-1, p=7): lambda x, z: (-2 * dot(x, z) - 1) ** 7,
    Gaussian(gamma=0.3): lambda x, z: math.exp(-0.3 * squared(x, z)),
    Laplacian(gamma=0.3): lambda x, z: math.exp(-0.3 * math.fsum(abs(a - b) for a, b in zip(x, z, strict=True))),
    Cauchy(gamma=0.3): lambda x, z: 1 / (1 + 0.3 * squared(x, z)),
    Sigmoid(a=0.2, c=-0.4): lambda x, z: math.tanh(0.2 * dot(x, z) - 0.4),
    ChiSquare(): lambda x, z: math.fsum(2 * a * b / (a + b) if a + b else 0.0 for a, b in zip(x, z, strict=True)),
    Intersection(): lambda x, z: math.fsum(min(a, b) for a, b in zip(x, z, strict=True)),
    Hellinger(): lambda x, z: math.fsum(math.sqrt(a * b) for a, b in zip(x, z, strict=True)),
}
ALL = pytest.mark.parametrize("kernel", FORMULAS, ids=lambda kernel: kernel.text())


def histograms(n: int, d: int, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.random((n, d)) * (rng.random((n, d)) < 0.6)
    x[0], x[-1] = 0, 1
    return x


def test_every_kernel_has_its_formula_here() -> None:
    assert {type(kernel) for kernel in FORMULAS} == set(KERNELS)


@ALL
def test_formula(kernel: Kernel) -> None:
    x, z = histograms(9, 71), histograms(6, 71, seed=6)
    matrix, against = kernel.matrix(x, z), kernel.against(z).values(x)
    for i, j in np.ndindex(9, 6):
        value = FORMULAS[kernel](x[i].tolist(), z[j].tolist())
        assert matrix[i, j] == pytest.approx(value, rel=1e-12)
        assert kernel.pairs(x[i : i + 1], z[j : j + 1])[0] == pytest.approx(value, rel=1e-12)
        assert against[i, j] == pytest.approx(value, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    "kernel",
    [kernel for kernel in FORMULAS if not isinstance(kernel, Polynomial) or kernel.p == 3],
    ids=lambda kernel: kernel.text(),
)
def test_scikit_learn_agrees(kernel: Kernel) -> None:
    pairwise = pytest.importorskip("sklearn.metrics.pairwise", reason="scikit-learn, of the extra bench, is missing")
    peers: dict[type[Kernel], Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
        Linear: pairwise.linear_kernel,
        Polynomial: lambda x, z: pairwise.polynomial_kernel(x, z, degree=3, gamma=0.5, coef0=0.25),
        Gaussian: lambda x, z: pairwise.rbf_kernel(x, z, gamma=0.3),
        Laplacian: lambda x, z: pairwise.laplacian_kernel(x, z, gamma=0.3),
        Cauchy: lambda x, z: 1 / (1 + 0.3 * pairwise.euclidean_distances(x, z, squared=True)),
        Sigmoid: lambda x, z: pairwise.sigmoid_kernel(x, z, gamma=0.2, coef0=-0.4),
        # Its additive kernel is minus the sum of (x - z)² / (x + z), which is x + z - 4xz / (x + z).
        ChiSquare: lambda x, z: (x.sum(axis=1)[:, None] + z.sum(axis=1) + pairwise.additive_chi2_kernel(x, z)) / 2,
        Intersection: lambda x, z: (x.sum(axis=1)[:, None] + z.sum(axis=1) - pairwise.manhattan_distances(x, z)) / 2,
        Hellinger: lambda x, z: pairwise.linear_kernel(np.sqrt(x), np.sqrt(z)),
    }
    x, z = histograms(40, 33), histograms(30, 33, seed=6)
    expected = peers[type(kernel)](x, z)
    np.testing.assert_allclose(kernel.matrix(x, z), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("cls", [cls for cls in KERNELS if cls.non_negative], ids=lambda cls: cls.key)
def test_histogram_kernels(cls: type[Kernel]) -> None:
    x = histograms(50, 30)[1:]
    x /= x.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(cls().diagonal(x), 1, rtol=1e-12)
    cls().check(x)
    against = cls().against(x[:5])
    x[[7, 9], 3] = -1e-9
    for use in (cls().check, cls().against, against.values):
        with pytest.raises(TwinlensError, match=r"row 7 .* 2 of the 49 rows"):
            use(x)
    with pytest.raises(TwinlensError, match=r"row 1,007 "):
        against.values(x, first_row=1_000)
    many = np.concatenate([np.ones((3_000, 30)), x])
    with pytest.raises(TwinlensError, match=r"row 3,007 "):
        against.values(many)


@pytest.mark.parametrize("kernel", [kernel for kernel in FORMULAS if not kernel.non_negative], ids=lambda k: k.text())
def test_others_take_any_sign(kernel: Kernel) -> None:
    kernel.check(-histograms(4, 3))


@pytest.mark.parametrize(
    ("kernel", "definite"),
    [
        (Polynomial(), True),
        (Polynomial(a=0, c=0, p=1), True),
        (Polynomial(a=-0.1), False),
        (Polynomial(c=-0.1), False),
        (Polynomial(p=1.5), False),
        (Sigmoid(), False),
        (Gaussian(), True),
        (ChiSquare(), True),
    ],
    ids=lambda value: value.text() if isinstance(value, Kernel) else "",
)
def test_definiteness(kernel: Kernel, definite: bool) -> None:
    assert kernel.positive_definite is definite


@pytest.mark.parametrize("kernel", [Polynomial(a=-0.3, c=1), Polynomial(a=0.3, c=-2, p=3), Sigmoid(a=0.5, c=-1)])
def test_what_is_said_to_be_indefinite_is(kernel: Kernel) -> None:
    x = np.random.default_rng(1).standard_normal((60, 4))
    values = np.linalg.eigvalsh(kernel.matrix(x, x))
    assert values[0] < -1e-3 * abs(values).max()


def test_a_power_that_does_not_exist_is_said_so() -> None:
    x = np.array([[1.0, 0.0], [-2.0, 0.0]])
    kernel = Polynomial(p=1.5)
    with pytest.raises(TwinlensError, match=r"a x·z \+ c is -1 .* no power 1\.5"):
        kernel.matrix(x, x)
    with pytest.raises(TwinlensError, match="largest number"):
        Polynomial(p=100).matrix(x * 1e6, x)


@pytest.mark.parametrize("p", range(1, 20))
def test_whole_powers(p: int) -> None:
    x = np.random.default_rng(p).standard_normal((30, 1))
    np.testing.assert_allclose(Polynomial(c=0, p=p).matrix(x, np.ones((1, 1))), x**p, rtol=1e-12)


EVERY_KERNEL = pytest.mark.parametrize("cls", KERNELS, ids=lambda cls: cls.key)


@EVERY_KERNEL
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


@EVERY_KERNEL
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


@EVERY_KERNEL
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


@given(scale=st.floats(0.1, 9), values=st.lists(st.floats(0, 1), min_size=1))
def test_formula_and_ranking(scale: float, values: list[float]) -> None:
    transformed = MonotoneTransform(scale).of(np.array(values))
    for before, after in zip(values, transformed, strict=True):
        assert after == pytest.approx(math.exp(scale * (before - 1)), rel=1e-12)
    assert (np.diff(transformed[np.argsort(values)]) >= 0).all()


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, math.inf])
def test_its_scale_is_above_zero(scale: float) -> None:
    with pytest.raises(ValueError, match="scale"):
        MonotoneTransform(scale)


@pytest.mark.parametrize("kernel", [Linear(), Linear(normalise=True), Polynomial(), Polynomial(p=3, normalise=True)])
def test_kernels_with_other_values_are_refused(kernel: Kernel) -> None:
    with pytest.raises(TwinlensError, match=kernel.key):
        kernel.against(np.ones((2, 3)), MonotoneTransform(1.0))


def test_rows_with_other_values_are_named() -> None:
    x = np.full((5, 4), 0.25)
    ChiSquare().against(x, MonotoneTransform(1.0))
    x[3] = 0.5
    with pytest.raises(TwinlensError, match=r"row 3 .* sum to 2, .*chi-square\(normalise=true\)"):
        ChiSquare().against(x, MonotoneTransform(1.0))
    ChiSquare(normalise=True).against(x, MonotoneTransform(1.0))
    Gaussian(gamma=1).against(x, MonotoneTransform(1.0))
    ChiSquare().against(x[:0], MonotoneTransform(1.0))


def test_even_powers_normalised_are_allowed() -> None:
    x = np.random.default_rng(0).standard_normal((30, 5))
    values = Polynomial(normalise=True).against(x, MonotoneTransform(3.0)).values(x)
    assert values.max() == pytest.approx(1, rel=1e-5)
