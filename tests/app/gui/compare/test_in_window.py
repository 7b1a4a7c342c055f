"""From the library to the comparison and back, by keys, in the whole window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.actions.declared_actions import every_action
from app.gui.frame.main_window import MainWindow
from app.machine.preferences import Preferences, keep
from app.search.search_query import Example, SearchQuery
from tests.app.gui.looking import LONG, nameless
from tests.app.library_fixture import Libraries

COUNT = 6


@pytest.fixture
def frame(qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    shown = MainWindow(libraries.copy(COUNT, tmp_path / "family.twinlens"))
    qtbot.addWidget(shown)
    with qtbot.waitSignal(shown.opened, timeout=LONG):
        shown.show()
    qtbot.waitUntil(lambda: shown.workspace.browsing.view.grid.rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def test_a_photograph_is_compared_by_keys_and_one_comes_back(qtbot: QtBot, frame: MainWindow) -> None:
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    grid, view = frame.workspace.browsing.view.grid, frame.workspace.comparing.view
    grid.setFocus()
    first = grid.current_id() if grid.current_id() >= 0 else int(grid.rows().ids[0])
    grid.set_current(first)
    QTest.keyClick(grid, Qt.Key.Key_C, control | shift)
    qtbot.waitUntil(lambda: frame.workspace.view() == "compare", timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy() and bool(view.columns()), timeout=LONG)
    assert len(view.columns()) >= 2, "an index, exact search, and another"
    assert view.columns()[0].tiles[0].id == first
    assert nameless(view) == []
    assert view.board.hasFocus()
    pictures = view.board.pictures
    shown = view.columns()[0].tiles
    qtbot.waitUntil(lambda: not any(pictures.image(tile.content).isNull() for tile in shown))
    QTest.keyClick(view.board, Qt.Key.Key_Right)
    hit = view.board.current_id()
    assert frame.workspace.current() == hit
    QTest.keyClick(view.board, Qt.Key.Key_Space)
    assert frame.workspace.viewing.is_open()
    QTest.keyClick(frame.workspace.viewing.viewer, Qt.Key.Key_Escape)
    assert not frame.workspace.viewing.is_open()
    QTest.keyClick(view.board, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not frame.busy() and view.columns()[0].tiles[0].id == hit, timeout=LONG)
    assert [thing.action.name for thing in frame.workspace.menu.things(hit, [hit]) if thing.action].count(
        "photograph.compare"
    ) == 1
    QTest.keyClick(view.board, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not frame.busy() and view.columns()[0].tiles[0].id == first, timeout=LONG)
    QTest.keyClick(view.board, Qt.Key.Key_Escape)
    assert frame.workspace.view() == "library"
    frame.workspace.show_view("compare")
    assert not view.is_empty(), "it is as it was left"


def test_where_nothing_is_asked_there_is_one_thing_to_do(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.show_view("compare")
    assert frame.workspace.comparing.view.is_empty()
    frame.workspace.comparing.view.library_wanted.emit()
    assert frame.workspace.view() == "library"
    frame.workspace.searching.ask_pictures([2])
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    frame.workspace.show_view("compare")
    frame.workspace.comparing.view.library_wanted.emit()
    qtbot.waitUntil(lambda: bool(frame.workspace.comparing.view.columns()) and not frame.busy(), timeout=LONG)
    assert frame.workspace.comparing.view.columns()[0].tiles[0].id == 2, "what the search asks with is at hand"
    question = frame.workspace.comparing.question
    assert question is not None
    frame.workspace.search(question, "Colours")
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    assert frame.workspace.searching.index == "Colours"


def test_what_the_search_asks_is_compared_with_its_parts_and_weights(qtbot: QtBot, frame: MainWindow) -> None:
    question = SearchQuery((Example(1, region=(0, 0, 0.5, 0.5)), Example(2, weight=-0.5)))
    frame.workspace.searching.ask(question)
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    grid = frame.workspace.searching.view.grid
    grid.setFocus()
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: frame.workspace.view() == "compare" and not frame.busy(), timeout=LONG)
    assert frame.workspace.comparing.question == question
    assert frame.workspace.comparing.view.columns()[0].tiles


def test_its_keys_stand_in_the_sheet() -> None:
    told = {key for one in every_action() for key in one.keys}
    assert {"Ctrl+7", "Ctrl+Shift+C", "A", "E", "Del", "Ctrl+Left", "Ctrl+Right"} <= told


def test_folders_and_filters_narrow_columns_down(qtbot: QtBot, frame: MainWindow) -> None:
    view = frame.workspace.comparing.view
    QTest.keyClick(frame, Qt.Key.Key_F9)
    frame.workspace.show_side(True)
    frame.workspace.comparing.ask_pictures([2])
    qtbot.waitUntil(lambda: not frame.busy() and bool(view.columns()), timeout=LONG)
    assert not frame.workspace.side.isVisible(), "columns want the room"
    QTest.keyClick(view.board, Qt.Key.Key_F9)
    assert frame.workspace.side.isVisible()
    frame.workspace.side.choose({"orientation": "square"}, None)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {0}
    assert view.head.narrowed() == "Only photos square"
    QTest.keyClick(frame, Qt.Key.Key_F9)
    assert not frame.workspace.side.isVisible()
    assert view.board.hasFocus()
    QTest.keyClick(view.board, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {COUNT}
    assert view.head.narrowed() == ""


def test_a_picture_that_is_dropped_on_columns_is_asked_of_columns(
    qtbot: QtBot, frame: MainWindow, libraries: Libraries
) -> None:
    frame.workspace.comparing.ask_pictures([2])
    qtbot.waitUntil(lambda: not frame.busy() and bool(frame.workspace.comparing.view.columns()), timeout=LONG)
    picture = next(libraries.photographs(COUNT).iterdir())
    frame.workspace.taking.pictures_given.emit([picture])
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert frame.workspace.view() == "compare"
    assert frame.workspace.comparing.question == SearchQuery((Example(picture),))
    assert frame.workspace.searching.question is None
