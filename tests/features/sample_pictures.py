"""Makes the pictures and the bad files that the tests read, as bytes: nothing is stored, nothing is fetched.

`CASES` lists every kind with the outcome that reading it must have. The rest are the makers they are built from; what
Pillow cannot write is in `by_hand`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pillow_heif
from PIL import Image

from tests.features.by_hand import claiming_jpeg, claiming_png, claiming_webp, dng, png16
from twinlens.core.arrays import UInt8Pixels
from twinlens.testing import descriptors
from twinlens.testing.descriptors import scene as scene  # noqa: PLC0414 (for those who take their pictures from here)

# ---- pixels ---------------------------------------------------------------------------------------------------------


def pixels_of(image: Image.Image) -> UInt8Pixels:
    """Return a Pillow image's pixels."""
    pixels: UInt8Pixels = np.array(image, dtype=np.uint8)
    return pixels


def encode(image: Image.Image, form: str, **settings: Any) -> bytes:
    """Encode with Pillow, or with libheif for HEIF."""
    if form == "HEIF":
        pillow_heif.register_heif_opener()
        settings = {"enc_params": {"preset": "ultrafast"}} | settings
    return descriptors.encode(image, form, **settings)


# ---- EXIF -----------------------------------------------------------------------------------------------------------


def exif_block(
    orientation: int | None = None,
    taken: str = "",
    make: str = "",
    model: str = "",
    digitized: str = "",
    changed: str = "",
) -> bytes:
    """Write an EXIF block with the marker in front."""
    exif = Image.Exif()
    for tag, value in ((0x010F, make), (0x0110, model), (0x0112, orientation), (0x0132, changed)):
        if value:
            exif[tag] = value
    for tag, text in ((0x9003, taken), (0x9004, digitized)):
        if text:
            exif.get_ifd(0x8769)[tag] = text
    return exif.tobytes()


_STORE = {  # how the pixels must be stored so that they are upright once the orientation is applied
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def stored(image: Image.Image, orientation: int) -> Image.Image:
    """Turn a picture as it must be stored to look the same once `orientation` is applied."""
    turn = _STORE[orientation]
    return image if turn is None else image.transpose(turn)


def oriented(image: Image.Image, form: str, orientation: int, **settings: Any) -> bytes:
    """Encode a picture that looks the same as `image`, but is stored turned, with the orientation that says so."""
    if form == "TIFF":
        return encode(stored(image, orientation), form, tiffinfo={0x0112: orientation}, **settings)
    return encode(stored(image, orientation), form, exif=exif_block(orientation), **settings)


# ---- damage ---------------------------------------------------------------------------------------------------------


def cut(data: bytes, share: float) -> bytes:
    """Keep the first `share` of a file, at least one byte."""
    return data[: max(1, int(len(data) * share))]


def flip_bits(data: bytes, places: Sequence[int]) -> bytes:
    """Flip single bits; `places` counts them from the beginning and wraps around."""
    damaged = bytearray(data)
    for place in places:
        at = place % (8 * len(damaged))
        damaged[at // 8] ^= 1 << at % 8
    return bytes(damaged)


# ---- every kind of file, with its outcome ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A file as somebody may have it.

    Parameters
    ----------
    name : str
        Its file name; unique.
    make : callable
        Makes its bytes.
    reason : str or None
        Words of the reason why it cannot be read; empty where it must be read; None where either may happen.
    """

    name: str
    make: Callable[[], bytes]
    reason: str | None = ""


def with_alpha(alpha: int | None = None) -> Image.Image:
    """Make the scene cut out on an ellipse, or evenly transparent."""
    image = scene().convert("RGBA")
    width, height = image.size
    y, x = np.mgrid[0:height, 0:width]
    inside = ((x - width / 2) / (width / 2)) ** 2 + ((y - height / 2) / (height / 2)) ** 2 < 0.8
    opacity = np.where(inside, 255, 0) if alpha is None else np.full((height, width), alpha)
    image.putalpha(Image.fromarray(opacity.astype(np.uint8)))
    return image


def _sixteen(mode: str) -> npt.NDArray[np.uint16]:
    return pixels_of(scene().convert(mode)).astype(np.uint16) * 257


def _frames() -> list[Image.Image]:
    return [scene(seed=seed) for seed in (1, 2)]


def _palette_with_transparency() -> bytes:
    return encode(scene().convert("P", palette=Image.Palette.ADAPTIVE), "PNG", transparency=bytes(range(0, 256, 2)))


def _line(width: int, height: int, form: str) -> bytes:
    return encode(Image.linear_gradient("L").resize((width, height)).convert("RGB"), form)


def _jpeg() -> bytes:
    return encode(scene(480, 320), "JPEG", exif=exif_block(6, "2023:05:14 11:08:00", "Canon", "Canon EOS R5"))


def _with_broken_exif() -> bytes:
    data = _jpeg()
    at = data.find(b"Exif\0\0") + 6
    return data[: at + 4] + b"\xff" * 40 + data[at + 44 :]


GOOD = (
    Case("plain.jpg", _jpeg),
    Case("progressive.jpg", lambda: encode(scene(480, 320), "JPEG", progressive=True)),
    Case("grey.jpg", lambda: encode(scene().convert("L"), "JPEG")),
    Case("cmyk.jpg", lambda: encode(scene().convert("CMYK"), "JPEG")),
    Case("two pictures.mpo", lambda: encode(scene(), "MPO", save_all=True, append_images=_frames())),
    Case("broken exif.jpg", _with_broken_exif),
    Case("trailing bytes.jpg", lambda: _jpeg() + bytes(5000)),
    Case("plain.png", lambda: encode(scene(), "PNG")),
    Case("grey.png", lambda: encode(scene().convert("L"), "PNG")),
    Case("bits.png", lambda: encode(scene().convert("1"), "PNG")),
    Case("palette.png", lambda: encode(scene().convert("P"), "PNG")),
    Case("palette with transparency.png", _palette_with_transparency),
    Case("one transparent colour.png", lambda: encode(scene(), "PNG", transparency=(0, 0, 0))),
    Case("grey with alpha.png", lambda: encode(with_alpha().convert("LA"), "PNG")),
    Case("cut out.png", lambda: encode(with_alpha(), "PNG")),
    Case("fully transparent.png", lambda: encode(with_alpha(0), "PNG")),
    Case("16 bits.png", lambda: png16(_sixteen("RGB"))),
    Case("16 bits grey.png", lambda: png16(_sixteen("L"))),
    Case("one colour.png", lambda: encode(Image.new("RGB", (200, 150), (90, 140, 30)), "PNG")),
    Case("one pixel.png", lambda: encode(Image.new("RGB", (1, 1), (90, 140, 30)), "PNG")),
    Case("1 x 3000.png", lambda: _line(1, 3000, "PNG")),
    Case("9000 x 2.png", lambda: _line(9000, 2, "PNG")),
    Case("9000 x 2.jpg", lambda: _line(9000, 2, "JPEG")),
    Case("plain.webp", lambda: encode(scene(), "WEBP")),
    Case("lossless with alpha.webp", lambda: encode(with_alpha(), "WEBP", lossless=True)),
    Case("animated.webp", lambda: encode(scene(), "WEBP", save_all=True, append_images=_frames(), lossless=True)),
    Case("plain.gif", lambda: encode(scene(), "GIF")),
    Case("animated.gif", lambda: encode(scene(), "GIF", save_all=True, append_images=_frames())),
    Case("plain.tif", lambda: encode(scene(), "TIFF")),
    Case("packed.tiff", lambda: encode(scene(), "TIFF", compression="tiff_lzw")),
    Case("pages.tif", lambda: encode(scene(), "TIFF", save_all=True, append_images=_frames())),
    Case("cmyk.tif", lambda: encode(scene().convert("CMYK"), "TIFF")),
    Case("lab.tif", lambda: encode(Image.new("LAB", (9, 7), (150, 128, 128)), "TIFF")),
    Case("16 bits grey.tif", lambda: encode(Image.fromarray(_sixteen("L")), "TIFF")),
    Case("32 bits.tif", lambda: encode(scene().convert("I"), "TIFF")),
    Case("floating.tif", lambda: encode(scene().convert("F"), "TIFF")),
    Case("plain.bmp", lambda: encode(scene(), "BMP")),
    Case("plain.avif", lambda: encode(scene(), "AVIF")),
    Case("plain.heic", lambda: encode(scene(), "HEIF")),
    Case("plain.jp2", lambda: encode(scene(), "JPEG2000")),
    Case("plain.ppm", lambda: encode(scene(), "PPM")),
    Case("sensor only.dng", lambda: dng(scene(64, 48))),
    Case(
        "with preview.dng",
        lambda: dng(scene(800, 600), preview=encode(scene(800, 600), "JPEG"), preview_size=(800, 600)),
    ),
    Case("wrong extension.txt", lambda: encode(scene(seed=3), "JPEG")),
    Case("wrong type.gif", lambda: encode(scene(seed=4), "PNG")),
    Case("no extension", lambda: encode(scene(seed=5), "WEBP")),
    *(Case(f"turned {turn}.png", lambda turn=turn: oriented(scene(seed=6), "PNG", turn)) for turn in range(1, 9)),  # type: ignore[misc]
)

BAD = (
    Case("empty.jpg", lambda: b"", "empty"),
    Case("zeros.jpg", lambda: bytes(4096), "zeros"),
    Case("text.jpg", lambda: b"Dear diary,\n" * 20, "a text"),
    Case("document.jpg", lambda: b"%PDF-1.7\n" + bytes(99), "PDF"),
    Case("archive.png", lambda: b"PK\x03\x04" + bytes(99), "ZIP"),
    Case("film.jpg", lambda: b"\0\0\0\x18ftypmp42" + bytes(99), "video"),
    Case("noise.jpg", lambda: np.random.default_rng(0).bytes(5000), "does not know"),
    *(Case(f"cut at {percent} %.jpg", lambda share=percent / 100: cut(_jpeg(), share), "JPEG picture is")  # type: ignore[misc]
      for percent in (1, 10, 30)),
    Case("cut.png", lambda: cut(encode(scene(), "PNG"), 0.3), "cut short"),
    Case("cut.webp", lambda: cut(encode(scene(), "WEBP"), 0.5), "WebP picture is"),
    Case("cut.gif", lambda: cut(encode(scene(), "GIF"), 0.3), "GIF picture is"),
    Case("cut.tif", lambda: cut(encode(scene(), "TIFF"), 0.3), "TIFF picture is"),
    Case("cut.bmp", lambda: cut(encode(scene(), "BMP"), 0.5), "cut short"),
    Case("cut.avif", lambda: cut(encode(scene(), "AVIF"), 0.5), "AVIF picture is"),
    Case("cut.heic", lambda: cut(encode(scene(), "HEIF"), 0.5), "HEIC picture is"),
    Case("cut.dng", lambda: cut(dng(scene(64, 48)), 0.5), "cut short"),
    Case("claims 60000 x 60000.png", lambda: claiming_png(60_000, 60_000), "60,000 x 60,000"),
    Case("claims 60000 x 60000.jpg", lambda: claiming_jpeg(_jpeg(), 60_000, 60_000), "60,000 x 60,000"),
    Case("claims 60000 x 60000, progressive.jpg",
         lambda: claiming_jpeg(encode(scene(), "JPEG", progressive=True), 60_000, 60_000), "60,000 x 60,000"),
    Case("claims 16000000 x 16000000.webp", lambda: claiming_webp(16_000_000, 16_000_000), "16,000,000 x 16,000,000"),
    Case("zero width.png", lambda: claiming_png(0, 10), "PNG picture is"),
    Case("zero width.jpg", lambda: claiming_jpeg(_jpeg(), 0, 10), "JPEG picture is"),
)  # fmt: skip

EITHER = tuple(
    Case(f"flipped {seed}.{ending}", lambda seed=seed, form=form: _flipped(form, seed), None)  # type: ignore[misc]
    for form, ending in (("JPEG", "jpg"), ("PNG", "png"), ("WEBP", "webp"), ("GIF", "gif"), ("TIFF", "tif"))
    for seed in range(3)
)


def _flipped(form: str, seed: int) -> bytes:
    data = encode(scene(), form)
    return flip_bits(data, [int(place) for place in np.random.default_rng(seed).integers(0, 8 * len(data), 4)])


CASES = (*GOOD, *BAD, *EITHER)
"""Every kind of file: `GOOD` must be read, `BAD` must be refused with a reason, `EITHER` must end as one of the two."""
