"""A thin line that says how far work is."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.gui.look.theme import theme


class ThinBar(QWidget):
    """Shows a share from 0 to 1; below 0 nothing runs, and only its room is there, so that nothing jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(3)
        self.share = -1.0

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint what is done."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme().well if self.share >= 0 else theme().ground))
        if self.share > 0:
            painter.fillRect(0, 0, round(self.width() * self.share), self.height(), QColor(theme().accent))
        painter.end()
