"""Palettes and sketches: read and written, described as pictures with these colours, refused where senseless."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.histogram_kernels import Intersection
from twinlens.features import DESCRIPTORS
from twinlens.features.colour.colour_histogram import HsvHistogram, LabHistogram, regions
from twinlens.features.colour.colour_layout import ColourLayout
from twinlens.features.colour.colour_moments import ColourMoments
from twinlens.features.descriptor import Descriptor, Vector
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.query.words_and_colours import (
    Palette,
    Stroke,
    accepts_colours,
    checked_sketch,
    paint,
    palette_vector,
    sketch_png,
)
from twinlens.features.reading.reading import read
from twinlens.testing.descriptors import never

HISTOGRAMS = (HsvHistogram(), HsvHistogram(levels=1), HsvHistogram(levels=3), LabHistogram(), LabHistogram(levels=1))
MOMENTS = (ColourMoments(), ColourMoments(grid=1, space="hsv"))
colours = st.tuples(*[st.integers(0, 255)] * 3)
palettes = st.lists(st.tuples(colours, st.floats(0.01, 100)), min_size=1, max_size=5).map(
    lambda drawn: Palette(tuple(drawn))
)


def described(declared: Descriptor, text: str) -> Vector:
    return palette_vector(declared, declared.fit(never), Palette.read(text))


def picture(rgb: np.ndarray, mask: np.ndarray | None = None) -> Picture:
    return Picture(np.ascontiguousarray(rgb, np.uint8), mask, PictureFacts("PNG", 1, 1))


def finely_mixed(*colours: tuple[int, int, int], side: int = 40) -> np.ndarray:
    """Make a picture that has these colours in equal shares in each of its 16 parts, and of its 25."""
    places = np.add.outer(np.arange(side), np.arange(side)) % len(colours)
    return np.asarray(np.array(colours, np.uint8)[places])


# ---- palettes --------------------------------------------------------------------------------------------------------
@given(palettes)
def test_a_palette_reads_back(palette: Palette) -> None:
    assert Palette.read(palette.text()) == palette


@pytest.mark.parametrize("text", ["#c33:2, #fff", "c33:2,fff", "#CC3333:2.0,white", " #c33 : 2 , White ,"])
def test_a_palette_is_written_in_several_ways(text: str) -> None:
    assert Palette.read(text).colours == (((204, 51, 51), 2.0), ((255, 255, 255), 1.0))


@pytest.mark.parametrize(
    "text", ["", ",", "#12", "#c33:", "#c33:x", "#c33:0", "#c33:-1", "#c33:nan", "#c33:inf", "no colour", "#c33:1:2"]
)
def test_what_is_no_palette_is_a_sentence(text: str) -> None:
    with pytest.raises(TwinlensError) as caught:
        Palette.read(text)
    assert "#c33:2" in str(caught.value.advice)


@pytest.mark.parametrize("declared", MOMENTS, ids=lambda one: one.text())
def test_some_colours_are_as_a_picture_that_has_them_everywhere(declared: Descriptor) -> None:
    extractor = declared.fit(never)
    for colour in ((204, 51, 51), (0, 0, 0), (120, 130, 119)):
        flat = extractor.extract(picture(np.full((40, 40, 3), colour)))
        np.testing.assert_allclose(palette_vector(declared, extractor, Palette(((colour, 3.0),))), flat, atol=1e-6)
    mixed = extractor.extract(picture(finely_mixed((204, 51, 51), (255, 255, 255))))
    # 5 x 5 parts of 8 x 8 pixels have as much of both.
    np.testing.assert_allclose(described(declared, "#c33,#fff"), mixed, atol=1e-6)
    np.testing.assert_allclose(described(declared, "#c33:7,#fff:7"), mixed, atol=1e-6)


@pytest.mark.parametrize("declared", HISTOGRAMS, ids=lambda one: one.text())
def test_a_colour_stands_for_those_that_look_like_it(declared: Descriptor) -> None:
    """The colour itself is nearest, then one a little darker; another colour is like it in nothing."""
    extractor = declared.fit(never)
    shown = [np.full((8, 8, 3), one) for one in ((204, 51, 51), (170, 40, 40), (51, 51, 204))]
    vectors = np.stack([extractor.extract(picture(one)) for one in shown])
    same, darker, other = declared.measure.matrix(described(declared, "#c33")[None], vectors)[0].tolist()
    assert same > darker > other + 0.2
    assert other == 0


@pytest.mark.parametrize("declared", HISTOGRAMS[:1] + HISTOGRAMS[2:4], ids=lambda one: one.text())
def test_a_sketch_says_what_is_where(declared: HsvHistogram | LabHistogram) -> None:
    """Each colour is counted alone in the smallest regions, by its share; together they are as a picture of both."""
    sheet = paint([Stroke((204, 51, 51), [(0, 0.25), (1, 0.25)], 0.35), Stroke((51, 51, 204), [(0.2, 0.8)], 0.2)])
    mask, size = sheet[..., 3] > 0, declared.dimensions
    whole, red, blue = declared.fit(never).of_sketch(picture(sheet[..., :3], mask))
    above = (mask & (sheet[..., 0] == 204)).sum() / mask.sum()
    finest = 4 ** (declared.levels - 1) * size // regions(declared.levels)
    assert not red[: size - finest].any()
    assert {round(float(one.sum()), 5) for one in (red, blue)} == {round(above, 5), round(1 - above, 5)}
    np.testing.assert_allclose((red + blue)[-finest:] / declared.levels, whole[-finest:], atol=1e-6)


def test_a_sketch_without_frequent_colours_is_described_as_a_picture() -> None:
    extractor = HsvHistogram().fit(never)
    shown = picture(np.random.default_rng(0).integers(0, 256, (64, 64, 3)))
    np.testing.assert_array_equal(extractor.of_sketch(shown), extractor.extract(shown)[None])


@pytest.mark.parametrize("declared", HISTOGRAMS, ids=lambda one: one.text())
@given(palettes)
def test_a_palette_has_the_form_of_a_histogram(declared: Descriptor, palette: Palette) -> None:
    vector = palette_vector(declared, declared.fit(never), palette)
    assert vector.dtype == np.float32
    assert vector.shape == (declared.dimensions,)
    assert (vector >= 0).all()
    assert vector.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("declared", HISTOGRAMS, ids=lambda one: one.text())
@pytest.mark.parametrize("kernel", [None, Intersection()], ids=["own measure", "intersection"])
def test_some_of_the_colours_are_enough(declared: Descriptor, kernel: Intersection | None) -> None:
    """A picture with much of the colour is nearer than one with little, and that than one with none; places do not."""
    extractor = declared.fit(never)
    ground = np.random.default_rng(0).integers(0, 90, (64, 64, 3)).astype(np.uint8)
    much, little = ground.copy(), ground.copy()
    much[:, :32] = (230, 200, 20)
    little[20:36, 40:56] = (230, 200, 20)
    elsewhere = much[:, ::-1]
    vectors = np.stack([extractor.extract(picture(one)) for one in (much, elsewhere, little, ground)])
    measure = declared.measure if kernel is None else kernel
    likeness = measure.matrix(described(declared, "#e6c814")[None], vectors)[0]
    assert likeness[0] == pytest.approx(likeness[1], rel=1e-5)
    assert likeness[1] > likeness[2] + 0.05
    assert likeness[2] > likeness[3]


def test_extreme_weights_are_shares_too() -> None:
    np.testing.assert_allclose(described(HsvHistogram(), "red:1e308,blue:1e308"), described(HsvHistogram(), "red,blue"))
    assert np.isfinite(described(HsvHistogram(), "red:1e308,blue:1e-308")).all()


def test_what_does_not_compare_colours_refuses() -> None:
    refusing = [cls for cls in DESCRIPTORS if not accepts_colours(cls.model_construct())]
    assert {"edges", "vlad", "compact-vlad"} <= {cls.key for cls in refusing}
    edges = next(cls for cls in refusing if cls.key == "edges")()
    with pytest.raises(TwinlensError, match="Edge histogram compares outlines"):
        described(edges, "red")


def test_what_compares_places_alone_refuses_a_palette() -> None:
    assert accepts_colours(ColourLayout())
    with pytest.raises(TwinlensError, match="does not say where") as caught:
        described(ColourLayout(), "red")
    assert "sketch" in str(caught.value.advice)


def test_stripes_are_as_wide_as_their_weights() -> None:
    stripes = Palette.read("red:3,blue").picture(8, 2)
    assert stripes.shape == (2, 8, 3)
    assert (stripes[:, :6] == (255, 0, 0)).all()
    assert (stripes[:, 6:] == (0, 0, 255)).all()


# ---- sketches --------------------------------------------------------------------------------------------------------
def sheet() -> np.ndarray:
    """Return a sheet whose upper left quarter is painted yellow, with something hidden under the rest."""
    made = np.zeros((48, 64, 4), np.uint8)
    made[..., :3] = (10, 200, 250)
    made[:24, :32] = (230, 200, 20, 255)
    return made


def sketch_picture(made: np.ndarray) -> Picture:
    return checked_sketch(read(sketch_png(made)))


@pytest.mark.parametrize("declared", [*HISTOGRAMS, *MOMENTS, ColourLayout()], ids=lambda one: one.text())
def test_only_what_is_painted_counts(declared: Descriptor) -> None:
    extractor = declared.fit(never)
    first = extractor.extract(sketch_picture(sheet()))
    other = sheet()
    other[24:, :, :3] = 77
    np.testing.assert_array_equal(extractor.extract(sketch_picture(other)), first)
    other[24:, :, 3] = 255
    assert np.abs(extractor.extract(sketch_picture(other)) - first).max() > 1e-3


def test_a_histogram_of_a_sketch_is_of_the_painted_part() -> None:
    extractor = HsvHistogram(levels=1).fit(never)
    part = extractor.extract(picture(sheet()[:24, :32, :3]))
    np.testing.assert_array_equal(extractor.extract(sketch_picture(sheet())), part)


def test_a_sketch_of_nothing_is_a_sentence() -> None:
    with pytest.raises(TwinlensError, match="Nothing is painted"):
        sketch_picture(np.zeros((9, 9, 4), np.uint8))


def test_strokes_are_painted_over_one_another() -> None:
    strokes = paint(
        [Stroke((255, 0, 0), [(0, 0.5), (1, 0.5)], 0.5), Stroke((0, 0, 255), [(0.5, 0.5)], 0.1)], width=40, height=40
    )
    assert strokes.shape == (40, 40, 4)
    assert tuple(strokes[20, 3]) == (255, 0, 0, 255)
    assert tuple(strokes[20, 20]) == (0, 0, 255, 255)
    assert not strokes[:5].any()
    assert not strokes[36:].any()
    assert 0.3 < (strokes[..., 3] == 255).mean() < 0.7


def test_no_stroke_is_an_empty_sheet() -> None:
    assert not paint([]).any()
