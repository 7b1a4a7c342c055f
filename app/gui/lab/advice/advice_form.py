"""The head of the Advice page: what is asked, how long it may take, and how far it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QVBoxLayout, QWidget

from app.gui.lab.advice.seconds_field import SecondsField
from app.gui.look.elided_line import ElidedLine
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import button, label, surface
from app.lab.advice.questions import EDITS, NEIGHBOURS, PAIRS
from app.language.spoken import _, _n

TIMES = (10, 60, 300)


class AskingHead(QWidget):
    """Three lines: the question with what can be done, the choices, and what they mean or what is being done.

    Signals
    -------
    go_wanted, cancel_wanted
    truth_chosen : str
    """

    go_wanted = Signal()
    cancel_wanted = Signal()
    truth_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setMinimumHeight(132)
        self._title = label(_("Which method suits my photos?"), "title")
        self._line = ElidedLine("quiet")
        self._truths = QButtonGroup(self)
        self._times = QButtonGroup(self)
        self._choices: dict[str, QPushButton] = {}
        for key, (truth, words, tip) in enumerate(_truth_words(), 1):
            made = self._choices[truth] = button(f"{words}  {key}", tip, str(key), "word")
            made.setCheckable(True)
            made.clicked.connect(lambda __=False, truth=truth: self._on_truth(truth))
            self._truths.addButton(made)
        self._presets: dict[int, QPushButton] = {}
        for key, seconds in enumerate(TIMES, 4):
            words = _("{seconds} s", seconds=seconds) if seconds < 60 else _("{seconds} min", seconds=seconds // 60)
            made = self._presets[seconds] = button(
                f"{words}  {key}", _("Measure for {time}", time=words), str(key), "word"
            )
            made.setCheckable(True)
            made.clicked.connect(lambda __=False, seconds=seconds: self.set_seconds(seconds))
            self._times.addButton(made)
        self.own: SecondsField = SecondsField()
        self.own.setAccessibleName(_("Time limit in seconds"))
        self.own.setToolTip(_("Another time in seconds (7)"))
        self.own.value_changed.connect(self._on_seconds)
        self.go = button(_("Go  G"), _("Measure indexes for this time, and propose one"), "G", "primary")
        self.cancel = button(_("Stop  Esc"), _("Stop, and use what was measured so far"), "Esc")
        self.go.clicked.connect(self.go_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self._lay_out()
        self.own.set_value(TIMES[1])
        self.set_truth(EDITS)
        self.show_ready(True)

    def _lay_out(self) -> None:
        choices = FlowLayout()
        for one in self._choices.values():
            choices.addWidget(one)
        choices.addWidget(label(_("in"), "quiet"))
        for one in self._presets.values():
            choices.addWidget(one)
        choices.addWidget(self.own)
        choices.addWidget(label(_("s  7"), "quiet"))
        choices.addWidget(self.go)
        choices.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 12, 16, 9)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addLayout(choices)
        column.addWidget(self._line)

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
        self._line.say(_meaning(self.truth))

    def set_seconds(self, seconds: int) -> None:
        """Choose the time limit."""
        self.own.set_value(seconds)

    def choose(self, key: int) -> None:
        """Press a choice by its number: truths, times, then the field of seconds."""
        every = [*self._choices.values(), *self._presets.values()]
        if key <= len(every):
            every[key - 1].click()
        else:
            self.own.setFocus()
            self.own.selectAll()

    def show_ready(self, can_go: bool, why_not: str = "") -> None:
        """Show that advice can start, or why not."""
        self._running(False)
        self.go.setEnabled(can_go)
        self._line.say(why_not or _meaning(self.truth))

    def show_running(self, measured: int) -> None:
        """Show that it runs, or waits for its turn, and how many indexes are measured; the status line has the rest."""
        self._running(True)
        self._line.say(_n("{count} index measured", "{count} indexes measured", measured))

    def words(self) -> str:
        """Return the text of the last line."""
        return self._line.text()

    def _running(self, runs: bool) -> None:
        held = self.go.hasFocus() or self.cancel.hasFocus()
        self.go.setVisible(not runs)
        self.cancel.setVisible(runs)
        for one in (*self._choices.values(), *self._presets.values(), self.own):
            one.setEnabled(not runs)
        if held:
            (self.cancel if runs else self.go).setFocus()

    def _on_truth(self, truth: str) -> None:
        self._line.say(_meaning(truth))
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
