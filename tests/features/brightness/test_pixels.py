"""Pixels: the picture as a small matrix."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from twinlens.features.brightness.pixels import Pixels
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never, picture

FACTS = PictureFacts("PNG", 1, 1)


def describe(rgb: np.ndarray, mask: np.ndarray | None = None, **how: object) -> np.ndarray:
    return Pixels(**how).fit(never).extract(Picture(rgb.astype(np.uint8), mask, FACTS))


def likeness(x: np.ndarray, z: np.ndarray) -> float:
    return float(Pixels.measure.pairs(x[None, :], z[None, :])[0])


def grey_noise(rows: int, columns: int, low: int = 40, high: int = 200) -> np.ndarray:
    return np.repeat(np.random.default_rng(5).integers(low, high, (rows, columns, 1)), 3, axis=2)


def test_a_picture_of_that_size_is_its_own_matrix() -> None:
    rgb = grey_noise(28, 28)
    raw = describe(rgb, normalise=False).reshape(Pixels().matrix_shape)
    np.testing.assert_allclose(raw, rgb[..., 0] / 255, rtol=1e-6)


def test_normalised_pixels_are_correlated() -> None:
    one, other = grey_noise(28, 28), picture(2, 28, 28).rgb
    grey = Picture(other, None, FACTS).grey
    expected = np.corrcoef(one[..., 0].ravel(), grey.ravel())[0, 1]
    assert np.dot(describe(one), describe(other)) == pytest.approx(expected, abs=1e-6)


def test_colours_stand_side_by_side_each_normalised() -> None:
    rgb = picture(1, 6, 4).rgb
    found = describe(rgb, rows=4, columns=6, colour=True)
    channels = rgb.reshape(-1, 3).astype(float)
    expected = (channels - channels.mean(axis=0)) / channels.std(axis=0) / np.sqrt(channels.size)
    np.testing.assert_allclose(found, expected.ravel(), atol=1e-6)
    assert Pixels(rows=4, columns=6, colour=True).matrix_shape == (4, 18)


def test_light_and_contrast_make_no_difference() -> None:
    rgb = grey_noise(280, 560, 40, 100)
    np.testing.assert_allclose(describe(2 * rgb + 31), describe(rgb), atol=2e-4)


def test_a_channel_may_be_stronger() -> None:
    rgb = picture(0, 28, 28).rgb // 2
    np.testing.assert_allclose(describe(rgb * [1, 2, 1], colour=True), describe(rgb, colour=True), atol=1e-5)


def test_a_grey_copy_has_the_same_vector() -> None:
    rgb = picture(0, 320, 200).rgb
    grey = np.repeat(Picture(rgb, None, FACTS).grey[..., None], 3, axis=2)
    np.testing.assert_array_equal(describe(grey), describe(rgb))


def test_size_and_shape_make_little_difference() -> None:
    rgb = picture(0, 640, 480).rgb
    for size in ((64, 48), (200, 480)):
        assert likeness(describe(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)), describe(rgb)) > 0.99


@pytest.mark.parametrize("colour", [False, True])
def test_what_is_flat_or_hidden_has_no_vector(colour: bool) -> None:
    flat = np.full((50, 30, 3), (90, 140, 30))
    assert not describe(flat, colour=colour).any()
    assert not describe(grey_noise(50, 30), np.zeros((50, 30), np.bool_), colour=colour).any()
    assert not describe(np.full((1, 1, 3), 80), colour=colour).any()


@pytest.mark.parametrize("normalise", [False, True])
def test_what_is_transparent_does_not_count(normalise: bool) -> None:
    rgb, mask = grey_noise(56, 56), np.zeros((56, 56), np.bool_)
    mask[8:40, 10:50] = True
    hidden = np.where(mask[..., None], rgb, 255)
    found = describe(rgb, mask, normalise=normalise)
    np.testing.assert_array_equal(found, describe(hidden, mask, normalise=normalise))
    matrix = found.reshape(28, 28)
    assert not matrix[~mask.reshape(28, 2, 28, 2).any(axis=(1, 3))].any()
    assert matrix[4:20, 5:25].all()
