"""The picture that descriptors see, and its thumbnail."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest
from PIL import Image

from tests.features.by_hand import icc_profile
from tests.features.checks import distance
from tests.features.sample_pictures import encode, oriented, pixels_of, scene
from twinlens.features.pictures.picture import Picture, PictureFacts, stretched
from twinlens.features.pictures.thumbnail import thumbnail
from twinlens.features.reading.reading import read


def test_the_grey_picture_is_made_once() -> None:
    picture = read(encode(scene(), "PNG"))
    assert picture.grey is picture.grey
    assert picture.grey.shape == (64, 96)
    assert np.abs(picture.grey.astype(int) - pixels_of(scene().convert("L"))).max() <= 1


def test_what_descriptors_share_is_computed_once() -> None:
    picture = read(encode(scene(), "PNG"))
    calls: list[int] = []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    assert [picture.shared(("keypoints", 500), compute) for _ in range(3)] == [1, 1, 1]
    assert picture.shared(("keypoints", 900), compute) == 2


def test_a_picture_survives_the_way_to_another_process() -> None:
    picture = read(encode(scene(), "PNG"))
    copy = pickle.loads(pickle.dumps(picture))
    assert copy.facts == picture.facts
    np.testing.assert_array_equal(copy.rgb, picture.rgb)


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (500, 1), (255, 256), (257, 100), (640, 480)])
def test_thumbnails_are_small_jpegs_never_enlarged(size: tuple[int, int]) -> None:
    picture = read(encode(scene(*size), "PNG"))
    small = Image.open(io.BytesIO(thumbnail(picture)))
    assert small.format == "JPEG"
    assert max(small.size) == min(256, max(size))
    assert distance(small, picture if max(size) <= 256 else scene(*size).resize(small.size, Image.Resampling.BOX)) < 8
    assert max(Image.open(io.BytesIO(thumbnail(picture, side=40))).size) <= 40


def test_thumbnails_are_upright_and_srgb() -> None:
    upright = thumbnail(read(encode(scene(300, 200), "PNG")))
    assert thumbnail(read(oriented(scene(300, 200), "PNG", 6))) == upright
    assert "exif" not in Image.open(io.BytesIO(upright)).info
    red = Image.new("RGB", (50, 40), (250, 0, 0))
    swapped = thumbnail(read(encode(red, "PNG", icc_profile=icc_profile("Swapped", (1, 0, 2)))))
    assert pixels_of(Image.open(io.BytesIO(swapped)))[..., 1].min() > 200


def test_a_thumbnail_needs_no_more_than_pixels() -> None:
    rgb = np.full((30, 40, 3), (10, 200, 90), np.uint8)
    small = Image.open(io.BytesIO(thumbnail(Picture(rgb, None, PictureFacts("PNG", 40, 30)))))
    assert np.abs(pixels_of(small).astype(int) - (10, 200, 90)).max() < 6


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
