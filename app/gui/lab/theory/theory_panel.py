"""The layer of theory under the curves: its question, what can be chosen of it, the answer in numbers, and charts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.actions.action import attach
from app.gui.charts.chart_board import ChartBoard
from app.gui.lab.actions import theory_actions
from app.gui.lab.theory.answer_panel import FindingBox
from app.gui.lab.theory.theory_options import TheoryOptions
from app.gui.lab.theory.theory_words import KINDS, theory_topic
from app.gui.look.elided_line import ElidedLine
from app.gui.look.flow_layout import Flow
from app.gui.look.page_parts import PageCard, button, label
from app.gui.look.thin_bar import ThinBar
from app.gui.process.turns import DrawingTurns
from app.language.spoken import _, text

if TYPE_CHECKING:
    from app.lab.theory.results import Theory

_CHARTS = {"rank": 3, "hamming": 3, "bounds": 2, "rotation": 4, "metric": 3}


class TheoryPanel(QWidget):
    """Shows it.

    Signals
    -------
    kind_wanted : str
    changed
        Something else is chosen of the question.
    again_wanted, cancel_wanted, closed
    save_wanted : (list of Figure, str)
    """

    kind_wanted = Signal(str)
    changed = Signal()
    again_wanted = Signal()
    cancel_wanted = Signal()
    closed = Signal()
    save_wanted = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Theory"))
        self.kind = KINDS[0]
        self.knobs, self.board, self.answer = TheoryOptions(), ChartBoard(), FindingBox()
        self.title, self.line, self._bar, self._kinds = label("", "title"), ElidedLine("quiet"), ThinBar(), Flow(6)
        self._line = ""
        self._turns = DrawingTurns(self)
        self.again = button(_("Compute"), _("Compute again"), "Shift+R")
        self.cancel = button(_("Cancel"), _("Stop computing"), "Esc")
        self.export = button(_("Export all"), _("Write all charts"), "Shift+X")
        self._close = button("×", _("Hide the theory"), "Shift+T", "link")
        self._lay_out()
        self.board.save_wanted.connect(self.save_wanted)
        self.knobs.changed.connect(self.changed)
        for made, signal in (
            (self.again, self.again_wanted),
            (self.cancel, self.cancel_wanted),
            (self._close, self.closed),
        ):
            made.clicked.connect(signal)
        self.export.clicked.connect(self._show_export)
        attach(
            self,
            theory_actions(),
            {
                "again": lambda: self.again.click() if not self.again.isHidden() else None,
                "export": lambda: self._show_export() if self.export.isEnabled() else None,
            },
        )
        self.hide()

    def _lay_out(self) -> None:
        card = PageCard(_("Theory"))
        row = QHBoxLayout()
        row.setSpacing(8)
        self.title.setWordWrap(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.title, 1)
        for made in (self.cancel, self.again, self.export, self._close):
            row.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
        card.column.addLayout(row)
        for widget in (self._kinds, self.knobs, self._bar, self.line, self.answer):
            card.column.addWidget(widget)
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        around = QVBoxLayout()
        around.setContentsMargins(16, 0, 16, 0)
        around.addWidget(card)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(around)
        whole.addWidget(self.board)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def offer(self, kinds: Sequence[str]) -> None:
        """Offer the questions that a curve raises."""
        buttons: list[QWidget] = []
        for kind in kinds:
            made = QPushButton(theory_topic(kind).short)
            made.setObjectName("small")
            made.setCheckable(True)
            made.setChecked(kind == self.kind)
            made.clicked.connect(partial(self._want, kind))
            buttons.append(made)
        self._kinds.set_widgets(buttons)
        self._kinds.setVisible(len(kinds) > 1)

    def _want(self, kind: str, *__: object) -> None:
        self.kind_wanted.emit(kind)

    def show_kind(self, kind: str) -> None:
        """Ask a question: its heading and what can be chosen; what was found comes by `show_theory`."""
        self.kind = kind
        self.title.setText(theory_topic(kind).heading)
        self.knobs.show_kind(kind)
        for made in self._kinds.findChildren(QPushButton):
            made.setChecked(made.text() == theory_topic(kind).short)

    def show_theory(self, found: Theory, stale: bool = False) -> None:
        """Show what was found; stale: the library has changed since."""
        self.answer.say(text(found.answer), theory_topic(self.kind).background)
        self._turns.begin(*self.board.turns(found.figures))
        line = f"{text(found.sample).rstrip('.')} · {found.declaration}"
        since = _("The library has changed since")
        self._line = f"{since} · {line}" if stale else line
        self.export.setEnabled(True)
        self.show_idle()

    def show_nothing_yet(self, words: str) -> None:
        """Keep the room of what is coming."""
        self.answer.say(words, theory_topic(self.kind).background, quiet=True)
        self.board.show_waiting("", _CHARTS[self.kind])
        self._line = ""
        self.export.setEnabled(False)

    def show_failure(self, sentence: str, next_step: str) -> None:
        """Show what went wrong, and what to do."""
        self._turns.begin()
        self.answer.say(f"{sentence} {next_step}", theory_topic(self.kind).background)
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

    def show_idle(self) -> None:
        """Nothing is computed."""
        self._bar.show_share(-1.0)
        self.line.say(self._line)
        self.cancel.setVisible(False)
        self.again.setVisible(True)

    def is_drawn(self) -> bool:
        """Return whether every chart is drawn."""
        return self._turns.are_over()

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
