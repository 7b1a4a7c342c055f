"""The tools of a sketch: small painted buttons in a row."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPainterPath, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QWidget

from app.gui.look.painted_button import PaintedButton
from app.gui.look.theme import theme

SIDE = 28
_ROUND = 6


class Tool(PaintedButton):
    """A tool: ``brush``, ``eraser``, ``undo``, ``redo``, ``clear``, or a dot for a size of the brush.

    Parameters
    ----------
    sign : str
        One of these, or the radius of the dot in pixels.
    name : str
    key : str
        Bound in the widget that ``within`` is; shown in the tooltip.
    within : QWidget
    """

    def __init__(self, sign: str, name: str, key: str, within: QWidget) -> None:
        super().__init__(within)
        self._sign = sign
        self.setFixedSize(SIDE, SIDE)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)})")
        shortcut = QShortcut(QKeySequence(key), within)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.click)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the sign, and whether it is chosen."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.isDown() or (self.underMouse() and self.isEnabled()):
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(box, _ROUND, _ROUND)
        if self.hasFocus() or self.isChecked():
            painter.setPen(QPen(QColor(now.accent), 2 if self.hasFocus() else 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, _ROUND, _ROUND)
        painter.setOpacity(1 if self.isEnabled() else 0.35)
        ink = QColor(now.ink)
        painter.setPen(QPen(ink, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.translate(SIDE / 2, SIDE / 2)
        if self._sign.isdigit():
            painter.setBrush(ink)
            painter.drawEllipse(QPointF(0, 0), float(self._sign), float(self._sign))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(_path(self._sign))
        painter.end()


def _path(sign: str) -> QPainterPath:
    """Return the lines of a sign, around (0, 0)."""
    path = QPainterPath()
    if sign == "brush":
        path.moveTo(8, -8)
        path.lineTo(-1, 1)
        path.moveTo(-1, -1)
        path.cubicTo(-6, -1, -4, 5, -8, 7)
        path.cubicTo(-4, 8, 2, 7, 1, 1)
        path.closeSubpath()
    elif sign == "eraser":
        path.moveTo(-7, 2)
        path.lineTo(2, -7)
        path.lineTo(8, -1)
        path.lineTo(1, 6)
        path.lineTo(-3, 6)
        path.closeSubpath()
        path.moveTo(-3, -2)
        path.lineTo(3, 4)
        path.moveTo(-4, 8)
        path.lineTo(7, 8)
    elif sign in ("undo", "redo"):
        turn = -1 if sign == "redo" else 1
        path.moveTo(-3 * turn, -7)
        path.lineTo(-7 * turn, -3)
        path.lineTo(-3 * turn, 1)
        path.moveTo(-7 * turn, -3)
        path.cubicTo(6 * turn, -4, 9 * turn, 1, 5 * turn, 6)
    else:  # clear: a bin
        path.moveTo(-7, -5)
        path.lineTo(7, -5)
        path.moveTo(-2, -8)
        path.lineTo(2, -8)
        path.moveTo(-5, -5)
        path.lineTo(-4, 7)
        path.lineTo(4, 7)
        path.lineTo(5, -5)
    return path
