"""Charts beside and below each other, as many in a row as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.gui.charts.chart import Chart
from app.gui.look.page_parts import surface
from app.lab.figures.figure import Figure

_GAP = 16
_LEAST = 430  # width of a chart, from which on another stands beside it
_MOST = 3
_PLOT = 300  # height of a plot
_PLOT_MOST = 460
_TALLEST = 0.8  # of the width, where there is room to the bottom


class ChartBoard(QScrollArea):
    """Shows charts in one to three columns; one that is shown again stays where it is and only draws anew."""

    point_hovered = Signal(object)
    """The key of the row under the pointer, or None."""
    point_clicked = Signal(str)
    save_wanted = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._page = QWidget()
        surface(self._page, "ground")
        self.setWidget(self._page)
        self.charts: list[Chart] = []
        """What is seen, in its order."""
        self._top: QWidget | None = None
        self.hint = ""
        """What a click on a point does."""

    def set_top(self, widget: QWidget) -> None:
        """Place a widget above the charts, which scrolls with them; as high as it has to be."""
        self._top = widget
        widget.setParent(self._page)
        widget.show()
        self.place()

    @property
    def figures(self) -> list[Figure]:
        """What is drawn."""
        return [one.figure for one in self.charts if one.figure is not None]

    def show(self, figures: Sequence[Figure] | None = None) -> None:
        """Draw figures; without any, be seen as any widget."""
        if figures is None:
            super().show()
            return
        self._keep(len(figures))
        for chart, figure in zip(self.charts, figures, strict=True):
            chart.hint = self.hint
            chart.show(figure)
        self.place()

    def show_waiting(self, words: str, count: int = 2) -> None:
        """Keep the room of charts that are coming."""
        self._keep(count)
        for chart in self.charts:
            chart.show_waiting(words)
        self.place()

    def show_nothing(self, words: str) -> None:
        """Show in one card why there are no charts."""
        self._keep(1)
        self.charts[0].show_nothing(words)
        self.place()

    def highlight(self, key: str | None) -> None:
        """Mark the points of a row of the run in every chart; None: none."""
        for chart in self.charts:
            chart.highlight(key)

    def chart_of(self, name: str) -> Chart | None:
        """Return the chart of a figure, by its name."""
        return next((one for one in self.charts if one.figure is not None and one.figure.name == name), None)

    def _keep(self, count: int) -> None:
        """Have as many charts as are wanted; those that are there stay."""
        for chart in self.charts[count:]:
            chart.hide()
            chart.deleteLater()
        del self.charts[count:]
        while len(self.charts) < count:
            chart = Chart(self._page)
            chart.point_clicked.connect(self.point_clicked)
            chart.save_wanted.connect(self.save_wanted)
            chart.point_hovered.connect(lambda place, chart=chart: self._on_hovered(chart.key_of(place) or None))
            self.charts.append(chart)
            chart.show()

    def _on_hovered(self, key: str | None) -> None:
        self.highlight(key)
        self.point_hovered.emit(key)

    def columns(self, width: int) -> int:
        """Return how many charts stand in a row of a width."""
        fit = (width - _GAP) // (_LEAST + _GAP)
        count = len(self.charts)
        rows = -(-count // max(1, min(_MOST, fit, count)))
        return max(1, -(-count // max(1, rows)))  # 2 and 2 are better than 3 and 1

    def place(self) -> None:
        """Put every chart in its place; plots of a row begin and end at the same height."""
        # The bar always has its room, so that nothing jumps when it comes.
        width = self.width() - self.verticalScrollBar().sizeHint().width()
        columns = self.columns(width)
        each = max(240, (width - _GAP * (columns + 1)) // columns)
        plot = min(_PLOT_MOST, max(_PLOT, int(each * 0.52)))
        top = self._place_top(width)
        rows = [self.charts[first : first + columns] for first in range(0, len(self.charts), columns)]
        heads = [max(one.head_height(each) for one in row) for row in rows]
        feet = [max(one.foot_height(each) for one in row) for row in rows]
        needed = top + sum(head + foot + plot + 34 + _GAP for head, foot in zip(heads, feet, strict=True))
        if rows and needed < self.viewport().height():  # plots are larger where there is room
            plot = min(plot + (self.viewport().height() - needed) // len(rows), max(plot, int(each * _TALLEST)))
        for row, head, foot in zip(rows, heads, feet, strict=True):
            height = head + 10 + plot + foot + 24
            for place, chart in enumerate(row):
                chart.keep_head(head)
                chart.keep_foot(foot)
                chart.setGeometry(QRect(QPoint(_GAP + place * (each + _GAP), top), QSize(each, height)))
            top += height + _GAP
        self._page.resize(self.viewport().width(), max(top, self.viewport().height()))

    def _place_top(self, width: int) -> int:
        """Place what stands above, and give where the charts begin."""
        if self._top is None or self._top.isHidden():
            return _GAP
        inner = width - 2 * _GAP
        height = self._top.heightForWidth(inner) if self._top.hasHeightForWidth() else self._top.sizeHint().height()
        self._top.setGeometry(QRect(QPoint(_GAP, _GAP), QSize(inner, height)))
        return _GAP + height + _GAP

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Place the charts anew."""
        super().resizeEvent(event)
        self.place()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 (Qt's name)
        """Go on to the next chart, and have it in sight."""
        went = super().focusNextPrevChild(forward)
        for chart in self.charts:
            if chart.plot.hasFocus():
                self.ensureWidgetVisible(chart, 0, _GAP)
        return went
