from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.methods.lsh import Lsh


@pytest.mark.parametrize("degrees", [1, 10, 30, 60, 90, 135, 179])
def test_bits_are_equal_with_probability_one_minus_angle_over_pi(degrees: int) -> None:
    rng = np.random.default_rng(degrees)
    basis, _ = np.linalg.qr(rng.standard_normal((12, 2)))
    angle = np.radians(degrees)
    x = np.stack([basis[:, 0], np.cos(angle) * basis[:, 0] + np.sin(angle) * basis[:, 1]])
    bits = 16_384
    # With every vector its opposite, the mean is zero, and angles are those from the origin.
    projected = Lsh(bits=bits, seed=1).fit(np.concatenate([x, -x])).project(x) >= 0
    equal, p = np.count_nonzero(projected[0] == projected[1]), 1 - angle / np.pi
    assert abs(equal - bits * p) <= 4 * np.sqrt(bits * p * (1 - p))


def test_angles_are_seen_from_the_mean() -> None:
    x = np.random.default_rng(0).standard_normal((500, 16))
    far = x + 1_000
    codes, moved = Lsh(bits=256).fit(x).encode(x), Lsh(bits=256).fit(far).encode(far)
    # The same angles; but float32 at 1,000 has lost three digits, so a few bits near zero differ.
    assert np.bitwise_count(codes ^ moved).sum() < 1e-3 * 500 * 256
    assert abs(np.unpackbits(moved).mean() - 0.5) < 0.02


def test_scale_does_not_matter() -> None:
    x = np.random.default_rng(0).standard_normal((100, 16))
    np.testing.assert_array_equal(Lsh(bits=64).fit(x * 2**40).encode(x * 2**40), Lsh(bits=64).fit(x).encode(x))


def test_more_bits_begin_with_the_same_planes() -> None:
    x = np.random.default_rng(0).standard_normal((100, 16))
    np.testing.assert_array_equal(Lsh(bits=512).fit(x).encode(x)[:, :8], Lsh(bits=64).fit(x).encode(x))


def test_more_bits_than_dimensions() -> None:
    assert Lsh(bits=1_000).fit(np.eye(3)).encode(np.eye(3)).shape == (3, 125)


def test_large_and_small_numbers() -> None:
    x = np.random.default_rng(0).standard_normal((40, 5)).astype(np.float32)
    for scale in (np.float32(1e38), np.float32(1e-37)):
        codes = Lsh(bits=64).fit(x * scale / 5).encode(x * scale / 5)
        assert np.bitwise_count(codes ^ Lsh(bits=64).fit(x).encode(x)).mean() < 0.05


def test_differences_that_no_float32_holds() -> None:
    x = np.array([[3e38, 1], [3e38, -1], [-3e38, 0]], np.float32)
    codes = Lsh(bits=256).fit(x).encode(x)
    # Seen from the mean, the first two are in one direction and the third in the opposite one.
    np.testing.assert_array_equal(codes[0], codes[1])
    np.testing.assert_array_equal(codes[0], ~codes[2])
