"""TIFF pictures of every kind of numbers, order and compression, written by tifffile or by hand."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import tifffile
from PIL import Image

from tests.features.sample_pictures import pixels_of, scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.further_frames import further_frames
from twinlens.features.reading.reading import read

SCENE = pixels_of(scene())
GREY = pixels_of(scene().convert("L"))


def tiff(samples: npt.NDArray[Any], **settings: Any) -> bytes:
    target = io.BytesIO()
    tifffile.imwrite(target, samples, **settings)
    return target.getvalue()


def shows(data: bytes, expected: UInt8Pixels, most: int = 1) -> None:
    picture = read(data)
    assert picture.facts.format == "TIFF"
    if expected.ndim == 2:
        expected = np.repeat(expected[..., None], 3, axis=2)
    assert picture.rgb.shape == expected.shape
    assert np.abs(picture.rgb.astype(int) - expected).max() <= most


WIDER: dict[str, Any] = {
    "16 bits": SCENE.astype(np.uint16) * 257,
    "32 bits": SCENE.astype(np.uint32) * 16843009,
    "half floats": (SCENE / 255).astype(np.float16),
    "floats": (SCENE / 255).astype(np.float32),
    "doubles": SCENE / 255,
}


@pytest.mark.parametrize("kind", WIDER)
@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("packed", [None, "zlib", "lzw"])
def test_wider_numbers(kind: str, planar: bool, packed: str | None) -> None:
    samples = WIDER[kind].transpose(2, 0, 1) if planar else WIDER[kind]
    layout = {"planarconfig": "separate"} if planar else {}
    shows(tiff(samples, photometric="rgb", compression=packed, **layout), SCENE)


def test_grey_of_floating_point() -> None:
    shows(tiff((GREY / 255).astype(np.float16), photometric="minisblack"), GREY)
    shows(tiff(GREY / 255, photometric="minisblack"), GREY)
    shows(tiff((GREY / 255).astype(np.float32), photometric="minisblack", compression="zlib", predictor=True), GREY)


def test_numbers_of_few_bits() -> None:
    for bits in (10, 12, 14):
        white = (1 << bits) - 1
        deep = np.rint(SCENE / 255 * white).astype(np.uint16)
        shows(tiff(deep, photometric="rgb", bitspersample=bits), SCENE)


@pytest.mark.parametrize("packed", ["webp", "jpegxl", "jpeg2000", "zstd", "lzma", "lerc", "jpegxr", "packbits"])
def test_newer_compressions(packed: str) -> None:
    shows(tiff(SCENE, photometric="rgb", compression=packed), SCENE, 1)


def test_a_large_one_in_the_other_order_of_bytes() -> None:
    shows(tiff(SCENE, photometric="rgb", bigtiff=True, byteorder=">"), SCENE)
    shows(tiff(SCENE.astype(np.uint16) * 257, photometric="rgb", bigtiff=True, byteorder=">"), SCENE)


def test_a_palette_of_8_bits() -> None:
    few = scene().convert("P", palette=Image.Palette.ADAPTIVE)
    table = np.zeros((3, 256), np.uint16)
    colours = np.array(few.getpalette(), np.uint16).reshape(-1, 3).T
    table[:, : colours.shape[1]] = colours
    expected = pixels_of(few.convert("RGB"))
    shows(tiff(np.asarray(few), photometric="palette", colormap=table * 257), expected)
    shows(tiff(np.asarray(few), photometric="palette", colormap=table), expected)
    shows(tiff(np.asarray(few), photometric="palette", colormap=table, compression="lzma"), expected)


def test_inks_in_planes_of_16_bits() -> None:
    image = scene().convert("CMYK")
    inks = np.asarray(image)
    deep = (inks.astype(np.uint16) * 257).transpose(2, 0, 1)
    shows(
        tiff(deep, photometric="separated", planarconfig="separate"), pixels_of(scene().convert("CMYK").convert("RGB"))
    )


def test_opacity_and_turns() -> None:
    opacity = np.full((*SCENE.shape[:2], 1), 32768, np.uint16)
    samples = np.concatenate((SCENE.astype(np.uint16) * 257, opacity), axis=2).transpose(2, 0, 1)
    data = tiff(samples, photometric="rgb", planarconfig="separate", extrasamples=["unassalpha"])
    assert np.abs(read(data).rgb.astype(int) - (SCENE.astype(int) + 128) / 2).max() <= 2
    turned = tiff((np.rot90(SCENE) / 255).astype(np.float32), photometric="rgb", extratags=[(274, 3, 1, 6, True)])
    shows(turned, SCENE)
    assert read(turned).facts.orientation == 6


def test_light_above_white_is_shown_not_cut() -> None:
    level = SCENE / 255
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(np.float32) * 6
    found = read(tiff(light, photometric="rgb")).rgb
    assert found.mean() > SCENE.mean()
    assert len(np.unique(found)) > 200


def test_the_pages_of_one_that_pillow_does_not_read() -> None:
    pages = [(np.roll(SCENE, shift, axis=1) / 255).astype(np.float32) for shift in (0, 30, 60)]
    target = io.BytesIO()
    with tifffile.TiffWriter(target) as file:
        for page in pages:
            file.write(page, photometric="rgb")
    data = target.getvalue()
    picture = read(data)
    assert picture.facts.metadata is not None
    assert picture.facts.metadata.frames == 3
    found = further_frames(data)
    assert found.count == 3
    assert np.abs(found.looks[1].astype(int) - np.roll(SCENE, 60, axis=1)).max() <= 1
