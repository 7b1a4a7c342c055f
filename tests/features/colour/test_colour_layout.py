"""Colour layout: against the published definition in plain loops, and what changes nothing."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.features.colour.colour_layout import ColourLayout
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

ALL = ColourLayout(luma=64, chroma=64)
# ITU-T T.81, figure 5: rank of each coefficient, row by row.
ZIGZAG = """
     0  1  5  6 14 15 27 28
     2  4  7 13 16 26 29 42
     3  8 12 17 25 30 41 43
     9 11 18 24 31 40 44 53
    10 19 23 32 39 45 52 54
    20 22 33 38 46 51 55 60
    21 34 37 47 50 56 59 61
    35 36 48 49 57 58 62 63
"""


def describe(
    rgb: npt.ArrayLike, mask: npt.NDArray[np.bool_] | None = None, how: ColourLayout = ColourLayout()
) -> np.ndarray:
    pixels = np.ascontiguousarray(rgb, np.uint8)
    return how.fit(never).extract(Picture(pixels, mask, PictureFacts("PNG", 1, 1)))


def smooth(height: int, width: int, seed: int = 0) -> np.ndarray:
    """Make pixels that differ from part to part, 8 x 8."""
    parts = np.random.default_rng(seed).integers(0, 256, (8, 8, 3))
    return parts.repeat(height // 8, axis=0).repeat(width // 8, axis=1)


def coefficients(averages: np.ndarray) -> list[np.ndarray]:
    """Return Y, Cb and Cr of 8 x 8 averages, transformed by the definition of the DCT, in zigzag order."""
    red, green, blue = averages.transpose(2, 0, 1) / 255
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    planes = [
        219 * luma + 16,
        224 * (-0.169 * red - 0.331 * green + 0.5 * blue),
        224 * (0.5 * red - 0.419 * green - 0.081 * blue),
    ]
    order = np.argsort([int(rank) for rank in ZIGZAG.split()])
    found = []
    for plane in planes:
        transformed = np.zeros((8, 8))
        for u in range(8):
            for v in range(8):
                waves = (
                    plane[i, j] * math.cos((2 * i + 1) * u * math.pi / 16) * math.cos((2 * j + 1) * v * math.pi / 16)
                    for i in range(8)
                    for j in range(8)
                )
                lengths = (math.sqrt((1 if k == 0 else 2) / 8) for k in (u, v))
                transformed[u, v] = sum(waves) * math.prod(lengths)
        found.append(transformed.ravel()[order])
    return found


def test_coefficients_and_weights_are_the_published_ones() -> None:
    rgb = smooth(32, 48)
    luma, blue, red = coefficients(rgb[::4, ::6].astype(float))
    expected = [
        *(luma[:6] * np.sqrt([2, 2, 2, 1, 1, 1])),
        *(blue[:3] * np.sqrt([2, 1, 1])),
        *(red[:3] * np.sqrt([4, 2, 2])),
    ]
    np.testing.assert_allclose(describe(rgb), np.array(expected) / 1000, atol=1e-6)


def test_the_measure_is_of_the_weighted_squares() -> None:
    one, other = smooth(16, 16, 1), smooth(16, 16, 2)
    squares = 0.0
    weights = [2, 2, 2, 1, 1, 1], [2, 1, 1], [4, 2, 2]
    for weight, a, b in zip(
        weights, coefficients(one[::2, ::2].astype(float)), coefficients(other[::2, ::2].astype(float)), strict=True
    ):
        squares += (weight * (a - b)[: len(weight)] ** 2).sum()
    found = ColourLayout.measure.matrix(describe(one)[None], describe(other)[None])[0, 0]
    assert found == pytest.approx(math.exp(-3 * squares / 1000**2), rel=1e-5)


def test_all_coefficients_tell_the_64_colours() -> None:
    rgb = smooth(8, 8, 3)
    vector = describe(rgb, how=ALL).astype(float)
    assert vector.shape == (192,)
    squares = sum((plane**2).sum() for plane in coefficients(rgb.astype(float)))
    weighted = (vector**2).sum() * 1e6
    assert squares < weighted < 4 * squares


@pytest.mark.parametrize("size", [(8, 8), (16, 40), (320, 640)])
def test_size_and_shape_change_nothing(size: tuple[int, int]) -> None:
    np.testing.assert_allclose(describe(smooth(*size)), describe(smooth(64, 64)), atol=1e-6)


def test_a_mirrored_picture_has_the_odd_waves_of_the_other_sign() -> None:
    rgb = smooth(32, 32)
    plain, mirrored = describe(rgb, how=ALL), describe(rgb[:, ::-1], how=ALL)
    column = np.argsort([int(rank) for rank in ZIGZAG.split()]) % 8
    np.testing.assert_allclose(mirrored, plain * np.tile((-1.0) ** column, 3), atol=1e-6)


def test_a_part_of_which_nothing_is_visible_takes_the_average_of_what_is() -> None:
    rgb = smooth(32, 32)
    mask = np.zeros((32, 32), np.bool_)
    mask[:16] = True
    filled = rgb.astype(float)
    filled[16:] = rgb[:16].mean(axis=(0, 1))
    luma, blue, red = coefficients(filled[::4, ::4])
    vector = describe(rgb, mask, ALL) * 1000
    np.testing.assert_allclose(vector[3:64], luma[3:], atol=1e-3)
    np.testing.assert_allclose(vector[67:128], blue[3:], atol=1e-3)
    np.testing.assert_allclose(vector[131:], red[3:], atol=1e-3)
    assert not describe(rgb, np.zeros((32, 32), np.bool_)).any()


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (5, 3), (9, 640)])
def test_small_and_narrow_pictures(shape: tuple[int, int]) -> None:
    flat = describe(np.full((*shape, 3), (200, 40, 90)))
    np.testing.assert_allclose(flat, describe(np.full((64, 64, 3), (200, 40, 90))), atol=1e-5)


def test_black_has_something_to_compare() -> None:
    assert describe(np.zeros((9, 9, 3))).any()
