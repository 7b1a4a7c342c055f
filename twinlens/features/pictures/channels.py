"""The pixels of a decoded image on their way to a picture: upright, as plain channels, at the working size.

A decoder may give bits, palettes, grey of 8, 16 or 32 bits, floating point, RGB, CMYK, YCbCr or Lab, with transparency
as a channel, as one colour or in the palette, and multiplied into the colours or not. Pictures come to the size that is
wanted by averaging areas. The turn is applied before any averaging: averaging first would put the odd pixel at the
right or lower edge on another side for each orientation, and then the eight orientations of one picture would differ.

Pillow and OpenCV are imported here, so that whoever only names a :class:`twinlens.features.pictures.picture.Picture`
loads neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, PictureFacts

_PILLOW_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16L": 2, "I;16B": 2, "I;16N": 2}

# For each pixel, on the way to the size that is wanted: upright, as an array, and with transparency as floating point.
_PLAIN_BYTES, _TRANSPARENT_BYTES, _DEEP_BYTES, _FLOATING_BYTES = 16, 44, 8, 32
_BITS_PER_SAMPLE = 258
_DEEP = frozenset({"I;16", "I;16L", "I;16B", "I;16N", "I", "F"})


class Channels(NamedTuple):
    """A picture at the working size.

    Parameters
    ----------
    pixels : ndarray of uint8, (h, w), (h, w, 3) or (h, w, 4)
    space : str
        ``L``, ``RGB`` or ``CMYK``.
    alpha : ndarray of float32, (h, w), or None
        0 transparent to 1 opaque; None where all is opaque.
    """

    pixels: UInt8Pixels
    space: str
    alpha: npt.NDArray[np.float32] | None


def bytes_held(mode: str, width: int, height: int, transparent: bool, side: int = WORKING_SIDE) -> int:
    """Return the bytes of Pillow's image and of bringing it to the wanted size.

    Parameters
    ----------
    mode : str
        Pillow's.
    transparent : bool
        Some of it may be.
    side : int
        Pixels of its longer side at most.
    """
    pixels = width * height
    image = pixels * _PILLOW_BYTES.get(mode, 4)
    if mode in _DEEP:
        return image + pixels * (_FLOATING_BYTES if mode in ("I", "F") else _DEEP_BYTES)
    factor = reduction(width, height, side)
    reduced = -(-width // factor) * -(-height // factor)
    return image + reduced * (_TRANSPARENT_BYTES if transparent else _PLAIN_BYTES)


def white_of(image: Image.Image) -> int:
    """Return the value of white in grey of 16 bits: a TIFF's may use the lower bits alone, as 12-bit scanners do."""
    tags = getattr(image, "tag_v2", {})
    bits = next(iter(tags.get(_BITS_PER_SAMPLE, ())), 16)
    return (1 << bits) - 1 if 8 < bits < 16 else 65535


def upright_and_plain(image: Image.Image, orientation: int, side: int = WORKING_SIDE) -> Image.Image:
    """Turn a decoded picture upright, of a mode that `separate` takes; of one much too large, blocks are averaged.

    That is done band by band, so that no second picture of the full size is held.
    """
    if image.mode in _DEEP:
        return upright(image, orientation)
    return reduced(image, orientation, plain, side)


def plain(image: Image.Image) -> Image.Image:
    """Convert palettes, bits and rare layouts to a mode that can be averaged, with its transparency as a channel."""
    if image.mode in _DEEP:
        return image
    if image.mode in ("L", "RGB", "CMYK") and not image.has_transparency_data:
        return image
    if image.mode in ("LA", "RGBA"):
        return image
    hidden = image.info.get("transparency")
    if image.mode == "RGB" and isinstance(hidden, tuple) and max(hidden) > 255:
        # Of a PNG of 16 bits Pillow keeps the upper eight of each pixel, but all sixteen of the transparent colour.
        image.info["transparency"] = tuple(value >> 8 for value in hidden)
    if image.has_transparency_data:
        return image.convert("LA" if image.mode in ("1", "L", "La") else "RGBA")
    return image.convert("L" if image.mode == "1" else "RGB")


def separate(image: Image.Image, white: int = 65535, side: int = WORKING_SIDE) -> Channels:
    """Bring a picture that `upright_and_plain` returns to the size that is wanted and to 8 bits.

    Parameters
    ----------
    image : PIL.Image.Image
        Upright.
    white : int
        The value of white in grey of 16 bits.
    side : int
        Pixels of its longer side at most.
    """
    if image.mode in _DEEP:
        return _deep(image, white, side)
    pixels = np.asarray(image)
    if image.mode not in ("LA", "RGBA"):
        return Channels(fit(pixels, side), image.mode, None)
    space = image.mode[:-1]
    colours, opacity = pixels[..., :-1], pixels[..., -1]
    if space == "L":
        colours = colours[..., 0]
    if opacity.min() == 255:
        return Channels(fit(np.ascontiguousarray(colours), side), space, None)
    alpha = opacity.astype(np.float32) / 255
    # Averages are weighted by opacity: a hidden colour must not bleed into its neighbours.
    weighted = fit(colours * (alpha if space == "L" else alpha[..., None]), side)
    small = fit(alpha, side)
    straight = weighted / np.maximum(small if space == "L" else small[..., None], np.float32(1 / 512))
    return Channels(_rounded(straight), space, small)


def _deep(image: Image.Image, white: int, side: int) -> Channels:
    """Bring grey of more than 8 bits to 8, after averaging, so that no step is lost.

    16 bits are divided by 257, which takes white to white; nothing is cut off. Wider integers and floating point come
    without a stated range: what fits the usual one (0 to 65,535; 0 to 1; 0 to 255) is taken to be in it, anything else
    is stretched from its darkest to its brightest pixel.
    """
    values = np.asarray(image)
    alpha = None
    if isinstance(hidden := image.info.get("transparency"), int):
        alpha = fit((values != hidden).astype(np.float32), side)
    if values.dtype.itemsize == 2:
        return Channels(_rounded(fit(values.astype(np.uint16), side) * np.float32(255 / white)), "L", alpha)
    with np.errstate(invalid="ignore"):  # a signalling NaN
        values = np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    tops = (1.0, 255.0) if image.mode == "F" else (65535.0,)
    top = next((top for top in tops if low >= 0 and high <= top), None)
    if top is not None:
        low, high = 0.0, top
    elif high == low:
        high = low + 1.0
    return Channels(_rounded((fit(values, side) - low) * (255.0 / (high - low))), "L", alpha)


def _rounded(values: npt.NDArray[Any]) -> UInt8Pixels:
    """Round to the nearest of 0 to 255."""
    rounded: UInt8Pixels = np.clip(np.rint(values), 0, 255).astype(np.uint8)
    return rounded


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
    """
    height, width = pixels.shape[:2]
    longer = max(height, width)
    if longer <= side:
        return pixels
    size = max(1, round(width * side / longer)), max(1, round(height * side / longer))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


def picture_of_pixels(rgb: UInt8Pixels) -> Picture:
    """Return the same picture as reading a file with these pixels would.

    Parameters
    ----------
    rgb : ndarray of uint8, (h, w, 3)
        Upright, sRGB.

    Examples
    --------
    >>> picture_of_pixels(np.zeros((1280, 960, 3), np.uint8)).rgb.shape
    (640, 480, 3)
    """
    height, width = rgb.shape[:2]
    pixels = np.array(separate(Image.fromarray(rgb)).pixels, order="C")
    pixels.flags.writeable = False
    return Picture(pixels, None, PictureFacts("PNG", width, height))
