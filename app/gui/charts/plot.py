"""A figure drawn by pyqtgraph, with axes, names and words drawn over it in the small type of the window."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from app.gui.charts.chart_painting import Painting, dark
from app.gui.charts.chart_plan import Plan, plan
from app.gui.charts.curve_item import Line
from app.gui.charts.plot_items import items, marked
from app.gui.look.theme import theme
from app.lab.figures.extent import Span, Values, extent, scaled
from app.lab.figures.figure import Figure

_REACH = 22.0  # pixels from the pointer within which a point is meant
_ZOOM = 1.2
_CLOSEST = 1e-4  # of the whole axis


@dataclass(frozen=True)
class Place:
    """A point of a figure: the number of its series, and its own."""

    series: int
    point: int


class Plot(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph says nothing of its types
    """Draws a figure. It knows the point under the pointer, and the one that the keys are on."""

    point_changed = Signal(object)
    """The `Place` that is pointed at, by pointer or keys, or None."""
    chosen = Signal(object)
    """A `Place`, by a click or Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(220, 200)
        self.setMouseTracking(True)
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self._box.disableAutoRange()
        self._box.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.scene().addItem(self._box)
        self._box.hide()
        self.figure: Figure | None = None
        self.said = ""
        """What is said while there is no figure."""
        self._plan: Plan | None = None
        self._whole: tuple[Span, Span] = ((0.0, 1.0), (0.0, 1.0))
        self._seen: tuple[Span, Span] | None = None  # None: all
        self._at: Place | None = None
        self._key: str | None = None
        self._shown: list[tuple[Values, Values]] = []  # of each series, scaled
        self._pressed: QPointF | None = None
        self._moved = False
        self._paint = Painting(self.font())

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan | None:
        """Where everything lies."""
        return self._plan

    @property
    def place(self) -> Place | None:
        """The point that is pointed at."""
        return self._at

    @property
    def zoomed(self) -> bool:
        """Whether only a part is seen."""
        return self._seen is not None

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size in which curves are read well."""
        return QSize(520, 300)

    def show_figure(self, figure: Figure | None) -> None:
        """Draw a figure; one of the same name stays zoomed as it was. None: nothing."""
        same = figure is not None and self.figure is not None and figure.name == self.figure.name
        place, key = self._at, self._key_at()
        self.figure = figure
        self._at = None
        if not same:
            self._seen = None
        self._shown = (
            [] if figure is None else [(scaled(one.x, figure.x), scaled(one.y, figure.y)) for one in figure.series]
        )
        self._whole = extent(figure) if figure is not None else self._whole
        self.redraw()
        if same and place is not None:  # what was pointed at still is, where it still is
            self._at = self.find(key) if key else None
            self._tell(place)

    def redraw(self) -> None:
        """Draw everything anew, in the colours that hold now."""
        self._box.clear()
        self._box.setVisible(self.figure is not None)
        if self.figure is not None:
            for item in items(self.figure, dark(), self._whole[1][0]):
                self._box.addItem(item, ignoreBounds=True)
        self._lay_out()

    def _lay_out(self) -> None:
        if self.figure is None:
            self._plan = None
            self.viewport().update()
            return
        spans = self._seen or self._whole
        size = (float(self.width()), float(self.height()))
        self._plan = plan(self.figure, spans, size, self._paint.width_of, self._seen is None)
        box = self._plan.plot
        self._box.setGeometry(QRectF(box.left, box.top, box.width, box.height))
        for item in self._box.addedItems:
            if isinstance(item, Line):
                item.fit(self._plan.x, box.width)
        self._box.setRange(xRange=self._plan.x, yRange=self._plan.y, padding=0, update=True, disableAutoRange=True)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay everything out anew."""
        super().resizeEvent(event)
        if hasattr(self, "_plan"):
            self._lay_out()

    # --- pointing ----------------------------------------------------------------------------------------------------

    def highlight(self, key: str | None) -> None:
        """Mark the points of a row of the run; None: none."""
        if key != self._key:
            self._key = key
            self.viewport().update()

    def find(self, key: str) -> Place | None:
        """Return the first point of a row of the run."""
        if self.figure is not None:
            for number, one in enumerate(self.figure.series):
                if key in one.keys:
                    return Place(number, list(one.keys).index(key))
        return None

    def position(self, place: Place) -> QPointF | None:
        """Return where a point lies; None where it is not seen."""
        if self._plan is None or place.series >= len(self._shown):
            return None
        x, y = (float(one[place.point]) for one in self._shown[place.series])
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        (left, right), (low, high) = self._plan.x, self._plan.y
        if not (left <= x <= right and low <= y <= high):
            return None
        return QPointF(float(self._plan.at_x(np.asarray(x))), float(self._plan.at_y(np.asarray(y))))

    def point_near(self, where: QPointF) -> Place | None:
        """Find the nearest point; of equally near, what can be clicked, and what is in front."""
        if self._plan is None or self.figure is None or not self._inside(where):
            return None
        best, found = _REACH, None
        for number, (x, y) in enumerate(self._shown):
            if not len(x):
                continue
            distance = np.hypot(self._plan.at_x(x) - where.x(), self._plan.at_y(y) - where.y())
            distance = np.where(np.isfinite(distance), distance, np.inf)
            at = int(np.argmin(distance))
            near = float(distance[at]) - (4.0 if marked(self.figure.series[number]) else 0.0)  # points before lines
            if near < best:
                best, found = near, Place(number, at)
        return found

    def _inside(self, where: QPointF) -> bool:
        assert self._plan is not None
        box = self._plan.plot
        return QRectF(box.left, box.top, box.width, box.height).adjusted(-8, -8, 8, 8).contains(where)

    def point_at(self, place: Place | None) -> None:
        """Point at a point, or at none."""
        if place != self._at:
            before, self._at = self._at, place
            self._tell(before)

    def _tell(self, before: Place | None) -> None:
        self.viewport().update()
        if before != self._at:
            self.point_changed.emit(self._at)

    def _key_at(self) -> str:
        if self._at is None or self.figure is None:
            return ""
        keys = self.figure.series[self._at.series].keys
        return keys[self._at.point] if len(keys) else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Point at what is near; or move what is seen."""
        where = event.position()
        if self._pressed is not None and self.zoomed and self._plan is not None:
            away = where - self._pressed
            if self._moved or away.manhattanLength() > 4:
                self._moved = True
                self._shift(away.x(), away.y())
                self._pressed = where
            return
        near = self.point_near(where)
        can = near is not None and self._clickable(near)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
        self.point_at(near)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin a click or a move."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._moved = event.position(), False
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose the point that is clicked."""
        if event.button() is Qt.MouseButton.LeftButton and self._pressed is not None and not self._moved:
            near = self.point_near(event.position())
            self.point_at(near)
            if near is not None:
                self.chosen.emit(near)
        self._pressed = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """See all again."""
        self._pressed = None
        self.show_all()
        event.accept()

    def leaveEvent(self, event: Any) -> None:  # noqa: N802 (Qt's name)
        """Point at nothing."""
        del event
        self.point_at(None)

    def _clickable(self, place: Place) -> bool:
        assert self.figure is not None
        keys = self.figure.series[place.series].keys
        return len(keys) > 0 and bool(keys[place.point])

    # --- a part of it ------------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """See the whole figure."""
        if self._seen is not None:
            self._seen = None
            self._lay_out()

    def zoom(self, times: float, around: QPointF | None = None) -> None:
        """See less or more, around a place; never more than all."""
        if self._plan is None:
            return
        box = self._plan.plot
        around = around or QPointF(box.left + box.width / 2, box.top + box.height / 2)
        centre = self._plan.value_at(around.x(), around.y())
        spans = []
        for (low, high), middle, whole in zip((self._plan.x, self._plan.y), centre, self._limits(), strict=True):
            length = min(max((high - low) / times, _CLOSEST * (whole[1] - whole[0])), whole[1] - whole[0])
            start = middle - (middle - low) * length / (high - low)
            spans.append(_within((start, start + length), whole))
        wide = all(
            span[1] - span[0] >= 0.999 * (all_[1] - all_[0]) for span, all_ in zip(spans, self._limits(), strict=True)
        )
        self._seen = None if wide else (spans[0], spans[1])
        self._lay_out()

    def _limits(self) -> tuple[Span, Span]:
        """Return all there is: of equal units, as they are widened."""
        assert self._plan is not None
        assert self.figure is not None
        if self.figure.equal:
            size = (float(self.width()), float(self.height()))
            all_ = plan(self.figure, self._whole, size, self._paint.width_of, True)
            return all_.x, all_.y
        return self._whole

    def _shift(self, right: float, down: float) -> None:
        assert self._plan is not None
        box, limits = self._plan.plot, self._limits()
        (left, to), (low, high) = self._plan.x, self._plan.y
        x, y = -right / box.width * (to - left), down / box.height * (high - low)
        self._seen = _within((left + x, to + x), limits[0]), _within((low + y, high + y), limits[1])
        self._lay_out()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom; where the chart lies among others in what scrolls, only with Ctrl, so that scrolling goes on."""
        if self.wheel_scrolls() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self._plan is not None and turned and self._inside(event.position()):
            self.zoom(_ZOOM ** (turned / 120), event.position())
            self.point_at(self.point_near(event.position()))
        event.accept()

    def wheel_scrolls(self) -> bool:
        """Return whether the wheel belongs to what the chart lies in."""
        from PySide6.QtWidgets import QScrollArea

        above = self.parentWidget()
        while above is not None:
            if isinstance(above, QScrollArea):
                return above.verticalScrollBar().maximum() > 0
            above = above.parentWidget()
        return False

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go from point to point, choose one, or see less and more."""
        key = event.key()
        moves = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
        plain_key = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if not plain_key or self.figure is None:
            event.ignore()
        elif key in moves:
            self._step(*moves[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._at is not None:
            self._step(0, -(10**9) if key == Qt.Key.Key_Home else 10**9)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at is not None:
            self.chosen.emit(self._at)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_ZOOM, None if self._at is None else self.position(self._at))
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / _ZOOM)
        elif key == Qt.Key.Key_0 and self.zoomed:
            self.show_all()
        elif key == Qt.Key.Key_Escape and (self._at is not None or self.zoomed):
            self.point_at(None) if self._at is not None else self.show_all()
        else:
            event.ignore()

    def _step(self, series: int, along: int) -> None:
        """Go along a curve in the order of x; or to the nearest point of another."""
        full = [number for number, (x, y) in enumerate(self._shown) if np.isfinite(x * y).any()]
        if not full:
            return
        if self._at is None or self._at.series not in full:
            self.point_at(Place(full[0], self._order(full[0])[0]))
            return
        if series:
            other = full[(full.index(self._at.series) + series) % len(full)]
            x = float(self._shown[self._at.series][0][self._at.point])
            order = self._order(other)
            self.point_at(Place(other, min(order, key=lambda one: abs(float(self._shown[other][0][one]) - x))))
            return
        order = self._order(self._at.series)
        step = along if abs(along) > 1 or len(order) <= 200 else along * (len(order) // 100)
        self.point_at(Place(self._at.series, order[min(max(order.index(self._at.point) + step, 0), len(order) - 1)]))

    def _order(self, series: int) -> list[int]:
        x, y = self._shown[series]
        good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        return [int(one) for one in good[np.argsort(x[good], kind="stable")]]

    def focusInEvent(self, event: Any) -> None:  # noqa: N802 (Qt's name)
        """Show that the keys are here."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: Any) -> None:  # noqa: N802 (Qt's name)
        """Show that the keys are elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    # --- painting ----------------------------------------------------------------------------------------------------

    def drawBackground(self, painter: QPainter, rect: Any) -> None:  # noqa: N802 (Qt's name)
        """Paint the grid and what the axes say."""
        del rect
        painter.fillRect(self.rect(), QColor(theme().paper))
        if self._plan is None or self.figure is None:
            self._paint.words_alone(painter, self.rect(), self.said)
        else:
            self._paint.axes(painter, self._plan, self.figure, float(self.width()))

    def drawForeground(self, painter: QPainter, rect: Any) -> None:  # noqa: N802 (Qt's name)
        """Paint lines across, names, words at points, and the point that is meant."""
        del rect
        if self._plan is None or self.figure is None:
            return
        pointed = None if self._at is None else self._at.series
        self._paint.over(painter, self._plan, self.figure, pointed)
        for place, width in self._meant(self.figure):
            where = self.position(place)
            if where is not None:
                self._paint.ring(painter, where, self.figure.series[place.series].place, width)

    def _meant(self, figure: Figure) -> list[tuple[Place, float]]:
        """Return the points of the row that is lit, and the point that is pointed at."""
        rings = [
            (Place(number, point), 1.6)
            for number, one in enumerate(figure.series)
            for point, key in enumerate(one.keys)
            if self._key and key == self._key
        ]
        return [*rings, *([] if self._at is None else [(self._at, 2.0)])]


def _within(span: Span, whole: Span) -> Span:
    """Move a span into another."""
    low = min(max(span[0], whole[0]), max(whole[0], whole[1] - (span[1] - span[0])))
    return low, min(low + (span[1] - span[0]), whole[1])
