"""The perceptual hash: by its definition, and what it survives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.sample_pictures import encode, scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.hashing.packed_codes import hamming
from twinlens.features.copies.perceptual_hash import (
    BYTES,
    ORIENTATIONS,
    Orientation,
    hash_of_jpeg,
    oriented,
    perceptual_hash,
    turnable_hash,
)


def grey(seed: int, width: int = 320, height: int = 240) -> UInt8Pixels:
    return np.asarray(cv2.cvtColor(np.asarray(scene(width, height, seed)), cv2.COLOR_RGB2GRAY), np.uint8)


def test_bits_are_those_of_the_cosine_transform_by_its_sums() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (32, 32)).astype(np.uint8)
    n = np.arange(32)
    waves = np.cos(np.pi * (2 * n[None, :] + 1) * np.arange(8)[:, None] / 64) * np.sqrt(2 / 32)
    waves[0] /= np.sqrt(2)
    lowest = waves @ picture.astype(np.float64) @ waves.T
    bits = np.unpackbits(perceptual_hash(picture), bitorder="little")
    np.testing.assert_array_equal(bits.reshape(8, 8), lowest > np.median(lowest))


def test_half_of_the_bits_are_set() -> None:
    made = perceptual_hash(grey(1))
    assert made.shape == (BYTES,)
    assert made.dtype == np.uint8
    assert int(np.unpackbits(made).sum()) == 32


@pytest.mark.parametrize("change", ["size", "jpeg", "darker"])
def test_light_edits_change_few_bits_and_another_picture_many(change: str) -> None:
    picture = grey(3)
    near = int(hamming(perceptual_hash(picture), perceptual_hash(changed(picture, change))))
    far = min(int(hamming(perceptual_hash(picture), perceptual_hash(grey(seed)))) for seed in range(4, 9))
    assert near <= 6 < far


def changed(picture: UInt8Pixels, change: str) -> UInt8Pixels:
    if change == "size":
        return np.asarray(cv2.resize(picture, (64, 48), interpolation=cv2.INTER_AREA), np.uint8)
    if change == "jpeg":
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 10])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)
    return picture // 2


def test_a_jpeg_is_hashed_like_its_picture_and_what_is_none_is_not() -> None:
    data = encode(scene(320, 240, 5), "JPEG", quality=95)
    made = hash_of_jpeg(data)
    assert made is not None
    assert int(hamming(made, perceptual_hash(grey(5)))) <= 2
    assert hash_of_jpeg(b"") is None
    assert hash_of_jpeg(b"no picture") is None


def test_flat_and_tiny_pictures_have_a_hash() -> None:
    assert perceptual_hash(np.full((1, 1), 7, np.uint8)).shape == (BYTES,)
    assert perceptual_hash(np.zeros((300, 2), np.uint8)).shape == (BYTES,)


def smooth(seed: int, width: int, height: int) -> UInt8Pixels:
    rng = np.random.default_rng(seed)
    grey = cv2.GaussianBlur(rng.random((height, width)).astype(np.float32), (0, 0), 6)
    return np.asarray(cv2.normalize(grey, None, 0, 255, cv2.NORM_MINMAX), np.uint8)  # type: ignore[call-overload]


def shown(picture: UInt8Pixels, orientation: Orientation) -> UInt8Pixels:
    """Turn the pixels themselves."""
    made = picture[:, ::-1] if orientation.mirrored else picture
    made = np.rot90(made, orientation.quarters)
    return np.ascontiguousarray(255 - made if orientation.negative else made)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(80, 160), st.integers(80, 160))
def test_it_is_known_without_looking_again(seed: int, width: int, height: int) -> None:
    picture = smooth(seed, width, height)
    own = turnable_hash(picture)
    assert own is not None
    for orientation in ORIENTATIONS:
        looked = turnable_hash(shown(picture, orientation))
        assert looked is not None
        told = int(oriented(np.array([own], np.uint64), orientation)[0])
        assert (looked ^ told).bit_count() <= 3


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_whole_frame_is_mapped(orientation: Orientation) -> None:
    picture = np.zeros((90, 120), np.uint8)
    picture[10:20, 30:50] = 255
    turned = shown(picture, orientation)
    there = turned > 127 if not orientation.negative else turned < 127
    places = orientation.frame_map((120, 90), (turned.shape[1], turned.shape[0]))
    x, y, w = places @ (40, 15, 1)
    ys, xs = np.nonzero(there)
    assert (x / w, y / w) == (pytest.approx(xs.mean() + 0.5, abs=1), pytest.approx(ys.mean() + 0.5, abs=1))


def test_a_blank_picture_has_none() -> None:
    assert turnable_hash(np.full((40, 60), 90, np.uint8)) is None
