"""GIST: how much texture of each direction and fineness there is in each part of a picture.

Oliva and Torralba: Modeling the Shape of the Scene, a Holistic Representation of the Spatial Envelope, IJCV 2001, with
the constants of the authors' published program; in colour and with 8, 8 and 4 orientations as in Douze, Jégou,
Sandhawalia, Amsaleg, Schmid: Evaluation of GIST Descriptors for Web-Scale Image Search, CIVR 2009: 3 channels, 20
filters, 4 x 4 parts, 960 numbers.

The picture is brought to a square, i = log(1 + level), widened by 5 pixels of its own reflection on each side, and
whitened and brought to a common local contrast by a Gaussian low-pass L, exp(-ln 2 (f / 4)²) at f cycles a picture:

    w = i - L(i)        p = w / (0.2 + sqrt(L((mean of w over the channels)²)))

Without what was widened, p goes through Gabor filters, given by their transfer functions at frequency f, in cycles a
pixel, and angle t; those of orientation j of b at scale s are, the angle wrapped to (-π, π],

    exp(-3.5 (f / f_s - 1)² - (π b² / 32) (t + π j / b)²)        f_s = 0.3 / 1.85^s

Of each complex response the mean of its absolute value over each part is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture, Plane, Stretched, stretched

_ORIENTATIONS = (8, 8, 4)  # from fine to coarse
_FILTERS = sum(_ORIENTATIONS)
_WIDENED = 5
_CYCLES = 4.0
_STEADY = 0.2
_FLAT = 1e-3  # of log(1 + level); a level near white is four times that
_FAR = 1e-3  # how much the mean of all that is visible counts beside what is near

Spectrum = npt.NDArray[np.complex64]


@dataclass(frozen=True, eq=False)
class GistExtractor(Extractor):
    """Measures the responses of Gabor filters by part."""

    side: int
    parts: int
    colour: bool

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its textures, of length 1; all zero where it is flat.

        Red, green, blue; in each the filters from fine to coarse, in each the parts row by row.
        """
        small = stretched(picture, self.side, self.side, self.colour)
        responses = np.zeros((3 if self.colour else 1, _FILTERS, self.parts, self.parts))
        if small is not None and (levels := _levels(small)) is not None:
            filters = _filters(self.side)
            for channel, plane in enumerate(_prefiltered(levels)):
                spectrum = _transformed(plane)
                for number, transfer in enumerate(filters):
                    responses[channel, number] = _means(np.abs(_back(spectrum * transfer)), self.parts)
        length = np.sqrt(np.square(responses).sum())
        return (responses / length if length else responses).astype(np.float32).ravel()


def _means(response: Plane, parts: int) -> Plane:
    return np.asarray(cv2.resize(response, (parts, parts), interpolation=cv2.INTER_AREA))


def _levels(small: Stretched) -> list[Plane] | None:
    """Return log(1 + level) of each channel, hidden pixels filled from their surroundings; None where all are flat."""
    levels = np.log1p(np.atleast_3d(small.image))
    planes = [np.ascontiguousarray(levels[..., channel]) for channel in range(levels.shape[2])]
    if small.visible is None:
        return planes if max(np.ptp(plane) for plane in planes) > _FLAT else None
    seen = small.visible > 0
    if max(np.ptp(plane[seen]) for plane in planes) <= _FLAT:
        return None
    # What is hidden must have no outline: it goes on like what is near, and far away like the whole.
    near = _low_passed(small.visible) + _FAR
    return [
        np.where(seen, plane, (_low_passed(plane * small.visible) + _FAR * plane[seen].mean()) / near)
        for plane in planes
    ]


def _prefiltered(planes: list[Plane]) -> Iterator[Plane]:
    """Whiten the channels of a picture and bring them to a common local contrast."""
    padded = [np.pad(plane, _WIDENED, mode="symmetric") for plane in planes]
    white = [plane - _low_passed(plane) for plane in padded]
    mean = np.asarray(sum(white[1:], white[0])) / np.float32(len(white))
    contrast = np.sqrt(np.abs(_low_passed(np.square(mean))))
    for plane in white:
        yield np.asarray(plane / (_STEADY + contrast), np.float32)[_WIDENED:-_WIDENED, _WIDENED:-_WIDENED]


def _low_passed(plane: Plane) -> Plane:
    return np.ascontiguousarray(_back(_transformed(plane) * _low_pass(len(plane))).real)


def _transformed(plane: Plane) -> Spectrum:
    return np.asarray(cv2.dft(np.ascontiguousarray(plane), flags=cv2.DFT_COMPLEX_OUTPUT)).view(np.complex64)[..., 0]


def _back(spectrum: Spectrum) -> Spectrum:
    pairs = spectrum.view(np.float32).reshape(*spectrum.shape, 2)
    return np.asarray(cv2.dft(pairs, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE)).view(np.complex64)[..., 0]


@lru_cache(maxsize=4)
def _low_pass(side: int) -> Plane:
    """Return the low-pass's transfer function, half its height at `_CYCLES` a picture, (side, side)."""
    cycles = np.fft.fftfreq(side, 1 / side)
    return np.asarray(np.exp(-np.log(2) * (cycles[:, None] ** 2 + cycles**2) / _CYCLES**2), dtype=np.float32)


@lru_cache(maxsize=2)
def _filters(side: int) -> npt.NDArray[np.float32]:
    """Return the Gabor filters' transfer functions, (20, side, side)."""
    cycles = np.fft.fftfreq(side)
    frequency = np.hypot(cycles[:, None], cycles)
    angle = np.broadcast_to(np.arctan2(cycles[:, None], cycles), frequency.shape)
    filters = []
    for scale, orientations in enumerate(_ORIENTATIONS):
        radial = -3.5 * (frequency * 1.85**scale / 0.3 - 1) ** 2
        for number in range(orientations):
            turned = angle + np.pi * number / orientations
            turned = np.where(turned > np.pi, turned - 2 * np.pi, turned)
            filters.append(np.exp(radial - np.pi * orientations**2 / 32 * turned**2))
    return np.array(filters, dtype=np.float32)


class Gist(Descriptor):
    """Compares what kind of scene a picture is, by its textures and where they are: open or closed, smooth or rough.

    It finds copies that are small, in other light or of another shape, and pictures of similar scenes. Turned, mirrored
    and closely cropped copies it does not.
    """

    key = "gist"
    title = "Scene (GIST)"
    paper = "Oliva and Torralba, IJCV 42(3), 2001; Douze et al., CIVR 2009"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = GistExtractor
    plain_name = "kinds of scene"

    side: int = parameter(
        64, ge=32, le=256, unit="px", help="Side of the square that the picture is brought to; more see finer texture."
    )
    parts: int = parameter(
        4, ge=1, le=8, help="Parts across and down the picture; more tell where a texture is, and lose cropped copies."
    )
    colour: bool = parameter(True, help="Look at red, green and blue; otherwise at brightness alone.")

    @property
    def dimensions(self) -> int:
        """Channels times filters times parts."""
        rows, columns = self.matrix_shape
        return rows * columns

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """A row for each channel and filter, a column for each part."""
        return (3 if self.colour else 1) * _FILTERS, self.parts**2

    def fit(self, sample: Pictures, progress: Progress = silent) -> GistExtractor:
        """Return the extractor; nothing is learned."""
        return GistExtractor(self.side, self.parts, self.colour)
