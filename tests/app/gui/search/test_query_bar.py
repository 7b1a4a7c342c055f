"""The question: examples with weights, what can be added, the index; at every width."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from app.gui.look.buttons import Pill
from app.gui.search.index_chooser import IndexChooser, IndexOption, IndexPopup
from app.gui.search.query_bar import QueryBar, shared_widths
from app.gui.search.query_examples import ExampleChip, ExamplePicture, ShownExample, WeightPopup, example_text
from tests.app.gui.looking import named
from tests.app.gui.search.pictures import jpeg

MILL = ShownExample("DSC_0411.JPG", jpeg())
BRIDGE = ShownExample("a bridge with a rather long name.jpeg", jpeg(48, 64), 2.0, cropped=True)
CROWD = ShownExample("IMG_2.JPG", b"", -1.0)
PALETTE = ShownExample("Palette", b"", colours=True)
INDEXES = [
    IndexOption("Automatic", "shapes and places", "compact-vlad · itq:bits=256 · scan"),
    IndexOption("Colours", "colours", "colour · klsh:bits=256 · scan"),
]


@pytest.fixture
def bar(qtbot: QtBot) -> QueryBar:
    made = QueryBar()
    qtbot.addWidget(made)
    made.set_examples([MILL, BRIDGE, CROWD])
    made.set_indexes(INDEXES, "Automatic")
    made.resize(800, made.sizeHint().height())
    made.show()
    return made


def _chips(bar: QueryBar) -> list[ExampleChip]:
    return [chip for chip in bar.findChildren(ExampleChip) if chip.isVisible()]


def _button(bar: QueryBar, name: str) -> Pill:
    return next(pill for pill in bar.findChildren(Pill) if name in pill.accessibleName())


def text_of(chip: ExampleChip) -> str:
    stop = chip.stops()[0]
    assert isinstance(stop, QAbstractButton)
    return stop.text()


def _press(chip: ExampleChip, part: int) -> None:
    button = chip.stops()[part]
    assert isinstance(button, QAbstractButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_examples_say_name_sign_weight_and_crop() -> None:
    assert [example_text(one) for one in (MILL, BRIDGE, CROWD)] == [
        "DSC_0411.JPG",
        "◩ a bridge with a rather long name.jpeg ×2.0",
        "− IMG_2.JPG",
    ]


def test_an_example_is_taken_away_by_cross_or_key(qtbot: QtBot, bar: QueryBar) -> None:
    told: list[int] = []
    bar.example_removed.connect(told.append)
    _press(_chips(bar)[1], 1)
    QTest.keyClick(_chips(bar)[2].stops()[0], Qt.Key.Key_Delete)
    assert told == [1, 2]


def test_after_taking_one_away_by_key_the_focus_is_at_the_next(qtbot: QtBot, bar: QueryBar) -> None:
    bar.activateWindow()
    _chips(bar)[1].stops()[0].setFocus()
    qtbot.waitUntil(_chips(bar)[1].stops()[0].hasFocus, timeout=5000)
    bar.set_examples([MILL, CROWD])
    assert _chips(bar)[1].stops()[0].hasFocus()


def test_more_can_be_added_and_cropped(bar: QueryBar) -> None:
    added: list[bool] = []
    cropped: list[int] = []
    bar.add_wanted.connect(added.append)
    bar.crop_wanted.connect(cropped.append)
    for name in ("results should resemble", "should not resemble", "part of the picture"):
        QTest.mouseClick(_button(bar, name), Qt.MouseButton.LeftButton)
    assert added == [True, False]
    assert cropped == [1]  # the last that the results should be like


def test_without_an_example_there_is_nothing_to_crop(bar: QueryBar) -> None:
    bar.set_examples([])
    assert not _button(bar, "part of the picture").isEnabled()
    bar.grab()


def test_colours_are_asked_for_and_have_no_part(bar: QueryBar) -> None:
    wanted: list[bool] = []
    cropped: list[int] = []
    bar.colours_wanted.connect(lambda: wanted.append(True))
    bar.crop_wanted.connect(cropped.append)
    QTest.mouseClick(_button(bar, "colours or a sketch"), Qt.MouseButton.LeftButton)
    assert wanted == [True]
    bar.set_examples([MILL, PALETTE])
    QTest.mouseClick(_button(bar, "part of the picture"), Qt.MouseButton.LeftButton)
    assert cropped == [0]
    bar.set_examples([PALETTE])
    assert not _button(bar, "part of the picture").isEnabled()
    _press(_chips(bar)[0], 0)
    popup = bar.findChild(WeightPopup)
    assert isinstance(popup, WeightPopup)
    change = next(pill for pill in popup.findChildren(Pill) if "Change these colours" in pill.accessibleName())
    QTest.mouseClick(change, Qt.MouseButton.LeftButton)
    assert wanted == [True, True]


def test_the_same_places_are_shown_in_the_same_widgets(bar: QueryBar) -> None:
    before = _chips(bar)
    bar.set_examples([MILL, PALETTE, CROWD])
    assert _chips(bar) == before
    assert [example_text(one) for one in (MILL, PALETTE, CROWD)] == [text_of(chip) for chip in before]


def test_a_weight_is_changed_in_a_popup(qtbot: QtBot, bar: QueryBar) -> None:
    told: list[tuple[int, float]] = []
    bar.weight_changed.connect(lambda place, weight: told.append((place, weight)))
    _press(_chips(bar)[0], 0)
    popup = bar.findChild(WeightPopup)
    assert isinstance(popup, WeightPopup)
    QTest.keyClick(named(popup, "Weight"), Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: told == [(0, 1.1)], timeout=5000)
    against = next(pill for pill in popup.findChildren(Pill) if pill.text() == "not like")
    QTest.mouseClick(against, Qt.MouseButton.LeftButton)
    popup.close()  # what was not said yet is said
    assert told[-1] == (0, -1.1)
    assert "− DSC_0411.JPG ×1.1" in _chips(bar)[0].stops()[0].accessibleName()


def test_another_index_is_chosen_by_key(qtbot: QtBot, bar: QueryBar) -> None:
    bar.choose_index()
    opened = bar.findChild(IndexPopup)
    assert isinstance(opened, IndexPopup)
    assert [opened.rows.item(n).text() for n in range(3)] == [
        "Automatic: shapes and places",
        "Colours: colours",
        "New index…",
    ]
    assert opened.rows.item(1).toolTip() == "colour · klsh:bits=256 · scan"
    opened.grab()
    QTest.keyClick(opened.rows, Qt.Key.Key_Down)
    with qtbot.waitSignal(bar.index_chosen, timeout=2000) as chosen:
        QTest.keyClick(opened.rows, Qt.Key.Key_Return)
    assert chosen.args == ["Colours"]
    assert bar.index() == "Colours"


def test_a_new_index_is_the_last_of_the_list(qtbot: QtBot, bar: QueryBar) -> None:
    bar.choose_index()
    opened = bar.findChild(IndexPopup)
    assert isinstance(opened, IndexPopup)
    QTest.keyClick(opened.rows, Qt.Key.Key_End)
    with qtbot.waitSignal(bar.new_index_wanted, timeout=2000), qtbot.assertNotEmitted(bar.index_chosen):
        QTest.keyClick(opened.rows, Qt.Key.Key_Return)


@pytest.mark.parametrize("width", [360, 480, 640, 900, 1400])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
def test_nothing_overlaps_or_is_cut_off_at_any_width(bar: QueryBar, width: int, count: int) -> None:
    bar.set_examples(([MILL, BRIDGE, CROWD] * 2)[:count])
    bar.resize(width, bar.height())
    assert bar.height() == bar.sizeHint().height()
    pieces: list[QWidget] = [*_chips(bar), *(pill for pill in bar.findChildren(Pill) if pill.isVisible())]
    pictures = [picture for picture in bar.findChildren(ExamplePicture) if picture.isVisible()]
    assert len(pictures) == count
    for piece in (*pieces, *pictures):
        assert bar.rect().contains(piece.geometry()), piece
    for one, other in combinations(pieces, 2):
        assert not one.geometry().intersects(other.geometry()), (one, other)
    for picture, piece in ((picture, piece) for picture in pictures for piece in pieces):
        assert not picture.geometry().intersects(piece.geometry())
    bar.grab()


@pytest.mark.parametrize("width", [400, 1400])
def test_everything_has_a_name_and_the_order_of_tab_is_that_of_reading(bar: QueryBar, width: int) -> None:
    bar.resize(width, bar.height())
    buttons = [button for button in bar.findChildren(QAbstractButton) if button.isVisible()]
    for button in buttons:
        interface = QAccessible.queryAccessibleInterface(button)
        assert interface is not None
        assert interface.text(QAccessible.Text.Name)
    order: list[QWidget] = []
    at: QWidget | None = _chips(bar)[0].stops()[0]
    while at is not None and len(order) < len(buttons):
        if at in buttons:
            order.append(at)
        at = at.nextInFocusChain()
    assert isinstance(order[-1], Pill)
    assert any(isinstance(stop, IndexChooser) for stop in order)
    places = [widget.mapTo(bar, QPoint(0, 0)) for widget in order]
    assert places == sorted(places, key=lambda place: (place.y(), place.x()))


@pytest.mark.parametrize("width", [400, 1400])
def test_keys_of_buttons_hold_at_any_width(bar: QueryBar, width: int) -> None:
    bar.resize(width, bar.height())
    pills = [pill for pill in bar.findChildren(Pill) if pill.isVisible()]
    keys = {pill.shortcut().toString() for pill in pills}
    assert keys == {"Ctrl+L", "Ctrl+Shift+L", "Ctrl+R", "Ctrl+I", ""}  # that of colours holds in the whole window
    for pill in pills:
        assert (pill.shortcut().toString() or "Ctrl+K") in pill.toolTip()


def test_an_ampersand_in_a_name_is_no_shortcut(bar: QueryBar) -> None:
    bar.set_examples([ShownExample("salt&pepper.jpg", b"")])
    stop = _chips(bar)[0].stops()[0]
    assert isinstance(stop, QAbstractButton)
    assert stop.shortcut().isEmpty()
    assert "salt&pepper.jpg" in stop.accessibleName()


def test_the_name_of_the_index_is_read_in_a_narrow_window_too(bar: QueryBar) -> None:
    bar.set_examples([MILL])
    bar.resize(310, bar.height())
    chooser = bar.findChild(IndexChooser)
    assert isinstance(chooser, IndexChooser)
    assert chooser.width() >= chooser.least_width()
    assert _chips(bar)[0].width() >= 76


def test_room_is_shared_fairly() -> None:
    assert shared_widths([100, 100], 300) == [100, 100]
    assert shared_widths([40, 200, 200], 240) == [40, 100, 100]
    assert shared_widths([50], -10) == [0]
    assert shared_widths([], 100) == []
