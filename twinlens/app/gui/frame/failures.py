"""Failures in the window: the button of each remedy, a library that cannot be opened, and the report of a crash.

A library that cannot be opened has a view of its own: the reason, the next step, and ways to another library and to
the settings.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import dialog_actions
from twinlens.app.gui.look.page_parts import (
    STRETCH,
    button,
    column_of,
    command_button,
    dialog_keys,
    label,
    row_of,
    surface,
)
from twinlens.app.language.texts import _
from twinlens.app.machine.faults import log_fault, version_text
from twinlens.core.errors import Remedy
from twinlens.storage.database.address import without_passwords

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace

REMEDY_ACTIONS: dict[str, Callable[[Workspace], object]] = {
    "add folder": lambda window: window.taking.choose_folder(),
    "rescan": lambda window: window.adding.rescan(),
    "retry": lambda window: window.show_view("problems"),
    "show folders": lambda window: window.show_view("library"),
    "show problems": lambda window: window.show_view("problems"),
    "choose index": lambda window: window.show_view("indexes"),
    "create index": lambda window: window.show_view("new index"),
    "list indexes": lambda window: window.show_view("indexes"),
    "list methods": lambda window: window.show_view("new index"),
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
    "restore backup": lambda window: window.show_view("libraries"),
    "choose another library": lambda window: window.show_view("libraries"),
    "connect disk": lambda window: window.adding.rescan(),
    "allow more memory": lambda window: window.show_view("settings"),
    "show help": lambda window: window.status.guide_wanted.emit(),
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
    libraries_wanted = Signal()
    server_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "ground")
        self._sentence = label("", "empty", wrap=True)
        self._next_step = label("", "quiet", wrap=True)
        column = column_of((STRETCH, 2), on=self, gap=12, margins=24)
        for words in (self._sentence, self._next_step):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words.setFixedWidth(_WORDS_PX)
            column.addWidget(words, alignment=Qt.AlignmentFlag.AlignHCenter)
        again = button(_("Try again"), _("Try to open the library again"), "", "primary")
        again.clicked.connect(self.again_wanted)
        other = button(_("Libraries…"), _("Open another library, begin a new one, or restore a backup"))
        other.clicked.connect(self.libraries_wanted)
        server = button(_("On a server…"), _("Open a library on a server"))
        server.clicked.connect(self.server_wanted)
        settings = button(_("Settings"), _("Settings, and the log"))
        settings.clicked.connect(self.settings_wanted)
        row = row_of(STRETCH, again, other, server, settings, STRETCH, gap=12)
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


_MOST = 20  # errors shown at most, so that they fill neither the screen nor the memory


class CrashDialog(QDialog):
    """Dialog of unexpected errors, with the text to report."""

    def __init__(self, log: str) -> None:
        super().__init__()
        self.setWindowTitle(_("Twinlens made a mistake"))
        self.setProperty("role", "sheet")
        self._count = 0
        said = _(
            "Your photos and your library are not harmed, and you can go on. If it happens again, please report "
            "it with the text below; it also stands in {log}.",
            log=log,
        )
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(_("What went wrong"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        copy = command_button(_("Copy"), dialog_actions()["copy"])
        copy.clicked.connect(self._on_copy)
        go_on = command_button(_("Go on"), dialog_actions()["close"], "primary")
        go_on.clicked.connect(self.close)
        attach(self, dialog_actions(), {"copy": self._on_copy, "close": self.close})
        column_of(
            label(_("Twinlens made a mistake"), "title"),
            label(said, wrap=True),
            (self._text, 1),
            dialog_keys(go_on, None, copy),
            on=self,
            gap=12,
            margins=(24, 20, 24, 20),
        )
        self.resize(720, 420)
        go_on.setFocus()

    def add(self, text: str) -> None:
        """Show another error below the others."""
        self._count += 1
        self._text.appendPlainText(text if self._count == 1 else f"\n{text}")

    def text(self) -> str:
        """Return the whole text."""
        return self._text.toPlainText()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


class CrashReporter(QObject):
    """Handler of uncaught exceptions of all threads."""

    _reported = Signal(str)

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._seen: set[str] = set()
        self._busy = threading.local()
        self._dialog: CrashDialog | None = None
        self._log = ""
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    def dialog(self) -> CrashDialog | None:
        """Return the dialog, if an error was shown."""
        return self._dialog

    def take(self, kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        """Log an error and show it; an error in here goes to the terminal only."""
        if not isinstance(error, Exception) or getattr(self._busy, "now", False):
            sys.__excepthook__(kind, error, where)
            return
        self._busy.now = True
        try:
            text = without_passwords("".join(traceback.format_exception(kind, error, where)).rstrip())
            self._log = str(log_fault(error)) or self._log
            if text not in self._seen and len(self._seen) < _MOST:
                self._seen.add(text)
                self._reported.emit(text)
            sys.__excepthook__(kind, error, where)
        finally:
            self._busy.now = False

    def take_from_thread(self, ended: threading.ExceptHookArgs) -> None:
        """Take the exception that ended a thread."""
        if ended.exc_value is not None and ended.exc_type is not SystemExit:
            self.take(ended.exc_type, ended.exc_value, ended.exc_traceback)

    def _on_reported(self, text: str) -> None:
        if self._dialog is None:
            self._dialog = CrashDialog(self._log)
            self._dialog.add(version_text())
        self._dialog.add(text)
        self._dialog.show()
        self._dialog.raise_()


def install_crash_dialog(application: QApplication) -> CrashReporter:
    """Install the handler of uncaught exceptions; called once, after the application is made."""
    reporter = CrashReporter(application)
    sys.excepthook = reporter.take
    threading.excepthook = reporter.take_from_thread
    return reporter
