"""The page where an index is put together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.gui.pages.new_index import NewIndexPage
from app.indexes import default_name
from tests.app.gui.looking import button, choose, chooser, edit, named, nameless, show, words


@pytest.fixture
def page(qtbot: QtBot) -> NewIndexPage:
    made = NewIndexPage()
    made.resize(964, 700)
    show(qtbot, made)
    return made


def text_of(page: NewIndexPage) -> QPlainTextEdit:
    found = named(page, "The index as text")
    assert isinstance(found, QPlainTextEdit)
    return found


def test_what_is_chosen_is_created(qtbot: QtBot, page: NewIndexPage) -> None:
    choose(chooser(page, "What is compared"), "Compact VLAD")
    choose(chooser(page, "How it becomes bits"), "Random hyperplanes")
    QTest.keyClicks(edit(page, "Name of the index"), " Shapes ")
    with qtbot.waitSignal(page.create_wanted) as told:
        button(page, "Create the index").click()
    descriptor, method, search, name = told.args
    assert (descriptor, method, search, name) == (*page.texts(), "Shapes")
    assert default_name(descriptor, method, search).startswith("compact-vlad:")
    assert (method, search) == ("lsh:bits=256", "scan")


def test_the_whole_text_can_be_typed(page: NewIndexPage) -> None:
    text_of(page).setPlainText("edges · lsh:bits=64 · scan:candidates=10")
    assert page.texts() == ("edges", "lsh:bits=64", "scan:candidates=10")
    assert edit(page, "Bits").text() == "64"
    text_of(page).setPlainText("edges · lsh:bits=32")
    assert page.texts() == ("edges", "lsh:bits=32", "scan")


def test_an_exact_search_has_no_method(page: NewIndexPage) -> None:
    assert chooser(page, "How it becomes bits").isVisible()
    text_of(page).setPlainText("colour · exact")
    assert page.texts()[2] == "exact"
    assert not chooser(page, "How it becomes bits").isVisible()
    choose(chooser(page, "How the bits are searched"), "Scan")
    assert chooser(page, "How it becomes bits").isVisible()


@pytest.mark.parametrize("text", ["", "colour", "colours · itq", "colour · itq:bits=0", "colour · itq · scan · scan"])
def test_a_text_that_means_nothing_cannot_be_created(page: NewIndexPage, text: str) -> None:
    before = page.texts()
    create = button(page, "Create the index")
    text_of(page).setPlainText(text)
    assert not create.isEnabled()
    assert page.texts() == before
    text_of(page).setPlainText("colour · itq")
    assert create.isEnabled()


def test_a_name_that_is_taken_is_told_at_once(page: NewIndexPage) -> None:
    page.set_taken(["Colours"])
    QTest.keyClicks(edit(page, "Name of the index"), "Colours")
    assert "There is an index of this name already." in words(page)
    assert not button(page, "Create the index").isEnabled()
    QTest.keyClicks(edit(page, "Name of the index"), " 2")
    assert button(page, "Create the index").isEnabled()


def test_the_estimate_is_asked_for_when_it_is_quiet(qtbot: QtBot, page: NewIndexPage) -> None:
    with qtbot.waitSignal(page.estimate_wanted) as told:
        choose(chooser(page, "What is compared"), "Edge histogram")
    assert told.args == list(page.texts())
    page.set_estimate("About 14 minutes.")
    assert "About 14 minutes." in words(page)


def test_everything_by_keys(qtbot: QtBot, page: NewIndexPage) -> None:
    page.setFocus()
    with qtbot.waitSignal(page.create_wanted):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(page.cancelled):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Escape)
    assert nameless(page) == []


def test_an_index_to_begin_with(page: NewIndexPage) -> None:
    page.set_texts("vlad:centres=64", "lsh:bits=1024", "scan")
    page.set_name("Places")
    assert text_of(page).toPlainText() == "vlad:centres=64 · lsh:bits=1024 · scan"
    page.set_error("The method cannot learn from so few photographs.")
    assert "The method cannot learn from so few photographs." in words(page)
