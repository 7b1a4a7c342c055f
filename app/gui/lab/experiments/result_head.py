"""Head of the results: question, data, state of the run, and its buttons."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import button, label, surface
from app.gui.look.thin_bar import ThinBar
from app.language.spoken import _

_HEIGHT = 64


@dataclass(frozen=True)
class Doing:
    """State of a run.

    Attributes
    ----------
    state : str
        ``whole``, ``part``, ``waits``, ``runs``, ``paused``, ``file``, or ``several`` runs.
    words : str
    share : float
        Share done.
    """

    state: str = "whole"
    words: str = ""
    share: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether the run is in the queue."""
        return self.state in ("runs", "paused", "waits")

    def sentence(self) -> str:
        """Return the text of the state."""
        return _("Paused · {doing}", doing=self.words) if self.state == "paused" else self.words


class ResultsHead(QWidget):
    """Head of the results.

    Signals
    -------
    wanted : str
        Name of a pressed button: "new", "resume", "pause", "cancel", "again", "keep", "change", "export", "list".
    """

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._of = ""
        self.title, self.line, self._bar = label("", "title"), ElidedLine("quiet"), ThinBar()
        self._buttons: dict[str, QPushButton] = {}
        head = QWidget()
        surface(head, "head")
        head.setMinimumHeight(_HEIGHT)
        row = QHBoxLayout(head)
        row.setContentsMargins(18, 6, 16, 6)
        row.setSpacing(8)
        row.addWidget(self._add("list", "☰", _("List of experiments"), "L"))
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._bar)

    def _make_buttons(self) -> list[QPushButton]:
        return [
            self._add("pause", _("Pause"), _("Pause or resume"), "P"),
            self._add("cancel", _("Stop"), _("Stop and keep what was measured")),
            self._add("resume", _("Resume"), _("Measure the missing steps"), "R"),
            self._add("keep", _("Keep"), _("Keep this experiment in the library"), "K"),
            self._add("change", _("Change…"), _("New experiment from this one"), "E"),
            self._add(
                "again",
                _("Run again"),
                _("Measure again and compare the figures"),
                "A",
            ),
            self._add(
                "export",
                _("Export"),
                _("Save the table, figures or experiment"),
                "X",
            ),
            self._add("new", _("New"), _("New experiment"), "N", "primary"),
        ]

    def _add(self, name: str, text: str, tip: str, key: str = "", role: str = "") -> QPushButton:
        made = self._buttons[name] = button(text, tip, key, role)
        made.clicked.connect(lambda: self.wanted.emit(name))
        return made

    def show_of(self, title: str, line: str) -> None:
        """Show question and data."""
        self.title.setText(title)
        self.title.setToolTip(title)
        self._of = line

    def show_doing(self, doing: Doing, measured: bool) -> None:
        """Show the state of the run, and the buttons for it."""
        self.line.say(" · ".join(filter(None, [doing.sentence(), self._of])))
        self._bar.show_share(doing.share if doing.state in ("runs", "paused") else -1.0)
        for name, shown in {
            "pause": doing.state in ("runs", "paused"),
            "cancel": doing.busy,
            "resume": doing.state == "part",
            "keep": doing.state == "file",
            "again": doing.state in ("whole", "file") and measured,
            "change": not doing.busy and doing.state != "several",
            "export": measured,
        }.items():
            self._buttons[name].setVisible(shown)
        paused = doing.state == "paused"
        self._buttons["pause"].setText(_("Resume") if paused else _("Pause"))

    def show_list_button(self, shown: bool) -> None:
        """Show or hide the button of the list of runs."""
        self._buttons["list"].setVisible(shown)

    def press(self, name: str) -> None:
        """Press a button if it is visible."""
        if not self._buttons[name].isHidden():
            self._buttons[name].click()

    def under(self, name: str) -> QPoint:
        """Return the place under a button, on the screen."""
        made = self._buttons[name]
        return made.mapToGlobal(QPoint(0, made.height() + 2))
