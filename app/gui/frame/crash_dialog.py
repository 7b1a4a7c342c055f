"""The crash dialog shows unexpected errors, which are logged, too; the program continues."""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout

from app.gui.look.page_parts import button, label
from app.language.texts import _
from app.machine.faults import log_fault, version_text
from storage.database.address import without_passwords

_MOST = 20  # errors shown at most, so that they fill neither the screen nor the memory


class CrashDialog(QDialog):
    """Dialog of unexpected errors, with the text to report."""

    def __init__(self, log: str) -> None:
        super().__init__()
        self.setWindowTitle(_("Twinlens made a mistake"))
        self.setProperty("role", "sheet")
        self._count = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addWidget(label(_("Twinlens made a mistake"), "title"))
        said = _(
            "Your photos and your library are not harmed, and you can go on. If it happens again, please report "
            "it with the text below; it also stands in {log}.",
            log=log,
        )
        column.addWidget(label(said, wrap=True))
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(_("What went wrong"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        column.addWidget(self._text, 1)
        copy = button(_("Copy"), _("Copy the text"), "Ctrl+Shift+C")
        copy.setShortcut("Ctrl+Shift+C")
        copy.clicked.connect(self._on_copy)
        go_on = button(_("Go on"), _("Close this and go on"), "Esc", "primary")
        go_on.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(copy)
        row.addWidget(go_on)
        column.addLayout(row)
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
