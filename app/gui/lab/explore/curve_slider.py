"""A slider over stops, with the curve of what is known along it: the handle is the present place on that curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.theme import theme

_CURVE = 34
_GROOVE = 14
_SIDE = 9
_HANDLE = 7.0
_PAGE = 4  # stops of a page: a doubling, where the slider goes by factors


@dataclass(frozen=True)
class CurvePoint:
    """A measured stop of the slider: its recall, and whether that is exact."""

    stop: int
    value: float
    exact: bool


class CurveSlider(QWidget):
    """Chooses one of some stops.

    Signals
    -------
    moved(int)
        The person has moved it to a stop; also while dragging.
    held(bool)
        It is being dragged now, or no longer.
    reset()
        It is to go back to its default.
    looked_at()
        The keys or the pointer have come to it.
    """

    moved = Signal(int)
    held = Signal(bool)
    reset = Signal()
    looked_at = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stops, self._place, self._default, self._words = 2, 0, 0, ("", "")
        self._points: Sequence[CurvePoint] = ()
        self._pinned = -1
        self._drags = False
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide, and as high as curve and groove."""
        return QSize(200, _CURVE + _GROOVE + 4)

    def set_stops(self, count: int, place: int, default: int, words: tuple[str, str]) -> None:
        """Show how many stops there are, which holds and is usual, and what stands at both ends."""
        self._stops, self._place, self._default, self._words = count, place, default, words
        self.update()

    def set_points(self, points: Sequence[CurvePoint], pinned: int = -1) -> None:
        """Show what is known along it, and where the pinned setting stands."""
        if (list(points), pinned) != (list(self._points), self._pinned):
            self._points, self._pinned = list(points), pinned
            self.update()

    def place(self) -> int:
        """Return the stop that holds."""
        return self._place

    def points(self) -> Sequence[CurvePoint]:
        """Return what is shown along it."""
        return self._points

    def x_of(self, stop: int) -> float:
        """Return where a stop lies."""
        return _SIDE + (self.width() - 2 * _SIDE) * stop / max(1, self._stops - 1)

    def stop_at(self, x: float) -> int:
        """Return the stop that lies nearest."""
        share = (x - _SIDE) / max(1, self.width() - 2 * _SIDE)
        return min(max(0, round(share * (self._stops - 1))), self._stops - 1)

    def _move(self, place: int) -> None:
        place = min(max(0, place), self._stops - 1)
        if place != self._place:
            self._place = place
            self.update()
            self.moved.emit(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin to drag, from where it is pressed."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drags = True
            self.held.emit(True)
            self._move(self.stop_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Drag."""
        if self._drags:
            self._move(self.stop_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let go."""
        if self._drags and event.button() == Qt.MouseButton.LeftButton:
            self._drags = False
            self.held.emit(False)

    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Go back to the default."""
        self._drags = False
        self.held.emit(False)
        self.reset.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with arrows, pages, Home and End; Delete goes back to the default."""
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageDown: -_PAGE, Qt.Key.Key_PageUp: _PAGE, Qt.Key.Key_Home: -self._stops,
            Qt.Key.Key_End: self._stops,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps and event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            self._move(self._place + steps[key])
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.reset.emit()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Let the page scroll."""
        event.ignore()

    def enterEvent(self, _: object) -> None:  # noqa: N802 (Qt's name)
        """Report that it is seen."""
        self.looked_at.emit()
        self.update()

    def leaveEvent(self, _: object) -> None:  # noqa: N802 (Qt's name)
        """Be quiet again."""
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Report that it is seen."""
        self.looked_at.emit()
        super().focusInEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the curve over the groove, and the handle under its present point."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        self._paint_curve(painter)
        groove = _CURVE + _GROOVE / 2
        painter.setPen(QPen(QColor(now.line), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(_SIDE, groove), QPointF(self.width() - _SIDE, groove))
        usual = self.x_of(self._default)
        painter.setPen(QPen(QColor(now.quiet), 1.5))
        painter.drawLine(QPointF(usual, groove - 5), QPointF(usual, groove + 5))
        if self._pinned >= 0:
            at = self.x_of(self._pinned)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.warn))
            painter.drawPolygon([QPointF(at - 4, groove + 9), QPointF(at + 4, groove + 9), QPointF(at, groove + 3)])
        x = self.x_of(self._place)
        lively = self.hasFocus() or self.underMouse() or self._drags
        painter.setPen(QPen(QColor(now.ink if self.hasFocus() else now.accent), 2))
        painter.setBrush(QColor(now.accent if lively else now.paper))
        painter.drawEllipse(QPointF(x, groove), _HANDLE, _HANDLE)
        painter.end()

    def _paint_curve(self, painter: QPainter) -> None:
        now = theme()
        painter.setPen(QPen(QColor(now.well), 1))
        for share in (0.0, 0.5, 1.0):
            y = self._y(share)
            painter.drawLine(QPointF(_SIDE, y), QPointF(self.width() - _SIDE, y))
        pale, firm = QColor(now.accent), QColor(now.accent)
        pale.setAlphaF(0.45)
        places = [QPointF(self.x_of(one.stop), self._y(one.value)) for one in self._points]
        for (one, a), (other, b) in zip(
            zip(self._points, places, strict=True), list(zip(self._points, places, strict=True))[1:], strict=False
        ):
            painter.setPen(QPen(firm if one.exact and other.exact else pale, 1.4))
            painter.drawLine(a, b)
        for point, at in zip(self._points, places, strict=True):
            here = point.stop == self._place
            colour = firm if point.exact else pale
            painter.setPen(QPen(colour, 1.2))
            painter.setBrush(colour if point.exact or here else QColor(now.paper))
            painter.drawEllipse(at, 3.6 if here else 1.8, 3.6 if here else 1.8)
            if here:
                painter.setPen(QPen(pale, 1, Qt.PenStyle.DotLine))
                painter.drawLine(at, QPointF(at.x(), _CURVE + _GROOVE / 2))

    def _y(self, value: float) -> float:
        return QRectF(0, 4, 1, _CURVE - 8).bottom() - (_CURVE - 8) * min(max(value, 0.0), 1.0)
