"""The map in the whole window: how it is read and coloured, and what is done with a selection."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.app.folders import added, write_scenes
from tests.app.gui.looking import LONG, button, chooser, menu_commands, nameless, said, show, words
from tests.app.gui.looking import words as labels
from tests.app.gui.map.made import made_facts, made_map, serve, still
from tests.app.gui.photo_grid.tables import jpeg
from tests.app.gui.working import settled_window
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.map import camera as motion
from twinlens.app.gui.map import map_controller, map_jobs, map_sheet
from twinlens.app.gui.map.colouring import ColourBy, Colouring, by_cluster, by_folder
from twinlens.app.gui.map.legend import LegendRow
from twinlens.app.gui.map.map_controller import MapControl
from twinlens.app.gui.map.map_jobs import LaidOutMap, LayoutChoice
from twinlens.app.gui.map.map_view import MapView
from twinlens.app.gui.map.overlay import PlacedName, flag_plate, placed_names
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.machine.app_folders import cache_folder
from twinlens.app.map.map_results import MapFacts, MapResult
from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress

COUNT = 12


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("made")
    write_scenes(place / "sea", COUNT // 2)
    write_scenes(place / "hills", COUNT // 2, first=COUNT // 2)
    added(place / "family.twinlens", place / "sea", place / "hills")
    return place


@pytest.fixture
def frame(
    qtbot: QtBot, own_data: None, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    for slow in ("_GLIDE_S", "_TRAVEL_S", "_FOLD_S"):
        monkeypatch.setattr(motion, slow, 0.01)  # nobody watches
    shutil.copy(made / "family.twinlens", tmp_path)
    shutil.rmtree(cache_folder() / "maps", ignore_errors=True)  # of the copies of other tests
    shown = settled_window(qtbot, tmp_path / "family.twinlens")
    yield shown
    shown.close()


def mapped(qtbot: QtBot, frame: MainWindow) -> MapControl:
    """Show the map until it is there and stands still."""
    frame.workspace.show_view("map")
    control = cast(MapControl, frame.workspace.views.part("map"))
    canvas = control.view.canvas
    qtbot.waitUntil(lambda: canvas.found is not None and not frame.busy(), timeout=LONG)
    qtbot.waitUntil(lambda: control.making.wish is None and not canvas.motion.moves, timeout=LONG)
    return control


def test_principal_components_come_first_and_points_travel(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame.workspace.show_view("map")
    control = cast(MapControl, frame.workspace.views.part("map"))
    kinds: list[str] = []
    show_map = control.view.show_map
    layouts: list[object] = []

    def told(found: MapResult, facts: MapFacts, coloured: Colouring, measure: str) -> None:
        kinds.append(found.kind)
        show_map(found, facts, coloured, measure)

    monkeypatch.setattr(control.view, "show_map", told)
    control.making.laid_out.connect(lambda wish, ids, xy: layouts.append(xy))
    mapped(qtbot, frame)
    assert kinds == ["pca", "neighbours"]
    assert len(layouts) > 1, "it is seen how neighbours come together"
    canvas = control.view.canvas
    assert canvas.found is not None
    assert np.array_equal(canvas.motion.xy, canvas.found.xy)
    assert not canvas.motion.unsettled
    assert canvas.hasFocus()
    still(canvas)
    assert canvas.coloured is not None
    assert canvas.coloured.by is ColourBy.FOLDER
    assert not frame.status.busy()
    QTest.keyClick(canvas, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: kinds[-1] == "pca" and not frame.busy(), timeout=LONG)
    QTest.keyClick(canvas, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: kinds[-1] == "neighbours" and not frame.busy(), timeout=LONG)
    assert kinds == ["pca", "neighbours", "pca", "neighbours"], "what was made is kept"


def test_keys_choose_colours_and_layout_and_the_menu_the_rest(qtbot: QtBot, frame: MainWindow) -> None:
    control = mapped(qtbot, frame)
    view = control.view
    still(view.canvas)
    view.canvas.setFocus()
    for key, by in ((Qt.Key.Key_3, "date"), (Qt.Key.Key_1, "cluster")):
        QTest.keyClick(view.canvas, key)
        assert chooser(view, "What colours mean").currentText() == by
    QTest.keyClick(view.canvas, Qt.Key.Key_P)
    assert control.state()["kind"] == "pca"
    menu = control.more_menu()
    said = [action.text().split("\t")[0] for action in menu.actions() if action.text()]
    assert said[0] == "Photos on the map"
    assert {"Select all of this colour", "Make the map anew"} <= set(said)
    sample = menu.actions()[0].menu()
    assert isinstance(sample, QMenu)
    sample.actions()[1].trigger()
    assert control.state()["sample"] == 2_000
    QTest.keyClick(view.canvas, Qt.Key.Key_I)
    assert control.state()["index"] in frame.workspace.indexes.names()


def test_a_lasso_leads_into_the_library_and_esc_back_to_all(qtbot: QtBot, frame: MainWindow) -> None:
    canvas = mapped(qtbot, frame).view.canvas
    still(canvas)
    canvas.set_current(canvas.id_of(0))
    QTest.keyClick(canvas, Qt.Key.Key_K)
    chosen = canvas.selected_ids().tolist()
    assert len(chosen) == COUNT // 2
    assert frame.workspace.chosen() == chosen
    words = [one.action.words for one in menu_commands(frame, chosen[0], chosen)]
    assert {"Mark the selected photos as similar", "Show in the library", "Show large"} <= set(words)
    assert "Show on the map" not in words
    QTest.keyClick(canvas, Qt.Key.Key_G)
    grid = frame.workspace.browsing.view.grid
    qtbot.waitUntil(lambda: sorted(grid.rows().ids.tolist()) == chosen, timeout=LONG)
    assert frame.workspace.view() == "library"
    assert frame.workspace.browsing.view.is_narrowed()
    grid.setFocus()
    QTest.keyClick(grid, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: grid.rows().count == COUNT, timeout=LONG)
    assert not frame.workspace.browsing.view.is_narrowed()
    grid.set_current(chosen[1])
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    QTest.keyClick(grid, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert frame.workspace.view() == "map"
    assert frame.workspace.current() == chosen[1]
    assert chosen[1] in canvas.flags


def test_what_is_on_the_map_is_searched_with_and_measured(qtbot: QtBot, frame: MainWindow) -> None:
    control = mapped(qtbot, frame)
    canvas = control.view.canvas
    still(canvas)
    QTest.keyClick(canvas, Qt.Key.Key_Q)
    assert "Choose a photo first" in said(frame.status)
    row = canvas.visible_rows()[0]
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.box(row).center().toPoint())
    one = canvas.current_id()
    QTest.keyClick(canvas, Qt.Key.Key_Q)
    qtbot.waitUntil(lambda: canvas.coloured is not None and canvas.coloured.by is ColourBy.LIKENESS, timeout=LONG)
    assert canvas.coloured is not None
    assert canvas.coloured.of[row] == 0
    assert canvas.flags == {one: "like this"}
    qtbot.waitUntil(lambda: any(words(control.view.card)), timeout=LONG)
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    question = frame.workspace.searching.query
    assert question is not None
    assert [example.picture for example in question.examples] == [one]
    frame.workspace.show_view("map")
    control.colours.choose(ColourBy.CLUSTER)
    assert canvas.flags == {one: "query"}


def test_it_is_remembered_how_it_was_left_and_new_photographs_come_onto_it(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path
) -> None:
    control = mapped(qtbot, frame)
    canvas = control.view.canvas
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    QTest.keyClick(canvas, Qt.Key.Key_3)
    still(canvas)
    camera, current = canvas.camera, canvas.current_id()
    frame.close()
    again = settled_window(qtbot, tmp_path / "family.twinlens")
    later = mapped(qtbot, again)
    assert later.view.canvas.current_id() == current >= 0
    assert later.view.canvas.camera.depth() == pytest.approx(camera.depth(), rel=1e-3)
    assert later.view.canvas.coloured is not None
    assert later.view.canvas.coloured.by is ColourBy.DATE
    new_photographs_come_onto_the_map(qtbot, again, later, tmp_path / "more")
    again.close()


def new_photographs_come_onto_the_map(qtbot: QtBot, frame: MainWindow, control: MapControl, folder: Path) -> None:
    canvas = control.view.canvas
    write_scenes(folder, 1, first=40)
    frame.workspace.adding.add([folder])
    qtbot.waitUntil(lambda: canvas.count == COUNT + 1, timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy() and not canvas.motion.moves, timeout=LONG)
    assert canvas.found is not None
    assert canvas.found.placed == 1
    assert "came later" in control.view.sentence()


def test_stopping_leaves_what_was_there_at_once(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(self: MapControl, wish: object, ids: Int64Rows, xy: Float32Vectors) -> None:
        frame.status.cancel()

    monkeypatch.setattr(MapControl, "_on_layout", slow)
    control = mapped(qtbot, frame)
    assert control.view.canvas.found is not None
    qtbot.waitUntil(lambda: not frame.status.busy(), timeout=LONG)
    if control.view.canvas.found.kind == "pca":
        qtbot.waitUntil(lambda: "stopped" in control.view.sentence(), timeout=LONG)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Hold a map back that is made until it may come."""
    may = threading.Event()

    def hold(found: MapResult | None, facts: MapFacts | None, moment: str) -> LaidOutMap:
        assert found is None or found.kind == "pca" or may.wait(LONG / 1000)
        return LaidOutMap(found, facts, moment)

    monkeypatch.setattr(map_jobs, "LaidOutMap", hold)
    yield may
    may.set()


def making(qtbot: QtBot, frame: MainWindow) -> MapControl:
    """Show the map until principal components are there and neighbours are being brought together."""
    frame.workspace.show_view("map")
    control = cast(MapControl, frame.workspace.views.part("map"))
    qtbot.waitUntil(lambda: control.making.wish is not None and control.view.canvas.found is not None, timeout=LONG)
    return control


def marked(control: MapControl) -> int:
    coloured = control.view.canvas.coloured
    return coloured.groups[0].count if coloured is not None and coloured.by is ColourBy.MARK else -1


def test_marks_that_are_made_while_a_map_is_made_are_coloured_at_once_and_after_it(
    qtbot: QtBot, frame: MainWindow, held: threading.Event
) -> None:
    control = making(qtbot, frame)
    canvas = control.view.canvas
    control.colours.choose(ColourBy.MARK)
    assert canvas.found is not None
    assert marked(control) == 0
    frame.workspace.searching.marks.mark_selection(canvas.found.ids[:2].tolist(), True)
    qtbot.waitUntil(lambda: marked(control) == 2, timeout=LONG)
    assert canvas.found.kind == "pca", "the map is still being made"
    held.set()
    qtbot.waitUntil(lambda: canvas.found is not None and canvas.found.kind == "neighbours", timeout=LONG)
    qtbot.waitUntil(lambda: marked(control) == 2 and not frame.busy(), timeout=LONG)


def test_marks_made_where_the_map_is_not_seen_are_coloured_when_it_is(qtbot: QtBot, frame: MainWindow) -> None:
    control = mapped(qtbot, frame)
    control.colours.choose(ColourBy.MARK)
    assert control.view.canvas.found is not None
    two = control.view.canvas.found.ids[:2].tolist()
    frame.workspace.show_view("library")
    with qtbot.waitSignal(frame.workspace.shared.marks_changed, timeout=LONG):
        frame.workspace.searching.marks.mark_selection(two, True)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert marked(control) == 0, "nobody sees it"
    frame.workspace.show_view("map")
    qtbot.waitUntil(lambda: marked(control) == 2, timeout=LONG)


def test_photographs_that_come_while_a_map_is_made_are_on_it_after_that(
    qtbot: QtBot, frame: MainWindow, held: threading.Event, tmp_path: Path
) -> None:
    control = making(qtbot, frame)
    canvas, opened_ = control.view.canvas, frame.workspace.opened
    assert opened_ is not None
    write_scenes(tmp_path / "more", 1, first=40)
    add(opened_.library, [tmp_path / "more"], Adding(workers=1))
    control.refresh()
    assert canvas.count == COUNT
    held.set()
    qtbot.waitUntil(lambda: canvas.count == COUNT + 1, timeout=LONG)
    qtbot.waitUntil(lambda: control.making.wish is None and not frame.busy(), timeout=LONG)
    assert canvas.found is not None
    assert canvas.found.kind == "neighbours"


def test_a_library_without_photographs_offers_to_add_some(qtbot: QtBot, tmp_path: Path) -> None:
    frame = settled_window(qtbot, tmp_path / "empty.twinlens")
    frame.workspace.show_view("map")
    control = cast(MapControl, frame.workspace.views.part("map"))
    qtbot.waitUntil(lambda: "There are none yet: add a folder." in said(control.view), timeout=LONG)
    assert control.making.wish is None, "nothing is made of nothing"
    frame.close()


def test_the_first_look_can_be_stopped_and_tried_again(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(opened: OpenLibrary, wish: LayoutChoice, progress: Progress) -> LaidOutMap:
        while True:
            progress(0, 1, NOTHING)
            time.sleep(0.01)

    with monkeypatch.context() as slow:
        slow.setattr(map_controller, "ready", endless)
        frame.workspace.show_view("map")
        view = cast(MapControl, frame.workspace.views.part("map")).view
        assert "Drawing the map…" in words(view)
        QTest.keyClick(button(view, "Cancel"), Qt.Key.Key_Escape)
        qtbot.waitUntil(button(view, "Try again").isVisible, timeout=LONG)
        assert frame.workspace.view() == "map"
    button(view, "Try again").click()
    qtbot.waitUntil(view.is_shown, timeout=LONG)


N = 60


@pytest.fixture
def view(qtbot: QtBot) -> MapView:
    made = MapView()
    made.resize(1100, 700)
    serve(made.canvas)
    found = made_map(N)
    made.show_indexes(["Automatic", "Colours"], "Automatic")
    made.show_map(found, made_facts(N), by_cluster(found), "everything at once")
    show(qtbot, made)
    made.focus_content()
    still(made.canvas)
    return made


def test_it_says_how_it_is_read(view: MapView) -> None:
    assert "60 photos, similar ones close together" in labels(view)
    assert view.sentence().startswith("Similar photos lie close together.")
    assert "43 % are among its 10 nearest" in view.sentence()
    assert nameless(view) == []
    assert view.canvas.hasFocus()


def test_the_sentence_tells_what_is_not_plain() -> None:
    found = made_map(N)
    told = map_sheet.reading_help(replace(found, of=500, silent=3, placed=2), "colours")
    assert "A sample of 60 of 500." in told
    assert "3 of which it can say nothing lie in the lower left corner." in told
    assert "2 came later and lie beside their nearest." in told
    assert "differ most" in map_sheet.reading_help(replace(found, kind="pca"), "colours")
    assert "So few say little" in map_sheet.reading_help(made_map(5), "colours")
    assert "Add more" in map_sheet.reading_help(made_map(1), "colours")
    assert map_sheet.map_title(1) == "One photo"


def test_a_row_of_the_legend_lights_and_shows_alone(view: MapView, qtbot: QtBot) -> None:
    rows = view.legend.findChildren(LegendRow)
    assert [row.text() for row in rows] == ["sea", "hills", "town"]
    rows[1].meant.emit(True)
    assert view.canvas.lit_group() == 1
    rows[1].meant.emit(False)
    assert view.canvas.lit_group() is None
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton)
    assert view.canvas.only == {1}
    assert view.canvas.allowed is not None
    assert int(view.canvas.allowed.sum()) == N // 3
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton)
    assert view.canvas.only == frozenset()
    rows[2].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(rows[2], Qt.Key.Key_Space)
    assert view.canvas.only == {2}
    view.show_colours(by_folder(made_facts(N)))
    assert view.canvas.only == frozenset(), "other colours, all is seen again"


def test_a_typical_photograph_stands_in_the_legend_as_soon_as_it_is_there(qtbot: QtBot) -> None:
    made = MapView()
    made.resize(1100, 700)
    wanted: list[list[bytes]] = []
    made.canvas.pictures.wanted.connect(wanted.append)
    found, facts = made_map(N), made_facts(N)
    made.show_map(found, facts, by_cluster(found), "everything at once")
    show(qtbot, made)
    still(made.canvas)
    assert made.legend.lacking() == [10, 20, 30]
    typical = [facts.hashes[row].tobytes() for row in range(3)]
    assert set(typical) <= set(wanted[-1])
    red = jpeg("#c81e1e", 120, 80)
    made.canvas.pictures.take({typical[0]: red, typical[1]: red, typical[2]: b""})
    still(made.canvas)
    rows = made.legend.findChildren(LegendRow)
    assert [row.lacks_picture() for row in rows] == [False, False, True]
    assert rows[1].grab().toImage().pixelColor(46, 16).red() > 190
    still(made.canvas)
    before = len(wanted)
    made.canvas.repaint_soon()
    still(made.canvas)
    assert not any(typical[2] in one for one in wanted[before:]), "what cannot be shown is not asked for again"
    made.show_colours(by_folder(facts))
    assert made.legend.lacking() == []


def test_what_is_selected_is_counted_and_can_be_let_go(view: MapView) -> None:
    assert "Shift+drag" in view.bar.words()
    view.canvas.set_current(20)
    view.canvas.select_group()
    assert view.bar.words().startswith("20 photo")
    height = view.canvas.height()
    button(view, "Select nothing").click()
    assert view.canvas.selection.count == 0
    assert view.canvas.hasFocus()
    assert view.canvas.height() == height, "nothing jumps"


def test_one_thing_can_be_done_where_there_is_nothing(view: MapView, qtbot: QtBot) -> None:
    view.show_empty()
    assert not view.is_shown()
    with qtbot.waitSignal(view.empty.wanted):
        button(view, "Add a folder…").click()
    view.show_fault("There is no index “Old”.")
    with qtbot.waitSignal(view.fault.wanted):
        button(view, "Try again").click()


def test_names_do_not_overlap_and_numbers_are_no_names() -> None:
    found = made_map(N, clusters=40)
    camera = MapView().canvas.camera.fitting(900, 600)
    names = placed_names(found.clusters, camera, lambda text: 8.0 * len(text), 14, 20)
    assert 1 < len(names) <= 16
    for one in names:
        assert not any(one.plate.intersects(other.plate) for other in names if other is not one)
    numbered = [replace(one, word="") for one in found.clusters]
    assert placed_names(numbered, camera, lambda text: 8.0 * len(text), 14, 20) == []


def test_names_make_room_for_the_words_of_flags(qapp: QApplication) -> None:
    found = made_map(N, clusters=1)
    camera = MapView().canvas.camera.fitting(900, 600)

    def named(*flags: QRectF) -> QRectF:
        (one,) = placed_names(found.clusters, camera, lambda text: 8.0 * len(text), 14, 20, flags=flags)
        return one.plate

    alone = named()
    box = QRectF(alone.center().x() - 10, alone.bottom(), 20, 20)
    flag = flag_plate(box, "query", qapp.font())
    assert alone.intersects(flag)
    assert not named(flag).intersects(flag)


def test_names_stand_beside_pictures_and_stay_where_they_are_as_long_as_they_can() -> None:
    found = made_map(N, clusters=1)
    camera = MapView().canvas.camera.fitting(900, 600)

    def named(*pictures: tuple[float, float, float, float], before: dict[str, int] = {}) -> PlacedName:  # noqa: B006
        boxes = np.array(pictures, np.float64).reshape(-1, 4)
        (one,) = placed_names(found.clusters, camera, lambda text: 8.0 * len(text), 14, 20, boxes, before)
        return one

    x, y = camera.to_px((found.clusters[0].x, found.clusters[0].y))
    alone = named()
    assert alone.plate.bottom() <= y, "above, where nothing is in the way"
    over = (x - 40, y - 60, x + 40, y)
    moved = named(over)
    assert not moved.plate.intersects(QRectF(QPointF(over[0], over[1]), QPointF(over[2], over[3])))
    assert named(before={moved.text: moved.side}).plate == moved.plate, "it is free there, too: it does not jump back"
    assert named((0, 0, 900, 600)).plate == alone.plate, "everywhere over a picture: still named"
