"""The ring around the card that has the keys."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.gui.look.theme import theme

_RADIUS = 8


def draw_focus(widget: QWidget) -> None:
    """Draw the ring, if the keys go to the widget; within its paint event, after all else."""
    if widget.hasFocus():
        painter = QPainter(widget)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().accent), 2))
        painter.drawRoundedRect(QRectF(widget.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.end()
