"""Two pictures side by side, with lines between the places that agree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.theme import theme

Line = tuple[tuple[float, float], tuple[float, float]]
"""A place in the left picture and one in the right, as shares of width and height."""

_GAP = 8
_HIGHEST = 176


class Pair(QWidget):
    """What was asked with and a photograph that was found, as large as the width allows, neither cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left, self._right = QPixmap(), QPixmap()
        self._lines: tuple[Line, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("What was asked with, and the photograph that was found"))

    def set_pictures(self, left: bytes | None, right: bytes | None) -> None:
        """Show two pictures (JPEG)."""
        self._left, self._right = QPixmap(), QPixmap()
        for pixmap, image in ((self._left, left), (self._right, right)):
            if image:
                pixmap.loadFromData(image)
        self._lines = ()
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Join places; no line, no sign of lines."""
        self._lines = tuple(lines)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As high as the width asks for."""
        return QSize(256, self.heightForWidth(self.width() or 256))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Give the height at which both fill the width."""
        shapes = [_shape(self._left), _shape(self._right)]
        return max(48, min(_HIGHEST, round((width - _GAP) / sum(shapes))))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height that the width asks for."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def boxes(self) -> tuple[QRectF, QRectF]:
        """Give where the pictures are drawn."""
        height = self.height()
        left, right = (_shape(pixmap) * height for pixmap in (self._left, self._right))
        return QRectF(0, 0, left, height), QRectF(left + _GAP, 0, right, height)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw both, and the lines."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        boxes = self.boxes()
        for pixmap, box in zip((self._left, self._right), boxes, strict=True):
            outline = QPainterPath()
            outline.addRoundedRect(box, 4, 4)
            painter.fillPath(outline, QColor(now.well))
            if not pixmap.isNull():
                painter.save()
                painter.setClipPath(outline)
                painter.drawPixmap(box, pixmap, QRectF(pixmap.rect()))
                painter.restore()
                painter.setPen(QPen(QColor(now.line), 1))  # white pictures end somewhere too
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        for start, end in self._lines:
            here, there = (_place(box, at) for box, at in zip(boxes, (start, end), strict=True))
            painter.setPen(QPen(QColor(now.accent), 1))
            painter.drawLine(here, there)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.accent))
            painter.drawEllipse(here, 2, 2)
            painter.drawEllipse(there, 2, 2)
        painter.end()


def _shape(pixmap: QPixmap) -> float:
    return pixmap.width() / pixmap.height() if pixmap.height() else 1.0


def _place(box: QRectF, at: tuple[float, float]) -> QPointF:
    return QPointF(box.left() + at[0] * box.width(), box.top() + at[1] * box.height())
