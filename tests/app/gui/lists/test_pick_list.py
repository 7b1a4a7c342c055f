"""A row is picked by a click or Enter, from the list or from the field above it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList


@pytest.fixture
def picks(qtbot: QtBot) -> PickList[str]:
    made: PickList[str] = PickList("Names", lambda one: one, lambda one: Card(CardLine(one), one, right="1"))
    made.show_rows(["Alps", "Lake", "Sea"], ["Lake"])
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_chosen_row_is_the_current_one_and_all_are_seen(picks: PickList[str]) -> None:
    assert picks.current() == "Lake"
    picks.resize(picks.sizeHint())
    assert picks.verticalScrollBar().maximum() == 0
    picks.grab()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_keys_pick(qtbot: QtBot, picks: PickList[str], key: Qt.Key) -> None:
    QTest.keyClick(picks, Qt.Key.Key_Down)
    with qtbot.waitSignal(picks.picked) as told:
        QTest.keyClick(picks, key)
    assert told.args == ["Sea"]


def test_a_click_picks(qtbot: QtBot, picks: PickList[str]) -> None:
    place = picks.visualRect(picks.cards.index(0)).center()
    with qtbot.waitSignal(picks.picked) as told:
        QTest.mouseClick(picks.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert told.args == ["Alps"]


def test_a_field_moves_it(qtbot: QtBot, picks: PickList[str]) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    picks.follow(field)
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClicks(field, "e")
    with qtbot.waitSignal(picks.picked) as told:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert told.args == ["Sea"]
    assert field.text() == "e"
