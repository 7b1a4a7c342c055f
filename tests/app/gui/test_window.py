"""The window on a real library, offscreen: what it shows, by keys, and that everything has a name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.gui.grid import Grid
from app.gui.theme import apply_theme
from app.gui.window import Window
from app.indexing import add
from app.library import Library
from tests.app.folders import write_scene, write_scenes

COUNT = 12


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, COUNT)
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "family.twinlens", create=True) as opened:
        add(opened, [photographs], workers=1)
        yield opened


@pytest.fixture
def window(qtbot: QtBot, library: Library) -> Iterator[Window]:
    shown = _open(qtbot, library)
    qtbot.waitUntil(lambda: _rows(shown) == COUNT, timeout=20_000)
    yield shown
    shown.close()


def _open(qtbot: QtBot, library: Library) -> Window:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application)
    window = Window(library)
    qtbot.addWidget(window)
    window.show()
    return window


def _grid(window: Window) -> Grid:
    grid = window.findChild(Grid)
    assert isinstance(grid, Grid)
    return grid


def _rows(window: Window) -> int:
    return _grid(window).photographs.rowCount()


def _words(window: Window, name: str) -> str:
    label = window.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_the_library_is_shown_with_thumbnails(qtbot: QtBot, window: Window) -> None:
    assert _words(window, "title") == "12 photographs"
    assert "family" in window.windowTitle()
    model = _grid(window).photographs
    qtbot.waitUntil(lambda: model.data(model.index(0), Qt.ItemDataRole.DecorationRole) is not None, timeout=20_000)


def test_enter_finds_look_alikes_and_escape_goes_back(qtbot: QtBot, window: Window) -> None:
    grid = _grid(window)
    grid.setCurrentIndex(grid.photographs.index(3))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "0003.jpg" in _words(window, "title"), timeout=20_000)
    first = grid.photographs.item(grid.photographs.index(0))
    assert (first.rank, first.similarity, first.asked) == (1, 1.0, True)
    assert "looked at 12" in _words(window, "timing")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: _words(window, "title") == "12 photographs", timeout=20_000)


def test_another_index_answers_at_once(qtbot: QtBot, window: Window) -> None:
    window.ask(2)
    qtbot.waitUntil(lambda: "Like" in _words(window, "title"), timeout=20_000)
    before = _words(window, "timing")
    chooser = window.findChild(QComboBox)
    assert isinstance(chooser, QComboBox)
    chooser.setCurrentText("Colours")
    chooser.activated.emit(chooser.currentIndex())
    qtbot.waitUntil(lambda: _words(window, "timing") != before, timeout=20_000)


def test_a_dropped_picture_is_a_query_and_a_dropped_folder_is_added(
    qtbot: QtBot, tmp_path: Path, photographs: Path
) -> None:
    with Library.open(tmp_path / "new.twinlens", create=True) as library:
        window = _open(qtbot, library)
        _drop(window, write_scene(tmp_path / "more" / "one.jpg", 70).parent)
        # The list may show the photograph before adding has said its last word: wait for both.
        qtbot.waitUntil(lambda: "1 photographs are new" in window.statusBar().currentMessage(), timeout=60_000)
        qtbot.waitUntil(lambda: _rows(window) == 1, timeout=60_000)
        _drop(window, photographs / "0004.jpg")
        qtbot.waitUntil(lambda: "0004.jpg" in _words(window, "title"), timeout=20_000)
        window.close()


def _drop(window: Window, path: Path) -> None:
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(path))])
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), actions, content, buttons, keys))


def test_what_cannot_be_is_said_in_the_status_line(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    window.ask(tmp_path / "bad.jpg")
    qtbot.waitUntil(lambda: window.statusBar().currentMessage() != "", timeout=20_000)
    assert "Traceback" not in window.statusBar().currentMessage()


def test_everything_that_can_be_used_has_a_name(window: Window) -> None:
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QAbstractButton | QComboBox | Grid) and widget.isVisibleTo(window):
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface is not None
            assert interface.text(QAccessible.Text.Name), widget
    model = _grid(window).photographs
    assert model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole) == "0000.jpg"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None cannot lose references where it is immortal")
def test_qt_does_not_lose_references(window: Window) -> None:
    before = sys.getrefcount(None)
    for _ in range(1000):
        QCoreApplication.processEvents()
    assert sys.getrefcount(None) > before - 500
