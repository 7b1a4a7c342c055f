"""The rectangle over a picture: by pointer and by keys it always lies in the picture, the right way round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.gui.viewer.crop import WHOLE_PICTURE, CropFrame, CropOverlay, Region, fitted_box
from tests.app.gui.search.pictures import image

TARGET = QRectF(100, 50, 200, 100)
_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home)
_MODIFIERS = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)

points = st.tuples(st.integers(0, 400), st.integers(0, 250)).map(lambda at: QPointF(*at))


def _holds(region: Region) -> None:
    left, top, right, bottom = region
    assert -1e-9 <= left < right <= 1 + 1e-9
    assert -1e-9 <= top < bottom <= 1 + 1e-9


@given(st.lists(st.tuples(points, points), min_size=1, max_size=6))
def test_dragging_keeps_it_in_the_picture(drags: list[tuple[QPointF, QPointF]]) -> None:
    frame = CropFrame()
    for start, end in drags:
        frame.press(start, TARGET)
        frame.drag(end, TARGET)
        frame.release()
        _holds(frame.region)


@given(st.lists(st.tuples(st.sampled_from(_KEYS), st.sampled_from(_MODIFIERS)), max_size=80))
def test_keys_keep_it_in_the_picture(presses: list[tuple[Qt.Key, Qt.KeyboardModifier]]) -> None:
    frame = CropFrame()
    for key, modifier in presses:
        assert frame.key(QKeyEvent(QEvent.Type.KeyPress, key, modifier))
        _holds(frame.region)


def test_a_drag_outside_draws_a_new_one() -> None:
    frame = CropFrame((0.5, 0.5, 0.9, 0.9))
    frame.press(QPointF(120, 60), TARGET)
    frame.drag(QPointF(160, 80), TARGET)
    frame.release()
    assert frame.region == pytest.approx((0.1, 0.1, 0.3, 0.3))


def test_edges_and_corners_and_the_inside_can_be_held() -> None:
    frame = CropFrame((0.25, 0.25, 0.75, 0.75))
    parts = {(150, 100): "l", (250, 100): "r", (200, 75): "t", (150, 75): "lt", (250, 125): "rb", (200, 100): "m"}
    for at, part in parts.items():
        assert frame.part_at(QPointF(*at), TARGET) == part
    frame.press(QPointF(200, 100), TARGET)
    frame.drag(QPointF(220, 100), TARGET)
    assert frame.region == pytest.approx((0.35, 0.25, 0.85, 0.75))


def test_a_mere_click_changes_nothing() -> None:
    frame = CropFrame((0.5, 0.5, 0.9, 0.9))
    frame.press(QPointF(110, 60), TARGET)
    frame.release()
    assert frame.region == (0.5, 0.5, 0.9, 0.9)


def test_a_picture_is_fitted_in_the_middle() -> None:
    assert fitted_box(400, 100, QRectF(0, 0, 200, 200)) == QRectF(0, 75, 200, 50)
    assert fitted_box(0, 0, TARGET) == TARGET


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(600, 400)
    QPushButton("before", made)
    made.show()
    return made


def test_enter_takes_and_the_focus_goes_back(qtbot: QtBot, window: QWidget) -> None:
    button = window.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    button.setFocus()
    overlay = CropOverlay(window)
    overlay.ask(image(), (0.1, 0.2, 0.5, 0.6))
    assert overlay.size() == window.size()
    QTest.keyClick(overlay, Qt.Key.Key_Right)
    assert overlay.accessibleDescription().startswith("From 12 % to 52 %")
    with qtbot.waitSignal(overlay.region_chosen, timeout=2000) as chosen:
        QTest.keyClick(overlay, Qt.Key.Key_Return)
    assert chosen.args is not None
    assert chosen.args[0] == pytest.approx((0.12, 0.2, 0.52, 0.6))
    assert not overlay.isVisible()
    assert window.focusWidget() is button


def test_home_is_the_whole_picture_and_escape_leaves(qtbot: QtBot, window: QWidget) -> None:
    overlay = CropOverlay(window)
    overlay.ask(image())
    QTest.keyClick(overlay, Qt.Key.Key_Home)
    assert overlay.region() == WHOLE_PICTURE
    with qtbot.waitSignal(overlay.left, timeout=2000), qtbot.assertNotEmitted(overlay.region_chosen):
        QTest.keyClick(overlay, Qt.Key.Key_Escape)


def test_dragging_over_the_picture(window: QWidget) -> None:
    overlay = CropOverlay(window)
    overlay.ask(image(60, 40))
    box = fitted_box(60, 40, QRectF(overlay.rect()).adjusted(48, 48, -48, -72))
    corner = box.topLeft().toPoint()
    QTest.mousePress(overlay, Qt.MouseButton.LeftButton, pos=corner + QPoint(4, 4))
    QTest.mouseMove(overlay, box.center().toPoint())
    QTest.mouseRelease(overlay, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert overlay.region() == pytest.approx((0, 0, 0.5, 0.5), abs=0.02)
    window.resize(800, 500)
    assert overlay.size() == window.size()
    overlay.grab()
