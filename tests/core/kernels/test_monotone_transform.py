"""The monotone transform: its formula, the rankings it keeps, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TwinlensError
from core.kernels.dot_product_kernels import Linear, Polynomial
from core.kernels.histogram_kernels import ChiSquare
from core.kernels.kernel import Kernel, MonotoneTransform
from core.kernels.radial_kernels import Gaussian


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
