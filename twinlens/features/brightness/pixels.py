"""Pixels: the picture itself, small, as a matrix of its brightness or colours.

The plainest descriptor of all, in which collections of digits and other small pictures are compared (LeCun, Bottou,
Bengio, Haffner: Gradient-Based Learning Applied to Document Recognition, Proc. IEEE 86(11), 1998: 28 x 28 grey values;
Torralba, Fergus, Freeman: 80 Million Tiny Images, IEEE PAMI 30(11), 2008: 32 x 32 in colour, brought to mean 0 and
variance 1, so that the sum of squared differences does not depend on light and contrast).

The dot product of two such vectors, scaled to length 1, is their correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture, stretched

_FLAT = 0.25  # levels of brightness of standard deviation: less is a picture without content


@dataclass(frozen=True, eq=False)
class PixelExtractor(Extractor):
    """Shrinks a picture to a matrix."""

    rows: int
    columns: int
    colour: bool
    normalise: bool

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its pixels, row by row, the three colours of each side by side.

        Normalised: of mean 0 in each channel and length 1, and all zero where the picture is flat. Otherwise levels
        from 0, black, to 1, white. What is transparent is 0 in either.
        """
        small = stretched(picture, self.rows, self.columns, self.colour)
        if small is None:
            return np.zeros(self.rows * self.columns * (3 if self.colour else 1), np.float32)
        seen = np.ones((self.rows, self.columns), np.bool_) if small.visible is None else small.visible > 0
        values = small.image[seen].astype(np.float64)
        if self.normalise:
            values -= values.mean(axis=0)
            deviations = np.sqrt(np.square(values).mean(axis=0))
            contrast = deviations > _FLAT
            values *= np.divide(1, deviations, out=np.zeros_like(deviations), where=contrast)
            values /= max(np.sqrt(np.square(values).sum()), 1)
        else:
            values /= 255
        pixels = np.zeros(small.image.shape, np.float32)
        pixels[seen] = values
        return pixels.ravel()


class Pixels(Descriptor):
    """Compares pictures pixel by pixel, at a very small size: the plainest look, for pictures taken the same way.

    It finds copies that are small, blurred, lighter, darker or of another shape, and suits scans and digits. Turned,
    mirrored and cropped copies it does not find, nor anything that has moved.
    """

    key = "pixels"
    title = "Pixels"
    paper = "LeCun et al., Proc. IEEE 86(11), 1998; Torralba et al., IEEE PAMI 30(11), 2008"
    measure: ClassVar[Kernel] = Linear(normalise=True)
    extractor: ClassVar[type[Extractor]] = PixelExtractor
    plain_name = "a tiny copy of the picture"

    rows: int = parameter(28, ge=1, le=256, unit="px", help="Height of the matrix; more sees finer detail.")
    columns: int = parameter(28, ge=1, le=256, unit="px", help="Width of the matrix, whatever the picture's shape.")
    colour: bool = parameter(False, help="Compare the three colour channels instead of the brightness.")
    normalise: bool = parameter(
        True, help="Bring each channel to mean 0 and variance 1, so that light and contrast make no difference."
    )

    @property
    def dimensions(self) -> int:
        """Pixels times channels."""
        return self.rows * self.columns * (3 if self.colour else 1)

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """Rows, and columns with the three channels of a pixel side by side."""
        return self.rows, self.columns * (3 if self.colour else 1)

    def fit(self, sample: Pictures, progress: Progress = silent) -> PixelExtractor:
        """Return the extractor; nothing is learned."""
        return PixelExtractor(self.rows, self.columns, self.colour, self.normalise)
