"""A comparison as plain data: columns, pictures and their ranks, and the layout of columns of equal width."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect

from twinlens.app.language.texts import _, number

if TYPE_CHECKING:
    from twinlens.app.compare.comparison_results import ColumnStanding, ComparedColumn


@dataclass(frozen=True)
class RankedTile:
    """One picture of a column, outlined if exact search does not have it among its first.

    Attributes
    ----------
    content : bytes
    rank : int
        Among the hits, from 1; of a ghost in the exact answer.
    ghost : bool
        It was missed.
    agrees : bool or None
        Exact search has it among its first, too; None while that is not known.
    asked : bool
        It is what was asked with.
    """

    id: int
    content: bytes
    name: str
    rank: int
    ghost: bool = False
    agrees: bool | None = None
    asked: bool = False
    true_rank: int | None = None

    @property
    def captions(self) -> tuple[str, ...]:
        """Its rank."""
        if self.ghost:
            return _("missed, true rank {rank}", rank=self.rank), _("true {rank}", rank=self.rank)
        return (_("query") if self.asked else number(self.rank),)

    @property
    def aside(self) -> str:
        """Its true rank, if it is not among the first."""
        differs = self.agrees is False and self.true_rank is not None
        return _("true rank {rank}", rank=self.true_rank) if differs else ""

    @property
    def outline(self) -> str:
        """The accent colour if exact search does not have it."""
        return "accent" if self.agrees is False else ""

    def spoken(self) -> str:
        """Return the text for screen readers."""
        if self.ghost:
            return _("Missed: {name}, true rank {rank}", name=self.name, rank=self.rank)
        words = _("{rank}: {name}", rank=self.rank, name=self.name)
        if self.asked:
            return words + _(", your photo")
        if self.agrees:
            return words + _(", also found by exact search")
        if self.true_rank is not None:
            return words + _(", true rank {rank}", rank=self.true_rank)
        return words


def _no_code(photograph_id: int) -> None:
    return None


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """One column.

    Attributes
    ----------
    title, text, short : str
        Its heading, exactly what it is, and that in plain words.
    one : ComparedColumn or None
        Its answer; None while there is none.
    tiles : sequence of RankedTile
        Hits, and after them what was missed.
    standings : mapping of int to ColumnStanding
        By photograph; empty while these are not known.
    differ : function of int
        Says which bits of a photograph's code differ; None where it has none.
    waits : str
        What it waits for; empty where it does not.
    done : float
        How much of that is done, from 0 to 1.
    fault : str
        Why there is none.
    """

    title: str
    text: str
    short: str
    one: ComparedColumn | None = None
    tiles: Sequence[RankedTile] = ()
    standings: Mapping[int, ColumnStanding] = field(default_factory=dict)
    differ: Callable[[int], npt.NDArray[np.bool_] | None] = _no_code
    changed: bool = False
    pinned: bool = False
    waits: str = ""
    done: float = 0.0
    fault: str = ""

    def place_of(self, photograph_id: int) -> int:
        """Return the position of a photograph among the tiles; -1 if it is not there."""
        return next((place for place, tile in enumerate(self.tiles) if tile.id == photograph_id), -1)


PAD = 14
"""At both sides of a column, px."""

GAP = 8
TOP = 10
LEAST, MOST = 72, 260
"""Widths of a picture, px: smaller ones look alike, larger ones are not sharp."""

_RATIO = 3 / 4
_GHOSTS = 1.25  # reserves room for missed results, so that pictures keep their size from search to search


def column_rects(width: int, height: int, count: int) -> list[QRect]:
    """Divide a width among columns, to the pixel."""
    edges = [width * place // max(1, count) for place in range(count + 1)]
    return [QRect(edges[place], 0, edges[place + 1] - edges[place], height) for place in range(count)]


@dataclass(frozen=True)
class BoardLayout:
    """The layout of the pictures of all columns.

    Attributes
    ----------
    width : int
        Of all columns together.
    counts : tuple of int
        Pictures in each column, what was missed too.
    across : int
        Pictures in a row; the same in every column.
    """

    width: int
    counts: tuple[int, ...]
    across: int

    @classmethod
    def of(cls, size: tuple[int, int], counts: Sequence[int], k: int, zoom: int = 0) -> BoardLayout:
        """Lay out columns on a board of some size.

        Pictures are as large as they can be so that k of each column are seen at once, unless they became too small;
        ``zoom`` makes them larger by so many steps, or, below 0, smaller.
        """
        width, height = max(size[0], 1), size[1]
        one = cls(width, tuple(counts), 1)
        most = max(1, (one.column_width - 2 * PAD + GAP) // (LEAST + GAP))
        least = min(most, max(1, -(-(one.column_width - 2 * PAD + GAP) // (MOST + GAP))))
        across = most
        for tried in range(least, most + 1):
            rows = -(-int(_GHOSTS * k) // tried)
            if 2 * TOP + rows * (cls(width, one.counts, tried).tile[1] + GAP) <= height:
                across = tried
                break
        return cls(width, one.counts, min(max(1, across - zoom), max(most, 2 * most)))

    @property
    def column_width(self) -> int:
        """Width of the narrowest column."""
        return self.width // max(1, len(self.counts))

    @property
    def tile(self) -> tuple[int, int]:
        """Width and height of a picture."""
        width = (self.column_width - 2 * PAD + GAP) // self.across - GAP
        return max(8, width), max(6, round(width * _RATIO))

    @property
    def height(self) -> int:
        """Height of the whole board."""
        rows = max((-(-count // self.across) for count in self.counts), default=0)
        return 2 * TOP + rows * (self.tile[1] + GAP)

    def columns(self) -> list[QRect]:
        """Return the columns, as high as the board."""
        return column_rects(self.width, self.height, len(self.counts))

    def rect(self, column: int, place: int) -> QRect:
        """Return the place of a picture."""
        width, height = self.tile
        row, across = divmod(place, self.across)
        left = self.width * column // len(self.counts) + PAD
        return QRect(left + across * (width + GAP), TOP + row * (height + GAP), width, height)

    def at(self, point: QPoint) -> tuple[int, int] | None:
        """Return column and position of the picture at a point; None between pictures."""
        for column, box in enumerate(self.columns()):
            if not box.left() <= point.x() <= box.right():
                continue
            width, height = self.tile
            across, row = (point.x() - box.left() - PAD) // (width + GAP), (point.y() - TOP) // (height + GAP)
            place = row * self.across + across
            inside = 0 <= across < self.across and row >= 0 and 0 <= place < self.counts[column]
            return (column, place) if inside and self.rect(column, place).contains(point) else None
        return None

    def between(self, top: int, bottom: int) -> range:
        """Return the positions of the pictures between two heights, up to the end of the column."""
        high = self.tile[1] + GAP
        first, last = max(0, (top - TOP) // high), max(0, (bottom - TOP) // high + 1)
        return range(first * self.across, last * self.across)

    def moved(self, column: int, place: int, dx: int, dy: int) -> tuple[int, int]:
        """Return the neighbour of a picture; sideways in the next column, in the same row."""
        row, across = divmod(place, self.across)
        if dy:
            target = place + dy * self.across
            return (column, target) if 0 <= target < self.counts[column] else (column, place)
        side = across + dx
        if 0 <= side < self.across and 0 <= place + dx < self.counts[column]:
            return column, place + dx
        beside = column + dx
        while 0 <= beside < len(self.counts) and self.counts[beside] == 0:
            beside += dx
        if not 0 <= beside < len(self.counts):
            return column, place
        target = row * self.across + (0 if dx > 0 else self.across - 1)
        return beside, min(target, self.counts[beside] - 1)
