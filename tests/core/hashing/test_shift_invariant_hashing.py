"""Random waves: beside the formula that they stand for, the expected share of differing bits, and the single ones."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.arrays import Float32Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.truth import Euclidean, true_neighbours
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.hashing.shift_invariant_hashing import (
    LARGEST,
    Form,
    ShiftInvariantEncoder,
    SingleEncoder,
    bilinear_lower_bound,
    difference_spectrum,
    draw_waves,
    estimated_kernel,
    expected_share,
    expected_share_bilinear,
    lower_bound,
    upper_bound,
)
from twinlens.core.kernels.radial_kernels import Gaussian, Laplacian
from twinlens.core.message import NOTHING
from twinlens.core.methods.sik import BilinearSik, Sik


def pairs(count: int, d: int, seed: int = 0) -> tuple[Float32Matrix, Float32Matrix]:
    """Make pairs of items at distances from next to nothing to far apart, (count, d) and (count, d)."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((count, d))
    step = rng.standard_normal((count, d))
    step *= np.geomspace(0.05, 4, count)[:, None] / np.linalg.norm(step, axis=1, keepdims=True)
    return x.astype(np.float32), (x + step).astype(np.float32)


def shares(encoder: ShiftInvariantEncoder, x: Float32Matrix, z: Float32Matrix) -> npt.NDArray[np.float64]:
    """Count for each pair the share of bits that differ."""
    return hamming(encoder.encode(x), encoder.encode(z)) / encoder.bits


# ---- the bits are those of the formula -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "method",
    [Sik(bits=200), Sik(bits=200, kernel=Laplacian()), BilinearSik(bits=200)],
    ids=lambda method: method.text(),
)
def test_bits_are_those_of_the_cosine(method: Sik | BilinearSik) -> None:
    x, _ = pairs(60, 24)
    encoder = method.fit(x)
    centred = x.astype(np.float64) - encoder.mean
    if isinstance(encoder, SingleEncoder):
        projected = centred @ encoder.projection.astype(np.float64)
    else:
        whole = np.einsum("ri,nrc,cj->nji", encoder.left, centred.reshape(-1, 4, 6), encoder.right, optimize=True)
        projected = whole.reshape(len(x), -1)[:, encoder.kept]
    gamma = encoder.resolved.known_gamma
    scale = np.sqrt(2 * gamma) if isinstance(encoder.resolved, Gaussian) else gamma
    cosine, height = np.cos(scale * projected + encoder.offsets), np.cos(encoder.reaches)  # height: -t
    values = encoder.project(x)
    certain = np.abs(cosine - height) > 1e-4  # products are rounded to what float32 knows
    assert certain.mean() > 0.99
    np.testing.assert_array_equal((values >= 0)[certain], (cosine >= height)[certain])
    assert values.max() <= np.pi + 1e-6
    assert values.min() >= -np.pi - 1e-6


def test_waves_are_drawn_as_the_paper_draws_them() -> None:
    offsets, reaches = draw_waves(40_000, np.random.default_rng(0))
    for drawn, least, most in ((offsets, 0.0, 2 * np.pi), (-np.cos(reaches), -1.0, 1.0)):
        places = (np.sort(drawn) - least) / (most - least)
        assert np.abs(places - np.linspace(0, 1, len(places))).max() < 1.95 / np.sqrt(len(places))  # Kolmogorov-Smirnov


def test_directions_are_normal_or_cauchy() -> None:
    x, _ = pairs(5, 16)
    normal = np.sort(Sik(bits=1_000).fit(x).projection.ravel())
    cauchy = np.sort(Sik(bits=1_000, kernel=Laplacian()).fit(x).projection.ravel())
    assert normal.std() == pytest.approx(1, abs=0.03)
    assert np.square(normal).mean() ** 2 * 3 == pytest.approx((normal**4).mean(), rel=0.1)
    places = np.arctan(cauchy) / np.pi + 0.5  # of Cauchy's distribution of scale 1
    assert np.abs(places - np.linspace(0, 1, len(places))).max() < 1.95 / np.sqrt(len(places))


def test_more_bits_begin_with_the_same_waves() -> None:
    x, _ = pairs(50, 16)
    np.testing.assert_array_equal(Sik(bits=512).fit(x).encode(x)[:, :8], Sik(bits=64).fit(x).encode(x))


# ---- what the number of differing bits tells -------------------------------------------------------------------------
BITS, DRAWS = 4_096, 4


@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.5), Laplacian(gamma=0.3)], ids=lambda kernel: kernel.key)
def test_single_codes_differ_as_expected(kernel: Gaussian | Laplacian) -> None:
    x, z = pairs(30, 12)
    values = kernel.pairs(x, z)
    assert values.max() > 0.9
    assert values.min() < 0.1
    seen = np.mean([shares(Sik(bits=BITS, seed=seed, kernel=kernel).fit(x), x, z) for seed in range(DRAWS)], axis=0)
    expected = expected_share(values, "gaussian" if isinstance(kernel, Gaussian) else "laplacian")
    np.testing.assert_allclose(seen, expected, atol=4 * np.sqrt(0.25 / (BITS * DRAWS)))
    encoder = Sik(bits=BITS, kernel=kernel).fit(x)
    near = values > 0.3  # where the expectation is steep enough to be turned round
    np.testing.assert_allclose(encoder.estimate(seen)[near], values[near], atol=0.06)


@pytest.mark.parametrize("oversampling", [1, 5])
def test_bilinear_codes_differ_as_expected(oversampling: int) -> None:
    x, z = pairs(30, 30)
    method = BilinearSik(bits=BITS, gamma=0.5, oversampling=oversampling)
    seen = np.mean([shares(method.changed(seed=seed).fit(x), x, z) for seed in range(6 * DRAWS)], axis=0)
    expected = expected_share_bilinear((x - z).reshape(-1, 5, 6), gamma=0.5)
    # Bits that share a projection are not independent, so their mean lies farther from the expectation.
    np.testing.assert_allclose(seen, expected, atol=0.015)
    values = Gaussian(gamma=0.5).pairs(x, z)
    near = values > 0.5
    np.testing.assert_allclose(method.fit(x).estimate(seen)[near], values[near], atol=0.1)


def test_more_oversampling_brings_single_draws_nearer_to_the_expectation() -> None:
    x, z = pairs(20, 64)
    expected = expected_share_bilinear((x - z).reshape(-1, 8, 8), gamma=0.5)
    error = [
        np.mean(
            [
                np.square(shares(BilinearSik(bits=400, gamma=0.5, oversampling=m, seed=seed).fit(x), x, z) - expected)
                for seed in range(12)
            ]
        )
        for m in (1, 5)
    ]
    assert error[1] < 0.8 * error[0]


@given(st.floats(0, 1))
def test_method_and_encoder_estimate_alike(share: float) -> None:
    x, _ = pairs(3, 16)
    methods: list[Sik | BilinearSik] = [Sik(bits=8), Sik(bits=8, kernel=Laplacian()), BilinearSik(bits=8)]
    for method in methods:
        estimate = method.estimate(share)
        assert 0 <= estimate <= 1
        assert estimate == float(method.fit(x).estimate(share))
        assert str(method.estimate_of).split()[0] in str(method.bits_tell)


# ---- ranking ---------------------------------------------------------------------------------------------------------
def test_bilinear_codes_rank_nearly_as_single_ones_do_and_better_the_less_they_share() -> None:
    rng = np.random.default_rng(3)
    middles = rng.standard_normal((10, 256))
    x = (middles[rng.integers(0, 10, 2_500)] + rng.standard_normal((2_500, 256))).astype(np.float32)
    base, queries = x[:-100], x[-100:]
    truth = true_neighbours(Euclidean(), base, queries, 10).rows

    def recall(method: HashMethod) -> float:
        """Share of the 10 nearest among the first 50 by code, over four draws."""
        found = []
        for seed in range(4):
            encoder = method.changed(seed=seed).fit(base)
            distances = hamming(encoder.encode(queries)[:, None], encoder.encode(base))
            near = distances.argsort(axis=1, kind="stable")[:, :50]
            found += [len(np.intersect1d(one, row)) / 10 for one, row in zip(near, truth, strict=True)]
        return float(np.mean(found))

    single, five, one = (recall(method) for method in (Sik(), BilinearSik(), BilinearSik(oversampling=1)))
    assert 0.3 < single < 0.95
    assert five > single - 0.08
    assert five > one + 0.02


# ---- the width, and numbers of any size ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("method", "kernel"),
    [(Sik(bits=8), Gaussian()), (Sik(bits=8, kernel=Laplacian()), Laplacian()), (BilinearSik(bits=8), Gaussian())],
    ids=["sik", "sik laplacian", "bilinear-sik"],
)
def test_auto_is_kept_as_the_number_that_was_found(method: Sik | BilinearSik, kernel: Gaussian | Laplacian) -> None:
    x, _ = pairs(300, 24)
    encoder = method.fit(x)
    found = kernel.fitted_to(x, np.random.default_rng(method.seed))
    assert encoder.resolved == found
    assert json.loads(encoder.kernel)["gamma"] == found.gamma
    assert f"gamma={found.gamma:g}" in str(encoder.note)


def test_a_given_gamma_is_used_and_needs_no_note() -> None:
    x, _ = pairs(20, 24)
    for method in (Sik(bits=64, kernel=Gaussian(gamma=0.25)), BilinearSik(bits=64, gamma=0.25)):
        encoder = method.fit(x)
        assert (encoder.resolved, encoder.note) == (Gaussian(gamma=0.25), NOTHING)


@pytest.mark.parametrize("method", [Sik(bits=64), Sik(bits=64, kernel=Laplacian()), BilinearSik(bits=64)])
def test_scale_and_place_do_not_matter(method: Sik | BilinearSik) -> None:
    x, _ = pairs(100, 16)
    codes = method.fit(x).encode(x)
    for scale, place in ((2.0**40, 0.0), (2.0**-40, 0.0), (1.0, 100.0)):
        moved = (x * np.float32(scale) + np.float32(place)).astype(np.float32)
        assert np.bitwise_count(method.fit(moved).encode(moved) ^ codes).sum() < 0.01 * codes.size * 8


@settings(max_examples=20)
@given(
    st.sampled_from([1e-300, 1e-30, 1e30, 1e300]),
    st.sampled_from([1e-38, 1.0, 1e37]),
    st.sampled_from(["sik", "laplacian", "bilinear"]),
)
def test_any_gamma_gives_finite_values(gamma: float, size: float, which: str) -> None:
    x = (pairs(20, 16)[0] * np.float32(size)).astype(np.float32)
    method: Sik | BilinearSik = BilinearSik(bits=16, gamma=gamma)
    if which != "bilinear":
        method = Sik(bits=16, kernel=Laplacian(gamma=gamma) if which == "laplacian" else Gaussian(gamma=gamma))
    values = method.fit(x).project(x)
    assert np.isfinite(values).all()
    assert np.abs(values).max() <= np.pi + 1e-6


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(TwinlensError, match="bilinear-sik needs a descriptor whose vectors are matrices"):
        BilinearSik().check(256)
    BilinearSik().check(8192, (64, 128))
    with pytest.raises(TwinlensError, match="7 dimensions cannot"):
        BilinearSik().fit(np.eye(7))


ESTIMATED_BITS = 400_000


@pytest.mark.parametrize("form", ["gaussian", "laplacian"])
@pytest.mark.parametrize("kernel", [0.95, 0.6, 0.2, 0.01])
def test_the_expectation_is_what_is_drawn(form: Form, kernel: float) -> None:
    rng = np.random.default_rng(0)
    difference = rng.standard_normal(5)
    if form == "gaussian":
        gamma = -np.log(kernel) / (difference @ difference)
        projected = rng.standard_normal((ESTIMATED_BITS, 5)) @ difference * np.sqrt(2 * gamma)
    else:
        gamma = -np.log(kernel) / np.abs(difference).sum()
        projected = rng.standard_cauchy((ESTIMATED_BITS, 5)) @ difference * gamma
    offset, threshold = rng.uniform(0, 2 * np.pi, ESTIMATED_BITS), rng.uniform(-1, 1, ESTIMATED_BITS)
    differ = (np.cos(offset) + threshold >= 0) != (np.cos(projected + offset) + threshold >= 0)
    assert expected_share(kernel, form) == pytest.approx(differ.mean(), abs=4 * np.sqrt(0.25 / ESTIMATED_BITS))


def test_the_bilinear_expectation_is_what_is_drawn() -> None:
    rng = np.random.default_rng(1)
    for scale in (0.2, 0.6, 1.5):
        difference = scale * rng.standard_normal((3, 4)) / np.sqrt(12)
        w, v = rng.standard_normal((ESTIMATED_BITS, 3)), rng.standard_normal((ESTIMATED_BITS, 4))
        projected = np.einsum("ni,ij,nj->n", w, difference, v)
        offset, threshold = rng.uniform(0, 2 * np.pi, ESTIMATED_BITS), rng.uniform(-1, 1, ESTIMATED_BITS)
        differ = (np.cos(offset) + threshold >= 0) != (np.cos(projected + offset) + threshold >= 0)
        (expected,) = expected_share_bilinear(difference[None], gamma=0.5)
        assert expected == pytest.approx(differ.mean(), abs=4 * np.sqrt(0.25 / ESTIMATED_BITS))


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
