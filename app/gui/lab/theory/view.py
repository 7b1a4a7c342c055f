"""The Theory page: a question, what can be chosen of it, the answer in numbers, and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.gui.actions.action import attach
from app.gui.charts.chart_board import ChartBoard
from app.gui.lab.actions import theory_actions
from app.gui.lab.theory.answer_panel import Answer
from app.gui.lab.theory.question_list import QuestionList
from app.gui.lab.theory.theory_options import Knobs
from app.gui.lab.theory.theory_words import KINDS, question
from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import bind, button, label, scrolling, surface
from app.gui.look.thin_bar import ThinBar
from app.language.spoken import _, text

if TYPE_CHECKING:
    from app.lab.theory.results import Theory

_HEIGHT = 64
_WORDS = 440  # width of what an empty page says
_CHARTS = {"rank": 3, "hamming": 3, "bounds": 2, "rotation": 4, "metric": 3}


class TheoryView(QWidget):
    """Shows it.

    Signals
    -------
    kind_wanted : str
    changed
        Something else is chosen of the question.
    again_wanted, cancel_wanted, seen
    save_wanted : (list of Figure, str)
    empty_wanted
        The button of the empty page.
    """

    kind_wanted = Signal(str)
    changed = Signal()
    again_wanted = Signal()
    cancel_wanted = Signal()
    seen = Signal()
    save_wanted = Signal(object, str)
    empty_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Theory"))
        self.kind = KINDS[0]
        self.questions, self.knobs, self.board, self.answer = QuestionList(), Knobs(), ChartBoard(), Answer()
        self.title, self.line, self._bar = label("", "title"), ElidedLine("quiet"), ThinBar()
        self._line = ""
        self.again = button(_("Compute"), _("Compute again"), "R")
        self.cancel = button(_("Cancel"), _("Stop computing"), "Esc")
        self.export = button(_("Export all"), _("Write all charts"), "E")
        self._empty_words, self._empty_button = QLabel(), QPushButton()
        self._stack = QStackedWidget()
        self._lay_out()
        self.board.save_wanted.connect(self.save_wanted)
        self.questions.chosen.connect(self.kind_wanted)
        self.knobs.changed.connect(self.changed)
        self.again.clicked.connect(self.again_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.export.clicked.connect(self._show_export)
        self._empty_button.clicked.connect(self.empty_wanted)
        for place, kind in enumerate(KINDS, 1):
            bind(self, str(place), lambda kind=kind: self.kind_wanted.emit(kind))  # type: ignore[misc]
        attach(
            self,
            theory_actions(),
            {
                "again": lambda: self.again.click() if not self.again.isHidden() else None,
                "export": lambda: self._show_export() if self.export.isEnabled() else None,
            },
        )
        self._escape = bind(self, "Esc", self.cancel_wanted.emit)
        self._escape.setEnabled(False)
        self.show_kind(self.kind)

    def _lay_out(self) -> None:
        head = QWidget()
        surface(head, "head")
        head.setMinimumHeight(_HEIGHT)
        row = QHBoxLayout(head)
        row.setContentsMargins(18, 6, 16, 6)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        self.title.setWordWrap(True)
        for one in (self.title, self.line):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.addWidget(one)
        words.addStretch()
        row.addLayout(words, 1)
        for made in (self.cancel, self.again, self.export):
            row.addWidget(made)
        found = QWidget()
        column = QVBoxLayout(found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (head, self._bar, self.knobs):
            column.addWidget(widget)
        sheet = QWidget()
        surface(sheet, "ground")
        below = QVBoxLayout(sheet)
        below.setContentsMargins(0, 16, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.answer)
        below.addWidget(self.board)
        below.addStretch()
        column.addWidget(scrolling(sheet, _("Theory")), 1)
        self._stack.addWidget(found)
        self._stack.addWidget(self._empty_page())
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.questions)
        whole.addWidget(self._stack, 1)

    def _empty_page(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setSpacing(16)
        column.addStretch(2)
        self._empty_words.setWordWrap(True)
        self._empty_words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty_words.setFixedWidth(_WORDS)
        self._empty_button.setObjectName("main")
        column.addWidget(self._empty_words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._empty_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        return made

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_kind(self, kind: str) -> None:
        """Ask a question: its heading and what can be chosen; what was found comes by `show_theory`."""
        self.kind = kind
        self.questions.choose(kind)
        self.title.setText(question(kind).heading)
        self.knobs.show_kind(kind)
        self._stack.setCurrentIndex(0)

    def show_theory(self, found: Theory, stale: bool = False) -> None:
        """Show what was found; stale: the library has changed since."""
        self.answer.say(text(found.answer), question(self.kind).background)
        self.board.show(list(found.figures))
        self.questions.say(self.kind, text(found.short_answer))
        line = f"{text(found.sample).rstrip('.')} · {found.declaration}"
        since = _("The library has changed since")
        self._line = f"{since} · {line}" if stale else line
        self.export.setEnabled(True)
        self.show_idle()

    def show_nothing_yet(self, words: str) -> None:
        """Keep the room of what is coming."""
        self.answer.say(words, question(self.kind).background, quiet=True)
        self.board.show_waiting("", _CHARTS[self.kind])
        self._line = ""
        self.export.setEnabled(False)

    def show_failure(self, sentence: str, next_step: str) -> None:
        """Show what went wrong, and what to do."""
        self.answer.say(f"{sentence} {next_step}", question(self.kind).background)
        self.board.show([])
        self._line = ""
        self.export.setEnabled(False)
        self.show_idle()

    def show_progress(self, share: float, words: str) -> None:
        """Show how far the work is; what is seen stays until it is done."""
        self._bar.show_share(share)
        if words:
            self.line.say(_("Computing: {doing}, {share:.0%}", doing=words, share=share))
        else:
            self.line.say(_("Computing: {share:.0%}", share=share))
        self.cancel.setVisible(True)
        self.again.setVisible(False)
        self._escape.setEnabled(True)

    def show_idle(self) -> None:
        """Nothing is computed."""
        self._bar.show_share(-1.0)
        self.line.say(self._line)
        self.cancel.setVisible(False)
        self.again.setVisible(True)
        self._escape.setEnabled(False)

    def show_empty(self, words: str, button_words: str) -> None:
        """Show why there is nothing to be found, and offer what changes that."""
        self._empty_words.setText(words)
        self._empty_words.setFixedHeight(self._empty_words.heightForWidth(_WORDS))
        self._empty_button.setText(button_words)
        self._stack.setCurrentIndex(1)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be found."""
        return self._stack.currentIndex() == 1

    def focus(self) -> None:
        """Focus the questions; on the button where there is nothing else to do."""
        if self.is_empty:
            self._empty_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.questions.focus()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Report that it is seen: nothing is computed before."""
        super().showEvent(event)
        self.seen.emit()

    def export_menu(self) -> QMenu:
        """Make what all charts can be written as."""
        menu = QMenu(self)
        for how, words in (
            ("png", _("All charts as PNG…")),
            ("svg", _("All charts as SVG…")),
            ("csv", _("All points as CSV…")),
        ):
            action = menu.addAction(words)
            action.triggered.connect(lambda __=False, how=how: self.save_wanted.emit(self.board.figures, how))
        return menu

    def _show_export(self) -> None:
        menu = self.export_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height() + 2)))
