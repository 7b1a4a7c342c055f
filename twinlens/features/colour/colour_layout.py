"""Colour layout: a picture as a tiny blurred image of itself.

The colour layout descriptor of MPEG-7 (Kasutani and Yamada: The MPEG-7 Color Layout Descriptor, ICIP 2001; Manjunath,
Ohm, Vasudevan, Yamada: Color and Texture Descriptors, IEEE CSVT 2001, section III.D): the average colour of each of
8 x 8 parts, in YCbCr, transformed by the cosine transform (DCT-II, orthonormal), of which the first coefficients in
zigzag order are kept, 6 of Y, 3 of Cb and 3 of Cr. The published distance is

    D = sqrt(Σ w (Y - Y')²) + sqrt(Σ w (Cb - Cb')²) + sqrt(Σ w (Cr - Cr')²)

with the weights of the MPEG-7 experimentation model. A sum of roots is no function of one sum over the dimensions, as
the kernels here are, so the measure is exp(-γ Σ w (...)²) over all three: the published distance with one root for all
channels, and γ its width. The coefficients are kept as they are, where the standard rounds them to 5 and 6 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.progress import Progress, silent
from twinlens.features.colour.colour_histogram import Colours, ColoursOnly, Shares
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture

_SIDE = 8
_SCALE = 1 / 1000  # most pictures are 0.5 to 1 apart then
# BT.601 as MPEG-7 writes it: Y from 16 to 235, Cb and Cr from 16 to 240 around 128; here these two around 0.
_TO_YCBCR = np.array(
    [
        [0.299 * 219 / 255, 0.587 * 219 / 255, 0.114 * 219 / 255],
        [-0.169 * 224 / 255, -0.331 * 224 / 255, 0.5 * 224 / 255],
        [0.5 * 224 / 255, -0.419 * 224 / 255, -0.081 * 224 / 255],
    ]
)
_OFFSET = np.array([16.0, 0.0, 0.0])
# Of the first coefficients in zigzag order; all others weigh 1.
_WEIGHTS = ((2, 2, 2), (2, 1, 1), (4, 2, 2))


def _zigzag() -> npt.NDArray[np.intp]:
    """Return the places of the 8 x 8 coefficients, row by row, in the order of ITU-T T.81, figure 5."""
    places = [(i + j, i if (i + j) % 2 else j, i * _SIDE + j) for i in range(_SIDE) for j in range(_SIDE)]
    return np.array([place for _, _, place in sorted(places)], np.intp)


_ZIGZAG = _zigzag()


@dataclass(frozen=True, eq=False)
class LayoutExtractor(ColoursOnly):
    """Transforms the average colours of 8 x 8 parts."""

    luma: int
    chroma: int

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture; all zero where nothing of it is visible.

        A part of which nothing is visible takes the average of all that is.
        """
        averages = _averages(picture)
        if averages is None:
            return np.zeros(self.luma + 2 * self.chroma, np.float32)
        planes = (averages @ _TO_YCBCR.T + _OFFSET).transpose(2, 0, 1)
        kept = []
        for plane, weights, count in zip(planes, _WEIGHTS, (self.luma, self.chroma, self.chroma), strict=True):
            weight = np.ones(_SIDE * _SIDE)
            weight[: len(weights)] = weights
            coefficients = cv2.dct(np.ascontiguousarray(plane)).ravel()[_ZIGZAG]
            kept.append((np.sqrt(weight) * coefficients)[:count])
        return np.asarray(np.concatenate(kept) * _SCALE, dtype=np.float32)

    def of_colours(self, colours: Colours, shares: Shares) -> Vector:
        """Refuse: colours have no places."""
        raise TwinlensError(
            "Colour layout compares where colours are, and a palette does not say where.",
            "Search with a sketch, or in an index of a colour histogram.",
        )


def _averages(picture: Picture) -> Float64Matrix | None:
    """Return the average colour of what is visible of each of 8 x 8 parts, (8, 8, 3); None where nothing is."""
    if picture.mask is None:
        return _shrunk(picture.rgb.astype(np.float32))
    if not picture.mask.any():
        return None
    seen = picture.mask.astype(np.float32)
    share = _shrunk(seen)[..., None]
    total = _shrunk(picture.rgb * seen[..., None])
    whole = picture.rgb[picture.mask].mean(axis=0)
    return np.asarray(np.where(share > 0, total / np.where(share > 0, share, 1), whole))


def _shrunk(pixels: npt.NDArray[np.float32]) -> Float64Matrix:
    """Average the pixels of each part; a pixel on a border counts for both in proportion."""
    for axis in (0, 1):
        if pixels.shape[axis] < _SIDE:  # averages by area are of what is larger than they are
            pixels = np.repeat(pixels, _SIDE, axis=axis)
    return cv2.resize(pixels, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float64)


class ColourLayout(Descriptor):
    """Compares which colours are where, as in a tiny blurred image of the picture: in 12 numbers, the smallest of all.

    It finds copies that are small, blurred, noisy or stretched. Turned, mirrored and cropped copies, and those in other
    colours or other light, it does not.
    """

    key = "colour-layout"
    title = "Colour layout"
    paper = "Kasutani and Yamada, ICIP 2001; Manjunath et al., IEEE CSVT 11(6), 2001, section III.D"
    measure: ClassVar[Kernel] = Gaussian(gamma=3.0)
    extractor: ClassVar[type[Extractor]] = LayoutExtractor
    plain_name = "which colours are where"

    luma: int = parameter(
        6,
        ge=1,
        le=64,
        help="Numbers for brightness, from coarse to fine; the standard has 3, 6, 10, 15, 21, 28 and 64.",
    )
    chroma: int = parameter(3, ge=1, le=64, help="Numbers for each of the two tints, blue and red, likewise.")

    @property
    def dimensions(self) -> int:
        """Numbers for brightness and for two tints."""
        return self.luma + 2 * self.chroma

    def fit(self, sample: Pictures, progress: Progress = silent) -> LayoutExtractor:
        """Return the extractor; nothing is learned."""
        return LayoutExtractor(self.luma, self.chroma)
