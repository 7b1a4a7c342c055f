"""A figure as a card: its title, how to read it, the plot, and what must be known besides."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.gui.charts.plot import Place, Plot
from app.gui.charts.readout import Readout, sentence
from app.gui.look.theme import theme
from app.lab.figures.figure import Figure, sentences, written
from app.language.spoken import _, text

_ROUND = 8.0
_EDGE = 16


class _Words(QLabel):
    """Words that are broken into lines, in a size and a colour of the theme."""

    def __init__(self, pixels: int, quiet: bool, bold: bool = False) -> None:
        super().__init__()
        self._quiet = quiet
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        font = self.font()
        font.setPixelSize(pixels)
        font.setBold(bold)
        self.setFont(font)
        self.colour()

    def colour(self) -> None:
        """Take the colour that holds now."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme().quiet if self._quiet else theme().ink))
        self.setPalette(palette)


class Chart(QWidget):
    """Draws one `Figure` in the colours of the window.

    Parameters
    ----------
    parent : QWidget, optional
    """

    point_hovered = Signal(object)
    """`Place` of the point under the pointer or the keys, or None; `chart.key_of(place)` is the row of the run."""
    point_clicked = Signal(str)
    """The key of the row of the run that a point belongs to, by a click or Enter; points without one say nothing."""
    save_wanted = Signal(object, str)
    """The figures, and "png", "svg", "csv", or "copy" for a picture in the clipboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._title, self._reading, self._note = _Words(14, False, bold=True), _Words(12, True), _Words(11, True)
        self._figure: Figure | None = None
        self._shown: Figure | None = None  # in the language of the window
        self.hint = ""
        """What a click on a point does, in the card beside it."""
        self.plot = Plot()
        self._more = QToolButton()
        self._more.setObjectName("link")
        self._more.setText("⋯")
        there = self._more.sizePolicy()
        there.setRetainSizeWhenHidden(True)  # so that nothing moves when the figure comes
        self._more.setSizePolicy(there)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.setToolTip(_("Copy or save this chart (X)"))
        self._more.setAccessibleName(_("Copy or save this chart"))
        self._more.clicked.connect(lambda: self._show_menu(self._more.mapToGlobal(QPoint(0, self._more.height()))))
        self._readout = Readout(self)
        self._lay_out()
        self.plot.point_changed.connect(self._on_point)
        self.plot.chosen.connect(self._on_chosen)
        self.setFocusProxy(self.plot)
        self.show_nothing("")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self._more, 0, Qt.AlignmentFlag.AlignTop)
        self._head = QWidget()
        over = QVBoxLayout(self._head)
        over.setContentsMargins(0, 0, 0, 0)
        over.setSpacing(3)
        over.addLayout(head)
        over.addWidget(self._reading)
        over.addStretch()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE, _EDGE - 4, _EDGE, _EDGE - 4)
        column.setSpacing(10)
        column.addWidget(self._head)
        column.addWidget(self.plot, 1)
        column.addWidget(self._note)

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def figure(self) -> Figure | None:
        """What is drawn; None while there is nothing."""
        return self._figure

    def show(self, figure: Figure | None = None) -> None:
        """Draw a figure; without one, be seen as any widget."""
        if figure is None:
            super().show()
            return
        self.announce(figure)
        self.draw()

    def announce(self, figure: Figure) -> None:
        """Show what a figure is about, and take it; `draw` draws it."""
        self._figure, self._shown = figure, written(figure, text)
        self._say(str(self._shown.title), str(self._shown.reading), str(self._shown.note))
        self._more.show()
        self._readout.hide()

    def draw(self) -> None:
        """Draw the figure that was taken."""
        figure = self._shown
        if figure is None:
            return
        self.plot.show_figure(figure)
        self.plot.setAccessibleName(figure.title)
        self.plot.setAccessibleDescription(str(sentences([figure.reading, figure.note])))
        self.update()

    def show_waiting(self, words: str, title: str = "") -> None:
        """Keep the room of a chart that is coming, and say what is waited for."""
        self._empty(words, title)

    def show_nothing(self, words: str, title: str = "") -> None:
        """Show why there is no chart."""
        self._empty(words, title)

    def _empty(self, words: str, title: str) -> None:
        self._figure = self._shown = None
        self.plot.said = words
        self._say(title, "", "")
        self._more.hide()
        self._readout.hide()
        self.plot.show_figure(None)
        self.plot.setAccessibleName(words)
        self.update()

    def _say(self, title: str, reading: str, note: str) -> None:
        self._title.setText(title)
        self._reading.setText(reading)
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def highlight(self, key: str | None) -> None:
        """Mark the points of a row of the run; None: none."""
        self.plot.highlight(key)

    def key_of(self, place: Place | None) -> str:
        """Return the row of the run that a point belongs to; empty where there is none."""
        figure = self.plot.figure
        if place is None or figure is None:
            return ""
        keys = figure.series[place.series].keys
        return keys[place.point] if len(keys) else ""

    # --- room --------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size in which all is read well."""
        return QSize(560, self.height_for(560))

    def height_for(self, width: int, plot: int = 300) -> int:
        """Return the height that a width needs, with a plot of some height."""
        inner = width - 2 * _EDGE
        return self.head_height(width) + plot + self.foot_height(inner) + 10 + 2 * (_EDGE - 4)

    def head_height(self, width: int) -> int:
        """Return the height that title and reading need in a width of the card."""
        inner = width - 2 * _EDGE
        button = self._more.sizeHint()
        title = max(self._title.heightForWidth(inner - button.width() - 8), button.height())
        return title + 3 + max(self._reading.heightForWidth(inner), 0)

    def foot_height(self, inner: int) -> int:
        """Return the height that the note needs."""
        return self._note.heightForWidth(inner) + 10 if self._note.text() else 0

    def keep_head(self, height: int) -> None:
        """Begin the plot below a head of some height: as high as of the cards beside it."""
        self._head.setFixedHeight(height)

    def keep_foot(self, height: int) -> None:
        """End the plot above a note of some height."""
        note = bool(self._note.text())
        self._note.setFixedHeight(max(0, height - 10)) if note else None
        self._column.setContentsMargins(_EDGE, _EDGE - 4, _EDGE, _EDGE - 4 + (0 if note else height))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and hasattr(self, "plot"):
            if self.property("coloured") == theme().paper:
                return
            self.setProperty("coloured", theme().paper)
            for one in (self._title, self._reading, self._note):
                one.colour()
            self.plot.redraw()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the card."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().line), 1))
        painter.setBrush(QColor(theme().paper))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
        painter.end()

    # --- pointing ----------------------------------------------------------------------------------------------------

    def _on_point(self, place: Place | None) -> None:
        where = None if place is None else self.plot.position(place)
        figure = self.plot.figure  # another one may have been taken, and not drawn yet
        if place is None or where is None or figure is None:
            self._readout.hide()
        else:
            hint = self.hint if self.key_of(place) else ""
            self._readout.show_of(figure, place, self._in_card(where), hint)
            self.plot.setAccessibleDescription(sentence(figure, place))
        self.point_hovered.emit(place)

    def _in_card(self, where: QPointF) -> QPointF:
        return QPointF(self.plot.mapTo(self, where.toPoint()))

    def _on_chosen(self, place: Place) -> None:
        key = self.key_of(place)
        if key:
            self.point_clicked.emit(key)

    # --- taking it out -----------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Offer what can be done with the chart."""
        if self._figure is not None:
            self._show_menu(event.globalPos())
            event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Offer to copy or save it at X."""
        if event.key() == Qt.Key.Key_X and not event.modifiers() and self._figure is not None:
            self._show_menu(self._more.mapToGlobal(QPoint(0, self._more.height())))
        else:
            event.ignore()

    def menu(self) -> QMenu:
        """Make what can be done with the chart."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for ending, words in (
            ("copy", _("Copy as a picture")),
            ("png", _("Save as PNG…")),
            ("svg", _("Save as SVG…")),
            ("csv", _("Save the points as CSV…")),
        ):
            action = QAction(words, menu)
            action.triggered.connect(lambda __=False, ending=ending: self.save_wanted.emit([self._figure], ending))
            menu.addAction(action)
        menu.addSeparator()
        whole = QAction(_("Show all of it (double click)"), menu)
        whole.setEnabled(self.plot.zoomed)
        whole.triggered.connect(self.plot.show_all)
        menu.addAction(whole)
        return menu

    def _show_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def event(self, event: Any) -> bool:
        """Hide what is said of a point when the chart is no longer seen."""
        if event.type() is QEvent.Type.Hide:
            self._readout.hide()
        return super().event(event)
