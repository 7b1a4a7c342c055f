"""Keypoints as they are kept: small, and still enough to tell pairs."""

from __future__ import annotations

import numpy as np

from features.checking import Check
from features.kept_keypoints import BYTES, _directions, pack, unpack
from features.keypoints import Keypoints
from features.sift import LENGTH
from tests.features.test_geometry import keypoints, painted


def kept(one: Keypoints, count: int = 200) -> Keypoints:
    return unpack(pack(one)[:count], one.width, one.height)


def test_a_keypoint_takes_22_bytes() -> None:
    assert pack(keypoints(painted(1))).shape == (300, BYTES)
    assert pack(keypoints(painted(1))).dtype == np.uint8


def test_places_sizes_and_angles_are_kept() -> None:
    one = keypoints(painted(1))
    other = kept(one, 300)
    np.testing.assert_allclose(other.places, one.places, atol=1e-5)
    np.testing.assert_allclose(other.sizes, one.sizes, rtol=0.016)
    np.testing.assert_allclose(np.cos(np.radians(other.angles - one.angles)), 1, atol=2e-4)
    assert (other.width, other.height) == (one.width, one.height)


def test_what_is_read_back_is_most_like_itself() -> None:
    one = keypoints(painted(1))
    alike = one.roots @ kept(one, 300).roots.T
    assert (alike.argmax(axis=1) == np.arange(300)).mean() > 0.97
    np.testing.assert_allclose(np.linalg.norm(kept(one).roots, axis=1), 1, atol=0.03)


def test_directions_are_orthogonal_and_exact() -> None:
    np.testing.assert_array_equal(_directions() @ _directions().T, LENGTH * np.eye(LENGTH))


def test_the_check_tells_by_kept_keypoints() -> None:
    scene = painted(1)
    candidate, other = kept(keypoints(scene)), kept(keypoints(painted(2)))
    for rgb in (scene, 255 - scene, scene[:, ::-1], scene[60:300, 80:400]):
        check = Check(keypoints(rgb))
        assert check.of(candidate).agreement.accepted
        assert not check.of(other).agreement.accepted


def test_blank_pictures_keep_nothing() -> None:
    blank = keypoints(np.full((50, 40, 3), 9))
    assert pack(blank).shape == (0, BYTES)
    assert len(kept(blank)) == 0
