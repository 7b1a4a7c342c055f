"""Data of a grid: photographs by row, their sections and captions, and which are selected.

A bit for each row says whether it is selected, so that a million are selected at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.arrays import BoolMask


class GridSection(Protocol):
    """Rows that stand under one heading.

    Attributes
    ----------
    heading : str
    start, count : int
        Its rows: ``start``, ..., ``start + count - 1``.
    """

    @property
    def heading(self) -> str: ...  # noqa: D102

    @property
    def start(self) -> int: ...  # noqa: D102

    @property
    def count(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Caption:
    """The line under a photograph, and its emphasis.

    Attributes
    ----------
    left, right : str
        Left bold (a rank, a name), right quiet (a similarity).
    share : float or None
        Length of the thin bar, in [0, 1]; None for no bar.
    marked : bool
        It is what was asked with.
    ghost : bool
        It was missed: orange, and faded.
    confirmed : bool
        It is certain to show the same as what was asked with.
    quiet : bool
        It is less sure than others: its words and its bar are quieter.
    edge : bool
        From here on all are quiet: a thin line stands before it.
    stack : str
        The sign of a stack: "+3" where three more stand behind it, "−" where it is open; empty for none.
    """

    left: str = ""
    right: str = ""
    share: float | None = None
    marked: bool = False
    ghost: bool = False
    confirmed: bool = False
    quiet: bool = False
    edge: bool = False
    stack: str = ""


class GridRows(Protocol):
    """Photographs in the order of a grid.

    Attributes
    ----------
    count : int
    ids : int64 array, (count,)
    hashes : uint8 array, (count, 32)
        Under which the thumbnails lie.
    away : bool array, (count,), or None
        Shown greyed: the disk is not there, or the file is gone.
    shelves : sequence of Section
        Together all rows, in order; empty for no headings.
    """

    @property
    def count(self) -> int: ...  # noqa: D102

    @property
    def ids(self) -> NDArray[np.int64]: ...  # noqa: D102

    @property
    def hashes(self) -> NDArray[np.uint8]: ...  # noqa: D102

    @property
    def away(self) -> NDArray[np.bool_] | None: ...  # noqa: D102

    @property
    def shelves(self) -> Sequence[GridSection]: ...  # noqa: D102

    def caption(self, row: int) -> Caption | None:
        """Return the line under a photograph; None for none, then for every row of these."""

    def spoken(self, row: int) -> str:
        """Return the text of a photograph for screen readers and its tooltip."""


@dataclass(frozen=True)
class NoRows:
    """No photographs."""

    count: int = 0
    shelves: tuple[GridSection, ...] = ()
    away: NDArray[np.bool_] | None = None

    @property
    def ids(self) -> NDArray[np.int64]:
        """Return no ids."""
        return np.empty(0, np.int64)

    @property
    def hashes(self) -> NDArray[np.uint8]:
        """Return no hashes."""
        return np.empty((0, 32), np.uint8)

    def caption(self, row: int) -> Caption | None:
        """Return none."""
        return None

    def spoken(self, row: int) -> str:
        """Return an empty text."""
        return ""


def section_starts(rows: GridRows) -> NDArray[np.int64]:
    """Return the first rows of all sections, and the count behind them: int64, (sections + 1,).

    Raises
    ------
    ValueError
        If the sections are not all rows in order, or one is empty.
    """
    shelves = rows.shelves
    if not shelves:
        return np.array([0, rows.count] if rows.count else [0], np.int64)
    starts = np.fromiter((shelf.start for shelf in shelves), np.int64, len(shelves))
    counts = np.fromiter((shelf.count for shelf in shelves), np.int64, len(shelves))
    ends = np.cumsum(counts)
    if counts.min() < 1 or ends[-1] != rows.count or not np.array_equal(starts, ends - counts):
        raise ValueError("The sections of a grid hold all its rows, in order, and none is empty.")
    return np.append(starts, np.int64(rows.count))


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
