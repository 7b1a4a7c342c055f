"""Expected Hamming distances, beside simulated ones, their bounds and their inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hashing.shift_invariant_hashing import (
    LARGEST,
    Form,
    bilinear_lower_bound,
    difference_spectrum,
    estimated_kernel,
    expected_share,
    expected_share_bilinear,
    lower_bound,
    upper_bound,
)

BITS = 400_000


@pytest.mark.parametrize("form", ["gaussian", "laplacian"])
@pytest.mark.parametrize("kernel", [0.95, 0.6, 0.2, 0.01])
def test_the_expectation_is_what_is_drawn(form: Form, kernel: float) -> None:
    rng = np.random.default_rng(0)
    difference = rng.standard_normal(5)
    if form == "gaussian":
        gamma = -np.log(kernel) / (difference @ difference)
        projected = rng.standard_normal((BITS, 5)) @ difference * np.sqrt(2 * gamma)
    else:
        gamma = -np.log(kernel) / np.abs(difference).sum()
        projected = rng.standard_cauchy((BITS, 5)) @ difference * gamma
    offset, threshold = rng.uniform(0, 2 * np.pi, BITS), rng.uniform(-1, 1, BITS)
    differ = (np.cos(offset) + threshold >= 0) != (np.cos(projected + offset) + threshold >= 0)
    assert expected_share(kernel, form) == pytest.approx(differ.mean(), abs=4 * np.sqrt(0.25 / BITS))


def test_the_bilinear_expectation_is_what_is_drawn() -> None:
    rng = np.random.default_rng(1)
    for scale in (0.2, 0.6, 1.5):
        difference = scale * rng.standard_normal((3, 4)) / np.sqrt(12)
        w, v = rng.standard_normal((BITS, 3)), rng.standard_normal((BITS, 4))
        projected = np.einsum("ni,ij,nj->n", w, difference, v)
        offset, threshold = rng.uniform(0, 2 * np.pi, BITS), rng.uniform(-1, 1, BITS)
        differ = (np.cos(offset) + threshold >= 0) != (np.cos(projected + offset) + threshold >= 0)
        (expected,) = expected_share_bilinear(difference[None], gamma=0.5)
        assert expected == pytest.approx(differ.mean(), abs=4 * np.sqrt(0.25 / BITS))


@given(st.floats(0, 1))
def test_single_codes_keep_their_bounds(kernel: float) -> None:
    share = float(expected_share(kernel))
    assert lower_bound(kernel) - 1e-6 <= share <= upper_bound(kernel) + 1e-6
    assert share <= LARGEST + 1e-6


@given(st.integers(0, 10_000), st.floats(0.05, 1.2))
def test_bilinear_codes_keep_their_bounds_where_these_hold(seed: int, size: float) -> None:
    difference = np.random.default_rng(seed).standard_normal((1, 4, 5))
    difference *= size / np.linalg.norm(difference)
    (share,) = expected_share_bilinear(difference, gamma=0.5)
    kernel = np.exp(-0.5 * size**2)
    assert share <= upper_bound(kernel) + 1e-6
    bound = float(bilinear_lower_bound(kernel, difference_spectrum(difference, 0.5)[0, 0]))
    assert np.isnan(bound) or share >= bound - 1e-6


def test_a_rank_one_difference_breaks_the_bilinear_bound_that_norms_alone_would_promise() -> None:
    difference = np.zeros((1, 3, 3))
    difference[0, 0, 0] = 1.6  # x = -z, both of norm 0.8
    (share,) = expected_share_bilinear(difference, gamma=0.5)
    assert share < LARGEST * (1 - np.exp(-0.5 * 1.6**2) ** 0.79)
    assert np.isnan(bilinear_lower_bound(0.5, difference_spectrum(difference, 0.5)[0, 0]))


@given(st.floats(0.001, 1), st.sampled_from(["gaussian", "laplacian"]))
def test_the_inverse_leads_back(kernel: float, form: Form) -> None:
    assert estimated_kernel(expected_share(kernel, form), form) == pytest.approx(kernel, abs=2e-3)


def test_the_inverse_is_clipped_where_no_kernel_is_meant() -> None:
    assert estimated_kernel([0.0, 0.45, 1.0]).tolist() == [1.0, 0.0, 0.0]
