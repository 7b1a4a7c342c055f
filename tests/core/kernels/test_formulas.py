"""Each kernel is its formula, a term at a time, and scikit-learn's where that has it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.errors import TwinlensError
from core.kernels import KERNELS
from core.kernels.dot_product_kernels import Linear, Polynomial, Sigmoid
from core.kernels.histogram_kernels import ChiSquare, Hellinger, Intersection
from core.kernels.kernel import Kernel
from core.kernels.radial_kernels import Cauchy, Gaussian, Laplacian

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
