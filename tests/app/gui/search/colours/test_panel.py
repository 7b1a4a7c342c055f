"""The panel of colours: palettes, sketches, and what colours are chosen from."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.gui.search.colours.colour_chooser import SWATCH_CODES, Swatches, colour_names
from app.gui.search.colours.colour_pickers import ColourField, PhotographPicker
from app.gui.search.colours.colours_panel import ColoursPanel, panel_width
from app.gui.search.colours.palette import MOST_COLOURS, PaletteMix, ShareStrip
from app.gui.search.colours.sketch import SketchCanvas
from tests.app.gui.looking import button, nameless, part, words

BLUE, WHITE, GREEN = (31, 95, 191), (255, 255, 255), (58, 154, 70)


@pytest.fixture
def panel(qtbot: QtBot) -> ColoursPanel:
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


def test_every_swatch_has_a_name_and_is_one_press_away(panel: ColoursPanel) -> None:
    assert len(set(colour_names())) == len(SWATCH_CODES) == len(set(SWATCH_CODES))
    swatches = part(panel, Swatches)
    told: list[str] = []
    panel.changed.connect(lambda: told.append(panel.mix().text()))
    QTest.keyClick(swatches, Qt.Key.Key_Return)
    QTest.keyClick(swatches, Qt.Key.Key_Down)
    QTest.keyClick(swatches, Qt.Key.Key_Right)
    QTest.keyClick(swatches, Qt.Key.Key_Space)
    assert told == [f"{SWATCH_CODES[0]}:100", f"{SWATCH_CODES[0]}:50,{SWATCH_CODES[13]}:50"]
    assert colour_names()[13] in swatches.accessibleName()
    QTest.mouseClick(swatches, Qt.MouseButton.LeftButton, pos=swatches.box(5).center().toPoint())
    assert panel.mix().text().endswith(f"{SWATCH_CODES[5]}:33")


def test_shares_are_changed_by_dragging_an_edge(panel: ColoursPanel) -> None:
    panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    strip = part(panel, ShareStrip)
    edge = round(strip.edges()[0])
    left = Qt.MouseButton.LeftButton
    told: list[PaletteMix] = []
    panel.changed.connect(lambda: told.append(panel.mix()))
    QTest.mousePress(strip, left, pos=QPoint(edge, 20))
    QTest.mouseMove(strip, QPoint(edge + 60, 20))
    QTest.mouseRelease(strip, left, pos=QPoint(edge + 60, 20))
    assert told[-1].shares[0] > 65
    QTest.mouseMove(strip, QPoint(edge - 60, 20))
    assert told[-1].shares[0] > 65


def test_shares_are_changed_by_keys_too(panel: ColoursPanel) -> None:
    panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    strip = part(panel, ShareStrip)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    assert "#ffffff 50 %" in strip.accessibleDescription()
    QTest.keyClick(strip, Qt.Key.Key_Up)
    assert panel.mix().shares == (48, 52)
    QTest.keyClick(strip, Qt.Key.Key_Delete)
    assert panel.mix() == PaletteMix.of([(BLUE, 1)])
    QTest.keyClick(strip, Qt.Key.Key_Delete)
    assert panel.mix() == PaletteMix()
    assert "none yet" in strip.accessibleName()
    panel.grab()


def test_the_chosen_colour_becomes_another_one_in_the_field(panel: ColoursPanel) -> None:
    panel.show_mix(PaletteMix.of([(BLUE, 1), (WHITE, 1)]))
    field = part(panel, ColourField)
    assert field.colour() == BLUE
    square = field.findChildren(QWidget)[0]
    QTest.mouseClick(square, Qt.MouseButton.LeftButton, pos=QPoint(square.width() - 1, 1))
    red, _, blue = panel.mix().colours[0]
    assert blue > 245
    assert red < 10
    assert panel.mix().colours[1] == WHITE


def test_a_colour_is_written_by_code_or_name(panel: ColoursPanel) -> None:
    line = part(panel, QLineEdit)
    line.setText("navy")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert panel.mix().colours == ((0, 0, 128),)
    line.setText("no colour")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert panel.mix().colours == ((0, 0, 128),)
    assert any("is not a colour" in said for said in words(panel))


def test_colours_are_taken_from_a_photograph(qtbot: QtBot, panel: ColoursPanel) -> None:
    picker = part(panel, PhotographPicker)
    assert not picker.isVisible()
    panel.set_photograph(_two_halves())
    box = picker.box()
    assert picker.colour_at(QPointF(box.left() + 5, 20)) == BLUE
    assert picker.colour_at(QPointF(-5, 20)) is None
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(int(box.left()) + 5, 20))
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(int(box.right()) - 5, 20))
    assert panel.mix().colours == (BLUE, GREEN)
    QTest.mouseMove(picker, QPoint(int(box.left()) + 9, 40))
    panel.grab()
    with qtbot.waitSignal(panel.main_wanted, timeout=2000):
        button(panel, "main colours").click()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(picker, key)
    assert len(panel.mix()) == 2  # a colour that is there is not there twice


def test_eight_are_the_most(panel: ColoursPanel) -> None:
    panel.show_mix(PaletteMix.of([((n, n, n), 1.0) for n in range(MOST_COLOURS)]))
    before = panel.mix()
    swatches = part(panel, Swatches)
    QTest.mouseClick(swatches, Qt.MouseButton.LeftButton, pos=swatches.box(7).center().toPoint())
    assert panel.mix() == before
    assert "A palette can have up to eight colours" in " ".join(words(panel))


def test_a_sketch_is_asked_with_once_something_is_painted(panel: ColoursPanel) -> None:
    told: list[bool] = []
    panel.changed.connect(lambda: told.append(panel.asks_sketch()))
    button(panel, "Colours in their places").click()
    assert panel.asks_sketch()
    assert told == []
    assert panel.sketch().isNull()
    QTest.keyClick(part(panel, Swatches), Qt.Key.Key_Return)
    QTest.mouseClick(part(panel, SketchCanvas), Qt.MouseButton.LeftButton, pos=QPoint(80, 80))
    assert told == [True]
    assert not panel.sketch().isNull()
    panel.show_mix(PaletteMix.of([(BLUE, 1)]))
    assert not panel.asks_sketch()
    button(panel, "Colours in their places").click()
    assert told == [True, True]


@pytest.mark.parametrize("tab", ["Colours anywhere in the photo", "Colours in their places"])
def test_nothing_is_cut_off_where_there_is_little_height(qtbot: QtBot, panel: ColoursPanel, tab: str) -> None:
    panel.set_photograph(_two_halves())
    panel.setFixedHeight(300)
    button(panel, tab).click()
    area = part(panel, QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible(), timeout=5000)
    body = area.widget()
    assert body is not None
    assert body.width() <= area.viewport().width()


def test_escape_leaves_and_everything_has_a_name(qtbot: QtBot, panel: ColoursPanel) -> None:
    panel.set_photograph(_two_halves())
    panel.tell("“Colours” answers.", makes=True)
    assert nameless(panel) == []
    assert any("Colours” answers" in said for said in words(panel))
    assert panel.width() == panel_width()
    panel.activateWindow()
    part(panel, Swatches).setFocus()
    qtbot.waitUntil(part(panel, Swatches).hasFocus, timeout=5000)
    with qtbot.waitSignal(panel.left, timeout=2000) as left:
        QTest.keyClick(part(panel, Swatches), Qt.Key.Key_Escape)
    assert left.args == [True]
    assert panel.isHidden()
