"""The size that a header claims, for the formats whose decoders allocate or decode when they are opened.

Every other decoder of Pillow only reads the header then, and is asked itself.
"""

from __future__ import annotations

import struct

from features.formats import JPEG_XL, WEBP, Format


def header_size(form: Format, data: bytes) -> tuple[int, int] | None:
    """Return width and height as the header of a WebP or JPEG XL picture claims them.

    None for every other format, and where the header is too damaged to tell: the decoder refuses such a one as well.
    """
    if form is WEBP:
        return _webp(data)
    if form is JPEG_XL:
        return _jpeg_xl(data)
    return None


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


def _jpeg_xl(data: bytes) -> tuple[int, int] | None:
    """Read the size header (ISO/IEC 18181-1, section D.2) of a bare codestream or of the first in a container."""
    start = 0
    if not data.startswith(b"\xff\x0a"):
        start = _first_codestream(data)
    if data[start : start + 2] != b"\xff\x0a":
        return None
    bits = int.from_bytes(data[start + 2 : start + 14], "little")

    def take(count: int) -> int:
        nonlocal bits
        value = bits & ((1 << count) - 1)
        bits >>= count
        return value

    small = take(1)

    def side() -> int:
        return 8 * (1 + take(5)) if small else 1 + take((9, 13, 18, 30)[take(2)])

    height = side()
    ratio = take(3)
    if ratio == 0:
        return side(), height
    numerator, denominator = ((1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1))[ratio - 1]
    return height * numerator // denominator, height


def _first_codestream(data: bytes) -> int:
    """Return where the codestream begins in a container's boxes; the end of the data where there is none."""
    at = 0
    while at + 16 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        head = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, at + 8)
            head = 16
        if name == b"jxlc":
            return at + head
        if name == b"jxlp":
            return at + head + 4
        if size < head:
            break
        at += size
    return len(data)
