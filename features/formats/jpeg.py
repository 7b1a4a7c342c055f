"""A JPEG decoded no larger than needed: its cosine transform gives an eighth, a quarter or a half of its size directly.

That is why a JPEG may be much larger than anything else that is read, and costs little more.
"""

from __future__ import annotations

from PIL.JpegImagePlugin import JpegImageFile

from core.message import Message
from features.pictures.channels import bytes_held
from features.pictures.picture import WORKING_SIDE
from features.reading.reading_limits import Limits
from features.reading.unreadable import COPY_AGAIN, UnreadableError

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
            Message(
                "The JPEG picture says it is {width} x {height} pixels, but the file holds too little for that.",
                width=width,
                height=height,
            ),
            COPY_AGAIN,
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
