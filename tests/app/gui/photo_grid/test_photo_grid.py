"""The grid by keys, mouse and screen reader: what becomes current and selected, and what is painted."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QFont,
    QHelpEvent,
    QImage,
    QPainter,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.photo_grid.tables import CONTROL, PLAIN, SHIFT, Month, Table
from tests.app.gui.working import rested
from twinlens.app.gui.look.theme import LIGHT
from twinlens.app.gui.photo_grid import PhotoGrid, grid_pointer
from twinlens.app.gui.photo_grid.cell_painting import GridCellPainter, GridTile
from twinlens.app.gui.photo_grid.grid_layout import Caption
from twinlens.app.gui.photo_grid.grid_sheet import LARGEST, SMALLEST

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def _focused(qtbot: QtBot, table: Table) -> PhotoGrid:
    """Show a grid of a table that has the focus."""
    grid = PhotoGrid()
    qtbot.addWidget(grid)
    grid.resize(800, 600)
    grid.show_rows(table)
    grid.show()
    qtbot.waitExposed(grid)
    grid.activateWindow()
    grid.setFocus(Qt.FocusReason.MouseFocusReason)
    return grid


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[PhotoGrid]:
    grid = _focused(qtbot, Table(range(101, 401), [7, 23, 270]))
    yield grid
    grid.close()


def _press(grid: PhotoGrid, *pressed: Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    for key in pressed:
        QTest.keyClick(grid, key, modifier)


def _click(grid: PhotoGrid, row: int, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.mouseClick(grid.viewport(), LEFT, modifier, grid.tile_rect(row).center())


def _selected(grid: PhotoGrid) -> list[int]:
    chosen: list[int] = grid.selected_ids().tolist()
    return chosen


def _told(grid: PhotoGrid) -> list[tuple[str, int]]:
    told: list[tuple[str, int]] = []
    grid.current_changed.connect(lambda one: told.append(("current", one)))
    grid.selection_changed.connect(lambda count: told.append(("selection", count)))
    return told


def test_arrows_go_and_select(grid: PhotoGrid) -> None:
    columns = grid.layout_now.columns
    assert columns == 4
    _press(grid, Key.Key_Right)  # the first key begins at what is seen
    assert grid.current_id() == 101
    _press(grid, Key.Key_Right, Key.Key_Right)
    assert (grid.current_id(), _selected(grid)) == (103, [103])
    _press(grid, Key.Key_Right, Key.Key_Down)  # the second line of the first section has only three
    assert grid.current_id() == 107
    _press(grid, Key.Key_Down)  # and the column is remembered
    assert grid.current_id() == 111
    _press(grid, Key.Key_Up, Key.Key_Up, Key.Key_Left)
    assert grid.current_id() == 103
    _press(grid, Key.Key_End)
    assert (grid.current_id(), grid.top()) == (400, grid.verticalScrollBar().maximum())
    _press(grid, Key.Key_Home)
    assert (grid.current_id(), grid.top()) == (101, 0)


def test_who_comes_by_tab_sees_where_the_keys_are(grid: PhotoGrid) -> None:
    grid.clearFocus()
    grid.verticalScrollBar().setValue(1000)
    grid.setFocus(Qt.FocusReason.TabFocusReason)
    assert grid.current_row() in grid.visible_rows()
    assert (grid.top(), _selected(grid)) == (1000, [])


def test_pages_lead_through_all_and_the_current_one_is_always_seen_whole(grid: PhotoGrid) -> None:
    seen = [grid.current_row()]
    while grid.current_row() < 296:
        _press(grid, Key.Key_PageDown)
        tile = grid.tile_rect(grid.current_row())
        assert grid.viewport().rect().contains(tile)
        assert tile.top() >= grid.layout_now.measures.heading
        assert grid.current_row() > seen[-1]
        seen.append(grid.current_row())
    assert len(seen) > 10
    _press(grid, *[Key.Key_PageUp] * len(seen))
    assert (grid.current_row(), grid.top()) == (0, 0)


def test_shift_extends_and_control_moves_without_selecting(grid: PhotoGrid) -> None:
    grid.set_current(103)
    _press(grid, Key.Key_Right, Key.Key_Down, modifier=SHIFT)
    assert _selected(grid) == [103, 104, 105, 106, 107]
    _press(grid, Key.Key_Up, modifier=SHIFT)
    assert _selected(grid) == [103, 104]
    _press(grid, Key.Key_Home, modifier=CONTROL)
    assert (grid.current_id(), _selected(grid)) == (101, [103, 104])
    _press(grid, Key.Key_Space, modifier=CONTROL)
    assert _selected(grid) == [101, 103, 104]
    _press(grid, Key.Key_Right, modifier=CONTROL)
    _press(grid, Key.Key_Space, modifier=CONTROL)
    _press(grid, Key.Key_End, modifier=CONTROL | SHIFT)
    assert len(_selected(grid)) == 300
    _press(grid, Key.Key_Escape)
    assert _selected(grid) == []
    _press(grid, Key.Key_A, modifier=CONTROL)
    assert len(_selected(grid)) == 300


def test_enter_activates_space_looks_and_the_ids_are_told(grid: PhotoGrid, qtbot: QtBot) -> None:
    grid.set_current(105)
    with qtbot.waitSignal(grid.activated) as activated:
        _press(grid, Key.Key_Return)
    with qtbot.waitSignal(grid.looked_at) as looked_at:
        _press(grid, Key.Key_Space)
    told = _told(grid)
    _press(grid, Key.Key_Right, modifier=SHIFT)
    assert (activated.args, looked_at.args) == ([105], [105])
    assert told == [("current", 106), ("selection", 2)]


class _Around(QWidget):
    """Gets the keys that the grid leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[int] = []

    def keyPressEvent(self, event: object) -> None:  # noqa: N802
        self.keys.append(event.key())  # type: ignore[attr-defined]


def test_letters_and_an_escape_with_nothing_selected_are_left_to_others(qtbot: QtBot) -> None:
    around = _Around()
    qtbot.addWidget(around)
    grid = PhotoGrid(around)
    grid.show_rows(Table(range(5)))
    around.show()
    grid.setFocus()
    _press(grid, Key.Key_S, Key.Key_D, Key.Key_Right, Key.Key_Escape)
    assert around.keys == [Key.Key_S, Key.Key_D]  # Escape cleared the selection
    _press(grid, Key.Key_Escape)
    assert around.keys[2:] == [Key.Key_Escape]
    grid.show_rows(Table([]))
    _press(grid, Key.Key_Right, Key.Key_Return)
    assert around.keys[3:] == [Key.Key_Right, Key.Key_Return]


def test_clicks_choose(grid: PhotoGrid, qtbot: QtBot) -> None:
    _click(grid, 2)
    assert (grid.current_id(), _selected(grid)) == (103, [103])
    _click(grid, 5, CONTROL)
    assert _selected(grid) == [103, 106]
    _click(grid, 7, SHIFT)
    assert _selected(grid) == [106, 107, 108]
    _click(grid, 1, SHIFT | CONTROL)
    assert _selected(grid) == [102, 103, 104, 105, 106]
    _click(grid, 3)
    assert _selected(grid) == [104]
    with qtbot.waitSignal(grid.activated) as activated:
        QTest.mouseDClick(grid.viewport(), LEFT, PLAIN, grid.tile_rect(4).center())
    assert activated.args == [105]
    QTest.mouseClick(grid.viewport(), LEFT, PLAIN, QPoint(3, 300))
    assert _selected(grid) == []


def _drag(grid: PhotoGrid, start: QPoint, *stops: QPoint, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.mousePress(grid.viewport(), LEFT, modifier, start)
    for stop in stops:
        QTest.mouseMove(grid.viewport(), stop)


def test_a_rubber_band_selects_what_it_meets(grid: PhotoGrid) -> None:
    end = grid.tile_rect(5).center()
    _drag(grid, QPoint(4, 45), QPoint(40, 60), end)
    assert _selected(grid) == [101, 102, 105, 106]
    QTest.mouseMove(grid.viewport(), grid.tile_rect(1).center())
    assert _selected(grid) == [101, 102]
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, end)
    _drag(grid, QPoint(4, 45), grid.tile_rect(4).center(), modifier=CONTROL)
    assert _selected(grid) == [101, 102, 105]
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, end)
    _drag(grid, QPoint(300, 20), grid.tile_rect(2).center())  # from a heading, which a mere click would select
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, end)
    assert _selected(grid) == [102, 103]


def test_a_heading_selects_its_photographs(grid: PhotoGrid) -> None:
    heading = QPoint(60, 20)
    _click(grid, 20)
    grid.verticalScrollBar().setValue(0)
    QTest.mouseClick(grid.viewport(), LEFT, PLAIN, heading)
    assert _selected(grid) == list(range(101, 108))
    assert grid.current_id() == 101
    grid.verticalScrollBar().setValue(int(grid.layout_now.tops[1]) + 200)  # the heading of the second month sticks
    assert grid.row_under(heading) == -1
    at = grid.top()
    QTest.mouseClick(grid.viewport(), LEFT, CONTROL, heading)
    assert _selected(grid) == list(range(101, 131))
    assert grid.top() == at
    QTest.mouseClick(grid.viewport(), LEFT, CONTROL, heading)
    assert _selected(grid) == list(range(101, 108))
    QTest.mouseClick(grid.viewport(), LEFT, SHIFT, heading)
    assert _selected(grid) == list(range(108, 131))


def test_keys_go_from_heading_to_heading_and_select(grid: PhotoGrid) -> None:
    grid.set_current(105)
    grid.go_to_group(1)
    assert grid.current_id() == 108
    assert grid.top() == grid.layout_now.tops[1]
    grid.select_group()
    assert grid.selection.count == 23
    grid.go_to_group(1)
    grid.go_to_group(1)  # there is no further one
    assert grid.current_id() == 131
    grid.go_to_group(-1)
    assert grid.current_id() == 108


def test_a_selected_photograph_and_the_current_one_look_different(grid: PhotoGrid) -> None:
    _click(grid, 0)
    _click(grid, 1, CONTROL)
    _press(grid, Key.Key_Right, modifier=CONTROL)
    seen = grid.viewport().grab().toImage()
    ratio = seen.devicePixelRatio()

    def at(row: int, inset: int) -> QColor:
        well = grid.tile_rect(row)
        return QColor(seen.pixel(round((well.left() + 40) * ratio), round((well.top() + inset) * ratio)))

    assert at(0, 20) != at(2, 20)  # a selected one stands on another ground
    assert at(0, -2).green() > at(0, -2).red() + 40  # in the accent
    assert at(2, -2).lightness() < 120
    assert abs(at(2, -2).green() - at(2, -2).red()) < 20
    _press(grid, Key.Key_Left, modifier=CONTROL)
    assert at(1, -2) == at(0, -2)


def test_a_rubber_band_scrolls_at_the_edge(grid: PhotoGrid, qtbot: QtBot) -> None:
    below = QPoint(700, 640)
    _drag(grid, QPoint(4, 45), QPoint(40, 60), below)
    qtbot.waitUntil(lambda: grid.top() > 600)
    assert len(_selected(grid)) > 20
    assert grid.selection.count == len(_selected(grid))
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, below)
    (scrolling,) = [one for one in grid.findChildren(QTimer) if isinstance(one.parent(), grid_pointer.GridPointer)]
    assert not scrolling.isActive()


def test_photographs_are_dragged_out_as_files(grid: PhotoGrid, monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[list[str]] = []
    monkeypatch.setattr(grid_pointer, "drag_files", lambda source, paths, pixmap, ids: dropped.append(paths))
    far = QPoint(60, 0)
    _click(grid, 1)
    _drag(grid, grid.tile_rect(1).center(), grid.tile_rect(1).center() + far)
    assert dropped == []  # nobody says where the files are
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, QPoint(1, 1))
    grid.paths_of = lambda ids: [f"/pictures/{one}.jpg" for one in ids]
    _click(grid, 1)
    _click(grid, 3, CONTROL)
    _drag(grid, grid.tile_rect(3).center(), grid.tile_rect(3).center() + far)
    assert _selected(grid) == [102, 104]
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, QPoint(1, 1))
    _drag(grid, grid.tile_rect(6).center(), grid.tile_rect(6).center() + far)
    QTest.mouseRelease(grid.viewport(), LEFT, PLAIN, QPoint(1, 1))
    assert dropped == [["/pictures/102.jpg", "/pictures/104.jpg"], ["/pictures/107.jpg"]]
    assert _selected(grid) == [107]


def test_a_click_without_a_drag_chooses_one_of_several(grid: PhotoGrid) -> None:
    _click(grid, 1)
    _click(grid, 3, CONTROL)
    _click(grid, 1)
    assert _selected(grid) == [102]


@pytest.mark.parametrize("count", [1, 2, 1234])
def test_what_is_dragged_are_addresses_and_it_is_seen_how_many(grid: PhotoGrid, count: int) -> None:
    paths = [f"/pictures/a b {i}.jpg" for i in range(count)]
    data = grid_pointer.files_to_drag(paths)
    assert data.urls()[0] == QUrl.fromLocalFile("/pictures/a b 0.jpg")
    assert data.text().splitlines() == paths
    one, many = grid_pointer.stack_pixmap(None, 1, 1.0).toImage(), grid_pointer.stack_pixmap(None, count, 1.0).toImage()
    assert (one == many) == (count == 1)


def test_the_menu_is_wished_for_by_mouse_and_key(grid: PhotoGrid, qtbot: QtBot) -> None:
    def ask(reason: QContextMenuEvent.Reason, at: QPoint) -> None:
        QApplication.sendEvent(grid.viewport(), QContextMenuEvent(reason, at, grid.viewport().mapToGlobal(at)))

    with qtbot.waitSignal(grid.menu_wanted) as wanted:
        ask(QContextMenuEvent.Reason.Mouse, grid.tile_rect(4).center())
    assert wanted.args == [105, grid.viewport().mapToGlobal(grid.tile_rect(4).center())]
    assert _selected(grid) == [105]
    grid.set_current(110)
    with qtbot.waitSignal(grid.menu_wanted) as wanted:  # as Qt sends it, to what has the focus
        nowhere = QPoint(0, 0)
        QApplication.sendEvent(grid, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, nowhere, nowhere))
    assert wanted.args == [110, grid.viewport().mapToGlobal(grid.tile_rect(9).center())]
    with qtbot.assertNotEmitted(grid.menu_wanted):
        ask(QContextMenuEvent.Reason.Mouse, QPoint(2, 2))


def _wheel(grid: PhotoGrid, angle: int, pixels: int = 0, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    centre = QPointF(grid.viewport().rect().center())
    event = QWheelEvent(
        centre,
        QPointF(grid.mapToGlobal(centre.toPoint())),
        QPoint(0, pixels),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        modifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(grid.viewport(), event)


def test_the_wheel_glides_and_notches_add_up(grid: PhotoGrid, qtbot: QtBot) -> None:
    _wheel(grid, -120)
    qtbot.waitUntil(lambda: grid.top() > 90)
    rested(qtbot, grid)
    notch = grid.top()
    _wheel(grid, -120)
    _wheel(grid, -120)
    qtbot.waitUntil(lambda: grid.top() == 3 * notch)
    _wheel(grid, 12_000)
    qtbot.waitUntil(lambda: grid.top() == 0)
    _wheel(grid, -30, -77)  # a touch pad
    assert grid.top() == 77


def test_tiles_are_sized_by_wheel_and_keys_within_limits_and_the_current_one_stays(grid: PhotoGrid) -> None:
    sides: list[int] = []
    grid.tile_side_changed.connect(sides.append)
    grid.set_current(250)
    before = grid.tile_rect(149).top()
    _wheel(grid, 120, modifier=CONTROL)
    _press(grid, Key.Key_Plus, modifier=CONTROL)
    assert (sides, grid.tile_rect(149).top()) == ([192, 208], before)
    for _ in range(30):
        _press(grid, Key.Key_Minus, modifier=CONTROL)
    assert (grid.tile_side, grid.layout_now.columns) == (SMALLEST, 7)
    for _ in range(30):
        _wheel(grid, 120, modifier=CONTROL)
    assert grid.tile_side == LARGEST
    _press(grid, Key.Key_0, modifier=CONTROL)
    assert sides[-1] == grid.tile_side == 176


def test_a_resize_keeps_what_is_seen(grid: PhotoGrid) -> None:
    grid.verticalScrollBar().setValue(grid.layout_now.box(150).y - 100)
    first = grid.visible_rows()[0]
    height = grid.tile_rect(first).top()
    grid.resize(500, 600)
    assert grid.tile_rect(first).top() == height
    assert grid.layout_now.columns == 3


def test_other_rows_keep_by_id_what_they_can(grid: PhotoGrid, qtbot: QtBot) -> None:
    grid.set_current(250)
    _click(grid, grid.current_row() + 1, CONTROL)
    assert (_selected(grid), grid.current_id()) == ([250, 251], 251)
    height = grid.tile_rect(150).top()
    with qtbot.assertNotEmitted(grid.current_changed):
        grid.show_rows(Table([*range(1, 41), *range(101, 250), *range(251, 401)], [40, 299]), keep=True)
    assert (_selected(grid), grid.current_id()) == ([251], 251)
    assert grid.tile_rect(grid.current_row()).top() == height
    told = _told(grid)
    grid.show_rows(Table(range(101, 250)), keep=True)
    assert told == [("current", -1), ("selection", 0)]


def test_new_rows_appear_above_while_the_top_is_seen(grid: PhotoGrid) -> None:
    grid.show_rows(Table(range(90, 401)), keep=True)
    assert (grid.top(), grid.visible_rows()[0]) == (0, 0)


def test_other_rows_begin_at_the_top_with_nothing_chosen(grid: PhotoGrid) -> None:
    grid.set_current(350)
    assert grid.top() > 0
    grid.show_rows(Table(range(101, 401)))
    assert (grid.top(), grid.current_id(), _selected(grid)) == (0, -1, [])


def test_sections_that_are_not_the_rows_are_refused(grid: PhotoGrid) -> None:
    wrong = Table(range(5), [5])
    for shelves in ((Month("a", 0, 4),), (Month("a", 0, 5), Month("b", 5, 0)), (Month("a", 1, 5),)):
        wrong.shelves = shelves
        with pytest.raises(ValueError, match="sections"):
            grid.show_rows(wrong)
    assert grid.rows().count == 300


def test_the_tool_tip_says_which_photograph_it_is(grid: PhotoGrid) -> None:
    at = grid.tile_rect(2).center()
    QApplication.sendEvent(grid.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, grid.viewport().mapToGlobal(at)))
    assert QToolTip.text() == "Photo 103"
    QToolTip.hideText()


def test_words_need_room_only_where_there_are_some(grid: PhotoGrid) -> None:
    assert grid.layout_now.measures.foot == 0
    grid.show_rows(Table(range(5), caption=Caption("1", "0.50")))
    words = grid.layout_now.measures.foot
    grid.show_rows(Table(range(5), caption=Caption("1", "0.50", 0.5)))
    assert 0 < words < grid.layout_now.measures.foot
    assert grid.layout_now.measures.heading == 0


def test_half_a_million_rows_are_driven_like_few(grid: PhotoGrid) -> None:
    grid.show_rows(Table(np.arange(500_000).tolist(), [1000] * 500))
    grid.select_all()
    assert (grid.selection.count, len(grid.selected_ids())) == (500_000, 500_000)
    _press(grid, Key.Key_End)
    assert (grid.current_id(), _selected(grid)) == (499_999, [499_999])
    _press(grid, Key.Key_Home, modifier=SHIFT)
    assert grid.selection.count == 500_000


Role, Name = QAccessible.Role, QAccessible.Text.Name


@pytest.fixture
def read_grid(qtbot: QtBot) -> Iterator[PhotoGrid]:
    grid = _focused(qtbot, Table(range(100, 400), [7, 293]))
    yield grid
    grid.close()


def test_it_is_a_list_of_what_is_in_view(read_grid: PhotoGrid) -> None:
    spoken = QAccessible.queryAccessibleInterface(read_grid)
    assert (spoken.role(), spoken.text(Name)) == (Role.List, "Photos")
    assert spoken.childCount() == len(read_grid.visible_rows()) < 300
    assert spoken.state().multiSelectable
    read_grid.set_current(300)
    names = [spoken.child(i).text(Name) for i in range(spoken.childCount())]
    assert names == [f"Photo {100 + row}" for row in read_grid.visible_rows()]
    assert "Photo 300" in names
    assert spoken.child(len(names)) is None


def test_an_item_says_its_state_and_place(read_grid: PhotoGrid) -> None:
    read_grid.set_current(102)
    read_grid.choose(4, Qt.KeyboardModifier.ControlModifier)
    spoken = QAccessible.queryAccessibleInterface(read_grid)
    second, fourth = spoken.child(2), spoken.child(4)
    assert fourth.role() == Role.ListItem
    assert (second.state().selected, fourth.state().selected, spoken.child(3).state().selected) == (1, 1, 0)
    assert (second.state().focused, fourth.state().focused) == (0, int(read_grid.hasFocus()))
    assert fourth.parent().role() == Role.List
    assert spoken.indexOfChild(fourth) == 4
    place = fourth.rect()
    assert place.topLeft() == read_grid.viewport().mapToGlobal(read_grid.tile_rect(4).topLeft())
    found = spoken.childAt(place.center().x(), place.center().y())
    assert found is not None
    assert found.text(Name) == "Photo 104"


def test_what_scrolls_away_is_said_to_be_out_of_sight(read_grid: PhotoGrid) -> None:
    spoken = QAccessible.queryAccessibleInterface(read_grid)
    first = spoken.child(0)
    assert not first.state().offscreen
    read_grid.set_current(390)
    assert first.state().offscreen
    assert spoken.indexOfChild(first) == -1


def test_only_a_few_are_kept_however_many_are_spoken_of(read_grid: PhotoGrid) -> None:
    read_grid.show_rows(Table(range(5000)))
    spoken = QAccessible.queryAccessibleInterface(read_grid)
    for at in range(0, read_grid.verticalScrollBar().maximum(), 400):
        read_grid.verticalScrollBar().setValue(at)
        assert all(spoken.child(i).text(Name) for i in range(spoken.childCount()))
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert len(read_grid.voices) < 1100
    gc.collect()
    read_grid.show_rows(Table([1]))
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


@pytest.mark.parametrize("stretch", [1.0, 0.9, 1.5])
def test_a_photograph_that_was_made_for_larger_tiles_does_not_spill(qtbot: QtBot, stretch: float) -> None:
    large = QPixmap(120, 90)
    large.fill(QColor("#ff0000"))
    image = QImage(160, 160, QImage.Format.Format_RGB32)
    image.fill(QColor("#00ff00"))
    painter = QPainter(image)
    tile = GridTile(pixmap=(large, stretch), unreadable=False, caption=None, away=False, selected=False, current=False)
    GridCellPainter(painter, LIGHT, QFont(), "asked").tile(QRect(40, 40, 80, 80), tile)
    painter.end()
    assert image.pixelColor(80, 80) == QColor("#ff0000")
    around = [image.pixelColor(x, 80) for x in (30, 36, 123, 130)] + [
        image.pixelColor(80, y) for y in (30, 36, 123, 130)
    ]
    assert set(map(QColor.name, around)) == {"#00ff00"}


@pytest.mark.parametrize("side", [96, 320])
def test_what_is_confirmed_has_a_disc_with_a_tick_in_its_corner(qtbot: QtBot, side: int) -> None:
    assert _corner(side, Caption(confirmed=True)).name() == LIGHT.accent
    assert _corner(side, Caption()).name() == LIGHT.well
    assert _corner(side, Caption(confirmed=True, marked=True)).name() == LIGHT.well  # it is what was asked with


def _corner(side: int, caption: Caption) -> QColor:
    """Paint a tile without a photograph, and give the colour in the upper right of its well, beside the tick."""
    image = QImage(side + 40, side + 80, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.ground))
    painter = QPainter(image)
    tile = GridTile(pixmap=None, unreadable=False, caption=caption, away=False, selected=False, current=False)
    GridCellPainter(painter, LIGHT, QFont(), "asked").tile(QRect(20, 20, side, side), tile)
    painter.end()
    return image.pixelColor(20 + side - 17, 20 + 17 - 6)
