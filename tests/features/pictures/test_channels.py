"""Transparency, and pixels of more or fewer than eight bits."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.features import by_hand, sample_pictures
from tests.features.checks import distance
from tests.features.sample_pictures import encode, exif_block, oriented, pixels_of, scene
from twinlens.features.pictures import channels
from twinlens.features.pictures.channels import fit, plain, upright, upright_and_plain
from twinlens.features.pictures.picture import WORKING_SIDE
from twinlens.features.reading.reading import read


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


LOSSLESS: dict[str, dict[str, Any]] = {
    "PNG": {},
    "BMP": {},
    "TIFF": {},
    "PPM": {},
    "JPEG2000": {},
    "WEBP": {"lossless": True},
    "GIF": {},
    "HEIF": {"quality": -1, "chroma": 444, "matrix_coefficients": 0},
}
LOSSY: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "AVIF": {"quality": 95},
    "WEBP": {"quality": 95},
}


@pytest.mark.parametrize("form", LOSSLESS)
def test_lossless_formats_keep_every_pixel(form: str) -> None:
    image = scene().quantize(200).convert("RGB") if form == "GIF" else scene()
    np.testing.assert_array_equal(read(encode(image, form, **LOSSLESS[form])).rgb, pixels_of(image))


@pytest.mark.parametrize("form", LOSSY)
def test_lossy_formats_are_close(form: str) -> None:
    assert distance(read(encode(scene(), form, **LOSSY[form])), scene()) < 6


def test_large_pictures_are_averaged_down_and_small_ones_left() -> None:
    picture = read(encode(scene(1500, 1001), "PNG", compress_level=0))
    assert picture.rgb.shape == (427, 640, 3)
    assert (picture.facts.width, picture.facts.height) == (1500, 1001)
    expected = scene(1500, 1001).resize((640, 427), Image.Resampling.BOX)
    assert distance(picture, expected) < 1.5
    assert read(encode(scene(640, 480), "PNG")).rgb.shape == (480, 640, 3)
    assert read(encode(scene(639, 480), "PNG")).rgb.shape == (480, 639, 3)


@pytest.mark.parametrize("size", [(5200, 150), (150, 5200), (2600, 600), (1300, 900)])
def test_a_jpeg_decoded_at_a_fraction_is_the_same_picture(size: tuple[int, int]) -> None:
    image = scene(*size)
    picture = read(encode(image, "JPEG", quality=95))
    assert max(picture.rgb.shape) == WORKING_SIDE
    assert (picture.facts.width, picture.facts.height) == size
    averaged = read(encode(image, "PNG", compress_level=0)).rgb
    assert np.median(np.abs(picture.rgb.astype(int) - averaged)) <= 1


@pytest.mark.parametrize("form", ["GIF", "WEBP", "TIFF", "MPO", "PNG"])
def test_of_several_pictures_the_first_is_read(form: str) -> None:
    first, second = (Image.new("RGB", (32, 24), colour) for colour in ((200, 30, 40), (10, 120, 250)))
    picture = read(encode(first, form, save_all=True, append_images=[second]))
    assert np.abs(picture.rgb.astype(int) - (200, 30, 40)).max() <= 6
    assert picture.facts.format == {"WEBP": "WebP", "MPO": "JPEG"}.get(form, form)


@pytest.mark.parametrize("form", ["PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("size", [(96, 64), (641, 643), (1501, 403), (301, 2563)])
def test_orientations_of_one_picture_are_bit_identical(form: str, size: tuple[int, int]) -> None:
    turns = range(1, 9) if max(size) < 1000 else (1, 3, 6, 7)
    quick = {"PNG": {"compress_level": 0}, "WEBP": {"lossless": True, "method": 0, "quality": 0}, "TIFF": {}}[form]
    reference = None
    for turn in turns:
        picture = read(oriented(scene(*size), form, turn, **quick))
        assert picture.facts.orientation == turn
        assert (picture.facts.width, picture.facts.height) == size
        reference = picture.rgb if reference is None else reference
        np.testing.assert_array_equal(picture.rgb, reference)


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "P", "1", "I;16"])
def test_orientations_are_bit_identical_in_every_mode(mode: str) -> None:
    image = scene(1301, 401)
    if mode == "RGBA":
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    elif mode == "I;16":
        image = Image.fromarray(pixels_of(image.convert("L")).astype(np.uint16) * 200)
    if mode != "I;16":
        image = image.convert(mode)
    read_all = [read(oriented(image, "PNG", turn, compress_level=0)) for turn in range(1, 9)]
    for picture in read_all:
        np.testing.assert_array_equal(picture.rgb, read_all[0].rgb)
        np.testing.assert_array_equal(picture.grey, read_all[0].grey)
        if mode in ("LA", "RGBA") and read_all[0].mask is not None:
            assert picture.mask is not None
            np.testing.assert_array_equal(picture.mask, read_all[0].mask)


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "transparent P", "transparent RGB"]
)
@pytest.mark.parametrize("size", [(301, 207), (97, 400)])
def test_a_picture_reduced_band_by_band_is_the_same_as_at_once(
    mode: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "_BAND_PIXELS", 3000)
    image = scene(*size).convert(mode.rsplit(maxsplit=1)[-1])
    if mode == "transparent P":
        image.info["transparency"] = bytes(range(256))
    elif mode == "transparent RGB":
        image.info["transparency"] = image.getpixel((5, 5))
    for turn in range(1, 9):
        expected = upright(plain(image.copy()), turn).reduce(max(size) // 60)
        bands = upright_and_plain(image.copy(), turn, side=30)
        assert bands.mode == expected.mode
        np.testing.assert_array_equal(pixels_of(bands), pixels_of(expected))


@pytest.mark.parametrize("form", ["JPEG", "AVIF", "HEIF"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_lossy_orientations_are_turned_exactly_once(form: str, turn: int) -> None:
    image = scene(96, 64)
    picture = read(oriented(image, form, turn, quality=95))
    assert (picture.facts.width, picture.facts.height) == (96, 64)
    assert distance(picture, image) < 6
    assert picture.facts.orientation == (1 if form == "HEIF" else turn)


def test_nonsense_orientations_are_ignored() -> None:
    for turn in (9, 77, 65535):
        picture = read(encode(scene(), "PNG", exif=exif_block(turn)))
        assert picture.facts.orientation == 1
        np.testing.assert_array_equal(picture.rgb, pixels_of(scene()))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(3000, 1), (1, 3000), (2, 9000), (700, 641), (700, 641, 3), (700, 641, 4)])
def test_fit_keeps_the_mean_and_at_least_one_pixel(shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    values = np.random.default_rng(0).integers(0, 200, shape).astype(dtype)
    small = fit(values)
    assert small.dtype == values.dtype
    assert max(small.shape[:2]) == WORKING_SIDE
    assert min(small.shape) >= 1
    assert small.ndim == values.ndim
    assert abs(float(small.mean()) - float(values.mean())) < 2


def test_fit_leaves_what_is_small_enough() -> None:
    values = np.zeros((640, 20), np.uint8)
    assert fit(values) is values
