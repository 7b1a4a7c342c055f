"""The picture that descriptors see, and its thumbnail."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest
from PIL import Image

from features.pictures.channels import thumbnail
from features.pictures.picture import Picture, PictureFacts
from features.reading.reading import read
from tests.features.by_hand import icc_profile
from tests.features.checks import distance
from tests.features.sample_pictures import encode, oriented, pixels_of, scene


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
