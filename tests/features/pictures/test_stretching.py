"""A picture at a size of its own choosing: averaged, interpolated, and what is transparent left out."""

from __future__ import annotations

import numpy as np
import pytest

from features.pictures.picture import Picture, PictureFacts, stretched

FACTS = PictureFacts("PNG", 1, 1)
STEP = 1 / 256


def noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)


def test_areas_are_averaged() -> None:
    rgb = noise(24, 40, 3)
    small = stretched(Picture(rgb, None, FACTS), 8, 10, colour=True)
    assert small is not None
    assert small.visible is None
    np.testing.assert_allclose(small.image, rgb.reshape(8, 3, 10, 4, 3).mean(axis=(1, 3)), atol=STEP)


def test_a_side_is_averaged_though_the_other_grows() -> None:
    rgb = np.repeat(noise(1, 640, 1), 3, axis=2)
    small = stretched(Picture(rgb, None, FACTS), 16, 16)
    assert small is not None
    np.testing.assert_allclose(small.image, np.tile(rgb[..., 0].reshape(16, 40).mean(axis=1), (16, 1)), atol=STEP)


def test_what_is_transparent_does_not_bleed() -> None:
    rgb, mask = noise(20, 20, 3), np.zeros((20, 20), np.bool_)
    mask[3:11, 5:20] = True
    rgb[mask] = 200
    rgb[~mask] = 10
    small = stretched(Picture(rgb, mask, FACTS), 5, 5, colour=True)
    assert small is not None
    assert small.visible is not None
    np.testing.assert_allclose(small.visible, mask.reshape(5, 4, 5, 4).mean(axis=(1, 3)), atol=1e-6)
    np.testing.assert_array_equal(small.image[small.visible > 0], 200)
    np.testing.assert_array_equal(small.image[small.visible == 0], 0)
    assert small.whole is not None
    np.testing.assert_array_equal(small.whole, mask.reshape(5, 4, 5, 4).all(axis=(1, 3)))


def test_nothing_visible_is_nothing() -> None:
    assert stretched(Picture(noise(9, 9, 3), np.zeros((9, 9), np.bool_), FACTS), 4, 4) is None


@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (640, 1), (3, 5)])
def test_any_shape_keeps_its_range(shape: tuple[int, int]) -> None:
    rgb = noise(*shape, 3)
    picture = Picture(rgb, None, FACTS)
    small = stretched(picture, 32, 48)
    assert small is not None
    assert small.image.shape == (32, 48)
    assert picture.grey.min() - 1e-3 <= small.image.min()
    assert small.image.max() <= picture.grey.max() + 1e-3
