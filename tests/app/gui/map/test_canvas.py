"""The map by pointer and by keys: moved, chosen from, encircled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.map.colouring import by_cluster, by_date, by_mark, by_similarity
from app.gui.map.map_canvas import MapCanvas, toward
from core.arrays import BoolMask, Float32Vectors
from core.embedding.plane import points_in_polygon, spacings_of_appearance
from tests.app.gui.looking import show
from tests.app.gui.map.made import made_facts, made_map, shown_canvas, still

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
N = 90


@pytest.fixture
def canvas(qtbot: QtBot) -> MapCanvas:
    made = shown_canvas(N)
    show(qtbot, made)
    made.setFocus()
    still(made)
    return made


def at(canvas: MapCanvas, row: int) -> QPoint:
    x, y = canvas.place_of(row)
    return QPoint(round(x), round(y))


def tool(canvas: MapCanvas) -> bool:
    return canvas.lasso_tool


def drag(
    canvas: MapCanvas, places: list[QPoint], modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.mousePress(canvas, Left, modifiers, places[0])
    for place in places[1:]:
        QTest.mouseMove(canvas, place)
        QApplication.processEvents()
    QTest.mouseRelease(canvas, Left, modifiers, places[-1])


def test_all_is_seen_at_first_and_again_after_f(canvas: MapCanvas) -> None:
    whole = canvas.camera
    assert all(canvas.rect().contains(at(canvas, row)) for row in range(N))
    QTest.keyClick(canvas, Key.Key_Plus)
    QTest.keyClick(canvas, Key.Key_Right, SHIFT)
    still(canvas)
    assert canvas.camera.scale > whole.scale
    assert not canvas.shows_all()
    QTest.keyClick(canvas, Key.Key_F)
    still(canvas)
    assert canvas.camera == whole
    canvas.resize(900, 700)
    still(canvas)
    assert canvas.camera.scale > whole.scale, "all stays seen in a larger view"


def test_the_wheel_comes_closer_to_what_is_under_the_pointer(canvas: MapCanvas) -> None:
    place = QPointF(123, 234)
    before, scale = canvas.camera.to_map((123, 234)), canvas.camera.scale
    up = QWheelEvent(
        place, QPointF(canvas.mapToGlobal(place.toPoint())), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, up)
    assert canvas.motion.moves
    still(canvas)
    assert canvas.camera.scale == pytest.approx(scale * 1.28**2)
    assert canvas.camera.to_map((123, 234)) == pytest.approx(before, abs=1e-6)


def test_the_sheet_follows_the_hand(canvas: MapCanvas) -> None:
    QTest.keyClick(canvas, Key.Key_Plus)
    still(canvas)
    place = canvas.camera.to_map((300, 200))
    drag(canvas, [QPoint(300, 200), QPoint(320, 215), QPoint(360, 240)])
    canvas.hold()
    still(canvas)
    assert canvas.camera.to_px(place) == pytest.approx((360, 240), abs=1)
    assert canvas.selection.count == 0


def test_a_click_chooses_and_enter_asks(canvas: MapCanvas, qtbot: QtBot) -> None:
    row = canvas.visible_rows()[0]
    QTest.mouseClick(canvas, Left, pos=at(canvas, row))
    assert canvas.current_id() == 10 * (row + 1)
    with qtbot.waitSignal(canvas.asked) as asked:
        QTest.keyClick(canvas, Key.Key_Return)
    assert asked.args == [canvas.current_id()]
    with qtbot.waitSignal(canvas.looked_at):
        QTest.keyClick(canvas, Key.Key_Space)
    with qtbot.waitSignal(canvas.marked) as marked:
        QTest.keyClick(canvas, Key.Key_D)
    assert marked.args == [False]
    QTest.mouseClick(canvas, Left, pos=QPoint(1, 1))
    assert canvas.current_id() == -1


def test_points_without_pictures_are_chosen_too(canvas: MapCanvas) -> None:
    pictured = set(canvas.visible_rows())
    free = [row for row in range(N) if row not in pictured]
    under = [row for row in free if canvas.row_under(at(canvas, row)) == row]
    assert under, "some lie beside pictures"
    canvas.show_only([int(canvas.coloured.of[under[0]]) + 1 if canvas.coloured is not None else 0])
    still(canvas)
    assert canvas.row_under(at(canvas, under[0])) != under[0], "what is left out is not there"


def test_a_lasso_selects_what_is_inside(canvas: MapCanvas, qtbot: QtBot) -> None:
    corners = [QPoint(100, 60), QPoint(420, 80), QPoint(400, 340), QPoint(90, 320)]
    counts: list[int] = []
    canvas.encircled.connect(counts.append)
    with qtbot.waitSignal(canvas.selection_changed) as told:
        drag(canvas, corners, SHIFT)
    expected = points_in_polygon(canvas.motion.xy, [canvas.camera.to_map((one.x(), one.y())) for one in corners])
    assert canvas.selection.rows().tolist() == expected.tolist()
    assert 0 < len(expected) < N
    assert told.args == [len(expected)]
    assert counts[-2:] == [len(expected), -1]
    assert canvas.selected_ids().tolist() == (10 * (expected + 1)).tolist()
    QTest.keyClick(canvas, Key.Key_L)
    assert tool(canvas)
    drag(canvas, [QPoint(1, 1), QPoint(599, 1), QPoint(599, 399), QPoint(1, 399)], CONTROL)
    assert canvas.selection.count == N, "what was selected, and what is inside"
    assert not tool(canvas), "one at a time"
    QTest.keyClick(canvas, Key.Key_Escape)
    assert canvas.selection.count == 0


def test_a_lasso_is_let_go(canvas: MapCanvas, qtbot: QtBot) -> None:
    QTest.keyClick(canvas, Key.Key_L)
    QTest.mousePress(canvas, Left, pos=QPoint(50, 50))
    QTest.mouseMove(canvas, QPoint(200, 50))
    QTest.keyClick(canvas, Key.Key_Escape)
    QTest.mouseRelease(canvas, Left, pos=QPoint(200, 300))
    assert canvas.selection.count == 0
    assert canvas.lasso is None
    with qtbot.waitSignal(canvas.left):
        QTest.keyClick(canvas, Key.Key_Escape)


def test_arrows_go_to_the_nearest_that_way(canvas: MapCanvas) -> None:
    QTest.keyClick(canvas, Key.Key_Right)
    seen = canvas.visible_rows()
    assert canvas.current in seen, "the one in the middle"
    for key, way in ((Key.Key_Left, (-1, 0)), (Key.Key_Up, (0, -1))):
        rows = canvas.visible_rows()
        px, py = canvas.camera.all_to_px(canvas.motion.xy[rows])
        expected = toward(px, py, canvas.place_of(canvas.current), way)
        QTest.keyClick(canvas, key)
        if expected is not None:
            assert canvas.current == rows[expected]
        still(canvas)
    before = canvas.current
    QTest.keyClick(canvas, Key.Key_Right, CONTROL)
    assert sorted(canvas.selection.rows().tolist()) == sorted({before, canvas.current})


def test_every_photograph_is_reached_by_arrows(canvas: MapCanvas) -> None:
    """From any picture an arrow leads on, unless it is the last one that way."""
    xy = canvas.motion.xy[canvas.visible_rows()]
    px, py = canvas.camera.all_to_px(xy)
    reached = {0}
    waiting = [0]
    while waiting:
        here = waiting.pop()
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = toward(px, py, (float(px[here]), float(py[here])), way)
            if there is not None and there not in reached:
                reached.add(there)
                waiting.append(there)
    assert len(reached) == len(px)


def test_what_is_current_comes_into_view(canvas: MapCanvas) -> None:
    for _ in range(4):
        canvas.zoom(2, QPointF(0, 0))
    still(canvas)
    row = int(np.argmax(canvas.motion.xy.sum(axis=1)))
    assert not canvas.rect().contains(at(canvas, row))
    canvas.set_current(10 * (row + 1))
    still(canvas)
    assert canvas.rect().contains(at(canvas, row))


def test_a_colour_and_all_that_is_seen_are_selected_by_keys(canvas: MapCanvas) -> None:
    canvas.set_current(20)
    QTest.keyClick(canvas, Key.Key_K)
    assert canvas.selection.count == N // 3
    QTest.keyClick(canvas, Key.Key_A, CONTROL)
    assert canvas.selection.count == N
    assert np.asarray(canvas.ids()).tolist() == canvas.selected_ids().tolist()


def test_what_is_shown_is_selected_and_close(canvas: MapCanvas) -> None:
    scale = canvas.camera.scale
    assert canvas.show_photographs([50])
    still(canvas)
    assert canvas.current_id() == 50
    assert canvas.camera.scale > scale
    assert np.asarray(canvas.ids())[0] == 50, "the nearest follow"
    assert canvas.show_photographs([50, 60, 999])
    assert canvas.selected_ids().tolist() == [50, 60]
    assert not canvas.show_photographs([7])


def test_one_that_is_shown_is_not_seen_alone(canvas: MapCanvas) -> None:
    """Who lies a little apart from two that lie very close is seen with neighbours, too."""
    xy = made_map(N).xy.copy()
    xy[0], xy[1:3] = (0.5, 0.5), (0.5002, 0.5)
    found = replace(made_map(N), xy=xy, shown_at=spacings_of_appearance(xy))
    canvas.show_map(found, made_facts(N), by_cluster(found))
    still(canvas)
    canvas.show_photographs([10])
    still(canvas)
    nearest = np.argsort(np.abs(xy - xy[0]).max(axis=1), kind="stable")[:9]
    assert all(canvas.rect().contains(at(canvas, row)) for row in nearest.tolist())


def test_colours_are_drawn_over_grey_and_the_more_alike_over_the_less(canvas: MapCanvas) -> None:
    facts = made_facts(N)
    facts.mark[[3, 40, 70]] = [1, 2, 3]
    canvas.show_colours(by_mark(facts))
    drawn = canvas.drawn()
    assert drawn is not None
    assert set(drawn.order[-3:].tolist()) == {3, 40, 70}
    assert (np.diff(canvas.motion.xy[drawn.order[:-3], 1]) >= 0).all(), "else the lower ones over the higher ones"
    canvas.show_colours(by_similarity(np.linspace(0, 1, N, dtype=np.float32)))
    drawn = canvas.drawn()
    assert drawn is not None
    assert drawn.order[-11:].min() == N - 11, "the nearest last"
    canvas.select_rows(np.arange(N) < 5)
    drawn = canvas.drawn()
    assert drawn is not None
    assert drawn.order[-5:].max() == 4, "what is selected is over all"


def test_pictures_tell_their_group_in_grey_too(canvas: MapCanvas) -> None:
    """The corner of a frame has the shape of the group; where lightness tells, there is none."""

    def corner(row: int) -> set[int]:
        image, box = canvas.grab().toImage(), canvas.box(row).toRect()
        return {image.pixel(box.left() + x, box.bottom() - y) for x in range(2, 10) for y in range(2, 8)}

    assert canvas.coloured is not None
    row = next(row for row in canvas.visible_rows() if canvas.box(row).width() > 50)
    grey = QColor(90, 90, 90).rgb()
    assert grey not in corner(row)
    assert len(corner(row)) > 2, "the colour, and a shape in it"
    canvas.show_colours(by_date(made_facts(N)))
    still(canvas)
    assert corner(row) == {grey}


def test_another_map_keeps_what_is_chosen_and_points_travel(canvas: MapCanvas) -> None:
    canvas.set_current(40)
    canvas.select_group()
    selected = canvas.selected_ids()
    later = made_map(N + 6, seed=5)
    canvas.show_map(later, made_facts(N + 6), by_cluster(later))
    assert canvas.motion.travels
    assert canvas.motion.xy[:N] == pytest.approx(made_map(N).xy), "from where they were"
    assert canvas.motion.xy[N:] == pytest.approx(later.xy[N:]), "what is new is where it belongs"
    still(canvas)
    assert canvas.motion.xy is later.xy
    assert canvas.current_id() == 40
    assert canvas.selected_ids().tolist() == selected.tolist()
    assert all(canvas.rect().contains(at(canvas, row)) for row in range(N + 6)), "all stays seen"


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_few_photographs(qtbot: QtBot, n: int) -> None:
    canvas = shown_canvas(n)
    show(qtbot, canvas)
    still(canvas)
    for key in (Key.Key_Right, Key.Key_Plus, Key.Key_F, Key.Key_K):
        QTest.keyClick(canvas, key)
        still(canvas)
    assert min(n, 2) <= len(canvas.visible_rows()) <= n
    assert (canvas.current >= 0) == (n > 0)


def test_it_is_told_to_those_who_do_not_see_it(canvas: MapCanvas) -> None:
    interface = QAccessible.queryAccessibleInterface(canvas)
    assert interface.role() == QAccessible.Role.List
    assert interface.childCount() == len(canvas.visible_rows()) > 2
    row = canvas.visible_rows()[1]
    child = interface.child(1)
    assert child.text(QAccessible.Text.Name) == canvas.spoken(row)
    assert "Pictures/" in canvas.spoken(row)
    assert child.rect().center() == canvas.mapToGlobal(canvas.tile_rect(row).center())
    canvas.set_current(canvas.id_of(row))
    assert interface.focusChild().text(QAccessible.Text.Name) == canvas.spoken(row)
    place = canvas.mapToGlobal(at(canvas, row))
    assert interface.childAt(place.x(), place.y()).text(QAccessible.Text.Name) == canvas.spoken(row)


def test_a_picture_is_painted_where_it_is_said_to_be(canvas: MapCanvas) -> None:
    row = canvas.visible_rows()[0]
    image = canvas.grab().toImage()
    middle = canvas.box(row).center().toPoint()
    colour = image.pixelColor(middle)
    assert (colour.red(), colour.green(), colour.blue()) == (90, 90, 90)


def test_clusters_that_are_left_out_are_not_named(canvas: MapCanvas) -> None:
    found = canvas.found
    assert found is not None
    assert {one.word for one in found.clusters} == set(canvas.names)
    canvas.show_only([1])
    still(canvas)
    assert set(canvas.names) == {found.clusters[1].word}


def test_where_only_some_are_shown_more_of_them_are_pictures(canvas: MapCanvas) -> None:
    coloured = by_date(made_facts(N))
    canvas.show_colours(coloured)
    wanted: list[tuple[BoolMask, Float32Vectors]] = []
    canvas.room_wanted.connect(lambda allowed, xy: wanted.append((allowed, xy)))
    canvas.show_only([1])
    still(canvas)
    before = canvas.visible_rows()
    ((allowed, xy),) = wanted
    assert np.array_equal(allowed, coloured.of == 1)
    canvas.take_room(allowed.copy(), np.zeros(N, np.float32))
    still(canvas)
    assert canvas.visible_rows() == before, "what was worked out for another choice comes too late"
    shown_at = np.zeros(N, np.float32)
    shown_at[allowed] = spacings_of_appearance(xy[allowed])
    canvas.take_room(allowed, shown_at)
    still(canvas)
    assert len(canvas.visible_rows()) > len(before)
    assert allowed[canvas.visible_rows()].all()
    canvas.show_only([])
    still(canvas)
    assert not allowed[canvas.visible_rows()].all()
    assert len(wanted) == 1, "all are shown as it was worked out with the map"
