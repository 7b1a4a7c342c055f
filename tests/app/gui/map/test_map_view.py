"""The view of the map: how it is read, its legend, and what is done with a selection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.map import map_sheet
from app.gui.map.colouring import by_cluster, by_folder
from app.gui.map.legend import LegendRow
from app.gui.map.map_view import MapView
from app.gui.map.overlay import PlacedName, placed_names
from tests.app.gui.looking import button, chooser, nameless, show
from tests.app.gui.looking import words as labels
from tests.app.gui.map.made import made_facts, made_map, serve, still
from tests.app.gui.photo_grid.tables import jpeg

N = 60


@pytest.fixture
def view(qtbot: QtBot) -> MapView:
    made = MapView()
    made.resize(1100, 700)
    serve(made.canvas)
    found = made_map(N)
    made.show_indexes(["Automatic", "Colours"], "Automatic")
    made.show_map(found, made_facts(N), by_cluster(found), "several things at once")
    show(qtbot, made)
    made.focus_content()
    still(made.canvas)
    return made


def test_it_says_how_it_is_read(view: MapView) -> None:
    assert "60 photos, similar ones close together" in labels(view)
    assert view.sentence().startswith("Near means alike by several things at once")
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
    made.show_map(found, facts, by_cluster(found), "several things at once")
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


def test_keys_choose_colours_index_and_layout(view: MapView, qtbot: QtBot) -> None:
    for key, signal, told in (
        (Qt.Key.Key_3, view.colour_chosen, "date"),
        (Qt.Key.Key_Q, view.colour_chosen, "likeness"),
        (Qt.Key.Key_I, view.index_chosen, "Colours"),
        (Qt.Key.Key_P, view.kind_chosen, "pca"),
    ):
        with qtbot.waitSignal(signal, timeout=1000) as came:
            QTest.keyClick(view.canvas, key)
        assert came.args == [told]


def test_what_is_selected_is_counted_and_can_be_used(view: MapView, qtbot: QtBot) -> None:
    assert "Shift+drag" in view.bar.words()
    view.canvas.set_current(20)
    view.canvas.select_group()
    assert view.bar.words().startswith("20 photo")
    with qtbot.waitSignal(view.library_wanted):
        QTest.keyClick(view.canvas, Qt.Key.Key_G)
    with qtbot.waitSignal(view.alike_wanted):
        button(view, "Mark what is selected as alike").click()
    height = view.canvas.height()
    button(view, "Select nothing").click()
    assert view.canvas.selection.count == 0
    assert view.canvas.hasFocus()
    assert view.canvas.height() == height, "nothing jumps"


def test_another_folder_is_offered_where_there_is_nothing(view: MapView, qtbot: QtBot) -> None:
    view.show_empty()
    assert not view.is_shown()
    with qtbot.waitSignal(view.add_wanted):
        button(view, "Add a folder…").click()
    view.show_fault("There is no index “Old”.")
    with qtbot.waitSignal(view.again_wanted):
        button(view, "Try again").click()


def test_the_menu_offers_samples_and_files(view: MapView) -> None:
    said = [action.text().split("\t")[0] for action in view.more_menu().actions() if action.text()]
    assert said[0] == "Photos on the map"
    assert "Make the map anew" in said
    assert chooser(view, "What colours mean").currentText() == "cluster"


def test_names_do_not_overlap_and_numbers_are_no_names() -> None:
    found = made_map(N, clusters=40)
    camera = MapView().canvas.camera.fitting(900, 600)
    names = placed_names(found.clusters, camera, lambda text: 8.0 * len(text), 14, 20)
    assert 1 < len(names) <= 16
    for one in names:
        assert not any(one.plate.intersects(other.plate) for other in names if other is not one)
    numbered = [replace(one, word="") for one in found.clusters]
    assert placed_names(numbered, camera, lambda text: 8.0 * len(text), 14, 20) == []


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
