"""Photographs, large, alone and side by side: zoom and pan, a rectangle, what is said beneath."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.app.duplicates.test_duplicates import save
from tests.app.folders import added, ids_by_name
from tests.app.gui.looking import LONG, button, said, words
from tests.app.gui.search.pictures import image, jpeg
from tests.app.gui.working import settle, workspace
from tests.features.copies.bursts import rich
from twinlens.app.duplicates.side_by_side import align_photographs
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.look.buttons import RoundButton
from twinlens.app.gui.pictures.photograph import rgb_of
from twinlens.app.gui.viewer.crop import WHOLE_PICTURE, CropFrame, CropOverlay, Region, fitted_box
from twinlens.app.gui.viewer.picture_stage import ComparisonMode
from twinlens.app.gui.viewer.side_by_side import SideBySide
from twinlens.app.gui.viewer.slideshow import SECONDS
from twinlens.app.gui.viewer.viewer import Viewer
from twinlens.app.gui.viewer.zoom import MOST_ZOOM, Zoom, turned_region
from twinlens.app.library.browsing.photographs import Photograph
from twinlens.app.library.library import Library
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.features.pictures.edits import EDITS

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
    for name, way in (("The photo before", -1), ("The next photo", 1)):
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


def test_what_is_seen_turns_and_a_part_of_it_is_of_the_upright_picture(qtbot: QtBot, large: Viewer) -> None:
    upright = large.target()
    QTest.keyClick(large, Qt.Key.Key_T)
    on_its_side = large.target()
    assert on_its_side.width() / on_its_side.height() == pytest.approx(upright.height() / upright.width(), abs=0.01)
    QTest.keyClick(large, Qt.Key.Key_R)
    with qtbot.waitSignal(large.region_chosen, timeout=2000) as chosen:
        QTest.keyClick(large, Qt.Key.Key_Return)
    assert chosen.args is not None
    assert chosen.args[0] == pytest.approx((0.2, 0.2, 0.8, 0.8))
    large.set_photograph(PHOTOGRAPH, jpeg(64, 48))  # looked at again, it is as it was turned
    assert large.target().height() == pytest.approx(on_its_side.height(), abs=2)
    large.set_image(image(1600, 1200, "#336699"))
    assert large.target().height() == pytest.approx(on_its_side.height(), abs=2)
    QTest.keyClick(large, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert large.target() == upright


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(-5, 5))
def test_a_region_turned_there_and_back_is_the_same(sides: list[float], quarters: int) -> None:
    region = (min(sides[0], sides[2]), min(sides[1], sides[3]), max(sides[0], sides[2]), max(sides[1], sides[3]))
    assert turned_region(turned_region(region, quarters), -quarters) == pytest.approx(region)


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


ROOM = QRectF(0, 0, 800, 600)
numbers = st.floats(-2000, 2000)
steps = st.one_of(
    st.tuples(st.just("pan"), numbers, numbers),
    st.tuples(st.just("zoom"), st.floats(0.2, 5), st.floats(0, 800)),
    st.tuples(st.just("room"), st.floats(200, 2000), st.floats(200, 2000)),
)


@given(st.tuples(st.integers(1, 9000), st.integers(1, 9000)), st.sampled_from([1.0, 1.5, 2.0]), st.lists(steps))
def test_the_view_stays_on_the_picture(
    size: tuple[int, int], ratio: float, done: list[tuple[str, float, float]]
) -> None:
    zoom = Zoom()
    room = ROOM
    zoom.lay_out(size, room, ratio)
    for what, a, b in done:
        if what == "pan":
            zoom.pan(a, b)
        elif what == "zoom":
            zoom.zoom_by(a, QPointF(b, 300))
        else:
            room = QRectF(0, 0, a, b)
            zoom.lay_out(size, room, ratio)
        box = zoom.target()
        assert box.width() / box.height() == pytest.approx(size[0] / size[1])
        assert zoom.level <= max(MOST_ZOOM, zoom.fitting())
        for near, far, start, end in (
            (box.left(), box.right(), room.left(), room.right()),
            (box.top(), box.bottom(), room.top(), room.bottom()),
        ):
            if far - near > end - start + 0.01 and zoom.level:
                assert near <= start + 0.01
                assert far >= end - 0.01
            else:
                assert (near + far) / 2 == pytest.approx((start + end) / 2, abs=0.01)


def test_a_picture_without_size_has_a_place() -> None:
    zoom = Zoom()
    zoom.lay_out((0, 0), ROOM, 1.0)
    zoom.zoom_by(3)
    zoom.pan(10, 10)
    assert zoom.target().isEmpty()


def test_pixel_for_pixel_is_by_the_pixels_of_the_screen() -> None:
    zoom = Zoom()
    zoom.lay_out((4000, 3000), ROOM, 2.0)
    zoom.zoom_to(1.0)
    assert zoom.target().width() == pytest.approx(2000)


MADE = {one.name: one for one in EDITS}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of a photograph, a crop of it, it turned and mirrored, and another one."""
    folder = tmp_path_factory.mktemp("beside")
    one, other = rich(1), rich(2)
    save(one, folder / "photographs" / "a.jpg", 95, taken="2023:05:14 11:08:00")
    for name in ("crop 50 %", "turn 30", "mirror"):
        save(MADE[name].apply(one, other, 3), folder / "photographs" / f"{name.split()[0]}.jpg", 60)
    save(other, folder / "photographs" / "other.jpg")
    added(folder / "a.twinlens", folder / "photographs")
    return folder / "a.twinlens"


@pytest.fixture
def space(qtbot: QtBot, place: Path) -> Iterator[LibraryWorkspace]:
    with Library.open(place) as library:
        made = workspace(qtbot, library)
        yield made
        made.jobs.finish()


def look(qtbot: QtBot, space: LibraryWorkspace, *names: str) -> SideBySide:
    """See photographs side by side, all of their pictures there."""
    ids = ids_by_name(space.opened.library.address.path)
    space.look_side_by_side([ids[f"{name}.jpg"] for name in names])
    view = space.beside.view
    qtbot.waitUntil(lambda: len(view.stage.pictures) == len(names), timeout=LONG)
    settle(qtbot, space)
    qtbot.waitUntil(lambda: all(max(one.size) > 300 for one in view.stage.pictures), timeout=LONG)
    return view


def test_facts_say_what_is_better(place: Path) -> None:
    ids = ids_by_name(place)
    with Library.open(place) as library:
        first, second, third = align_photographs(library, [ids["a.jpg"], ids["crop.jpg"], ids["other.jpg"]])
    assert {"pixels", "bytes", "taken", "camera"} <= first.better
    assert not second.better & {"pixels", "bytes"}
    assert str(second.differs[0]).startswith("cropped")
    assert second.places is not None
    assert third.places is None


@pytest.mark.parametrize("name", ["crop", "turn", "mirror"])
def test_what_is_shown_lies_at_the_same_place(qtbot: QtBot, space: LibraryWorkspace, name: str) -> None:
    view = look(qtbot, space, "a", name)
    view.set_mode(ComparisonMode.DIFFERENCE)
    apart = rgb_of(view.stage.difference())
    seen = apart[(apart != 30).any(axis=2)]
    aligned = float(np.median(seen))
    button(view, "Same place").click()
    loose = rgb_of(view.stage.difference())
    assert len(seen) > 5_000
    assert aligned < 0.5 * float(np.median(loose[(loose != 30).any(axis=2)]))


def test_keys_zoom_move_and_compare(qtbot: QtBot, space: LibraryWorkspace) -> None:
    view = look(qtbot, space, "a", "crop", "other")
    key = Qt.Key
    assert len(view.stage.panes()) == 3
    fitted = view.stage.level()
    QTest.keyClick(view, key.Key_1)
    assert view.stage.level() == pytest.approx(1.0)
    before = view.grab().toImage()
    QTest.keyClick(view, key.Key_Left)
    assert view.grab().toImage() != before
    QTest.keyClick(view, key.Key_0)
    assert view.stage.level() == pytest.approx(fitted)
    QTest.keyClick(view, key.Key_F)
    QTest.keyClick(view, key.Key_F)
    assert len(view.stage.panes()) == 1
    assert "crop.jpg" in view.accessibleDescription()
    for press, mode in (
        (key.Key_S, ComparisonMode.SLIDER),
        (key.Key_D, ComparisonMode.DIFFERENCE),
        (key.Key_B, ComparisonMode.BESIDE),
    ):
        QTest.keyClick(view, press)
        assert view.stage.mode is mode
        assert not view.grab().isNull()
    assert any("no date" in one for one in words(view))
    QTest.keyClick(view, key.Key_Escape)
    assert not space.beside.is_open()


def test_a_result_is_laid_over_what_it_was_found_with(qtbot: QtBot, space: LibraryWorkspace) -> None:
    ids = ids_by_name(space.opened.library.address.path)
    space.searching.search(SearchQuery((Example(ids["a.jpg"]), Example(ids["other.jpg"], -1.0))), "")
    settle(qtbot, space)
    assert space.views.query_photographs(space.view()) == [ids["a.jpg"]]
    space.look_side_by_side([ids["crop.jpg"]])
    view = space.beside.view
    qtbot.waitUntil(lambda: re.findall(r"[a-z]+\.jpg", said(view)) == ["a.jpg", "crop.jpg"], timeout=LONG)
    space.beside.close()
    space.look_side_by_side([ids["a.jpg"]])  # what is asked with, alone
    assert not space.beside.is_open()


def test_one_photograph_is_not_enough(space: LibraryWorkspace) -> None:
    space.look_side_by_side([1])
    assert not space.beside.is_open()
    assert "Select two to four photos to see them side by side." in words(space.status)


def _seen_large(space: LibraryWorkspace) -> str:
    return space.viewing.viewer.accessibleName()


def test_a_slideshow_of_the_selection_goes_round_pauses_and_ends(qtbot: QtBot, space: LibraryWorkspace) -> None:
    grid, viewer = space.browsing.grid, space.viewing.viewer
    every = grid.ids().tolist()
    grid.set_current(every[0])
    space.viewing.seconds = SECONDS[0]
    grid.choose(1, Qt.KeyboardModifier.ControlModifier)
    space.begin_slideshow(space.chosen())
    settle(qtbot, space)
    assert space.window().isFullScreen()
    first = _seen_large(space)
    qtbot.waitUntil(lambda: _seen_large(space) != first, timeout=LONG)
    qtbot.waitUntil(lambda: _seen_large(space) == first, timeout=LONG)  # two photographs, one after the other
    QTest.keyClick(viewer, Qt.Key.Key_Space)
    settle(qtbot, space)
    shown = _seen_large(space)
    assert not any(one.isActive() for one in viewer.findChildren(QTimer) if one.interval() == 1000 * SECONDS[0])
    viewer.grab()
    QTest.keyClick(viewer, Qt.Key.Key_Up)
    assert space.viewing.seconds == SECONDS[1]
    QTest.keyClick(viewer, Qt.Key.Key_Right)
    settle(qtbot, space)
    assert _seen_large(space) != shown
    QTest.keyClick(viewer, Qt.Key.Key_Escape)
    assert not space.viewing.is_open()
    assert not space.window().isFullScreen()
    assert grid.selection.count == 2
    assert space.browsing.state()["seconds"] == SECONDS[1]
