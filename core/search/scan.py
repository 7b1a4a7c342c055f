"""Comparing the query's code with every code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.declaration import parameter
from core.search.hamming import nearest
from core.search.search import Candidates, Mask, Search


@dataclass(frozen=True, eq=False)
class ScannedCodes:
    """Codes that are all compared with every query."""

    planes: npt.NDArray[np.uint64]

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: Mask = None) -> Candidates:
        """Find the k nearest codes, (words,) -> exact, ordered by (distance, row)."""
        found = nearest(self.planes, code[None, :], k, mask)
        return Candidates(
            rows=found.rows[0], distances=found.distances[0].astype(np.int64), scanned=self.planes.shape[1]
        )


class Scan(Search):
    """Compares the query with every code, and ranks the nearest by the exact measure.

    It looks at every code, at the speed at which memory is read: a million codes of 256 bits in a few milliseconds.
    Choose it unless a library is far larger than that.
    """

    key = "scan"
    title = "Scan"

    candidates: int = parameter(
        1_000,
        ge=1,
        le=1_000_000,
        unit="items",
        help="How many of the nearest codes are ranked by the exact measure. More finds more of the true neighbours, "
        "and takes longer.",
    )

    def build(self, planes: npt.NDArray[np.uint64]) -> ScannedCodes:
        """Take planar codes, (words, n), as they are."""
        return ScannedCodes(planes)

    def depth(self, k: int) -> int:
        """Give ``candidates``, or k where that is more."""
        return max(k, self.candidates)
