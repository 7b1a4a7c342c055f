"""Colour histogram: which bins, which regions, and what is transparent."""

from __future__ import annotations

import colorsys
import itertools

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.features.colour.colour_histogram import HsvHistogram, _hsv_shares, bin_colours
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

WHOLE = HsvHistogram(levels=1)


def describe(rgb: npt.ArrayLike, mask: npt.NDArray[np.bool_] | None = None, how: HsvHistogram = WHOLE) -> np.ndarray:
    pixels = np.asarray(rgb, np.uint8)
    return how.fit(never).extract(Picture(pixels, mask, PictureFacts("PNG", 1, 1)))


def flat(*colour: int, side: int = 8) -> npt.NDArray[np.uint8]:
    return np.full((side, side, 3), colour, np.uint8)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    return float(HsvHistogram.measure.matrix(one[None, :], other[None, :])[0, 0])


def test_a_pure_colour_counts_for_its_hue_and_the_next() -> None:
    for sector in range(12):
        colour = [round(255 * c) for c in colorsys.hsv_to_rgb((sector + 0.5) / 12, 1, 1)]
        by_hue = describe(flat(*colour))[:-8].reshape(12, 9).sum(axis=1)
        assert by_hue.argmax() == sector
        assert by_hue[sector] > 0.85
        assert by_hue.sum() == pytest.approx(1)


@pytest.mark.parametrize("level", [0, 60, 128, 200, 255])
def test_greys_have_bins_of_their_own_by_brightness(level: int) -> None:
    histogram = describe(flat(level, level, level))
    assert not histogram[:-8].any()
    assert abs(histogram[-8:] @ (np.arange(8) + 0.5) / 8 - level / 255) < 0.07


def test_black_has_no_hue() -> None:
    assert likeness(describe(flat(0, 0, 0)), describe(flat(12, 0, 5))) > 0.99


def test_a_little_light_changes_little() -> None:
    worst = min(
        likeness(describe(flat(*colour)), describe(flat(*(min(255, channel + 8) for channel in colour))))
        for colour in itertools.product((10, 90, 170, 240), repeat=3)
    )
    assert worst > 0.7


def test_shares_of_every_colour_have_sum_1_and_are_not_negative() -> None:
    bins, shares = _hsv_shares(5, 2, 3, 4)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert set(bins.ravel()) == set(range(5 * 2 * 3 + 4))


def test_two_halves_count_half_each() -> None:
    red, blue = flat(255, 0, 0), flat(0, 0, 255)
    both = describe(np.concatenate([red, blue]))
    np.testing.assert_allclose(both, (describe(red) + describe(blue)) / 2, atol=1e-7)


def test_regions_are_the_whole_then_its_quarters_row_by_row() -> None:
    red, green, blue, grey = (flat(*colour) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128)))
    picture = np.concatenate([np.concatenate([red, green], axis=1), np.concatenate([blue, grey], axis=1)])
    regions = describe(picture, how=HsvHistogram(levels=2)).reshape(5, -1)
    np.testing.assert_allclose(regions[0], describe(picture) / 2, atol=1e-7)
    for region, part in zip(regions[1:], (red, green, blue, grey), strict=True):
        np.testing.assert_allclose(region, describe(part) / 8, atol=1e-7)


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (3, 2), (427, 640)])
def test_every_pixel_counts_once_on_each_level(shape: tuple[int, int], levels: int) -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (*shape, 3))
    how = HsvHistogram(levels=levels)
    histogram = describe(rgb, how=how)
    assert histogram.sum() == pytest.approx(1)
    start = 0
    for level in range(levels):
        stop = start + 4**level * WHOLE.dimensions
        assert histogram[start:stop].sum() == pytest.approx(1 / levels)
        start = stop
    assert start == how.dimensions


def test_what_is_transparent_does_not_count() -> None:
    rgb = np.concatenate([flat(255, 0, 0), flat(128, 128, 128)])
    mask = np.repeat([[True], [False]], 8, axis=0) & np.ones(8, np.bool_)
    np.testing.assert_array_equal(describe(rgb, mask), describe(flat(255, 0, 0)))
    assert not describe(rgb, np.zeros((16, 8), np.bool_)).any()


@pytest.mark.parametrize(
    "declared", [HsvHistogram(levels=1), HsvHistogram(hue=6, saturation=2, value=2, greys=5, levels=1)]
)
def test_a_picture_in_the_colour_of_a_bin_is_counted_there(declared: HsvHistogram) -> None:
    colours = bin_colours(declared)
    assert colours.shape == (declared.dimensions, 3)
    assert len(np.unique(colours, axis=0)) == len(colours)
    extractor = declared.fit(list)
    hued = declared.dimensions - declared.greys
    for place, colour in enumerate(colours):
        flat = Picture(np.broadcast_to(colour, (4, 4, 3)), None, PictureFacts("PNG", 4, 4))
        shares = extractor.extract(flat)
        family = shares[:hued] if place < hued else shares[hued:]  # what is dark and pale is half counted as grey
        assert family.argmax() == place % hued or (colour.max() < 64 and shares[place] > 0.2)
