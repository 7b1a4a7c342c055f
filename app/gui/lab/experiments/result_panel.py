"""Results of one or several runs: heading, figures and table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.charts.chart_board import ChartBoard
from app.gui.lab.experiment_list import new_menu
from app.gui.lab.experiments.result_head import Doing, ResultsHead
from app.gui.lab.experiments.result_table import ResultsTable, results_sheet
from app.gui.lab.experiments.results import Results, TableRow
from app.gui.lab.experiments.run_words import apart_words, data_words, title_words
from app.gui.lab.explore.line_pictures import LinePictures
from app.gui.lab.theory.layer_over_curves import laid_over
from app.gui.lab.theory.theory_panel import TheoryPanel
from app.gui.lab.theory.theory_words import question
from app.gui.look.chips import FigureChips
from app.gui.look.page_parts import Card, label, scrolling, surface
from app.gui.look.sentences import small
from app.gui.process.turns import Turns
from app.language.spoken import _, text

if TYPE_CHECKING:
    from app.lab.figures.figure import Figure
    from app.lab.theory.results import Theory

_LARGER = 1.08  # letters of the finding
_LAID_OUT_MS = 60


class ResultsPane(QWidget):
    """Results of runs.

    Signals
    -------
    wanted : str
        What a button of the head is for, but "export".
    export_wanted : str
        Ending of the file; with " vectors" behind it for an experiment with its vectors.
    figures_changed
        Other figures or rows are to be seen in the charts.
    index_wanted, plan_wanted : str
        Key of a row.
    line_changed
        The keys or a click went to another row.
    layer_switched : str, bool
        Name of a figure, and whether theory is to be laid over it.
    """

    wanted = Signal(str)
    export_wanted = Signal(str)
    figures_changed = Signal()
    index_wanted = Signal(str)
    plan_wanted = Signal(str)
    layer_switched = Signal(str, bool)
    line_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown, self._doing = Results(), Doing()
        self._turns = Turns(self)
        self.head, self.chips, self.board, self.table = ResultsHead(), FigureChips(), ChartBoard(), ResultsTable()
        self.board.hint = _("Click to create an index")
        self.theory, self.line = TheoryPanel(), LinePictures()
        self._over = ""  # the figure that theory is laid over
        self._found: Theory | None = None
        self._kinds: dict[str, tuple[str, ...]] = {}
        self.finding, self._warning = label("", wrap=True), label("", "error", wrap=True)
        self.finding.setFont(small(self.finding.font(), _LARGER))
        self.finding.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for words in (self.finding, self._warning):
            words.setContentsMargins(18, 10, 18, 0)
            words.hide()
        self._card = Card()
        self._card.column.setContentsMargins(8, 4, 8, 8)
        self._card.column.addWidget(self.table)
        under = QVBoxLayout()
        under.setContentsMargins(16, 0, 16, 16)
        under.setSpacing(16)
        under.addWidget(self._card)
        under.addWidget(self.line)
        sheet = QWidget()
        surface(sheet, "ground")
        below = QVBoxLayout(sheet)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        for one in (self.finding, self._warning, self.chips, self.board):
            below.addWidget(one)
        below.addWidget(self.theory)
        below.addLayout(under)
        below.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        self._scroll = scrolling(sheet, _("Results"))
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that no chart jumps
        column.addWidget(self._scroll, 1)
        self._connect()

    def _connect(self) -> None:
        self.head.wanted.connect(self._on_wanted)
        self.chips.changed.connect(self._on_chips)
        self.table.hidden_changed.connect(self.figures_changed)
        self.table.lit.connect(lambda key: self.board.highlight(key or None))
        self.table.chosen.connect(self.index_wanted)
        self.table.plan_wanted.connect(self.plan_wanted)
        self.table.turn_wanted.connect(self.line.press_turn)
        self.table.selectionModel().currentRowChanged.connect(lambda *__: self.line_changed.emit())
        self.board.point_hovered.connect(lambda key: self.table.light(key or ""))
        self.board.point_clicked.connect(self._on_point)
        self.board.layer_switched.connect(self.layer_switched)
        self.theory.closed.connect(lambda: self.layer_switched.emit(self._over, False))

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Results:
        """The shown results."""
        return self._shown

    def show_results(self, shown: Results, doing: Doing) -> None:
        """Show the results of some runs, part by part, so that the window stays responsive.

        Charts that are there already only draw anew.
        """
        self._shown = shown
        self.head.show_of(shown.title or title_words(shown.runs), data_words(shown.runs))
        self.finding.setText(text(shown.finding))
        self.finding.setVisible(bool(shown.finding))
        warning = " ".join(filter(None, (apart_words(shown.runs), *shown.notes)))
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))
        self.show_doing(doing)
        self._turns.begin(self._show_table, self._show_chips, self._draw)

    def _show_table(self) -> None:
        self.table.show_sheet(results_sheet(self._shown))
        self._card.setVisible(bool(self._shown.rows))

    def _show_chips(self) -> None:
        self.chips.show_figures(self._shown.figures)
        self.chips.setVisible(bool(self._shown.rows))

    def show_doing(self, doing: Doing) -> None:
        """Show the state of the run."""
        self._doing = doing
        self.head.show_doing(doing, bool(self._shown.rows))

    def current_row(self) -> TableRow | None:
        """Return the row that the keys or a click went to, or the first."""
        rows = self._shown.rows
        current = self.table.current_key()
        return next((one for one in rows if one.key == current), rows[0] if rows else None)

    def focus_table(self) -> None:
        """Focus the table."""
        if self._shown.rows and not self.table.currentIndex().isValid():
            self.table.go_to(self._shown.rows[0].key)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _draw(self) -> None:
        seen = self.chips.seen()
        drawn = [self._with_theory(one) for one in self._shown.figures if one.name in seen]
        if drawn:
            self._turns.begin(*self.board.turns(drawn), self._offer_theory, self.board.place, self.line_changed.emit)
        elif self._shown.figures:
            self.board.show_nothing(_("Choose a figure above."))
        elif self._shown.rows:
            words = _("All rows are hidden. Press H on a row of the table to show it.")
            self.board.show_nothing(words)
        elif self._doing.busy:
            self.board.show_waiting(_("The first curves appear after the first step."))
        else:
            self.board.show_nothing(_("Nothing is measured yet."))

    # --- theory ------------------------------------------------------------------------------------------------------

    def show_layers(self, kinds: dict[str, tuple[str, ...]]) -> None:
        """Offer theory over some figures, by their names, with what it can be asked there."""
        self._kinds = kinds
        self._offer_theory()

    def lay_over(self, figure: str, found: Theory | None = None) -> None:
        """Lay theory over a figure; over none where its name is empty."""
        self._over, self._found = figure, found
        if self._turns.are_over():
            self._draw()

    def laid_over(self) -> str:
        """Return the name of the figure that theory is laid over; empty for none."""
        return self._over

    def press_theory(self) -> None:
        """Lay theory over the first figure that it can say something of, or hide it."""
        known = [one.name for one in self.board.figures if self._kinds.get(one.name)]
        first = next((name for name in known if name.endswith("-rank")), known[0] if known else "")
        if self._over or first:
            self.layer_switched.emit(self._over or first, not self._over)

    def reveal_theory(self) -> None:
        """Bring theory into view."""
        QTimer.singleShot(_LAID_OUT_MS, self, lambda: self._scroll.ensureWidgetVisible(self.theory.title, 0, 120))

    def _with_theory(self, figure: Figure) -> Figure:
        found = self._found
        return figure if found is None or figure.name != self._over else laid_over(figure, found)

    def _offer_theory(self) -> None:
        for chart in self.board.charts:
            name = "" if chart.figure is None else chart.figure.name
            kinds = self._kinds.get(name, ())
            words = _("Theory") if kinds else ""
            chart.offer_layer(words, question(kinds[0]).heading if kinds else "", name == self._over)

    def is_drawn(self) -> bool:
        """Return whether everything is drawn."""
        return self._turns.are_over()

    def _on_chips(self) -> None:
        self._turns.begin(self._show_chips, self._draw)
        self.figures_changed.emit()

    def _on_point(self, key: str) -> None:
        self.table.show_menu(key, QCursor.pos())

    # --- export ------------------------------------------------------------------------------------------------------

    def _on_wanted(self, name: str) -> None:
        if name == "export":
            self.open_export()
        else:
            self.wanted.emit(name)

    def open_export(self) -> None:
        """Show the menu of exports."""
        if not self._shown.rows:
            return
        menu = new_menu(self)
        for ending, words in self.exports().items():
            menu.addAction(words).triggered.connect(lambda __=False, ending=ending: self.export_wanted.emit(ending))
        menu.popup(self.head.under("export"))

    def exports(self) -> dict[str, str]:
        """Return the exports by file ending; several runs share a table and figures."""
        words = {
            "csv": _("Table as CSV…"),
            "png": _("Figures as PNG…"),
            "svg": _("Figures as SVG…"),
            "json": _("Everything as JSON…"),
            "twinlens-experiment": _("Experiment file…"),
            "twinlens-experiment vectors": _("Experiment file with vectors…"),
        }
        alone = self._doing.state != "several"
        own = self._doing.state != "file"
        return {
            ending: name
            for ending, name in words.items()
            if ending in ("csv", "png", "svg") or (alone and (own or ending == "json"))
        }
