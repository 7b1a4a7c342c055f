"""The start of the window: one process and one window per library, or an error where there is no screen.

The program ends in order on a signal to end: Ctrl-C in the terminal, a closed terminal, a system that shuts down. The
window has the texts of Twinlens and of Qt's own dialogs, numbers and dates in the person's language.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QSocketNotifier, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from app.gui.frame.main_window import MainWindow
from app.gui.frame.single_instance import SingleInstance
from app.gui.look.style_sheet import apply_theme
from app.language.texts import _, chosen_language, set_language, text
from app.machine.app_folders import preferred_value
from core.errors import TwinlensError
from core.files.untrusted_input import expanded
from core.systems import system
from storage.database.address import Address, names_server

_PATIENCE_S = 3.0  # patience of a window that waits for another
_LOOK_MS = 200


def main() -> None:
    """Open the window; the script ``twinlens-gui [LIBRARY] [FILES...]``."""
    if not system.has_screen():
        print(_("There is no screen for the window here. The command line needs none."), file=sys.stderr)
        raise SystemExit(2)
    given = [word for word in sys.argv[1:] if not word.startswith("-")]
    library = next((word for word in given if word.endswith(".twinlens") or names_server(word)), None)
    try:
        address = None if library is None else Address.of(library)
    except TwinlensError as error:
        print(text(error), file=sys.stderr)
        raise SystemExit(2) from None
    raise SystemExit(show_window(address, [Path(word) for word in given if word != library]))


def show_window(address: Address | None, files: list[Path] | None = None) -> int:
    """Show the window of a library until it is closed, and return the exit code.

    A window that shows this library already comes to the front and takes the files.

    Parameters
    ----------
    address : Address or None
        The library; None for the usual one.
    files : list of Path, optional
        Folders to add and pictures to search with.
    """
    from app.machine import app_folders

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Twinlens")
    application.setDesktopFileName("twinlens")
    library = Address.of(app_folders.default_library()) if address is None else address.absolute()
    wanted = [expanded(one).absolute() for one in files or []]
    try:
        single = SingleInstance(library)
        if single.hand_over(wanted):
            return 0
    except TwinlensError as error:
        print(text(error), file=sys.stderr)
        return 2
    _prepare(application)
    window = LibraryWindow(application, library, single)
    stops = StopSignals(window.stop)
    window.frame.show()
    if wanted:
        window.frame.take_files(wanted)
    code = application.exec()
    window.frame.finish()
    window.single.close()
    stops.close()
    return int(code)


def _prepare(application: QApplication) -> None:
    """Set the program's icon, colours, language and error dialog."""
    from app.gui.frame import crash_dialog

    apply_theme(application, preferred_value("theme"), preferred_value("text_size"))
    crash_dialog.install_crash_dialog(application)
    _speak(application)


def _speak(application: QApplication) -> None:
    """Install the preferred language."""
    install_language(application, preferred_value("language"))


class LibraryWindow:
    """The window of one library, and its socket for second starts."""

    def __init__(self, application: QApplication, library: Address, single: SingleInstance) -> None:
        self._application = application
        self._library = library
        self._renewing = False
        self.single = single
        self._listen()
        self.frame = self._made()

    def _made(self) -> MainWindow:
        frame = MainWindow(self._library)
        frame.other_chosen.connect(self.open_other)
        frame.renewal_wanted.connect(self.renew)
        return frame

    def _listen(self) -> None:
        self.single.handed_over.connect(self._on_handed_over)

    def _on_handed_over(self, files: list[Path]) -> None:
        self.frame.take_files(files)
        _to_front(self.frame)

    def renew(self) -> None:
        """Make the window anew with its state, in the preferred language and text size.

        That happens as soon as no job runs.
        """
        if not self._renewing:
            self._renewing = True
            QTimer.singleShot(0, self.frame, self._renew)

    def _renew(self) -> None:
        frame = self.frame
        if frame.finished:
            return
        if frame.busy() or not (frame.is_open() or frame.failed):
            if frame.is_open() and frame.workspace.adding.busy():
                words = _("The window changes when the work under way is done.")
                frame.status.show_message(words)
            QTimer.singleShot(_LOOK_MS, frame, self._renew)
            return
        standing = frame.standing()
        frame.finish()
        self._renewing = False
        _speak(self._application)
        apply_theme(self._application, size=preferred_value("text_size"))
        self.frame = self._made()
        self.frame.restoreGeometry(frame.saveGeometry())
        self.frame.carry(*standing)
        self.frame.show()
        frame.hide()
        frame.deleteLater()

    def open_other(self, library: Address) -> None:
        """Show another library here, or bring its window to the front if it has one."""
        single = SingleInstance(library)
        if single.name == self.single.name:  # this very window would wait for itself
            self.frame.open(library)
            return
        try:
            elsewhere = single.hand_over([], wait_s=_PATIENCE_S)
        except TwinlensError as error:
            self.frame.status.show_message(text(error))
            return
        if elsewhere:
            self.frame.close()
            return
        self.single.close()
        self.single, self._library = single, library
        self._listen()
        self.frame.open(library)

    def stop(self, code: int) -> None:
        """End the program, whichever dialog is open."""
        self.frame.close()
        QApplication.exit(code)


def _to_front(frame: MainWindow) -> None:
    if frame.isMinimized():
        frame.showNormal()
    frame.raise_()
    frame.activateWindow()


_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_INTERRUPTED = 128


class StopSignals(QObject):
    """Turns the first signal to end into a call on the window's thread; a second one ends the process at once.

    Python handles signals between two of its own steps, but Qt's event loop takes none: a socket wakes it.

    Parameters
    ----------
    stop : callable
        Called with the exit code of the signal.
    """

    def __init__(self, stop: Callable[[int], None]) -> None:
        super().__init__()
        self._stop = stop
        self._stopping = False
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)
        self._waked = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Any] = {}
        for name in _NAMES:
            number = getattr(signal, name, None)
            # A signal that is ignored at the start (nohup) stays ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def close(self) -> None:
        """Restore the former handlers."""
        for number, before in self._before.items():
            signal.signal(number, before)
        signal.set_wakeup_fd(self._waked)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        if self._stopping:
            os._exit(_INTERRUPTED + number)  # the person does not want to wait any longer
        self._stopping = True

    def _on_woken(self) -> None:
        for number in self._reader.recv(64):
            if number in self._before:
                self._stop(_INTERRUPTED + number)
                return


def install_language(application: QCoreApplication, preferred: str = "system") -> str:
    """Install a language of the application in place of the former one.

    Parameters
    ----------
    preferred : str
        "system" or one of `app.language.texts.LANGUAGES`. Widgets made before keep the language they were made in.

    Returns
    -------
    str
        The language that was installed.
    """
    system = QLocale.system()
    language = chosen_language(preferred, system.uiLanguages())
    set_language(language)
    QLocale.setDefault(system if system.name().startswith(language) else QLocale(language))
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    return language
