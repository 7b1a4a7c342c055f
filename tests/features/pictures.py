"""Makes the pictures and the bad files that the tests read, as bytes: nothing is stored, nothing is fetched.

`CASES` lists every kind with the outcome that reading it must have. The rest are the makers they are built from.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pillow_heif
from PIL import Image

Pixels = npt.NDArray[np.uint8]

# ---- pixels ---------------------------------------------------------------------------------------------------------


def scene(width: int = 96, height: int = 64, seed: int = 0) -> Image.Image:
    """Make a picture with colours, edges and corners that looks different in all eight orientations."""
    return Image.fromarray(_scene(width, height, seed))  # a new one: saving leaves traces on an image


@cache
def _scene(width: int, height: int, seed: int) -> Pixels:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    layers = (255 * x / max(width - 1, 1), 255 * y / max(height - 1, 1), 128 + 100 * np.sin((x + 2 * y) / 9))
    pixels = np.stack(layers, axis=-1)
    for _ in range(12):
        top, left = rng.integers(0, height), rng.integers(0, width)
        pixels[top : top + max(2, height // 5), left : left + max(2, width // 6)] = rng.integers(0, 256, 3)
    grain = rng.normal(0, 3, (64, 64, 3))
    pixels += np.tile(grain, (height // 64 + 1, width // 64 + 1, 1))[:height, :width]
    rounded: Pixels = np.clip(pixels, 0, 255).astype(np.uint8)
    return rounded


def pixels_of(image: Image.Image) -> Pixels:
    """Return a Pillow image's pixels."""
    pixels: Pixels = np.array(image, dtype=np.uint8)
    return pixels


def encode(image: Image.Image, form: str, **settings: Any) -> bytes:
    """Encode with Pillow, or with libheif for HEIF."""
    if form == "HEIF":
        pillow_heif.register_heif_opener()
    target = io.BytesIO()
    image.save(target, form, **settings)
    return target.getvalue()


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


# ---- colour profiles ------------------------------------------------------------------------------------------------

_PRIMARIES = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))  # of sRGB, to D50


def icc_profile(description: str, primaries: tuple[int, ...] = (0, 1, 2), gamma: float = 2.2) -> bytes:
    """Write an ICC profile of three primaries and a gamma; ``primaries=(1, 0, 2)`` shows red as green.

    With ``primaries=()`` it is of a grey scale.
    """

    def xyz(values: Sequence[float]) -> bytes:
        return b"XYZ \0\0\0\0" + b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    text = description.encode("ascii") + b"\0"
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    tags = [
        (b"desc", b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)),
        (b"cprt", b"text\0\0\0\0none\0"),
        (b"wtpt", xyz((0.9642, 1.0, 0.8249))),
    ]
    if primaries:
        columns = zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries, strict=True)
        tags += [(name, xyz(_PRIMARIES[number])) for name, number in columns]
        tags += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]
    else:
        tags.append((b"kTRC", curve))
    at = 128 + 4 + 12 * len(tags)
    table, body = struct.pack(">I", len(tags)), b""
    for name, content in tags:
        table += name + struct.pack(">II", at + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    space = b"RGB " if primaries else b"GRAY"
    head = struct.pack(">I4sI4s4s4s12x4s", at + len(body), b"\0" * 4, 0x02400000, b"mntr", space, b"XYZ ", b"acsp")
    head += bytes(28) + struct.pack(">iii", *(round(value * 65536) for value in (0.9642, 1.0, 0.8249)))
    return head.ljust(128, b"\0") + table + body


# ---- PNG by hand, for what Pillow does not write --------------------------------------------------------------------


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    """Write a PNG.

    Parameters
    ----------
    width, height, depth, colour : int
        As in the header; `colour` is 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
    rows : bytes
        Each row with its filter byte in front.
    chunks : tuple of name and content
        Between header and pixels.
    """
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def png16(pixels: npt.NDArray[np.uint16], *chunks: tuple[bytes, bytes]) -> bytes:
    """Write grey (h, w) or RGB (h, w, 3) of 16 bits."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    return png(width, height, 16, 0 if pixels.ndim == 2 else 2, rows, *chunks)


def giant_png(side: int = 20_000) -> bytes:
    """Write a true square one-bit PNG, black: 20,000 pixels on a side take 50 KB."""
    return png(side, side, 1, 0, bytes(side * (1 + (side + 7) // 8)))


def claiming_png(width: int, height: int) -> bytes:
    """Write an RGB PNG whose header claims a size that its few bytes do not have."""
    return png(width, height, 8, 2, bytes(64))


def claiming_jpeg(width: int, height: int, **settings: Any) -> bytes:
    """Write a JPEG whose header claims a size that its few bytes do not have."""
    data = bytearray(encode(scene(16, 16), "JPEG", **settings))
    frame = next(at for at in (data.find(b"\xff\xc0"), data.find(b"\xff\xc2")) if at >= 0)
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def claiming_webp(width: int, height: int) -> bytes:
    """Write a WebP whose canvas claims a size that its few bytes do not have."""
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4)
    body += (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", len(body)) + body


# ---- TIFF and DNG by hand -------------------------------------------------------------------------------------------

_PACKING = {1: "B", 3: "H", 4: "I", 5: "I", 10: "i"}


@dataclass(frozen=True)
class Field:
    """A TIFF tag; type 2 takes text, 5 and 10 (rationals) take (numerator, denominator) in turn, the rest numbers."""

    tag: int
    kind: int
    values: Sequence[int] | bytes


def tiff(directories: Sequence[tuple[Sequence[Field], bytes]], order: str = "<") -> bytes:
    """Write a TIFF structure: a first directory, the others its sub-directories, each with one strip of pixels.

    The directories come first and the strips last, as cameras write them, so that a cut file loses its pixels.
    """
    strips = [strip + bytes(len(strip) % 2) for _, strip in directories]
    places = [0] * len(strips)
    for _ in range(2):  # the second time the places of the strips are known
        head = _directories(directories, places, order)
        places = [len(head) + sum(map(len, strips[:number])) for number in range(len(strips))]
    return head + b"".join(strips)


def _directories(directories: Sequence[tuple[Sequence[Field], bytes]], places: Sequence[int], order: str) -> bytes:
    out = bytearray(b"II*\0\0\0\0\0" if order == "<" else b"MM\0*\0\0\0\0")
    starts: list[int] = []
    for (fields, strip), place in reversed(list(zip(directories, places, strict=True))):
        extra = [Field(0x0111, 4, [place]), Field(0x0117, 4, [len(strip)])]
        if len(starts) == len(directories) - 1 and starts:
            extra.append(Field(0x014A, 4, starts))
        everything = sorted([*fields, *extra], key=lambda field: field.tag)
        entries = bytearray()
        for field in everything:
            if isinstance(field.values, bytes):
                content, count = field.values, len(field.values)
            else:
                packing = f"{order}{len(field.values)}{_PACKING[field.kind]}"
                content = struct.pack(packing, *field.values)
                count = len(field.values) // (2 if field.kind in (5, 10) else 1)
            if len(content) > 4:
                where = struct.pack(order + "I", len(out))
                out += content + bytes(len(content) % 2)
            else:
                where = content.ljust(4, b"\0")
            entries += struct.pack(order + "HHI", field.tag, field.kind, count) + where
        starts.append(len(out))
        out += struct.pack(order + "H", len(everything)) + entries + bytes(4)
    struct.pack_into(order + "I", out, 4, starts[-1])
    return bytes(out)


def dng(
    image: Image.Image | None = None,
    orientation: int = 1,
    preview: bytes = b"",
    preview_size: tuple[int, int] = (0, 0),
    order: str = "<",
) -> bytes:
    """Write a raw file of a made-up camera: sensor data under red, green and blue filters, and perhaps a preview.

    Parameters
    ----------
    image : PIL.Image.Image
        What the sensor saw, as it lay; sides must be even.
    orientation : int
        1 to 8.
    preview : bytes
        A JPEG; none where empty.
    preview_size : tuple of int
        Its width and height.
    order : str
        ``<`` or ``>``.
    """
    image = image or scene(64, 48)
    pixels = pixels_of(image).astype(np.uint16) * 257
    mosaic = pixels[..., 1].copy()
    mosaic[0::2, 0::2] = pixels[0::2, 0::2, 0]
    mosaic[1::2, 1::2] = pixels[1::2, 1::2, 2]
    height, width = mosaic.shape
    sensor = [
        Field(0x00FE, 4, [0]), Field(0x0100, 4, [width]), Field(0x0101, 4, [height]), Field(0x0102, 3, [16]),
        Field(0x0103, 3, [1]), Field(0x0106, 3, [32803]), Field(0x0115, 3, [1]), Field(0x0116, 4, [height]),
        Field(0x828D, 3, [2, 2]), Field(0x828E, 1, [0, 1, 1, 2]), Field(0xC61D, 4, [65535]),
    ]  # fmt: skip
    camera = [
        Field(0x010F, 2, b"Twinlens\0"), Field(0x0110, 2, b"Twinlens One\0"), Field(0x0112, 3, [orientation]),
        Field(0x0132, 2, b"2023:05:14 11:08:00\0"), Field(0xC612, 1, [1, 4, 0, 0]), Field(0xC613, 1, [1, 1, 0, 0]),
        Field(0xC614, 2, b"Twinlens One\0"), Field(0xC65A, 3, [21]),
        Field(0xC621, 10, [10000, 10000, 0, 10000, 0, 10000, 0, 10000, 10000, 10000, 0, 10000, 0, 10000, 0, 10000,
                           10000, 10000]),
        Field(0xC628, 5, [1, 1, 1, 1, 1, 1]),
    ]  # fmt: skip
    strip = mosaic.astype(f"{order}u2").tobytes()
    if not preview:
        return tiff([([*sensor, *camera], strip)], order)
    shown = [
        Field(0x00FE, 4, [1]), Field(0x0100, 4, [preview_size[0]]), Field(0x0101, 4, [preview_size[1]]),
        Field(0x0102, 3, [8, 8, 8]), Field(0x0103, 3, [7]), Field(0x0106, 3, [6]), Field(0x0115, 3, [3]),
        Field(0x0116, 4, [preview_size[1]]),
    ]  # fmt: skip
    return tiff([([*shown, *camera], preview), (sensor, strip)], order)


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
    Case("sensor only.dng", dng),
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
    *(Case(f"cut at {percent} %.jpg", lambda share=percent / 100: cut(_jpeg(), share), "cut short")  # type: ignore[misc]
      for percent in (1, 10, 50, 90, 99)),
    Case("cut.png", lambda: cut(encode(scene(), "PNG"), 0.5), "cut short"),
    Case("cut.webp", lambda: cut(encode(scene(), "WEBP"), 0.5), "WebP picture is"),
    Case("cut.gif", lambda: cut(encode(scene(), "GIF"), 0.5), "cut short"),
    Case("cut.tif", lambda: cut(encode(scene(), "TIFF"), 0.5), "TIFF picture is"),
    Case("cut.bmp", lambda: cut(encode(scene(), "BMP"), 0.5), "cut short"),
    Case("cut.avif", lambda: cut(encode(scene(), "AVIF"), 0.5), "AVIF picture is"),
    Case("cut.heic", lambda: cut(encode(scene(), "HEIF"), 0.5), "HEIC picture is"),
    Case("cut.dng", lambda: cut(dng(), 0.5), "cut short"),
    Case("claims 60000 x 60000.png", lambda: claiming_png(60_000, 60_000), "60,000 x 60,000"),
    Case("claims 60000 x 60000.jpg", lambda: claiming_jpeg(60_000, 60_000), "60,000 x 60,000"),
    Case("claims 60000 x 60000, progressive.jpg", lambda: claiming_jpeg(60_000, 60_000, progressive=True),
         "60,000 x 60,000"),
    Case("claims 16000000 x 16000000.webp", lambda: claiming_webp(16_000_000, 16_000_000), "16,000,000 x 16,000,000"),
    Case("zero width.png", lambda: claiming_png(0, 10), "PNG picture is"),
    Case("zero width.jpg", lambda: claiming_jpeg(0, 10), "JPEG picture is"),
    Case("20000 x 20000.png", giant_png, "20,000 x 20,000"),
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
