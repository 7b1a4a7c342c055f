"""Two colour histograms, one above the other, in their own colours."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.theme import theme
from app.language.spoken import _

Bin = tuple[str, float, float]
"""Colour as ``#rrggbb``, its share of the query, its share of the result."""

_HEIGHT = 88
_LEAST = 0.003  # what neither picture has more of is left out
_WIDEST = 16.0  # a column, px


class ColourOverlay(QWidget):
    """A column for each colour: upwards its share of the query, downwards its share of the result.

    What both have is full, what only one has is pale. Heights are square roots of shares, as the measure compares
    them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Colours of both pictures, over each other"))
        self.setToolTip(_("Above the line: what was asked. Below: this photo. Full: both have it; pale: only one has."))

    def set_colours(self, bins: Sequence[Bin]) -> None:
        """Show the shares of the colours."""
        self._bins = tuple(one for one in bins if max(one[1], one[2]) >= _LEAST)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the one height."""
        return QSize(256, _HEIGHT)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the columns."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        if self._bins:
            highest = sqrt(max(one[1] for one in self._bins))
            lowest = sqrt(max(one[2] for one in self._bins))
            scale = (self.height() - 1) / (highest + lowest)
            middle = round(highest * scale)  # the line lies where both ways have the room they need
            width = min(_WIDEST, self.width() / len(self._bins))
            for number, (rgb, asked, found) in enumerate(self._bins):
                up, down = (scale * sqrt(share) for share in (asked, found))
                column = QRectF(number * width, middle - up, width - (1 if width > 3 else 0), up + down)
                self._draw_column(painter, column, QColor(rgb), middle, min(up, down))
        painter.fillRect(QRectF(0, middle - 0.5, self.width(), 1), QColor(now.paper))
        painter.end()

    def _draw_column(self, painter: QPainter, column: QRectF, colour: QColor, middle: float, both: float) -> None:
        pale = QColor(colour)
        pale.setAlphaF(0.4)
        shared = QRectF(column.left(), middle - both, column.width(), 2 * both)
        painter.fillRect(QRectF(column.topLeft(), shared.topRight()), pale)
        painter.fillRect(QRectF(shared.bottomLeft(), column.bottomRight()), pale)
        painter.fillRect(shared, colour)
        if _faint(colour, QColor(theme().paper)):
            painter.setPen(QPen(QColor(theme().line), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(column.adjusted(0.5, 0.5, -0.5, -0.5))


def _faint(colour: QColor, paper: QColor) -> bool:
    """Return whether a colour is hard to see on paper."""
    return abs(colour.lightnessF() - paper.lightnessF()) < 0.15
