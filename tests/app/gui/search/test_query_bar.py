"""The query in the window: examples, words, filters and the index, at every width."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import button, do_key, edit, named, part
from tests.app.gui.search.pictures import jpeg
from tests.app.gui.working import settled, settled_window
from tests.features.networks import write_pair
from twinlens.app.gui.actions.action import available, is_withheld
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.lists.pick_list import ChoiceList, InputField, PickList
from twinlens.app.gui.look.buttons import Link, Pill
from twinlens.app.gui.search.history_menu import history_entry
from twinlens.app.gui.search.query_bar import IndexChooser, IndexOption, IndexPopup, QueryBar, shared_widths
from twinlens.app.gui.search.query_examples import ExampleChip, ExamplePicture, ShownExample, WeightPopup, example_text
from twinlens.app.gui.search.word_search import WordsField
from twinlens.app.gui.side_panel.filters import ChoiceRow, DatePopup, FilterPanel
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.language.text_folding import NO_CAMERA
from twinlens.app.library.library import Library
from twinlens.app.library.saved_state import history
from twinlens.app.search.search_query import Example, read_phrase

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
    do_key(_chips(bar)[2].stops()[0], Qt.Key.Key_Delete)
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
    for name in ("results should be like", "keep away from", "part of the picture"):
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
    cards = [opened.rows.cards.card(n) for n in range(3)]
    assert [one.spoken for one in cards] == [
        "Automatic: shapes and places",
        "Colours: colours",
        "New index…",
    ]
    assert cards[1].tip == "colour · klsh:bits=256 · scan"
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
    buttons = [one for one in bar.findChildren(QAbstractButton) if one.isVisible()]
    for one in buttons:
        interface = QAccessible.queryAccessibleInterface(one)
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
    keys = [[one.shortcut().toString() for one in pill.actions()] for pill in pills]
    assert sorted(keys) == [[], ["Ctrl+I"], ["Ctrl+L"], ["Ctrl+R"], ["Ctrl+Shift+L"]]  # no key of its own: colours
    for pill, own in zip(pills, keys, strict=True):
        assert "".join(own or ["Ctrl+K"]) in pill.toolTip()


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


COUNT = 12


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def prepared(libraries: Libraries, pair: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = libraries.copy(COUNT, tmp_path_factory.mktemp("words") / "words.twinlens")
    with Library.open(path) as library:
        create_index(library, NewIndex(descriptor=f"network:path={pair}", method="itq:bits=3", name="Words"), workers=1)
    return path


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, prepared: Path, tmp_path: Path) -> Iterator[MainWindow]:
    shown = settled_window(qtbot, Path(shutil.copy(prepared, tmp_path / "own.twinlens")))
    yield shown
    shown.close()


def examples(frame: MainWindow) -> tuple[Example, ...]:
    asked = frame.workspace.searching.query
    return () if asked is None else asked.examples


def line(frame: MainWindow) -> QLineEdit:
    (field,) = [one for one in frame.findChildren(WordsField) if one.isVisible()]
    return edit(field, "Describe what you look for")


def ask(qtbot: QtBot, frame: MainWindow, words: str, *, shift: bool = False) -> None:
    frame.workspace.ask_with_words()
    line(frame).setText(words)
    held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(line(frame), Qt.Key.Key_Return, held)
    settled(qtbot, frame)


def test_words_are_searched_by_the_index_that_knows_them(qtbot: QtBot, frame: MainWindow) -> None:
    action = available(frame.workspace, window_actions()["words"], None)
    assert action is not None
    action()
    assert frame.workspace.view() == "search"
    line(frame).setText("  a red  roof ")
    QTest.keyClick(line(frame), Qt.Key.Key_Return)
    settled(qtbot, frame)
    searching = frame.workspace.searching
    assert [one.picture for one in examples(frame)] == [read_phrase("a red roof", "en")]
    assert (searching.index, searching.chosen_index) == ("Words", "Automatic")
    assert searching.view.grid.rows().count == COUNT
    (chip,) = [one for one in searching.view.findChildren(ExampleChip) if one.isVisible()]
    assert chip.text() == "a red roof"
    assert not button(searching.view.bar, "Search with a part of the picture").isEnabled()


def test_other_words_take_the_place_of_the_earlier_ones_and_back_leads_there(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    ask(qtbot, frame, "blue")
    assert [one.picture for one in examples(frame)] == [read_phrase("blue", "en")]
    frame.workspace.history.go_back()
    settled(qtbot, frame)
    assert [one.picture for one in examples(frame)] == [read_phrase("red", "en")]
    assert frame.workspace.searching.index == "Words"
    kept = [history_entry(frame.workspace.opened, one).name for one in history(frame.workspace.opened.library)]
    assert kept == ["blue · Words", "red · Words"]


def test_words_come_to_the_photographs_and_can_count_against(qtbot: QtBot, frame: MainWindow) -> None:
    searching = frame.workspace.searching
    searching.take_pictures([3])
    settled(qtbot, frame)
    ask(qtbot, frame, "red", shift=True)
    assert [one.picture for one in examples(frame)] == [3, read_phrase("red", "en")]
    assert searching.index == "Words"
    searching.view.bar.weight_changed.emit(1, -1.0)
    settled(qtbot, frame)
    assert [one.weight for one in examples(frame)] == [1, -1]
    assert searching.view.grid.rows().count == COUNT
    searching.view.bar.example_removed.emit(1)
    settled(qtbot, frame)
    assert searching.index == "Automatic"  # the chosen one answers again


def test_a_chip_of_words_changes_them(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    (chip,) = [one for one in frame.workspace.searching.view.findChildren(ExampleChip) if one.isVisible()]
    chip.click()
    (popup,) = [one for one in frame.findChildren(WeightPopup) if one.isVisible()]
    button(popup, "Change these words").click()
    assert line(frame).text() == "red"
    QTest.keyClick(line(frame), Qt.Key.Key_Escape)
    assert [one.picture for one in examples(frame)] == [read_phrase("red", "en")]


def test_an_index_that_knows_no_words_says_which_does(qtbot: QtBot, frame: MainWindow) -> None:
    ask(qtbot, frame, "red")
    frame.workspace.searching.choose_index("Colours")
    settled(qtbot, frame)
    button(frame.workspace.searching.view, "Search in “Words”").click()
    settled(qtbot, frame)
    assert frame.workspace.searching.index == "Words"
    assert frame.workspace.searching.view.grid.rows().count == COUNT


def test_without_such_an_index_what_photographs_show_answers(
    qtbot: QtBot, own_data: None, libraries: Libraries, tmp_path: Path
) -> None:
    shown = settled_window(qtbot, libraries.copy(COUNT, tmp_path / "own.twinlens"))
    assert not is_withheld(shown.workspace, window_actions()["words"])
    ask(qtbot, shown, "animal or plant or building or vehicle or food or clothing")
    searching = shown.workspace.searching
    assert searching.index == "Automatic"
    ask(qtbot, shown, "wedding")
    settled(qtbot, shown)
    assert any("found by “wedding” yet" in one.text() for one in searching.view.findChildren(QLabel))


Told = list[dict[str, str]]


@pytest.fixture
def panel(qtbot: QtBot) -> FilterPanel:
    made = FilterPanel(with_folder=True)
    qtbot.addWidget(made)
    made.set_cameras([("Canon EOS 300D", 1234), ("M&M 1", 7), (NO_CAMERA, 3)])
    made.set_years(["2024", "2023"])
    made.resize(200, 200)
    made.show()
    return made


@pytest.fixture
def told(panel: FilterPanel) -> Told:
    filters: Told = []
    panel.changed.connect(filters.append)
    return filters


def _row(panel: FilterPanel, name: str) -> ChoiceRow:
    return next(row for row in panel.findChildren(ChoiceRow) if row.accessibleName().startswith(name))


def _choose(panel: FilterPanel, name: str, words: str) -> None:
    QTest.keyClick(_row(panel, name), Qt.Key.Key_Return)
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def _dates(panel: FilterPanel) -> DatePopup:
    QTest.mouseClick(_row(panel, "Date"), Qt.MouseButton.LeftButton)
    popup = next(popup for popup in panel.findChildren(DatePopup) if popup.isVisible())
    assert isinstance(popup, DatePopup)
    return popup


def _cameras(panel: FilterPanel) -> ChoiceList:
    QTest.keyClick(_row(panel, "Camera"), Qt.Key.Key_Return)
    return next(one for one in panel.findChildren(ChoiceList) if one.isVisible())


def _choose_camera(panel: FilterPanel, start: str) -> None:
    """Choose by keys."""
    popup = _cameras(panel)
    row = next(row for row, words in enumerate(popup.words()) if words.startswith(start))
    offered = part(popup, PickList)
    QTest.keyClick(offered, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(offered, Qt.Key.Key_Down)
    QTest.keyClick(offered, Qt.Key.Key_Return)


def test_cameras_are_listed_with_counts_and_unknown_ones_are_named(panel: FilterPanel, told: Told) -> None:
    popup = _cameras(panel)
    assert popup.words() == ["Any camera", "Canon EOS 300D 1,234", "M&M 1 7", "Unknown camera 3"]
    assert edit(popup, "Find in the list").isHidden(), "four rows are seen at once"
    popup.close()
    _choose_camera(panel, "Unknown")
    assert told == [{"camera": NO_CAMERA}]
    assert _row(panel, "Camera").text() == "Unknown camera"


def test_a_long_list_fits_the_screen_and_is_found_in_by_typing(panel: FilterPanel, told: Told) -> None:
    panel.set_cameras([(f"Brand {number} Café", 1) for number in range(300)])
    popup = _cameras(panel)
    QApplication.processEvents()
    assert popup.isVisible(), "no other window took the keys from it"
    screen = popup.screen().availableGeometry()
    assert screen.contains(popup.geometry())
    assert popup.height() < 500
    QTest.keyClicks(edit(popup, "Find in the list"), "cafe 21")
    assert [one.removesuffix(" Café 1") for one in popup.words()] == [
        f"Brand {number}" for number in range(300) if "21" in str(number)
    ]
    QTest.keyClick(edit(popup, "Find in the list"), Qt.Key.Key_Down)
    QTest.keyClick(edit(popup, "Find in the list"), Qt.Key.Key_Return)
    assert told == [{"camera": "Brand 121 Café"}]


def test_what_photographs_show_is_offered_where_it_is_known(panel: FilterPanel, told: Told) -> None:
    row = _row(panel, "Subject")
    assert row.isHidden()
    panel.set_concepts([("dog", "Hund", 12), ("castle", "Burg", 3)])
    assert not row.isHidden()
    QTest.keyClick(row, Qt.Key.Key_Return)
    popup = next(one for one in panel.findChildren(ChoiceList) if one.isVisible())
    assert popup.words() == ["Any subject", "Hund 12", "Burg 3"]
    popup.chosen.emit("castle")
    popup.close()
    assert told == [{"shows": "castle"}]
    assert row.text() == "Burg"
    panel.set_concepts([])
    assert not row.isHidden()  # a set filter is never out of sight


def test_camera_and_shape_are_chosen_from_menus(panel: FilterPanel, told: Told) -> None:
    _choose_camera(panel, "M&M 1")
    _choose(panel, "Orientation", "Landscape only")
    assert told == [{"camera": "M&M 1"}, {"camera": "M&M 1", "orientation": "landscape"}]
    assert _row(panel, "Camera").text() == "M&M 1"
    _choose_camera(panel, "Any camera")
    assert told[-1] == {"orientation": "landscape"}


def test_dates_are_written(panel: FilterPanel, told: Told) -> None:
    popup = _dates(panel)
    popup.grab()
    QTest.keyClicks(popup.since, "2023-05")
    QTest.keyClicks(popup.until, "2023-06-1x")
    popup.take()
    assert popup.isVisible()
    assert "2023-06-1x is not a date" in popup.words.accessibleName()
    popup.until.setText("2023-06-15")
    popup.take()
    assert told == [{"since": "2023-05", "until": "2023-06-15"}]
    assert _row(panel, "Date").text() == "2023-05 – 2023-06-15"


def test_a_year_is_pressed_and_any_date_takes_it_back(panel: FilterPanel, told: Told) -> None:
    year = next(pill for pill in _dates(panel).findChildren(Pill) if pill.text() == "2023")
    QTest.mouseClick(year, Qt.MouseButton.LeftButton)
    assert told[-1] == {"since": "2023", "until": "2023"}
    assert _row(panel, "Date").text() == "2023"
    link = _dates(panel).findChild(Link)
    assert isinstance(link, Link)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert told[-1] == {}


def test_a_folder_is_told_soon_after_the_last_letter(qtbot: QtBot, panel: FilterPanel, told: Told) -> None:
    field = panel.findChild(InputField)
    assert isinstance(field, InputField)
    QTest.keyClicks(field, "Coast ")
    qtbot.waitUntil(lambda: told == [{"folder": "Coast"}], timeout=5000)
    assert field.text() == "Coast "  # what is being written stays as it is


def test_clear_takes_all_back(panel: FilterPanel, told: Told) -> None:
    panel.set_filters({"since": "2023", "camera": "Canon EOS 300D", "folder": "Coast", "other": "x"})
    assert told == []
    assert panel.filters() == {"since": "2023", "camera": "Canon EOS 300D", "folder": "Coast"}
    clear = next(link for link in panel.findChildren(Link) if link.isVisible())
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert told == [{}]
    assert not clear.isVisible()
    assert _row(panel, "Date").text() == "Any date"
    panel.clear()
    assert told == [{}]


@pytest.mark.parametrize(
    ("filters", "words"),
    [({"since": "2023"}, "Since 2023"), ({"until": "2023-05"}, "Until 2023-05"), ({}, "Any date")],
)
def test_dates_are_said_in_words(panel: FilterPanel, filters: dict[str, str], words: str) -> None:
    panel.set_filters(filters)
    assert _row(panel, "Date").text() == words


def test_beside_a_tree_there_is_no_line_for_a_folder(qtbot: QtBot) -> None:
    plain = FilterPanel()
    qtbot.addWidget(plain)
    plain.show()
    assert not any(field.isVisible() for field in plain.findChildren(InputField))


def test_nothing_jumps_when_a_filter_is_set(panel: FilterPanel) -> None:
    before = [row.pos() for row in panel.findChildren(ChoiceRow)]
    panel.set_filters({"camera": "Canon EOS 300D"})
    panel.grab()
    assert [row.pos() for row in panel.findChildren(ChoiceRow)] == before


def test_everything_has_a_name(panel: FilterPanel) -> None:
    for kind in (ChoiceRow, InputField, Link):
        for widget in panel.findChildren(kind):
            assert isinstance(widget, QWidget)
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface is not None
            assert interface.text(QAccessible.Text.Name)
