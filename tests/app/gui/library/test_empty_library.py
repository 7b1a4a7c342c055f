"""An empty library says what Twinlens is for, and offers the person's folder of pictures with its photographs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.app.folders import write_scene, write_scenes
from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import opened, settled
from twinlens.app.gui.frame.main_window import MainWindow


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a folder be the person's pictures, as the system names them."""
    folder = tmp_path / "Pictures & more"
    write_scenes(folder, 3)
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(folder))
    return folder


def shown(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return opened(qtbot, tmp_path / "new.twinlens")


def seen(frame: MainWindow) -> str:
    """Return all that labels and buttons of the view say."""
    view = frame.workspace.browsing.view
    buttons = [one.accessibleName() for one in view.findChildren(QPushButton) if one.isVisible()]
    return " ".join([*words(view), *buttons])


def count(frame: MainWindow) -> int:
    return frame.workspace.browsing.view.grid.rows().count


def test_the_folder_of_pictures_is_offered_and_added_by_one_key(
    qtbot: QtBot, own_data: None, pictures: Path, tmp_path: Path
) -> None:
    frame = shown(qtbot, tmp_path)
    qtbot.waitUntil(lambda: "It takes about 1 second." in seen(frame), timeout=LONG)
    assert "Twinlens finds copies and look-alikes among your photos." in seen(frame)
    held = frame.focusWidget()
    assert isinstance(held, QPushButton)
    assert held.accessibleName() == "Add the 3 photos of “Pictures & more”"
    QTest.keyClick(held, Qt.Key.Key_Return)
    assert "The first photos appear here in a moment." in seen(frame)
    qtbot.waitUntil(lambda: count(frame) == 3 and not frame.busy(), timeout=LONG)
    frame.close()


def test_no_folder_is_asked_for_while_one_is_counted(
    qtbot: QtBot, own_data: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: "")
    monkeypatch.setattr("twinlens.app.gui.services.adding_photos.LARGE_SECONDS", -1)
    write_scene(tmp_path / "Lake" / "one.jpg", 1)
    frame = shown(qtbot, tmp_path)
    qtbot.waitUntil(lambda: "Choose the folder with your photos" in seen(frame), timeout=LONG)
    assert frame.focusWidget() is button(frame.workspace.browsing.view, "Choose a folder…")
    frame.workspace.taking.take_files([tmp_path / "Lake"])
    assert "Looking through “Lake”…" in seen(frame)
    assert "older…" not in seen(frame).replace("“Lake”…", "")
    qtbot.waitUntil(lambda: "Add the 1 photo of “Lake”" in seen(frame), timeout=LONG)
    settled(qtbot, frame)
    assert not any("Add “Lake”?" in one for one in words(frame))  # it is offered once
    button(frame.workspace.browsing.view, "Add the 1 photo of “Lake”").click()
    qtbot.waitUntil(lambda: count(frame) == 1, timeout=LONG)
    frame.close()


def test_another_folder_takes_the_place_of_the_offered_one(
    qtbot: QtBot, own_data: None, pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_scene(tmp_path / "Lake" / "one.jpg", 1)
    frame = shown(qtbot, tmp_path)
    qtbot.waitUntil(lambda: "It takes about" in seen(frame), timeout=LONG)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "Lake"))
    button(frame.workspace.browsing.view, "Another folder…").click()
    qtbot.waitUntil(lambda: count(frame) == 1 and not frame.busy(), timeout=LONG)
    frame.close()


def test_a_folder_without_photographs_says_so(
    qtbot: QtBot, own_data: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: "")
    (tmp_path / "Texts").mkdir()
    frame = shown(qtbot, tmp_path)
    settled(qtbot, frame)
    frame.workspace.adding.propose([tmp_path / "Texts"])
    qtbot.waitUntil(lambda: "There are no photos in “Texts”." in seen(frame), timeout=LONG)
    assert "Another folder…" in seen(frame)
    frame.close()


def test_the_home_is_no_folder_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    from twinlens.app.gui.library.empty_library import pictures_folder

    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(Path.home()))
    assert pictures_folder() is None
