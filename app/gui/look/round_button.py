"""Round buttons that lie on a photograph."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.gui.look.painted_button import PaintedButton
from app.gui.look.theme import theme

SIDE = 40
_LINES = {
    "previous": ((3, -7), (-4, 0), (3, 7)),
    "next": ((-3, -7), (4, 0), (-3, 7)),
}


class RoundSign(PaintedButton):
    """A round button with a sign: ``previous``, ``next`` or ``close``. For the pointer: keys do the same."""

    def __init__(self, sign: str, name: str, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._sign = sign
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(SIDE, SIDE)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({key})")
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the sign on a veil."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(now.well if self.isDown() else now.paper)
        veil.setAlphaF(0.95 if self.underMouse() else 0.75)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        painter.drawEllipse(QRectF(self.rect()).adjusted(2, 2, -2, -2))
        ink = QColor(now.accent if self.underMouse() else now.ink)
        painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        middle = QPointF(SIDE / 2, SIDE / 2)
        if self._sign == "close":
            for slope in (1, -1):
                painter.drawLine(middle + QPointF(-5, -5 * slope), middle + QPointF(5, 5 * slope))
        else:
            painter.drawPolyline([middle + QPointF(x, y) for x, y in _LINES[self._sign]])
        painter.end()
