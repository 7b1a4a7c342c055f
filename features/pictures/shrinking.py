"""Pictures to the size that is wanted by averaging areas, the same way up for every orientation.

The turn is applied before any averaging. Averaging first would put the odd pixel at the right or lower edge on another
side for each orientation, and then the eight orientations of one picture would differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from features.pictures.picture import WORKING_SIDE

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SIDEWAYS = frozenset({5, 6, 7, 8})
_BAND_PIXELS = 1 << 20


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """Apply EXIF's orientation, 1 to 8."""
    turn = _TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def reduction(width: int, height: int, side: int = WORKING_SIDE) -> int:
    """Return how many pixels of a row or column are averaged into one before numpy copies a picture; 1 is none.

    At least twice the size that is wanted is left, so that the exact averaging of `fit` hides the grid of the blocks.
    """
    return max(1, max(width, height) // (2 * side))


def reduced(
    image: Image.Image, orientation: int, convert: Callable[[Image.Image], Image.Image], side: int = WORKING_SIDE
) -> Image.Image:
    """Turn a picture upright, convert it, and average whole blocks of its pixels where it is much larger than needed.

    Parameters
    ----------
    image : PIL.Image.Image
        As it was decoded.
    orientation : int
        EXIF's, 1 to 8.
    convert : callable
        From image to image, pixel by pixel; to a mode that can be averaged.
    side : int
        Pixels of the longer side that is wanted.
    """
    factor = reduction(*image.size, side)
    if factor == 1:
        return upright(convert(image), orientation)
    width, height = image.size[::-1] if orientation in _SIDEWAYS else image.size
    whole: Image.Image | None = None
    step = factor * max(1, _BAND_PIXELS // (factor * width))
    for top in range(0, height, step):
        bottom = min(top + step, height)
        band = upright(convert(image.crop(_before_turning(image, orientation, top, bottom))), orientation)
        band = band.reduce(factor)
        if whole is None:
            whole = Image.new(band.mode, (-(-width // factor), -(-height // factor)))
            whole.info = band.info
        whole.paste(band, (0, top // factor))
    assert whole is not None
    return whole


def _before_turning(image: Image.Image, orientation: int, top: int, bottom: int) -> tuple[int, int, int, int]:
    """Return the box of a picture as it was decoded that becomes the rows from `top` to `bottom` once it is upright."""
    width, height = image.size
    if orientation in (3, 4):
        return 0, height - bottom, width, height - top
    if orientation in (5, 6):
        return top, 0, bottom, height
    if orientation in (7, 8):
        return width - bottom, 0, width - top, height
    return 0, top, width, bottom


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
