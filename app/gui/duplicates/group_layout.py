"""Layout of a group's texts and tiles in its row of the list."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from app.gui.look.text_size import grown

_WORDS = 190  # pixels across of what is said of a group, in text of the usual size

MARGIN, GAP = 20, 14


@dataclass(frozen=True)
class GroupLayout:
    """The places in a row.

    Attributes
    ----------
    width : int
        Pixels of the row.
    count : int
        Tiles, with that of the keeper.
    tile : int
        Pixels across of a picture; it is two thirds as high.
    line : int
        Pixels of a line of text.
    words : int
        Pixels down that the words need.
    """

    width: int
    count: int
    tile: int
    line: int
    words: int

    @property
    def across(self) -> int:
        """Tiles in a line."""
        return across(self.width, self.tile)

    @property
    def picture(self) -> QSize:
        """The size of a picture."""
        return QSize(self.tile, self.tile * 2 // 3)

    @property
    def _step(self) -> int:
        return self.picture.height() + 3 * self.line + 8 + GAP

    @property
    def height(self) -> int:
        """Pixels of the row."""
        lines = -(-self.count // self.across)
        return max(lines * self._step - GAP, self.words) + 2 * MARGIN - 4

    def words_box(self) -> QRect:
        """Return the place of what is said of the group."""
        return QRect(MARGIN, MARGIN - 2, words_width(), self.height - 2 * MARGIN)

    def box(self, place: int) -> QRect:
        """Return the place of a picture, from the top left of the row."""
        down, across = divmod(place, self.across)
        x = 2 * MARGIN + words_width() + across * (self.tile + GAP)
        return QRect(QPoint(x, MARGIN - 2 + down * self._step), self.picture)

    def at(self, point: QPoint) -> int:
        """Return which tile lies at a point; -1 for none."""
        for place in range(self.count):
            box = self.box(place)
            if box.adjusted(0, 0, 0, 3 * self.line + 6).contains(point):
                return place
        return -1


def words_width() -> int:
    """Return the pixels across of what is said of a group, at its left."""
    return grown(_WORDS)


def across(width: int, tile: int) -> int:
    """Return how many tiles stand in a line of a row of this width."""
    return max(1, (width - words_width() - 3 * MARGIN + GAP) // (tile + GAP))
