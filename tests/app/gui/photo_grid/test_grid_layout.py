"""The arithmetic of the grid and its selection against plain references, and its thumbnails in the right order."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.photo_grid.tables import Table, is_like, jpeg, key
from tests.app.gui.working import rested
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import DARK, LIGHT, theme
from twinlens.app.gui.photo_grid import Caption, PhotoGrid, grid_layout, photo_grid
from twinlens.app.gui.photo_grid import grid_layout as layout
from twinlens.app.gui.photo_grid.grid_layout import GridBox, GridLayout, GridMeasures, RowSelection

Tile = tuple[GridBox, int, int, int]


@dataclass(frozen=True)
class Case:
    counts: list[int]
    width: int
    measures: GridMeasures

    def layout(self) -> GridLayout:
        return GridLayout(np.cumsum([0, *self.counts]), self.width, self.measures)

    def tiles(self) -> list[Tile]:
        """Place tile after tile, as one would by hand: box, section, line in section, column."""
        layout, m = self.layout(), self.measures
        placed: list[Tile] = []
        y = 0 if m.heading else m.margin
        for section, count in enumerate(self.counts):
            y += m.heading
            for i in range(count):
                line, column = divmod(i, layout.columns)
                top = y + line * (layout.side + m.foot + m.gap)
                placed.append(
                    (GridBox(layout.left(column), top, layout.side, layout.side + m.foot), section, line, column)
                )
            y += -(-count // layout.columns) * (layout.side + m.foot + m.gap)
        return placed


@st.composite
def cases(draw: st.DrawFn) -> Case:
    measures = GridMeasures(
        side=draw(st.integers(20, 320)),
        gap=draw(st.integers(0, 20)),
        margin=draw(st.integers(0, 24)),
        foot=draw(st.sampled_from([0, 28])),
        heading=draw(st.sampled_from([0, 40])),
    )
    counts = draw(st.lists(st.integers(1, 14), min_size=1, max_size=6 if measures.heading else 1))
    return Case(counts, draw(st.integers(1, 900)), measures)


heights = st.integers(-200, 3000)


def _meets(a: GridBox, b: GridBox) -> bool:
    return (
        min(a.width, b.width, a.height, b.height) > 0
        and a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )


@given(cases())
def test_every_tile_is_where_it_is_placed_by_hand(case: Case) -> None:
    layout = case.layout()
    for row, (box, *place) in enumerate(case.tiles()):
        assert layout.box(row) == box
        assert list(layout.place(row)) == place
    assert layout.corners(0, layout.count) == [(tile[0].x, tile[0].y) for tile in case.tiles()]


@given(cases())
def test_tiles_do_not_meet_and_fill_the_width(case: Case) -> None:
    layout, boxes = case.layout(), [tile[0] for tile in case.tiles()]
    for box, following in pairwise(boxes):
        assert not _meets(box, following)
    assume(case.width > 2 * case.measures.margin)
    lines_end = layout.left(layout.columns - 1) + layout.side
    assert 0 <= case.width - case.measures.margin - lines_end < layout.columns
    assert max(b.y + b.height for b in boxes) + case.measures.margin == layout.height


@given(cases())
def test_the_number_of_columns_brings_tiles_nearest_to_the_wished_side(case: Case) -> None:
    layout, m = case.layout(), case.measures
    assume(case.width > 2 * m.margin)

    def columns_short(columns: int) -> float:
        """How far a number of columns is from what the wished side asks for."""
        return abs((case.width - 2 * m.margin + m.gap) / (m.side + m.gap) - columns)

    assert all(columns_short(layout.columns) <= columns_short(other) for other in range(1, layout.columns + 3))


@given(cases(), st.integers(-20, 920), heights)
def test_the_row_at_a_point_is_the_tile_that_holds_it(case: Case, x: int, y: int) -> None:
    wanted = [row for row, (box, *_) in enumerate(case.tiles()) if _meets(box, GridBox(x, y, 1, 1))]
    assert case.layout().row_at(x, y) == (wanted[0] if wanted else -1)


@given(cases(), st.data())
def test_every_corner_of_a_tile_belongs_to_it(case: Case, data: st.DataObject) -> None:
    layout = case.layout()
    row = data.draw(st.integers(0, layout.count - 1))
    x, y, width, height = layout.box(row)
    for at in ((x, y), (x + width - 1, y), (x, y + height - 1), (x + width - 1, y + height - 1)):
        assert layout.row_at(*at) == row


@given(cases(), heights, st.integers(0, 1500))
def test_the_rows_between_two_heights_are_those_of_which_a_part_lies_there(case: Case, top: int, extent: int) -> None:
    wanted = [
        row
        for row, (box, *_) in enumerate(case.tiles())
        if box.y < top + extent and box.y + box.height > top and extent
    ]
    assert list(range(*case.layout().between(top, top + extent))) == wanted


@given(cases(), st.integers(-20, 920), heights, st.integers(0, 900), st.integers(0, 1500))
def test_the_rows_in_a_box_are_those_it_meets(case: Case, x: int, y: int, width: int, height: int) -> None:
    box = GridBox(x, y, width, height)
    wanted = [row for row, (tile, *_) in enumerate(case.tiles()) if _meets(tile, box)]
    assert case.layout().rows_in(box).tolist() == wanted


@given(cases(), st.data())
def test_up_and_down_lead_to_the_next_line_in_the_same_column_or_the_last_before_it(
    case: Case, data: st.DataObject
) -> None:
    layout, tiles = case.layout(), case.tiles()
    row = data.draw(st.integers(0, layout.count - 1))
    column = data.draw(st.integers(0, layout.columns - 1))
    tops = sorted({box.y for box, *_ in tiles})
    at = tops.index(tiles[row][0].y)

    def in_line(number: int) -> int:
        line = [r for r, tile in enumerate(tiles) if tile[0].y == tops[number]]
        return line[min(column, len(line) - 1)]

    assert layout.below(row, column) == (in_line(at + 1) if at + 1 < len(tops) else row)
    assert layout.above(row, column) == (in_line(at - 1) if at > 0 else row)


@given(cases(), st.data(), st.integers(1, 800))
def test_a_page_leads_about_a_page_away_and_never_nowhere(case: Case, data: st.DataObject, page: int) -> None:
    layout = case.layout()
    row = data.draw(st.integers(0, layout.count - 1))
    column = layout.place(row).column
    down, up = layout.paged(row, column, page), layout.paged(row, column, -page)
    here, first, last = layout.box(row).y, layout.box(0).y, layout.box(layout.count - 1).y
    reach = max(page, layout.pitch) + layout.measures.heading
    assert down == row if here == last else here < layout.box(down).y <= here + reach
    assert up == row if here == first else here - reach - layout.pitch <= layout.box(up).y < here


@given(cases(), st.integers(0, 3000))
def test_a_heading_sticks_to_the_top_and_is_pushed_out_by_the_next(case: Case, top: int) -> None:
    assume(case.measures.heading)
    layout, tiles = case.layout(), case.tiles()
    section = layout.section_at(top)
    y, height = layout.heading(section, top), case.measures.heading
    own = [box for box, of, *_ in tiles if of == section]
    assert own[0].y - height <= y <= own[-1].y + own[-1].height + case.measures.gap - height
    if section + 1 < layout.sections:
        assert y + height <= layout.heading(section + 1, top)
    if top <= own[-1].y and top >= own[0].y - height:
        assert y == top or y + height == own[-1].y + own[-1].height + case.measures.gap


@given(cases(), st.data())
def test_every_key_leads_to_a_row(case: Case, data: st.DataObject) -> None:
    layout = case.layout()
    row = data.draw(st.integers(0, layout.count - 1))
    key = data.draw(st.sampled_from(sorted(photo_grid.MOVES)))
    page = data.draw(st.integers(1, 2000))
    assert 0 <= photo_grid.moved_row(layout, key, row, layout.place(row).column, page) < layout.count


@pytest.mark.parametrize("heading", [0, 40])
def test_a_million_rows_need_no_memory_of_their_own(heading: int) -> None:
    counts = np.full(1000, 1000) if heading else np.array([1_000_000])
    layout = GridLayout(np.concatenate(([0], np.cumsum(counts))), 1000, GridMeasures(heading=heading))
    last = layout.box(999_999)
    assert layout.row_at(last.x, last.y) == 999_999
    assert layout.height < 2**31  # what a scroll bar can say
    assert sum(value.nbytes for value in vars(layout).values() if isinstance(value, np.ndarray)) < 20_000


def test_nothing_has_no_height() -> None:
    layout = GridLayout(np.array([0]), 500, GridMeasures())
    assert (layout.height, layout.between(0, 1000), layout.row_at(20, 20)) == (0, (0, 0), -1)


@pytest.mark.parametrize("module", [layout, grid_layout])
def test_the_examples_print_what_they_say(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


COUNT = 12
rows = st.integers(0, COUNT - 1)


class AgainstSets(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.selection = RowSelection(COUNT)
        self.wanted: set[int] = set()
        self.base: set[int] = set()
        self.anchor = 0

    def _expect(self, wanted: set[int], changed: bool) -> None:
        assert changed == (wanted != self.wanted)
        self.wanted = wanted

    @rule(row=rows)
    def only(self, row: int) -> None:
        self.anchor, self.base = row, set()
        self._expect({row}, self.selection.only(row))

    @rule(row=rows)
    def toggle(self, row: int) -> None:
        self.anchor, self.base = row, self.wanted ^ {row}
        self._expect(self.wanted ^ {row}, self.selection.toggle(row))

    @rule(row=rows, add=st.booleans())
    def reach(self, row: int, add: bool) -> None:
        reached = set(range(min(row, self.anchor), max(row, self.anchor) + 1))
        self._expect(reached | (self.base if add else set()), self.selection.reach(row, add=add))

    @rule(first=rows, end=rows, add=st.booleans())
    def group(self, first: int, end: int, add: bool) -> None:
        run = set(range(first, max(first, end) + 1))
        wanted = self.wanted - run if add and run <= self.wanted else (self.wanted if add else set()) | run
        self.anchor, self.base = first, wanted
        self._expect(wanted, self.selection.group(first, max(first, end) + 1, add=add))

    @rule()
    def everything(self) -> None:
        self._expect(set(range(COUNT)), self.selection.everything())

    @rule()
    def nothing(self) -> None:
        self.base = set()
        self._expect(set(), self.selection.nothing())

    @rule(base=st.sets(rows), band=st.sets(rows))
    def banded(self, base: set[int], band: set[int]) -> None:
        mask = np.isin(np.arange(COUNT), list(base))
        self._expect(base | band, self.selection.banded(mask, np.array(sorted(band), np.int64)))

    @invariant()
    def says_the_same(self) -> None:
        assert self.selection.rows().tolist() == sorted(self.wanted)
        assert self.selection.count == len(self.wanted)
        assert [row for row in range(COUNT) if row in self.selection] == sorted(self.wanted)


TestSelection = AgainstSets.TestCase


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[PhotoGrid]:
    grid = PhotoGrid()
    qtbot.addWidget(grid)
    grid.resize(800, 600)
    yield grid
    grid.close()


def _shown(grid: PhotoGrid, qtbot: QtBot, table: Table) -> list[bytes]:
    """Show photographs, and give what is wished for."""
    grid.show_rows(table)
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.show()
    assert wanted.args is not None
    wished: list[bytes] = wanted.args[0]
    return wished


def _pixel(grid: PhotoGrid, row: int) -> QColor:
    picture = grid.viewport().grab().toImage()
    return picture.pixelColor(grid.tile_rect(row).center())


def test_what_is_seen_is_wished_for_first_then_a_screen_ahead(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(1000)))
    seen = len(grid.visible_rows())
    assert wished[:seen] == [key(row) for row in grid.visible_rows()]
    assert seen < len(wished) <= 2 * seen + grid.layout_now.columns
    assert wished == [key(row) for row in range(len(wished))]
    grid.pictures.take({one: jpeg() for one in wished})
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.verticalScrollBar().setValue(20_000)
    assert wanted.args is not None
    assert wanted.args[0][0] == key(grid.visible_rows()[0])
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.verticalScrollBar().setValue(10_000)
    seen_now = grid.visible_rows()
    assert wanted.args is not None
    assert wanted.args[0][: len(seen_now)] == [key(row) for row in seen_now]
    assert wanted.args[0][len(seen_now)] in (key(seen_now[0] - 1), key(seen_now[0] - 2))  # ahead is now upwards


def test_what_is_on_its_way_or_there_is_not_wished_for_again(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(12)))
    assert len(wished) == 12
    with qtbot.assertNotEmitted(grid.pictures.wanted):
        grid.resize(790, 590)
        rested(qtbot, grid)
    grid.pictures.take({one: jpeg() for one in wished})
    with qtbot.assertNotEmitted(grid.pictures.wanted):
        grid.resize(780, 580)
        rested(qtbot, grid)


def test_a_thumbnail_takes_the_place_of_the_well(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(8)))
    assert is_like(_pixel(grid, 0), theme().well)
    grid.pictures.take({wished[0]: jpeg("#2040d0", 256, 192)})
    qtbot.waitUntil(lambda: is_like(_pixel(grid, 0), "#2040d0"))
    assert is_like(_pixel(grid, 1), theme().well)
    grid.tile_side = 320  # stretched, until it is made anew
    assert is_like(_pixel(grid, 0), "#2040d0")

    def made() -> tuple[int, float] | None:
        shown = grid.picture_of(wished[0])
        return None if shown is None else (shown[0].width(), shown[1])

    qtbot.waitUntil(lambda: made() == (grid.layout_now.side, 1.0))


@pytest.mark.parametrize("damaged", [b"", b"no picture"])
def test_what_cannot_be_shown_is_a_sign_until_it_is_shown_anew(grid: PhotoGrid, qtbot: QtBot, damaged: bytes) -> None:
    table = Table(range(3))
    wished = _shown(grid, qtbot, table)
    grid.pictures.take({wished[0]: damaged})
    qtbot.waitUntil(lambda: grid.pictures.unreadable(wished[0]))
    assert _pixel(grid, 0).lightness() < _pixel(grid, 1).lightness() - 30
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.show_rows(table)
    assert wanted.args == [wished]


def test_faded_is_what_is_away_or_was_missed(grid: PhotoGrid, qtbot: QtBot) -> None:
    table = Table(range(3))
    table.away[1] = True
    wished = _shown(grid, qtbot, table)
    grid.pictures.take({one: jpeg("#000000", 200, 200) for one in wished})
    qtbot.waitUntil(lambda: is_like(_pixel(grid, 0), "#000000"))
    assert _pixel(grid, 1).lightness() > _pixel(grid, 0).lightness() + 60
    grid.show_rows(Table(range(3), caption=Caption("9", "0.3", 0.3, ghost=True)))
    assert _pixel(grid, 0).lightness() > 60


def test_colours_follow_the_theme(grid: PhotoGrid, qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    _shown(grid, qtbot, Table(range(3)))
    try:
        for scheme, colours in (("dark", DARK), ("light", LIGHT)):
            apply_theme(application, scheme)
            assert is_like(_pixel(grid, 0), colours.well)
    finally:
        application.setProperty("twinlens-scheme", None)


def test_headings_stick_over_photographs_and_leave_their_frames_whole(grid: PhotoGrid, qtbot: QtBot) -> None:
    _shown(grid, qtbot, Table(range(90), [30, 60]))
    grid.set_current(0)

    def at(x: int, y: int) -> QColor:
        return grid.viewport().grab().toImage().pixelColor(x, y)

    for top in (0, grid.layout_now.box(30).y - grid.layout_now.measures.heading):
        grid.verticalScrollBar().setValue(top)
        row = 0 if top == 0 else 30
        grid.choose(row, Qt.KeyboardModifier.NoModifier)
        tile = grid.tile_rect(row)
        assert is_like(at(tile.center().x(), tile.top() - 2), theme().accent)
    grid.scroll_by(-30)  # the second heading pushes the first out
    assert is_like(at(400, 5), theme().ground)
    grid.verticalScrollBar().setValue(grid.layout_now.box(8).y - 10)
    assert is_like(at(grid.tile_rect(8).center().x(), 20), theme().ground)
    assert is_like(at(grid.tile_rect(8).center().x(), 50), theme().well)


@pytest.mark.parametrize("caption", [None, Caption("1", "0.50", 0.5, marked=True)])
def test_what_scrolling_leaves_on_the_screen_is_what_painting_all_gives(
    grid: PhotoGrid, qtbot: QtBot, caption: Caption | None
) -> None:
    table = Table(range(200), [5, 45, 150], caption)
    table.away[::3] = True
    grid.show_rows(table)
    grid.show()
    qtbot.waitExposed(grid)
    for row in range(0, 200, 7):
        grid.choose(row, Qt.KeyboardModifier.ControlModifier)
    grid.scroll_by(-50_000)
    for distance in (7, 300, -20, 171, 400, -33, 900, 5000, -2500, -160, 90):
        grid.scroll_by(distance)
        QApplication.processEvents()
        on_screen = grid.screen().grabWindow(grid.winId()).toImage()
        assert on_screen.size() == grid.size()
        assert on_screen.convertToFormat(QImage.Format.Format_RGB32) == grid.grab().toImage().convertToFormat(
            QImage.Format.Format_RGB32
        )


def test_what_comes_is_painted_without_being_asked(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(8)))
    QApplication.processEvents()

    def on_screen(row: int) -> QColor:
        picture = grid.screen().grabWindow(grid.winId()).toImage()
        return picture.pixelColor(grid.tile_rect(row).center())

    assert is_like(on_screen(1), theme().well)
    grid.pictures.take({wished[1]: jpeg("#2040d0", 200, 200), wished[2]: b""})
    qtbot.waitUntil(lambda: is_like(on_screen(1), "#2040d0"))
    qtbot.waitUntil(lambda: on_screen(2).lightness() < on_screen(3).lightness() - 30)


def test_an_icon_is_not_blown_up(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table([1]))
    grid.pictures.take({wished[0]: jpeg(width=16, height=8)})
    qtbot.waitUntil(lambda: grid.picture_of(wished[0]) is not None)
    made = grid.picture_of(wished[0])
    assert made is not None
    assert (made[0].width(), made[0].height()) == (32, 16)


def test_scrolling_through_everything_never_holds_more_than_allowed(grid: PhotoGrid, qtbot: QtBot) -> None:
    grid.pictures.limit = 6_000_000
    most = 0

    def fetch(wished: list[bytes]) -> None:
        grid.pictures.take({one: jpeg(width=200, height=150) for one in wished})

    def watch() -> None:
        nonlocal most
        most = max(most, grid.pictures.held)

    grid.pictures.wanted.connect(fetch)
    grid.pictures.made.connect(watch)
    _shown(grid, qtbot, Table(range(2000)))
    for at in range(0, 30_000, 700):
        grid.verticalScrollBar().setValue(at)
        rows = grid.visible_rows()
        qtbot.waitUntil(lambda rows=rows: all(grid.picture_of(key(row)) for row in rows))  # type: ignore[misc]
        watch()
    assert 4_000_000 < most <= 6_000_000
