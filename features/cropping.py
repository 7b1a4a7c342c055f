"""A part of a picture as a picture of its own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from features.picture import Picture


def crop(picture: Picture, region: tuple[float, float, float, float]) -> Picture:
    """Cut a part out of a picture.

    Parameters
    ----------
    picture : Picture
    region : tuple of float
        Left, top, right and bottom as shares of the picture, 0 <= left < right <= 1, and likewise top and bottom.

    Returns
    -------
    Picture
        Every pixel that the part touches; at least one. Its facts tell the size of the part in the full picture.

    Examples
    --------
    >>> from features.reading import read
    >>> crop(read(b"P5 4 2 255 " + bytes(8)), (0.25, 0, 0.75, 0.5)).facts.width
    2
    """
    height, width = picture.rgb.shape[:2]
    left, top, right, bottom = region
    columns, rows = _pixels(left, right, width), _pixels(top, bottom, height)
    rgb = np.ascontiguousarray(picture.rgb[rows, columns])
    rgb.flags.writeable = False
    mask = None
    if picture.mask is not None and not (visible := picture.mask[rows, columns]).all():
        mask = np.ascontiguousarray(visible)
        mask.flags.writeable = False
    facts = picture.facts
    full_width, full_height = (
        max(1, round((right - left) * facts.width)),
        max(1, round((bottom - top) * facts.height)),
    )
    return Picture(rgb, mask, replace(facts, width=full_width, height=full_height))


def _pixels(low: float, high: float, count: int) -> slice:
    """Give the pixels that a part touches; a hair's breadth, as of a rounded share, is no touch."""
    hair = 1e-6
    start = min(math.floor(low * count + hair), count - 1)
    return slice(start, max(start + 1, math.ceil(high * count - hair)))
