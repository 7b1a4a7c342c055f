"""Asking with colours in the window: mixes, palettes, sketches, and the index that answers them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG, button, do_key, nameless, part, words
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.search.colours.colour_chooser import SWATCH_CODES, ColourChooser, Swatches, colour_names
from twinlens.app.gui.search.colours.colour_pickers import ColourField, PhotographPicker
from twinlens.app.gui.search.colours.colours_panel import ColoursPanel, panel_width
from twinlens.app.gui.search.colours.palette import (
    LEAST_SHARE,
    MOST_COLOURS,
    PaletteMix,
    ShareStrip,
    colour_code,
    whole_percents,
)
from twinlens.app.gui.search.colours.sketch import SKETCH_SIZE, BrushStroke, Drawing, SketchCanvas, SketchPage
from twinlens.app.gui.search.history_menu import history_entry
from twinlens.app.indexes.indexes import delete_index
from twinlens.app.library.saved_state import history
from twinlens.app.search.search_query import SearchQuery, read_palette

COUNT = 12
BLUE, WHITE, GREEN = (31, 95, 191), (255, 255, 255), (58, 154, 70)


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, libraries: Libraries, tmp_path: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, libraries.copy(COUNT, tmp_path / "own.twinlens"))
    qtbot.waitUntil(lambda: not shown.busy(), timeout=LONG)
    yield shown
    shown.close()


def panel(frame: MainWindow) -> ColoursPanel:
    return part(frame.workspace.searching.view, ColoursPanel)


def question(frame: MainWindow) -> SearchQuery:
    asked = frame.workspace.searching.query
    assert asked is not None
    return asked


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.workspace.searching.colours.waits() and not frame.busy(), timeout=LONG)


def pick(qtbot: QtBot, frame: MainWindow, *colours: tuple[int, int, int]) -> None:
    for colour in colours:
        part(panel(frame), ColourChooser).picked.emit(colour)  # as swatches and photographs do
        settled(qtbot, frame)


def test_colours_are_asked_live_by_the_index_that_compares_them(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    assert frame.workspace.view() == "search"
    pick(qtbot, frame, BLUE)
    assert frame.workspace.searching.index == "Colours"
    assert frame.workspace.searching.chosen_index == "Automatic"
    assert frame.workspace.searching.view.grid.rows().count == COUNT
    assert any("Colour search in" in sentence and "Colours" in sentence for sentence in words(panel(frame)))
    pick(qtbot, frame, GREEN)
    (only,) = question(frame).examples
    assert getattr(only.picture, "text")() == "#1f5fbf:50,#3a9a46:50"  # noqa: B009 (a palette is not named in the window)
    assert panel(frame).isAncestorOf(frame.focusWidget())
    frame.workspace.leave()
    assert panel(frame).isHidden()
    assert frame.workspace.view() == "search"


def test_the_way_back_leads_to_what_was_before_all_colours(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([3])
    settled(qtbot, frame)
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE, GREEN)
    assert len(question(frame).examples) == 2
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    assert frame.workspace.searching.index == "Automatic"
    assert len(panel(frame).mix()) == 0
    frame.workspace.history.go_forward()
    settled(qtbot, frame)
    assert panel(frame).mix().colours == (BLUE, GREEN)


def test_the_chosen_index_answers_again_when_colours_are_gone(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([3])
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE)
    assert frame.workspace.searching.index == "Colours"
    button(panel(frame), "remove").click()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    assert frame.workspace.searching.index == "Automatic"


def test_what_was_mixed_is_remembered_once(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, GREEN, BLUE)
    frame.workspace.searching.colours.close()
    settled(qtbot, frame)
    opened = frame.workspace.opened
    assert opened is not None
    kept = [
        one
        for one in history(opened.library)
        if one["examples"] == [{"palette": "#3a9a46:50,#1f5fbf:50", "weight": 1.0}]
    ]
    assert len(kept) == 1
    assert not any(one["examples"] == [{"palette": "#3a9a46:100", "weight": 1.0}] for one in history(opened.library))


def test_a_sketch_is_asked_and_comes_back_from_the_history(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    button(panel(frame), "Colours in their places").click()
    QTest.mouseClick(part(panel(frame), SketchCanvas), Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    settled(qtbot, frame)
    (only,) = question(frame).examples
    assert only.sketch
    assert frame.workspace.searching.view.grid.rows().count == COUNT
    opened = frame.workspace.opened
    assert opened is not None
    drawn = panel(frame).sketch()
    frame.workspace.searching.colours.close()
    settled(qtbot, frame)
    told = history_entry(opened, history(opened.library)[0])
    assert told.name == "Sketch · Colours"
    assert QImage.fromData(told.picture).size() == drawn.size()
    frame.workspace.searching.take_pictures([2])
    settled(qtbot, frame)
    frame.workspace.searching.earlier.repeat(told.value)
    settled(qtbot, frame)
    assert question(frame).examples == (only,)
    frame.workspace.searching.colours.open()
    assert panel(frame).sketch() == drawn


def test_an_index_that_cannot_answer_says_so_and_shows_the_way_out(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    frame.workspace.searching.choose_index("Automatic")
    settled(qtbot, frame)
    assert any("so it cannot search by colours" in said for said in words(frame.workspace.searching.view))
    way_out = next(
        one for one in frame.workspace.searching.view.findChildren(QPushButton) if one.text() == "Search in “Colours”"
    )
    way_out.click()
    settled(qtbot, frame)
    assert (frame.workspace.searching.index, frame.workspace.searching.chosen_index) == ("Colours", "Automatic")
    assert frame.workspace.searching.view.grid.rows().count == COUNT


def test_where_no_index_compares_colours_one_can_be_made(qtbot: QtBot, frame: MainWindow) -> None:
    opened = frame.workspace.opened
    assert opened is not None
    delete_index(opened.library, "Colours")
    frame.workspace.indexes.refresh()
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    assert any("Search by colours is not set up yet." in said for said in words(panel(frame)))
    button(panel(frame), "add search by colours").click()
    assert frame.workspace.view() == "new index"


def test_taking_colours_of_a_photograph_makes_a_palette(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([2])
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    button(panel(frame), "main colours").click()
    settled(qtbot, frame)
    assert len(panel(frame).mix()) >= 2
    assert len(question(frame).examples) == 1
    assert not panel(frame).photograph().isNull()  # more colours can be taken from it


def test_a_palette_has_its_name_and_picture_in_the_history(qtbot: QtBot, frame: MainWindow) -> None:
    opened = frame.workspace.opened
    assert opened is not None
    value = {"examples": [{"palette": "#3a9a46:50,#1f5fbf:50", "weight": 1.0}], "index": "Colours"}
    told = history_entry(opened, value)
    assert told.name == "Palette · Colours"
    assert QImage.fromData(told.picture).pixelColor(2, 2).green() > 120
    frame.workspace.searching.earlier.repeat(value)
    settled(qtbot, frame)
    frame.workspace.searching.colours.open()
    assert panel(frame).mix().colours == (GREEN, BLUE)


def test_colours_are_a_search_of_their_own_and_the_way_back_leads_to_the_photograph(
    qtbot: QtBot, frame: MainWindow
) -> None:
    frame.workspace.searching.take_pictures([3])
    settled(qtbot, frame)
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, BLUE)
    assert len(question(frame).examples) == 1
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in question(frame).examples] == [3]
    opened = frame.workspace.opened
    assert opened is not None
    assert history(opened.library)[0]["examples"] == [{"palette": "#1f5fbf:100", "weight": 1.0}]
    frame.workspace.history.go_forward()
    settled(qtbot, frame)
    assert getattr(question(frame).examples[0].picture, "text")() == "#1f5fbf:100"  # noqa: B009


def test_colours_that_are_still_mixed_stand_in_the_history(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame.workspace.ask_with_colours()
    pick(qtbot, frame, (201, 13, 77))
    shown: list[str] = []
    monkeypatch.setattr(
        frame.workspace.searching.view.steps,
        "show_menu",
        lambda menu: shown.extend(one.text() for one in menu.actions()),
    )
    frame.workspace.searching.earlier.show(frame.workspace.searching.view)
    qtbot.waitUntil(lambda: "Palette · Colours" in shown, timeout=LONG)


def test_colours_are_added_to_photographs_where_that_is_wanted(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([3])
    settled(qtbot, frame)
    frame.workspace.add_colours()
    pick(qtbot, frame, BLUE, GREEN)
    assert [one.picture == 3 for one in question(frame).examples] == [True, False]


@pytest.fixture
def shown_panel(qtbot: QtBot) -> ColoursPanel:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 700)
    made = ColoursPanel(over)
    made.fit(0)
    over.show()
    made.open()
    return made


def _two_halves() -> QImage:
    image = QImage(80, 60, QImage.Format.Format_RGB32)
    image.fill(QColor(*BLUE))
    for x in range(40, 80):
        for y in range(60):
            image.setPixelColor(x, y, QColor(*GREEN))
    return image


def test_every_swatch_has_a_name_and_is_one_press_away(shown_panel: ColoursPanel) -> None:
    assert len(set(colour_names())) == len(SWATCH_CODES) == len(set(SWATCH_CODES))
    swatches = part(shown_panel, Swatches)
    told: list[str] = []
    shown_panel.changed.connect(lambda: told.append(shown_panel.mix().text()))
    do_key(swatches, Qt.Key.Key_Return)
    QTest.keyClick(swatches, Qt.Key.Key_Down)
    QTest.keyClick(swatches, Qt.Key.Key_Right)
    do_key(swatches, Qt.Key.Key_Space)
    assert told == [f"{SWATCH_CODES[0]}:100", f"{SWATCH_CODES[0]}:50,{SWATCH_CODES[13]}:50"]
    assert colour_names()[13] in swatches.accessibleName()
    QTest.mouseClick(swatches, Qt.MouseButton.LeftButton, pos=swatches.box(5).center().toPoint())
    assert shown_panel.mix().text().endswith(f"{SWATCH_CODES[5]}:33")


def test_shares_are_changed_by_dragging_an_edge(shown_panel: ColoursPanel) -> None:
    shown_panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    strip = part(shown_panel, ShareStrip)
    edge = round(strip.edges()[0])
    left = Qt.MouseButton.LeftButton
    told: list[PaletteMix] = []
    shown_panel.changed.connect(lambda: told.append(shown_panel.mix()))
    QTest.mousePress(strip, left, pos=QPoint(edge, 20))
    QTest.mouseMove(strip, QPoint(edge + 60, 20))
    QTest.mouseRelease(strip, left, pos=QPoint(edge + 60, 20))
    assert told[-1].shares[0] > 65
    QTest.mouseMove(strip, QPoint(edge - 60, 20))
    assert told[-1].shares[0] > 65


def test_shares_are_changed_by_keys_too(shown_panel: ColoursPanel) -> None:
    shown_panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    strip = part(shown_panel, ShareStrip)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    assert "#ffffff 50 %" in strip.accessibleDescription()
    do_key(strip, Qt.Key.Key_Up)
    assert shown_panel.mix().shares == (48, 52)
    do_key(strip, Qt.Key.Key_Delete)
    assert shown_panel.mix() == PaletteMix.of([(BLUE, 1)])
    do_key(strip, Qt.Key.Key_Delete)
    assert shown_panel.mix() == PaletteMix()
    assert "none yet" in strip.accessibleName()
    shown_panel.grab()


def test_the_chosen_colour_becomes_another_one_in_the_field(shown_panel: ColoursPanel) -> None:
    shown_panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    field = part(shown_panel, ColourField)
    assert field.colour() == BLUE
    square = field.findChildren(QWidget)[0]
    QTest.mouseClick(square, Qt.MouseButton.LeftButton, pos=QPoint(square.width() - 1, 1))
    red, _, blue = shown_panel.mix().colours[0]
    assert blue > 245
    assert red < 10
    assert shown_panel.mix().colours[1] == WHITE


def test_a_colour_is_written_by_code_or_name(shown_panel: ColoursPanel) -> None:
    line = part(shown_panel, QLineEdit)
    line.setFocus()
    line.setText("navy")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert shown_panel.mix().colours == ((0, 0, 128),)
    line.setText("no colour")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert shown_panel.mix().colours == ((0, 0, 128),)
    assert any("is not a colour" in said for said in words(shown_panel))


def test_colours_are_taken_from_a_photograph(qtbot: QtBot, shown_panel: ColoursPanel) -> None:
    picker = part(shown_panel, PhotographPicker)
    assert not picker.isVisible()
    shown_panel.set_photograph(_two_halves())
    box = picker.box()
    assert picker.colour_at(QPointF(box.left() + 5, 20)) == BLUE
    assert picker.colour_at(QPointF(-5, 20)) is None
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(int(box.left()) + 5, 20))
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(int(box.right()) - 5, 20))
    assert shown_panel.mix().colours == (BLUE, GREEN)
    QTest.mouseMove(picker, QPoint(int(box.left()) + 9, 40))
    shown_panel.grab()
    with qtbot.waitSignal(shown_panel.main_wanted, timeout=2000):
        button(shown_panel, "main colours").click()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up):
        QTest.keyClick(picker, key)
    do_key(picker, Qt.Key.Key_Return)
    assert len(shown_panel.mix()) == 2  # a colour that is there is not there twice


def test_eight_are_the_most(shown_panel: ColoursPanel) -> None:
    shown_panel.show_mix(PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS)]))
    before = shown_panel.mix()
    swatches = part(shown_panel, Swatches)
    QTest.mouseClick(swatches, Qt.MouseButton.LeftButton, pos=swatches.box(7).center().toPoint())
    assert shown_panel.mix() == before
    assert "A palette can have up to eight colours" in " ".join(words(shown_panel))


def test_a_sketch_is_asked_with_once_something_is_painted(shown_panel: ColoursPanel) -> None:
    told: list[bool] = []
    shown_panel.changed.connect(lambda: told.append(shown_panel.asks_sketch()))
    button(shown_panel, "Colours in their places").click()
    assert shown_panel.asks_sketch()
    assert told == []
    assert shown_panel.sketch().isNull()
    do_key(part(shown_panel, Swatches), Qt.Key.Key_Return)
    QTest.mouseClick(part(shown_panel, SketchCanvas), Qt.MouseButton.LeftButton, pos=QPoint(80, 80))
    assert told == [True]
    assert not shown_panel.sketch().isNull()
    shown_panel.show_mix(PaletteMix.of([(BLUE, 1)]))
    assert not shown_panel.asks_sketch()
    button(shown_panel, "Colours in their places").click()
    assert told == [True, True]


@pytest.mark.parametrize("tab", ["Colours anywhere in the photo", "Colours in their places"])
def test_nothing_is_cut_off_where_there_is_little_height(qtbot: QtBot, shown_panel: ColoursPanel, tab: str) -> None:
    shown_panel.set_photograph(_two_halves())
    shown_panel.setFixedHeight(300)
    button(shown_panel, tab).click()
    area = part(shown_panel, QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible(), timeout=5000)
    body = area.widget()
    assert body is not None
    assert body.width() <= area.viewport().width()


def test_escape_leaves_and_everything_has_a_name(qtbot: QtBot, shown_panel: ColoursPanel) -> None:
    shown_panel.set_photograph(_two_halves())
    shown_panel.show_note("“Colours” answers.", makes=True)
    assert nameless(shown_panel) == []
    assert any("Colours” answers" in said for said in words(shown_panel))
    assert shown_panel.width() == panel_width()
    shown_panel.activateWindow()
    part(shown_panel, Swatches).setFocus()
    qtbot.waitUntil(part(shown_panel, Swatches).hasFocus, timeout=5000)
    with qtbot.waitSignal(shown_panel.left, timeout=2000) as left:
        QTest.keyClick(part(shown_panel, Swatches), Qt.Key.Key_Escape)
    assert left.args == [True]
    assert shown_panel.isHidden()


DARK_BLUE, RED = (20, 60, 200), (200, 30, 30)


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
    drawing.add(BrushStroke(((0.1, 0.5),), 0.1, DARK_BLUE))
    drawing.extend((0.9, 0.5))
    drawing.add(BrushStroke(((0.5, 0.5),), 0.1, RED))
    assert _pixel(drawing, 0.3, 0.5) == (*DARK_BLUE, 255)
    assert _pixel(drawing, 0.5, 0.5) == (*RED, 255)
    assert _pixel(drawing, 0.5, 0.9)[3] == 0


def test_the_eraser_leaves_nothing_and_empty_is_told() -> None:
    drawing = Drawing()
    assert drawing.is_empty()
    drawing.add(BrushStroke(((0.5, 0.5),), 0.1, DARK_BLUE))
    assert not drawing.is_empty()
    drawing.add(BrushStroke(((0.5, 0.5),), 0.3, None))
    assert drawing.is_empty()


def test_every_step_can_be_taken_back_and_done_again() -> None:
    drawing = Drawing()
    drawing.add(BrushStroke(((0.2, 0.5),), 0.1, DARK_BLUE))
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
    first.add(BrushStroke(((0.2, 0.5),), 0.1, DARK_BLUE))
    again = Drawing(first.image())
    assert not again.is_empty()
    again.add(BrushStroke(((0.8, 0.5),), 0.1, RED))
    assert _pixel(again, 0.2, 0.5) == (*DARK_BLUE, 255)
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
    do_key(canvas, Qt.Key.Key_Space)
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


BYTE = st.integers(0, 255)
MIXES = st.lists(
    st.tuples(st.tuples(BYTE, BYTE, BYTE), st.floats(0.01, 100)),
    min_size=1,
    max_size=MOST_COLOURS,
    unique_by=lambda one: one[0],
).map(PaletteMix.of)


def test_a_colour_comes_with_as_much_as_the_others_have() -> None:
    mix = PaletteMix().with_colour(BLUE).with_colour(WHITE).with_colour(GREEN)
    assert mix.shares == (34, 33, 33)
    assert mix.without(0).shares == (50, 50)
    assert PaletteMix.of([(BLUE, 3), (WHITE, 1)]).with_colour(GREEN).shares == (50, 17, 33)


def test_what_is_there_already_is_not_added_and_eight_are_the_most() -> None:
    mix = PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS)])
    assert mix.with_colour(BLUE) is mix
    assert PaletteMix.of([(BLUE, 1.0)]).with_colour(BLUE) == PaletteMix.of([(BLUE, 1.0)])
    assert len(PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS + 3)])) == MOST_COLOURS


def test_an_edge_moves_two_shares_and_stops_before_one_is_gone() -> None:
    mix = PaletteMix.of([(BLUE, 50), (WHITE, 30), (GREEN, 20)])
    assert mix.with_edge(1, 60).shares == (50, 10, 40)
    assert mix.with_edge(0, -20).shares == (LEAST_SHARE, 78, 20)
    assert mix.with_edge(1, 200).shares == (50, 50 - LEAST_SHARE, LEAST_SHARE)


def test_a_share_takes_from_all_others() -> None:
    mix = PaletteMix.of([(BLUE, 50), (WHITE, 30), (GREEN, 20)])
    assert mix.with_share(0, 60).shares == (60, 24, 16)
    assert mix.with_share(2, 100).shares == (LEAST_SHARE, LEAST_SHARE, 100 - 2 * LEAST_SHARE)
    assert PaletteMix.of([(BLUE, 1)]).with_share(0, 50).shares == (100,)


def test_it_is_written_as_palettes_are() -> None:
    mix = PaletteMix.of([(BLUE, 3), (WHITE, 1)])
    assert mix.text() == "#1f5fbf:75,#ffffff:25"
    assert PaletteMix.of(read_palette(mix.text()).colours) == mix
    assert colour_code((0, 10, 255)) == "#000aff"


@given(mix=MIXES, place=st.integers(0, MOST_COLOURS - 1), percent=st.integers(-50, 150))
def test_shares_are_always_a_hundred_and_none_is_lost(mix: PaletteMix, place: int, percent: int) -> None:
    place %= len(mix)
    made = [mix, mix.with_share(place, percent), mix.with_colour((1, 2, 3)), mix.replaced(place, (1, 2, 3))]
    if len(mix) > 1:
        made += [mix.without(place), mix.with_edge(place % (len(mix) - 1), percent)]
    for one in made:
        assert sum(one.shares) == 100
        assert min(one.shares) >= LEAST_SHARE
        assert len(one.shares) == len(one.colours)


@pytest.mark.parametrize("weights", [[1e-9, 1.0], [1.0] * 8, [5.0]])
def test_percents_of_any_weights(weights: list[float]) -> None:
    assert sum(whole_percents(weights)) == 100
    assert whole_percents([]) == ()
