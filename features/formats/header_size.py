"""The size that a header claims, for the formats whose decoders allocate or decode when they are opened.

Every other decoder of Pillow only reads the header then, and is asked itself.
"""

from __future__ import annotations

import re
import struct

from features.formats.formats import ICNS, ICO, WEBP, Format

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PICTURES_INSIDE = re.compile(
    rb"\x89PNG\r\n\x1a\n....IHDR(.{8})|jp2h.{0,64}?ihdr(.{8})|\xff\x4f\xff\x51.{4}(.{8})", re.DOTALL
)


def header_size(form: Format, data: bytes) -> tuple[int, int] | None:
    """Return width and height as the header of a WebP picture or the headers in an icon claim them.

    None for every other format, and where the header is too damaged to tell: the decoder refuses such a one as well.
    """
    size_of = {WEBP: _webp, ICO: _icon, ICNS: _mac_icon}.get(form)
    return None if size_of is None else size_of(data)


def _webp(data: bytes) -> tuple[int, int] | None:
    """Read the canvas size (RFC 9649, section 2.5 to 2.7)."""
    chunk = data[12:16]
    if len(data) < 30:
        return None
    if chunk == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _icon(data: bytes) -> tuple[int, int] | None:
    """Return the largest of the pictures in a Windows icon: each says its own size, whatever the directory says."""
    count = int.from_bytes(data[4:6], "little")
    sizes = []
    for entry in range(6, min(6 + 16 * count, len(data) - 15), 16):
        (begin,) = struct.unpack_from("<I", data, entry + 12)
        inside = data[begin : begin + 24]
        if inside.startswith(_PNG_SIGNATURE) and len(inside) == 24:
            sizes.append(struct.unpack(">II", inside[16:]))
        elif len(inside) >= 12:
            width, height = struct.unpack_from("<ii", inside, 4)
            sizes.append((abs(width), abs(height) // 2))  # the mask is below the picture
    return max(sizes, key=_pixels, default=None)


def _mac_icon(data: bytes) -> tuple[int, int] | None:
    """Return the largest of the PNG and JPEG 2000 pictures in a Mac's icon; the others are of fixed small sizes."""
    sizes = []
    for found in _PICTURES_INSIDE.finditer(data):
        first, second = struct.unpack(">II", found[1] or found[2] or found[3])
        sizes.append((second, first) if found[2] else (first, second))  # JPEG 2000's box has the height first
    return max(sizes, key=_pixels, default=None)


def _pixels(size: tuple[int, int]) -> int:
    return size[0] * size[1]
