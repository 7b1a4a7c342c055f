"""The head of the results: what was asked, of what, what the run is doing, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.frame.progress_bar import ThinBar
from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import button, label
from app.language.spoken import _

_HEIGHT = 64


@dataclass(frozen=True)
class Doing:
    """What a run is doing.

    Attributes
    ----------
    state : str
        ``whole``, ``part``, ``waits``, ``runs``, ``paused``, ``file``, or ``several`` runs.
    words : str
    share : float
        Done.
    """

    state: str = "whole"
    words: str = ""
    share: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether it runs, or will."""
        return self.state in ("runs", "paused", "waits")

    def sentence(self) -> str:
        """Say it."""
        words = self.words[:1].upper() + self.words[1:]
        if self.state == "paused":
            return _("Paused · {doing}", doing=words)
        return words


class ResultsHead(QWidget):
    """Shows it.

    Signals
    -------
    wanted : str
        What a button is for: "new", "resume", "pause", "cancel", "again", "keep", "change", "export", "list".
    """

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._of = ""
        self.title, self.line, self._bar = label("", "title"), ElidedLine(), ThinBar()
        self._buttons: dict[str, QPushButton] = {}
        head = QWidget()
        head.setObjectName("head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
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
            self._add("pause", _("Pause"), _("Pause or go on"), "P"),
            self._add("cancel", _("Stop"), _("Stop; what is measured is kept")),
            self._add("resume", _("Go on"), _("Measure what is lacking"), "R"),
            self._add("keep", _("Keep"), _("Keep it in this library"), "K"),
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
                _("Write table, figures or the experiment"),
                "X",
            ),
            self._add("new", _("New"), _("New experiment"), "N", "primary"),
        ]

    def _add(self, name: str, text: str, told: str, key: str = "", role: str = "") -> QPushButton:
        made = self._buttons[name] = button(text, told, key, role)
        made.clicked.connect(lambda: self.wanted.emit(name))
        return made

    def show_of(self, title: str, line: str) -> None:
        """Say what was asked, and of what."""
        self.title.setText(title)
        self.title.setToolTip(title)
        self._of = line

    def show_doing(self, doing: Doing, measured: bool) -> None:
        """Say what the run is doing, and offer what can be done about it."""
        self.line.setText(" · ".join(filter(None, [doing.sentence(), self._of])))
        self.line.setToolTip(self.line.text())
        self._bar.share = doing.share if doing.state in ("runs", "paused") else -1.0
        self._bar.update()
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
        self._buttons["pause"].setText(_("Go on") if paused else _("Pause"))

    def show_list_button(self, shown: bool) -> None:
        """Offer the list of runs, where it is not seen."""
        self._buttons["list"].setVisible(shown)

    def press(self, name: str) -> None:
        """Press a button, if it is offered now."""
        if not self._buttons[name].isHidden():
            self._buttons[name].click()

    def under(self, name: str) -> QPoint:
        """Return the place under a button, on the screen."""
        made = self._buttons[name]
        return made.mapToGlobal(QPoint(0, made.height() + 2))
