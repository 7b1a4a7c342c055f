"""The list of a thousand groups: whatever is decided or goes, the current group stays where it is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.duplicates.groups import DuplicateKind, GroupMember, PhotoGroup
from app.gui.duplicates.group_list import GroupList
from core.message import Message
from tests.app.duplicates.test_groups import candidate

COUNT = 1_000


def made(number: int) -> PhotoGroup:
    kept, *others = (candidate(10 * number + at, number % 250, name=f"{number}-{at}") for at in range(2 + number % 5))
    members = tuple(GroupMember(one, DuplicateKind.IDENTICAL, kept, None, True) for one in others)
    return PhotoGroup(kept, (Message("largest"),), members, False)


@pytest.fixture
def groups() -> list[PhotoGroup]:
    return [made(number) for number in range(COUNT)]


@pytest.fixture
def shown(qtbot: QtBot, groups: list[PhotoGroup]) -> GroupList:
    made = GroupList()
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.show_groups(groups)
    return made


def top(shown: GroupList) -> int:
    rect = shown.visualRect(shown.currentIndex())
    assert rect.intersects(shown.viewport().rect()), "the current group is in sight"
    return rect.top()


def decided(one: PhotoGroup) -> PhotoGroup:
    """Nothing of it goes: what is said of it may take other room."""
    return replace(one, members=tuple(replace(each, goes=False) for each in one.members), undecided=True)


def test_every_key_goes_to_the_next_group(shown: GroupList) -> None:
    for row in range(1, COUNT):
        QTest.keyClick(shown, Qt.Key.Key_Down)
        assert shown.row() == row
    assert top(shown) >= 0


def test_a_decision_moves_nothing(qtbot: QtBot, shown: GroupList, groups: list[PhotoGroup]) -> None:
    for row in (0, 99, 100, 101, 700, COUNT - 1):
        shown.go_to_group(row)
        QTest.keyClick(shown, Qt.Key.Key_Right)
        before, current = top(shown), shown.current_id()
        for number in (row, row // 2):  # its height and that of another above may change
            groups[number] = decided(groups[number])
            shown.show_groups(groups)
            qtbot.wait(1)
            assert (shown.row(), shown.current_id(), top(shown)) == (row, current, before)


def test_groups_that_go_above_move_nothing(qtbot: QtBot, shown: GroupList, groups: list[PhotoGroup]) -> None:
    shown.go_to_group(700)
    before, current = top(shown), shown.current_id()
    shown.show_groups(groups[:100] + groups[200:])
    qtbot.wait(1)
    assert (shown.row(), shown.current_id(), top(shown)) == (600, current, before)


def test_where_the_current_group_goes_the_next_one_takes_its_place(shown: GroupList, groups: list[PhotoGroup]) -> None:
    shown.go_to_group(700)
    before = top(shown)
    shown.show_groups(groups[:700] + groups[701:])
    assert shown.row() == 700
    assert shown.current_id() == groups[701].keeper.id
    assert top(shown) <= before


def test_the_current_group_stays_in_sight_in_another_width(qtbot: QtBot, shown: GroupList) -> None:
    shown.go_to_group(700)
    shown.resize(500, 600)
    qtbot.wait(1)
    assert shown.row() == 700
    assert top(shown) >= 0
