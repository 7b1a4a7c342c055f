"""A figure view shows a figure that mouse and keys explore: they point at its points, choose one, zoom and move."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollArea, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.lab_actions import chart_actions
from twinlens.app.gui.charts.chart_pen import ChartPen, chart_font
from twinlens.app.gui.charts.chart_points import (
    PointPlace,
    nearest_point,
    point_along,
    point_beside,
    point_position,
    points_of_row,
    row_key,
    tick_text,
)
from twinlens.app.gui.look.theme import theme
from twinlens.app.lab.figures.axes import Span, extent
from twinlens.app.lab.figures.chart_plan import ChartPlan, plan_chart
from twinlens.app.lab.figures.figure import Figure
from twinlens.app.lab.figures.painting import paint_axes, paint_data, paint_labels, paint_names

_ZOOM = 1.2
_DRAGGED = 4  # movement from which a press is a drag, px
_LIT, _POINTED = 1.6, 2.0  # widths of rings

Spans = tuple[Span, Span]
"""The visible part of both axes, scaled."""


class FigureView(QWidget):
    """Draws a figure, or a part of it, with rings around highlighted points."""

    point_changed = Signal(object)
    """The `PointPlace` under the pointer or the focus, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(220, 200)
        self.said = ""
        """Text in place of a figure."""
        self.figure: Figure | None = None
        """The drawn figure; None without one."""
        self.place: PointPlace | None = None
        """The point under the pointer or the focus."""
        self._whole: Spans = ((0.0, 1.0), (0.0, 1.0))
        self._seen: Spans | None = None  # None: all
        self._key: str | None = None
        self._font = chart_font(self.font())
        self._plan: ChartPlan | None = None  # made when it is needed
        self._picture: QPixmap | None = None  # everything that does not change while the pointer moves

    # --- content -----------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> ChartPlan | None:
        """Return the plan of the figure; None without a figure."""
        if self._plan is None and self.figure is not None:
            self._plan = self._planned(self.figure, self._seen)
        return self._plan

    @property
    def zoomed(self) -> bool:
        """Return whether only a part of the figure is visible."""
        return self._seen is not None

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size in which curves are legible."""
        return QSize(520, 300)

    def show_figure(self, figure: Figure | None) -> None:
        """Draw a figure, or nothing for None; one of the same name keeps its zoom and highlighted row."""
        same = figure is not None and self.figure is not None and figure.name == self.figure.name
        before, key = self.place, self.key_of(self.place) if same else ""
        self.figure = figure
        self._seen = self._seen if same else None
        self._whole = self._whole if figure is None else extent(figure)
        self._lay_out()
        self.place = next(iter(points_of_row(figure, key)), None) if figure is not None else None
        if before is not None and self.place != before:
            self.point_changed.emit(self.place)

    def _lay_out(self) -> None:
        self._plan = None
        self.redraw()

    def _planned(self, figure: Figure, seen: Spans | None) -> ChartPlan:
        size = (float(self.width()), float(self.height()))
        width_of = QFontMetricsF(self._font).horizontalAdvance
        return plan_chart(figure, seen or self._whole, size, width_of, seen is None, tick_text)

    def redraw(self) -> None:
        """Repaint everything in the current colours."""
        self._picture = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay everything out again."""
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and hasattr(self, "_picture"):
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the figure, from a kept picture if unchanged, with names and rings over it."""
        del event
        if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatioF():
            self._picture = self._painted()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        if self.plan is not None:
            pen, series = ChartPen(painter, self._font), self.plan.figure.series
            paint_names(pen, self.plan, None if self.place is None else self.place.series)
            lit = [(one, _LIT) for one in points_of_row(self.plan.figure, self._key)]
            for place, width in [*lit, *([] if self.place is None else [(self.place, _POINTED)])]:
                where = self.position(place)
                if where is not None:
                    pen.ring(where, series[place.series].place, width)
        painter.end()

    def _painted(self) -> QPixmap:
        """Return a picture of everything that does not change while the pointer moves."""
        picture = QPixmap(self.size() * self.devicePixelRatioF())
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        picture.fill(QColor(theme().paper))
        painter = QPainter(picture)
        pen = ChartPen(painter, self._font)
        if self.plan is None:
            pen.words_alone(QRectF(self.rect()), self.said)
        else:
            paint_axes(pen, self.plan)
            paint_data(pen, self.plan)
            paint_labels(pen, self.plan)
        painter.end()
        return picture

    # --- pointing ----------------------------------------------------------------------------------------------------

    def highlight(self, key: str | None) -> None:
        """Mark the points of a row of the run; None: none."""
        if key != self._key:
            self._key = key
            self.update()

    def key_of(self, place: PointPlace | None) -> str:
        """Return the row of the run that a point belongs to; empty where there is none."""
        return "" if place is None or self.figure is None else row_key(self.figure, place)

    def position(self, place: PointPlace) -> QPointF | None:
        """Return the position of a point in pixels; None where it is not visible."""
        return None if self.plan is None else point_position(self.plan, place)

    def point_at(self, place: PointPlace | None) -> None:
        """Point at a point, or at none."""
        if place != self.place:
            self.place = place
            self.update()
            self.point_changed.emit(place)

    # --- zoom --------------------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Show the whole figure."""
        self._see(None)

    def zoom(self, times: float, around: QPointF | None = None) -> None:
        """Zoom around a position, out to the whole figure at most."""
        if self.plan is not None:
            around = around or QRectF(*self.plan.plot).center()
            centre = self.plan.value_at(around.x(), around.y())
            self._see(zoomed_spans((self.plan.x, self.plan.y), self._limits(self.plan.figure), times, centre))

    def drag(self, away: QPointF) -> None:
        """Move the visible part like a sheet of paper."""
        if self.plan is not None:
            (left, right), (low, high) = seen = self.plan.x, self.plan.y
            x, y = (left - right) * away.x() / self.plan.plot.width, (high - low) * away.y() / self.plan.plot.height
            self._see(moved_spans(seen, self._limits(self.plan.figure), x, y))

    def _limits(self, figure: Figure) -> Spans:
        """Return the whole extent of a figure, widened where its units are equal."""
        if not figure.equal:
            return self._whole
        made = self._planned(figure, None)
        return made.x, made.y

    def _see(self, seen: Spans | None) -> None:
        if seen != self._seen:
            self._seen = seen
            self._lay_out()


class Plot(FigureView):
    """A figure view with pointer and keys: one point is under the pointer, one has the focus."""

    chosen = Signal(object)
    """The `PointPlace` that was clicked or entered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._pressed: QPointF | None = None
        self._dragged = False
        acts = {"choose": self._choose, "closer": self._zoom_in, "further": self._zoom_out, "whole": self.show_all}
        attach(self, chart_actions(), acts)

    def point_near(self, where: QPointF) -> PointPlace | None:
        """Return the point near a position, or None."""
        return None if self.plan is None else nearest_point(self.plan, where)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Point at a near point, or move the visible part."""
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
        """Show the whole figure again."""
        self._pressed = None
        self.show_all()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Point at nothing."""
        del event
        self.point_at(None)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom; in a scrolling board only with Ctrl, so that scrolling goes on."""
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
        """Step from point to point."""
        extra = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if extra or self.plan is None or not self._does(Qt.Key(event.key()), self.plan):
            event.ignore()

    def _choose(self) -> None:
        if self.place is not None:
            self.chosen.emit(self.place)

    def _zoom_in(self) -> None:
        if self.plan is not None:
            self.zoom(_ZOOM, None if self.place is None else self.position(self.place))

    def _zoom_out(self) -> None:
        if self.plan is not None:
            self.zoom(1 / _ZOOM)

    def _does(self, key: Qt.Key, made: ChartPlan) -> bool:
        """Handle a key, and return whether it has a meaning."""
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        updown = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        ends = {Qt.Key.Key_Home: float("-inf"), Qt.Key.Key_End: float("inf")}
        if key in sideways:
            self.point_at(point_along(made, self.place, sideways[key]))
        elif key in updown:
            self.point_at(point_beside(made, self.place, updown[key]))
        elif key in ends and self.place is not None:
            self.point_at(point_along(made, self.place, ends[key]))
        elif key == Qt.Key.Key_Escape and self.place is not None:
            self.point_at(None)
        elif key == Qt.Key.Key_Escape and self.zoomed:
            self.show_all()
        else:
            return False
        return True


_CLOSEST = 1e-4  # least visible part of an axis
_ALL = 0.999  # part of an axis that counts as the whole


def zoomed_spans(seen: Spans, whole: Spans, times: float, around: tuple[float, float]) -> Spans | None:
    """Return the visible spans after a zoom around a position; None for the whole."""
    x, y = (_zoomed(seen[axis], whole[axis], times, around[axis]) for axis in (0, 1))
    all_seen = all(end - start >= _ALL * (high - low) for (start, end), (low, high) in zip((x, y), whole, strict=True))
    return None if all_seen else (x, y)


def moved_spans(seen: Spans, whole: Spans, x: float, y: float) -> Spans:
    """Return the visible spans after a move along both axes, within the whole."""
    (left, right), (low, high) = seen
    return _within((left + x, right + x), whole[0]), _within((low + y, high + y), whole[1])


def _zoomed(span: Span, whole: Span, times: float, around: float) -> Span:
    before, most = span[1] - span[0], whole[1] - whole[0]
    length = min(max(before / times, _CLOSEST * most), most)
    start = around - (around - span[0]) * length / before
    return _within((start, start + length), whole)


def _within(span: Span, whole: Span) -> Span:
    """Return a span moved into another one."""
    low = min(max(span[0], whole[0]), max(whole[0], whole[1] - (span[1] - span[0])))
    return low, min(low + (span[1] - span[0]), whole[1])
