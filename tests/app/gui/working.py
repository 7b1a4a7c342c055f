"""A workspace over a library that a test has opened, without a window around it; and a window over a library."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QAbstractAnimation, QObject, QTimer
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG
from twinlens.app.gui.frame.commands import WorkspaceCommands
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.rail import Rail
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.library.library import Library
from twinlens.app.machine.preferences import Preferences, keep


def workspace(qtbot: QtBot, library: Library, state: dict[str, object] | None = None) -> LibraryWorkspace:
    """Make a workspace; the test finishes its jobs."""
    keep(Preferences(rescan_on_start=False, desktop_thumbnails="off"))  # those of this machine are no test's own
    rail, status = Rail(), StatusLine()
    qtbot.addWidget(rail)
    qtbot.addWidget(status)
    made = LibraryWorkspace(OpenLibrary(library, state or {}), rail, status)
    WorkspaceCommands(made)
    qtbot.addWidget(made)
    made.resize(1400, 900)
    made.show()
    settle(qtbot, made)
    return made


def settle(qtbot: QtBot, made: LibraryWorkspace) -> None:
    """Wait until nothing runs any more."""
    qtbot.waitUntil(lambda: not made.jobs.busy(), timeout=LONG)


def rested(qtbot: QtBot, widget: QObject) -> None:
    """Wait until nothing moves in a widget, and no pause after a change is waited for."""
    qtbot.waitUntil(lambda: not _is_moving(widget), timeout=LONG)


def _is_moving(widget: QObject) -> bool:
    moving = (one.state() is QAbstractAnimation.State.Running for one in widget.findChildren(QAbstractAnimation))
    pauses = (one.isActive() for one in widget.findChildren(QTimer) if one.isSingleShot() and one.interval() < 1_000)
    return any(moving) or any(pauses)


def opened(qtbot: QtBot, path: Path) -> MainWindow:
    """Open a library in a window, which its test closes."""
    frame = MainWindow(path)
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    return frame


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    """Wait until nothing runs in a window any more."""
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)


def settled_window(qtbot: QtBot, path: Path) -> MainWindow:
    """Open a library in a window, and wait until nothing runs any more."""
    frame = opened(qtbot, path)
    settled(qtbot, frame)
    return frame
