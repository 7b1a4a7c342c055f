"""The explorer of one row: knobs at the left, their effect at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.action import offer, show_action
from twinlens.app.gui.actions.lab_actions import explore_actions
from twinlens.app.gui.charts.chart import Chart
from twinlens.app.gui.compare.board_layout import RankedTile
from twinlens.app.gui.lab.explore.explore_figures import (
    FiguresBar,
    ShownFigure,
    found_words,
    spectrum_figure,
    what_reading,
)
from twinlens.app.gui.lab.explore.knob_panel import KnobPanel
from twinlens.app.gui.lab.index_name_field import IndexNameField
from twinlens.app.gui.lab.sheet.line_pictures import ResultPictures
from twinlens.app.gui.look.buttons import Pill, WordsPill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Sentence
from twinlens.app.gui.look.page_parts import column_of, label, row_of, scrolling
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.lab.lab_sheet import SheetColumn, precise
from twinlens.app.language.texts import _, text, translate

if TYPE_CHECKING:
    from twinlens.app.lab.explore.explorer import ExplorerReading


_NARROW, _USUAL, _WIDE = 316, 356, 460
_TIGHT, _ROOMY = 1100, 1500
_SPECTRUM = 300  # height of its chart


class ExploreView(QWidget):
    """View of the explorer: settings and readings.

    Signals
    -------
    index_wanted(str)
        The setting is to become an index of the library, of this name; of one made from the setting if it is empty.
    """

    index_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.panel, self.pictures = KnobPanel(), ResultPictures()
        self.figures, self.spectrum = FiguresBar(), Chart()
        self.spectrum.setFixedHeight(grown(_SPECTRUM))
        self._what, self._note = Sentence(), Sentence()
        self._text = label("", "mono")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._name = IndexNameField()
        self._asked = Sentence()
        self._order = WordsPill(_("In the order of codes, or as the search ranks"))
        self._pin = _pill(_("Pin"), "pin")
        self._swap = _pill(_("Swap"), "swap")
        self._back, self._begin = _pill(_("← Back"), "leave"), _pill(_("Reset"), "begin")
        self._column = _pill(_("Compare"), "compare")
        self._use = _pill(_("Use it"), "index")
        self._another = _pill(_("Another photo"), "another")
        show_action(self._order, explore_actions()["order"])
        self._name.hide()
        self._name.returnPressed.connect(self._take_name)
        self._name.left.connect(self._end_naming)
        self._lay_out()
        self.show_order(True)
        self.show_waiting("")
        offer(self, explore_actions(), {"index": self.name_index})

    def _lay_out(self) -> None:
        head = FlowLayout(line_gap=4, right=True)
        head.addWidget(self._back)
        head.addWidget(self._text)
        head.addWidget(self._name)
        for pill in (self._begin, self._pin, self._swap, self._column, self._use):
            head.addWidget(pill)
        below = FlowLayout(line_gap=4, right=True)
        self._asked.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._asked.setMinimumWidth(grown(200))
        below.addWidget(self._asked)
        below.addWidget(self._order)
        below.addWidget(self._another)
        sheet = QWidget()
        right = column_of(head, on=sheet, gap=4, margins=(20, 12, 20, 10))
        for sentence in (self._what, self._note):
            sentence.setWordWrap(True)
            sentence.setMinimumHeight(sentence.fontMetrics().height() + 2)
            right.addWidget(sentence)
        right.addWidget(self.figures)
        right.addLayout(below)
        right.addWidget(self.pictures, 1)
        right.addWidget(self.spectrum)
        row_of(self.panel, (scrolling(sheet, _("What it finds")), 1), on=self, gap=0, margins=0)
        self.panel.setFixedWidth(grown(_USUAL))
        self._text.setMinimumWidth(grown(160))
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for widget in (self, self._text):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Widen the sliders in a wide window."""
        if outlived(self):
            return False
        if watched is self and event.type() == QEvent.Type.Resize:
            width = self.width()
            usual = _WIDE if width >= grown(_ROOMY) else _NARROW if width < grown(_TIGHT) else _USUAL
            self.panel.setFixedWidth(grown(usual))
        if watched is self._text and event.type() == QEvent.Type.Resize:
            self._write_text()
        return super().eventFilter(watched, event)

    def _write_text(self) -> None:
        """Show as much of the setting's text as fits."""
        words = self._text.fontMetrics().elidedText(
            self._text.toolTip(), Qt.TextElideMode.ElideMiddle, self._text.width()
        )
        self._text.setText(words)

    def name_index(self) -> None:
        """Open the field for the name of a new index; if it is open, take the name."""
        if not self._name.isHidden():
            self._take_name()
            return
        self._text.hide()
        self._name.propose(self._text.toolTip(), self._text.toolTip(), ())
        self._name.show()
        self._name.begin()
        self._use.setText(_("Make it"))

    def _take_name(self) -> None:
        self._end_naming()
        self.index_wanted.emit(self._name.name)

    def _end_naming(self) -> None:
        self._name.hide()
        self._text.show()
        self._use.setText(_("Use it"))
        self.panel.focus_last()

    def show_order(self, by_codes: bool) -> None:
        """Show the order of the results."""
        words = _("codes alone") if by_codes else _("as search ranks")
        self._order.set_words(_("Order: "), words, "")

    def show_waiting(self, words: str) -> None:
        """Show that there is nothing yet, and why; its place is kept."""
        self._what.say(words)
        self._note.say("")
        self._text.setToolTip("")
        self._write_text()
        self.figures.show_figures(_figures(None, None))
        self.pictures.show_results(None, [], [])
        self._asked.say("")
        self._show_spectrum(None)
        self.show_pinned(False)
        for pill in (self._pin, self._column, self._use, self._another):
            pill.setEnabled(False)

    def show_progress(self, words: str) -> None:
        """Show the progress before the first reading."""
        self._what.say(words)

    def show_pinned(self, pinned: bool) -> None:
        """Show whether a setting is pinned."""
        self._pin.setText(_("Unpin") if pinned else _("Pin"))
        self._pin.updateGeometry()
        self._swap.setEnabled(pinned)

    def show_reading(
        self, reading: ExplorerReading, pinned: ExplorerReading | None, index: str, truth: str, progress: str
    ) -> None:
        """Show a reading, beside the pinned one."""
        self._text.setToolTip(reading.setting.text())
        self._write_text()
        words = what_reading(reading, index, truth)
        self._what.say(f"{words} {progress}" if progress else words)
        self._note.say(_limits(reading) or text(reading.note) or _hint())
        self.figures.show_figures(_figures(reading, pinned))
        self._show_spectrum(reading)
        for pill in (self._pin, self._column, self._use, self._another):
            pill.setEnabled(True)

    def show_fault(self, sentence: str) -> None:
        """Show why a setting has no reading; the last one stays, pale."""
        self._note.say(f"**{sentence}**")

    def show_results(
        self,
        query: RankedTile | None,
        results: Sequence[RankedTile],
        ghosts: Sequence[RankedTile],
        reading: ExplorerReading,
    ) -> None:
        """Show the results of one photograph."""
        self.pictures.show_results(query, results, ghosts)
        self._asked.say(found_words(query, results, reading))

    def _show_spectrum(self, reading: ExplorerReading | None) -> None:
        values = None if reading is None else reading.spectrum
        self.spectrum.setVisible(values is not None)
        if reading is not None and values is not None:
            method = reading.setting.method
            rank = method.rank if hasattr(method, "rank") else method.bits
            figure = spectrum_figure(values, rank)
            if figure != self.spectrum.figure:
                self.spectrum.show(figure)


def _hint() -> str:
    return _(
        "Move a slider: figures and pictures show at once what it changes. Nothing changes in the library until you "
        "use it."
    )


def _limits(reading: ExplorerReading) -> str:
    """Explain where the search hides the losses of the codes."""
    search = reading.setting.search
    candidates = getattr(search, "candidates", None)
    if candidates is None or candidates < reading.photographs - 1:
        return ""
    return _(
        "The search measures {candidates} candidates, which are all photos of the sample: "
        "it finds everything whatever the codes. Fewer candidates show what the codes lose.",
        candidates=candidates,
    )


def _figures(reading: ExplorerReading | None, pinned: ExplorerReading | None) -> list[ShownFigure]:
    """Return the figures in the order of a table's columns."""

    def written(column: SheetColumn, one: ExplorerReading | None) -> str:
        return "" if one is None else text(column.written(column.of(one.values)))

    timed = reading is None or reading.exact
    return [
        ShownFigure(translate(one.heading), written(one, reading) or "–", written(one, pinned), timed, text(one.help))
        for one in precise("recall@1", "recall@10", "recall@100", "map", "overlap@10", "looked at", "search", "bytes")
    ]


def _pill(text: str, name: str) -> Pill:
    """Return a pill for an action of the explorer."""
    made = Pill(text)
    show_action(made, explore_actions()[name])
    return made
