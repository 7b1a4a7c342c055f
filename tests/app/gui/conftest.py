"""What holds for tests of the window: what a test leaves goes with it, and garbage is looked for in no other thread."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.machine.preferences import Preferences, keep


@pytest.fixture(scope="package", autouse=True)
def _nothing_to_compile() -> Iterator[None]:
    """Let plain numpy search: compiling takes longer than all these searches, and loops have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWINLENS_PLAIN", "1")
        yield


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Let no thread of a test destroy widgets of another test, and no widget outlive its test.

    Whatever stays is styled again with every window that comes: a run would become slower and slower. What a test made
    is young, so that its garbage is found without looking at everything.
    """
    gc.disable()
    before = set(alone())
    yield
    for widget in alone():
        if widget not in before:
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect(0)


@pytest.fixture(autouse=True, scope="module")
def _old_garbage() -> Iterator[None]:
    """Look for what outlived a test, and was let go by a later one, where a file of tests ends; what stays, stays."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _own_look() -> Iterator[None]:
    """Let no file of tests leave the style sheet of the program to the next: every widget is slower to make with it."""
    yield
    application = QCoreApplication.instance()
    if isinstance(application, QApplication) and application.styleSheet():
        application.setStyleSheet("")


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a test folders of the program of its own, and have no library looked through anew when it is opened."""
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, tmp_path: Path) -> Iterator[MainWindow]:
    """Open a window over a new library; files of tests whose window is over another one have their own."""
    shown = opened(qtbot, tmp_path / "a.twinlens")
    yield shown
    shown.close()


def alone() -> list[QWidget]:
    """Return the widgets that go with no other."""
    if not isinstance(QCoreApplication.instance(), QApplication):
        return []
    return [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
