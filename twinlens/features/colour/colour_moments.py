"""Colour moments: the average colour of each part of a picture, how much it varies and to which side.

Stricker and Orengo: Similarity of Color Images, SPIE Storage and Retrieval for Image and Video Databases III, 1995. Of
each channel, over the N visible pixels p of a part,

    E = Σ p / N,     σ = (Σ (p - E)² / N)^(1/2),     s = (Σ (p - E)³ / N)^(1/3)   (the real root, of either sign)

and the distance of two pictures is the sum of the absolute differences of these: here averaged over the parts, and
under exp(-γ distance). Parts in a fixed grid of 5 x 5, in Lab, are the block-wise moments in 225 dimensions of Chua et
al.: NUS-WIDE, CIVR 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import UInt8Pixels
from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Laplacian
from twinlens.core.progress import Progress, silent
from twinlens.features.colour.colour_histogram import Colours, ColoursOnly, Shares, cuts
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture

_CHANNELS = 3
_MOMENTS = 3
_MIDDLE = 127.5
# What a step of 8 bits is: of L 100 / 255, of a and b 1 (they start at -128), in parts of 100.
_UNITS = {"lab": (1 / 255, 1 / 100, 1 / 100), "hsv": (1 / 255, 1 / 255, 1 / 255)}
_CONVERSIONS = {"lab": cv2.COLOR_RGB2LAB, "hsv": cv2.COLOR_RGB2HSV_FULL}

Counts = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MomentsExtractor(ColoursOnly):
    """Takes moments by region and channel."""

    space: str
    grid: int

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its moments; all zero where nothing of it is visible.

        A region of which nothing is visible takes the moments of all that is.
        """
        counts = _counts(self._converted(picture.rgb), picture.mask, self.grid)
        whole = counts.sum(axis=0)
        if not whole.any():
            return np.zeros(self.grid**2 * _CHANNELS * _MOMENTS, np.float32)
        counts[~counts.any(axis=(1, 2))] = whole
        return self._vector(counts)

    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Take the moments of these colours, for every region."""
        counts = np.zeros((1, _CHANNELS, 256))
        for channel, values in enumerate(self._converted(colours[None])[0].T):
            np.add.at(counts[0, channel], values, shares)
        return self._vector(np.repeat(counts, self.grid**2, axis=0))

    def _converted(self, rgb: UInt8Pixels) -> UInt8Pixels:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(rgb), _CONVERSIONS[self.space]), dtype=np.uint8)

    def _vector(self, counts: Counts) -> Vector:
        """Take the moments of histograms, (regions, 3, 256); by region, then channel, then moment."""
        moments = _moments(counts)
        # A constant does not change a distance, and from the middle no picture is zero throughout.
        moments[..., 0] -= _MIDDLE
        scaled = moments * np.array(_UNITS[self.space])[:, None] / len(counts)
        return np.asarray(scaled.ravel(), dtype=np.float32)


def _counts(pixels: UInt8Pixels, mask: npt.NDArray[np.bool_] | None, grid: int) -> Counts:
    """Count visible pixels by region, row by row, channel and value, (grid * grid, 3, 256)."""
    shown = None if mask is None else mask.astype(np.uint8)
    rows, columns = (cuts(length, grid) for length in pixels.shape[:2])
    counts = np.zeros((grid, grid, _CHANNELS, 256))
    for i, j in np.ndindex(grid, grid):
        part = np.s_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
        if pixels[part].size:
            for channel in range(_CHANNELS):
                of_part = None if shown is None else shown[part]
                counts[i, j, channel] = cv2.calcHist([pixels[part]], [channel], of_part, [256], [0, 256]).ravel()
    return counts.reshape(-1, _CHANNELS, 256)


def _moments(counts: Counts) -> Counts:
    """Return mean, deviation and skewness of histograms over 0 to 255, (..., 256) -> (..., 3)."""
    values = np.arange(256.0)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    mean = shares @ values
    off = values - mean[..., None]
    deviation = np.sqrt((shares * off**2).sum(axis=-1))
    return np.stack([mean, deviation, np.cbrt((shares * off**3).sum(axis=-1))], axis=-1)


class ColourMoments(Descriptor):
    """Compares the average colour of each part of a picture, how much it varies there and to which side.

    It finds copies that are small, blurred or noisy, in other light or of another white balance. Turned copies it finds
    with grid=1 alone, close crops and copies in other colours hardly or not at all.
    """

    key = "colour-moments"
    title = "Colour moments"
    paper = "Stricker and Orengo, SPIE 2420, 1995; Chua et al., CIVR 2009"
    measure: ClassVar[Kernel] = Laplacian(gamma=2.0)
    extractor: ClassVar[type[Extractor]] = MomentsExtractor
    plain_name = "average colours and how they vary"

    space: Literal["lab", "hsv"] = parameter(
        "lab",
        help="In which the moments are taken: lab, where colours are as far apart as they look; hsv as in the paper of "
        "1995, where reds lie at both ends of the scale of hues.",
    )
    grid: int = parameter(
        5, ge=1, le=16, help="Regions a side: 1 is the whole picture. More tell where a colour is, and lose crops."
    )

    @property
    def dimensions(self) -> int:
        """Regions times channels times moments."""
        return self.grid**2 * _CHANNELS * _MOMENTS

    def fit(self, sample: Pictures, progress: Progress = silent) -> MomentsExtractor:
        """Return the extractor; nothing is learned."""
        return MomentsExtractor(self.space, self.grid)
