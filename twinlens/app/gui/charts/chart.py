"""A chart is a figure as a card: its title, how to read it, the plot, and a note below. A board has several.

As many are in a row as have room, on a sheet that scrolls. Chips choose the figures that are shown: a click on one,
or its number, shows or hides its figure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from twinlens.app.gui.actions.action import attach, show_action
from twinlens.app.gui.actions.lab_actions import chart_actions
from twinlens.app.gui.charts.chart_points import PointPlace, Readout, point_sentence
from twinlens.app.gui.charts.figure_view import Plot
from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.look.flow_layout import Flow
from twinlens.app.gui.look.page_parts import STRETCH, column_of, label, row_of, surface
from twinlens.app.lab.figures.figure import Figure, figure_text, sentences
from twinlens.app.language.texts import _, text

_SIDE, _EDGE = 16, 12  # padding of the card: left and right, above and below
_BORDER = 1
_GAP = 10  # between head, plot and note
_UNDER = 3  # between title and reading
_USUAL, _PLOT = 560, 300  # width of a card, and height of a plot


class Chart(QFrame):
    """A card that draws one `Figure` in the colours of the window."""

    point_hovered = Signal(object)
    """`PointPlace` of the point under the pointer or the focus, or None; :meth:`key_of` gives its row of the run."""
    point_clicked = Signal(str)
    """Key of the row of the run to which a clicked point belongs; a point without a row emits nothing."""
    layer_switched = Signal(bool)
    """Whether the offered layer is to be shown."""
    save_wanted = Signal(object, str)
    """The figures, and "png", "svg", "csv", or "copy" for a picture in the clipboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.figure: Figure | None = None
        """The drawn figure; None without one."""
        self.hint = ""
        """Effect of a click on a point, shown in the readout."""
        self.plot = Plot()
        self._title, self._reading, self._note = _words("", 14), _words("quiet", 12), _words("quiet", 11)
        self._more = QToolButton()
        self._more.setObjectName("link")
        self._more.setText("⋯")
        there = self._more.sizePolicy()
        there.setRetainSizeWhenHidden(True)  # so that nothing moves when the figure comes
        self._more.setSizePolicy(there)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        show_action(self._more, chart_actions()["export"])
        self._more.clicked.connect(self._open_menu)
        attach(self, chart_actions(), {"export": self._open_menu})
        self._layer = Switch()
        self._layer.toggled.connect(self.layer_switched)
        self._layer.hide()
        self._readout = Readout(self)
        self._lay_out()
        self.plot.point_changed.connect(self._on_point)
        self.plot.chosen.connect(self._on_chosen)
        self.setFocusProxy(self.plot)
        self.show_nothing("")

    def _lay_out(self) -> None:
        top = row_of(
            (self._title, 1),
            (self._layer, 0, Qt.AlignmentFlag.AlignTop),
            (self._more, 0, Qt.AlignmentFlag.AlignTop),
            gap=8,
        )
        self._head = QWidget()
        column_of(top, self._reading, STRETCH, on=self._head, gap=_UNDER, margins=0)
        self._column = QVBoxLayout(self)
        self.keep_foot(0)
        self._column.setSpacing(_GAP)
        self._column.addWidget(self._head)
        self._column.addWidget(self.plot, 1)
        self._column.addWidget(self._note)

    # --- content -----------------------------------------------------------------------------------------------------

    def show(self, figure: Figure | None = None) -> None:
        """Draw a figure; without one, become visible like any widget."""
        if figure is None:
            super().show()
            return
        self.figure = figure
        shown = figure_text(figure, text)
        self._say(str(shown.title), str(shown.reading), str(shown.note))
        self.plot.show_figure(shown)
        self.plot.setAccessibleName(str(shown.title))
        self.plot.setAccessibleDescription(str(sentences([shown.reading, shown.note])))

    def show_waiting(self, words: str, title: str = "") -> None:
        """Reserve the room of a chart that is being made, with a text."""
        self.show_nothing(words, title)

    def show_nothing(self, words: str, title: str = "") -> None:
        """Show why there is no chart."""
        self.figure = None
        self._say(title, "", "")
        self.plot.said = words
        self.plot.show_figure(None)
        self.plot.setAccessibleName(words)

    def _say(self, title: str, reading: str, note: str) -> None:
        for one, words in ((self._title, title), (self._reading, reading), (self._note, note)):
            one.setText(words)
        self._note.setVisible(bool(note))
        self._more.setVisible(self.figure is not None)
        self._readout.hide()

    def offer_layer(self, words: str, tip: str, shown: bool) -> None:
        """Offer a switch for an additional layer; empty words remove it."""
        self._layer.blockSignals(True)
        self._layer.setText(words)
        self._layer.setToolTip(tip)
        self._layer.setAccessibleName(tip)
        self._layer.setChecked(shown)
        self._layer.setVisible(bool(words))
        self._layer.blockSignals(False)

    def highlight(self, key: str | None) -> None:
        """Mark the points of a row of the run; None: none."""
        self.plot.highlight(key)

    def key_of(self, place: PointPlace | None) -> str:
        """Return the row of the run that a point belongs to; empty where there is none."""
        return self.plot.key_of(place)

    # --- room --------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size in which everything is legible."""
        return QSize(_USUAL, self.height_for(_USUAL))

    def height_for(self, width: int, plot: int = _PLOT) -> int:
        """Return the height of the card for a width, with a plot of some height."""
        return self.head_height(width) + _GAP + plot + self.foot_height(width) + 2 * _EDGE

    def head_height(self, width: int) -> int:
        """Return the height that title and reading need in a width of the card."""
        inner, button = width - 2 * _SIDE, self._more.sizeHint()
        beside = button.width() + 8 + (0 if self._layer.isHidden() else self._layer.sizeHint().width() + 8)
        title = max(self._title.heightForWidth(inner - beside), button.height())
        return title + _UNDER + max(self._reading.heightForWidth(inner), 0)

    def foot_height(self, width: int) -> int:
        """Return the height that the note needs in a width of the card, with the gap above it."""
        return self._note.heightForWidth(width - 2 * _SIDE) + _GAP if self._note.text() else 0

    def keep_head(self, height: int) -> None:
        """Begin the plot below a head of some height, the same as in the cards beside it."""
        self._head.setFixedHeight(height)

    def keep_foot(self, height: int) -> None:
        """End the plot above a note of some height."""
        noted = bool(self._note.text())
        if noted:
            self._note.setFixedHeight(max(0, height - _GAP))
        side, edge = _SIDE - _BORDER, _EDGE - _BORDER
        self._column.setContentsMargins(side, edge, side, edge + (0 if noted else height))

    # --- pointing ----------------------------------------------------------------------------------------------------

    def _on_point(self, place: PointPlace | None) -> None:
        where = None if place is None else self.plot.position(place)
        if place is None or where is None or self.plot.figure is None:
            self._readout.hide()
        else:
            hint = self.hint if self.key_of(place) else ""
            self._readout.show_of(self.plot.figure, place, self.plot.mapTo(self, where), hint)
            self.plot.setAccessibleDescription(point_sentence(self.plot.figure, place))
        self.point_hovered.emit(place)

    def _on_chosen(self, place: PointPlace) -> None:
        key = self.key_of(place)
        if key:
            self.point_clicked.emit(key)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the readout of a point."""
        super().hideEvent(event)
        self._readout.hide()

    # --- export ------------------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Open the menu of the chart."""
        if self.figure is not None:
            self._show_menu(event.globalPos())
            event.accept()

    def menu(self) -> QMenu:
        """Return the menu of the chart."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for ending, words in (
            ("copy", _("Copy as a picture")),
            ("png", _("Save as PNG…")),
            ("svg", _("Save as SVG…")),
            ("csv", _("Save the points as CSV…")),
        ):
            saved = menu.addAction(words)
            saved.triggered.connect(lambda __=False, ending=ending: self.save_wanted.emit([self.figure], ending))
        menu.addSeparator()
        whole = menu.addAction(_("Show all of it (double click)"))
        whole.triggered.connect(self.plot.show_all)
        whole.setEnabled(self.plot.zoomed)
        return menu

    def _open_menu(self) -> None:
        if self.figure is None:
            return
        self._show_menu(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _show_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)


def _words(role: str, pixels: int) -> QLabel:
    """Return a wrapped label with letters of some size; bold unless its role is quiet."""
    made = label("", role, wrap=True)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    made.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    font = made.font()
    font.setPixelSize(pixels)
    font.setBold(not role)
    made.setFont(font)
    return made


_BETWEEN = 16  # charts of a board
_LOWEST = 270  # height of a plot there
_LEAST = 420  # least width of a chart beside another one
_MOST = 3
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
        fit = (width - _BETWEEN) // (_LEAST + _BETWEEN)
        count = len(self.charts)
        rows = -(-count // max(1, min(_MOST, fit, count)))
        return max(1, -(-count // max(1, rows)))  # 2 and 2 are better than 3 and 1

    def place(self) -> None:
        """Lay the charts out; plots of a row begin and end at the same height."""
        columns = self.columns(self.width())
        each = max(240, (self.width() - _BETWEEN * (columns + 1)) // columns)
        most = min(_PLOT_MOST, self.window().height() // 2 - _AROUND)  # a chart is seen whole in a low window, too
        plot = max(_LOWEST, min(most, int(each * 0.52)))
        top = _BETWEEN
        for first in range(0, len(self.charts), columns):
            row = self.charts[first : first + columns]
            head, foot = max(_HEAD, *(one.head_height(each) for one in row)), max(one.foot_height(each) for one in row)
            height = head + 10 + plot + foot + 24
            for place, chart in enumerate(row):
                chart.keep_head(head)
                chart.keep_foot(foot)
                chart.setGeometry(QRect(QPoint(_BETWEEN + place * (each + _BETWEEN), top), QSize(each, height)))
            top += height + _BETWEEN
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
        row_of(self._flow, on=self, margins=(16, 10, 16, 2))

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
