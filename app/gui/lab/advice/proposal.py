"""The answer: one sentence, why, and what can be done with it; it keeps its place while others are tried."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.lab.advice.advice_words import Answer
from app.gui.lab.index_name_field import NameField
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import Card, button, label, set_role
from app.gui.look.text_size import grown
from app.language.spoken import _

_REASONS = 5
_HEIGHT = 212  # of a usual answer: what is below does not jump when it comes


class AnswerCard(Card):
    """The card of the proposed or chosen index.

    Signals
    -------
    build_wanted : str
        With the name.
    default_wanted, compare_wanted, back_wanted
    """

    build_wanted = Signal(str)
    default_wanted = Signal()
    compare_wanted = Signal()
    back_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._badge = label("", "badge")
        self._about = label("", "quiet")
        self._grown = label("", "error", wrap=True)
        self._sentence = label("", "title", wrap=True)
        self._state = label("", "quiet", wrap=True)
        self._reasons = [label("", "", wrap=True) for __ in range(_REASONS)]
        for line in (self._sentence, self._state, *self._reasons):
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.build = button(_("Create index  B"), _("Create this index in the background"), "B", "primary")
        self.default = button(_("Make it the default  U"), _("Use this index for searches"), "U", "primary")
        self.compare = button(_("Compare side by side  C"), _("Compare its results with your present index"), "C")
        self.back = button(_("Back to the proposal  R"), _("Show the proposed index again"), "R", "link")
        self._as = label(_("Name  F2"), "quiet")
        self.name = NameField()
        self.name.returnPressed.connect(self.build.click)
        self.name.left.connect(self.build.setFocus)
        self.name.fault_changed.connect(self._on_fault)
        self._told = ""
        self.build.clicked.connect(lambda: self.build_wanted.emit(self.name.name))
        for one, wanted in (
            (self.default, self.default_wanted),
            (self.compare, self.compare_wanted),
            (self.back, self.back_wanted),
        ):
            one.clicked.connect(wanted)
        self.setMinimumHeight(_HEIGHT)
        self._lay_out()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._badge)
        top.addWidget(self._about)
        top.addStretch()
        top.addWidget(self.back)
        actions = FlowLayout()
        self._state.setMinimumWidth(grown(240))
        for one in (self.build, self._as, self.name, self.default, self.compare):
            actions.addWidget(one)
        actions.addWidget(self._state)
        why = QWidget()
        lines = QVBoxLayout(why)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(2)
        for line in self._reasons:
            lines.addWidget(line)
        self.column.addLayout(top)
        self.column.addWidget(self._sentence)
        self.column.addWidget(why)
        self.column.addStretch()
        self.column.addLayout(actions)
        self.column.addWidget(self._grown)

    def show_answer(self, answer: Answer, about: str, grown: str) -> None:
        """Say it."""
        self._badge.setText(answer.badge)
        self._badge.setVisible(bool(answer.badge))
        set_role(self.build, "" if answer.stays else "primary")
        self._about.setText(about)
        self._say(self._grown, grown)
        self._say(self._sentence, answer.sentence)
        for line, words in zip(self._reasons, [*answer.reasons, *[""] * _REASONS], strict=False):
            self._say(line, words)
        for one, there in (
            (self.build, answer.build),
            (self._as, answer.build),
            (self.name, answer.build),
            (self.default, answer.default),
            (self.compare, answer.compare),
            (self.back, answer.back),
        ):
            one.setVisible(there)
            one.setEnabled(True)
        self._told = answer.state
        if answer.build:
            self.name.setReadOnly(False)
            self.name.propose(answer.key, answer.name, answer.taken)
        self._on_fault(self.name.fault if answer.build else "")
        self.setAccessibleName(f"{answer.badge}: {answer.sentence}")

    def show_building(self, words: str) -> None:
        """Show how far making it is; it cannot be asked for twice."""
        self.build.setEnabled(False)
        self.name.setReadOnly(True)  # it keeps the keys
        self._state.setText(words)

    def to_name(self) -> None:
        """Let another name be typed, where one is asked for."""
        if self.name.isVisible() and not self.name.isReadOnly():
            self.name.begin()

    def _on_fault(self, fault: str) -> None:
        """Show why the name cannot be, in place of what else is said there."""
        self.build.setEnabled(not fault)
        set_role(self._state, "error" if fault else "quiet")
        self._state.setText(fault or self._told)

    def words(self) -> tuple[str, str, str]:
        """Return badge, sentence and state."""
        return self._badge.text(), self._sentence.text(), self._state.text()

    def why(self) -> list[str]:
        """Return the reasons."""
        return [one.text() for one in self._reasons if one.text()]

    def grown(self) -> str:
        """Return what has changed since."""
        return self._grown.text()

    @staticmethod
    def _say(line: QLabel, words: str) -> None:
        line.setText(words)
        line.setVisible(bool(words))
