"""A sketch: what is painted, wiped and taken back; and the sheet it is painted on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.search.colours.sketch import SKETCH_SIZE, BrushStroke, Drawing, SketchCanvas, SketchPage
from tests.app.gui.looking import button

BLUE, RED = (20, 60, 200), (200, 30, 30)


@pytest.fixture
def page(qtbot: QtBot) -> SketchPage:
    made = SketchPage()
    qtbot.addWidget(made)
    made.resize(272, 260)
    made.show()
    return made


def _pixel(drawing: Drawing, x: float, y: float) -> tuple[int, int, int, int]:
    colour = drawing.image().pixelColor(int(x * SKETCH_SIZE.width()), int(y * SKETCH_SIZE.height()))
    return colour.red(), colour.green(), colour.blue(), colour.alpha()


def test_strokes_lie_one_over_the_other_and_the_rest_is_transparent() -> None:
    drawing = Drawing()
    drawing.add(BrushStroke(((0.1, 0.5),), 0.1, BLUE))
    drawing.extend((0.9, 0.5))
    drawing.add(BrushStroke(((0.5, 0.5),), 0.1, RED))
    assert _pixel(drawing, 0.3, 0.5) == (*BLUE, 255)
    assert _pixel(drawing, 0.5, 0.5) == (*RED, 255)
    assert _pixel(drawing, 0.5, 0.9)[3] == 0


def test_the_eraser_leaves_nothing_and_empty_is_told() -> None:
    drawing = Drawing()
    assert drawing.is_empty()
    drawing.add(BrushStroke(((0.5, 0.5),), 0.1, BLUE))
    assert not drawing.is_empty()
    drawing.add(BrushStroke(((0.5, 0.5),), 0.3, None))
    assert drawing.is_empty()


def test_every_step_can_be_taken_back_and_done_again() -> None:
    drawing = Drawing()
    drawing.add(BrushStroke(((0.2, 0.5),), 0.1, BLUE))
    drawing.add(BrushStroke(((0.8, 0.5),), 0.1, RED))
    drawing.clear()
    assert drawing.is_empty()
    drawing.undo()
    assert _pixel(drawing, 0.8, 0.5) == (*RED, 255)
    drawing.undo()
    assert _pixel(drawing, 0.8, 0.5)[3] == 0
    drawing.redo()
    assert _pixel(drawing, 0.8, 0.5) == (*RED, 255)
    drawing.add(BrushStroke(((0.5, 0.2),), 0.1, RED))
    assert not drawing.can_redo
    for _ in range(9):
        drawing.undo()
    assert drawing.is_empty()
    assert not drawing.can_undo


def test_a_sketch_can_be_gone_on_with() -> None:
    first = Drawing()
    first.add(BrushStroke(((0.2, 0.5),), 0.1, BLUE))
    again = Drawing(first.image())
    assert not again.is_empty()
    again.add(BrushStroke(((0.8, 0.5),), 0.1, RED))
    assert _pixel(again, 0.2, 0.5) == (*BLUE, 255)
    again.clear()
    assert again.is_empty()


def test_the_pointer_paints_while_it_moves(qtbot: QtBot, page: SketchPage) -> None:
    canvas = page.canvas
    told: list[int] = []
    canvas.changed.connect(lambda: told.append(1))
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(canvas, left, pos=QPoint(40, 100))
    QTest.mouseMove(canvas, QPoint(200, 100))
    QTest.mouseRelease(canvas, left, pos=QPoint(200, 100))
    assert len(told) == 2
    assert canvas.image() == canvas.drawing().image()
    assert (
        canvas.image().pixelColor(SKETCH_SIZE.width() // 2, int(100 / canvas.height() * SKETCH_SIZE.height())).alpha()
        == 255
    )
    page.grab()


def test_keys_paint_too(page: SketchPage) -> None:
    canvas = page.canvas
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.is_empty()
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    assert not canvas.is_empty()
    QTest.keyClick(canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    assert canvas.image() == canvas.drawing().image()
    while canvas.drawing().can_undo:
        canvas.undo()
    assert canvas.is_empty()


def test_tools_say_what_can_be_done(page: SketchPage) -> None:
    undo, redo, wipe = (button(page, name) for name in ("Undo", "Redo", "Clear everything"))
    assert not any(one.isEnabled() for one in (undo, redo, wipe))
    QTest.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    assert undo.isEnabled()
    assert wipe.isEnabled()
    wipe.click()
    assert page.canvas.is_empty()
    assert not wipe.isEnabled()
    undo.click()
    assert not page.canvas.is_empty()
    assert redo.isEnabled()


def test_a_thick_eraser_wipes_and_another_colour_paints_again(page: SketchPage) -> None:
    canvas: SketchCanvas = page.canvas
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    button(page, "Eraser: erased areas can be anything").click()
    button(page, "Thick").click()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    assert canvas.is_empty()
    page.dip(RED)
    assert not canvas.erases
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    at = (50 / canvas.width(), 50 / canvas.height())
    assert _pixel(canvas.drawing(), *at) == (*RED, 255)
