"""Linear scans: the query is compared with every code, or with every item by the exact measure.

The second is the yardstick of every other search.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import OptionalMask
from twinlens.core.declaration.declaration import parameter
from twinlens.core.exact_search.kernel_neighbours import Bound
from twinlens.core.search.hamming_scan import nearest_by_hamming
from twinlens.core.search.search_structure import Candidates, CodeSearch, Search


class Scan(CodeSearch):
    """Compares the query with every code, and ranks the nearest by the exact measure.

    It looks at every code, at the speed at which memory is read: a million codes of 256 bits in a few milliseconds.
    Choose it unless a library is far larger than that.
    """

    key = "scan"
    title = "Scan"

    built_at_once: ClassVar[bool] = True

    @property
    def exact(self) -> bool:
        """It compares every code."""
        return True

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


class Exact(Search):
    """Ranks every item by the exact measure, without codes.

    It misses nothing, unless its bound is the heuristic one, and its time grows with the library and with the length
    of the vectors. Choose it for a small library, or to see what another search misses.
    """

    key = "exact"
    title = "Exact"
    paper = "Bodó and Csató, 2012, section IV, for the bounds"
    uses_codes: ClassVar[bool] = False

    bound: Bound = parameter(
        "norms",
        help="What spares comparisons under a kernel whose items differ in norm: norms, a bound that loses nothing; "
        "heuristic, the paper's bound, which is not always true and may lose neighbours; or none. A library compares "
        "items at equal norms, where no bound can help: it counts in bench.",
    )

    @property
    def exact(self) -> bool:
        """It compares every item."""
        return True

    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> Everything:
        """Count the items; what their codes are does not matter, (any number of words, n)."""
        return Everything(planes.shape[1])

    def depth(self, k: int) -> int:
        """Rank everything."""
        return sys.maxsize


@dataclass(frozen=True, eq=False)
class Everything:
    """Items that are all candidates, whatever their codes; n of them."""

    n: int
    bytes: int = 0

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return nothing of each row, (0, len(rows)): no codes are kept."""
        return np.empty((0, len(rows)), np.uint64)

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Return the first k items, at distance 0 from any code: nothing is compared."""
        rows = (np.arange(self.n) if mask is None else np.flatnonzero(mask))[:k].astype(np.int64)
        return Candidates(rows=rows, distances=np.zeros(len(rows), np.int64), scanned=0)
