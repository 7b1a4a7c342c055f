"""The arithmetic of the grid against a plain reference that places every tile one after the other."""

from __future__ import annotations

import doctest
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.gui.photo_grid import grid_layout, photo_grid
from app.gui.photo_grid import grid_layout as layout
from app.gui.photo_grid.grid_layout import GridBox, GridLayout, GridMeasures

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
