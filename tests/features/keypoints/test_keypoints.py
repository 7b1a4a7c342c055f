"""Keypoints as they are kept: small, and still enough to tell pairs."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.keypoints.test_geometric_check import keypoints, known, painted
from twinlens.features.keypoints.geometric_check import CandidateCheck
from twinlens.features.keypoints.keypoints import (
    FOUND,
    KEPT,
    KEYPOINT_BYTES,
    KEYPOINTS_VERSION,
    MOST_KEPT,
    Keypoints,
    _directions,
    are_kept_keypoints,
    keypoint_bytes,
    pack_keypoints,
    restored_keypoints,
    unpack_keypoints,
)
from twinlens.features.keypoints.sift import LENGTH, local_features
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.vocabulary.vlad import CompactVlad
from twinlens.storage.database.values import PAGE_SIZE


def packed(one: Keypoints, count: int = 200) -> Keypoints:
    return unpack_keypoints(pack_keypoints(one)[:count], one.width, one.height)


def test_a_keypoint_takes_22_bytes() -> None:
    assert pack_keypoints(known(1)).shape == (300, KEYPOINT_BYTES)
    assert pack_keypoints(known(1)).dtype == np.uint8


def test_places_sizes_and_angles_are_kept() -> None:
    one = known(1)
    other = packed(one, 300)
    np.testing.assert_allclose(other.places, one.places, atol=1e-5)
    np.testing.assert_allclose(other.sizes, one.sizes, rtol=0.016)
    np.testing.assert_allclose(np.cos(np.radians(other.angles - one.angles)), 1, atol=2e-4)
    assert (other.width, other.height) == (one.width, one.height)


def test_what_is_read_back_is_most_like_itself() -> None:
    one = known(1)
    alike = one.roots @ packed(one, 300).roots.T
    assert (alike.argmax(axis=1) == np.arange(300)).mean() > 0.97
    np.testing.assert_allclose(np.linalg.norm(packed(one).roots, axis=1), 1, atol=0.03)


def test_directions_are_orthogonal_and_exact() -> None:
    np.testing.assert_array_equal(_directions() @ _directions().T, LENGTH * np.eye(LENGTH))


def test_the_check_tells_by_kept_keypoints() -> None:
    scene = painted(1)
    candidate, other = packed(keypoints(scene)), packed(known(2))
    for rgb in (scene, 255 - scene, scene[:, ::-1], scene[60:300, 80:400]):
        check = CandidateCheck(keypoints(rgb))
        assert check.of(candidate).agreement.accepted
        assert not check.of(other).agreement.accepted


def test_blank_pictures_keep_nothing() -> None:
    blank = keypoints(np.full((50, 40, 3), 9))
    assert pack_keypoints(blank).shape == (0, KEYPOINT_BYTES)
    assert len(packed(blank)) == 0


def picture(rgb: npt.NDArray[np.generic]) -> Picture:
    return Picture(np.ascontiguousarray(rgb, np.uint8), None, PictureFacts("PNG", 1, 1))


def test_of_a_picture_the_strongest_are_kept() -> None:
    scene = painted(1)
    data = keypoint_bytes(picture(scene))
    assert len(data) == 4 + KEPT * KEYPOINT_BYTES == 4052
    one, other = restored_keypoints(data), packed(keypoints(scene), KEPT)
    assert (one.width, one.height) == (1, 0.75)
    for name in ("places", "sizes", "angles", "levels"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@given(st.integers(1, 640), st.integers(1, 640))
@settings(max_examples=20)
def test_the_sides_are_kept_exactly(width: int, height: int) -> None:
    blank = picture(np.full((height, width, 3), 9))
    one, other = Keypoints.of(blank, FOUND), restored_keypoints(keypoint_bytes(blank))
    assert (other.width, other.height, len(other)) == (one.width, one.height, 0)


def test_sift_is_run_once_with_the_default_descriptor() -> None:
    one = picture(painted(2))
    assert CompactVlad().cap == FOUND
    keypoint_bytes(one)
    found = local_features(one, CompactVlad().keypoints)
    assert found is local_features(one, FOUND)
    assert len(found) > KEPT


def test_four_photographs_fill_a_page() -> None:
    with_its_row = 4 + KEPT * KEYPOINT_BYTES + 24  # numbers, lengths and a place in the page
    assert PAGE_SIZE - 200 < 4 * with_its_row < PAGE_SIZE


def test_older_libraries_keep_more() -> None:
    one = keypoints(painted(1))
    older = struct.pack("<HH", 640, 480) + pack_keypoints(one)[:MOST_KEPT].tobytes()
    assert are_kept_keypoints(older)
    np.testing.assert_array_equal(restored_keypoints(older).levels[:KEPT], packed(one, KEPT).levels)
    assert not are_kept_keypoints(older + bytes(KEYPOINT_BYTES))


def test_what_is_cut_is_refused() -> None:
    for data in (b"", b"\0\1\0", keypoint_bytes(picture(painted(3)))[:-1]):
        with pytest.raises(ValueError, match=r"hold no keypoints|cannot reshape"):
            restored_keypoints(data)


def test_what_a_version_keeps_never_changes() -> None:
    """Whoever must change the expected bytes raises `KEYPOINTS_VERSION` too, or older libraries are read wrongly."""
    rng = np.random.default_rng(5)
    count = 300
    one = Keypoints(
        1.0,
        1.0,
        rng.integers(0, 1 << 12, (count, 2)).astype(np.float32) / np.float32(1 << 12),
        np.float32(2) ** rng.integers(-8, 0, count).astype(np.float32),
        (rng.integers(0, 720, count) / 2).astype(np.float32),
        (rng.integers(0, 16, (count, LENGTH)) ** 2).astype(np.uint8),
    )
    assert KEYPOINTS_VERSION == 1
    assert (
        hashlib.sha256(pack_keypoints(one).tobytes()).hexdigest()
        == "5456178b48300a6ef12ec16e805fa44a04a3c95aeb3e0ee99726a88573b8b102"
    )
