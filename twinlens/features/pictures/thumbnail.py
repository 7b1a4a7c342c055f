"""Thumbnails: small JPEG pictures, what is transparent on a chequered ground."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.pictures.channels import fit
from twinlens.features.pictures.picture import Picture

_QUALITY = 85


def thumbnail(picture: Picture, side: int = 256) -> bytes:
    """Make a thumbnail from the working picture.

    Parameters
    ----------
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


SQUARES = 40
"""Along the longer side, however large the picture is shown: a thumbnail has the same as what takes its place."""


CONTRAST = 22
"""Levels from mid-grey to either square: on average it stays mid-grey, as pictures lie over when they are compared."""


def on_chequer(picture: Picture) -> UInt8Pixels:
    """Return the pixels of a picture to be shown, uint8, (h, w, 3); those of one without transparency as they are.

    Parameters
    ----------
    picture : Picture
        Over mid-grey, which is exchanged for the chequer.
    """
    opaque = picture.alpha if picture.alpha is not None else picture.mask
    if opaque is None:
        return picture.rgb
    height, width = opaque.shape
    side = max(1, round(max(height, width) / SQUARES))
    odd = (np.arange(height)[:, None] // side + np.arange(width) // side) % 2
    change = (1 - opaque.astype(np.float32)) * np.where(odd, CONTRAST, -CONTRAST).astype(np.float32)
    shown: UInt8Pixels = np.rint(picture.rgb + change[..., None]).clip(0, 255).astype(np.uint8)
    shown.flags.writeable = False
    return shown
