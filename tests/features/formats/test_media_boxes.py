"""What a HEIC or AVIF says of its first picture beside its pixels: crop, turns, colours by number."""

from __future__ import annotations

import io

import numpy as np
import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.heif_files import colours, crop, with_property
from tests.features.sample_pictures import encode, flip_bits, oriented, scene
from twinlens.features.formats.media_boxes import picture_properties, without_crops
from twinlens.features.pictures.coded_colours import CodedColours
from twinlens.features.reading.reading import read

LARGE = scene(640, 480)


@pytest.mark.parametrize("form", ["AVIF", "HEIF"])
@pytest.mark.parametrize("part", [(300, 200, 50, 20), (300, 200, 0, 0), (41, 31, 10, -5), (50, 20, -10.5, 4)])
def test_a_crop_is_applied(form: str, part: tuple[float, float, float, float]) -> None:
    data = encode(LARGE, form, quality=95)
    whole, picture = read(data).rgb, read(with_property(data, crop(*part)))
    width, height, right, down = part
    left, top = round((640 - width) / 2 + right), round((480 - height) / 2 + down)
    expected = whole[top : top + int(height), left : left + int(width)]
    assert (picture.facts.width, picture.facts.height) == (width, height)
    assert np.abs(picture.rgb.astype(int) - expected).mean() < 4


def test_a_crop_is_what_another_decoder_shows() -> None:
    data = with_property(encode(LARGE, "HEIF", quality=95), crop(300, 200, 50, 20))
    shown = np.asarray(pillow_heif.open_heif(io.BytesIO(data)).to_pillow(), np.int16)  # a newer libheif
    assert np.abs(read(data).rgb - shown).mean() < 4


@pytest.mark.parametrize("form", ["AVIF", "HEIF"])
@pytest.mark.parametrize("turn", [3, 6, 8])
def test_a_crop_comes_before_the_turn(form: str, turn: int) -> None:
    data = oriented(LARGE, form, turn, quality=95)
    upright = read(data).rgb
    picture = read(with_property(data, crop(200, 100, 30, -10)))
    height, width = picture.rgb.shape[:2]
    assert (width, height) == ((200, 100) if turn == 3 else (100, 200))
    middle = {3: (-30, 10), 6: (10, 30), 8: (-10, -30)}[turn]
    left, top = (640 - width) // 2 + middle[0], (480 - height) // 2 + middle[1]
    assert np.abs(picture.rgb.astype(int) - upright[top : top + height, left : left + width]).mean() < 5


@pytest.mark.parametrize("numbers", [(12, 13), (9, 16), (1, 8)])
def test_colours_by_number(numbers: tuple[int, int]) -> None:
    data = encode(scene(), "AVIF", quality=100, subsampling="4:4:4")
    plain = read(data).rgb
    at = data.index(b"nclx") + 4
    said = data[:at] + numbers[0].to_bytes(2, "big") + numbers[1].to_bytes(2, "big") + data[at + 4 :]
    assert picture_properties(said).colours == numbers
    np.testing.assert_array_equal(read(said).rgb, CodedColours.of_numbers(*numbers).to_srgb(plain))
    added = with_property(encode(scene(), "HEIF"), colours(*numbers))
    assert picture_properties(added).colours == numbers


def test_the_number_of_a_crop_becomes_that_of_none() -> None:
    data = with_property(encode(LARGE, "HEIF"), crop(300, 200))
    rest = without_crops(data, picture_properties(data))
    assert picture_properties(data).crop == (300, 200, 0, 0)
    assert picture_properties(rest).crop is None
    assert len(rest) == len(data)


@given(places=st.lists(st.integers(0, 8_000), max_size=20), end=st.integers(0, 1_200))
def test_damaged_files_do_no_harm(places: list[int], end: int) -> None:
    whole = with_property(encode(scene(), "AVIF"), crop(50, 20))
    picture_properties(flip_bits(whole, places) if places else whole[:end])
