"""Asking with colours in the window: live, in the place of what was mixed before, by an index that can answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.search.colours.colour_chooser import ColourChooser
from app.gui.search.colours.colours_panel import ColoursPanel
from app.gui.search.colours.sketch import SketchCanvas
from app.gui.search.search_history import history_entry
from app.indexes.indexes import delete_index
from app.library.saved_state import history
from app.machine.preferences import Preferences, keep
from app.search.search_query import SearchQuery
from tests.app.gui.looking import LONG, button, part, words
from tests.app.library_fixture import Libraries

COUNT = 12
BLUE, GREEN = (31, 95, 191), (58, 154, 70)


@pytest.fixture
def frame(qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    shown = MainWindow(libraries.copy(COUNT, tmp_path / "own.twinlens"))
    qtbot.addWidget(shown)
    with qtbot.waitSignal(shown.opened, timeout=LONG):
        shown.show()
    qtbot.waitUntil(lambda: not shown.busy(), timeout=LONG)
    yield shown
    shown.close()


def panel(frame: MainWindow) -> ColoursPanel:
    return part(frame.workspace.searching.view, ColoursPanel)


def question(frame: MainWindow) -> SearchQuery:
    asked = frame.workspace.searching.question
    assert asked is not None
    return asked


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.workspace.colours.waits() and not frame.busy(), timeout=LONG)


def pick(qtbot: QtBot, frame: MainWindow, *colours: tuple[int, int, int]) -> None:
    for colour in colours:
        part(panel(frame), ColourChooser).picked.emit(colour)  # as swatches and photographs do
        settled(qtbot, frame)


def test_colours_are_asked_live_by_the_index_that_compares_them(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    assert frame.workspace.view() == "search"
    pick(qtbot, frame, BLUE)
    assert frame.workspace.searching.index == "Colours"
    assert frame.workspace.searching.chosen_index == "Automatic"
    assert frame.workspace.searching.view.grid.rows().count == COUNT
    assert any("<b>" in said or ("Colours" in said and "Automatic" in said) for said in words(panel(frame)))
    pick(qtbot, frame, GREEN)
    (only,) = question(frame).examples
    assert getattr(only.picture, "text")() == "#1f5fbf:50,#3a9a46:50"  # noqa: B009 (a palette is not named in the window)
    assert panel(frame).isAncestorOf(frame.focusWidget())
    frame.workspace.leave()
    assert panel(frame).isHidden()
    assert frame.workspace.view() == "search"


def test_the_way_back_leads_to_what_was_before_all_colours(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.ask_pictures([3])
    settled(qtbot, frame)
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE, GREEN)
    assert len(question(frame).examples) == 2
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    assert frame.workspace.searching.index == "Automatic"
    assert len(panel(frame).mix()) == 0
    frame.workspace.history.go_forward()
    settled(qtbot, frame)
    assert panel(frame).mix().colours == (BLUE, GREEN)


def test_the_chosen_index_answers_again_when_colours_are_gone(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.ask_pictures([3])
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE)
    assert frame.workspace.searching.index == "Colours"
    button(panel(frame), "remove").click()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    assert frame.workspace.searching.index == "Automatic"


def test_what_was_mixed_is_remembered_once(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, GREEN, BLUE)
    frame.workspace.colours.close()
    settled(qtbot, frame)
    opened = frame.workspace.opened
    assert opened is not None
    kept = [
        one
        for one in history(opened.library)
        if one["examples"] == [{"palette": "#3a9a46:50,#1f5fbf:50", "weight": 1.0}]
    ]
    assert len(kept) == 1
    assert not any(one["examples"] == [{"palette": "#3a9a46:100", "weight": 1.0}] for one in history(opened.library))


def test_a_sketch_is_asked_and_comes_back_from_the_history(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    button(panel(frame), "Colours in their places").click()
    QTest.mouseClick(part(panel(frame), SketchCanvas), Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    settled(qtbot, frame)
    (only,) = question(frame).examples
    assert only.sketch
    assert frame.workspace.searching.view.grid.rows().count == COUNT
    opened = frame.workspace.opened
    assert opened is not None
    drawn = panel(frame).sketch()
    frame.workspace.colours.close()
    settled(qtbot, frame)
    told = history_entry(opened, history(opened.library)[0])
    assert told.name == "Sketch · Colours"
    assert QImage.fromData(told.picture).size() == drawn.size()
    frame.workspace.searching.ask_pictures([2])
    settled(qtbot, frame)
    frame.workspace.earlier.ask(told.value)
    settled(qtbot, frame)
    assert question(frame).examples == (only,)
    frame.workspace.colours.open()
    assert panel(frame).sketch() == drawn


def test_an_index_that_cannot_answer_says_so_and_shows_the_way_out(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    frame.workspace.searching.choose_index("Automatic")
    settled(qtbot, frame)
    assert any("so it cannot search by colours" in said for said in words(frame.workspace.searching.view))
    way_out = next(
        one for one in frame.workspace.searching.view.findChildren(QPushButton) if one.text() == "Search in “Colours”"
    )
    way_out.click()
    settled(qtbot, frame)
    assert (frame.workspace.searching.index, frame.workspace.searching.chosen_index) == ("Colours", "Automatic")
    assert frame.workspace.searching.view.grid.rows().count == COUNT


def test_where_no_index_compares_colours_one_can_be_made(qtbot: QtBot, frame: MainWindow) -> None:
    opened = frame.workspace.opened
    assert opened is not None
    delete_index(opened.library, "Colours")
    frame.workspace.indexes.refresh()
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    assert any("Search by colours is not set up yet." in said for said in words(panel(frame)))
    button(panel(frame), "add search by colours").click()
    assert frame.workspace.view() == "new index"


def test_taking_colours_of_a_photograph_makes_a_palette(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.ask_pictures([2])
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    button(panel(frame), "main colours").click()
    settled(qtbot, frame)
    assert len(panel(frame).mix()) >= 2
    assert len(question(frame).examples) == 1
    assert not panel(frame).photograph().isNull()  # more colours can be taken from it


def test_a_palette_has_its_name_and_picture_in_the_history(qtbot: QtBot, frame: MainWindow) -> None:
    opened = frame.workspace.opened
    assert opened is not None
    value = {"examples": [{"palette": "#3a9a46:50,#1f5fbf:50", "weight": 1.0}], "index": "Colours"}
    told = history_entry(opened, value)
    assert told.name == "Palette · Colours"
    assert QImage.fromData(told.picture).pixelColor(2, 2).green() > 120
    frame.workspace.earlier.ask(value)
    settled(qtbot, frame)
    frame.workspace.colours.open()
    assert panel(frame).mix().colours == (GREEN, BLUE)


def test_colours_are_a_search_of_their_own_and_the_way_back_leads_to_the_photograph(
    qtbot: QtBot, frame: MainWindow
) -> None:
    frame.workspace.searching.ask_pictures([3])
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    assert len(question(frame).examples) == 1
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    opened = frame.workspace.opened
    assert opened is not None
    assert history(opened.library)[0]["examples"] == [{"palette": "#1f5fbf:100", "weight": 1.0}]
    frame.workspace.history.go_forward()
    settled(qtbot, frame)
    assert getattr(question(frame).examples[0].picture, "text")() == "#1f5fbf:100"  # noqa: B009


def test_colours_that_are_still_mixed_stand_in_the_history(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, (201, 13, 77))
    shown: list[str] = []
    monkeypatch.setattr(
        frame.workspace.searching.view.steps,
        "show_menu",
        lambda menu: shown.extend(one.text() for one in menu.actions()),
    )
    frame.workspace.earlier.show(frame.workspace.searching.view)
    qtbot.waitUntil(lambda: "Palette · Colours" in shown, timeout=LONG)


def test_colours_are_added_to_photographs_where_that_is_wanted(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.ask_pictures([3])
    settled(qtbot, frame)
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE, GREEN)
    assert [one.picture == 3 for one in question(frame).examples] == [True, False]
