"""Transparency, and pixels of more or fewer than eight bits."""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from features.reading.reading import read
from tests.features import by_hand, sample_pictures
from tests.features.sample_pictures import encode, pixels_of, scene


def test_transparency_is_over_mid_grey_and_masked() -> None:
    picture = read(encode(sample_pictures.with_alpha(), "PNG"))
    assert picture.mask is not None
    alpha = pixels_of(sample_pictures.with_alpha().getchannel("A"))
    np.testing.assert_array_equal(picture.mask, alpha == 255)
    assert (picture.rgb[~picture.mask] == 128).all()
    np.testing.assert_array_equal(picture.rgb[picture.mask], pixels_of(scene())[picture.mask])


def test_hidden_colours_do_not_bleed() -> None:
    image = Image.new("RGBA", (1400, 900), (255, 0, 0, 0))
    image.paste((0, 0, 200, 255), (333, 333, 777, 777))
    picture = read(encode(image, "PNG"))
    assert picture.mask is not None
    assert picture.rgb[..., 0].max() <= 128
    assert (picture.rgb[picture.mask][:, 2] >= 128).all()


def test_a_fully_transparent_picture_is_grey_and_masked_out() -> None:
    for alpha in (0, 1):
        picture = read(encode(sample_pictures.with_alpha(alpha), "PNG"))
        assert picture.mask is not None
        assert not picture.mask.any()
        assert np.abs(picture.rgb.astype(int) - 128).max() <= 1


def test_opaque_alpha_is_no_mask() -> None:
    picture = read(encode(sample_pictures.with_alpha(255), "PNG"))
    assert picture.mask is None
    np.testing.assert_array_equal(picture.rgb, pixels_of(scene()))


def _half(mode: str, first: float | tuple[int, ...], second: float | tuple[int, ...]) -> Image.Image:
    image = Image.new(mode, (8, 4), first)
    image.paste(second, (4, 0, 8, 4))
    return image


STEP = np.repeat(np.array([[9000, 40000]], np.uint16), 4, axis=1)


def _palette(transparency: bytes | int) -> bytes:
    image = _half("P", 1, 2)
    image.putpalette([0, 0, 0, 250, 10, 10, 10, 20, 240])
    return encode(image, "PNG", transparency=transparency)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(encode(_half("RGB", (250, 10, 10), (10, 20, 240)), "PNG", transparency=(250, 10, 10)), id="RGB"),
        pytest.param(encode(_half("L", 200, 60), "PNG", transparency=200), id="grey"),
        pytest.param(encode(_half("1", 255, 0), "PNG", transparency=1), id="bits"),
        pytest.param(_palette(b"\xff\x00\xff"), id="palette"),
        pytest.param(_palette(1), id="one of the palette"),
        pytest.param(encode(_half("P", 1, 2), "GIF", transparency=1), id="GIF"),
        pytest.param(encode(_half("LA", (9, 0), (60, 255)), "PNG"), id="grey and alpha"),
        pytest.param(encode(_half("LA", (9, 0), (60, 255)), "TIFF"), id="TIFF, grey and alpha"),
        pytest.param(encode(_half("RGBA", (9, 9, 9, 0), (60, 60, 60, 255)), "WEBP", lossless=True), id="WebP"),
        pytest.param(encode(_half("RGBA", (9, 9, 9, 0), (60, 60, 60, 255)), "AVIF"), id="AVIF"),
        pytest.param(encode(_half("RGBA", (9, 9, 9, 0), (60, 60, 60, 255)), "HEIF"), id="HEIC"),
        pytest.param(by_hand.png16(STEP, (b"tRNS", struct.pack(">H", 9000))), id="16 bits grey"),
        pytest.param(
            by_hand.png16(np.stack([STEP] * 3, axis=-1), (b"tRNS", struct.pack(">3H", 9000, 9000, 9000))),
            id="16 bits RGB",
        ),
    ],
)
def test_every_way_of_being_transparent(data: bytes) -> None:
    picture = read(data)
    assert picture.mask is not None
    assert not picture.mask[:, :3].any()
    assert picture.mask[:, 5:].all()
    assert np.abs(picture.rgb[:, :3].astype(int) - 128).max() <= 1
    assert not (picture.rgb[:, 5:] == 128).all()


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    ramp = np.linspace(0, 65535, 256).round().astype(np.uint16)
    grey = read(by_hand.png16(ramp.reshape(16, 16)))
    np.testing.assert_array_equal(grey.rgb[..., 0].ravel(), np.arange(256))
    colour = read(by_hand.png16(np.stack([ramp, ramp[::-1], ramp // 2], axis=-1).reshape(16, 16, 3)))
    expected = np.stack([ramp, ramp[::-1], ramp // 2], axis=-1).reshape(16, 16, 3) / 257
    assert np.abs(colour.rgb - expected).max() <= 1
    for form in ("TIFF", "JPEG2000"):
        same = read(encode(Image.fromarray(ramp.reshape(16, 16)), form))
        np.testing.assert_array_equal(same.rgb, grey.rgb)


def test_twelve_bits_of_a_scanner_reach_white() -> None:
    values = np.array([[0, 4095, 2048, 1024]], np.uint16)
    packed = bytes.fromhex("000FFF800400")
    fields = [
        by_hand.Field(0x0100, 4, [4]), by_hand.Field(0x0101, 4, [1]), by_hand.Field(0x0102, 3, [12]),
        by_hand.Field(0x0103, 3, [1]), by_hand.Field(0x0106, 3, [1]), by_hand.Field(0x0115, 3, [1]),
        by_hand.Field(0x0116, 4, [1]),
    ]  # fmt: skip
    picture = read(by_hand.tiff([(fields, packed)]))
    np.testing.assert_array_equal(picture.rgb[..., 0], np.rint(values * (255 / 4095)))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(np.array([[0, 65535, 257]], np.int32), [0, 255, 1], id="16 bits in 32"),
        pytest.param(np.array([[-100, 100, 1]], np.int32), [0, 255, 129], id="negative integers"),
        pytest.param(np.array([[0, 1_000_000, 501_000]], np.int32), [0, 255, 128], id="large integers"),
        pytest.param(np.array([[0, 1, 0.5]], np.float32), [0, 255, 128], id="0 to 1"),
        pytest.param(np.array([[0, 200, 100]], np.float32), [0, 200, 100], id="0 to 255"),
        pytest.param(np.array([[-1, 999, 499]], np.float32), [0, 255, 128], id="any range"),
        pytest.param(np.array([[np.nan, np.inf, 1]], np.float32), [0, 0, 255], id="no numbers"),
        pytest.param(np.array([[0x7F800001, 0, 0]], np.uint32).view(np.float32), [0, 0, 0], id="a signalling NaN"),
        pytest.param(np.array([[-7, -7, -7]], np.float32), [0, 0, 0], id="one value"),
        pytest.param(np.array([[-3e38, 3e38, 0]], np.float32), [0, 255, 128], id="the widest range"),
    ],
)
def test_wide_integers_and_floating_point(values: npt.NDArray[np.generic], expected: list[int]) -> None:
    picture = read(encode(Image.fromarray(values), "TIFF"))
    np.testing.assert_array_equal(picture.rgb[0], np.repeat(np.array(expected)[:, None], 3, axis=1))
