"""The field of all colours: a square of purity and brightness, and a line of hues."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QVBoxLayout, QWidget

from app.gui.look.theme import theme
from app.gui.search.colours.mix import Colour
from app.language.spoken import _

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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._square)
        column.addWidget(self._hue)
        self.set_colour((215, 50, 47))

    def colour(self) -> Colour:
        """Return the colour that is shown."""
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
        self._square.tell()

    def _on_hue(self, hue: int) -> None:
        self._square.hue = hue % _HUES
        self._square.tell()
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
        self.tell()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as there is room."""
        return QSize(240, _HEIGHT)

    def tell(self) -> None:
        """Update texts and drawing."""
        self.setAccessibleName(
            _("Purity {pure} %, brightness {bright} %", pure=round(100 * self.pure), bright=round(100 * self.bright))
        )
        self.update()

    def _room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(1, 1, -1, -1)

    def _go(self, pure: float, bright: float) -> None:
        self.pure, self.bright = max(0.0, min(1.0, pure)), max(0.0, min(1.0, bright))
        self.tell()
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
    """Paint a ring that is seen on every colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(0, 0, 0, 140), 3.5))
    painter.drawEllipse(at, 6, 6)
    painter.setPen(QPen(QColor(theme().accent if focus else "#ffffff"), 2))
    painter.drawEllipse(at, 6, 6)
