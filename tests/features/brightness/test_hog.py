"""Oriented gradients: against a plain reference, and what they do not see."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from twinlens.features.brightness.hog import Hog
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never, picture

FACTS = PictureFacts("PNG", 1, 1)


def describe(rgb: np.ndarray, mask: np.ndarray | None = None, **how: object) -> np.ndarray:
    """Describe, (blocks, cells of a block times orientations)."""
    declared = Hog(**how)
    return declared.fit(never).extract(Picture(rgb.astype(np.uint8), mask, FACTS)).reshape(declared.matrix_shape)


def grey_of(rgb: np.ndarray) -> np.ndarray:
    return np.repeat(Picture(rgb, None, FACTS).grey[..., None], 3, axis=2)


def waves(degrees: float, side: int = 256) -> np.ndarray:
    """Make a picture that gets brighter and darker in a direction, clockwise from the right."""
    y, x = np.mgrid[0:side, 0:side]
    way = x * math.cos(math.radians(degrees)) + y * math.sin(math.radians(degrees))
    return np.repeat((128 + 100 * np.sin(way / 10))[..., None], 3, axis=2)


def reference(grey: np.ndarray, cells: int, pixels: int, bins: int, signed: bool, block: int, cut: float) -> np.ndarray:
    """Pixel by pixel, as the paper says."""
    side = cells * pixels
    votes = np.zeros((cells, cells, bins))
    for y in range(side):
        for x in range(side):
            across = float(grey[y, min(x + 1, side - 1)]) - float(grey[y, max(x - 1, 0)])
            down = float(grey[min(y + 1, side - 1), x]) - float(grey[max(y - 1, 0), x])
            angle = math.degrees(math.atan2(down, across)) % (360 if signed else 180)
            for row in range(cells):
                for column in range(cells):
                    near = max(0, 1 - abs((y + 0.5) / pixels - (row + 0.5)))
                    near *= max(0, 1 - abs((x + 0.5) / pixels - (column + 0.5)))
                    if near == 0:
                        continue
                    for number in range(bins):
                        width = (360 if signed else 180) / bins
                        away = abs(angle - (number + 0.5) * width)
                        away = min(away, bins * width - away) / width
                        votes[row, column, number] += math.hypot(across, down) * near * max(0, 1 - away)
    blocks = []
    for row in range(cells - block + 1):
        for column in range(cells - block + 1):
            v = votes[row : row + block, column : column + block].ravel()
            v = v / math.sqrt(v @ v + (block * pixels) ** 4)
            before = math.sqrt(v @ v)
            v = np.minimum(v, cut)
            blocks.append(v * (before / math.sqrt(v @ v)))
    found = np.array(blocks)
    return np.asarray(found / np.sqrt((found**2).sum()))


@pytest.mark.parametrize(
    ("cells", "pixels", "bins", "signed", "block", "cut"),
    [(8, 8, 9, False, 2, 0.2), (4, 5, 6, True, 3, 0.4), (5, 4, 4, False, 1, 1.0)],
)
def test_it_is_what_the_paper_says(cells: int, pixels: int, bins: int, signed: bool, block: int, cut: float) -> None:
    side = cells * pixels
    rgb = picture(2, side, side).rgb
    expected = reference(Picture(rgb, None, FACTS).grey, cells, pixels, bins, signed, block, cut)
    found = describe(rgb, cells=cells, pixels=pixels, bins=bins, signed=signed, block=block, cut=cut)
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("number", range(9))
def test_waves_are_of_their_orientation(number: int, signed: bool) -> None:
    by_cell = describe(waves((number + 0.5) * 20), block=1, signed=signed, bins=18 if signed else 9, cut=1)
    inner = by_cell.reshape(8, 8, -1)[1:-1, 1:-1].sum(axis=(0, 1))
    if signed:
        inner = inner[:9] + inner[9:]
    assert inner.argmax() == number


def test_an_entry_is_cut_and_a_block_has_length_one() -> None:
    rgb = waves(30)
    blocks, uncut = describe(rgb) * 7, describe(rgb, cut=1) * 7  # 7 x 7 blocks, of length 1 all together
    np.testing.assert_allclose(np.sqrt((blocks**2).sum(axis=1)), 1, atol=0.01)
    np.testing.assert_allclose(np.sqrt((uncut**2).sum(axis=1)), 1, atol=0.01)
    assert blocks.max() < uncut.max()


def test_a_grey_copy_has_the_same_vector() -> None:
    rgb = picture(0, 320, 200).rgb
    np.testing.assert_array_equal(describe(grey_of(rgb)), describe(rgb))


def test_an_inverted_copy_has_the_same_vector_unless_signed() -> None:
    rgb = grey_of(picture(0, 320, 200).rgb)
    np.testing.assert_allclose(describe(255 - rgb), describe(rgb), atol=1e-6)
    halves = describe(rgb, signed=True, bins=18).reshape(-1, 2, 9)
    np.testing.assert_allclose(describe(255 - rgb, signed=True, bins=18).reshape(-1, 2, 9), halves[:, ::-1], atol=1e-6)


def test_a_mirror_image_has_mirrored_blocks() -> None:
    rgb = picture(0, 320, 200).rgb
    mirrored = describe(np.ascontiguousarray(rgb[:, ::-1])).reshape(7, 7, 2, 2, 9)
    np.testing.assert_allclose(mirrored[:, ::-1, :, ::-1, ::-1], describe(rgb).reshape(7, 7, 2, 2, 9), atol=1e-5)


def test_light_size_and_shape_make_little_difference() -> None:
    rgb = picture(0, 640, 480).rgb
    original = describe(rgb).ravel()
    for copy in (rgb * 0.6, cv2.resize(rgb, (160, 120), interpolation=cv2.INTER_AREA), cv2.resize(rgb, (300, 480))):
        assert describe(copy).ravel() @ original > 0.96


def test_more_light_everywhere_makes_no_difference() -> None:
    rgb = (picture(0, 320, 200).rgb * 0.7).astype(np.uint8)
    np.testing.assert_allclose(describe(rgb + 50), describe(rgb), atol=2e-3)


def test_noise_in_a_sky_is_not_brought_to_full_contrast() -> None:
    rgb = np.full((256, 256, 3), 200.0)
    rgb[128:] = waves(30)[128:]
    rgb[:128] += np.random.default_rng(0).integers(-1, 2, (128, 256, 1))
    lengths = np.sqrt((describe(rgb) ** 2).sum(axis=1)).reshape(7, 7)
    assert lengths[:2].max() < 0.2 * lengths[4:].min()


def test_the_outline_against_what_is_transparent_is_no_gradient() -> None:
    rgb, mask = np.full((200, 300, 3), 128), np.zeros((200, 300), np.bool_)
    mask[60:140, 50:250] = True
    rgb[mask] = 250
    assert describe(rgb).any()
    assert not describe(rgb, mask).any()
    rgb[mask] = waves(30)[:200, :200][:80].reshape(-1, 3)
    hidden = np.where(mask[..., None], rgb, 7)
    found = describe(rgb, mask)
    assert found.any()
    np.testing.assert_array_equal(describe(hidden, mask), found)


@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (640, 1), (2, 640), (5, 3), (427, 640)])
def test_any_shape_has_an_answer(shape: tuple[int, int]) -> None:
    assert not describe(np.full((*shape, 3), 77)).any()
    noisy = describe(np.random.default_rng(0).integers(0, 256, (*shape, 3)))
    assert np.linalg.norm(noisy) == pytest.approx(0 if shape == (1, 1) else 1)
    assert not describe(np.full((*shape, 3), 77), np.zeros(shape, np.bool_)).any()
