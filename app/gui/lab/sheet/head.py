"""Head of a sheet: question, data, state of what is measured, and its buttons."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import button, label, surface
from app.language.spoken import _

_HEAD_HEIGHT = 64


@dataclass(frozen=True)
class ExperimentState:
    """State of an experiment.

    Attributes
    ----------
    state : str
        ``whole``, ``part``, ``waits``, ``runs``, ``paused``, ``file``, ``several`` runs, or ``advice`` that is not
        measured now.
    words : str
    """

    state: str = "whole"
    words: str = ""

    @property
    def busy(self) -> bool:
        """Whether it is in the queue."""
        return self.state in ("runs", "paused", "waits")


class SheetHead(QWidget):
    """Head of a sheet.

    Signals
    -------
    wanted : str
        Name of a pressed button: "resume", "cancel", "again", "keep", "change", "export".
    """

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._of = ""
        self.title, self.line = label("", "title"), ElidedLine("quiet")
        self._buttons: dict[str, QPushButton] = {}
        surface(self, "head")
        self.setMinimumHeight(_HEAD_HEIGHT)
        row = QHBoxLayout(self)
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
        for made in self._make_buttons():
            row.addWidget(made)

    def _make_buttons(self) -> list[QPushButton]:
        return [
            self._add("cancel", _("Stop"), _("Stop and keep what was measured")),
            self._add("resume", _("Resume"), _("Measure the missing steps"), "R"),
            self._add("keep", _("Keep"), _("Keep this experiment in the library"), "K"),
            self._add("change", _("Change…"), _("New experiment from this one"), "E"),
            self._add("again", _("Run again"), _("Measure again and compare the figures"), "A"),
            self._add("export", _("Export"), _("Save the table, figures or experiment"), "X"),
        ]

    def _add(self, name: str, text: str, tip: str, key: str = "") -> QPushButton:
        made = self._buttons[name] = button(text, tip, key)
        made.clicked.connect(lambda: self.wanted.emit(name))
        return made

    def show_of(self, title: str, line: str) -> None:
        """Show question and data."""
        self.title.setText(title)
        self.title.setToolTip(title)
        self._of = line

    def show_doing(self, doing: ExperimentState, measured: bool) -> None:
        """Show the state, and the buttons for it."""
        self.line.say(" · ".join(filter(None, [doing.words, self._of])))
        for name, shown in {
            "cancel": doing.busy,
            "resume": doing.state == "part",
            "keep": doing.state == "file",
            "again": doing.state in ("whole", "file") and measured,
            "change": not doing.busy and doing.state not in ("several", "advice"),
            "export": measured,
        }.items():
            self._buttons[name].setVisible(shown)

    def press(self, name: str) -> None:
        """Press a button if it is visible."""
        if not self._buttons[name].isHidden():
            self._buttons[name].click()

    def focus_stop(self) -> None:
        """Focus the button that stops."""
        self._buttons["cancel"].setFocus(Qt.FocusReason.OtherFocusReason)

    def under(self, name: str) -> QPoint:
        """Return the place under a button, on the screen."""
        made = self._buttons[name]
        return made.mapToGlobal(QPoint(0, made.height() + 2))
