"""JPEG: decoded at an eighth, a quarter or a half of its size where that is enough, and its quality estimated.

The cosine transform gives these smaller sizes directly. That is why a JPEG may be much larger than anything else that
is read, and costs little more.

The quality with which a JPEG was saved is estimated from its table of steps for brightness. Programs that use the
tables of the JPEG standard (Annex K) scale them by a quality from 1 to 100, as the Independent JPEG Group's library
does; for tables of another shape it is the quality that is equally coarse on average.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import numpy as np
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.features.pictures.channels import bytes_held
from twinlens.features.pictures.picture import WORKING_SIDE
from twinlens.features.reading.reading_limits import COPY_AGAIN, Limits, UnreadableError

_HUFFMAN_TABLE = b"\xff\xc4"
_LEAST_BITS_OF_BLOCK = 2  # one for its mean and one for "nothing more"
_BYTES_PER_COEFFICIENT = 2


def scale(image: JpegImageFile, data: bytes, limits: Limits, side: int = WORKING_SIDE) -> None:
    """Choose the smallest scale that is at least the size that is wanted, before the picture is loaded.

    Parameters
    ----------
    image : PIL.JpegImagePlugin.JpegImageFile
        Opened, not loaded. Its size becomes that of the scaled picture.
    data : bytes
        The whole file.
    limits : Limits
        Checked against what the decoder will hold.
    side : int
        Pixels of the longer side that are wanted.

    Raises
    ------
    UnreadableError
        Too large, or its data cannot be all of it.
    """
    width, height = image.size
    coefficients = _coefficients(image)
    progressive = bool(image.info.get("progressive"))
    # Where data end with a proper end mark libjpeg paints the rest grey instead of raising.
    if not progressive and coefficients // 64 * _LEAST_BITS_OF_BLOCK > 8 * len(data) and _HUFFMAN_TABLE in data:
        raise UnreadableError(
            "The JPEG picture says it is {width} x {height} pixels, but the file holds too little for that.",
            COPY_AGAIN,
            width=width,
            height=height,
        )
    image.draft(None, (side, 1) if width >= height else (1, side))
    # A progressive one keeps all its coefficients until its last scan, at whatever scale it is decoded.
    held = len(data) + progressive * coefficients * _BYTES_PER_COEFFICIENT
    limits.check("JPEG", width, height, held + bytes_held(image.mode, *image.size, transparent=False, side=side))


def _coefficients(image: JpegImageFile) -> int:
    """Count the coefficients: each layer has the picture's size times its sampling over the largest (T.81, A.1.1)."""
    across = max(layer[1] for layer in image.layer) or 1
    down = max(layer[2] for layer in image.layer) or 1
    return image.width * image.height * sum(layer[1] * layer[2] for layer in image.layer) // (across * down)


_STANDARD_SUM = 3688
"""Of the 64 steps for brightness in Annex K, at quality 50."""

_START, _SCAN, _TABLES = 0xD8, 0xDA, 0xDB


def estimated_quality(file: BinaryIO) -> int | None:
    """Return the quality of a JPEG, from 1 to 100; None where the file is none, or has no such table."""
    if file.read(2) != bytes((0xFF, _START)):
        return None
    while len(head := file.read(4)) == 4 and head[0] == 0xFF and head[1] != _SCAN:
        length = struct.unpack(">H", head[2:])[0] - 2
        if length < 0:
            return None
        if head[1] != _TABLES:
            file.seek(length, 1)
        elif (steps := _brightness(file.read(length))) is not None:
            return _quality(steps)
    return None


def _brightness(tables: bytes) -> int | None:
    """Return the sum of table 0, if it is among some."""
    at = 0
    while at < len(tables):
        kind = np.dtype(">u2") if tables[at] >> 4 else np.dtype("u1")
        size = 64 * kind.itemsize
        if len(tables) < at + 1 + size:
            return None
        if not tables[at] & 15:
            return int(np.frombuffer(tables, kind, 64, at + 1).sum())
        at += 1 + size
    return None


def _quality(total: int) -> int:
    percent = 100 * total / _STANDARD_SUM
    return min(100, max(1, round((200 - percent) / 2 if percent <= 100 else 5000 / percent)))
