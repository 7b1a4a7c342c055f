"""The pickers of any colour with the pointer: the field of all colours, and a photograph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import colour_actions
from twinlens.app.gui.look.page_parts import column_of
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.search.colours.palette import Colour
from twinlens.app.language.texts import _

_HEIGHT = 88
_STEP = 0.02
_HUES = 360


class ColourField(QWidget):
    """Chooses any colour, and shows the chosen one.

    Signals
    -------
    colour_changed(object)
        A :data:`Colour`, while it is dragged too.
    """

    colour_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._square = _Square(self)
        self._hue = _HueLine(self)
        self._hue.setAccessibleName(_("Hue"))
        self._hue.setToolTip(_("Hue"))
        self._square.moved.connect(self._on_changed)
        self._hue.valueChanged.connect(self._on_hue)
        column_of(self._square, self._hue, on=self, gap=6, margins=0)
        self.set_colour((215, 50, 47))

    def colour(self) -> Colour:
        """Return the visible colour."""
        made = QColor.fromHsvF(self._square.hue / _HUES, self._square.pure, self._square.bright)
        return made.red(), made.green(), made.blue()

    def set_colour(self, colour: Colour) -> None:
        """Show a colour; a grey leaves the hue where it is."""
        if colour == self.colour():
            return
        made = QColor(*colour)
        self._square.pure, self._square.bright = made.hsvSaturationF(), made.valueF()
        if made.hsvHue() >= 0:
            self._square.hue = made.hsvHue() % _HUES
            self._hue.blockSignals(True)
            self._hue.setValue(self._square.hue)
            self._hue.blockSignals(False)
        self._square.refresh()

    def _on_hue(self, hue: int) -> None:
        self._square.hue = hue % _HUES
        self._square.refresh()
        self._on_changed()

    def _on_changed(self) -> None:
        self.colour_changed.emit(self.colour())


class _Square(QWidget):
    """Pure to the right, bright upward; arrows move, Shift with arrows goes far."""

    moved = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hue, self.pure, self.bright = 0, 0.78, 0.84
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)
        self.setToolTip(_("Purer to the right, brighter to the top"))
        self.refresh()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as there is room."""
        return QSize(240, _HEIGHT)

    def refresh(self) -> None:
        """Update texts and drawing."""
        self.setAccessibleName(
            _("Purity {pure} %, brightness {bright} %", pure=round(100 * self.pure), bright=round(100 * self.bright))
        )
        self.update()

    def _room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(1, 1, -1, -1)

    def _go(self, pure: float, bright: float) -> None:
        self.pure, self.bright = max(0.0, min(1.0, pure)), max(0.0, min(1.0, bright))
        self.refresh()
        self.moved.emit()

    def _follow(self, at: QPointF) -> None:
        room = self._room()
        self._go((at.x() - room.left()) / room.width(), 1 - (at.y() - room.top()) / room.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Go there."""
        self._follow(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the pointer."""
        self._follow(event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move by keys."""
        step = _STEP * (5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        moves = {
            Qt.Key.Key_Left: (-step, 0.0),
            Qt.Key.Key_Right: (step, 0.0),
            Qt.Key.Key_Up: (0.0, step),
            Qt.Key.Key_Down: (0.0, -step),
        }
        move = moves.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
        else:
            self._go(self.pure + move[0], self.bright + move[1])

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the square and where the colour is in it."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = self._room()
        outline = QPainterPath()
        outline.addRoundedRect(room, 6, 6)
        for end, first, last in (
            (room.topRight(), QColor("#ffffff"), QColor.fromHsv(self.hue, 255, 255)),
            (room.bottomLeft(), QColor(0, 0, 0, 0), QColor(0, 0, 0, 255)),
        ):
            gradient = QLinearGradient(room.topLeft(), end)
            gradient.setColorAt(0, first)
            gradient.setColorAt(1, last)
            painter.fillPath(outline, gradient)
        painter.setPen(QPen(QColor(now.accent if self.hasFocus() else now.line), 2 if self.hasFocus() else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)
        painter.setClipPath(outline)
        at = QPointF(
            max(7.0, min(self.width() - 7.0, room.left() + self.pure * room.width())),
            max(7.0, min(self.height() - 7.0, room.bottom() - self.bright * room.height())),
        )
        paint_ring(painter, at)
        painter.end()


class _HueLine(QSlider):
    """All hues in a line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, _HUES - 1)
        self.setPageStep(15)
        self.setFixedHeight(18)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Go where the pointer is, not a page in its direction."""
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the pointer."""
        self._follow(event)

    def _follow(self, event: QMouseEvent) -> None:
        share = (event.position().x() - 9) / max(1, self.width() - 18)
        self.setValue(round(share * (_HUES - 1)))

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the hues, and the handle."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(1, 4, self.width() - 2, self.height() - 8)
        gradient = QLinearGradient(room.topLeft(), room.topRight())
        for part in range(7):
            gradient.setColorAt(part / 6, QColor.fromHsv(part * 60 % _HUES, 255, 255))
        painter.setPen(QPen(QColor(now.line), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(room, 5, 5)
        share = self.value() / (_HUES - 1)
        paint_ring(painter, QPointF(9 + share * (self.width() - 18), self.height() / 2), self.hasFocus())
        painter.end()


def paint_ring(painter: QPainter, at: QPointF, focus: bool = False) -> None:
    """Paint a ring that is visible on every colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(0, 0, 0, 140), 3.5))
    painter.drawEllipse(at, 6, 6)
    painter.setPen(QPen(QColor(theme().accent if focus else "#ffffff"), 2))
    painter.drawEllipse(at, 6, 6)


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
        attach(self, colour_actions(), {"pick": self._take})

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
