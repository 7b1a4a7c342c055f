"""The linear scan: the query's code is compared with every code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import OptionalMask
from core.search.hamming.hamming_scan import nearest_by_hamming
from core.search.search_structure import Candidates, CodeSearch


class Scan(CodeSearch):
    """Compares the query with every code, and ranks the nearest by the exact measure.

    It looks at every code, at the speed at which memory is read: a million codes of 256 bits in a few milliseconds.
    Choose it unless a library is far larger than that.
    """

    key = "scan"
    title = "Scan"

    exact: ClassVar[bool] = True
    built_at_once: ClassVar[bool] = True

    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> ScannedCodes:
        """Take planar codes, (words, n), as they are."""
        return ScannedCodes(planes)


@dataclass(frozen=True, eq=False)
class ScannedCodes:
    """Codes that are all compared with every query."""

    planes: npt.NDArray[np.uint64]
    bytes: int = 0

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""
        return self.planes[:, rows]

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes, (words,) -> exact, ordered by (distance, row)."""
        found = nearest_by_hamming(self.planes, code[None, :], k, mask)
        return Candidates(
            rows=found.rows[0], distances=found.distances[0].astype(np.int64), scanned=self.planes.shape[1]
        )
