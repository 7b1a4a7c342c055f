"""A chart is a figure as a card: its title, how to read it, the plot, and a note below."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.gui.charts.chart_points import PointPlace, Readout, point_sentence
from app.gui.charts.figure_view import Plot
from app.gui.look.buttons import Switch
from app.gui.look.page_parts import label
from app.lab.figures.figure import Figure, figure_text, sentences
from app.language.texts import _, text

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
        self._more.setToolTip(_("Copy or save this chart (X)"))
        self._more.setAccessibleName(_("Copy or save this chart"))
        self._more.clicked.connect(self._open_menu)
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
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._title, 1)
        top.addWidget(self._layer, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._more, 0, Qt.AlignmentFlag.AlignTop)
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(_UNDER)
        head.addLayout(top)
        head.addWidget(self._reading)
        head.addStretch()
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

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Offer to copy or save it at X."""
        if event.key() == Qt.Key.Key_X and not event.modifiers() and self.figure is not None:
            self._open_menu()
        else:
            event.ignore()

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
