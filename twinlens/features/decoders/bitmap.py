"""Bitmaps of Windows and OS/2: by Pillow the usual ones, and here those that only differ in how the header is written.

These are colours in any bits of a pixel, palettes of 2 bits or longer than needed, a JPEG or PNG inside, headers of
OS/2 that stop early, and its arrays and icons, which hold several bitmaps: the largest is taken. What is packed stays
Pillow's.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile
from PIL.BmpImagePlugin import BmpImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.decoders.array_image import ArrayImageFile

KINDS = (b"BM", b"BA", b"CI", b"IC", b"CP", b"PT")
"""Beginnings: a bitmap, an array of OS/2, its icons and pointers in colours and without."""

_ARRAY, _ICONS = b"BA", (b"CI", b"IC", b"CP", b"PT")
_FILE_HEAD, _OLD_HEAD, _HEAD = 14, 12, 40
_PLAIN, _BIT_FIELDS, _JPEG, _PNG, _BIT_FIELDS_WITH_OPACITY = 0, 3, 4, 5, 6
_DEPTHS = frozenset({1, 2, 4, 8, 16, 24, 32})
_MOST = 64  # bitmaps of one file
_MASKS = {16: (0x7C00, 0x03E0, 0x001F, 0), 32: (0xFF0000, 0xFF00, 0xFF, 0)}


class _Bitmap(NamedTuple):
    """A bitmap's header.

    Attributes
    ----------
    at : int
        Where it begins in the file.
    pixels : int
        Where these do; 0 where they follow the header and the palette.
    down : bool
        Whether the first row is the upper one.
    """

    at: int
    pixels: int
    length: int
    width: int
    height: int
    depth: int
    packing: int
    colours: int
    down: bool


def is_bitmap(data: bytes) -> bool:
    """Recognise a bitmap: by its beginning and a header of possible values; one without a beginning, by its header."""
    if data[:2] in KINDS:
        return any(True for _ in _bitmaps(data))
    return len(data) >= _HEAD and data[:4] == b"\x28\0\0\0" and _header(data, 0, 0) is not None


def bitmap_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open a bitmap: by Pillow where it can."""
    if file.getvalue()[:2] != b"BM":
        return BitmapImageFile(file)
    try:
        return BmpImageFile(file)
    except (OSError, SyntaxError, KeyError, ValueError):
        file.seek(0)
        return BitmapImageFile(file)


class BitmapImageFile(ArrayImageFile):
    """A bitmap that Pillow does not open."""

    def _open(self) -> None:
        data = self._whole_file()
        found = list(_bitmaps(data)) if data[:2] in KINDS else [one for one in [_header(data, 0, 0)] if one]
        if not found:
            raise SyntaxError("unsupported header of a bitmap")
        self._bitmap = max(found, key=lambda one: (one.depth > 1, one.width * one.height, one.depth))
        is_icon = self._bitmap.at >= _FILE_HEAD and data[self._bitmap.at - _FILE_HEAD :][:2] in _ICONS
        if is_icon and self._bitmap.depth == 1:  # without colours: its mask is the other half
            self._bitmap = self._bitmap._replace(height=max(1, self._bitmap.height // 2))
        self._size = self._bitmap.width, self._bitmap.height
        self._mode = "RGB"
        if self._bitmap.packing not in (_PLAIN, _BIT_FIELDS, _JPEG, _PNG, _BIT_FIELDS_WITH_OPACITY):
            raise SyntaxError("unsupported compression of a bitmap")

    def pixels(self) -> UInt8Pixels:
        """Decode the bitmap."""
        data, one = self.data, self._bitmap
        masks = _masks(data, one)
        palette_at = one.at + one.length + (12 if one.packing == _BIT_FIELDS and one.length == _HEAD else 0)
        step = 3 if one.length == _OLD_HEAD else 4
        entries = (one.colours or 1 << one.depth) if 0 < one.depth <= 8 else 0
        begin = one.pixels or palette_at + step * entries
        if one.packing in (_JPEG, _PNG):
            with Image.open(io.BytesIO(data[begin:]), formats=("JPEG", "PNG")) as inside:
                if inside.size != self.size:
                    raise ValueError("a picture of another size inside a bitmap")
                return np.asarray(inside.convert("RGB"))
        row = (one.width * one.depth + 31) // 32 * 4
        if len(data) - begin < row * one.height:
            raise EOFError
        rows = np.frombuffer(data, np.uint8, row * one.height, begin).reshape(one.height, row)
        rows = rows if one.down else rows[::-1]
        if one.depth <= 8:
            held = np.frombuffer(data[palette_at : palette_at + step * entries], np.uint8)
            palette = np.zeros((256, 3), np.uint8)
            colours = held[: len(held) // step * step].reshape(-1, step)[:256, 2::-1]
            palette[: len(colours)] = colours
            return np.asarray(palette[_numbers(rows, one)])
        if one.depth == 24:
            return np.ascontiguousarray(rows[:, : 3 * one.width].reshape(one.height, one.width, 3)[..., ::-1])
        kind = np.dtype("<u2" if one.depth == 16 else "<u4")
        numbers = np.ascontiguousarray(rows).view(kind)[:, : one.width].astype(np.uint32)
        bands = [_band(numbers, mask) for mask in masks if mask]
        if len(bands) not in (3, 4):
            raise SyntaxError("unsupported bit fields of a bitmap")
        if len(bands) == 4 and not bands[3].any():  # a channel that nobody filled
            bands.pop()
        return np.stack(bands, axis=2)


def _bitmaps(data: bytes, at: int = 0) -> Iterator[_Bitmap]:
    """Yield the bitmaps of a file that have possible headers."""
    for _ in range(_MOST):
        kind = data[at : at + 2]
        if kind == _ARRAY and len(data) >= at + _FILE_HEAD:
            following = int.from_bytes(data[at + 6 : at + 10], "little")
            yield from _of_one(data, at + _FILE_HEAD)
            if following <= at:
                return
            at = following
        else:
            yield from _of_one(data, at)
            return


def _of_one(data: bytes, at: int) -> Iterator[_Bitmap]:
    """Yield one bitmap, or the mask and the colours of an icon, which follow each other."""
    for _ in range(2):
        kind = data[at : at + 2]
        if kind not in KINDS or kind == _ARRAY or len(data) < at + _FILE_HEAD + 4:
            return
        found = _header(data, at + _FILE_HEAD, int.from_bytes(data[at + 10 : at + 14], "little"))
        if found is None:
            return
        yield found
        if kind not in (b"CI", b"CP"):
            return
        at += _FILE_HEAD + found.length + (3 if found.length == _OLD_HEAD else 4) * (1 << found.depth)


def _header(data: bytes, at: int, pixels: int) -> _Bitmap | None:
    """Read a header; None where a value cannot be."""
    length = int.from_bytes(data[at : at + 4], "little")
    if length == _OLD_HEAD:
        wide = struct.unpack_from("<HHHH", data, at + 4) if len(data) >= at + _OLD_HEAD else (0,) * 4
        width, height, planes, depth = wide
        packing = colours = 0
    elif 16 <= length <= 124 and len(data) >= at + 16:
        held = data[at : at + min(length, _HEAD)].ljust(_HEAD, b"\0")
        width, height, planes, depth, packing, _, _, _, colours, _ = struct.unpack_from("<iiHHIIiiII", held, 4)
    else:
        return None
    if (planes != 1 and not at) or width <= 0 or not height or packing > 6:
        return None
    if depth not in _DEPTHS and packing not in (_JPEG, _PNG):
        return None
    return _Bitmap(at, pixels, length, width, abs(height), depth, packing, colours, height < 0)


def _masks(data: bytes, one: _Bitmap) -> tuple[int, int, int, int]:
    if one.packing in (_BIT_FIELDS, _BIT_FIELDS_WITH_OPACITY) and one.depth in _MASKS:
        with_opacity = one.length >= 56 or one.packing == _BIT_FIELDS_WITH_OPACITY
        found = struct.unpack("<4I", data[one.at + _HEAD : one.at + _HEAD + 16].ljust(16, b"\0"))
        return (*found[:3], found[3] if with_opacity else 0)
    return _MASKS.get(one.depth, (0, 0, 0, 0))


def _band(numbers: npt.NDArray[np.uint32], mask: int) -> UInt8Pixels:
    """Return the values under a mask, from 0 to 255."""
    shift = (mask & -mask).bit_length() - 1
    top = mask >> shift
    return np.asarray(np.rint(((numbers & np.uint32(mask)) >> np.uint32(shift)) * (255 / top)), np.uint8)


def _numbers(rows: UInt8Pixels, one: _Bitmap) -> npt.NDArray[Any]:
    """Return the palette's number of each pixel, (h, w)."""
    if one.depth == 8:
        return rows[:, : one.width]
    shifts = np.arange(8 - one.depth, -1, -one.depth, dtype=np.uint8)
    numbers = rows[..., None] >> shifts & np.uint8((1 << one.depth) - 1)
    return numbers.reshape(len(rows), -1)[:, : one.width]
