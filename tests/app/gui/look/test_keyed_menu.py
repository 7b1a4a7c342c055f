"""Keys that a menu shows do its entries while it is open, and none goes to what is behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import show
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.look.page_parts import column_of

Key = Qt.Key


@pytest.fixture
def done() -> list[str]:
    return []


@pytest.fixture
def menu(qtbot: QtBot, done: list[str]) -> Iterator[KeyedMenu]:
    """Return an open menu of a page whose own key is S, and which has a menu inside."""
    page, field = QWidget(), QLineEdit()
    column_of(field, on=page)
    bound = QAction("Similar", page)
    bound.setShortcut("S")
    bound.triggered.connect(lambda: done.append("similar"))
    page.addAction(bound)
    made = KeyedMenu(page)
    made.addAction(bound)
    made.addAction("Favourite\tF", lambda: done.append("favourite"))
    stars = KeyedMenu("Stars", made)
    made.addMenu(stars)
    stars.addAction("Five\t5", lambda: done.append("five"))
    show(qtbot, page)
    field.setFocus()
    made.popup(page.mapToGlobal(QPoint(0, 0)))
    qtbot.waitUntil(made.isVisible)
    yield made
    made.close()


@pytest.mark.parametrize(("key", "does"), [(Key.Key_S, "similar"), (Key.Key_F, "favourite"), (Key.Key_5, "five")])
def test_a_key_that_is_shown_does_its_entry_and_closes_the_menu(
    menu: KeyedMenu, done: list[str], key: Qt.Key, does: str
) -> None:
    QTest.keyClick(menu, key)
    assert done == [does]
    assert not menu.isVisible()


def test_a_menu_inside_knows_all_keys(menu: KeyedMenu, done: list[str]) -> None:
    (stars,) = menu.findChildren(KeyedMenu)
    menu.setActiveAction(stars.menuAction())
    stars.popup(menu.pos())
    QTest.keyClick(stars, Key.Key_F)
    assert done == ["favourite"]
    assert not menu.isVisible()
    assert not stars.isVisible()


def test_other_letters_go_nowhere_and_arrows_move(menu: KeyedMenu, done: list[str]) -> None:
    QTest.keyClick(menu, Key.Key_X)
    assert menu.isVisible()
    assert not done
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    assert done == ["favourite"]
