"""The hash of a picture says how its mirror images, turns and negative hash."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import UInt8Pixels
from features.copies.perceptual_hash import ORIENTATIONS, Orientation, oriented, turnable_hash


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
