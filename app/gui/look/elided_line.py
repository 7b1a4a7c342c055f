"""A line of quiet words that ends in dots where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from app.gui.look.theme import theme


class ElidedLine(QLabel):
    """Shows it; whoever sets its words gives them as a tooltip, too."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint it."""
        del event
        painter = QPainter(self)
        painter.setPen(QColor(theme().quiet))
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()
