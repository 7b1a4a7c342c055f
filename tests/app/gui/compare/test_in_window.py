"""From the library to the comparison and back, by keys, in the whole window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.frame.frame import Frame
from app.gui.frame.key_sheet import sheet
from app.gui.look.appearance import apply_theme
from app.machine.preferences import Preferences, keep
from app.search.question import Example, Question
from tests.app.folders import added, write_scenes
from tests.app.gui.looking import nameless

LONG = 60_000
COUNT = 6


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("made")
    write_scenes(place / "photographs", COUNT)
    added(place / "family.twinlens", place / "photographs")
    return place


@pytest.fixture
def frame(qtbot: QtBot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Frame]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    shutil.copy(made / "family.twinlens", tmp_path)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application)
    shown = Frame(tmp_path / "family.twinlens")
    qtbot.addWidget(shown)
    with qtbot.waitSignal(shown.opened, timeout=LONG):
        shown.show()
    qtbot.waitUntil(lambda: shown.library_view.grid.rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def test_a_photograph_is_compared_by_keys_and_one_comes_back(qtbot: QtBot, frame: Frame) -> None:
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    grid, view = frame.library_view.grid, frame.compare_view
    grid.setFocus()
    first = grid.current_id() if grid.current_id() >= 0 else int(grid.rows().ids[0])
    grid.set_current(first)
    QTest.keyClick(grid, Qt.Key.Key_C, control | shift)
    qtbot.waitUntil(lambda: frame.view() == "compare", timeout=LONG)
    qtbot.waitUntil(lambda: not frame.jobs.busy() and bool(view.columns()), timeout=LONG)
    assert len(view.columns()) >= 2, "an index, exact search, and another"
    assert view.columns()[0].tiles[0].id == first
    assert nameless(view) == []
    assert view.board.hasFocus()
    qtbot.waitUntil(lambda: not view.board.covers.lacking(tile.content_hash for tile in view.columns()[0].tiles))
    QTest.keyClick(view.board, Qt.Key.Key_Right)
    hit = view.board.current_id()
    assert frame.current() == hit
    QTest.keyClick(view.board, Qt.Key.Key_Space)
    assert frame.viewing.is_open()
    QTest.keyClick(frame.viewing.viewer, Qt.Key.Key_Escape)
    assert not frame.viewing.is_open()
    QTest.keyClick(view.board, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not frame.jobs.busy() and view.columns()[0].tiles[0].id == hit, timeout=LONG)
    assert [thing.words for thing in frame.menu.things(hit, [hit])].count("Compare indexes") == 1
    QTest.keyClick(view.board, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not frame.jobs.busy() and view.columns()[0].tiles[0].id == first, timeout=LONG)
    QTest.keyClick(view.board, Qt.Key.Key_Escape)
    assert frame.view() == "library"
    frame.show_view("compare")
    assert not view.is_empty(), "it is as it was left"


def test_where_nothing_is_asked_there_is_one_thing_to_do(qtbot: QtBot, frame: Frame) -> None:
    frame.show_view("compare")
    assert frame.compare_view.is_empty()
    frame.compare_view.library_wanted.emit()
    assert frame.view() == "library"
    frame.searching.ask_pictures([2])
    qtbot.waitUntil(lambda: frame.view() == "search" and not frame.jobs.busy(), timeout=LONG)
    frame.show_view("compare")
    frame.compare_view.library_wanted.emit()
    qtbot.waitUntil(lambda: bool(frame.compare_view.columns()) and not frame.jobs.busy(), timeout=LONG)
    assert frame.compare_view.columns()[0].tiles[0].id == 2, "what the search asks with is at hand"
    frame.comparing.search_wanted.emit("Colours")
    qtbot.waitUntil(lambda: frame.view() == "search" and not frame.jobs.busy(), timeout=LONG)
    assert frame.searching.index == "Colours"


def test_what_the_search_asks_is_compared_with_its_parts_and_weights(qtbot: QtBot, frame: Frame) -> None:
    question = Question((Example(1, region=(0, 0, 0.5, 0.5)), Example(2, weight=-0.5)))
    frame.searching.ask(question)
    qtbot.waitUntil(lambda: frame.view() == "search" and not frame.jobs.busy(), timeout=LONG)
    grid = frame.search_view.grid
    grid.setFocus()
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: frame.view() == "compare" and not frame.jobs.busy(), timeout=LONG)
    assert frame.comparing.question == question
    assert frame.compare_view.columns()[0].tiles


def test_its_keys_stand_in_the_sheet() -> None:
    told = {shortcut.keys for shortcut in sheet()}
    assert {"Ctrl+6", "Ctrl+Shift+C", "A / E / Del", "Ctrl+Left / Ctrl+Right"} <= told


def test_folders_and_filters_narrow_columns_down(qtbot: QtBot, frame: Frame) -> None:
    view = frame.compare_view
    QTest.keyClick(frame, Qt.Key.Key_F9)
    frame.show_side(True)
    frame.comparing.ask_pictures([2])
    qtbot.waitUntil(lambda: not frame.jobs.busy() and bool(view.columns()), timeout=LONG)
    assert not frame.side.isVisible(), "columns want the room"
    QTest.keyClick(view.board, Qt.Key.Key_F9)
    assert frame.side.isVisible()
    frame.side._filters._change({"orientation": "square"})
    qtbot.waitUntil(lambda: not frame.jobs.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {0}
    assert view.head.narrowed() == "Only photos square"
    QTest.keyClick(frame, Qt.Key.Key_F9)
    assert not frame.side.isVisible()
    assert view.board.hasFocus()
    QTest.keyClick(view.board, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not frame.jobs.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {COUNT}
    assert view.head.narrowed() == ""


def test_a_picture_that_is_dropped_on_columns_is_asked_of_columns(qtbot: QtBot, frame: Frame, made: Path) -> None:
    frame.comparing.ask_pictures([2])
    qtbot.waitUntil(lambda: not frame.jobs.busy() and bool(frame.compare_view.columns()), timeout=LONG)
    picture = next((made / "photographs").iterdir())
    frame.taking.pictures_given.emit([picture])
    qtbot.waitUntil(lambda: not frame.jobs.busy(), timeout=LONG)
    assert frame.view() == "compare"
    assert frame.comparing.question == Question((Example(picture),))
    assert frame.searching.question is None
