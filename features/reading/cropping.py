"""A part of a picture as a picture of its own, as fine as its file has it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from features.pictures.picture import WORKING_SIDE, Picture
from features.pictures.shrinking import fit
from features.reading.reading import read
from features.reading.reading_limits import Limits

_LARGEST_SIDE = 4096  # a picture of so many pixels takes about 40 MB

Region = tuple[float, float, float, float]


def read_part(
    data: bytes,
    region: Region,
    name: str = "",
    limits: Limits = Limits(),  # noqa: B008 (frozen)
) -> Picture:
    """Read a part of a picture.

    Parameters
    ----------
    data : bytes
        The whole file.
    region : tuple of float
        Left, top, right and bottom as shares of the upright picture, 0 <= left < right <= 1, likewise top and bottom.
    name : str
    limits : Limits
        As in :func:`features.reading.reading.read`.

    Returns
    -------
    Picture
        At most `WORKING_SIDE` pixels on its longer side; as large as that where the file has so many in the part, and
        the part is no sliver. Its facts tell the size of the part in the full picture.

    Raises
    ------
    UnreadableError
        As :func:`features.reading.reading.read`.
    """
    left, top, right, bottom = region
    side = math.ceil(min(WORKING_SIDE / min(right - left, bottom - top), _LARGEST_SIDE))
    part = crop(read(data, name, limits, side), region)
    if max(part.rgb.shape[:2]) <= WORKING_SIDE:
        return part
    rgb = fit(part.rgb)
    rgb.flags.writeable = False
    mask = None
    if part.mask is not None:
        mask = fit(part.mask.astype(np.float32)) >= 0.5
        mask.flags.writeable = False
    return Picture(rgb, mask, part.facts)


def crop(picture: Picture, region: Region) -> Picture:
    """Cut a part out of a picture, at the size that it has: every pixel that the part touches, and at least one.

    Examples
    --------
    >>> from features.reading.reading import read
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
    """Return the pixels that a part touches; a hair's breadth, as of a rounded share, is no touch."""
    hair = 1e-6
    start = min(math.floor(low * count + hair), count - 1)
    return slice(start, max(start + 1, math.ceil(high * count - hair)))
