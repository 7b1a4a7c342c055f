"""A photograph to pick colours from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.theme import theme
from app.gui.search.colours.mix import Colour
from app.language.spoken import _

_PICKER_HEIGHT = 112
_PICKER_STEP = 2.0
_LENS = 15.0


class PhotographPicker(QWidget):
    """Shows a photograph with the colour under the pointer enlarged; a click or Enter picks it, arrows move.

    Signals
    -------
    picked(object)
        A :data:`Colour`.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._at: QPointF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_PICKER_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(_("Photo to pick colours from: arrow keys move, Enter picks"))

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the room for the width."""
        return QSize(240, _PICKER_HEIGHT)

    def set_image(self, image: QImage) -> None:
        """Show a photograph."""
        self._image, self._at = image, None
        self.update()

    def image(self) -> QImage:
        """Return the photograph."""
        return self._image

    def box(self) -> QRectF:
        """Return the place of the photograph."""
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(0, 0, size.width(), size.height())
        box.moveCenter(QRectF(self.rect()).center())
        box.moveLeft(0)
        return box

    def colour_at(self, at: QPointF) -> Colour | None:
        """Return the colour at a place: the mean of three by three pixels; None beside the photograph."""
        box = self.box()
        if self._image.isNull() or not box.contains(at):
            return None
        x = int((at.x() - box.left()) / box.width() * self._image.width())
        y = int((at.y() - box.top()) / box.height() * self._image.height())
        around = [
            self._image.pixelColor(column, row)
            for column in range(max(0, x - 1), min(self._image.width(), x + 2))
            for row in range(max(0, y - 1), min(self._image.height(), y + 2))
        ]
        if not around:
            return None
        parts = [(one.red(), one.green(), one.blue()) for one in around]
        red, green, blue = (round(sum(part) / len(parts)) for part in zip(*parts, strict=True))
        return red, green, blue

    def _take(self) -> None:
        colour = None if self._at is None else self.colour_at(self._at)
        if colour is not None:
            self.picked.emit(colour)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the colour under the pointer."""
        self._at = event.position()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the colour under the pointer."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._at = event.position()
            self._take()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the photograph alone."""
        super().leaveEvent(event)
        self._at = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move by keys, and take."""
        step = _PICKER_STEP * (5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        moves = {
            Qt.Key.Key_Left: QPointF(-step, 0),
            Qt.Key.Key_Right: QPointF(step, 0),
            Qt.Key.Key_Up: QPointF(0, -step),
            Qt.Key.Key_Down: QPointF(0, step),
        }
        box = self.box()
        move = moves.get(Qt.Key(event.key()))
        if move is not None:
            at = box.center() if self._at is None else self._at + move
            inner = box.adjusted(1, 1, -1, -1)
            self._at = QPointF(
                min(max(at.x(), inner.left()), inner.right()), min(max(at.y(), inner.top()), inner.bottom())
            )
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._take()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the photograph, and the colour under the pointer."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        box = self.box()
        outline = QPainterPath()
        outline.addRoundedRect(box, 4, 4)
        painter.setClipPath(outline)
        painter.drawImage(box, self._image)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(now.accent if self.hasFocus() else now.line), 2 if self.hasFocus() else 1))
        painter.drawPath(outline)
        colour = None if self._at is None else self.colour_at(self._at)
        if colour is not None and self._at is not None:
            painter.setPen(QPen(QColor("#ffffff"), 2.5))
            painter.setBrush(QColor(*colour))
            lens = self._at + QPointF(0, -_LENS - 8 if self._at.y() > 2 * _LENS + 12 else _LENS + 8)
            painter.drawEllipse(lens, _LENS, _LENS)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(0, 0, 0, 120), 1))
            painter.drawEllipse(lens, _LENS + 1.5, _LENS + 1.5)
            painter.drawEllipse(self._at, 2.5, 2.5)
        painter.end()
