"""What dragging over the window says: what dropping does, in each view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.services import dropped_files
from app.gui.side_panel.side_panel import FolderModel
from app.machine.preferences import Preferences, keep
from core.message import Message
from core.progress import Progress
from tests.app.gui.looking import LONG, button, part, said

COPY = Qt.DropAction.CopyAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def frame(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    frame = MainWindow(tmp_path / "a.twinlens")
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    yield frame
    frame.close()


def of(paths: Sequence[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def waiting(frame: MainWindow) -> str:
    """Return what is said of the folders that wait."""
    return " ".join(one.text() + one.toolTip() for one in frame.status.findChildren(QLabel) if one.isVisible())


def enter(frame: MainWindow, data: QMimeData) -> str:
    QApplication.sendEvent(frame, QDragEnterEvent(QPoint(50, 50), COPY, data, LEFT, NONE))
    return frame.drop_sign.words()[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Alps").mkdir()
    (tmp_path / "Alps" / "one.jpg").touch()
    return tmp_path / "Alps"


def test_what_a_drop_does_is_said_in_each_view_until_it_is_done(frame: MainWindow, folder: Path) -> None:
    for view in ("library", "search", "compare", "learn", "lab", "map", "indexes", "problems", "settings"):
        frame.workspace.show_view(view)
        data = of([folder])
        assert enter(frame, data) == "Add “Alps” to the library", view
        assert frame.drop_sign.size() == frame.size()
        QApplication.sendEvent(frame, QDragLeaveEvent())
        assert frame.drop_sign.isHidden()
        data = of([folder / "one.jpg"])
        asks = "Compare indexes with this photo" if view == "compare" else "Search with this photo"
        assert enter(frame, data) == asks, view
    QApplication.sendEvent(frame, QDropEvent(QPointF(50, 50), COPY, data, LEFT, NONE))
    assert frame.drop_sign.isHidden()


def test_a_picture_of_another_program_is_searched_with(frame: MainWindow) -> None:
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    assert enter(frame, data) == "Search with this photo"


def test_what_is_nowhere_here_gets_no_promise(frame: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/a.jpg")])
    assert enter(frame, data) == ""


def test_several_things_are_said_together() -> None:
    title, more = dropped_files.drop_sentences([Path("/a/Alps")], 2, "library", after="Sea")
    assert title.splitlines() == ["Add “Alps” to the library", "Search with these photos"]
    assert "after “Sea”" in more
    assert dropped_files.drop_sentences([Path("/a"), Path("/b")], 0, "library")[0] == "Add 2 folders to the library"
    assert "at most 16" in dropped_files.drop_sentences([], 17, "search")[0]


def test_it_can_be_seen_in_light_and_dark(frame: MainWindow, folder: Path) -> None:
    before = frame.grab().toImage()
    data = of([folder])
    enter(frame, data)
    assert frame.grab().toImage() != before


def test_a_folder_that_comes_while_another_is_added_waits_and_says_so(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path
) -> None:
    def endless(progress: Progress) -> None:
        while True:
            progress(1, 10, Message("1 of 10"))

    frame.workspace.adding.run("Adding Sea…", endless, lambda _: None)
    for name in ("Alps", "Lake"):
        (tmp_path / name).mkdir()
        frame.workspace.taking.take_files([tmp_path / name])
        assert f"“{name}” is added after “" in said(frame.status)
    assert "“Alps”" not in frame.workspace.adding.last_waiting()
    assert frame.workspace.adding.last_waiting().endswith("Lake")
    qtbot.waitUntil(lambda: not frame.workspace.adding.is_estimating(), timeout=LONG)
    assert "Alps, Lake" in waiting(frame)
    frame.workspace.taking.take_files([tmp_path / "Lake"])
    assert "being added already" in said(frame.status)
    assert enter(frame, of([tmp_path])) == f"Add “{tmp_path.name}” to the library"
    frame.status.cancel()
    qtbot.waitUntil(lambda: not frame.workspace.adding.busy(), timeout=LONG)
    assert "Alps" not in waiting(frame)
    # The folders that waited are not lost.
    goes_on = button(frame.status, "Continue")
    qtbot.waitUntil(goes_on.isVisible, timeout=LONG)
    goes_on.click()
    qtbot.waitUntil(
        lambda: not frame.workspace.adding.busy() and not frame.workspace.adding.has_unfinished(), timeout=LONG
    )
    folders = part(frame.workspace.side, FolderModel)
    qtbot.waitUntil(lambda: folders.index_of(str(tmp_path / "Lake")).isValid(), timeout=LONG)
