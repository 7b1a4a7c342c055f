"""A figure, painted where its plan places everything: the whole or a part of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.gui.charts.chart_plan import ChartPlan, plan_chart
from app.gui.charts.data_painting import paint_data
from app.gui.charts.frame_painting import FramePainting
from app.gui.charts.points import PointPlace, point_position, points_of_row, row_key
from app.gui.charts.zooming import Spans, moved_spans, zoomed_spans
from app.gui.look.theme import theme
from app.lab.figures.extent import extent
from app.lab.figures.figure import Figure

_LIT, _POINTED = 1.6, 2.0  # widths of rings


class FigureView(QWidget):
    """Draws a figure, or a part of it, with rings around the points that are meant."""

    point_changed = Signal(object)
    """The `Place` that is pointed at, by pointer or keys, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(220, 200)
        self.said = ""
        """What is said while there is no figure."""
        self.figure: Figure | None = None
        """What is drawn; None while there is nothing."""
        self.place: PointPlace | None = None
        """The point that is pointed at."""
        self._whole: Spans = ((0.0, 1.0), (0.0, 1.0))
        self._seen: Spans | None = None  # None: all
        self._key: str | None = None
        self._frame = FramePainting(self.font())
        self._plan: ChartPlan | None = None  # made when it is needed
        self._picture: QPixmap | None = None  # all that stays while the pointer moves

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def plan(self) -> ChartPlan | None:
        """The layout of the figure; None without a figure."""
        if self._plan is None and self.figure is not None:
            self._plan = self._planned(self.figure, self._seen)
        return self._plan

    @property
    def zoomed(self) -> bool:
        """Whether only a part is seen."""
        return self._seen is not None

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size in which curves are read well."""
        return QSize(520, 300)

    def show_figure(self, figure: Figure | None) -> None:
        """Draw a figure; one of the same name stays zoomed as it was, and the same row pointed at. None: nothing."""
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
        return plan_chart(figure, seen or self._whole, size, self._frame.width_of, seen is None)

    def redraw(self) -> None:
        """Paint everything anew, in the colours that hold now."""
        self._picture = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay everything out anew."""
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and hasattr(self, "_picture"):
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the figure, from a picture where it is the same as before, with names and rings over it."""
        del event
        if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatioF():
            self._picture = self._painted()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._picture)
        if self.plan is not None:
            series = self.plan.figure.series
            self._frame.names(painter, self.plan, None if self.place is None else self.place.series)
            lit = [(one, _LIT) for one in points_of_row(self.plan.figure, self._key)]
            for place, width in [*lit, *([] if self.place is None else [(self.place, _POINTED)])]:
                where = self.position(place)
                if where is not None:
                    self._frame.ring(painter, where, series[place.series].place, width)
        painter.end()

    def _painted(self) -> QPixmap:
        """Paint what stays the same while the pointer moves."""
        picture = QPixmap(self.size() * self.devicePixelRatioF())
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        picture.fill(QColor(theme().paper))
        painter = QPainter(picture)
        if self.plan is None:
            self._frame.words_alone(painter, QRectF(self.rect()), self.said)
        else:
            self._frame.axes(painter, self.plan, float(self.width()))
            paint_data(painter, self.plan)
            self._frame.words(painter, self.plan)
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
        """Return where a point lies; None where it is not seen."""
        return None if self.plan is None else point_position(self.plan, place)

    def point_at(self, place: PointPlace | None) -> None:
        """Point at a point, or at none."""
        if place != self.place:
            self.place = place
            self.update()
            self.point_changed.emit(place)

    # --- a part of it ------------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """See the whole figure."""
        self._see(None)

    def zoom(self, times: float, around: QPointF | None = None) -> None:
        """See less or more, around a place; never more than all."""
        if self.plan is not None:
            around = around or QRectF(*self.plan.plot).center()
            centre = self.plan.value_at(around.x(), around.y())
            self._see(zoomed_spans((self.plan.x, self.plan.y), self._limits(self.plan.figure), times, centre))

    def drag(self, away: QPointF) -> None:
        """See what lies beside, as if it were drawn on a sheet."""
        if self.plan is not None:
            (left, right), (low, high) = seen = self.plan.x, self.plan.y
            x, y = (left - right) * away.x() / self.plan.plot.width, (high - low) * away.y() / self.plan.plot.height
            self._see(moved_spans(seen, self._limits(self.plan.figure), x, y))

    def _limits(self, figure: Figure) -> Spans:
        """Return all there is: of equal units, as they are widened."""
        if not figure.equal:
            return self._whole
        made = self._planned(figure, None)
        return made.x, made.y

    def _see(self, seen: Spans | None) -> None:
        if seen != self._seen:
            self._seen = seen
            self._lay_out()
