"""Advice, the first experiment: the question above, the answer below it, and under that what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.gui.actions.action import attach
from app.gui.charts.chart_board import ChartBoard
from app.gui.lab.actions import advice_actions
from app.gui.lab.advice.advice_form import AskingHead
from app.gui.lab.advice.advice_table import advice_sheet
from app.gui.lab.advice.advice_words import Answer, left_out
from app.gui.lab.advice.left_out import LeftOut
from app.gui.lab.advice.pairs_panel import PairsPanel
from app.gui.lab.advice.proposal import AnswerCard
from app.gui.lab.explore.line_pictures import LinePictures
from app.gui.look.empty_state import EmptyState
from app.gui.look.page_parts import Card, bind, scrolling, surface
from app.gui.process.turns import Turns
from app.gui.tables.table import Table
from app.lab.advice.figures import frontier_figures
from app.lab.advice.questions import PAIRS
from app.lab.advice.results import AdvicePoint, AdviceResult
from app.lab.figures.figure import Figure
from app.language.spoken import _

LEAST = 20
"""Photographs: among fewer, the first ten answers say nothing."""

_GAP = 16
_ROWS_SEEN = 14


class AdviceView(QWidget):
    """The view of advice.

    Signals
    -------
    key_chosen : str
        Another index than the proposed one is to be looked at.
    save_wanted : list of Figure, str
    library_wanted, left
    """

    key_chosen = Signal(str)
    save_wanted = Signal(object, str)
    library_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Advice"))
        self.head, self.pairs, self.answer, self.board = AskingHead(), PairsPanel(), AnswerCard(), ChartBoard()
        self.board.hint = _("Click to choose this index")
        self.table: Table[AdvicePoint] = Table(_("Measured indexes"), seen=_ROWS_SEEN)
        self.left_out, self.line = LeftOut(), LinePictures()
        self._tried = Card(_("Measured indexes"))
        self._tried.column.addWidget(self.table)
        self._chosen = ""
        self._turns = Turns(self)
        self._stack = QStackedWidget()
        self._empty = EmptyState(
            _("Advice needs photos, and the library has none yet."),
            _("Go to the library"), "Ctrl+1",
        )  # fmt: skip
        self._few = EmptyState(
            _("Advice needs at least {count} photos. With fewer, any index finds everything.", count=LEAST),
            _("Add photos"), "Ctrl+1",
        )  # fmt: skip
        self._stack.addWidget(self._make_body())
        for one in (self._empty, self._few):
            one.wanted.connect(self.library_wanted)
            self._stack.addWidget(one)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        self._connect()
        self.show_truth(self.head.truth)
        self.show_nothing()

    def _make_body(self) -> QScrollArea:
        body = QWidget()
        surface(body, "ground")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widgets in ((self.pairs, self.answer), (self._tried, self.line, self.left_out)):
            around = QVBoxLayout()
            around.setContentsMargins(_GAP, _GAP, _GAP, 0)
            around.setSpacing(_GAP)
            for widget in widgets:
                around.addWidget(widget)
            column.addLayout(around)
        column.insertWidget(1, self.board)
        column.addSpacing(_GAP)
        column.addStretch()
        self._scroll = scrolling(body, _("Advice"))
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that no chart jumps
        return self._scroll

    def _connect(self) -> None:
        self.board.point_hovered.connect(lambda key: self.light(key or ""))
        self.board.point_clicked.connect(self.key_chosen)
        self.board.save_wanted.connect(self.save_wanted)
        self.table.lit.connect(self.light)
        self.table.chosen.connect(self.key_chosen)
        self.head.truth_chosen.connect(self.show_truth)
        self.head.own.returnPressed.connect(self.head.go.click)
        attach(
            self,
            advice_actions(),
            {
                "go": partial(_press, self.head.go),
                "build": partial(_press, self.answer.build),
                "default": partial(_press, self.answer.default),
                "compare": partial(_press, self.answer.compare),
                "back": partial(_press, self.answer.back),
                "turn": self.line.press_turn,
                "name": self.answer.to_name,
                "marks": lambda: self._in_pairs(self.pairs.marks_wanted.emit),
                "pairs": lambda: self._in_pairs(self.pairs.open_chooser),
                "table": self._to_table,
                "charts": self._to_charts,
                "copy": self.left_out.copy,
            },
        )
        for number in range(1, 8):
            bind(self, str(number), partial(self.head.choose, number))
        bind(self, "Esc", lambda: self.head.cancel.click() if self.head.cancel.isVisible() else self.left.emit())

    def _in_pairs(self, act: object) -> None:
        if not self.pairs.isHidden() and callable(act):
            act()

    def _to_charts(self) -> None:
        self._scroll.ensureWidgetVisible(self.board.charts[0])
        self.board.charts[0].setFocus()

    def _to_table(self) -> None:
        self.table.setFocus()
        self._scroll.ensureWidgetVisible(self.table)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_photographs(self, count: int) -> None:
        """Show what is lacking, where there are too few photographs."""
        page = 0 if count >= LEAST else 1 if count == 0 else 2
        self._stack.setCurrentIndex(page)
        self.head.setVisible(page == 0)

    def shows_photographs(self) -> bool:
        """Return whether the library has enough photographs."""
        return self._stack.currentIndex() == 0

    def show_truth(self, truth: str) -> None:
        """Show the pairs if they are the truth."""
        self.pairs.setVisible(truth == PAIRS)

    def show_nothing(self) -> None:
        """Show what the page is for."""
        words = _("Measures indexes on your own photos, and proposes the best.")
        what = _(
            "An index finds similar photos. It sets what is compared, how short codes are and how they are searched."
        )
        safe = _("Your library and your files are not changed.")
        self.answer.show_answer(Answer("", words, (what, safe)), "", "")
        self._begin(_("Press Go to measure indexes."))

    def show_waiting(self, words: str) -> None:
        """Show that measuring has begun."""
        self.answer.show_answer(Answer(_("So far"), words), "", "")
        self._begin(words)

    def _begin(self, words: str) -> None:
        titles = _("Recall against time"), _("Recall against bytes")
        self._turns.begin()
        self.board.show_waiting(words, len(titles), titles)
        self.table.show_sheet(advice_sheet([]))
        self._tried.hide()
        self.left_out.show_notes([], "")

    def show_measured(
        self, points: Sequence[AdvicePoint], figures: Sequence[Figure], proposed: str = "", present: str = ""
    ) -> None:
        """Show the indexes measured so far."""
        self._tried.setVisible(bool(points))
        self.table.show_sheet(advice_sheet(points, proposed, present))
        self._turns.begin(*self.board.turns(figures), partial(self.light, ""))

    def show_advice(self, result: AdviceResult, command: str) -> None:
        """Show all of an advice but its answer, and the command that gives the same."""
        self.show_measured(result.points, frontier_figures(result), result.proposed, result.present)
        self.left_out.show_notes(left_out(result), command)

    def show_answer(self, answer: Answer, key: str, about: str, grown: str) -> None:
        """Show what is proposed, or of another one what it does."""
        self._chosen = key
        self.answer.show_answer(answer, about, grown)
        self.light("")

    def light(self, key: str) -> None:
        """Mark what is pointed at in the charts and in the table, else what is chosen."""
        self.table.light(key, self._chosen)
        self.board.highlight(key or self._chosen or None)

    def to_answer(self) -> None:
        """Bring the answer into view."""
        self._scroll.ensureWidgetVisible(self.answer)

    def focus_content(self) -> None:
        """Focus what comes next."""
        if not self.shows_photographs():
            (self._empty if self._stack.currentIndex() == 1 else self._few).setFocus()
        else:
            (self.head.go if self.head.cancel.isHidden() else self.head.cancel).setFocus()


def _press(made: QPushButton) -> None:
    """Press a button that is seen."""
    if made.isVisible():
        made.click()
