"""The overview in the corner: there when only a part is seen, tells where one is, leads elsewhere."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.map.colouring import by_cluster
from app.gui.map.map_canvas import MapCanvas
from tests.app.gui.looking import show
from tests.app.gui.map.made import made_facts, made_map, shown_canvas, still

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
N = 90


@pytest.fixture
def canvas(qtbot: QtBot) -> MapCanvas:
    made = shown_canvas(N, (700, 500))
    show(qtbot, made)
    made.setFocus()
    still(made)
    return made


def closer(canvas: MapCanvas, times: int = 3) -> None:
    for _ in range(times):
        QTest.keyClick(canvas, Key.Key_Plus)
    still(canvas)


def test_it_is_there_only_where_a_part_is_seen(canvas: MapCanvas) -> None:
    minimap = canvas.minimap
    assert not minimap.isVisible(), "all is seen"
    closer(canvas)
    assert minimap.isVisible()
    assert QRectF(canvas.rect()).contains(QRectF(minimap.geometry()))
    QTest.keyClick(canvas, Key.Key_Home)
    still(canvas)
    assert not minimap.isVisible()
    closer(canvas)
    canvas.resize(300, 200)
    still(canvas)
    assert not minimap.isVisible(), "it would hide what it is an overview of"
    canvas.resize(700, 500)
    assert minimap.isVisible()
    canvas.show_nothing()
    assert not minimap.isVisible()


def test_a_key_hides_it_and_shows_it_again(canvas: MapCanvas) -> None:
    closer(canvas)
    QTest.keyClick(canvas, Key.Key_O)
    assert not canvas.minimap.isVisible()
    closer(canvas)
    assert not canvas.minimap.isVisible()
    QTest.keyClick(canvas, Key.Key_O)
    assert canvas.minimap.isVisible()


def test_its_frame_is_what_is_seen(canvas: MapCanvas) -> None:
    closer(canvas)
    before = canvas.minimap.seen()
    closer(canvas, 1)
    deeper = canvas.minimap.seen()
    assert deeper.width() < before.width()
    assert before.contains(deeper.center())
    QTest.keyClick(canvas, Key.Key_Right, SHIFT)
    still(canvas)
    moved = canvas.minimap.seen()
    assert moved.center().x() > deeper.center().x()
    assert moved.center().y() == pytest.approx(deeper.center().y())
    closer(canvas, 20)
    assert min(canvas.minimap.seen().width(), canvas.minimap.seen().height()) > 4, "it is found however close one is"


def point(place: QPointF) -> QPoint:
    return place.toPoint()


def test_a_click_and_a_drag_lead_there(canvas: MapCanvas) -> None:
    closer(canvas, 4)
    minimap, depth, current = canvas.minimap, canvas.camera.depth(), canvas.current
    goal = QPointF(0.3 * minimap.width(), 0.35 * minimap.height())
    QTest.mouseClick(minimap, Left, pos=point(goal))
    assert canvas.motion.moves, "it glides"
    still(canvas)
    assert minimap.seen().center() == point(goal)
    assert canvas.camera.depth() == pytest.approx(depth)
    QTest.mousePress(minimap, Left, pos=point(goal))
    for step in range(1, 11):
        QTest.mouseMove(minimap, point(goal) + QPoint(4 * step, 2 * step))
        QApplication.processEvents()
    QTest.mouseRelease(minimap, Left, pos=point(goal) + QPoint(40, 20))
    still(canvas)
    assert minimap.seen().center() == point(goal) + QPoint(40, 20)
    QTest.mouseMove(minimap, point(goal))
    still(canvas)
    assert minimap.seen().center() == point(goal) + QPoint(40, 20), "let go"
    assert canvas.current == current, "nothing is chosen by it"


def test_it_shows_the_points_in_their_colours_and_others_after_that(canvas: MapCanvas) -> None:
    closer(canvas)

    def colours() -> int:
        image = canvas.minimap.grab().toImage()
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})

    before = canvas.minimap.grab().toImage()
    assert colours() > 10
    canvas.show_only([1])
    assert canvas.minimap.grab().toImage() != before, "what is left out is pale"
    canvas.show_only([])
    assert canvas.minimap.grab().toImage() == before
    found = made_map(N, seed=4)
    canvas.show_map(found, made_facts(N), by_cluster(found))
    still(canvas)
    assert canvas.minimap.isVisible()
    assert canvas.minimap.grab().toImage() != before, "points lie elsewhere"


@pytest.mark.parametrize("n", [1, 2])
def test_few(qtbot: QtBot, n: int) -> None:
    canvas = shown_canvas(n, (700, 500))
    show(qtbot, canvas)
    closer(canvas)
    for _ in range(12):
        QTest.keyClick(canvas, Key.Key_Right, SHIFT)
    still(canvas)
    assert canvas.minimap.isVisible() or n == 1, "a part is out of sight"
    assert not canvas.minimap.seen().isEmpty()
