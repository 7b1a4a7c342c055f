"""Start of the window: at once, one window a library, and a sentence where there is no screen."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.gui.frame.frame import MainWindow
from app.gui.look.appearance import apply_theme
from app.gui.process.single_instance import SingleInstance
from app.gui.process.stop_signals import StopSignals
from app.language.spoken import _, text
from app.machine.preferred import preferred_value
from core.errors import TwinlensError
from core.files.tilde import expanded
from core.systems import system
from storage.database.address import Address, names_server

_PATIENCE_S = 3.0  # of a window that waits for another
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
    """Show the window of a library until it is closed, and give the exit code.

    Where a window shows this library already, that one comes to the front and takes the files.

    Parameters
    ----------
    address : Address or None
        The library; None for the usual one.
    files : list of Path, optional
        Folders to add and pictures to ask with.
    """
    from app.machine import places

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Twinlens")
    application.setDesktopFileName("twinlens")
    library = Address.of(places.default_library()) if address is None else address.absolute()
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


class LibraryWindow:
    """The window, and the place where a second start speaks to it: both are of one library.

    Parameters
    ----------
    application : QApplication
    library : Address
    single : Single
    """

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
        """Make the window anew as it stands, with the language and text size that are preferred now.

        That is as soon as no work runs behind it.
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
        """Show another library here, or bring its window to the front where it has one."""
        single = SingleInstance(library)
        if single.name == self.single.name:  # this very window: it would wait for its own answer
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
        """End, out of whatever dialog stands open."""
        self.frame.close()
        QApplication.exit(code)


def _prepare(application: QApplication) -> None:
    """Set the program's icon, colours, language and error dialog."""
    from app.gui.process import crash_dialog

    apply_theme(application, preferred_value("theme"), preferred_value("text_size"))
    crash_dialog.install_crash_dialog(application)
    _speak(application)


def _speak(application: QApplication) -> None:
    """Speak the language that the person prefers."""
    from app.gui.process.language import install_language

    install_language(application, preferred_value("language"))


def _to_front(frame: MainWindow) -> None:
    if frame.isMinimized():
        frame.showNormal()
    frame.raise_()
    frame.activateWindow()
