"""The page of the indexes: what it says, and that a deletion can be undone until it happens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.indexes.indexes_page import IndexesPage
from app.indexes.index_results import IndexListResult, IndexStatus
from core.message import NOTHING
from tests.app.gui.looking import button, edit, nameless, show


def index(name: str, automatic: bool = False, bits: int | None = 256, waiting: int = 0) -> IndexStatus:
    return IndexStatus(
        name=name, text="colour · itq:bits=256 · scan", descriptor="colour",
        automatic=automatic, photographs=12_480, waiting=waiting,
        fitted_on=12_000, bits=bits, bytes=812_345, note=NOTHING,
    )  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot) -> IndexesPage:
    made = IndexesPage()
    made.resize(964, 700)
    listed = IndexListResult(indexes=[index("Automatic", automatic=True), index("Colours", waiting=3), index("Few")])
    made.set_indexes(listed, "Automatic", {"Colours": "colours"})
    show(qtbot, made)
    return made


def said(page: IndexesPage) -> str:
    model = page.list.cards
    shown = [model.card(row) for row in range(model.rowCount())]
    return " ".join(line.text for card in shown for line in (card.title, *card.lines)) + "".join(
        card.title.aside + card.spoken for card in shown
    )


def test_each_says_what_it_is(page: IndexesPage) -> None:
    for text in ("Automatic", "searched by default", "maintained by Twinlens", "Compares colours.", "12,480", "812 kB"):
        assert text in said(page)
    assert "3 waiting" in said(page)
    assert nameless(page) == []


def test_the_automatic_one_cannot_be_deleted(qtbot: QtBot, page: IndexesPage) -> None:
    page.list.go_to(0)
    assert not button(page, "Delete the chosen index").isEnabled()
    with qtbot.assertNotEmitted(page.delete_wanted):
        QTest.keyClick(page.list, Qt.Key.Key_Delete)


@pytest.mark.parametrize("by_key", [True, False])
def test_a_deletion_is_told(qtbot: QtBot, page: IndexesPage, by_key: bool) -> None:
    page.list.go_to(1)
    with qtbot.waitSignal(page.delete_wanted) as told:
        if by_key:
            QTest.keyClick(page.list, Qt.Key.Key_Delete)
        else:
            button(page, "Delete the chosen index").click()
    assert told.args == ["Colours"]


def test_renaming_by_keys(qtbot: QtBot, page: IndexesPage) -> None:
    page.list.setFocus()
    page.list.go_to(1)
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    line = edit(page, "New name of Colours")
    with qtbot.assertNotEmitted(page.delete_wanted):
        QTest.keyClick(line, Qt.Key.Key_Delete)  # deletes letters while a name is typed
    QTest.keyClicks(line, "Hues")
    with qtbot.waitSignal(page.rename_wanted) as told:
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert told.args == ["Colours", "Hues"]
    qtbot.waitUntil(lambda: not page.list.findChildren(QLineEdit))
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    with qtbot.assertNotEmitted(page.closed), qtbot.assertNotEmitted(page.rename_wanted):
        QTest.keyClick(edit(page, "New name of Colours"), Qt.Key.Key_Escape)


def test_a_name_that_is_being_typed_stays_when_the_list_is_told_anew(page: IndexesPage) -> None:
    page.list.setFocus()
    page.list.go_to(1)
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    QTest.keyClicks(edit(page, "New name of Colours"), "Hue")
    page.set_indexes(IndexListResult(indexes=[index("Automatic", automatic=True), index("Colours")]), "Automatic")
    assert edit(page, "New name of Colours").text() == "Hue"
    page.set_indexes(IndexListResult(indexes=[index("Colours", waiting=1)]), "Automatic")
    assert edit(page, "New name of Colours").text() == "Hue", "of a list of one, too"


def test_making_default_copying_and_new(qtbot: QtBot, page: IndexesPage) -> None:
    assert not button(page, "Search in the chosen index by default").isEnabled(), "it is the default one"
    page.list.go_to(1)
    with qtbot.waitSignal(page.default_wanted) as told:
        button(page, "Search in the chosen index by default").click()
    assert told.args == ["Colours"]
    QTest.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "colour · itq:bits=256 · scan"
    with qtbot.waitSignal(page.new_wanted):
        QTest.keyClick(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)


def test_building_is_shown_and_survives_a_new_list(page: IndexesPage) -> None:
    page.set_progress("Colours", 0.33, "Reading 4,120 of 12,480")
    page.set_indexes(IndexListResult(indexes=[index("Colours")]), "Colours")
    assert page.list.cards.card(0).progress == 0.33
    assert "Reading 4,120 of 12,480" in said(page)
    page.set_progress("Colours", None)
    assert page.list.cards.card(0).progress is None
