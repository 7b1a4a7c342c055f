"""The explorer in the window: turning, dragging, pinning, asking, and what is made of a setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, menu_commands, nameless, said
from tests.app.gui.working import opened, rested
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.lab.explore import explore_jobs
from twinlens.app.gui.lab.explore.explore_controller import ExploreControl
from twinlens.app.gui.lab.explore.explore_figures import value_words
from twinlens.app.gui.lab.explore.knob_row import CurvePoint, CurveSlider
from twinlens.app.gui.lab.index_name_field import IndexNameField
from twinlens.app.gui.lab.lab_controller import LabControl
from twinlens.app.gui.lab.sheet.line_pictures import LinePictures
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.lab.explore.explorer import Explorer
from twinlens.app.lab.explore.sample import load_material
from twinlens.app.library.library import Library
from twinlens.app.machine.preferences import Preferences, keep

COUNT = 130
ALONG = 7  # places of a slider that are read off: fewer than a person is given


@pytest.fixture
def window(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    """A window on a library with one index that has vectors."""
    folder = tmp_path_factory.mktemp("explored")
    make(folder / "made.twinlens", histograms(COUNT), [FEW_BITS]).close()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TWINLENS_DATA", str(folder / "data"))
        patched.setattr(explore_jobs, "_ALONG", ALONG)
        keep(Preferences(rescan_on_start=False))
        shown = MainWindow(folder / "made.twinlens")
        shown.resize(1280, 800)
        with QtBot(request).waitSignal(shown.opened, timeout=LONG):
            shown.show()
        yield shown
        shown.close()


@pytest.fixture
def part(qtbot: QtBot, window: MainWindow) -> ExploreControl:
    """Open the page on the one index that has vectors, as if it were seen for the first time."""
    return explored(qtbot, window)


def explored(qtbot: QtBot, frame: MainWindow) -> ExploreControl:
    """Open the page on the one index that has vectors."""
    frame.workspace.opened.state["lab"] = {"knobs": {"index": "Few bits"}}
    lab = lab_of(frame)
    lab.lines.turn()
    assert lab.view.page() is lab.lines.knobs.view
    settled(qtbot, lab.lines.knobs)
    return lab.lines.knobs


def lab_of(frame: MainWindow) -> LabControl:
    frame.workspace.show_view("lab")
    found = frame.workspace.views.part("lab")
    assert isinstance(found, LabControl)
    return found


def shown_frame() -> MainWindow:
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow) and one.isVisible())


def settled(qtbot: QtBot, part: ExploreControl) -> None:
    """Wait until what is seen is exact and nothing runs."""
    frame = shown_frame()

    def still() -> bool:
        reading, setting = part.reading, part.setting
        if reading is None or setting is None or frame.busy() or not part.view.panel.are_rows_made():
            return False
        return reading.exact and reading.setting == setting

    qtbot.waitUntil(still, timeout=LONG)


def test_what_is_seen_is_what_the_use_case_gives(qtbot: QtBot, part: ExploreControl) -> None:
    view = part.view
    assert nameless(view) == []
    opened = shown_frame().workspace.opened
    explorer = Explorer(load_material(opened.library, "Few bits"))
    for method in ("lsh", "klsh"):
        part.choose_method(method)
        settled(qtbot, part)
        part.turn("search.candidates", 12)
        settled(qtbot, part)
        assert part.setting is not None
        wanted = explorer.exact(part.setting, explorer.material.row_of(part.query_row))
        values = [figure.value for figure in view.figures.figures()]
        assert [*values[:5], values[6]] == [
            *(f"{wanted.values[key]:.3f}" for key in ("recall@1", "recall@10", "recall@100", "map", "overlap@10")),
            f"{wanted.values['looked_at']:,.0f}",
        ]  # fmt: skip
        assert wanted.outcome is not None
        tiles = view.pictures.tiles()
        assert tiles[0].id == part.query_row
        assert [tile.id for tile in tiles if not tile.ghost][1:] == [hit.id for hit in wanted.outcome.results]
        assert [tile.id for tile in tiles if tile.ghost] == [one.id for one in wanted.outcome.missed]
        assert view.spectrum.isVisible() == (method == "klsh")


def test_dragging_gives_coarse_figures_first_and_ends_with_exact_ones(qtbot: QtBot, part: ExploreControl) -> None:
    part.choose_method("klsh")
    settled(qtbot, part)
    slider = part.view.panel.rows()["method.rank"].slider
    part.view.panel.reveal("method.rank")
    rested(qtbot, part.view)
    seen = []
    middle = slider.height() - 10
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.x_of(slider.place())), middle))
    for stop in range(slider.place(), 3, -1):
        QTest.mouseMove(slider, QPoint(round(slider.x_of(stop)), middle))
        qtbot.wait(15)
        assert part.reading is not None
        seen.append(part.reading.exact)
        assert slider.place() == stop, "the handle stays under the pointer"
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.x_of(4)), middle))
    qtbot.waitUntil(lambda: part.reading is not None and not part.reading.exact, timeout=LONG)
    settled(qtbot, part)
    assert not all(seen)
    assert part.setting is not None
    assert part.setting.method.rank == 5  # type: ignore[attr-defined]
    said = part.view.panel.rows()["method.rank"].said()
    assert said.startswith("none → 5: recall@10 ")
    points = slider.points()
    assert len(points) >= ALONG, "what lies along the slider is read off"
    assert any(point.exact for point in points)
    assert not all(point.exact for point in points)


def test_a_setting_is_pinned_and_swapped_and_reset_by_keys(qtbot: QtBot, part: ExploreControl) -> None:
    slider = part.view.panel.rows()["method.bits"].slider
    assert part.view.figures.figures()[0].pinned == ""
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_P)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    settled(qtbot, part)
    assert part.setting is not None
    assert part.setting.method.bits == 8
    assert part.view.figures.figures()[0].pinned != ""
    QTest.keyClick(slider, Qt.Key.Key_A)
    settled(qtbot, part)
    assert part.setting.method.bits == 24
    QTest.keyClick(slider, Qt.Key.Key_Right)
    settled(qtbot, part)
    assert part.setting.method.bits == 28
    QTest.keyClick(slider, Qt.Key.Key_Delete)
    settled(qtbot, part)
    assert part.setting.method.bits == 256, "the declaration's default"
    QTest.keyClick(slider, Qt.Key.Key_P)
    settled(qtbot, part)
    assert part.view.figures.figures()[0].pinned == ""
    QTest.keyClick(slider, Qt.Key.Key_R)
    settled(qtbot, part)
    assert part.setting.text() == "lsh:bits=24 · scan:candidates=1", "the index's own"
    before = part.query_row
    QTest.keyClick(slider, Qt.Key.Key_N)
    settled(qtbot, part)
    assert part.query_row != before
    assert part.view.pictures.tiles()[0].id == part.query_row


def test_what_cannot_be_says_why_and_changes_nothing(qtbot: QtBot, part: ExploreControl) -> None:
    before = part.setting
    row = part.view.panel.rows()["method.bits"]
    part.type("method.bits", "many")
    assert "whole number from 1 to 65,472" in row.said()
    part.type("method.bits", "99999")
    assert "65,472" in row.said()
    assert part.setting == before
    part.type("method.bits", "77")
    settled(qtbot, part)
    assert part.setting is not None
    assert part.setting.method.bits == 77
    assert part.view.panel.rows()["method.bits"].slider.place() == part.view.panel.rows()["method.bits"].knob.place(77)
    part.choose_method("bilinear-lsh")
    qtbot.waitUntil(lambda: "matrices" in said(part.view), timeout=LONG)


def test_a_setting_becomes_an_index_and_a_column(qtbot: QtBot, window: MainWindow, part: ExploreControl) -> None:
    part.turn("method.bits", 40)
    settled(qtbot, part)
    opened = shown_frame().workspace.opened

    def names() -> list[str]:
        return [index.name for index in list_indexes(opened.library).indexes]

    before = names()
    part.view.name_index()
    field = part.view.findChild(IndexNameField)
    assert field is not None
    assert field.text() == "lsh:bits=40 · scan:candidates=1"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert lab_of(window).view.page() is part.view
    assert field.isHidden(), "Esc calls it off, and leaves nothing else"
    part.view.name_index()
    QTest.keyClicks(field, "Forty")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: len(names()) == len(before) + 1 and window.workspace.undoing.newest() is not None, timeout=LONG
    )
    (name,) = set(names()) - set(before)
    assert name == "Forty"
    window.workspace.undoing.undo()
    qtbot.waitUntil(lambda: names() == before and not window.busy(), timeout=LONG)
    settled(qtbot, part)
    button(part.view, "Make it a column of the comparison").click()
    assert window.workspace.view() == "compare"
    columns = window.workspace.comparing.columns()
    assert [column.index for column in columns] == ["Few bits", "Few bits"]
    assert columns[1].method == "lsh:bits=40"


def test_what_was_explored_is_remembered(qtbot: QtBot, window: MainWindow, part: ExploreControl) -> None:
    part.choose_method("itq")
    settled(qtbot, part)
    part.turn("method.bits", 16)
    settled(qtbot, part)
    state = part.state()
    assert state == {
        "index": "Few bits",
        "photographs": 2_000,
        "method": "itq:bits=16",
        "search": "scan:candidates=1",
        "codes": True,
    }
    part = ExploreControl(window.workspace, LinePictures(), int, part)
    part.restore(state)
    part.stay()
    settled(qtbot, part)
    assert part.setting is not None
    assert part.setting.method.text() == "itq:bits=16"
    part = ExploreControl(window.workspace, LinePictures(), int, part)
    part.restore({"index": "Few bits", "method": "no-such-method", "search": "scan"})
    part.stay()
    settled(qtbot, part)
    assert part.setting is not None
    assert part.setting.method.text() == "lsh:bits=24"


def test_a_newer_drag_takes_the_place_of_the_older(
    qtbot: QtBot, part: ExploreControl, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    read = explore_jobs.read_coarse

    def told(*how: Any) -> Any:
        begun.append("coarse")
        return read(*how)

    monkeypatch.setattr(explore_jobs, "read_coarse", told)
    for bits in range(9, 60):
        part.turn("method.bits", bits)
    assert len(begun) <= 1, "the others wait until that one is home, and then only the last is read off"
    settled(qtbot, part)
    assert part.reading is not None
    assert part.reading.setting.method.bits == 59
    assert part.sample is not None
    for bits in range(25, 59):
        method = part.reading.setting.method.changed(bits=bits)
        known = part.sample.explorer.known(replace(part.reading.setting, method=method))
        assert known is None or not known.exact, "nothing between was worked out exactly"


def test_a_photograph_is_explored_from_its_menu(qtbot: QtBot, window: MainWindow, part: ExploreControl) -> None:
    assert part.sample is not None
    other = next(int(one) for one in part.sample.explorer.material.ids if one != part.query_row)
    window.workspace.show_view("library")
    (command,) = (one for one in menu_commands(window, other, [other]) if one.action.name == "photograph.explore")
    command.act(other, [other])  # while the sample is still being drawn
    settled(qtbot, part)
    assert window.workspace.view() == "lab"
    assert part.view.pictures.tiles()[0].id == other


def test_an_empty_library_says_what_is_needed(qtbot: QtBot, own_data: None, tmp_path: Path) -> None:
    Library.open(tmp_path / "empty.twinlens", create=True).close()
    shown = opened(qtbot, tmp_path / "empty.twinlens")
    shown.workspace.show_view("lab")
    lab_of(shown).lines.turn()
    part = lab_of(shown).lines.knobs
    qtbot.waitUntil(lambda: "Add a folder" in said(part.view), timeout=LONG)
    shown.close()


def test_a_slider_shows_its_curve_and_where_things_stand(qtbot: QtBot) -> None:
    slider = CurveSlider("rank")
    qtbot.addWidget(slider)
    slider.resize(300, slider.sizeHint().height())
    slider.set_stops(11, 5, 3, ("1", "none"))
    empty = slider.grab().toImage()
    slider.set_points([CurvePoint(0, 0.2, False), CurvePoint(5, 0.9, True)], pinned=2)
    assert slider.grab().toImage() != empty
    assert [slider.stop_at(slider.x_of(stop)) for stop in range(11)] == list(range(11))
    with qtbot.waitSignal(slider.reset):
        QTest.mouseDClick(slider, Qt.MouseButton.LeftButton)
    with qtbot.assertNotEmitted(slider.moved):
        slider.set_stops(11, 7, 3, ("1", "none"))


def test_values_are_written_for_people() -> None:
    assert [value_words(value) for value in (None, True, 12_000, 0.25, "auto")] == [
        "none",
        "on",
        "12,000",
        "0.25",
        "auto",
    ]
