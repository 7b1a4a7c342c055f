"""Colour histogram: how much of each colour there is, in the whole picture and in its parts.

Swain and Ballard: Color Indexing, IJCV 1991; in HSV with bins of their own for what has no hue; by regions as the
spatial pyramid of Lazebnik, Schmid and Ponce, CVPR 2006. How pixels are counted is
:mod:`features.colour.colour_histogram`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration.declaration import parameter
from core.kernels.histogram_kernels import Hellinger
from core.kernels.kernel import Kernel
from core.progress import Progress, silent
from features.colour.colour_histogram import (
    Bins,
    HistogramExtractor,
    Shares,
    around,
    colours,
    levels_of_regions,
    ramp,
    regions,
)
from features.descriptor import Descriptor, Extractor, Pictures

# Between these a colour passes from having no hue to having one: saturation, and brightness.
_HUELESS_SATURATION = (0.1, 0.25)
_HUELESS_VALUE = (0.08, 0.2)


@dataclass(frozen=True, eq=False)
class ColourExtractor(HistogramExtractor):
    """Counts colours by region and bin of hue, saturation and brightness."""

    hue: int
    saturation: int
    value: int
    greys: int
    levels: int

    @property
    def bins(self) -> int:
        """Those of colours, then those of greys."""
        return self.hue * self.saturation * self.value + self.greys

    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each colour counts for, with shares."""
        return _shares(self.hue, self.saturation, self.value, self.greys)


@lru_cache(maxsize=4)
def _shares(hue: int, saturation: int, value: int, greys: int) -> tuple[Bins, Shares]:
    """Work out which bins each RGB counts for and with which shares, of sum 1, (32768, 10) each."""
    import cv2

    h, s, v = cv2.cvtColor(colours()[None], cv2.COLOR_RGB2HSV)[0].T.astype(np.float64)
    has_hue = ramp(s, *_HUELESS_SATURATION) * ramp(v, *_HUELESS_VALUE)
    least = _HUELESS_SATURATION[0]
    bins, shares = [], []
    for i, of_hue in around(h / 360, hue, circular=True):
        for j, of_saturation in around(ramp(s, least, 1), saturation):
            for k, of_value in around(v, value):
                bins.append((i * saturation + j) * value + k)
                shares.append(has_hue * of_hue * of_saturation * of_value)
    for i, of_grey in around(v, greys):
        bins.append(hue * saturation * value + i)
        shares.append((1 - has_hue) * of_grey)
    return np.stack(bins, axis=1), np.stack(shares, axis=1)


class HsvHistogram(Descriptor):
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
    levels: int = levels_of_regions()

    @property
    def dimensions(self) -> int:
        """Bins times regions."""
        return (self.hue * self.saturation * self.value + self.greys) * regions(self.levels)

    def fit(self, sample: Pictures, progress: Progress = silent) -> ColourExtractor:
        """Return the extractor; nothing is learned."""
        return ColourExtractor(self.hue, self.saturation, self.value, self.greys, self.levels)


def bin_colours(declared: HsvHistogram) -> npt.NDArray[np.uint8]:
    """Return the colour in the middle of each bin of a region, sRGB, (bins, 3), in the order of the bins.

    Examples
    --------
    >>> bin_colours(HsvHistogram(greys=4))[-4:].tolist()
    [[32, 32, 32], [96, 96, 96], [159, 159, 159], [223, 223, 223]]
    """
    import cv2

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
