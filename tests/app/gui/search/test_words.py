"""Searching with words in the window: offered where an index knows them, alone or with photographs, and kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.actions.action import available, is_withheld
from app.gui.actions.declared_actions import window_actions
from app.gui.frame.main_window import MainWindow
from app.gui.search.query_examples import ExampleChip, WeightPopup
from app.gui.search.search_history import history_entry
from app.gui.search.word_search import WordsField
from app.indexes.indexes import NewIndex, create_index
from app.library.library import Library
from app.library.saved_state import history
from app.machine.preferences import Preferences, keep
from app.search.search_query import Example, read_phrase
from tests.app.gui.looking import LONG, button, edit
from tests.app.library_fixture import Libraries
from tests.features.networks import write_pair

pytest.importorskip("tokenizers")

COUNT = 12


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def prepared(libraries: Libraries, pair: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = libraries.copy(COUNT, tmp_path_factory.mktemp("words") / "words.twinlens")
    with Library.open(path) as library:
        create_index(library, NewIndex(f"network:path={pair}", "itq:bits=3", name="Words"), workers=1)
    return path


def opened(qtbot: QtBot, path: Path) -> MainWindow:
    keep(Preferences(rescan_on_start=False))
    shown = MainWindow(path)
    qtbot.addWidget(shown)
    with qtbot.waitSignal(shown.opened, timeout=LONG):
        shown.show()
    settled(qtbot, shown)
    return shown


@pytest.fixture
def frame(qtbot: QtBot, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    shown = opened(qtbot, Path(shutil.copy(prepared, tmp_path / "own.twinlens")))
    yield shown
    shown.close()


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)


def examples(frame: MainWindow) -> tuple[Example, ...]:
    asked = frame.workspace.searching.question
    return () if asked is None else asked.examples


def line(frame: MainWindow) -> QLineEdit:
    (field,) = [one for one in frame.findChildren(WordsField) if one.isVisible()]
    return edit(field, "Describe what you look for")


def ask(qtbot: QtBot, frame: MainWindow, words: str, *, shift: bool = False) -> None:
    frame.workspace.wording.open()
    line(frame).setText(words)
    held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(line(frame), Qt.Key.Key_Return, held)
    settled(qtbot, frame)


def test_words_are_searched_by_the_index_that_knows_them(qtbot: QtBot, frame: MainWindow) -> None:
    action = available(frame.workspace, window_actions()["words"], None)
    assert action is not None
    action()
    assert frame.workspace.view() == "search"
    line(frame).setText("  a red  roof ")
    QTest.keyClick(line(frame), Qt.Key.Key_Return)
    settled(qtbot, frame)
    searching = frame.workspace.searching
    assert [one.picture for one in examples(frame)] == [read_phrase("a red roof")]
    assert (searching.index, searching.chosen_index) == ("Words", "Automatic")
    assert searching.view.grid.rows().count == COUNT
    (chip,) = [one for one in searching.view.findChildren(ExampleChip) if one.isVisible()]
    assert chip.text() == "a red roof"
    assert not button(searching.view.bar, "Search with a part of the picture").isEnabled()


def test_other_words_take_the_place_of_the_earlier_ones_and_back_leads_there(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    ask(qtbot, frame, "blue")
    assert [one.picture for one in examples(frame)] == [read_phrase("blue")]
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in examples(frame)] == [read_phrase("red")]
    assert frame.workspace.searching.index == "Words"
    kept = [history_entry(frame.workspace.opened, one).name for one in history(frame.workspace.opened.library)]
    assert kept == ["blue · Words", "red · Words"]


def test_words_come_to_the_photographs_and_can_count_against(qtbot: QtBot, frame: MainWindow) -> None:
    searching = frame.workspace.searching
    searching.ask_pictures([3])
    settled(qtbot, frame)
    ask(qtbot, frame, "red", shift=True)
    assert [one.picture for one in examples(frame)] == [3, read_phrase("red")]
    assert searching.index == "Words"
    searching.view.bar.weight_changed.emit(1, -1.0)
    settled(qtbot, frame)
    assert [one.weight for one in examples(frame)] == [1, -1]
    assert searching.view.grid.rows().count == COUNT
    searching.view.bar.example_removed.emit(1)
    settled(qtbot, frame)
    assert searching.index == "Automatic"  # the chosen one answers again


def test_a_chip_of_words_changes_them(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    (chip,) = [one for one in frame.workspace.searching.view.findChildren(ExampleChip) if one.isVisible()]
    chip.click()
    (popup,) = [one for one in frame.findChildren(WeightPopup) if one.isVisible()]
    button(popup, "Change these words").click()
    assert line(frame).text() == "red"
    QTest.keyClick(line(frame), Qt.Key.Key_Escape)
    assert [one.picture for one in examples(frame)] == [read_phrase("red")]


def test_an_index_that_knows_no_words_says_which_does(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    frame.workspace.searching.choose_index("Colours")
    settled(qtbot, frame)
    button(frame.workspace.searching.view, "Search in “Words”").click()
    settled(qtbot, frame)
    assert frame.workspace.searching.index == "Words"
    assert frame.workspace.searching.view.grid.rows().count == COUNT


def test_without_such_an_index_nothing_is_offered(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    shown = opened(qtbot, libraries.copy(COUNT, tmp_path / "own.twinlens"))
    action = window_actions()["words"]
    assert is_withheld(shown.workspace, action)
    shown.workspace.show_view("search")
    assert available(shown.workspace, action, None) is None
    assert not [one for one in shown.findChildren(WordsField) if one.isVisible()]
    assert not button(shown.workspace.searching.view.bar, "Search with words").isVisibleTo(
        shown.workspace.searching.view
    )
    shown.close()
