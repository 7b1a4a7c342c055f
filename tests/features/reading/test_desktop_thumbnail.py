"""Thumbnails for desktops say of what they are, and are read whoever has written them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.features.sample_pictures import cut, encode, flip_bits, scene
from twinlens.features.reading.desktop_thumbnail import ThumbnailFacts, desktop_thumbnail, read_thumbnail_facts
from twinlens.features.reading.reading import read

TEXTS = {"Thumb::URI": "file:///home/jens/photos/me%20" + 60 * "x" + ".png", "Thumb::MTime": "1017790128"}


def test_what_is_written_is_read() -> None:
    picture = read(encode(scene(900, 600, 1), "PNG"))
    png = desktop_thumbnail(picture, TEXTS)
    assert read_thumbnail_facts(png) == ThumbnailFacts(TEXTS, 256, 171)
    image = Image.open(io.BytesIO(png))
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", (256, 171))
    ours = np.asarray(image.resize((32, 21)), np.float64)
    whole = np.asarray(scene(900, 600, 1).convert("RGB").resize((32, 21), Image.Resampling.BOX), np.float64)
    assert np.abs(ours - whole).mean() < 8
    small = desktop_thumbnail(read(encode(scene(100, 80, 1), "PNG")), {})
    assert read_thumbnail_facts(small) == ThumbnailFacts({}, 100, 80)


@pytest.mark.parametrize("zipped", [False, True])
def test_words_of_other_programs_are_read_packed_or_not(zipped: bool) -> None:
    words = PngInfo()
    for key, text in TEXTS.items():
        words.add_text(key, text, zip=zipped)
    file = io.BytesIO()
    scene(128, 96).save(file, "PNG", pnginfo=words)
    marks = read_thumbnail_facts(file.getvalue())
    assert marks is not None
    assert {key: str(text) for key, text in marks.texts.items()} == TEXTS


def test_words_behind_the_pixels_are_read() -> None:
    with_words = desktop_thumbnail(read(encode(scene(40, 30), "PNG")), TEXTS)
    without = desktop_thumbnail(read(encode(scene(40, 30), "PNG")), {})
    words, end = with_words[33 : 33 + len(with_words) - len(without)], without[-12:]
    assert read_thumbnail_facts(without[:-12] + words + end) == ThumbnailFacts(TEXTS, 40, 30)


def test_what_is_no_png_or_damaged_says_nothing() -> None:
    png = desktop_thumbnail(read(encode(scene(200, 150), "PNG")), TEXTS)
    assert read_thumbnail_facts(b"") is None
    assert read_thumbnail_facts(encode(scene(), "JPEG")) is None
    assert read_thumbnail_facts(cut(png, 0.001)) is None
    for place in range(0, 33 * 8, 5):
        read_thumbnail_facts(flip_bits(png, [place]))  # no damage raises


@pytest.mark.parametrize(
    ("thumbnail", "picture", "fits"),
    [
        ((256, 171), (900, 600), True),
        ((256, 170), (900, 600), True),
        ((171, 256), (900, 600), False),
        ((256, 256), (900, 600), False),
        ((256, 1), (6000, 3), True),
        ((30, 20), (30, 20), True),
    ],
)
def test_a_thumbnail_fits_a_picture_of_its_shape(
    thumbnail: tuple[int, int], picture: tuple[int, int], fits: bool
) -> None:
    assert ThumbnailFacts({}, *thumbnail).fits(*picture) is fits
