"""Forgetting a folder in the window: it is gone from every view at once, and back by one click or key."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.search.query_examples import ExamplePicture
from app.gui.search.search_history import history_entry
from app.library.ingest.adding import forget_for_now, forgotten
from app.library.library import Library
from app.library.saved_state import history
from app.machine.preferences import Preferences, keep
from tests.app.folders import added, write_scenes
from tests.app.gui.looking import LONG, button, words


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    write_scenes(root / "photos" / "Alps", 4)
    write_scenes(root / "photos" / "Sea", 5, first=20)
    added(root / "l.twinlens", root / "photos" / "Alps", root / "photos" / "Sea")
    return root


@pytest.fixture
def frame(qtbot: QtBot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    shutil.copy(made / "l.twinlens", tmp_path)
    shown = opened(qtbot, tmp_path / "l.twinlens")
    yield shown
    shown.close()


def opened(qtbot: QtBot, path: Path) -> MainWindow:
    frame = MainWindow(path)
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    settled(qtbot, frame)
    return frame


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)


def count(frame: MainWindow) -> int:
    return frame.workspace.browsing.view.grid.rows().count


def library(frame: MainWindow) -> Library:
    held = frame.workspace.opened
    assert held is not None
    return held.library


def forget(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    frame.workspace.side.forget_wanted.emit(str(folder))
    settled(qtbot, frame)


def test_it_says_how_many_and_comes_back_by_the_button(qtbot: QtBot, frame: MainWindow, made: Path) -> None:
    forget(qtbot, frame, made / "photos" / "Alps")
    assert "“Alps” and its 4 photos are no longer in the library" in " ".join(words(frame.status))
    assert count(frame) == 5
    button(frame.status, "Undo").click()
    settled(qtbot, frame)
    assert count(frame) == 9
    assert "“Alps” is back in the library, with 4 photos" in " ".join(words(frame.status))


def test_the_undo_key_brings_all_back_the_last_one_first(qtbot: QtBot, frame: MainWindow, made: Path) -> None:
    for name in ("Alps", "Sea"):
        forget(qtbot, frame, made / "photos" / name)
    assert count(frame) == 0
    for left in (5, 9):
        frame.workspace.browsing.view.focus_content()
        QTest.keyClick(frame.focusWidget() or frame, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(qtbot, frame)
        assert count(frame) == left


def asked_with(frame: MainWindow) -> list[str]:
    return [one.accessibleName() for one in frame.workspace.searching.view.bar.findChildren(ExamplePicture)]


def test_results_history_viewer_and_question_lose_what_is_gone(qtbot: QtBot, frame: MainWindow, made: Path) -> None:
    first = int(frame.workspace.browsing.view.grid.rows().ids[0])
    folder = made / "photos" / _folder(frame, first)
    frame.workspace.searching.ask_pictures([first])
    settled(qtbot, frame)
    results = frame.workspace.searching.view.grid
    assert results.rows().count == 9
    other = next(one for one in results.rows().ids.tolist() if _folder(frame, one) != folder.name)
    frame.workspace.viewing.show(results, first)
    forget(qtbot, frame, folder)
    assert not frame.workspace.viewing.is_open()
    assert results.rows().count == 0
    assert any("no longer in the library" in said for said in words(frame.workspace.searching.view))
    assert "does not know" not in " ".join(words(frame.status))  # nobody explains a result that is gone
    assert asked_with(frame) == ["Like no longer in the library"]
    told = history_entry(frame.workspace.opened, history(library(frame))[0])
    assert not told.there
    assert "(no longer in the library)" in told.name
    assert told.name.startswith("00")  # what it was
    frame.workspace.undoing.undo()
    settled(qtbot, frame)
    assert results.rows().count == 9
    assert asked_with(frame)[0].startswith("Like 00")
    assert history_entry(frame.workspace.opened, history(library(frame))[0]).there
    # Results of a photograph that stays have lost those of the folder when they are seen again.
    frame.workspace.searching.ask_pictures([other])
    settled(qtbot, frame)
    frame.workspace.show_view("library")
    forget(qtbot, frame, folder)
    frame.workspace.show_view("search")
    settled(qtbot, frame)
    assert 0 < results.rows().count < 9


def _folder(frame: MainWindow, photograph_id: int) -> str:
    from app.library.browsing import photographs

    return Path(photographs(library(frame), [photograph_id])[0].folder).name


def test_it_is_over_when_the_window_closes(qtbot: QtBot, frame: MainWindow, made: Path, tmp_path: Path) -> None:
    forget(qtbot, frame, made / "photos" / "Alps")
    assert (tmp_path / "l.twinlens-forgotten").exists()
    frame.close()
    assert not (tmp_path / "l.twinlens-forgotten").exists()
    with Library.open(tmp_path / "l.twinlens") as closed:
        assert forgotten(closed) == []


def test_what_a_killed_window_had_forgotten_can_still_come_back(
    qtbot: QtBot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    shutil.copy(made / "l.twinlens", tmp_path / "k.twinlens")
    with Library.open(tmp_path / "k.twinlens") as killed:
        forget_for_now(killed, made / "photos" / "Sea")
    frame = opened(qtbot, tmp_path / "k.twinlens")
    assert count(frame) == 4
    button(frame.status, "Undo").click()
    settled(qtbot, frame)
    assert count(frame) == 9
    frame.close()
