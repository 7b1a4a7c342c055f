"""What a screen reader finds in the grid."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from app.gui.photo_grid import PhotoGrid
from tests.app.gui.photo_grid.tables import Table

Role, Name = QAccessible.Role, QAccessible.Text.Name


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[PhotoGrid]:
    grid = PhotoGrid()
    qtbot.addWidget(grid)
    grid.resize(800, 600)
    grid.show_rows(Table(range(100, 400), [7, 293]))
    grid.show()
    qtbot.waitExposed(grid)
    grid.activateWindow()
    grid.setFocus(Qt.FocusReason.MouseFocusReason)
    yield grid
    grid.close()


def test_it_is_a_list_of_what_is_in_view(grid: PhotoGrid) -> None:
    spoken = QAccessible.queryAccessibleInterface(grid)
    assert (spoken.role(), spoken.text(Name)) == (Role.List, "Photos")
    assert spoken.childCount() == len(grid.visible_rows()) < 300
    assert spoken.state().multiSelectable
    grid.set_current(300)
    names = [spoken.child(i).text(Name) for i in range(spoken.childCount())]
    assert names == [f"Photo {100 + row}" for row in grid.visible_rows()]
    assert "Photo 300" in names
    assert spoken.child(len(names)) is None


def test_an_item_says_its_state_and_place(grid: PhotoGrid) -> None:
    grid.set_current(102)
    grid.choose(4, Qt.KeyboardModifier.ControlModifier)
    spoken = QAccessible.queryAccessibleInterface(grid)
    second, fourth = spoken.child(2), spoken.child(4)
    assert fourth.role() == Role.ListItem
    assert (second.state().selected, fourth.state().selected, spoken.child(3).state().selected) == (1, 1, 0)
    assert (second.state().focused, fourth.state().focused) == (0, int(grid.hasFocus()))
    assert fourth.parent().role() == Role.List
    assert spoken.indexOfChild(fourth) == 4
    place = fourth.rect()
    assert place.topLeft() == grid.viewport().mapToGlobal(grid.tile_rect(4).topLeft())
    found = spoken.childAt(place.center().x(), place.center().y())
    assert found is not None
    assert found.text(Name) == "Photo 104"


def test_what_scrolls_away_is_said_to_be_out_of_sight(grid: PhotoGrid) -> None:
    spoken = QAccessible.queryAccessibleInterface(grid)
    first = spoken.child(0)
    assert not first.state().offscreen
    grid.set_current(390)
    assert first.state().offscreen
    assert spoken.indexOfChild(first) == -1


def test_only_a_few_are_kept_however_many_are_spoken_of(grid: PhotoGrid) -> None:
    grid.show_rows(Table(range(5000)))
    spoken = QAccessible.queryAccessibleInterface(grid)
    for at in range(0, grid.verticalScrollBar().maximum(), 400):
        grid.verticalScrollBar().setValue(at)
        assert all(spoken.child(i).text(Name) for i in range(spoken.childCount()))
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert len(grid.voices) < 1100
    gc.collect()
    grid.show_rows(Table([1]))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [spoken.child(i).text(Name) for i in range(spoken.childCount())] == ["Photo 1"]


def test_grids_come_and_go_while_they_are_spoken_of(qtbot: QtBot) -> None:
    for _ in range(20):
        grid = PhotoGrid()
        grid.resize(400, 400)
        grid.show_rows(Table(range(30)))
        spoken = QAccessible.queryAccessibleInterface(grid)
        assert spoken.childCount() > 0
        assert spoken.child(0).text(Name) == "Photo 0"
        del spoken
        grid.deleteLater()
        del grid
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
