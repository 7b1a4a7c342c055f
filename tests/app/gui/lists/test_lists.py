"""Lists of cards and tables by pointer and keys: what is chosen, edited, hidden, linked, and where letters go."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import nameless
from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.lists.table import TableView
from twinlens.app.gui.lists.table_model import TableColumn, TableSheet


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
    cards.rename()
    editor = cards.viewport().findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText("  other ")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    cards.go_to(1)
    cards.rename()  # cannot be renamed
    assert asked == [(5, "other")]


def test_what_is_chosen_is_asked_to_be_removed(cards: CardList[int]) -> None:
    asked: list[list[int]] = []
    cards.remove_wanted.connect(asked.append)
    cards.show_rows([1, 2, 3], chosen=[3, 1])
    cards.remove_chosen()
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
    cards.show_rows(range(1, 20_000))
    assert len(cards.chosen()) == 19_999


@dataclass(frozen=True)
class Row:
    key: str
    size: float | None = None
    linked: bool = True


ROWS = [Row("middle", 2.0), Row("none", linked=False), Row("large", 10.0), Row("small", 1.0)]
NAME = TableColumn[Row]("Name", lambda row: row.key)
SIZE = TableColumn[Row](
    "Size", lambda row: "" if row.size is None else str(row.size), lambda row: row.size, number=True, help="In metres"
)
MORE = TableColumn[Row]("More", lambda row: "much " * 10 + row.key, lesser=True)
LINK = TableColumn[Row]("", lambda row: "open" if row.linked else "", link=True, help="Open it")


class WithMenu(TableView[Row]):
    def fill_menu(self, menu: QMenu, row: Row) -> None:
        menu.addAction(f"Of {row.key}")


def sheet(*columns: TableColumn[Row], rows: list[Row] = ROWS) -> TableSheet[Row]:
    return TableSheet(columns, rows, dot=lambda row: len(row.key), about=lambda row: f"About {row.key}")


def shown(qtbot: QtBot, table: TableView[Row], *columns: TableColumn[Row], rows: list[Row] = ROWS) -> TableView[Row]:
    qtbot.addWidget(table)
    table.resize(800, 300)
    with qtbot.waitExposed(table):
        table.show()
    table.show_sheet(sheet(*columns, rows=rows))
    return table


def keys(table: TableView[Row]) -> list[str]:
    rows = (table.rows.row(place) for place in range(table.rows.rowCount()))
    return [row.key for row in rows if row is not None]


def at(table: TableView[Row], key: str, column: int) -> QPoint:
    return table.visualRect(table.rows.index(table.rows.place(key), column)).center()


def dot(table: TableView[Row], key: str) -> QPoint:
    return QPoint(12, at(table, key, 0).y())


def click(table: TableView[Row], where: QPoint) -> None:
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)


def test_a_heading_sorts_up_down_and_not_and_what_has_no_value_is_least(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows"), NAME, SIZE, LINK)
    header = table.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)
    table.go_to("large")
    for expected in (["none", "small", "middle", "large"], ["large", "middle", "small", "none"]):
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
        assert keys(table) == expected
        assert table.current_key() == "large"
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert keys(table) == [row.key for row in ROWS]


def test_the_pointer_lights_a_row_until_it_leaves_and_the_keys_do_so_too(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows"), NAME, SIZE)
    lit: list[str] = []
    table.lit.connect(lit.append)
    QTest.mouseMove(table.viewport(), at(table, "none", 1))
    qtbot.waitUntil(lambda: lit == ["none"])
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert lit == ["none", ""]
    table.go_to("middle")
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert lit[-1] == "none"
    table.clearFocus()
    assert lit[-1] == ""
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert lit[-1] == "none"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_without_links_a_click_or_a_key_chooses_a_row(qtbot: QtBot, key: Qt.Key) -> None:
    table = shown(qtbot, TableView("Rows"), NAME, SIZE)
    chosen: list[str] = []
    table.chosen.connect(chosen.append)
    click(table, dot(table, "none"))
    QTest.mousePress(table.viewport(), Qt.MouseButton.LeftButton, pos=at(table, "large", 1))
    QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, pos=at(table, "small", 1))
    assert chosen == ["none"], "not where the button was pressed on another row"
    QTest.keyClick(table, key)
    assert chosen[1:] == [table.current_key()]


def test_a_row_is_hidden_by_its_dot_and_by_keys_and_chosen_by_its_link_alone(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows", hides=True), NAME, SIZE, LINK)
    chosen: list[str] = []
    table.chosen.connect(chosen.append)
    for row in ROWS:
        for column in range(3):
            click(table, at(table, row.key, column))
    assert chosen == [row.key for row in ROWS if row.linked]
    assert table.hidden() == set()
    with qtbot.waitSignal(table.hidden_changed):
        click(table, dot(table, "none"))
    assert table.hidden() == {"none"}
    told = table.rows.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == "none, hidden from the charts"
    table.go_to("none")
    for key, hidden in ((Qt.Key.Key_H, set[str]()), (Qt.Key.Key_Space, {"none"})):
        QTest.keyClick(table, key)
        assert table.hidden() == hidden
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert "none" not in chosen, "it has no link"
    table.show_sheet(sheet(NAME, SIZE, LINK, rows=ROWS[:1]))
    assert table.hidden() == set()


def test_a_narrow_table_does_without_lesser_columns_and_keeps_links_in_sight(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows"), NAME, MORE, SIZE, LINK)
    header = table.horizontalHeader()
    assert not table.isColumnHidden(1)
    table.resize(330, 300)
    assert table.isColumnHidden(1)
    assert header.visualIndex(3) == 3
    table.resize(140, 300)
    assert header.visualIndex(3) == 1
    table.resize(800, 300)
    assert not table.isColumnHidden(1)
    assert header.visualIndex(3) == 3
    assert header.length() == table.viewport().width()


def test_a_table_grows_to_the_rows_that_are_to_be_seen(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows", seen=3), NAME, SIZE)
    three = table.height()
    qtbot.waitUntil(lambda: 0 <= table.viewport().height() - 3 * table.rowHeight(0) <= 2)  # a frame takes two
    table.show_sheet(sheet(NAME, SIZE, rows=ROWS[:2]))
    assert table.height() == three - table.rowHeight(0)


def test_a_row_has_a_menu_where_there_is_something_in_it(qtbot: QtBot) -> None:
    for table, count in ((TableView[Row]("Rows"), 0), (WithMenu("Rows"), 1)):
        shown(qtbot, table, NAME, SIZE)
        table.show_menu("large", QPoint(0, 0))
        menus = [one for one in table.findChildren(QMenu) if one.isVisible()]
        assert [action.text() for menu in menus for action in menu.actions()] == ["Of large"] * count
        assert len(menus) == count
        for menu in menus:
            menu.close()


def test_all_is_named_and_explained(qtbot: QtBot) -> None:
    table = shown(qtbot, TableView("Rows"), NAME, SIZE, LINK)
    tip = Qt.ItemDataRole.ToolTipRole
    assert nameless(table) == []
    assert [table.rows.index(0, column).data(tip) for column in range(3)] == ["About middle", "About middle", "Open it"]
    tips = [table.rows.headerData(column, Qt.Orientation.Horizontal, tip) for column in range(3)]
    assert tips == [None, "In metres", None]
