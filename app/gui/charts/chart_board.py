"""A board of charts: charts beside and below each other, as many in a row as have room, on a sheet that scrolls.

Chips choose the figures that are shown: a click on one, or its number, shows or hides its figure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.gui.charts.chart import Chart
from app.gui.look.flow_layout import Flow
from app.gui.look.page_parts import surface
from app.lab.figures.figure import Figure, figure_text
from app.language.texts import _, text

_GAP = 16
_LEAST = 420  # least width of a chart beside another one
_MOST = 3
_PLOT = 270  # height of a plot
_PLOT_MOST = 460
_AROUND = 60
_HEAD = 46  # a title and a line of reading


class ChartBoard(QWidget):
    """A sheet of charts in one to three columns, as high as they are.

    A chart that is shown again keeps its position and is only redrawn.
    """

    point_hovered = Signal(object)
    """The key of the row under the pointer, or None."""
    point_clicked = Signal(str)
    save_wanted = Signal(object, str)
    layer_switched = Signal(str, bool)
    """The name of a figure, and whether its layer is to be shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "ground")
        self.charts: list[Chart] = []
        """The visible charts in order."""
        self.hint = ""
        """Effect of a click on a point."""

    @property
    def figures(self) -> list[Figure]:
        """Return the figures shown."""
        return [one.figure for one in self.charts if one.figure is not None]

    def show(self, figures: Sequence[Figure] | None = None) -> None:
        """Draw figures; without any, become visible like any widget."""
        if figures is None:
            super().show()
            return
        for draw in self.turns(figures):
            draw()

    def turns(self, figures: Sequence[Figure]) -> list[Callable[[], object]]:
        """Reserve the room of figures, and return functions that draw one each."""
        if len(self.charts) != len(figures):
            self.show_waiting("", len(figures))
        for chart in self.charts:
            chart.hint = self.hint
        pairs = zip(self.charts, figures, strict=True)
        drawing: list[Callable[[], object]] = [
            partial(chart.show, figure) for chart, figure in pairs if chart.figure != figure
        ]
        return [*drawing, self.place]

    def show_waiting(self, words: str, count: int = 2, titles: Sequence[str] = ()) -> None:
        """Reserve the room of charts that are being made."""
        self._keep(count)
        for chart, title in zip(self.charts, [*titles, *[""] * count], strict=False):
            chart.show_nothing(words, title)
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
        """Keep as many charts as are needed; existing ones stay."""
        for chart in self.charts[count:]:
            chart.hide()
            chart.deleteLater()
        del self.charts[count:]
        while len(self.charts) < count:
            chart = Chart(self)
            chart.point_clicked.connect(self.point_clicked)
            chart.save_wanted.connect(self.save_wanted)
            chart.layer_switched.connect(lambda shown, chart=chart: self._on_layer(chart, shown))
            chart.point_hovered.connect(lambda place, chart=chart: self._on_hovered(chart.key_of(place) or None))
            self.charts.append(chart)
            chart.show()

    def _on_layer(self, chart: Chart, shown: bool) -> None:
        if chart.figure is not None:
            self.layer_switched.emit(chart.figure.name, shown)

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
        """Lay the charts out; plots of a row begin and end at the same height."""
        columns = self.columns(self.width())
        each = max(240, (self.width() - _GAP * (columns + 1)) // columns)
        most = min(_PLOT_MOST, self.window().height() // 2 - _AROUND)  # a chart is seen whole in a low window, too
        plot = max(_PLOT, min(most, int(each * 0.52)))
        top = _GAP
        for first in range(0, len(self.charts), columns):
            row = self.charts[first : first + columns]
            head, foot = max(_HEAD, *(one.head_height(each) for one in row)), max(one.foot_height(each) for one in row)
            height = head + 10 + plot + foot + 24
            for place, chart in enumerate(row):
                chart.keep_head(head)
                chart.keep_foot(foot)
                chart.setGeometry(QRect(QPoint(_GAP + place * (each + _GAP), top), QSize(each, height)))
            top += height + _GAP
        self.setFixedHeight(top)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay the charts out again."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.place()


_FIRST = 2
_NUMBERED = 9


class FigureChips(QWidget):
    """Chips that choose figures; the choice holds for every run that has them.

    Signals
    -------
    changed
        Other figures are to be shown.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._buttons: dict[str, QPushButton] = {}
        self._wanted: dict[str, bool] = {}
        self._flow = Flow(6)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 2)
        row.addWidget(self._flow)

    def show_figures(self, figures: Sequence[Figure]) -> None:
        """Offer figures."""
        names = [one.name for one in figures]
        if names != self._names:
            self._names = names
            self._buttons = {one.name: self._button(place, one) for place, one in enumerate(figures)}
            self._flow.set_widgets(list(self._buttons.values()))
        seen = self.seen()
        for name, button in self._buttons.items():
            button.setChecked(name in seen)

    def seen(self) -> list[str]:
        """Return the names of the visible figures: the chosen ones, by default the first few."""
        first = [name for name in self._names if name not in self._wanted][: max(0, _FIRST - len(self._own()))]
        return [name for name in self._names if self._wanted.get(name, name in first)]

    def _own(self) -> list[str]:
        return [name for name in self._names if self._wanted.get(name)]

    def wanted(self) -> dict[str, bool]:
        """Return the person's choice, to be saved."""
        return dict(self._wanted)

    def set_wanted(self, wanted: dict[str, bool]) -> None:
        """Restore a saved choice."""
        self._wanted = {str(name): bool(shown) for name, shown in wanted.items()}

    def press(self, number: int) -> None:
        """Show or hide the figure of a number, from 1."""
        if 1 <= number <= len(self._names):
            self._buttons[self._names[number - 1]].click()

    def _button(self, place: int, figure: Figure) -> QPushButton:
        spoken = figure_text(figure, text)
        made = QPushButton(str(spoken.title))
        made.setObjectName("small")
        made.setCheckable(True)
        made.setAutoDefault(False)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        key = f" ({place + 1})" if place < _NUMBERED else ""
        made.setToolTip(f"{spoken.reading}{key}")
        made.setAccessibleName(_("Figure {title}", title=spoken.title))
        made.clicked.connect(lambda shown: self._on_clicked(figure.name, shown))
        return made

    def _on_clicked(self, name: str, shown: bool) -> None:
        seen: Collection[str] = self.seen()  # from now on the visible figures are the chosen ones
        self._wanted |= {one: one in seen for one in self._names}
        self._wanted[name] = shown
        self.changed.emit()
