"""Lab histogram: the colour space against its definition, counts against a plain loop, and what is transparent."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.features.colour.colour_histogram import LabHistogram, to_lab
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

SMALL = LabHistogram(lightness=3, tints=4, levels=1)


def describe(rgb: npt.ArrayLike, mask: npt.NDArray[np.bool_] | None = None, how: LabHistogram = SMALL) -> np.ndarray:
    pixels = np.asarray(rgb, np.uint8)
    return how.fit(never).extract(Picture(pixels, mask, PictureFacts("PNG", 1, 1)))


@pytest.mark.parametrize(
    ("rgb", "expected"),  # as is tabulated for sRGB and D65
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((119, 119, 119), (50.03, 0, 0)),
    ],
)
def test_lab_is_as_defined(rgb: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(to_lab(np.array([rgb]) / 255)[0], expected, atol=0.03)


def hat(value: float, count: int) -> list[float]:
    """Share of each of ``count`` bins in [0, 1]: a hat over each middle, flat beyond the first and last."""
    place = min(max(value * count - 0.5, 0), count - 1)
    return [max(0.0, 1 - abs(place - bin_)) for bin_ in range(count)]


def plain(rgb: np.ndarray) -> np.ndarray:
    """Count pixel by pixel."""
    total = np.zeros((3, 4, 4))
    for pixel in rgb.reshape(-1, 3):
        steps = ((pixel >> 3) + 0.5) / 32
        light, a, b = to_lab(steps[None])[0]
        axes = hat(light / 100, 3), hat((a + 64) / 128, 4), hat((b + 64) / 128, 4)
        for (i, x), (j, y), (k, z) in itertools.product(*map(enumerate, axes)):
            total[i, j, k] += x * y * z
    return total.ravel() / len(rgb.reshape(-1, 3))


def test_counts_are_those_of_a_plain_loop() -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (13, 17, 3)).astype(np.uint8)
    np.testing.assert_allclose(describe(rgb), plain(rgb), atol=1e-6)


def test_regions_are_the_whole_then_its_quarters() -> None:
    rgb = np.random.default_rng(2).integers(0, 256, (8, 12, 3)).astype(np.uint8)
    regions = describe(rgb, how=SMALL.changed(levels=2)).reshape(5, -1)
    np.testing.assert_allclose(regions[0], describe(rgb) / 2, atol=1e-7)
    for number, (i, j) in enumerate(itertools.product((0, 4), (0, 6)), 1):
        np.testing.assert_allclose(regions[number], describe(rgb[i : i + 4, j : j + 6]) / 8, atol=1e-7)


def test_without_regions_a_turn_or_a_mirror_changes_nothing() -> None:
    rgb = np.random.default_rng(3).integers(0, 256, (9, 14, 3)).astype(np.uint8)
    for other in (np.rot90(rgb), rgb[:, ::-1], rgb[::-1], rgb.repeat(2, axis=0)):
        np.testing.assert_allclose(describe(np.ascontiguousarray(other)), describe(rgb), atol=1e-7)


def test_what_is_transparent_does_not_count() -> None:
    rgb = np.random.default_rng(4).integers(0, 256, (8, 8, 3)).astype(np.uint8)
    mask = np.arange(8)[:, None] < np.full(8, 3)
    np.testing.assert_array_equal(describe(rgb, mask), describe(rgb[:3]))
    assert not describe(rgb, np.zeros((8, 8), np.bool_)).any()
