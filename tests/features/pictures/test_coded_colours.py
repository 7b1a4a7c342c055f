"""Colours said by numbers: held against the standards' own equations, in doubles and pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from tests.features.sample_pictures import pixels_of, scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.pictures.coded_colours import LINEAR, SRGB_PRIMARIES, CodedColours, levels

PIXELS: UInt8Pixels = pixels_of(scene())
# The matrix of ICC's Display P3 and sRGB profiles, as CSS Color 4 gives it.
P3_TO_SRGB = np.array(
    [[1.2249401762, -0.2249401762, 0], [-0.0420569547, 1.0420569547, 0], [-0.0196375546, -0.0786360456, 1.0982736001]]
)
BT2020_TO_SRGB = np.array(  # ITU-R BT.2087
    [[1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730]]
)


def _light(levels: UInt8Pixels) -> np.ndarray:
    level = levels / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


def _shown(light: np.ndarray) -> np.ndarray:
    light = np.clip(light, 0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


@pytest.mark.parametrize(("number", "matrix"), [(12, P3_TO_SRGB), (9, BT2020_TO_SRGB)])
def test_wide_primaries(number: int, matrix: np.ndarray) -> None:
    expected = _shown(_light(PIXELS) @ matrix.T)
    found = CodedColours.of_numbers(number, 13).to_srgb(PIXELS)
    assert np.abs(found - expected).max() <= 1.5
    assert np.abs(PIXELS - expected).max() > 30, "to leave it out would show"


@pytest.mark.parametrize(
    ("colours", "power"),
    [(CodedColours(curve=LINEAR), 1.0), (CodedColours(power=1.8), 1.8), (CodedColours(curve=5), 2.8)],
)
def test_powers(colours: CodedColours, power: float) -> None:
    assert np.abs(colours.to_srgb(PIXELS) - _shown((PIXELS / 255) ** power)).max() <= 0.51


def test_what_is_srgb_stays_as_it_is() -> None:
    for colours in (
        CodedColours.of_numbers(1, 13),
        CodedColours.of_numbers(1, 1),
        CodedColours.of_numbers(2, 2),
        CodedColours(power=1 / 0.45455),
        CodedColours((0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.31269, 0.32899)),
    ):
        assert colours.are_srgb
        assert colours.to_srgb(PIXELS) is PIXELS


def _pq(nits: float) -> float:
    """Return the number, 0 to 1, of a brightness (SMPTE ST 2084, equation 5.2)."""
    power = (nits / 10_000) ** 0.1593017578125
    return float(((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375)


def test_pq_is_as_bright_as_a_white_page_of_203_candelas() -> None:
    nits = np.array([0, 5, 20, 50, 100, 203 * 0.6])
    grey = np.rint(255 * np.array([_pq(value) for value in nits])).astype(np.uint8)
    pixels = np.repeat(np.append(grey, np.uint8(round(255 * _pq(1000))))[None, :, None], 3, axis=2)
    found = CodedColours.of_numbers(9, 16).to_srgb(np.ascontiguousarray(pixels))[0, :, 1]
    expected = _shown(nits / 203)
    assert np.abs(found[:-1] - expected).max() <= 4, "a level of PQ is as much as that"
    assert found[-1] == 255
    assert (np.diff(found.astype(int)) > 0).all()


def test_hlg_shows_its_white_bright_and_its_middle_as_it_is() -> None:
    level = np.array([0, 64, 128, 191, 255], np.uint8)
    found = CodedColours.of_numbers(9, 18).to_srgb(np.repeat(level[None, :, None], 3, axis=2))[0, :, 1].astype(int)
    assert found[0] == 0
    assert found[-1] == 255
    assert 200 < found[3] < 255, "75 % is the white of a page (BT.2408)"
    assert (np.diff(found) > 20).all()


def test_light_above_white_keeps_its_hue_and_the_rest_its_level() -> None:
    light = np.array([[[0.2, 0.1, 0.05], [8.0, 4.0, 2.0]]], np.float32)
    dark, bright = CodedColours(curve=LINEAR).shown(light)[0]
    assert np.abs(dark - _shown(light[0, 0])).max() <= 0.51
    back = _light(bright)
    assert back[0] > back[1] > back[2] > 0
    assert back[0] / back[1] == pytest.approx(2, rel=0.05)


def test_impossible_primaries_are_those_of_srgb() -> None:
    same = CodedColours((0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3), LINEAR)
    np.testing.assert_array_equal(same.to_srgb(PIXELS), CodedColours(SRGB_PRIMARIES, LINEAR).to_srgb(PIXELS))


@pytest.mark.parametrize(
    ("samples", "bits", "expected"),
    [
        (np.array([[0, 257, 65535]], np.uint16), 0, [0, 1, 255]),
        (np.array([[0, 2048, 4095]], np.uint16), 12, [0, 128, 255]),
        (np.array([[0, 1 << 31, (1 << 32) - 1]], np.uint32), 0, [0, 128, 255]),
        (np.array([[0, 0.5, 1]], np.float16), 0, [0, 128, 255]),
        (np.array([[0, 128, 255]], np.float32), 0, [0, 128, 255]),
        (np.array([[-1, np.nan, 3]], np.float32), 0, [0, 64, 255]),
        (np.array([[-100, 0, 100]], np.int16), 0, [0, 128, 255]),
        (np.array([[False, True]]), 0, [0, 255]),
    ],
)
def test_samples_of_any_kind(samples: np.ndarray, bits: int, expected: list[int]) -> None:
    found = levels(samples, bits)
    assert found.dtype == np.uint8
    assert np.abs(found[0].astype(int) - expected).max() <= 1
