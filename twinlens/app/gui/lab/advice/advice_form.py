"""The form of advice: which results count as right, and how many seconds it may take."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QIntValidator, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QPushButton, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.actions.lab_actions import advice_actions
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import STRETCH, PageCard, button, command_button, label, row_of, tip_with_key
from twinlens.app.gui.look.theme import grown
from twinlens.app.lab.advice.advice_settings import EDITS, NEIGHBOURS, PAIRS
from twinlens.app.language.texts import _

TIMES = (10, 60, 300)


class AdviceForm(PageCard):
    """The choices of advice, with their meaning or the reason why they are impossible, and the start button.

    Signals
    -------
    truth_chosen : str
    """

    truth_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._line = label("", "quiet", wrap=True)
        self._line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._truths = QButtonGroup(self)
        self._times = QButtonGroup(self)
        self._keys = advice_actions()["choices"].keys
        self._choices: dict[str, QPushButton] = {}
        for key, (truth, words, tip) in enumerate(_truth_words()):
            made = self._choices[truth] = self._choice(words, tip, key, self._truths)
            made.clicked.connect(lambda __=False, truth=truth: self._on_truth(truth))
        self._presets: dict[int, QPushButton] = {}
        for key, seconds in enumerate(TIMES, 3):
            words = _("{seconds} s", seconds=seconds) if seconds < 60 else _("{seconds} min", seconds=seconds // 60)
            made = self._presets[seconds] = self._choice(words, _("Measure for {time}", time=words), key, self._times)
            made.clicked.connect(lambda __=False, seconds=seconds: self.set_seconds(seconds))
        self.own: SecondsField = SecondsField()
        self.own.setAccessibleName(_("Time limit in seconds"))
        self.own.setToolTip(tip_with_key(_("Another time in seconds"), self._keys[-1]))
        self.own.value_changed.connect(self._on_seconds)
        self.go = command_button(_("Go  G"), advice_actions()["go"], "primary")
        self.own.returnPressed.connect(self.go.click)
        self.library = command_button(_("Go to the library"), window_actions()["library"], "primary")
        attach(self, advice_actions(), {"choices": self.choose})
        self._lay_out()
        self.own.set_value(TIMES[1])
        self.set_truth(EDITS)
        self.show_ready(True)

    def _choice(self, words: str, tip: str, key: int, group: QButtonGroup) -> QPushButton:
        made = button(words, tip, self._keys[key], "word")
        made.setCheckable(True)
        group.addButton(made)
        return made

    def _lay_out(self) -> None:
        self._asked = QWidget()
        choices = FlowLayout()
        self._asked.setLayout(choices)
        for one in self._choices.values():
            choices.addWidget(one)
        choices.addWidget(label(_("in"), "quiet"))
        for one in self._presets.values():
            choices.addWidget(one)
        choices.addWidget(self.own)
        choices.addWidget(label(_("s"), "quiet"))
        choices.addWidget(self.go)
        self.column.setContentsMargins(16, 10, 16, 10)
        self.column.addWidget(self._asked)
        self.column.addWidget(self._line)
        self.column.addLayout(row_of(self.library, STRETCH))

    @property
    def truth(self) -> str:
        """The chosen truth."""
        return next(truth for truth, one in self._choices.items() if one.isChecked())

    @property
    def seconds(self) -> int:
        """The time limit."""
        return self.own.value

    def set_truth(self, truth: str) -> None:
        """Choose the truth."""
        self._choices[truth if truth in self._choices else EDITS].setChecked(True)
        self._line.setText(_meaning(self.truth))

    def set_seconds(self, seconds: int) -> None:
        """Choose the time limit."""
        self.own.set_value(seconds)

    def choose(self, key: int) -> None:
        """Choose an option by its number: truths, times, then the field of seconds."""
        every = [*self._choices.values(), *self._presets.values()]
        if key <= len(every):
            every[key - 1].click()
        else:
            self.own.setFocus()
            self.own.selectAll()

    def show_ready(self, can_go: bool, why_not: str = "") -> None:
        """Show that advice can start, or why not."""
        self._running(False)
        self._lacking(False)
        self.go.setEnabled(can_go)
        self._line.setText(why_not or _meaning(self.truth))

    def show_running(self) -> None:
        """Show that an advice is running or waits for its turn."""
        self._running(True)
        self._line.setText(_meaning(self.truth))

    def show_lacking(self, why: str) -> None:
        """Show that the library has too few photographs."""
        self._lacking(True)
        self._line.setText(why)

    def words(self) -> str:
        """Return the text of the last line."""
        return self._line.text()

    def focus(self) -> None:
        """Focus the next control to use."""
        (self.go if self.library.isHidden() else self.library).setFocus(Qt.FocusReason.OtherFocusReason)

    def _running(self, runs: bool) -> None:
        for one in (*self._choices.values(), *self._presets.values(), self.own, self.go):
            one.setEnabled(not runs)

    def _lacking(self, lacks: bool) -> None:
        """Show the button to the library alone, or the rest; the focus goes to what takes the place of its widget."""
        held = self.window().focusWidget()
        held_here = held is not None and self.isAncestorOf(held) and (lacks or held is self.library)
        self.library.setVisible(lacks)
        if held_here and held is not self.library:
            self.library.setFocus(Qt.FocusReason.OtherFocusReason)
        self._asked.setVisible(not lacks)
        if held_here and not lacks:
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_truth(self, truth: str) -> None:
        self._line.setText(_meaning(truth))
        self.truth_chosen.emit(truth)

    def _on_seconds(self, seconds: int) -> None:
        self._times.setExclusive(False)
        for preset, one in self._presets.items():
            one.setChecked(preset == seconds)
        self._times.setExclusive(True)


def _truth_words() -> tuple[tuple[str, str, str], ...]:
    return (
        (
            EDITS,
            _("For my library"),
            _("Edited copies should find their original"),
        ),
        (
            PAIRS,
            _("For my own pairs"),
            _("The pairs that you choose should be found"),
        ),
        (
            NEIGHBOURS,
            _("For neighbours"),
            _("The results of exact search should be found"),
        ),
    )


def _meaning(truth: str) -> str:
    return {
        EDITS: _(
            "Up to 20 of your photos are cropped, turned, recoloured and captioned in memory. Each copy should find "
            "its original."
        ),
        PAIRS: _("Each photo of a pair should find the other. Choose the pairs below."),
        NEIGHBOURS: _("100 of your photos should find the same as exact search."),
    }[truth]


LEAST, MOST = 2, 3600
_STEP = 10


class SecondsField(QLineEdit):
    """A field for whole seconds, which corrects other input when it loses the focus.

    Signals
    -------
    value_changed : int
    """

    value_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._value = 0
        self.setValidator(QIntValidator(1, MOST, self))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFixedWidth(grown(60))
        self.textEdited.connect(self._on_edited)

    @property
    def value(self) -> int:
        """The seconds."""
        return self._value

    def set_value(self, seconds: int) -> None:
        """Set the seconds."""
        seconds = max(LEAST, min(MOST, seconds))
        if self.text() != str(seconds):
            self.setText(str(seconds))
        if seconds != self._value:
            self._value = seconds
            self.value_changed.emit(seconds)

    def _on_edited(self, text: str) -> None:
        if text.isdigit() and int(text) >= LEAST and int(text) != self._value:
            self._value = int(text)
            self.value_changed.emit(self._value)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step up and down."""
        step = {Qt.Key.Key_Up: _STEP, Qt.Key.Key_Down: -_STEP}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.set_value(self._value + step)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the valid value."""
        super().focusOutEvent(event)
        self.set_value(self._value)
