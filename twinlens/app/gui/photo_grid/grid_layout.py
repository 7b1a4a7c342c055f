"""The layout of a grid by arithmetic: no memory per row, a few numbers per section.

Coordinates are whole pixels of the content: y = 0 is its top, whatever part of it is seen. Tiles are as wide as the
wished side, give or take the pixels that fill the line, so that lines end where the window does. A tile is a square
well and, under it, a foot for words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from twinlens.core.arrays import BoolMask, Int64Numbers


class GridBox(NamedTuple):
    """A rectangle in content coordinates, px."""

    x: int
    y: int
    width: int
    height: int


class CellPlace(NamedTuple):
    """The place of a row: its section, the line in the section, the column in the line."""

    section: int
    line: int
    column: int


@dataclass(frozen=True)
class GridMeasures:
    """The lengths of a grid, px.

    Attributes
    ----------
    side : int
        The wished side of a well.
    gap : int
        Gap between tiles, across and down.
    margin : int
        Margin left, right and below; also above where there are no headings.
    foot : int
        Height of the words under a well.
    heading : int
        Height of a section's heading; 0 for none.
    """

    side: int = 176
    gap: int = 8
    margin: int = 16
    foot: int = 0
    heading: int = 0


class GridLayout:
    """The geometry of rows in sections at one width.

    Parameters
    ----------
    starts : int64 array, (sections + 1,)
        First row of each section, and at the end the number of rows; no section is empty.
    width : int
        Visible width, px.

    Examples
    --------
    >>> layout = GridLayout(np.array([0, 3, 8]), 400, GridMeasures(side=100, gap=10, margin=20, heading=40))
    >>> layout.columns, layout.side, layout.height
    (3, 113, 459)
    >>> layout.box(3)
    GridBox(x=20, y=203, width=113, height=113)
    >>> layout.row_at(25, 210), layout.row_at(25, 170)
    (3, -1)
    """

    def __init__(self, starts: Int64Numbers, width: int, measures: GridMeasures) -> None:
        self.measures = measures
        self.starts = starts
        self.count = int(starts[-1])
        self.width = width
        self._across = max(1, width - 2 * measures.margin) + measures.gap
        self.columns = max(1, (2 * self._across + measures.side + measures.gap) // (2 * (measures.side + measures.gap)))
        self.side = max(1, self._across // self.columns - measures.gap)
        self.tile = self.side + measures.foot
        self.pitch = self.tile + measures.gap
        lines = -(-np.diff(starts) // self.columns)
        top = 0 if measures.heading else measures.margin
        self._tops = top + np.concatenate(([0], np.cumsum(measures.heading + lines * self.pitch))).astype(np.int64)
        self.height = int(self._tops[-1]) - measures.gap + measures.margin if self.count else 0

    @property
    def sections(self) -> int:
        """Number of sections."""
        return len(self.starts) - 1

    def left(self, column: int) -> int:
        """Return the left of a column."""
        return self.measures.margin + column * self._across // self.columns

    def place(self, row: int) -> CellPlace:
        """Return the place of a row."""
        section = int(np.searchsorted(self.starts, row, "right")) - 1
        line, column = divmod(row - int(self.starts[section]), self.columns)
        return CellPlace(section, line, column)

    def box(self, row: int) -> GridBox:
        """Return the tile of a row, well and foot."""
        section, line, column = self.place(row)
        top = int(self._tops[section]) + self.measures.heading + line * self.pitch
        return GridBox(self.left(column), top, self.side, self.tile)

    def corners(self, first: int, end: int) -> list[tuple[int, int]]:
        """Return the left and top of the tiles of some rows, much faster than one by one."""
        rows = np.arange(first, end, dtype=np.int64)
        sections = np.searchsorted(self.starts, rows, "right") - 1
        lines, columns = np.divmod(rows - self.starts[sections], self.columns)
        tops = self._tops[sections] + self.measures.heading + lines * self.pitch
        lefts = self.measures.margin + columns * self._across // self.columns
        return list(zip(lefts.tolist(), tops.tolist(), strict=True))

    def row_at(self, x: int, y: int) -> int:
        """Return the row whose tile holds a point, or -1."""
        section, line, inside = self._line_at(y)
        column = ((x - self.measures.margin + 1) * self.columns - 1) // self._across
        if line < 0 or inside >= self.tile or not 0 <= column < self.columns or x >= self.left(column) + self.side:
            return -1
        row = int(self.starts[section]) + line * self.columns + column
        return row if row < self.starts[section + 1] else -1

    def between(self, top: int, bottom: int) -> tuple[int, int]:
        """Return the range of rows that reach into ``top <= y < bottom``: first, and one past the last."""
        if not self.count or bottom <= top or bottom <= self._tops[0] or top >= self._tops[-1]:
            return 0, 0
        section, line, inside = self._line_at(max(top, int(self._tops[0])))
        line = max(line, 0) + (inside >= self.tile)
        first = min(int(self.starts[section]) + line * self.columns, int(self.starts[section + 1]))
        section, line, _ = self._line_at(min(bottom, int(self._tops[-1])) - 1)
        end = min(int(self.starts[section]) + (line + 1) * self.columns, int(self.starts[section + 1]))
        return (first, end) if first < end else (0, 0)

    def rows_in(self, box: GridBox) -> Int64Numbers:
        """Return the rows that reach into a box, in order: int64."""
        first, end = self.between(box.y, box.y + box.height)
        some = [c for c in range(self.columns) if self.left(c) < box.x + box.width and self.left(c) + self.side > box.x]
        if not some or first == end or box.width <= 0:
            return np.empty(0, np.int64)
        rows = np.arange(first, end, dtype=np.int64)
        columns = (rows - self.starts[np.searchsorted(self.starts, rows, "right") - 1]) % self.columns
        return rows[(columns >= some[0]) & (columns <= some[-1])]

    def heading(self, section: int, top: int) -> int:
        """Return the y of a section's heading when ``top`` is the first visible line, at which headings stick."""
        last = int(self._tops[section + 1]) - self.measures.heading
        return min(max(int(self._tops[section]), top), last)

    @property
    def tops(self) -> Int64Numbers:
        """The y of each section's top, and of the end: int64, (sections + 1,)."""
        return self._tops

    def section_at(self, y: int) -> int:
        """Return the section at a height; otherwise the nearest."""
        return min(max(int(np.searchsorted(self._tops, y, "right")) - 1, 0), self.sections - 1)

    def above(self, row: int, column: int) -> int:
        """Return the row a line higher, in a column or the last before it; the same row in the first line."""
        section, line, _ = self.place(row)
        if line > 0:
            return self._row(section, line - 1, column)
        return self._row(section - 1, self._lines(section - 1) - 1, column) if section > 0 else row

    def below(self, row: int, column: int) -> int:
        """Return the row a line lower, in a column or the last before it; the same row in the last line."""
        section, line, _ = self.place(row)
        if line + 1 < self._lines(section):
            return self._row(section, line + 1, column)
        return self._row(section + 1, 0, column) if section + 1 < self.sections else row

    def paged(self, row: int, column: int, distance: int) -> int:
        """Return the row about ``distance`` px lower (higher if negative), at least a line away if possible."""
        place = self.place(row)
        section, line, _ = self._line_at(self.box(row).y + distance)
        section = min(max(section, 0), self.sections - 1)
        line = min(max(line, 0), self._lines(section) - 1)
        if self.box(row).y + distance >= self._tops[-1]:
            section, line = self.sections - 1, self._lines(self.sections - 1) - 1
        if (section, line) == place[:2]:
            return self.below(row, column) if distance > 0 else self.above(row, column)
        return self._row(section, line, column)

    def _lines(self, section: int) -> int:
        return -(-int(self.starts[section + 1] - self.starts[section]) // self.columns)

    def _row(self, section: int, line: int, column: int) -> int:
        first = int(self.starts[section]) + line * self.columns
        return min(first + min(column, self.columns - 1), int(self.starts[section + 1]) - 1)

    def _line_at(self, y: int) -> tuple[int, int, int]:
        """Return section, line and the distance below the line's top; line -1 in a heading and outside the content."""
        section = int(np.searchsorted(self._tops, y, "right")) - 1
        if not 0 <= section < self.sections:
            return section, -1, 0
        line, inside = divmod(y - int(self._tops[section]) - self.measures.heading, self.pitch)
        return (section, -1, 0) if line < 0 else (section, line, inside)


class GridSection(Protocol):
    """Rows that stand under one heading.

    Attributes
    ----------
    start, count : int
        Its rows: ``start``, ..., ``start + count - 1``.
    photographs : int
        How many are named beside the heading: a row may stand for several.
    """

    @property
    def heading(self) -> str: ...  # noqa: D102

    @property
    def start(self) -> int: ...  # noqa: D102

    @property
    def count(self) -> int: ...  # noqa: D102

    @property
    def photographs(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Caption:
    """The line under a photograph, and its emphasis.

    Attributes
    ----------
    left, right : str
        Bold words at the left (a rank, a name), quiet words at the right (a similarity).
    share : float or None
        Length of the thin bar, in [0, 1]; None for no bar.
    marked : bool
        Whether it is the query.
    ghost : bool
        Whether the search missed it: orange, and faded.
    confirmed : bool
        Whether it certainly shows the same as the query.
    quiet : bool
        Whether it is a less certain result, with quieter words and bar.
    edge : bool
        Whether it is the first quiet result, with a thin line before it.
    stack : str
        The sign of a stack: "+3" with three more behind it, "−" if it is open; empty for none.
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
    ids : int64 array, (count,)
    hashes : uint8 array, (count, 32)
        Content hashes, by which thumbnails are stored.
    away : bool array, (count,), or None
        Photographs shown grey: the disk is away, or the file is gone.
    shelves : sequence of GridSection
        Sections that make up all rows, in order; empty for no headings.
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
        """Return the line under a photograph; None for every row if there are none."""

    def spoken(self, row: int) -> str:
        """Return the text of a photograph for screen readers and its tooltip."""


@dataclass(frozen=True)
class NoRows:
    """The empty rows of a grid."""

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
    """Return the first rows of all sections, then the number of rows: int64, (sections + 1,).

    Raises
    ------
    ValueError
        If the sections do not cover all rows in order, or one is empty.
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

    Every method that changes it returns whether the selection has changed.

    Examples
    --------
    >>> selection = RowSelection(5)
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
        """Return a copy of the mask: bool, (rows,)."""
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

    def group(self, first: int, end: int, *, add: bool = False) -> bool:
        """Select rows from ``first`` to before ``end`` alone; with ``add``, besides the others, or none if all are."""
        mask = self.mask() if add else np.zeros_like(self._mask)
        mask[first:end] = not (add and self._mask[first:end].all())
        self.anchor, self._base = first, mask
        return self.take(mask)

    def everything(self) -> bool:
        """Select all."""
        return self.take(np.ones_like(self._mask))

    def nothing(self) -> bool:
        """Select none."""
        self._base = np.zeros_like(self._mask)
        return self.take(np.zeros_like(self._mask))

    def banded(self, base: BoolMask, rows: NDArray[np.int64]) -> bool:
        """Select a base, and the rows of a rubber band."""
        mask = base.copy()
        mask[rows] = True
        return self.take(mask)
