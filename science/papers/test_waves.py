"""Costs and Theorem 3 of bilinear projections beside what is plainly counted; the study of expectations, small."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from core.hashing.kernel_estimate import difference_spectrum
from core.methods.bilinear_sik import BilinearSik
from core.methods.sik import Sik
from core.progress import silent
from core.theory.bit_pairs import HOLDS_UP_TO
from science.papers.result import Result
from science.papers.sections import kc as section
from science.papers.studies import kc_expected
from science.papers.waves import covariance_bound, floats, multiplications


def test_theorem_3_is_the_sum_that_it_is() -> None:
    for kappa in (0.1, 0.5, 0.9, 0.99):
        wide = narrow = 0.0
        for j in range(1, 400):
            wide += kappa ** (0.79 * j * j) / (4 * j * j - 1)
            narrow += kappa ** (j * j) / (4 * j * j - 1)
        assert covariance_bound(kappa) == pytest.approx(64 / math.pi**4 * (wide**2 - narrow**2))
    curve = covariance_bound(np.linspace(0, 1, 101))
    assert 0.008 < curve.max() < 0.0095
    assert 0.65 < np.linspace(0, 1, 101)[curve.argmax()] < 0.8


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("bits", [16, 17])
def test_costs_are_those_of_the_projections(bits: int, m: int) -> None:
    x = np.random.default_rng(0).standard_normal((40, 48)).astype(np.float32)
    shape = (6, 8)
    packed = BilinearSik(bits=bits, oversampling=m, gamma=0.1).fit(x).pack().arrays
    sides = sum(array.size for array in packed.values() if array.ndim == 2)
    assert floats(bits, shape, m) - 2 * bits == sides
    (left, right) = sorted((array for array in packed.values() if array.ndim == 2), key=len)
    product = shape[0] * shape[1] * right.shape[1] + shape[1] * left.shape[1] * right.shape[1]
    assert product == multiplications(bits, shape, m)
    single = Sik(bits=bits).fit(x).pack().arrays
    assert floats(bits, shape, None) == sum(array.size for array in single.values() if array.ndim) - _others(
        single, bits
    )
    assert multiplications(bits, shape, None) == 48 * bits


def _others(arrays: dict[str, npt.NDArray[np.generic]], bits: int) -> int:
    """Count what is neither a projection nor a number for each bit."""
    return sum(array.size for array in arrays.values() if array.ndim and array.size not in {bits, 48 * bits})


@pytest.fixture(scope="module")
def found() -> Result:
    """Measure the study's figures on blots of 7 x 8."""
    rng = np.random.default_rng(1)
    blots = rng.standard_normal((12, 56))
    x = (rng.standard_normal((160, 12)) @ blots + 0.3 * rng.standard_normal((160, 56))).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kc_expected, "SHAPES", dict.fromkeys(kc_expected.CASES, ("base", (7, 8))))
        patch.setattr(kc_expected, "BITS", 400)
        patch.setattr(kc_expected, "EACH", 20)
        patch.setattr(kc_expected, "FEW", 4)
        figures = {case: kc_expected.measure(case, lambda *_: x, 2, silent) for case in kc_expected.CASES}  # type: ignore[arg-type]
    return Result("kc-expected", (), "", figures)


def test_expectations_hold_on_small_data(found: Result) -> None:
    one = found.figures["fashion-mnist"]
    figures = {name: mean for name, (mean, _, _) in one["figures"].items()}
    assert figures["cosine below kernel"] == figures["upper broken"] == 0
    assert figures["single off"] < 0.15
    assert figures["lower broken where it holds"] in {0, None}
    assert 0 <= figures["condition by chance"] <= 1
    measured = {round(at, 6): mean for at, mean, _ in one["curves"]["single"]}
    assert max(measured.values()) < 0.55
    falling = [mean for _, mean, _ in one["curves"]["bilinear expected"]]
    assert falling[0] > falling[-1]


def test_a_condition_is_that_of_the_largest_eigenvalue() -> None:
    difference = np.zeros((2, 3, 4))
    difference[0, 0] = 0.5, 0.5, 0.5, 0.5  # of length 1 in one direction
    difference[1, [0, 1, 2], [0, 1, 2]] = 1 / math.sqrt(3)  # of length 1 in three
    spectra = difference_spectrum(difference, gamma=0.5)
    assert spectra[:, 0] == pytest.approx([1, 1 / 3])
    assert (spectra[:, 0] <= HOLDS_UP_TO).tolist() == [False, True]


def test_figures_are_drawn_of_what_is_measured(found: Result) -> None:
    for show in (item.show for item in section.SECTION.items if item.sources == ("kc-expected",)):
        assert len(show({"kc-expected": found})) >= 2
