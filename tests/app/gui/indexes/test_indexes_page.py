"""The page of the indexes: what it says, and that a deletion can be undone until it happens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from app.gui.indexes.indexes_page import IndexesPage
from app.results import IndexListResult, IndexStatus
from core.message import NOTHING
from tests.app.gui.looking import button, edit, named, nameless, show, words


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


def test_each_says_what_it_is(page: IndexesPage) -> None:
    said = " ".join(words(page))
    for text in ("Automatic", "searched by default", "maintained by Twinlens", "Compares colours.", "12,480", "812 kB"):
        assert text in said
    assert "3 waiting" in said
    assert nameless(page) == []


def test_the_automatic_one_cannot_be_deleted(page: IndexesPage) -> None:
    with pytest.raises(AssertionError):
        button(page, "Delete Automatic")
    automatic = page.cards()[0]
    automatic.setFocus()
    QTest.keyClick(automatic, Qt.Key.Key_Delete)
    assert len(page.cards()) == 3


def test_a_deletion_is_told(qtbot: QtBot, page: IndexesPage) -> None:
    with qtbot.waitSignal(page.delete_wanted) as told:
        button(page, "Delete Colours").click()
    assert told.args == ["Colours"]


def test_renaming_by_keys(qtbot: QtBot, page: IndexesPage) -> None:
    card = page.cards()[1]
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_F2)
    line = edit(page, "New name of Colours")
    QTest.keyClick(line, Qt.Key.Key_Delete)
    assert len(page.cards()) == 3, "the key deletes letters while a name is typed"
    QTest.keyClicks(line, "Hues")
    with qtbot.waitSignal(page.rename_wanted) as told:
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert told.args == ["Colours", "Hues"]
    QTest.keyClick(card, Qt.Key.Key_F2)
    with qtbot.assertNotEmitted(page.closed):
        QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not line.isVisible()


def test_a_name_that_is_being_typed_stays_when_the_list_is_told_anew(page: IndexesPage) -> None:
    card = page.cards()[1]
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_F2)
    QTest.keyClicks(edit(page, "New name of Colours"), "Hue")
    page.set_indexes(IndexListResult(indexes=[index("Automatic", automatic=True), index("Colours")]), "Automatic")
    assert edit(page, "New name of Colours").text() == "Hue"


def test_making_default_and_new(qtbot: QtBot, page: IndexesPage) -> None:
    with qtbot.waitSignal(page.default_wanted) as told:
        button(page, "Search in Colours by default").click()
    assert told.args == ["Colours"]
    with qtbot.waitSignal(page.new_wanted):
        QTest.keyClick(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)


def test_building_is_shown_and_survives_a_new_list(page: IndexesPage) -> None:
    page.set_progress("Colours", 0.33, "Reading 4,120 of 12,480")
    page.set_indexes(IndexListResult(indexes=[index("Colours")]), "Colours")
    bar = named(page, "Building Colours")
    assert isinstance(bar, QProgressBar)
    assert (bar.value(), bar.isVisible()) == (330, True)
    assert "Reading 4,120 of 12,480" in words(page)
    page.set_progress("Colours", None)
    assert not bar.isVisible()
