"""The map by pointer and by keys: points, pictures and the overview in the corner."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import show
from tests.app.gui.map.made import made_facts, made_map, shown_canvas, still
from twinlens.app.gui.map.camera import Camera
from twinlens.app.gui.map.colouring import by_cluster, by_date, by_mark, by_similarity
from twinlens.app.gui.map.dots import (
    LEAST_PX,
    MOST_PX,
    PointInks,
    PointShape,
    _reach,
    _stamp,
    painted_points,
    radius_for,
)
from twinlens.app.gui.map.map_canvas import MapCanvas, toward
from twinlens.app.gui.map.overlay import MOST_PICTURE_PX, Spacings, most_scale, placed_pictures, side_px, spacings_of
from twinlens.app.gui.pictures.photograph import rgb_of
from twinlens.core.arrays import BoolMask, Float32Vectors
from twinlens.core.embedding.plane import points_in_polygon, spacings_of_appearance

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


GROUND = (250, 250, 250)
INKS = PointInks(((200, 0, 0), (0, 0, 200)), (PointShape.DISC, PointShape.SQUARE))


def plainly(size: tuple[int, int], px: list[float], py: list[float], groups: list[int], radius: float) -> np.ndarray:
    """Set every pixel of every stamp, shape by shape and level by level."""
    pixels = np.full((size[1], size[0], 3), GROUND, np.uint8)
    for shape in sorted({INKS.shapes[group] for group in groups}):
        for level, offsets in zip((0.3, 0.62, 1.0), _stamp(shape, round(radius, 1)), strict=True):
            for right, below in offsets:
                for x, y, group in zip(px, py, groups, strict=True):
                    if INKS.shapes[group] is not shape:
                        continue
                    column, row = int(np.floor(x)) + right, int(np.floor(y)) + below
                    if 0 <= column < size[0] and 0 <= row < size[1]:
                        ground, ink = np.array(GROUND), np.array(INKS.colours[group])
                        pixels[row, column] = np.rint(ground + level * (ink - ground))
    return pixels


def test_every_point_is_there_also_at_the_edges() -> None:
    random = np.random.default_rng(3)
    px = np.concatenate([random.uniform(-8, 208, 40), [0, 199.9, -3]]).astype(np.float32)
    py = np.concatenate([random.uniform(-8, 148, 40), [0, 139.9, 70]]).astype(np.float32)
    groups = (np.arange(43) % 2).astype(np.uint8)
    image = painted_points((200, 140), GROUND, px, py, groups, INKS)
    margin = _reach(MOST_PX)
    seen = int(((px >= -margin) & (px < 200 + margin) & (py >= -margin) & (py < 140 + margin)).sum())
    radius = radius_for(seen, 200, 140)
    assert radius > 2.6, "shapes are told apart"
    np.testing.assert_array_equal(rgb_of(image), plainly((200, 140), px.tolist(), py.tolist(), groups.tolist(), radius))


def test_what_comes_later_lies_over_what_was_before() -> None:
    same = np.full(2, 20, np.float32)
    image = painted_points(
        (40, 40), GROUND, same, same, np.array([1, 0], np.uint8), PointInks(INKS.colours, (PointShape.DISC,) * 2)
    )
    assert image.pixelColor(20, 20) == QColor(200, 0, 0)


def test_nothing_is_painted_where_nothing_is() -> None:
    none = np.empty(0, np.float32)
    assert (rgb_of(painted_points((9, 7), GROUND, none, none, np.empty(0, np.uint8), INKS)) == 250).all()


def test_the_more_points_the_smaller() -> None:
    sizes = [radius_for(count, 900, 600) for count in (1, 100, 1_000, 10_000, 100_000)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == MOST_PX
    assert sizes[-1] == LEAST_PX


@pytest.mark.parametrize("shape", list(PointShape))
@pytest.mark.parametrize("radius", [1.1, 3.0, 7.6])
def test_shapes_are_told_apart_and_stay_within_their_reach(shape: PointShape, radius: float) -> None:
    pixels = {offset for level in _stamp(shape, radius) for offset in level}
    assert max(max(abs(right), abs(below)) for right, below in pixels) <= _reach(radius)
    if radius > 3:
        others = [
            {offset for level in _stamp(other, radius) for offset in level} for other in PointShape if other != shape
        ]
        assert all(len(pixels ^ other) > 0.1 * len(pixels) for other in others)


@settings(max_examples=15)
@given(st.integers(0, 20), st.floats(1, 300), st.floats(0.2, 0.8), st.floats(0.2, 0.8))
def test_no_picture_overlaps_another(seed: int, closer: float, x: float, y: float) -> None:
    found = made_map(120, seed)
    camera = Camera.fitting(900, 600).zoomed(closer, (x * 900, y * 600))
    seen = placed_pictures(camera, found.xy, found.shown_at, spacings_of(found.shown_at))
    px, py = camera.all_to_px(found.xy[seen.rows])
    apart = np.maximum(np.abs(px[:, None] - px), np.abs(py[:, None] - py))
    room = (seen.sides[:, None] + seen.sides) / 2
    np.fill_diagonal(apart, np.inf)
    assert (apart >= room * 0.99).all()
    assert (np.diff(seen.sides) >= 0).all(), "the largest last, over all others"


def test_pictures_grow_steadily_while_one_comes_closer() -> None:
    found = made_map(200)
    spacings = spacings_of(found.shown_at)
    place = found.xy[7].tolist()
    before: dict[int, float] = {}
    for step in range(200):
        camera = Camera.fitting(900, 600)
        camera = camera.centred((place[0], place[1]), camera.scale * 1.02**step)
        seen = placed_pictures(camera, found.xy, found.shown_at, spacings)
        now = dict(zip(seen.rows.tolist(), seen.sides.tolist(), strict=True))
        left, top, right, bottom = camera.seen(-camera.scale * 0.02)
        for row, side in before.items():
            x, y = found.xy[row].tolist()
            if left < x < right and top < y < bottom:
                assert row in now, "who is shown stays shown"
                assert abs(now[row] - side) < 0.09 * MOST_PICTURE_PX
        before = now
    assert 7 in before


def test_the_side_grows_with_the_scale_and_not_forever() -> None:
    spacings = Spacings(0.05, 0.002)
    sides = [side_px(Camera.fitting(900, 600).centred((0, 0), scale), spacings) for scale in np.geomspace(300, 1e6, 90)]
    assert all(before <= after for before, after in pairwise(sides))
    assert sides[0] < 100
    assert sides[-1] == MOST_PICTURE_PX


def test_the_closest_neighbours_come_apart_in_the_end() -> None:
    xy = np.array([[0.1, 0.1], [0.9, 0.9], [0.502, 0.5], [0.5, 0.5]], np.float32)
    shown_at = spacings_of_appearance(xy)
    camera = Camera.fitting(900, 600).centred((0.501, 0.5), most_scale(shown_at))
    assert placed_pictures(camera, xy, shown_at, spacings_of(shown_at)).rows.tolist() == [2, 3]


def test_what_is_left_out_is_no_picture() -> None:
    found = made_map(50)
    camera = Camera.fitting(900, 600)
    allowed = found.cluster == 1
    rows = placed_pictures(camera, found.xy, found.shown_at, spacings_of(found.shown_at), allowed).rows
    assert len(rows)
    assert (found.cluster[rows] == 1).all()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few(n: int) -> None:
    found = made_map(n)
    assert (
        len(placed_pictures(Camera.fitting(900, 600), found.xy, found.shown_at, spacings_of(found.shown_at)).rows) == n
    )
    assert most_scale(found.shown_at) > 0


@pytest.fixture
def zoomed_canvas(qtbot: QtBot) -> MapCanvas:
    made = shown_canvas(N, (700, 500))
    show(qtbot, made)
    made.setFocus()
    still(made)
    return made


def closer(canvas: MapCanvas, times: int = 3) -> None:
    for _ in range(times):
        QTest.keyClick(canvas, Key.Key_Plus)
    still(canvas)


def test_it_is_there_only_where_a_part_is_seen(zoomed_canvas: MapCanvas) -> None:
    minimap = zoomed_canvas.minimap
    assert not minimap.isVisible(), "all is seen"
    closer(zoomed_canvas)
    assert minimap.isVisible()
    assert QRectF(zoomed_canvas.rect()).contains(QRectF(minimap.geometry()))
    QTest.keyClick(zoomed_canvas, Key.Key_Home)
    still(zoomed_canvas)
    assert not minimap.isVisible()
    closer(zoomed_canvas)
    zoomed_canvas.resize(300, 200)
    still(zoomed_canvas)
    assert not minimap.isVisible(), "it would hide what it is an overview of"
    zoomed_canvas.resize(700, 500)
    assert minimap.isVisible()
    zoomed_canvas.show_nothing()
    assert not minimap.isVisible()


def test_a_key_hides_it_and_shows_it_again(zoomed_canvas: MapCanvas) -> None:
    closer(zoomed_canvas)
    QTest.keyClick(zoomed_canvas, Key.Key_O)
    assert not zoomed_canvas.minimap.isVisible()
    closer(zoomed_canvas)
    assert not zoomed_canvas.minimap.isVisible()
    QTest.keyClick(zoomed_canvas, Key.Key_O)
    assert zoomed_canvas.minimap.isVisible()


def test_its_frame_is_what_is_seen(zoomed_canvas: MapCanvas) -> None:
    closer(zoomed_canvas)
    before = zoomed_canvas.minimap.seen()
    closer(zoomed_canvas, 1)
    deeper = zoomed_canvas.minimap.seen()
    assert deeper.width() < before.width()
    assert before.contains(deeper.center())
    QTest.keyClick(zoomed_canvas, Key.Key_Right, SHIFT)
    still(zoomed_canvas)
    moved = zoomed_canvas.minimap.seen()
    assert moved.center().x() > deeper.center().x()
    assert moved.center().y() == pytest.approx(deeper.center().y())
    closer(zoomed_canvas, 20)
    assert min(zoomed_canvas.minimap.seen().width(), zoomed_canvas.minimap.seen().height()) > 4, (
        "it is found however close one is"
    )


def point(place: QPointF) -> QPoint:
    return place.toPoint()


def test_a_click_and_a_drag_lead_there(zoomed_canvas: MapCanvas) -> None:
    closer(zoomed_canvas, 4)
    minimap, depth, current = zoomed_canvas.minimap, zoomed_canvas.camera.depth(), zoomed_canvas.current
    goal = QPointF(0.3 * minimap.width(), 0.35 * minimap.height())
    QTest.mouseClick(minimap, Left, pos=point(goal))
    assert zoomed_canvas.motion.moves, "it glides"
    still(zoomed_canvas)
    assert minimap.seen().center() == point(goal)
    assert zoomed_canvas.camera.depth() == pytest.approx(depth)
    QTest.mousePress(minimap, Left, pos=point(goal))
    for step in range(1, 11):
        QTest.mouseMove(minimap, point(goal) + QPoint(4 * step, 2 * step))
        QApplication.processEvents()
    QTest.mouseRelease(minimap, Left, pos=point(goal) + QPoint(40, 20))
    still(zoomed_canvas)
    assert minimap.seen().center() == point(goal) + QPoint(40, 20)
    QTest.mouseMove(minimap, point(goal))
    still(zoomed_canvas)
    assert minimap.seen().center() == point(goal) + QPoint(40, 20), "let go"
    assert zoomed_canvas.current == current, "nothing is chosen by it"


def test_it_shows_the_points_in_their_colours_and_others_after_that(zoomed_canvas: MapCanvas) -> None:
    closer(zoomed_canvas)

    def colours() -> int:
        image = zoomed_canvas.minimap.grab().toImage()
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})

    before = zoomed_canvas.minimap.grab().toImage()
    assert colours() > 10
    zoomed_canvas.show_only([1])
    assert zoomed_canvas.minimap.grab().toImage() != before, "what is left out is pale"
    zoomed_canvas.show_only([])
    assert zoomed_canvas.minimap.grab().toImage() == before
    found = made_map(N, seed=4)
    zoomed_canvas.show_map(found, made_facts(N), by_cluster(found))
    still(zoomed_canvas)
    assert zoomed_canvas.minimap.isVisible()
    assert zoomed_canvas.minimap.grab().toImage() != before, "points lie elsewhere"


@pytest.mark.parametrize("n", [1, 2])
def test_an_overview_of_few(qtbot: QtBot, n: int) -> None:
    canvas = shown_canvas(n, (700, 500))
    show(qtbot, canvas)
    closer(canvas)
    for _ in range(12):
        QTest.keyClick(canvas, Key.Key_Right, SHIFT)
    still(canvas)
    assert canvas.minimap.isVisible() or n == 1, "a part is out of sight"
    assert not canvas.minimap.seen().isEmpty()
