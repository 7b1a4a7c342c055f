"""Writes the files that Pillow cannot: profiles, PNG of 16 bits, headers that lie, TIFF structures, raw files."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

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


def claiming_png(width: int, height: int) -> bytes:
    """Write an RGB PNG whose header claims a size that its few bytes do not have."""
    return png(width, height, 8, 2, bytes(64))


def claiming_jpeg(jpeg: bytes, width: int, height: int) -> bytes:
    """Let the header of a JPEG claim a size that its bytes do not have."""
    data = bytearray(jpeg)
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
    image: Image.Image,
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
    pixels = np.asarray(image).astype(np.uint16) * 257
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
