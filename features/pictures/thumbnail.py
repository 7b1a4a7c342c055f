"""The small JPEG that stands for a picture in lists and grids."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from core.arrays import UInt8Pixels
from features.pictures.chequer import on_chequer
from features.pictures.picture import Picture
from features.pictures.shrinking import fit

_QUALITY = 85


def thumbnail(picture: Picture, side: int = 256) -> bytes:
    """Make a thumbnail from the working picture.

    Parameters
    ----------
    picture : Picture
    side : int
        Pixels of its longer side at most; a smaller picture is not enlarged.

    Returns
    -------
    bytes
        A JPEG: upright, sRGB, without metadata; what is transparent over a chequer.
    """
    small = cast("UInt8Pixels", fit(on_chequer(picture), side))
    settings = (cv2.IMWRITE_JPEG_QUALITY, _QUALITY)
    done, jpeg = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), settings)
    if not done:
        raise AssertionError("cv2 encodes every picture of 8-bit RGB")
    return np.asarray(jpeg).tobytes()
