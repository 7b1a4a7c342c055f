"""One photograph, large: zoom and pan, next and previous, a rectangle, what is said beneath."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.gui.look.buttons import RoundButton
from app.gui.viewer.viewer import Viewer
from app.library.browsing import Photograph
from tests.app.gui.search.pictures import image, jpeg

PHOTOGRAPH = Photograph(
    7, "/a/DSC_0412.JPG", "DSC_0412.JPG", "2023 Netherlands", b"7" * 32, "2023-05-14T11:08:00", "Canon EOS 300D",
    1600, 1200, 2_900_000, "JPEG", False,
)  # fmt: skip


@pytest.fixture
def viewer(qtbot: QtBot) -> Viewer:
    made = Viewer()
    qtbot.addWidget(made)
    made.resize(800, 640)
    made.set_photograph(PHOTOGRAPH, jpeg(64, 48))
    made.show()
    return made


@pytest.fixture
def large(viewer: Viewer) -> Viewer:
    viewer.set_image(image(1600, 1200, "#336699"))
    return viewer


def test_the_thumbnail_lies_where_the_picture_will(viewer: Viewer) -> None:
    before = viewer.target()
    viewer.grab()
    viewer.set_image(image(1600, 1200))
    assert viewer.target() == before
    viewer.set_image(image(1200, 900))  # it may come smaller than the file's
    assert viewer.target() == before


def test_the_whole_picture_is_fitted(large: Viewer) -> None:
    box = large.target()
    assert box.width() / box.height() == pytest.approx(4 / 3)
    assert 0 <= box.left() < 60
    assert box.bottom() <= large.height() - 40
    middle = large.grab().toImage().pixelColor(box.center().toPoint())
    assert middle.name() == "#336699"


def test_small_pictures_are_not_blown_up(viewer: Viewer) -> None:
    viewer.set_photograph(PHOTOGRAPH, None)
    viewer.set_image(image(40, 30))
    assert viewer.target().width() == pytest.approx(80)
    viewer.grab()


@pytest.mark.parametrize(
    ("key", "way"),
    [(Qt.Key.Key_Right, 1), (Qt.Key.Key_PageDown, 1), (Qt.Key.Key_Left, -1), (Qt.Key.Key_PageUp, -1)],
)
def test_keys_step_to_the_neighbours(qtbot: QtBot, large: Viewer, key: Qt.Key, way: int) -> None:
    with qtbot.waitSignal(large.step, timeout=2000) as stepped:
        QTest.keyClick(large, key)
    assert stepped.args == [way]


def test_keys_close_and_search(qtbot: QtBot, large: Viewer) -> None:
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
        with qtbot.waitSignal(large.closed, timeout=2000):
            QTest.keyClick(large, key)
    with qtbot.waitSignal(large.search_wanted, timeout=2000):
        QTest.keyClick(large, Qt.Key.Key_Return)


def test_keys_zoom_and_arrows_then_pan(qtbot: QtBot, large: Viewer) -> None:
    fitted = large.target()
    QTest.keyClick(large, Qt.Key.Key_Plus)
    assert large.target().width() == pytest.approx(fitted.width() * 1.25)
    QTest.keyClick(large, Qt.Key.Key_1)
    assert large.target().width() == pytest.approx(1600)
    before = large.target().left()
    with qtbot.assertNotEmitted(large.step):
        QTest.keyClick(large, Qt.Key.Key_Right)
    assert large.target().left() == pytest.approx(before - 96)
    large.grab()
    QTest.keyClick(large, Qt.Key.Key_0)
    assert large.target() == fitted
    QTest.keyClick(large, Qt.Key.Key_Minus)
    assert large.target() == fitted  # never smaller than the view


def test_a_small_picture_is_shown_at_100_per_cent(viewer: Viewer) -> None:
    viewer.set_image(image(200, 150))
    assert viewer.target().width() == pytest.approx(400)  # fitted: enlarged
    QTest.keyClick(viewer, Qt.Key.Key_1)
    assert viewer.target().width() == pytest.approx(200)
    assert not viewer.zoomed()  # all of it is seen: arrows go on to the neighbours
    QTest.keyClick(viewer, Qt.Key.Key_Minus)
    assert viewer.target().width() == pytest.approx(200)
    viewer.grab()
    QTest.keyClick(viewer, Qt.Key.Key_0)
    assert viewer.target().width() == pytest.approx(400)
    for width in (200, 400):
        QTest.mouseDClick(viewer, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
        assert viewer.target().width() == pytest.approx(width)


def _turn(viewer: Viewer, at: QPointF, angle: int) -> None:
    none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    buttons = Qt.MouseButton.NoButton
    event = QWheelEvent(at, viewer.mapToGlobal(at), QPoint(), QPoint(0, angle), buttons, none, phase, False)
    QApplication.sendEvent(viewer, event)


def test_the_wheel_zooms_about_the_pointer(large: Viewer) -> None:
    at = QPointF(300, 250)
    before = large.target()
    share = (at.x() - before.left()) / before.width()
    for _ in range(4):
        _turn(large, at, 120)
    after = large.target()
    assert after.width() > before.width() * 1.5
    assert (at.x() - after.left()) / after.width() == pytest.approx(share, abs=0.01)
    for _ in range(40):
        _turn(large, at, 1200)
    assert large.target().width() <= 1600 * 16 + 1
    for _ in range(80):
        _turn(large, at, -1200)
    assert large.target() == before


def test_dragging_pans_and_stops_at_the_edge(large: Viewer) -> None:
    QTest.keyClick(large, Qt.Key.Key_1)
    QTest.mousePress(large, Qt.MouseButton.LeftButton, pos=QPoint(400, 300))
    QTest.mouseMove(large, QPoint(430, 300))
    moved = large.target().left()
    QTest.mouseMove(large, QPoint(790, 300))
    QTest.mouseMove(large, QPoint(0, 300))
    QTest.mouseMove(large, QPoint(790, 300))
    QTest.mouseMove(large, QPoint(790, 600))
    QTest.mouseRelease(large, Qt.MouseButton.LeftButton, pos=QPoint(790, 600))
    assert moved > -400
    assert large.target().left() <= 0.01
    assert large.target().right() >= 800 - 0.01


def test_zoom_and_place_stay_when_the_picture_arrives(viewer: Viewer) -> None:
    QTest.keyClick(viewer, Qt.Key.Key_1)
    QTest.keyClick(viewer, Qt.Key.Key_Right)
    before = viewer.target()
    viewer.set_image(image(800, 600))
    after = viewer.target()
    assert (after.left(), after.width()) == pytest.approx((before.left(), before.width()))


def test_a_double_click_is_pixel_for_pixel_and_back(large: Viewer) -> None:
    QTest.mouseDClick(large, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert large.zoomed()
    QTest.mouseDClick(large, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert not large.zoomed()


def test_a_rectangle_is_drawn_and_searched_with(qtbot: QtBot, large: Viewer) -> None:
    QTest.keyClick(large, Qt.Key.Key_R)
    assert large.cropping()
    box = large.target()
    start, end = (box.topLeft() + QPointF(box.width() * s, box.height() * s) for s in (0.1, 0.4))
    QTest.mousePress(large, Qt.MouseButton.LeftButton, pos=start.toPoint())
    QTest.mouseMove(large, end.toPoint())
    QTest.mouseRelease(large, Qt.MouseButton.LeftButton, pos=end.toPoint())
    large.grab()
    with (
        qtbot.waitSignal(large.region_chosen, timeout=2000) as chosen,
        qtbot.assertNotEmitted(large.search_wanted),
    ):
        QTest.keyClick(large, Qt.Key.Key_Return)
    assert chosen.args is not None
    assert chosen.args[0] == pytest.approx((0.1, 0.1, 0.4, 0.4), abs=0.01)
    assert not large.cropping()


def test_escape_leaves_the_rectangle_first(qtbot: QtBot, large: Viewer) -> None:
    large.start_crop()
    with qtbot.assertNotEmitted(large.closed):
        QTest.keyClick(large, Qt.Key.Key_Escape)
    assert not large.cropping()


def test_another_photograph_begins_fitted(large: Viewer) -> None:
    QTest.keyClick(large, Qt.Key.Key_1)
    large.start_crop()
    large.set_photograph(PHOTOGRAPH, None)
    assert not large.zoomed()
    assert not large.cropping()


def test_what_it_shows_is_said(viewer: Viewer) -> None:
    assert viewer.accessibleName() == "DSC_0412.JPG"
    assert viewer.accessibleDescription() == "14 May 2023, 11:08 · Canon EOS 300D · 1600 × 1200 · 2.9 MB · JPEG"
    viewer.set_message("The disk is not connected.")
    assert viewer.accessibleDescription().endswith("The disk is not connected.")
    viewer.resize(200, 200)
    viewer.grab()


def test_the_pointer_finds_signs_for_what_keys_do(qtbot: QtBot, large: Viewer) -> None:
    signs = {sign.accessibleName(): sign for sign in large.findChildren(RoundButton)}
    assert not any(sign.isVisible() for sign in signs.values())
    QTest.mouseMove(large, QPoint(300, 300))
    QTest.mouseMove(large, QPoint(310, 300))
    qtbot.waitUntil(lambda: all(sign.isVisible() for sign in signs.values()), timeout=5000)
    large.grab()
    for name, way in (("Previous photo", -1), ("Next photo", 1)):
        assert large.rect().contains(signs[name].geometry())
        with qtbot.waitSignal(large.step, timeout=2000) as stepped:
            QTest.mouseClick(signs[name], Qt.MouseButton.LeftButton)
        assert stepped.args == [way]
    with qtbot.waitSignal(large.closed, timeout=2000):
        QTest.mouseClick(signs["Back"], Qt.MouseButton.LeftButton)
    large.start_crop()
    assert not any(sign.isVisible() for sign in signs.values())


def test_single_keys_are_kept_from_the_window(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    viewer = Viewer(window)
    viewer.set_photograph(PHOTOGRAPH, jpeg())
    taken: list[str] = []
    QShortcut("R", window, lambda: taken.append("R"))
    window.show()
    window.activateWindow()
    viewer.setFocus()
    qtbot.waitUntil(viewer.hasFocus, timeout=5000)
    QTest.keyClick(viewer, Qt.Key.Key_R)
    assert taken == []
    assert viewer.cropping()
