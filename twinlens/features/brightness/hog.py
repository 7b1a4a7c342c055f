"""Histograms of oriented gradients: which way brightness changes in each cell of a grid over the picture.

Dalal and Triggs: Histograms of Oriented Gradients for Human Detection, CVPR 2005. Gradients by [-1, 0, 1] without
smoothing; each pixel votes with the gradient's magnitude for the two nearest orientations and the four nearest cells
(linear interpolation, section 6.3); cells are gathered into overlapping blocks, each brought to a common contrast by
L2-Hys (section 6.4): length 1, entries cut off at 0.2, length 1 again.

The paper slides a window of fixed size over a picture; here the picture is the window, brought to `cells` x `cells`
cells of `pixels` x `pixels` pixels whatever its size and shape. Two more differences: grey instead of the strongest of
three channels, so that a grey copy has the same vector; no Gaussian window in a block, so that every pixel is counted
for its cells once and not once for each block (section 6.4: worth 1 %).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture, Stretched, stretched

_FAINT = 1.0  # levels a pixel: a block whose gradients are weaker on average is not brought to full contrast

Histograms = npt.NDArray[np.float64]
Shares = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class HogExtractor(Extractor):
    """Counts gradients by cell and orientation."""

    cells: int
    pixels: int
    bins: int
    signed: bool
    block: int
    cut: float

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its gradients, of length 1; all zero where it is flat.

        Blocks row by row, in each its cells row by row, in each its orientations: from the gradient that points to the
        right on to the one that points down.
        """
        side = self.cells * self.pixels
        count, size = (self.cells - self.block + 1) ** 2, self.block**2 * self.bins
        small = stretched(picture, side, side)
        if small is None:
            return np.zeros(count * size, np.float32)
        windows = np.lib.stride_tricks.sliding_window_view(self._cells(small), (self.block, self.block), axis=(0, 1))
        blocks = self._normalised(windows.transpose(0, 1, 3, 4, 2).reshape(count, size))
        length = np.sqrt(np.square(blocks).sum())
        return (blocks / length if length else blocks).astype(np.float32).ravel()

    def _cells(self, small: Stretched) -> Histograms:
        """Add up the votes, (cells, cells, bins)."""
        across, down = _gradients(small)
        magnitude = np.hypot(across, down)
        position = np.arctan2(down, across) / (2 * np.pi if self.signed else np.pi) % 1 * self.bins - 0.5
        floor = np.floor(position)
        lower, upper_share = floor.astype(np.intp), position - floor
        beyond = self.cells + 2  # cells around the grid take the votes that fall outside
        votes = np.zeros(beyond**2 * self.bins)
        for orientation, share in ((lower, 1 - upper_share), (lower + 1, upper_share)):
            bins, weights = orientation % self.bins, magnitude * share
            for places, shares in _nearest_cells(self.cells, self.pixels):
                into = (places * self.bins + bins).ravel()
                votes += np.bincount(into, weights=(weights * shares).ravel(), minlength=votes.size)
        return votes.reshape(beyond, beyond, self.bins)[1:-1, 1:-1]

    def _normalised(self, blocks: Histograms) -> Histograms:
        """Bring blocks to length 1, cut their entries off, and give them back the length that they had before the cut.

        A block that shows next to nothing, such as noise in a sky, stays shorter than 1.
        """
        least = _FAINT * (self.block * self.pixels) ** 2
        blocks = blocks / np.hypot(_lengths(blocks), least)
        cut = np.minimum(blocks, self.cut)
        lengths = _lengths(cut)
        return cut * np.divide(_lengths(blocks), lengths, out=np.zeros_like(lengths), where=lengths > 0)


def _lengths(blocks: Histograms) -> Histograms:
    return np.asarray(np.sqrt(np.square(blocks).sum(axis=1, keepdims=True)))


def _gradients(small: Stretched) -> tuple[Histograms, Histograms]:
    """Return the differences of the neighbours right and left, and below and above; 0 beside what is hidden."""
    padded = np.pad(small.image, 1, mode="edge").astype(np.float64)
    across, down = padded[1:-1, 2:] - padded[1:-1, :-2], padded[2:, 1:-1] - padded[:-2, 1:-1]
    if (whole := small.whole) is not None:
        known = np.pad(whole, 1, mode="edge")
        clear = whole & known[1:-1, 2:] & known[1:-1, :-2] & known[2:, 1:-1] & known[:-2, 1:-1]
        across, down = across * clear, down * clear
    return across, down


@lru_cache(maxsize=4)
def _nearest_cells(cells: int, pixels: int) -> list[tuple[Places, Shares]]:
    """Return four cells around each pixel, numbered in a grid with one more cell on every side, and their shares."""
    position = (np.arange(cells * pixels) + 0.5) / pixels - 0.5
    first = np.floor(position).astype(np.intp)
    second_share = position - first
    near = ((first + 1, 1 - second_share), (first + 2, second_share))
    return [
        (row[:, None] * (cells + 2) + column, of_row[:, None] * of_column)
        for row, of_row in near
        for column, of_column in near
    ]


class Hog(Descriptor):
    """Compares shapes by which way brightness changes in each part of the picture, as detectors of people do.

    It finds copies in grey, inverted, in other light, small, or of another shape. Turned, mirrored and closely cropped
    copies it does not.
    """

    key = "hog"
    title = "Oriented gradients (HOG)"
    paper = "Dalal and Triggs, CVPR 2005, section 6"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = HogExtractor
    plain_name = "outlines and their places"

    cells: int = parameter(
        8, ge=4, le=32, help="Cells across and down the picture; more tell places apart, and lose cropped copies."
    )
    pixels: int = parameter(8, ge=2, le=32, unit="px", help="Side of a cell; more see finer detail.")
    bins: int = parameter(9, ge=2, le=36, help="Number of orientations that are distinguished.")
    signed: bool = parameter(
        False, help="Tell dark on bright from bright on dark: orientations over 360 degrees instead of 180."
    )
    block: int = parameter(
        2, ge=1, le=4, help="Cells across and down a block, which is brought to a common contrast; blocks overlap."
    )
    cut: float = parameter(
        0.2, gt=0, le=1, help="What no orientation of a block may exceed (L2-Hys); 1 lets a strong edge outshine all."
    )

    @property
    def dimensions(self) -> int:
        """Blocks times cells in a block times orientations."""
        rows, columns = self.matrix_shape
        return rows * columns

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """A row for each block, with its cells' orientations; with ``block=1`` that is cells times orientations."""
        return (self.cells - self.block + 1) ** 2, self.block**2 * self.bins

    def fit(self, sample: Pictures, progress: Progress = silent) -> HogExtractor:
        """Return the extractor; nothing is learned."""
        return HogExtractor(self.cells, self.pixels, self.bins, self.signed, self.block, self.cut)
