"""Pictures to the size that is wanted by averaging areas, the same way up for every orientation.

The turn is applied before any averaging. Averaging first would put the odd pixel at the right or lower edge on another
side for each orientation, and then the eight orientations of one picture would differ.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from features.picture import WORKING_SIDE

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_REDUCIBLE = frozenset({"L", "LA", "RGB", "RGBA", "CMYK"})


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """Apply EXIF's orientation, 1 to 8."""
    turn = _TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def reduce(image: Image.Image, side: int = WORKING_SIDE) -> Image.Image:
    """Average whole blocks of pixels of a picture that is much larger than needed, before numpy copies it.

    At least twice the size that is wanted is left, so that the exact averaging of `fit` hides the grid of the blocks.
    """
    factor = max(image.size) // (2 * side)
    return image.reduce(factor) if factor > 1 and image.mode in _REDUCIBLE else image


def fit(pixels: npt.NDArray[Any], side: int = WORKING_SIDE) -> npt.NDArray[Any]:
    """Average a picture down to a longer side of at most `side` pixels; a smaller one is returned as it is.

    Parameters
    ----------
    pixels : ndarray of uint8, uint16 or float32, (h, w) or (h, w, c)
    side : int
    """
    height, width = pixels.shape[:2]
    longer = max(height, width)
    if longer <= side:
        return pixels
    size = max(1, round(width * side / longer)), max(1, round(height * side / longer))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
