"""The selected rows: a bit for each, so that a million are selected at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.arrays import BoolMask


class RowSelection:
    """The selected rows of ``count``, and the anchor of a range.

    Every change is told by its return value: True where the selection is another than before.

    Examples
    --------
    >>> selection = Selection(5)
    >>> selection.only(1), selection.reach(3), selection.toggle(2)
    (True, True, True)
    >>> selection.rows().tolist(), selection.count
    ([1, 3], 2)
    """

    def __init__(self, count: int) -> None:
        self._mask: BoolMask = np.zeros(count, np.bool_)
        self._base: BoolMask = self._mask
        self.count = 0
        self.anchor = 0

    def __contains__(self, row: int) -> bool:
        return bool(self._mask[row])

    def rows(self) -> NDArray[np.int64]:
        """Return the selected rows, in order: int64."""
        return np.flatnonzero(self._mask)

    def mask(self) -> BoolMask:
        """Return a copy of the bits: bool, (rows,)."""
        return self._mask.copy()

    def take(self, mask: BoolMask) -> bool:
        """Select the rows of a mask."""
        changed = not np.array_equal(mask, self._mask)
        self._mask = mask
        self.count = int(np.count_nonzero(mask))
        return changed

    def only(self, row: int) -> bool:
        """Select a row and nothing else."""
        self.anchor = row
        mask = np.zeros_like(self._mask)
        mask[row] = True
        self._base = np.zeros_like(mask)
        return self.take(mask)

    def toggle(self, row: int) -> bool:
        """Toggle a row."""
        self.anchor = row
        mask = self.mask()
        mask[row] = not mask[row]
        self._base = mask
        return self.take(mask)

    def reach(self, row: int, *, add: bool = False) -> bool:
        """Select from the anchor to a row; with ``add``, besides the selection when the anchor was set."""
        mask = self._base.copy() if add else np.zeros_like(self._mask)
        mask[min(row, self.anchor) : max(row, self.anchor) + 1] = True
        return self.take(mask)

    def everything(self) -> bool:
        """Select all."""
        return self.take(np.ones_like(self._mask))

    def nothing(self) -> bool:
        """Select none."""
        self._base = np.zeros_like(self._mask)
        return self.take(np.zeros_like(self._mask))

    def banded(self, base: BoolMask, rows: NDArray[np.int64]) -> bool:
        """Select a base with some rows toggled: a rubber band over an empty base selects them."""
        mask = base.copy()
        mask[rows] = ~mask[rows]
        return self.take(mask)
