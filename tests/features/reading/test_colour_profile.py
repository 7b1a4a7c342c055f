"""Colours end as sRGB: by an embedded profile, from CMYK and from Lab."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from features.reading.reading import read, to_srgb
from tests.features import by_hand
from tests.features.sample_pictures import encode, pixels_of, scene


def test_cmyk_is_converted_with_the_right_polarity() -> None:
    inks = {(0, 0, 0, 0): (255, 255, 255), (255, 0, 0, 0): (0, 255, 255), (0, 0, 0, 255): (0, 0, 0)}
    for ink, colour in inks.items():
        for form in ("JPEG", "TIFF"):  # a JPEG's are stored inverted, as Adobe does
            picture = read(encode(Image.new("CMYK", (16, 16), ink), form))
            assert np.abs(picture.rgb.astype(int) - colour).max() <= 2


def test_lab_is_converted() -> None:
    picture = read(encode(Image.new("LAB", (4, 4), (255, 128, 128)), "TIFF"))
    assert picture.rgb.min() >= 253


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP", "AVIF", "HEIF"])
def test_an_embedded_profile_is_applied(form: str) -> None:
    image = Image.new("RGB", (900, 600), (250, 10, 10))
    swapped = read(encode(image, form, icc_profile=by_hand.icc_profile("Swapped", primaries=(1, 0, 2))))
    assert (swapped.rgb[..., 1] > 200).all()
    assert (swapped.rgb[..., 0] < 60).all()


def test_a_picture_needs_no_profile_to_be_srgb() -> None:
    image = scene()
    for profile in (None, by_hand.icc_profile("sRGB IEC61966-2.1", (1, 0, 2)), b"broken", b"", bytes(200)):
        np.testing.assert_array_equal(read(encode(image, "PNG", icc_profile=profile)).rgb, pixels_of(image))


def test_grey_and_cmyk_profiles_are_for_their_own_pixels() -> None:
    grey = Image.new("L", (8, 8), 128)
    brighter = read(encode(grey, "PNG", icc_profile=by_hand.icc_profile("Grey, gamma 1.8", (), gamma=1.8)))
    assert 140 < brighter.rgb[0, 0, 0] < 152
    assert (brighter.rgb == brighter.rgb[0, 0]).all()
    of_rgb = read(encode(grey, "PNG", icc_profile=by_hand.icc_profile("Swapped", (1, 0, 2), gamma=1.8)))
    assert (of_rgb.rgb == 128).all()
    ink = np.zeros((2, 2, 4), np.uint8)
    assert (to_srgb(ink, "CMYK", by_hand.icc_profile("Swapped", (1, 0, 2))) == 255).all()


def test_a_profile_that_is_linear_is_not_taken_for_srgb() -> None:
    linear = by_hand.icc_profile("sRGB, linear light", gamma=1.0)
    assert read(encode(Image.new("RGB", (4, 4), (55, 55, 55)), "PNG", icc_profile=linear)).rgb[0, 0, 0] > 120


def test_a_damaged_profile_is_ignored() -> None:
    whole = by_hand.icc_profile("Swapped", (1, 0, 2))
    pixels = pixels_of(scene())
    for length in (0, 1, 60, 128, 131, 200, len(whole) // 2):
        np.testing.assert_array_equal(to_srgb(pixels, "RGB", whole[:length]), pixels)
