"""Colour histogram in Lab: how much of each colour there is, with colours as far apart as they look.

In CIE L*a*b* (1976, white of D65) equal steps look about equally large: the greens, of which hue and saturation keep
many apart that look alike, have no more bins than other colours. Soft bins and regions as of
:mod:`features.colour.colour_histogram`; Lab histograms for retrieval as in van de Sande, Gevers, Snoek: Evaluating
Color Descriptors for Object and Scene Recognition, IEEE TPAMI 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

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

_TO_XYZ = np.array(  # IEC 61966-2-1, each row divided by the white of D65
    [
        [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
        [0.2126, 0.7152, 0.0722],
        [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
    ]
)
# The sRGB colours lie in a from -86 to 98 and in b from -108 to 94; nearly all of photographs lie in these.
_GREEN_RED = (-64.0, 64.0)
_BLUE_YELLOW = (-64.0, 64.0)


@dataclass(frozen=True, eq=False)
class LabExtractor(HistogramExtractor):
    """Counts colours by region and bin of lightness, green to red and blue to yellow."""

    lightness: int
    tints: int
    levels: int

    @property
    def bins(self) -> int:
        """Of all three axes."""
        return self.lightness * self.tints**2

    def shares(self) -> tuple[Bins, Shares]:
        """Return the bins that each colour counts for, with shares."""
        return _shares(self.lightness, self.tints)


@lru_cache(maxsize=4)
def _shares(lightness: int, tints: int) -> tuple[Bins, Shares]:
    """Work out which bins each RGB counts for and with which shares, of sum 1, (32768, 8) each."""
    light, a, b = to_lab(colours()).T
    bins, shares = [], []
    for i, of_light in around(light / 100, lightness):
        for j, of_a in around(ramp(a, *_GREEN_RED), tints):
            for k, of_b in around(ramp(b, *_BLUE_YELLOW), tints):
                bins.append((i * tints + j) * tints + k)
                shares.append(of_light * of_a * of_b)
    return np.stack(bins, axis=1), np.stack(shares, axis=1)


def to_lab(rgb: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Convert sRGB in [0, 1] to L in [0, 100], a and b, (n, 3) -> (n, 3)."""
    rgb = rgb.astype(np.float64)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    relative = np.clip(linear @ _TO_XYZ.T, 0, 1)
    x, y, z = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative * (29 / 6) ** 2 / 3 + 4 / 29).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


class LabHistogram(Descriptor):
    """Compares how much of each colour there is and roughly where, with colours as far apart as they look to the eye.

    It finds what the colour histogram finds: turned, blurred, small and framed copies, and noisy ones more often. In
    darker or lighter copies all its colours move, so of these it finds fewer; those in grey or in other colours it
    does not find.
    """

    key = "lab"
    title = "Lab histogram"
    paper = "van de Sande et al., IEEE TPAMI 32(9), 2010; Lazebnik et al., CVPR 2006"
    measure: ClassVar[Kernel] = Hellinger()
    extractor: ClassVar[type[Extractor]] = LabExtractor
    plain_name = "colours as they look"

    lightness: int = parameter(6, ge=1, le=64, help="Bins from black to white.")
    tints: int = parameter(
        7, ge=1, le=32, help="Bins from green to red, and as many from blue to yellow; more tell similar colours apart."
    )
    levels: int = levels_of_regions()

    @property
    def dimensions(self) -> int:
        """Bins times regions."""
        return self.lightness * self.tints**2 * regions(self.levels)

    def fit(self, sample: Pictures, progress: Progress = silent) -> LabExtractor:
        """Return the extractor; nothing is learned."""
        return LabExtractor(self.lightness, self.tints, self.levels)
