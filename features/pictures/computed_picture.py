"""A picture of pixels that the program made itself: nothing is decoded."""

from __future__ import annotations

import numpy as np
from PIL import Image

from core.arrays import UInt8Pixels
from features.pictures.channels import separate
from features.pictures.picture import Picture, PictureFacts


def picture_of_pixels(rgb: UInt8Pixels) -> Picture:
    """Return the same picture as reading a file with these pixels would.

    Parameters
    ----------
    rgb : ndarray of uint8, (h, w, 3)
        Upright, sRGB.

    Examples
    --------
    >>> picture_of(np.zeros((1280, 960, 3), np.uint8)).rgb.shape
    (640, 480, 3)
    """
    height, width = rgb.shape[:2]
    pixels = np.array(separate(Image.fromarray(rgb)).pixels, order="C")
    pixels.flags.writeable = False
    return Picture(pixels, None, PictureFacts("PNG", width, height))
