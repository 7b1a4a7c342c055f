"""The switches of the check: there where an index can be checked, and true to what is known."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.gui.search.timing_line import CheckBar


@pytest.fixture
def bar(qtbot: QtBot) -> CheckBar:
    made = CheckBar()
    made.show_detail(True)
    qtbot.addWidget(made)
    made.show()
    return made


def _seen(bar: CheckBar) -> dict[str, bool]:
    return {one.text(): one.isChecked() for one in bar.findChildren(QAbstractButton) if one.isVisible()}


def test_nothing_is_there_where_nothing_can_be_checked(bar: CheckBar) -> None:
    bar.show_state(applies=False)
    assert _seen(bar) == {}


def test_it_says_how_many_are_confirmed(bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=None)
    assert _seen(bar) == {"same picture only · …": False, "check matches": True}
    bar.show_state(applies=True, confirmed=7, only=True)
    assert _seen(bar) == {"same picture only · 7": True, "check matches": True}
    bar.grab()
    bar.show_state(applies=True, checks=False)
    assert _seen(bar) == {"check matches": False}


def test_only_what_is_there_can_be_asked_for(bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=0)
    only = next(one for one in bar.findChildren(QAbstractButton) if one.text().startswith("same picture"))
    assert not only.isEnabled()
    bar.show_state(applies=True, confirmed=0, only=True)  # so that it can be switched off again
    assert only.isEnabled()


def test_switches_say_what_is_wanted(qtbot: QtBot, bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=2, waits=True)
    order, only, check = (one for one in bar.findChildren(QAbstractButton) if one.isVisible())
    with qtbot.waitSignal(bar.only_wanted, timeout=2000) as wanted:
        only.click()
    assert wanted.args == [True]
    with qtbot.waitSignal(bar.check_wanted, timeout=2000) as wanted:
        check.click()
    assert wanted.args == [False]
    with qtbot.waitSignal(bar.order_wanted, timeout=2000):
        order.click()
