"""Edge histogram: which way the edges of each part of a picture run.

The edge histogram of MPEG-7 (Manjunath, Ohm, Vasudevan, Yamada: Color and Texture Descriptors, IEEE CSVT 2001; Won,
Park, Park: Efficient Use of MPEG-7 Edge Histogram Descriptor, ETRI Journal 2002): 4 x 4 parts, each cut into blocks of
2 x 2 averages a, b / c, d, and five filters, of which the strongest, if above a threshold, is what the block shows:

    vertical |a - b + c - d|   horizontal |a + b - c - d|   45° √2 |a - d|   135° √2 |b - c|   none 2 |a - b - c + d|

These are 80 numbers. Won, Park and Park add the histogram of the whole picture, 5 numbers that count five times in the
comparison, and those of 13 groups of parts, 65 numbers: each column and each row of parts, and 2 x 2 parts in each
corner and in the middle. Each is the mean of the histograms of its parts. The reference software of MPEG-7 (XM) puts
together the same 150 numbers where it compares, in this order: the whole picture, already times five; the parts; the
columns; the rows; the corners; the middle. So many the collection MIRFLICKR gives of each of its pictures (Huiskes,
Thomee, Lew, MIR 2010).

What differs from the standard: it divides the counts of a part by the part's blocks and keeps 3 bits of each; here all
numbers together sum to 1, and none is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.fitted import Packed
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture

_PARTS = 4
_TYPES = 5
_GROUPS = 13
_WHOLE_COUNTS = 5  # times as much as a part
_FILTERS = np.array(
    [[1, -1, 1, -1], [1, 1, -1, -1], [2**0.5, 0, 0, -(2**0.5)], [0, 2**0.5, -(2**0.5), 0], [2, -2, -2, 2]], np.float32
)

Blocks = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class EdgeExtractor(Extractor):
    """Counts edges by part and type."""

    blocks: int
    threshold: int
    groups: bool = False

    def pack(self) -> Packed:
        """Return the packed extractor without values at their defaults, so that older stored ones keep their key."""
        packed = super().pack()
        return packed if self.groups else replace(packed, numbers={"blocks": self.blocks, "threshold": self.threshold})

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its edges, of sum 1; all zero where it has none.

        The parts row by row, in each vertical, horizontal, 45°, 135°, none. With groups first the whole picture, five
        times as much, then the parts, the columns of parts, the rows, the corners row by row, and the middle.
        """
        counts = self._counts(picture)
        if self.groups:
            counts = np.vstack([_WHOLE_COUNTS * counts.mean(axis=0), counts, _grouped(counts)])
        total = counts.sum()
        return (counts / total if total else counts).astype(np.float32).ravel()

    def _counts(self, picture: Picture) -> npt.NDArray[np.float64]:
        """Count blocks by part, top left first and row by row, and type, (16, 5)."""
        rows, columns = self._grid(*picture.grey.shape)
        averages = _averages(picture.grey.astype(np.float32), rows, columns)
        strengths = np.abs(np.tensordot(_FILTERS, averages, axes=1))
        kind = strengths.argmax(axis=0)
        edge = strengths.max(axis=0) > self.threshold
        if picture.mask is not None:
            # What is transparent lies over a flat colour, whose outline is no edge of the picture.
            edge &= (_averages(picture.mask.astype(np.float32), rows, columns) == 1).all(axis=0)
        part = np.arange(rows)[:, None] * _PARTS // rows * _PARTS + np.arange(columns) * _PARTS // columns
        counted = np.bincount((part * _TYPES + kind)[edge], minlength=_PARTS * _PARTS * _TYPES)
        return counted.reshape(_PARTS * _PARTS, _TYPES).astype(np.float64)

    def _grid(self, height: int, width: int) -> tuple[int, int]:
        """Return rows and columns of blocks: as square as can be, about `blocks` in all, a multiple of the parts."""
        in_a_part = self.blocks / _PARTS**2
        across = int(np.clip(np.rint(np.sqrt(in_a_part * width / height)), 1, self.blocks))
        return _PARTS * max(1, round(in_a_part / across)), _PARTS * across


def _grouped(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Average over the parts of each group, (16, 5) -> (13, 5)."""
    parts = counts.reshape(_PARTS, _PARTS, _TYPES)
    corners = parts.reshape(2, 2, 2, 2, _TYPES).mean(axis=(1, 3)).reshape(4, _TYPES)
    middle = parts[1:3, 1:3].mean(axis=(0, 1))
    return np.vstack([parts.mean(axis=0), parts.mean(axis=1), corners, middle])


def _averages(image: Blocks, rows: int, columns: int) -> Blocks:
    """Average each block's four quarters a, b / c, d, (h, w) -> (4, rows, columns)."""
    import cv2

    quarters = cv2.resize(image, (2 * columns, 2 * rows), interpolation=cv2.INTER_AREA)
    return np.asarray(quarters.reshape(rows, 2, columns, 2).transpose(1, 3, 0, 2).reshape(4, rows, columns))


class Edges(Descriptor):
    """Compares outlines and textures: how many edges run which way in each of 4 x 4 parts of the picture.

    It finds copies in grey, in other colours and in other light. Turned, mirrored and closely cropped copies
    it does not.
    """

    key = "edges"
    title = "Edge histogram"
    paper = "Manjunath et al., IEEE CSVT 11(6), 2001, section V.C; Won et al., ETRI Journal 24(1), 2002"
    measure: ClassVar[Kernel] = Hellinger()
    extractor: ClassVar[type[Extractor]] = EdgeExtractor
    plain_name = "outlines and textures"

    blocks: int = parameter(
        1100, ge=16, le=16_384, unit="blocks", help="Blocks that the picture is cut into; more see finer texture."
    )
    threshold: int = parameter(
        11, ge=0, le=255, help="How strong an edge must be to count, in levels of brightness; more leaves noise out."
    )

    groups: bool = parameter(
        False,
        help="Add the whole picture, five times as much as a part, and 13 groups of parts: 150 numbers instead of 80, "
        "for which an edge that has moved to the next part is less of a difference.",
    )

    @property
    def dimensions(self) -> int:
        """Parts, and what is added to them, times types of edges."""
        return (_PARTS * _PARTS + (1 + _GROUPS if self.groups else 0)) * _TYPES

    def fit(self, sample: Pictures, progress: Progress = silent) -> EdgeExtractor:
        """Return the extractor; nothing is learned."""
        return EdgeExtractor(self.blocks, self.threshold, self.groups)
