"""Narrow down: what is set is told, and only what is set."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from app.gui.look.buttons import Pill
from app.gui.look.sentences import Link
from app.gui.side_panel.filters import ChoiceList, ChoiceRow, DatePopup, FilterPanel, InputField
from app.library.text_folding import NO_CAMERA
from tests.app.gui.looking import edit, part

Told = list[dict[str, str]]


@pytest.fixture
def panel(qtbot: QtBot) -> FilterPanel:
    made = FilterPanel(with_folder=True)
    qtbot.addWidget(made)
    made.set_cameras([("Canon EOS 300D", 1234), ("M&M 1", 7), (NO_CAMERA, 3)])
    made.set_years(["2024", "2023"])
    made.resize(200, 200)
    made.show()
    return made


@pytest.fixture
def told(panel: FilterPanel) -> Told:
    filters: Told = []
    panel.changed.connect(filters.append)
    return filters


def _row(panel: FilterPanel, name: str) -> ChoiceRow:
    return next(row for row in panel.findChildren(ChoiceRow) if row.accessibleName().startswith(name))


def _choose(panel: FilterPanel, name: str, words: str) -> None:
    QTest.keyClick(_row(panel, name), Qt.Key.Key_Return)
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def _dates(panel: FilterPanel) -> DatePopup:
    QTest.mouseClick(_row(panel, "Date"), Qt.MouseButton.LeftButton)
    popup = next(popup for popup in panel.findChildren(DatePopup) if popup.isVisible())
    assert isinstance(popup, DatePopup)
    return popup


def _cameras(panel: FilterPanel) -> ChoiceList:
    QTest.keyClick(_row(panel, "Camera"), Qt.Key.Key_Return)
    return next(one for one in panel.findChildren(ChoiceList) if one.isVisible())


def _choose_camera(panel: FilterPanel, start: str) -> None:
    """Choose by keys."""
    popup = _cameras(panel)
    row = next(row for row, words in enumerate(popup.words()) if words.startswith(start))
    offered = part(popup, QTreeWidget)
    QTest.keyClick(offered, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(offered, Qt.Key.Key_Down)
    QTest.keyClick(offered, Qt.Key.Key_Return)


def test_cameras_are_listed_with_counts_and_unknown_ones_are_named(panel: FilterPanel, told: Told) -> None:
    popup = _cameras(panel)
    assert popup.words() == ["Any camera", "Canon EOS 300D 1,234", "M&M 1 7", "Unknown camera 3"]
    assert edit(popup, "Find in the list").isHidden(), "four rows are seen at once"
    popup.close()
    _choose_camera(panel, "Unknown")
    assert told == [{"camera": NO_CAMERA}]
    assert _row(panel, "Camera").text() == "Unknown camera"


def test_a_long_list_fits_the_screen_and_is_found_in_by_typing(panel: FilterPanel, told: Told) -> None:
    panel.set_cameras([(f"Brand {number} Café", 1) for number in range(300)])
    popup = _cameras(panel)
    QTest.qWait(50)
    assert popup.isVisible(), "no other window took the keys from it"
    screen = popup.screen().availableGeometry()
    assert screen.contains(popup.geometry())
    assert popup.height() < 500
    QTest.keyClicks(edit(popup, "Find in the list"), "cafe 21")
    assert [one.removesuffix(" Café 1") for one in popup.words()] == [
        f"Brand {number}" for number in range(300) if "21" in str(number)
    ]
    QTest.keyClick(edit(popup, "Find in the list"), Qt.Key.Key_Down)
    QTest.keyClick(edit(popup, "Find in the list"), Qt.Key.Key_Return)
    assert told == [{"camera": "Brand 121 Café"}]


def test_camera_and_shape_are_chosen_from_menus(panel: FilterPanel, told: Told) -> None:
    _choose_camera(panel, "M&M 1")
    _choose(panel, "Orientation", "Landscape only")
    assert told == [{"camera": "M&M 1"}, {"camera": "M&M 1", "orientation": "landscape"}]
    assert _row(panel, "Camera").text() == "M&M 1"
    _choose_camera(panel, "Any camera")
    assert told[-1] == {"orientation": "landscape"}


def test_dates_are_written(panel: FilterPanel, told: Told) -> None:
    popup = _dates(panel)
    popup.grab()
    QTest.keyClicks(popup.since, "2023-05")
    QTest.keyClicks(popup.until, "2023-06-1x")
    popup.take()
    assert popup.isVisible()
    assert "2023-06-1x is not a date" in popup.words.accessibleName()
    popup.until.setText("2023-06-15")
    popup.take()
    assert told == [{"since": "2023-05", "until": "2023-06-15"}]
    assert _row(panel, "Date").text() == "2023-05 – 2023-06-15"


def test_a_year_is_pressed_and_any_date_takes_it_back(panel: FilterPanel, told: Told) -> None:
    year = next(pill for pill in _dates(panel).findChildren(Pill) if pill.text() == "2023")
    QTest.mouseClick(year, Qt.MouseButton.LeftButton)
    assert told[-1] == {"since": "2023", "until": "2023"}
    assert _row(panel, "Date").text() == "2023"
    link = _dates(panel).findChild(Link)
    assert isinstance(link, Link)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert told[-1] == {}


def test_a_folder_is_told_soon_after_the_last_letter(qtbot: QtBot, panel: FilterPanel, told: Told) -> None:
    field = panel.findChild(InputField)
    assert isinstance(field, InputField)
    QTest.keyClicks(field, "Coast ")
    qtbot.waitUntil(lambda: told == [{"folder": "Coast"}], timeout=5000)
    assert field.text() == "Coast "  # what is being written stays as it is


def test_clear_takes_all_back(panel: FilterPanel, told: Told) -> None:
    panel.set_filters({"since": "2023", "camera": "Canon EOS 300D", "folder": "Coast", "other": "x"})
    assert told == []
    assert panel.filters() == {"since": "2023", "camera": "Canon EOS 300D", "folder": "Coast"}
    clear = next(link for link in panel.findChildren(Link) if link.isVisible())
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert told == [{}]
    assert not clear.isVisible()
    assert _row(panel, "Date").text() == "Any date"
    panel.clear()
    assert told == [{}]


@pytest.mark.parametrize(
    ("filters", "words"),
    [({"since": "2023"}, "Since 2023"), ({"until": "2023-05"}, "Until 2023-05"), ({}, "Any date")],
)
def test_dates_are_said_in_words(panel: FilterPanel, filters: dict[str, str], words: str) -> None:
    panel.set_filters(filters)
    assert _row(panel, "Date").text() == words


def test_beside_a_tree_there_is_no_line_for_a_folder(qtbot: QtBot) -> None:
    plain = FilterPanel()
    qtbot.addWidget(plain)
    plain.show()
    assert not any(field.isVisible() for field in plain.findChildren(InputField))


def test_nothing_jumps_when_a_filter_is_set(panel: FilterPanel) -> None:
    before = [row.pos() for row in panel.findChildren(ChoiceRow)]
    panel.set_filters({"camera": "Canon EOS 300D"})
    panel.grab()
    assert [row.pos() for row in panel.findChildren(ChoiceRow)] == before


def test_everything_has_a_name(panel: FilterPanel) -> None:
    for kind in (ChoiceRow, InputField, Link):
        for widget in panel.findChildren(kind):
            assert isinstance(widget, QWidget)
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface is not None
            assert interface.text(QAccessible.Text.Name)
