"""A list of cards by itself: what is chosen stays so, titles are edited in place, letters go where they should."""

from __future__ import annotations

from time import thread_time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.lists.card_list import CardList
from app.gui.lists.cards import Card, CardLine, CardLook


def card(key: int) -> Card:
    return Card(CardLine(f"card {key}"), spoken=f"spoken {key}", lines=(CardLine("lesser"),))


@pytest.fixture
def cards(qtbot: QtBot) -> CardList[int]:
    made = CardList[int](lambda key: key, card, CardLook(lines=1), renamable=lambda key: key > 0)
    qtbot.addWidget(made)
    made.resize(300, 400)
    made.show()
    return made


@pytest.mark.parametrize("others", [[9, 1, 2, 3], [2, 3], [3, 2, 1], [3, 7, 2]])
def test_what_is_chosen_stays_so(cards: CardList[int], others: list[int]) -> None:
    cards.show_rows([1, 2, 3], chosen=[2, 3])
    cards.show_rows(others)
    assert cards.chosen() == [key for key in others if key in (2, 3)]
    assert cards.current() == 2


def test_who_loses_what_was_chosen_chooses_nothing(cards: CardList[int]) -> None:
    told: list[None] = []
    cards.show_rows([1, 2, 3])
    cards.go_to(1)
    cards.chosen_changed.connect(lambda: told.append(None))
    cards.show_rows([1, 3])
    assert (cards.chosen(), cards.current() in (1, 3), told) == ([], True, [])


def test_a_title_is_edited_in_place(cards: CardList[int]) -> None:
    asked: list[tuple[object, str]] = []
    cards.renamed.connect(lambda key, title: asked.append((key, title)))
    cards.show_rows([5, -1], chosen=[5])
    QTest.keyClick(cards, Qt.Key.Key_F2)
    editor = cards.viewport().findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText("  other ")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    cards.go_to(1)
    QTest.keyClick(cards, Qt.Key.Key_F2)  # cannot be renamed
    assert asked == [(5, "other")]


def test_del_asks_to_remove_what_is_chosen(cards: CardList[int]) -> None:
    asked: list[list[int]] = []
    cards.remove_wanted.connect(asked.append)
    cards.show_rows([1, 2, 3], chosen=[3, 1])
    QTest.keyClick(cards, Qt.Key.Key_Delete)
    assert asked == [[1, 3]]


def test_letters_look_for_a_title_only_where_that_is_wanted(cards: CardList[int], qtbot: QtBot) -> None:
    seeking = CardList[int](lambda key: key, card, CardLook(lines=1), seeks=True)
    qtbot.addWidget(seeking)
    for one, found in ((cards, 1), (seeking, 2)):
        one.show()
        one.show_rows([1, 2], chosen=[1])
        QTest.keyClicks(one, "card 2")
        assert one.current() == found


def test_all_of_thousands_stay_chosen(cards: CardList[int]) -> None:
    cards.show_rows(range(20_000))
    cards.selectAll()
    began = thread_time()
    cards.show_rows(range(1, 20_000))
    assert len(cards.chosen()) == 19_999
    assert thread_time() - began < 2.0
