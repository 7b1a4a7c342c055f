"""Pictures that Pillow refuses or reads wrongly, made here with values that are known."""

from __future__ import annotations

import struct

import imagecodecs
import numpy as np
import pytest

from tests.features.rare_pictures import light_of, open_exr
from tests.features.sample_pictures import cut, encode, pixels_of, scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import UnreadableError

SCENE = pixels_of(scene())
GREY = pixels_of(scene().convert("L"))


@pytest.mark.parametrize("bits", [12, 16])
@pytest.mark.parametrize("pixels", [SCENE, GREY, np.dstack((SCENE, np.full(SCENE.shape[:2], 255, np.uint8)))])
def test_jpeg_2000_of_more_than_8_bits(pixels: UInt8Pixels, bits: int) -> None:
    white = (1 << bits) - 1
    deep = np.rint(pixels / 255 * white).astype(np.uint16)
    data = imagecodecs.jpeg2k_encode(deep, level=0, codecformat="jp2", bitspersample=bits)
    expected = pixels[..., :3] if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, axis=2)
    assert np.abs(read(bytes(data)).rgb.astype(int) - expected).max() <= 1


def test_jpeg_of_12_bits() -> None:
    deep = (SCENE.astype(np.uint32) * 4095 // 255).astype(np.uint16)
    picture = read(bytes(imagecodecs.jpeg8_encode(deep, bitspersample=12, level=98, subsampling="444")))
    assert picture.facts.format == "JPEG"
    assert np.abs(picture.rgb.astype(int) - SCENE).mean() < 4


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_jpeg_xr_of_any_depth(kind: type) -> None:
    samples = light_of(scene()) if kind is np.float32 else SCENE.astype(kind) * (257 if kind is np.uint16 else 1)
    picture = read(bytes(imagecodecs.jpegxr_encode(samples, level=1.0)))
    assert np.abs(picture.rgb.astype(int) - SCENE).max() <= 1


def test_open_exr_with_opacity_and_light_above_white() -> None:
    light = light_of(scene())
    opacity = np.full((*light.shape[:2], 1), 0.5, np.float32)
    over = read(open_exr(np.concatenate((light * opacity, opacity), axis=2))).rgb.astype(int)
    assert np.abs(over - (SCENE.astype(int) + 128) / 2).max() <= 2
    bright = read(open_exr(light * 8)).rgb
    assert bright.max() == 255
    assert bright.mean() > SCENE.mean()
    assert len(np.unique(bright)) > 200, "not cut off"


def _dds(bits: int, masks: tuple[int, int, int, int], pixels: bytes, flags: int = 0x40) -> bytes:
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, 64, 96, 0, 0, 0)
    return head + struct.pack("<3II4I", 32, flags, 0, bits, *masks) + struct.pack("<5I", 0x1000, 0, 0, 0, 0) + pixels


def test_a_dds_of_one_colour_is_grey() -> None:
    grey = np.repeat(GREY[..., None], 3, axis=2)
    np.testing.assert_array_equal(read(_dds(8, (255, 0, 0, 0), GREY.tobytes())).rgb, grey)
    both = np.dstack((GREY, np.full_like(GREY, 255))).tobytes()
    np.testing.assert_array_equal(read(_dds(16, (255, 0, 0, 0xFF00), both, 0x41)).rgb, grey)
    np.testing.assert_array_equal(read(_dds(8, (255, 0, 0, 0), GREY.tobytes(), 0x20000)).rgb, grey)


def test_an_avif_that_libavif_refuses() -> None:
    data = encode(scene(), "AVIF", quality=95)
    at = data.index(b"pixi") - 4  # the standard demands this property
    loose = data[: at + 4] + b"free" + data[at + 8 :]
    picture = read(loose)
    assert picture.facts.format == "AVIF"
    assert np.abs(picture.rgb.astype(int) - read(data).rgb).mean() < 2


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_what_is_cut_is_refused_and_nothing_is_printed(share: float, capfd: pytest.CaptureFixture[str]) -> None:
    for data in (open_exr(light_of(scene())), bytes(imagecodecs.jpegxr_encode(SCENE, level=1.0))):
        with pytest.raises(UnreadableError):
            read(cut(data, share))
    assert capfd.readouterr() == ("", "")
