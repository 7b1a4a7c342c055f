"""Colour histograms: pixels counted by their colours, in the whole picture and in ever smaller regions of it.

A pixel counts for the bins around its colour in proportion to its nearness, so that a little more light does not move
it from one bin to the next all at once. Pixels are first counted by their RGB in 32 steps a channel, once for all
histograms of a picture; which bins each of these 32,768 colours counts for is worked out once.

A histogram knows which bins a colour counts for, so a palette (some colours with weights) or a sketch has a vector as a
picture has, and is compared with pictures by the same measure.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from core.declaration.declaration import parameter
from features.descriptor import Extractor, Vector
from features.pictures.picture import Picture

_BITS = 5
_COLOURS = 1 << 3 * _BITS
Bins = npt.NDArray[np.intp]


class ColoursOnly(Extractor):
    """Base of the extractors that use nothing but colours and their places."""

    @abstractmethod
    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Describe an imagined picture that has these colours, in these shares, in each of its parts.

        Parameters
        ----------
        colours : ndarray of uint8, (n, 3)
        shares : ndarray of float64, (n,)
            Positive, of sum 1.

        Raises
        ------
        TwinlensError
            If the descriptor compares where colours are, and so can say nothing of colours without places.
        """


class HistogramExtractor(ColoursOnly):
    """Counts colours by region and bin; a subclass says which bins there are."""

    levels: int

    @property
    @abstractmethod
    def bins(self) -> int:
        """Number of bins of a region."""

    @abstractmethod
    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each of the colours of :func:`colours` counts for, and the shares, of sum 1 a row."""

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its colours, of sum 1; all zero where nothing of it is visible.

        Several descriptors that have this histogram, alone or beside others, share it: it is not to be written to.
        """
        return picture.shared((type(self), *vars(self).items()), lambda: self._described(picture))

    def _described(self, picture: Picture) -> Vector:
        bins, shares = self.shares()
        side = 2 ** (self.levels - 1)
        counts = picture.shared(("colours", side), lambda: _counts(picture, side))
        seen = np.flatnonzero(counts.any(axis=(0, 1)))  # few of all colours are in a picture
        places, parts = bins[seen].ravel(), shares[seen]
        finest = np.zeros((side, side, self.bins))
        for row, column in np.ndindex(side, side):
            weights = parts * counts[row, column, seen, None]
            finest[row, column] = np.bincount(places, weights=weights.ravel(), minlength=self.bins)
        histogram = np.concatenate([level.ravel() for level in _pyramid(finest)])
        vector = np.asarray(histogram / max(counts.sum() * self.levels, 1), dtype=np.float32)
        vector.flags.writeable = False
        return vector

    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Count colours as if each region had all of them."""
        bins, parts = self.shares()
        red, green, blue = (colours >> 8 - _BITS).astype(np.intp).T
        found = (red << 2 * _BITS) | (green << _BITS) | blue
        weights = parts[found] * shares[:, None]
        region = np.bincount(bins[found].ravel(), weights=weights.ravel(), minlength=self.bins)
        levels = [np.tile(region / 4**level, 4**level) for level in range(self.levels)]
        return np.asarray(np.concatenate(levels) / self.levels, dtype=np.float32)


def levels_of_regions() -> Any:
    """Declare the parameter ``levels``."""
    return parameter(
        2,
        ge=1,
        le=4,
        help="Regions: 1 is the whole picture; 2 adds its four quarters, 3 their quarters too. More tell where a "
        "colour is, and lose turned and cropped copies.",
    )


def regions(levels: int) -> int:
    """Count the regions of so many levels.

    Examples
    --------
    >>> regions(1), regions(2), regions(3)
    (1, 5, 21)
    """
    return int((4**levels - 1) // 3)


def colours() -> npt.NDArray[np.float32]:
    """Return the colours by which pixels are counted, RGB in [0, 1], (32768, 3), blue changing fastest."""
    steps = (np.arange(1 << _BITS, dtype=np.float32) + 0.5) / (1 << _BITS)
    return np.asarray(np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3))


def ramp(values: Shares, low: float, high: float) -> Shares:
    """Rise from 0 at ``low`` to 1 at ``high``."""
    return np.clip((values - low) / (high - low), 0, 1)


def around(values: Shares, count: int, circular: bool = False) -> Iterator[tuple[Bins, Shares]]:
    """Yield the two bins of ``count`` in [0, 1] whose middles are around each value, and their shares."""
    position = values * count - 0.5
    lower = np.floor(position).astype(np.intp)
    for bins, share in ((lower, 1 - (position - lower)), (lower + 1, position - lower)):
        yield (bins % count if circular else np.clip(bins, 0, count - 1)), share


def cuts(length: int, parts: int) -> npt.NDArray[np.intp]:
    """Return where each of ``parts`` parts of a side begins, and where the last ends, (parts + 1,).

    A part ends at the first pixel whose place, times the number of parts, reaches the next one.

    Examples
    --------
    >>> cuts(5, 2).tolist()
    [0, 3, 5]
    """
    return np.asarray(-(-np.arange(parts + 1) * length // parts))


def _counts(picture: Picture, side: int) -> Bins:
    """Count the visible pixels of each of ``side`` x ``side`` regions by colour, (side, side, 32768)."""
    import cv2

    found = cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2BGR555).view(np.uint16)[..., 0]  # red, green, blue of 5 bits each
    rows, columns = (cuts(length, side) for length in found.shape)
    counts = np.zeros((side, side, _COLOURS), np.intp)
    for i, j in np.ndindex(side, side):
        part = np.s_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
        chosen = found[part].ravel() if picture.mask is None else found[part][picture.mask[part]]
        counts[i, j] = np.bincount(chosen, minlength=_COLOURS)
    return counts


def _pyramid(finest: Shares) -> Iterator[Shares]:
    """Yield the histogram of the whole picture first, then those of ever smaller regions, (side, side, bins) each."""
    side, _, size = finest.shape
    if side > 1:
        yield from _pyramid(finest.reshape(side // 2, 2, side // 2, 2, size).sum(axis=(1, 3)))
    yield finest


Colours = npt.NDArray[np.uint8]
"""Colours in sRGB, (n, 3)."""

Shares = npt.NDArray[np.float64]
