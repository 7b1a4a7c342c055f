"""Bilinear projections beside the plain vec(W'XV), and the angles that their signs keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.bilinear_hashing import BilinearEncoder, squarest
from twinlens.core.hashing.packed_codes import pack_bits
from twinlens.core.methods.lsh import BilinearLsh
from twinlens.core.methods.sik import BilinearSik


@settings(max_examples=25)
@given(st.integers(1, 60), st.integers(1, 6), st.sampled_from([4, 12, 35, 64]), st.integers(0, 99))
def test_bits_are_those_of_the_plain_product(bits: int, oversampling: int, dimensions: int, seed: int) -> None:
    x = np.random.default_rng(seed).standard_normal((30, dimensions)).astype(np.float32)
    encoder = BilinearLsh(bits=bits, oversampling=oversampling, seed=seed).fit(x)
    rows, columns = squarest(dimensions)
    k = encoder.left.shape[1]
    assert k == oversampling * int(np.ceil(np.sqrt(bits)))
    assert len(np.unique(encoder.kept)) == bits
    assert encoder.kept.max() < k * k
    matrices = (x.astype(np.float64) - encoder.mean).reshape(-1, rows, columns)
    plain = np.einsum("ri,nrc,cj->nji", encoder.left, matrices, encoder.right).reshape(len(x), -1)[:, encoder.kept]
    np.testing.assert_allclose(encoder.project(x), plain, rtol=1e-4, atol=1e-4 * np.abs(plain).max())


@pytest.mark.parametrize("method", [BilinearLsh(bits=200), BilinearSik(bits=200), BilinearSik(bits=200, gamma=1e12)])
def test_bits_are_the_signs_of_the_exact_products(method: BilinearLsh | BilinearSik) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((60, 12 * 12))
    encoder = method.fit(x)
    bilinear = encoder if isinstance(encoder, BilinearEncoder) else encoder._bilinear
    # Matrices at right angles to some w v': their products are next to 0, and float32 does not know on which side.
    w, v = bilinear.left.astype(np.float64), bilinear.right.astype(np.float64)
    flat = np.einsum("ri,ci->irc", w[:, :20], v[:, :20]).reshape(20, -1)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    x[:20] = bilinear.mean + x[:20] - (x[:20] * flat).sum(axis=1, keepdims=True) * flat
    x[20], x[21], x[22], x[23] = bilinear.mean, 0, x[22] * 1e-30, x[23] * 1e30
    x = x.astype(np.float32)
    packed = pack_bits(encoder.project(x) >= 0)
    np.testing.assert_array_equal(encoder.encode(x), packed)
    for row in range(24):
        np.testing.assert_array_equal(encoder.encode(x[row : row + 1])[0], packed[row])


@given(st.integers(0, 99), st.sampled_from([4, 35, 64, 400]), st.sampled_from([1e-9, 1.0, 1e9]))
def test_float32_is_no_farther_off_than_is_said(seed: int, dimensions: int, size: float) -> None:
    x = (size * np.random.default_rng(seed).standard_normal((9, dimensions))).astype(np.float32)
    encoder = BilinearLsh(bits=50, seed=seed).fit(x)
    for rows in (slice(None), slice(1)):
        values, errors = encoder.near(x[rows])
        exact = encoder.project(x[rows])
        assert (np.abs(values - exact) <= errors).all()
        assert (errors <= 1e-3 * np.abs(exact).max(axis=1, keepdims=True)).all()


def test_with_one_of_each_a_square_of_bits_keeps_all() -> None:
    x = np.random.default_rng(0).standard_normal((10, 64))
    assert BilinearLsh(bits=49, oversampling=1).fit(x).kept.tolist() == list(range(49))


def test_the_share_of_differing_bits_is_the_angle() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((40, 400))
    x[20:] = x[:20] + rng.uniform(0.1, 1.5, (20, 1)) * rng.standard_normal((20, 400))
    encoder = BilinearLsh(bits=4096).fit(np.concatenate([x, -x]))  # of mean zero
    bits = encoder.project(x) >= 0
    share = (bits[:20] != bits[20:]).mean(axis=1)
    cosine = (x[:20] * x[20:]).sum(axis=1) / np.linalg.norm(x[:20], axis=1) / np.linalg.norm(x[20:], axis=1)
    np.testing.assert_allclose(share, np.arccos(cosine) / np.pi, atol=0.05)


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(TwinlensError, match="vectors are matrices"):
        BilinearLsh().check(256)
    BilinearLsh().check(8192, (64, 128))
    with pytest.raises(TwinlensError, match="7 dimensions cannot"):
        BilinearLsh().fit(np.eye(7))
