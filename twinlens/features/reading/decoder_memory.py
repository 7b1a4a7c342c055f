"""The memory that a decoder takes for a picture, by its format and what its header says."""

from __future__ import annotations

import re
import struct

from PIL import Image

from twinlens.features.decoders.netpbm import is_counted
from twinlens.features.formats.exif import TiffTags
from twinlens.features.formats.formats import (
    AVIF,
    HEIC,
    JPEG_2000,
    PNM,
    TIFF,
    Format,
)

_AV1 = re.compile(rb"av1C..(.)", re.DOTALL)  # AV1-ISOBMFF, 2.3.3

_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262

_STRIPS, _SAMPLES, _ROWS, _TILE_WIDTH, _TILE_HEIGHT, _TILE_PLACES = 273, 277, 278, 322, 323, 324

_PLAIN, _YCBCR = 1, 6

_PART_BYTES, _PLAIN_PART_BYTES = 40, 400  # of a strip or tile: its place as Python's numbers, and a step of its own


_SAMPLE_BYTES = 1.6  # for each byte of a picture's samples: the decoder's own, and parts of them converted


_MOST_SAMPLE_BYTES = 6.0  # three samples of more than 8 bits, where the file does not say


_HEVC = re.compile(rb"hvcC.{16}(.)(.)", re.DOTALL)  # ISO/IEC 14496-15, 8.3.3.1.2


_HEVC_SAMPLES = (1.0, 1.5, 2.0, 3.0)


_BOXES_BYTES = 1 << 20  # of the beginning, in which they are looked for


_TILES = re.compile(rb"\xff\x51.{20}(.{8})", re.DOTALL)  # ISO/IEC 15444-1, A.5.1


def held_by_decoder(form: Format, data: bytes, width: int, height: int, image: Image.Image | None = None) -> int:
    """Return the bytes that a decoder holds at its peak, with the file and without Pillow's image.

    Parameters
    ----------
    data : bytes
        The whole file.
    image : PIL.Image.Image, optional
        Opened, not loaded. Without it what only it could tell is left out.
    """
    pixels = width * height
    bands = len(image.getbands()) if image is not None else 1
    per_pixel = form.held
    if form in (AVIF, HEIC):
        per_pixel += _SAMPLE_BYTES * (_sample_bytes(form, data) + (bands in (2, 4)))
    elif form is JPEG_2000:
        pixels, per_pixel = min(pixels, _tile_pixels(data)), per_pixel * bands
    elif form is PNM and image is not None and is_counted(image):
        per_pixel += bands * (2 if image.mode == "I" else 1)  # as numbers; the text is without its beginning
        return round(per_pixel * pixels) + 2 * len(data)
    return round(per_pixel * pixels) + len(data) * form.file_copies + (_parts(data) if form is TIFF else 0)


def _sample_bytes(form: Format, data: bytes) -> float:
    """Return the bytes of a pixel's samples before they are made colours: of the largest kind of picture in the file.

    Transparency is a picture of its own there.
    """
    found = []
    if form is AVIF:
        for flags in b"".join(_AV1.findall(data[:_BOXES_BYTES])):
            chroma = 0.0 if flags & 16 else 2 / (1 + (flags >> 3 & 1)) / (1 + (flags >> 2 & 1))
            found.append((1 + chroma) * (1 + (flags >> 6 & 1)))
    else:
        for chroma, depth in _HEVC.findall(data[:_BOXES_BYTES]):
            found.append(_HEVC_SAMPLES[chroma[0] & 3] * (1 + (depth[0] & 7 > 0)))
    return max(found, default=_MOST_SAMPLE_BYTES)


def _tile_pixels(data: bytes) -> int:
    """Return the pixels of a tile of a JPEG 2000 picture, which are held at once; many where it does not say."""
    found = _TILES.search(data, 0, _BOXES_BYTES)
    if not found:
        return 1 << 62
    width, height = (int(side) for side in struct.unpack(">II", found[1]))
    return max(1, width * height)


def _parts(data: bytes) -> int:
    """Return the bytes of the strips or tiles of a TIFF: their list, and one of them unpacked."""
    tags = TiffTags(data)
    first = tags.first

    def value(tag: int, default: int) -> int:
        return tags.number(first.get(tag)) or default

    tiled = _TILE_PLACES in first
    places = first.get(_TILE_PLACES) or first.get(_STRIPS)
    packed = value(_COMPRESSION, _PLAIN) != _PLAIN
    held = (places.count if places else 0) * (_PART_BYTES if packed else _PLAIN_PART_BYTES)
    if packed:
        width, height = value(_WIDTH, 1), value(_HEIGHT, 1)
        if tiled:
            part = value(_TILE_WIDTH, width) * value(_TILE_HEIGHT, height)
        else:
            part = width * min(value(_ROWS, height), height)
        bits = value(_BITS, 1) * value(_SAMPLES, 1)
        if value(_PHOTOMETRIC, 0) == _YCBCR:
            bits = max(bits, 32)  # unpacked to colours
        held += part * bits // 8
    return held
