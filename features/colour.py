"""Colour histogram: how much of each colour there is, in the whole picture and in its parts.

Swain and Ballard: Color Indexing, IJCV 1991; in HSV with bins of their own for what has no hue; by regions as the
spatial pyramid of Lazebnik, Schmid and Ponce, CVPR 2006.

A pixel counts for the bins around it in proportion to its nearness, so that a little more light does not move it from
one bin to the next all at once. Pixels are first counted by their RGB in 32 steps a channel; which bins each of these
32,768 colours counts for is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from core.declaration import parameter
from core.kernels import Hellinger, Kernel
from core.progress import Progress, silent
from features.descriptor import Descriptor, Extractor, Pictures, Vector
from features.picture import Picture

_BITS = 5
_COLOURS = 1 << 3 * _BITS
# Between these a colour passes from having no hue to having one: saturation, and brightness.
_HUELESS_SATURATION = (0.1, 0.25)
_HUELESS_VALUE = (0.08, 0.2)

Shares = npt.NDArray[np.float64]
Bins = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ColourExtractor(Extractor):
    """Counts colours by region and bin."""

    hue: int
    saturation: int
    value: int
    greys: int
    levels: int

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its colours, of sum 1; all zero where nothing of it is visible."""
        bins, shares = _shares(self.hue, self.saturation, self.value, self.greys)
        size = self.hue * self.saturation * self.value + self.greys
        counts = _counts(picture, 2 ** (self.levels - 1))
        seen = np.flatnonzero(counts.any(axis=(0, 1)))  # few of all colours are in a picture
        finest = np.zeros((*counts.shape[:2], size))
        for row, column in np.ndindex(*counts.shape[:2]):
            weights = shares[seen] * counts[row, column, seen, None]
            finest[row, column] = np.bincount(bins[seen].ravel(), weights=weights.ravel(), minlength=size)
        histogram = np.concatenate([level.ravel() for level in _pyramid(finest)])
        return np.asarray(histogram / max(counts.sum() * self.levels, 1), dtype=np.float32)


def _counts(picture: Picture, side: int) -> npt.NDArray[np.intp]:
    """Count the visible pixels of each of ``side`` x ``side`` regions by colour, (side, side, 32768)."""
    red, green, blue = (plane.astype(np.uint16) for plane in cv2.split(picture.rgb >> 8 - _BITS))
    colours = (red << 2 * _BITS) | (green << _BITS) | blue
    # Where a region ends: at the first row or column whose place, times the number of regions, reaches the next one.
    rows, columns = (-(-np.arange(side + 1) * full // side) for full in colours.shape)
    counts = np.zeros((side, side, _COLOURS), np.intp)
    for i, j in np.ndindex(side, side):
        part = np.s_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
        chosen = colours[part].ravel() if picture.mask is None else colours[part][picture.mask[part]]
        counts[i, j] = np.bincount(chosen, minlength=_COLOURS)
    return counts


def _pyramid(finest: Shares) -> Iterator[Shares]:
    """Give the histogram of the whole picture first, then those of ever smaller regions, (side, side, bins) each."""
    side, _, size = finest.shape
    if side > 1:
        yield from _pyramid(finest.reshape(side // 2, 2, side // 2, 2, size).sum(axis=(1, 3)))
    yield finest


@lru_cache(maxsize=4)
def _shares(hue: int, saturation: int, value: int, greys: int) -> tuple[Bins, Shares]:
    """Work out which bins each RGB counts for and with which shares, of sum 1, (32768, 10) each."""
    steps = (np.arange(1 << _BITS, dtype=np.float32) + 0.5) / (1 << _BITS)
    rgb = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(1, -1, 3)
    h, s, v = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)[0].T.astype(np.float64)
    has_hue = _ramp(s, *_HUELESS_SATURATION) * _ramp(v, *_HUELESS_VALUE)
    least = _HUELESS_SATURATION[0]
    bins, shares = [], []
    for i, of_hue in _around(h / 360, hue, circular=True):
        for j, of_saturation in _around(_ramp(s, least, 1), saturation):
            for k, of_value in _around(v, value):
                bins.append((i * saturation + j) * value + k)
                shares.append(has_hue * of_hue * of_saturation * of_value)
    for i, of_grey in _around(v, greys):
        bins.append(hue * saturation * value + i)
        shares.append((1 - has_hue) * of_grey)
    return np.stack(bins, axis=1), np.stack(shares, axis=1)


def _ramp(values: Shares, low: float, high: float) -> Shares:
    """Rise from 0 at ``low`` to 1 at ``high``."""
    return np.clip((values - low) / (high - low), 0, 1)


def _around(values: Shares, count: int, circular: bool = False) -> Iterator[tuple[Bins, Shares]]:
    """Give the two bins of ``count`` in [0, 1] whose middles are around each value, and their shares."""
    position = values * count - 0.5
    lower = np.floor(position).astype(np.intp)
    for bins, share in ((lower, 1 - (position - lower)), (lower + 1, position - lower)):
        yield (bins % count if circular else np.clip(bins, 0, count - 1)), share


class Colour(Descriptor):
    """Compares how much of each colour there is and roughly where: the quickest look, whatever the picture shows.

    It finds copies that are turned, blurred, small, framed or drawn over, and pictures of the same mood. Copies in
    grey or in other colours it does not.
    """

    key = "colour"
    title = "Colour histogram"
    paper = "Swain and Ballard, IJCV 7(1), 1991; Lazebnik et al., CVPR 2006"
    measure: ClassVar[Kernel] = Hellinger()
    extractor: ClassVar[type[Extractor]] = ColourExtractor
    plain_name = "colours"

    hue: int = parameter(12, ge=1, le=72, help="Bins around the colour circle; more tell similar colours apart.")
    saturation: int = parameter(3, ge=1, le=16, help="Bins from pale to pure.")
    value: int = parameter(3, ge=1, le=16, help="Bins from dark to bright, of what has a hue.")
    greys: int = parameter(8, ge=1, le=64, help="Bins from black to white, of what has no hue.")
    levels: int = parameter(
        2,
        ge=1,
        le=4,
        help="Regions: 1 is the whole picture; 2 adds its four quarters, 3 their quarters too. More tell where a "
        "colour is, and lose turned and cropped copies.",
    )

    @property
    def dimensions(self) -> int:
        """Bins times regions."""
        regions: int = (4**self.levels - 1) // 3
        return (self.hue * self.saturation * self.value + self.greys) * regions

    def fit(self, sample: Pictures, progress: Progress = silent) -> ColourExtractor:
        """Return the extractor; nothing is learned."""
        return ColourExtractor(self.hue, self.saturation, self.value, self.greys, self.levels)


def bin_colours(declared: Colour) -> npt.NDArray[np.uint8]:
    """Give the colour in the middle of each bin of a region, sRGB, (bins, 3), in the order of the bins.

    Examples
    --------
    >>> bin_colours(Colour(greys=4))[-4:].tolist()
    [[32, 32, 32], [96, 96, 96], [159, 159, 159], [223, 223, 223]]
    """
    hue, saturation, value = (
        (np.arange(count) + 0.5) / count for count in (declared.hue, declared.saturation, declared.value)
    )
    least = _HUELESS_SATURATION[0]
    h, s, v = np.meshgrid(360 * hue, least + (1 - least) * saturation, value, indexing="ij")
    grey = (np.arange(declared.greys) + 0.5) / declared.greys
    without = np.zeros_like(grey)
    hsv = np.stack([np.concatenate([h.ravel(), without]), np.concatenate([s.ravel(), without]), [*v.ravel(), *grey]])
    rgb = cv2.cvtColor(hsv.T.astype(np.float32)[None], cv2.COLOR_HSV2RGB)[0]
    return np.asarray(np.rint(255 * rgb), dtype=np.uint8)
