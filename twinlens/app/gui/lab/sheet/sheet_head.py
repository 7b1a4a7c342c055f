"""Head of a sheet: its question, data and state, and its finding with the actions on its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from twinlens.app.gui.actions.lab_actions import lab_actions
from twinlens.app.gui.lab.index_name_field import IndexNameField
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import (
    STRETCH,
    PageCard,
    column_of,
    command_button,
    label,
    row_of,
    set_role,
    surface,
)
from twinlens.app.gui.look.theme import grown
from twinlens.app.language.texts import _

_HEAD_HEIGHT = 64


@dataclass(frozen=True)
class ExperimentState:
    """State of an experiment.

    Attributes
    ----------
    state : str
        ``whole``, ``part``, ``waits``, ``runs``, ``paused``, ``file``, ``several`` runs, or ``advice`` that is not
        measured now.
    """

    state: str = "whole"
    words: str = ""

    @property
    def busy(self) -> bool:
        """Whether it is in the queue."""
        return self.state in ("runs", "paused", "waits")


class SheetHead(QWidget):
    """Head of a sheet."""

    def __init__(self) -> None:
        super().__init__()
        self._of = ""
        self.title, self.line = label("", "title"), ElidedLine("quiet")
        self._buttons: dict[str, QPushButton] = {}
        surface(self, "head")
        self.setMinimumHeight(_HEAD_HEIGHT)
        row = row_of(on=self, gap=8, margins=(18, 6, 16, 6))
        words = column_of(STRETCH, gap=2)
        self.title.setWordWrap(True)
        for one in (self.title, self.line):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.addWidget(one)
        words.addStretch()
        row.addLayout(words, 1)
        for made in self._make_buttons():
            row.addWidget(made)

    def _make_buttons(self) -> list[QPushButton]:
        actions = lab_actions()
        for name, text in (
            ("stop", _("Stop")),
            ("resume", _("Resume")),
            ("keep", _("Keep")),
            ("change", _("Change…")),
            ("again", _("Run again")),
            ("export", _("Export")),
        ):
            self._buttons[name] = command_button(text, actions[name])
        return list(self._buttons.values())

    def show_of(self, title: str, line: str) -> None:
        """Show question and data."""
        self.title.setText(title)
        self.title.setToolTip(title)
        self._of = line

    def show_doing(self, doing: ExperimentState, measured: bool) -> None:
        """Show the state, and the buttons for it."""
        self.line.say(" · ".join(filter(None, [doing.words, self._of])))
        for name, shown in {
            "stop": doing.busy,
            "resume": doing.state == "part",
            "keep": doing.state == "file",
            "again": doing.state in ("whole", "file") and measured,
            "change": not doing.busy and doing.state not in ("several", "advice"),
            "export": measured,
        }.items():
            self._buttons[name].setVisible(shown)

    def focus_stop(self) -> None:
        """Focus the stop button."""
        self._buttons["stop"].setFocus(Qt.FocusReason.OtherFocusReason)

    def under(self, name: str) -> QPoint:
        """Return the screen position below a button."""
        made = self._buttons[name]
        return made.mapToGlobal(QPoint(0, made.height() + 2))


_HEIGHT = 196  # of a usual proposal: what is below does not jump when it comes


@dataclass(frozen=True)
class RowActions:
    """The possible actions of a row.

    Attributes
    ----------
    key : str
        Of the row.
    title : str
        Its name, where the finding may be of another.
    state : str
        Whether the library has it, and whether it is used.
    keep, default, compare, back : bool
        Whether it can become an index, the index that is searched with, a column of the comparison; and whether there
        is a proposal to go back to.
    primary : bool
        Whether keeping it is what comes next.
    name : str
        That it gets where nobody types another.
    taken : frozenset of str
        Names that other indexes have.
    """

    key: str = ""
    title: str = ""
    state: str = ""
    keep: bool = False
    default: bool = False
    compare: bool = False
    back: bool = False
    primary: bool = False
    name: str = ""
    taken: frozenset[str] = frozenset()


class FindingCard(PageCard):
    """The card of the finding."""

    def __init__(self) -> None:
        super().__init__()
        self.column.setContentsMargins(16, 12, 16, 12)
        self.column.setSpacing(6)
        self._badge, self._of = label("", "badge"), label("", "quiet")
        self._warning, self._sentence = label("", "error", wrap=True), label("", "title", wrap=True)
        self._state = label("", "quiet", wrap=True)
        self._reasons: list[QLabel] = []
        for line in (self._sentence, self._state, self._warning):
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._sentence.setMinimumHeight(1)  # its height is that of its lines at the width that it has
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.keep = command_button(_("Create index  I"), lab_actions()["index"], "primary")
        self.default = command_button(_("Make it the default  U"), lab_actions()["default"], "primary")
        self.compare = command_button(_("Compare side by side  C"), lab_actions()["compare"])
        self.back = command_button(_("Back to the proposal  B"), lab_actions()["back"], "link")
        self.name = IndexNameField()
        self.name.returnPressed.connect(self.keep.click)
        self.name.left.connect(self.keep.setFocus)
        self.name.fault_changed.connect(self._on_fault)
        self._acts = RowActions()
        self._lay_out()

    def _lay_out(self) -> None:
        top = row_of(self._badge, self.back, STRETCH, gap=12)
        self._state.setMinimumWidth(grown(240))
        self._actions = QWidget()
        actions = FlowLayout()
        self._actions.setLayout(actions)
        for one in (self._of, self.keep, self.name, self.default, self.compare, self._state):
            actions.addWidget(one)
        self._why = column_of(gap=2)
        self.column.addLayout(top)
        self.column.addWidget(self._sentence)
        self.column.addWidget(self._warning)
        self.column.addLayout(self._why)
        self.column.addStretch()
        self.column.addWidget(self._actions)

    def show_finding(self, badge: str, sentence: str, reasons: Sequence[str], warning: str) -> None:
        """Show the finding."""
        self._say(self._badge, badge)
        self._say(self._sentence, sentence)
        self._say(self._warning, warning)
        while len(self._reasons) < len(reasons):
            line = label("", "", wrap=True)
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self._reasons.append(line)
            self._why.addWidget(line)
        for line, words in zip(self._reasons, [*reasons, *[""] * len(self._reasons)], strict=False):
            self._say(line, words)
        self.setMinimumHeight(grown(_HEIGHT) if badge else 0)
        self.setVisible(bool(sentence or warning))
        self.setAccessibleName(": ".join(filter(None, [badge, sentence])))

    def show_acts(self, acts: RowActions) -> None:
        """Show the possible actions of a row."""
        self._acts = acts
        set_role(self.keep, "primary" if acts.primary else "")
        self._say(self._of, acts.title)
        for one, there in (
            (self.keep, acts.keep),
            (self.name, acts.keep),
            (self.default, acts.default),
            (self.compare, acts.compare),
            (self.back, acts.back),
        ):
            one.setVisible(there)
            one.setEnabled(True)
        if acts.keep:
            self.name.setReadOnly(False)
            self.name.propose(acts.key, acts.name, acts.taken)
        self._on_fault(self.name.fault if acts.keep else "")
        self._actions.setVisible(acts.keep or acts.default or acts.compare or bool(acts.state))

    def show_making(self, words: str) -> None:
        """Show that the index is being made, without the button for it."""
        self.keep.setEnabled(False)
        self.name.setReadOnly(True)  # it keeps the keys
        self._state.setText(words)

    def to_name(self) -> None:
        """Open the field for another name."""
        if self.name.isVisible() and not self.name.isReadOnly():
            self.name.begin()

    def _on_fault(self, fault: str) -> None:
        """Show why the name is impossible, in place of the state."""
        self.keep.setEnabled(not fault)
        set_role(self._state, "error" if fault else "quiet")
        self._say(self._state, fault or self._acts.state)

    def words(self) -> tuple[str, str, str]:
        """Return badge, sentence and state."""
        return self._badge.text(), self._sentence.text(), self._state.text()

    def why(self) -> list[str]:
        """Return the reasons."""
        return [one.text() for one in self._reasons if one.text()]

    def warning(self) -> str:
        """Return the warning that limits the finding."""
        return self._warning.text()

    @staticmethod
    def _say(line: QLabel, words: str) -> None:
        line.setText(words)
        line.setVisible(bool(words))
