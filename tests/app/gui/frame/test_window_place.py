"""Size and place of the window: there before it shows, and on a screen that exists."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app.gui.frame import main_window
from app.gui.frame.main_window import MainWindow, fitted_to_screens
from app.machine.preferences import Preferences, keep
from storage.database.address import Address
from tests.app.gui.looking import LONG

LEFT, RIGHT = QRect(0, 0, 1920, 1050), QRect(1920, 0, 2560, 1440)


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))


class _Watched(MainWindow):
    """Notes every size that it is seen in."""

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        if self.isVisible():
            self.sizes.append(event.size())
        super().resizeEvent(event)

    sizes: list[QSize]


def opened(qtbot: QtBot, path: Path) -> _Watched:
    frame = _Watched(path)
    frame.sizes = []
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    return frame


def test_the_window_shows_at_once_as_it_was_left(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        main_window, "fitted_to_screens", lambda rect, _: rect
    )  # the screen here is smaller than any window
    first = opened(qtbot, tmp_path / "a.twinlens")
    at = QRect(10, 40, 830, 600)
    first.setGeometry(at)
    first.close()
    second = opened(qtbot, tmp_path / "a.twinlens")
    assert second.geometry() == at
    assert set(map(QSize.toTuple, second.sizes)) <= {at.size().toTuple()}
    second.close()


def test_a_maximised_window_is_so_again_and_knows_its_usual_size(qtbot: QtBot, tmp_path: Path) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setGeometry(10, 20, 640, 480)
    window.showMaximized()
    main_window.keep_geometry(window, Address.of(tmp_path))
    other = QMainWindow()
    qtbot.addWidget(other)
    main_window.restore_geometry(other, Address.of(tmp_path))
    assert other.windowState() & Qt.WindowState.WindowMaximized
    other.show()
    assert other.size() == window.size()
    other.showNormal()
    assert other.size() == QSize(640, 480)


def test_a_window_comes_back_to_the_screens_that_exist() -> None:
    there = QRect(2000, 100, 1200, 800)
    assert fitted_to_screens(there, [LEFT, RIGHT]) == there
    assert fitted_to_screens(there, [LEFT]) == QRect(720, 100, 1200, 800)  # its screen is gone
    whole = fitted_to_screens(QRect(-3000, 50, 4000, 3000), [LEFT])
    assert LEFT.contains(whole.adjusted(0, -30, 0, 0)), "its title is seen, too"
    assert whole.height() > LEFT.height() - 60
    assert fitted_to_screens(QRect(1900, 10, 500, 500), [LEFT, RIGHT]) == QRect(1920, 10, 500, 500)
    assert fitted_to_screens(there, []) == there


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"": {"rect": [1, 2, "x", 4]}}', "[" * 100_000, "\xff"])
def test_a_damaged_file_costs_the_place_only(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "windows.json").write_text(text, encoding="latin-1")
    window = QMainWindow()
    qtbot.addWidget(window)
    main_window.restore_geometry(window, None)
    assert window.size() == QSize(*main_window.USUAL_SIZE)
    main_window.keep_geometry(window, None)
