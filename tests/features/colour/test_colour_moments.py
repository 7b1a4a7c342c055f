"""Colour moments: against the published formulas, regions, what is transparent, and what changes nothing."""

from __future__ import annotations

import colorsys

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.features.colour.colour_histogram import to_lab
from twinlens.features.colour.colour_moments import ColourMoments
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

WHOLE = ColourMoments(grid=1)


def describe(rgb: npt.ArrayLike, mask: npt.NDArray[np.bool_] | None = None, how: ColourMoments = WHOLE) -> np.ndarray:
    pixels = np.ascontiguousarray(rgb, np.uint8)
    return how.fit(never).extract(Picture(pixels, mask, PictureFacts("PNG", 1, 1)))


def noise(height: int, width: int, seed: int = 0) -> np.ndarray:
    """Make pixels whose colours are skewed."""
    return (255 * np.random.default_rng(seed).random((height, width, 3)) ** 3).astype(np.uint8)


def channels(rgb: np.ndarray, space: str) -> np.ndarray:
    """Convert pixel by pixel, by definition, to what stands for 1 in a vector; a constant apart."""
    pixels = rgb.reshape(-1, 3) / 255
    if space == "lab":
        return to_lab(pixels) / 100
    return np.array([colorsys.rgb_to_hsv(*pixel) for pixel in pixels])


def published(values: np.ndarray) -> np.ndarray:
    """Return equations (1) to (3) of the paper, channel by channel."""
    moments = []
    for channel in values.T:
        mean = sum(channel) / len(channel)
        second = sum((one - mean) ** 2 for one in channel) / len(channel)
        third = sum((one - mean) ** 3 for one in channel) / len(channel)
        moments += [mean, second**0.5, np.sign(third) * abs(third) ** (1 / 3)]
    return np.array(moments)


@pytest.mark.parametrize("space", ["lab", "hsv"])
def test_moments_are_the_published_ones(space: str) -> None:
    rgb = noise(31, 23)
    middle = np.array([0.5, 0, 0, -0.005 if space == "lab" else 0.5, 0, 0, -0.005 if space == "lab" else 0.5, 0, 0])
    found = describe(rgb, how=ColourMoments(grid=1, space=space)) + middle
    # Channels have 8 bits: a step is 1/255 of L, and one unit of a and b.
    np.testing.assert_allclose(found, published(channels(rgb, space)), atol=0.006)


def test_the_distance_is_the_average_over_the_regions() -> None:
    one, other = noise(20, 30, 1), noise(20, 30, 2)
    how = ColourMoments(grid=2)
    apart = [
        np.abs(describe(one[i : i + 10, j : j + 15]) - describe(other[i : i + 10, j : j + 15])).sum()
        for i in (0, 10)
        for j in (0, 15)
    ]
    found = how.measure.matrix(describe(one, how=how)[None], describe(other, how=how)[None])[0, 0]
    assert found == pytest.approx(np.exp(-2 * np.mean(apart)), rel=1e-5)


def test_without_regions_a_turn_a_mirror_or_a_shuffle_changes_nothing() -> None:
    rgb = noise(12, 18)
    shuffled = np.random.default_rng(1).permutation(rgb.reshape(-1, 3)).reshape(rgb.shape)
    for other in (np.rot90(rgb), rgb[:, ::-1], rgb.repeat(3, axis=1), shuffled):
        np.testing.assert_allclose(describe(other), describe(rgb), atol=1e-7)


def test_more_light_moves_the_mean_alone() -> None:
    grey = np.repeat(np.random.default_rng(5).integers(60, 180, (40, 40, 1)), 3, axis=2)
    before, after = (
        describe(grey, how=ColourMoments(grid=1, space="hsv")),
        describe(grey + 20, how=ColourMoments(grid=1, space="hsv")),
    )
    assert after[6] - before[6] == pytest.approx(20 / 255, abs=1e-6)
    np.testing.assert_allclose(np.delete(after, 6), np.delete(before, 6), atol=1e-6)


@pytest.mark.parametrize("how", [WHOLE, ColourMoments(grid=1, space="hsv")], ids=lambda how: how.space)
@pytest.mark.parametrize("level", range(0, 256, 5))
def test_no_flat_picture_has_nothing_to_compare(level: int, how: ColourMoments) -> None:
    assert describe(np.full((4, 4, 3), level), how=how).any()


def test_a_region_of_which_nothing_is_visible_takes_what_is() -> None:
    rgb = noise(20, 20)
    mask = np.zeros((20, 20), np.bool_)
    mask[:10, :10] = True
    regions = describe(rgb, mask, ColourMoments(grid=2)).reshape(4, -1)
    for region in regions:
        np.testing.assert_allclose(region, describe(rgb[:10, :10]) / 4, atol=1e-7)
    assert not describe(rgb, np.zeros((20, 20), np.bool_)).any()


@pytest.mark.parametrize("shape", [(1, 1), (1, 90), (3, 2)])
def test_pictures_smaller_than_the_grid(shape: tuple[int, int]) -> None:
    vector = describe(noise(*shape), how=ColourMoments())
    assert vector.shape == (225,)
    assert np.isfinite(vector).all()
