"""The start of the window: one process and one window per library, or an error where there is no screen.

A second start hands its files to the first and ends. The program ends in order on a signal to end: Ctrl-C in the
terminal, a closed terminal, a system that shuts down. The window has the texts of Twinlens and of Qt's own dialogs,
numbers and dates in the person's language.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QLockFile,
    QObject,
    QSocketNotifier,
    QTimer,
    QTranslator,
    Signal,
)
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.language.texts import _, chosen_language, set_language, text
from twinlens.app.machine import app_folders
from twinlens.app.machine.app_folders import preferred_value
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded, parse_json
from twinlens.core.systems import system
from twinlens.storage.database.address import Address, names_server

_PATIENCE_S = 3.0  # patience of a window that waits for another
_LOOK_MS = 200


def main() -> None:
    """Open the window; the script ``twinlens-gui [LIBRARY] [FILES...]``."""
    options = [word for word in sys.argv[1:] if word.startswith("-")]
    if "--version" in options:
        print(f"twinlens {version('twinlens')}")
        return
    if options:
        print(_("Usage:"), "twinlens-gui [LIBRARY] [FILE_OR_FOLDER]...")
        print(_("Opens the window, with a library, folders to add and pictures to search with."))
        raise SystemExit(0 if {"-h", "--help"} & set(options) else 2)
    if not system.has_screen():
        print(_("There is no screen for the window here. The command line needs none."), file=sys.stderr)
        raise SystemExit(2)
    given = sys.argv[1:]
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
    from twinlens.app.machine import app_folders

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
    from twinlens.app.gui.frame import failures

    apply_theme(application, preferred_value("theme"), preferred_value("text_size"))
    failures.install_crash_dialog(application)
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
            if frame.is_open() and frame.workspace.work.busy():
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
        "system" or one of `twinlens.app.language.texts.LANGUAGES`. Widgets made before keep the language they were made
        in.

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


_WINDOWS = sys.platform == "win32"
_CONNECT_MS = 1000
_ANSWER_S = 20.0  # a closing window stops its work first
_AGAIN_S = 0.1
_TAKEN = b"taken\n"
_LONGEST = 16 << 20
"""Bytes of a line at most: twice the longest command line, in hexadecimal digits."""

_PATIENCE_MS = 5000
"""Time within which a connection has sent everything."""


class SingleInstance(QObject):
    """The per-user socket of a library's window.

    Parameters
    ----------
    library : Address
        Any spelling of its address.

    Attributes
    ----------
    name : str
        Path of the socket, in a private folder of this user; on Windows a name.
    """

    handed_over = Signal(list)
    """Paths that a second start was given; empty to bring the window to the front."""

    def __init__(self, library: Address) -> None:
        super().__init__()
        self._library = library
        folder = app_folders.meeting_folder()
        digest = hashlib.sha256(library.key).hexdigest()[:16]
        self.name = f"twinlens-{os.environ.get('USERNAME', '')}-{digest}" if _WINDOWS else str(folder / digest)
        self._lock = folder / f"{digest}.lock"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def hand_over(self, files: list[Path], wait_s: float = _ANSWER_S) -> bool:
        """Hand files to the running window; False if there is none, and this process becomes it.

        Raises
        ------
        TwinlensError
            If the running window does not respond.
        """
        words = json.dumps([os.fsencode(one).hex() for one in files]).encode() + b"\n"
        until = time.monotonic() + wait_s
        # Of two simultaneous starts one waits here until the other listens.
        lock = QLockFile(str(self._lock))
        lock.setStaleLockTime(0)
        lock.tryLock(round(1000 * wait_s))
        try:
            while True:
                there = self._tell(words, until)
                if there is not None:
                    return there
                if time.monotonic() > until:
                    raise TwinlensError(
                        "The window of the library {library} does not answer.",
                        "Wait until it has closed, or end it, and start again.",
                        library=self._library.shown,
                    )
                time.sleep(_AGAIN_S)
        finally:
            lock.unlock()

    def _tell(self, words: bytes, until: float) -> bool | None:
        """Send words to the running window; return whether there is one, or None without a response."""
        socket = QLocalSocket()
        socket.connectToServer(self.name)
        if not socket.waitForConnected(_CONNECT_MS):
            QLocalServer.removeServer(self.name)  # left behind by a killed process
            self._server.listen(self.name)
            return False
        socket.write(words)
        while not socket.canReadLine():
            left = round(1000 * (until - time.monotonic()))
            if left <= 0:
                break
            if not (socket.bytesToWrite() and socket.waitForBytesWritten(left)) and not socket.waitForReadyRead(left):
                break  # it is closing, or does not respond
        answered = bytes(socket.readLine().data()) == _TAKEN
        socket.abort()
        return True if answered else None

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda one=socket: self._on_words(one))
            socket.disconnected.connect(socket.deleteLater)
            late = QTimer(socket)
            late.setSingleShot(True)
            late.timeout.connect(socket.abort)
            late.start(_PATIENCE_MS)

    def _on_words(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _LONGEST:
                socket.abort()
            return
        try:
            words = parse_json(bytes(socket.readLine().data()))
            paths = [Path(os.fsdecode(bytes.fromhex(word))) for word in words]
        except (ValueError, TypeError):
            socket.abort()  # not a Twinlens process
            return
        socket.write(_TAKEN)
        socket.flush()
        self.handed_over.emit(paths)
