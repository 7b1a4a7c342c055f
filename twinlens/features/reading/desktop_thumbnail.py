"""A thumbnail as desktops keep them: a PNG that says of which file it is, and as that was when.

The Thumbnail Managing Standard of freedesktop.org, version 0.9. Text chunks name the file's address and the time of its
last change; a thumbnail whose words do not fit the file any more is not to be shown.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.pictures.channels import fit
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading_limits import DECODER_ERRORS

SIDE = 256
"""Pixels of the longer side of what desktops call a large thumbnail."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER_BYTES = 33  # the signature and the first chunk, behind which others may stand


@dataclass(frozen=True)
class ThumbnailFacts:
    """Facts that a thumbnail states of itself.

    Attributes
    ----------
    texts : mapping of str to str
        Its text chunks, such as ``Thumb::URI``.
    width, height : int
        Pixels of the thumbnail.
    """

    texts: Mapping[str, str]
    width: int
    height: int

    def fits(self, width: int, height: int) -> bool:
        """Return whether it is upright and whole: of the shape of its picture, but for the rounding of its sides."""
        scale = max(self.width, self.height) / max(width, height)
        return abs(self.width - width * scale) <= 1.5 and abs(self.height - height * scale) <= 1.5


def read_thumbnail_facts(png: bytes) -> ThumbnailFacts | None:
    """Read the facts that a thumbnail states of itself; None where it is no PNG, or damaged.

    Parameters
    ----------
    png : bytes
    """
    if not png.startswith(_SIGNATURE):
        return None
    try:
        image = Image.open(io.BytesIO(png), formats=["PNG"])
        if "Thumb::URI" not in image.info:
            image.load()  # the words stand behind the pixels
    except DECODER_ERRORS:
        return None
    assert isinstance(image, PngImageFile)
    texts = {key: value for key, value in image.info.items() if isinstance(key, str) and isinstance(value, str)}
    return ThumbnailFacts(texts, *image.size)


def desktop_thumbnail(picture: Picture, texts: Mapping[str, str], side: int = SIDE) -> bytes:
    """Make a thumbnail for the desktop from the working picture.

    Parameters
    ----------
    texts : mapping of str to str
        Written into it; ASCII.
    side : int
        Pixels of its longer side at most; a smaller picture is not enlarged.

    Returns
    -------
    bytes
        A PNG: upright, sRGB, opaque.
    """
    small = cast("UInt8Pixels", fit(picture.rgb, side))
    done, encoded = cv2.imencode(".png", cv2.cvtColor(small, cv2.COLOR_RGB2BGR))
    if not done:
        raise AssertionError("cv2 encodes every picture of 8-bit RGB")
    png = np.asarray(encoded).tobytes()
    words = b"".join(_text_chunk(key, text) for key, text in texts.items())
    return png[:_HEADER_BYTES] + words + png[_HEADER_BYTES:]


def _text_chunk(key: str, text: str) -> bytes:
    body = b"tEXt" + key.encode("ascii") + b"\0" + text.encode("ascii")
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
