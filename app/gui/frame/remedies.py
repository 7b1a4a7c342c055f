"""Remedies in the window: the label of each remedy's button, and the function that it calls.

A library that cannot be opened has a view of its own: the reason, the next step, and ways to another library and to the
settings.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.gui.look.page_parts import button, label, surface
from app.gui.services.services import WorkspaceServices
from app.language.texts import _
from core.errors import Remedy

REMEDY_ACTIONS: dict[str, Callable[[WorkspaceServices], object]] = {
    "add folder": lambda window: window.taking.choose_folder(),
    "rescan": lambda window: window.adding.rescan(),
    "retry": lambda window: window.show_view("problems"),
    "show folders": lambda window: window.show_view("library"),
    "show problems": lambda window: window.show_view("problems"),
    "choose index": lambda window: window.show_view("indexes"),
    "create index": lambda window: window.new_index(),
    "list indexes": lambda window: window.show_view("indexes"),
    "list methods": lambda window: window.new_index(),
    "list metrics": lambda window: window.show_view("learn"),
    "list runs": lambda window: window.show_view("lab"),
    "resume run": lambda window: window.show_view("lab"),
    "measure photographs": lambda window: window.show_view("lab"),
    "export run": lambda window: window.show_view("lab"),
    "mark pairs": lambda window: window.show_view("learn"),
    "list marks": lambda window: window.show_view("learn"),
    "delete metric with indexes": lambda window: window.show_view("learn"),
    "learn metric": lambda window: window.show_view("learn"),
    "fit vocabulary": lambda window: window.show_view("indexes"),
    "list vocabularies": lambda window: window.show_view("indexes"),
    "repair library": lambda window: window.show_view("settings"),
    "restore backup": lambda window: window.choose_library(),
    "choose another library": lambda window: window.choose_library(),
    "connect disk": lambda window: window.adding.rescan(),
    "allow more memory": lambda window: window.show_view("settings"),
    "show help": lambda window: window.show_guide(),
}
"""The function of each remedy, by its name."""


def remedy_label(remedy: Remedy) -> str:
    """Return the label of a remedy's button."""
    return {
        "add folder": _("Add a folder…"),
        "rescan": _("Look for changes"),
        "retry": _("Show problems"),
        "show folders": _("Show the library"),
        "show problems": _("Show problems"),
        "choose index": _("Show indexes"),
        "create index": _("New index…"),
        "list indexes": _("Show indexes"),
        "list methods": _("New index…"),
        "list metrics": _("Open Learn"),
        "list runs": _("Open the Lab"),
        "resume run": _("Open the Lab"),
        "measure photographs": _("Open the Lab"),
        "export run": _("Open the Lab"),
        "mark pairs": _("Open Learn"),
        "list marks": _("Open Learn"),
        "delete metric with indexes": _("Open Learn"),
        "learn metric": _("Open Learn"),
        "fit vocabulary": _("Show indexes"),
        "list vocabularies": _("Show indexes"),
        "repair library": _("Check the library in Settings"),
        "restore backup": _("Open a backup…"),
        "choose another library": _("Open another library…"),
        "connect disk": _("Look again"),
        "allow more memory": _("Open Settings"),
        "show help": _("Open the guide"),
    }[remedy.name]


def remedy_advice(remedy: Remedy) -> str:
    """Return the advice for a place without a button."""
    if remedy.name == "connect disk":
        return _("Connect the disk, then choose “{action}”.", action=remedy_label(remedy))
    return _("Choose “{action}”.", action=remedy_label(remedy))


_WORDS_PX = 520


class FailureView(QWidget):
    """A page with a sentence, its next step, and buttons; the settings show the log."""

    again_wanted = Signal()
    other_wanted = Signal()
    server_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "ground")
        self._sentence = label("", "empty", wrap=True)
        self._next_step = label("", "quiet", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(2)
        for words in (self._sentence, self._next_step):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words.setFixedWidth(_WORDS_PX)
            column.addWidget(words, alignment=Qt.AlignmentFlag.AlignHCenter)
        again = button(_("Try again"), _("Try to open the library again"), "", "primary")
        again.clicked.connect(self.again_wanted)
        other = button(_("Open another library…"), _("Open another library, or begin a new one"))
        other.clicked.connect(self.other_wanted)
        server = button(_("On a server…"), _("Open a library on a server"))
        server.clicked.connect(self.server_wanted)
        settings = button(_("Settings"), _("Settings, and the log"))
        settings.clicked.connect(self.settings_wanted)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addStretch()
        row.addWidget(again)
        row.addWidget(other)
        row.addWidget(server)
        row.addWidget(settings)
        row.addStretch()
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(3)
        self.setFocusProxy(again)

    def say(self, sentence: str, next_step: str) -> None:
        """Show what is wrong, and the next step."""
        for words, text in ((self._sentence, sentence), (self._next_step, next_step)):
            # A path has no place for a line break: allow one behind each of its parts.
            words.setText(text.replace("/", "/\u200b"))
            words.setFixedHeight(words.heightForWidth(_WORDS_PX))
        self.setAccessibleName(f"{sentence} {next_step}")
