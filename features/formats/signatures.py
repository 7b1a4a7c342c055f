"""Formats that begin with no word of their own: their headers are checked field by field.

Any file may begin with a zero or two; a header counts only where every field has a value that the format allows.
"""

from __future__ import annotations

import re
import struct

_PNG = b"\x89PNG\r\n\x1a\n"
_DIB_HEADERS = frozenset({12, 40, 52, 56, 64, 108, 124})
_TARGA_DEPTHS = {1: {8, 16}, 2: {15, 16, 24, 32}, 3: {1, 8, 16}}  # by type of picture: palette, colours, grey
_TARGA_PALETTE_DEPTHS = frozenset({15, 16, 24, 32})
_PACKED = 8  # added to the type of a Targa picture that is run-length encoded
_XBM = re.compile(
    rb"\s*(/\*.*?\*/\s*)?#define[ \t]+\w*width[ \t]+\d+\s+#define[ \t]+\w*height[ \t]+\d+\s.{0,400}?_bits\[\]",
    re.DOTALL,
)


def is_icon(data: bytes, kind: int) -> bool:
    """Recognise a Windows icon (`kind` 1) or mouse pointer (2), by its whole directory as far as the data go."""
    if len(data) < 22:
        return False
    reserved, found, count = struct.unpack_from("<HHH", data)
    if (reserved, found) != (0, kind) or count == 0:
        return False
    for at in range(6, min(6 + 16 * count, len(data) - 15), 16):
        (begin,) = struct.unpack_from("<I", data, at + 12)
        if begin < 6 + 16 * count:
            return False
    _, begin = struct.unpack_from("<II", data, 14)
    picture = data[begin : begin + 8]
    return len(picture) < 8 or picture == _PNG or int.from_bytes(picture[:4], "little") in _DIB_HEADERS


def is_pcx(data: bytes) -> bool:
    """Recognise a Paintbrush picture."""
    if len(data) < 128:
        return False
    maker, version, packing, bits, left, top, right, bottom = struct.unpack_from("<BBBBHHHH", data)
    reserved, planes, row_bytes = struct.unpack_from("<BBH", data, 64)
    return (
        (maker, packing, reserved) == (10, 1, 0)
        and version in {0, 2, 3, 4, 5}
        and bits in {1, 2, 4, 8}
        and 1 <= planes <= 4
        and left <= right
        and top <= bottom
        and 8 * row_bytes >= bits * (right - left + 1)
    )


def is_targa(data: bytes) -> bool:
    """Recognise a Targa picture, with or without the footer of the format's second version."""
    if len(data) < 18:
        return False
    _, has_palette, kind, first, length, depth_of_palette, left, top, width, height, depth, flags = struct.unpack_from(
        "<BBBHHBHHHHBB", data
    )
    depths = _TARGA_DEPTHS.get(kind & ~_PACKED)
    if depths is None or has_palette > 1 or depth not in depths or 0 in {width, height} or flags & 0xC0:
        return False
    if data[-18:] == b"TRUEVISION-XFILE.\0":
        return True
    if has_palette:
        palette_fits = depth_of_palette in _TARGA_PALETTE_DEPTHS and length > 0
    else:
        palette_fits = kind & ~_PACKED != 1 and (first, length) == (0, 0) and depth_of_palette in {0, 24}
    opacity_bits = flags & 0x0F
    return palette_fits and left == 0 and top in {0, height} and opacity_bits in {0, 1, 8} and opacity_bits <= depth


def is_fli(data: bytes) -> bool:
    """Recognise an animation of Autodesk's Animator."""
    if len(data) < 128:
        return False
    _, kind, frames, width, height, depth, flags = struct.unpack_from("<IHHHHHH", data)
    return kind in {0xAF11, 0xAF12} and 0 not in {frames, width, height} and depth in {0, 8} and flags in {0, 3}


def is_sgi(data: bytes) -> bool:
    """Recognise a picture of Silicon Graphics' workstations."""
    if len(data) < 12:
        return False
    magic, packing, size_of_value, dimensions = struct.unpack_from(">HBBH", data)
    return magic == 474 and packing <= 1 and size_of_value in {1, 2} and dimensions in {1, 2, 3}


def is_xbm(data: bytes) -> bool:
    """Recognise a bitmap of the X window system, which is a piece of a C program."""
    return _XBM.match(data[:2048]) is not None


def is_photo_cd(data: bytes) -> bool:
    """Recognise a picture of a Kodak Photo CD."""
    return data[2048:2055] == b"PCD_IPI"
