"""A figure that mouse and keys work on: they point at its points, choose one, and see less and more."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.gui.charts.chart_plan import ChartPlan
from app.gui.charts.figure_view import FigureView
from app.gui.charts.points import PointPlace, nearest_point, point_along, point_beside

_ZOOM = 1.2
_DRAGGED = 4  # pixels from which on a press is no click


class Plot(FigureView):
    """Draws a figure. It knows the point under the pointer, and the one that the keys are on."""

    chosen = Signal(object)
    """A `Place`, by a click or Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._pressed: QPointF | None = None
        self._dragged = False

    def point_near(self, where: QPointF) -> PointPlace | None:
        """Find the point that is meant by a place; None where there is none near."""
        return None if self.plan is None else nearest_point(self.plan, where)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Point at what is near; or move what is seen."""
        where = event.position()
        if self._pressed is not None and self.zoomed:
            away = where - self._pressed
            if self._dragged or away.manhattanLength() > _DRAGGED:
                self._dragged, self._pressed = True, where
                self.drag(away)
            return
        found = self.point_near(where)
        self.setCursor(Qt.CursorShape.PointingHandCursor if self.key_of(found) else Qt.CursorShape.ArrowCursor)
        self.point_at(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin a click or a move."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose the point that is clicked."""
        if event.button() is Qt.MouseButton.LeftButton and self._pressed is not None and not self._dragged:
            found = self.point_near(event.position())
            self.point_at(found)
            if found is not None:
                self.chosen.emit(found)
        self._pressed = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """See all again."""
        self._pressed = None
        self.show_all()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Point at nothing."""
        del event
        self.point_at(None)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom; where the chart lies among others in what scrolls, only with Ctrl, so that scrolling goes on."""
        if self._wheel_scrolls() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self.plan is not None and turned and QRectF(*self.plan.plot).contains(event.position()):
            self.zoom(_ZOOM ** (turned / 120), event.position())
            self.point_at(self.point_near(event.position()))
        event.accept()

    def _wheel_scrolls(self) -> bool:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return isinstance(above, QScrollArea) and above.verticalScrollBar().maximum() > 0

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go from point to point, choose one, or see less and more."""
        extra = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if extra or self.plan is None or not self._does(Qt.Key(event.key()), self.plan):
            event.ignore()

    def _does(self, key: Qt.Key, made: ChartPlan) -> bool:
        """Do what a key says; False where it says nothing."""
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        updown = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        ends = {Qt.Key.Key_Home: float("-inf"), Qt.Key.Key_End: float("inf")}
        if key in sideways:
            self.point_at(point_along(made, self.place, sideways[key]))
        elif key in updown:
            self.point_at(point_beside(made, self.place, updown[key]))
        elif key in ends and self.place is not None:
            self.point_at(point_along(made, self.place, ends[key]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.place is not None:
            self.chosen.emit(self.place)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_ZOOM, None if self.place is None else self.position(self.place))
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / _ZOOM)
        elif key == Qt.Key.Key_Escape and self.place is not None:
            self.point_at(None)
        elif key in (Qt.Key.Key_0, Qt.Key.Key_Escape) and self.zoomed:
            self.show_all()
        else:
            return False
        return True
