"""Two colour histograms over each other, in their own colours."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.theme import theme

Bin = tuple[str, float, float]
"""Colour as ``#rrggbb``, its share of what was asked with, its share of what was found."""

_HEIGHT = 72
_LEAST = 0.003  # what neither picture has more of is left out


class ColourOverlay(QWidget):
    """For each colour a column: full as high as both have it, pale where only the query, outlined where only the hit.

    Heights are square roots of shares, as the measure compares them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Colours of both pictures, over each other"))
        self.setToolTip(self.tr("Full: both have it. Pale: only what was asked. Outlined: only this photograph."))

    def set_colours(self, bins: Sequence[Bin]) -> None:
        """Show the shares of the colours."""
        self._bins = tuple(one for one in bins if max(one[1], one[2]) >= _LEAST)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """One height, always."""
        return QSize(256, _HEIGHT)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the columns."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = self.height() - 1.0
        if self._bins:
            tallest = sqrt(max(max(asked, found) for _, asked, found in self._bins))
            width = min(16.0, self.width() / len(self._bins))
            gap = 1.0 if width > 3 else 0.0
            for number, (rgb, asked, found) in enumerate(self._bins):
                x = number * width
                here, there = ((base - 2) * sqrt(share) / tallest for share in (asked, found))
                pale = QColor(rgb)
                pale.setAlphaF(0.35)
                both = min(here, there)
                if here > both:
                    painter.fillRect(QRectF(x, base - here, width - gap, here - both), pale)
                painter.fillRect(QRectF(x, base - both, width - gap, both), QColor(rgb))
                if there > both:
                    painter.setPen(QPen(_between(QColor(rgb), QColor(now.quiet)), 1))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(QRectF(x + 0.5, base - there + 0.5, max(1.0, width - gap - 1), there - both))
                if _faint(QColor(rgb), QColor(now.paper)):
                    painter.setPen(QPen(QColor(now.quiet), 0.5))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(QRectF(x + 0.25, base - max(here, there), width - gap - 0.5, max(here, there)))
        painter.setPen(QPen(QColor(now.line), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        painter.end()


def _between(one: QColor, other: QColor) -> QColor:
    return QColor((one.red() + other.red()) // 2, (one.green() + other.green()) // 2, (one.blue() + other.blue()) // 2)


def _faint(colour: QColor, paper: QColor) -> bool:
    """Say whether a colour is hard to see on paper."""
    return abs(colour.lightnessF() - paper.lightnessF()) < 0.15
