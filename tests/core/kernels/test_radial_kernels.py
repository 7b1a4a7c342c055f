"""``gamma=auto``: found from the neighbours of a sample, the same for the same sample, and a number ever after."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels import KERNELS, radial_kernels
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Cauchy, Gaussian, Laplacian, RadialKernel
from twinlens.testing.declarations import blas_threads

RADIAL: list[type[RadialKernel]] = [Gaussian, Laplacian, Cauchy]
ALL = pytest.mark.parametrize("cls", RADIAL, ids=lambda cls: cls.key)


def items(n: int = 400, d: int = 6) -> np.ndarray:
    return np.random.default_rng(4).standard_normal((n, d))


def test_all_of_them_are_here() -> None:
    assert {cls for cls in KERNELS if "gamma" in cls.model_fields} == set(RADIAL)


@ALL
def test_the_rule(cls: type[RadialKernel], monkeypatch: pytest.MonkeyPatch) -> None:
    x = items()
    monkeypatch.setattr(radial_kernels, "ITEMS", len(x))
    apart = x[:, None] - x[None]
    distances = np.abs(apart).sum(axis=2) if cls is Laplacian else np.linalg.norm(apart, axis=2)
    tau = np.sort(distances, axis=1)[:, 50].mean()
    made = cls().fitted_to(x, np.random.default_rng(0))
    assert made.gamma == pytest.approx(1 / tau if cls is Laplacian else 1 / (2 * tau**2), rel=1e-5)
    assert read_declaration(KERNELS, made.text()) == made


@ALL
def test_a_sample_of_the_items_is_nearly_as_good(cls: type[RadialKernel], monkeypatch: pytest.MonkeyPatch) -> None:
    some = cls().fitted_to(items(), np.random.default_rng(0)).known_gamma
    monkeypatch.setattr(radial_kernels, "ITEMS", 400)
    assert some == pytest.approx(cls().fitted_to(items(), np.random.default_rng(0)).known_gamma, rel=0.05)


@ALL
def test_the_same_from_any_threads_and_with_blank_items(cls: type[RadialKernel]) -> None:
    found = set()
    for threads in (1, 2):
        for x in (items(), np.asfortranarray(items()), np.insert(items(), [0, 5], 0, axis=0)):
            with blas_threads(threads):
                found.add(cls().fitted_to(x, np.random.default_rng(0)).known_gamma)
    assert len(found) == 1


@ALL
def test_equal_items(cls: type[RadialKernel]) -> None:
    rng = np.random.default_rng(0)
    repeated = np.repeat(items(5), 80, axis=0)
    assert cls().fitted_to(repeated, rng).known_gamma == pytest.approx(
        cls.gamma_of(float(np.mean([d[d > 0].mean() for d in cls.distances(repeated, repeated)]))), rel=0.2
    )
    for x in (np.repeat(items(1), 80, axis=0), items(1), np.zeros((9, 3)), np.zeros((0, 3))):
        assert cls().fitted_to(x, rng).known_gamma == 1.0
    two = cls().fitted_to(np.array([[0.0, 1.0], [0.0, 3.0]]), rng)
    assert two.known_gamma == cls.gamma_of(2.0)


@ALL
@pytest.mark.parametrize("scale", [1e-30, 1e-10, 1e10, 1e30])
def test_any_scale(cls: type[RadialKernel], scale: float) -> None:
    rng = np.random.default_rng(0)
    x = items(60)
    made, larger = cls().fitted_to(x, rng), cls().fitted_to(x * scale, np.random.default_rng(0))
    np.testing.assert_allclose(larger.matrix(x * scale, x * scale), made.matrix(x, x), rtol=1e-3, atol=1e-12)


@ALL
def test_auto_must_be_found_first(cls: type[RadialKernel]) -> None:
    for use in (cls().pairs, cls().matrix):
        with pytest.raises(TwinlensError, match=rf"{cls.key} kernel has gamma=auto"):
            use(items(), items()[:1])
    with pytest.raises(TwinlensError, match=rf"{cls.key} kernel has gamma=auto"):
        cls().against(items())


def test_what_says_no_auto_stays_as_it_is() -> None:
    for kernel in (ChiSquare(), Gaussian(gamma=2), Cauchy(gamma=2, normalise=True)):
        assert kernel.fitted_to(items(), np.random.default_rng(0)) is kernel


@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.1), Cauchy(gamma=0.1)], ids=lambda kernel: kernel.key)
def test_equal_rows_are_exactly_one_and_far_ones_keep_their_digits(kernel: Kernel) -> None:
    x = (items(200, 40) + 1_000).astype(np.float32)
    values = kernel.against(x).values(x)
    np.testing.assert_array_equal(np.diag(values), 1)
    np.testing.assert_array_equal(values, values.T)
    np.testing.assert_allclose(values, kernel.matrix(x, x), rtol=2e-2, atol=1e-8)
