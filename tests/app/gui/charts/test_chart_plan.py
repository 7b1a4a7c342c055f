"""Words of a chart cover neither each other nor, where there is room, the data; names stand where curves end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.charts.chart_plan import LINE, plan_chart
from app.lab.figures.axes import equal_extent, extent, linear_ticks, plain_number, scaled
from app.lab.figures.figure import Axis, Figure, FigureKind, Marker, Series
from app.lab.figures.label_places import LabelBox, LabelPlacer, beside_line, crosses
from tests.app.gui.charts.figures import EVERY, measured, places


def wide(words: str) -> float:
    """Measure words as if every letter were as wide."""
    return 6.0 * len(words)


@pytest.mark.parametrize("make", EVERY)
@pytest.mark.parametrize("size", [(240.0, 200.0), (520.0, 300.0), (1400.0, 700.0)])
def test_everything_lies_within_and_apart(make: Callable[[], Figure], size: tuple[float, float]) -> None:
    figure = make()
    made = plan_chart(figure, extent(figure), size, wide, whole=True)
    assert made.plot.left + made.plot.width <= size[0]
    assert made.plot.top + made.plot.height < size[1]
    assert {one.series for one in made.names} == set(range(len(figure.series)))
    shown = [one for one in made.x_ticks if one.words]
    assert len(shown) >= 2
    assert all(
        after.at - wide(after.words) / 2 > before.at + wide(before.words) / 2 for before, after in pairwise(shown)
    )
    names = [
        LabelBox(one.left, one.middle - LINE * len(one.lines) / 2, 200, LINE * len(one.lines)) for one in made.names
    ]
    if not made.legend:
        assert not any(crosses(one, other) for one, other in combinations(names, 2))
        assert all(one.left >= made.plot.left + made.plot.width for one in made.names)
    for one in made.names:
        assert one.left + max(wide(line) for line in one.lines) <= size[0] or made.legend
    words = [one.box for one in (*made.lines, *made.labels)]
    assert not any(crosses(one, other) for one, other in combinations(words, 2))


def test_a_name_stands_at_the_height_of_its_curve_and_in_a_legend_only_without_room() -> None:
    figure = measured()
    figure = replace(figure, series=[replace(one, name=name) for one, name in zip(figure.series, "ab", strict=True)])
    made = plan_chart(figure, extent(figure), (520, 300), wide, whole=True)
    for name in made.names:
        y = figure.series[name.series].y[-1]
        assert name.middle == pytest.approx(float(made.down(y)), abs=1)
        assert name.end is not None
    assert not made.legend
    many = replace(figure, series=[replace(figure.series[0], name=f"{i}" * 20, place=i) for i in range(9)])
    assert plan_chart(many, extent(many), (240, 200), wide, whole=True).legend


def test_words_of_a_line_leave_the_data_where_there_is_room() -> None:
    at = np.linspace(0, 100, 101)
    falling = Figure(
        "x", "", "", Axis("x"), Axis("y"), [Series("s", at.tolist(), (100 - at).tolist())], [Marker(2, "at two")]
    )
    made = plan_chart(falling, extent(falling), (520, 300), wide, whole=True)
    (words,) = made.lines
    curve = [LabelBox(float(made.across(one)), float(made.down(100 - one)), 1, 1) for one in at]
    assert not any(crosses(words.box, one) for one in curve)


def _cloud(at: list[tuple[float, float]], firm: int) -> Figure:
    """Make a scatter whose points all say something, `firm` of them what matters most."""
    return Figure(
        "x", "", "", Axis("x", low=0, high=1), Axis("y", low=0, high=1),
        [Series("s", [x for x, _ in at], [y for _, y in at], kind=FigureKind.POINTS, marked=True,
                labels=[f"now: {place}" if place < firm else f"{place:,}" for place in range(len(at))],
                ranks=[0 if place < firm else 2 for place in range(len(at))])],
        kind=FigureKind.POINTS,
    )  # fmt: skip


@given(
    st.lists(st.tuples(st.floats(0.3, 0.7), st.floats(0.3, 0.7)), min_size=2, max_size=60),
    st.sampled_from([(240.0, 200.0), (420.0, 270.0), (900.0, 420.0)]),
)
def test_what_points_say_covers_neither_words_nor_points(
    at: list[tuple[float, float]], size: tuple[float, float]
) -> None:
    figure = _cloud(at, 2)
    made = plan_chart(figure, extent(figure), size, wide, whole=True)
    marks = [LabelBox(float(made.across(x)) - 4, float(made.down(y)) - 4, 8, 8) for x, y in at]
    boxes = [one.box for one in made.labels]
    assert not any(crosses(one, other) for one, other in combinations(boxes, 2))
    assert not any(crosses(one, other) for one in boxes for other in marks)
    assert all(made.plot.left <= one.left <= one.left + one.width <= made.plot.left + made.plot.width for one in boxes)


def test_of_points_that_are_near_those_that_matter_say_what_they_are_and_others_are_left_out() -> None:
    near = [(0.5 + 0.012 * (place % 7), 0.5 + 0.02 * (place // 7)) for place in range(49)]
    middle = [near[24], near[25], *(one for place, one in enumerate(near) if place not in {24, 25})]
    figure = _cloud(middle, 2)
    made = plan_chart(figure, extent(figure), (520, 300), wide, whole=True)
    said = [one.words for one in made.labels]
    assert {"now: 0", "now: 1"} <= set(said)
    assert 2 < len(said) < len(near)
    away = [one for one in made.labels if one.lead is not None]
    assert {one.words for one in away} <= {"now: 0", "now: 1"}
    assert away
    for one in away:  # the line ends at the point it speaks of
        assert one.lead is not None
        x, y = middle[int(one.words[-1])]
        across, down = float(made.across(x)), float(made.down(y))
        assert np.hypot(one.lead.to_x - across, one.lead.to_y - down) <= 10.1
    closer = plan_chart(figure, ((0.48, 0.6), (0.48, 0.64)), (1400, 700), wide, whole=False)
    assert len(closer.labels) == len(near), "there is room for all"


@given(
    st.lists(st.floats(0, 400), min_size=1, max_size=4),
    st.lists(st.floats(10, 90), min_size=4, max_size=4),
)
def test_words_of_lines_that_are_close_never_overlap(at: list[float], widths: list[float]) -> None:
    room = LabelPlacer(400, 200)
    placed = [room.place(beside_line(one, width, LINE, 6)) for one, width in zip(at, widths, strict=False)]
    assert not any(crosses(one, other) for one, other in combinations(placed, 2))
    assert all(one.left >= 0 and one.left + one.width <= 400 for one in placed)


def test_a_unit_is_as_long_across_as_up() -> None:
    figure = places()
    for size in ((300.0, 300.0), (900.0, 300.0)):
        made = plan_chart(figure, extent(figure), size, wide, whole=True)
        units = (made.x[1] - made.x[0]) / made.plot.width, (made.y[1] - made.y[0]) / made.plot.height
        assert units[0] == pytest.approx(units[1])
        whole = extent(figure)
        assert made.x[0] <= whole[0][0] <= whole[0][1] <= made.x[1] + 1e-9


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.floats(10, 1000), st.floats(10, 1000))
def test_equal_units_only_widen(low: float, across: float, up: float, width: float, height: float) -> None:
    spans = (low, low + across), (low, low + up)
    for before, after in zip(spans, equal_extent(spans, width, height), strict=True):
        length = after[1] - after[0]
        assert after[0] <= before[0] + 1e-6 * length + 1e-9
        assert after[1] >= before[1] - 1e-6 * length - 1e-9


@given(st.floats(-1e5, 1e5), st.floats(1e-3, 1e5), st.integers(2, 12))
def test_ticks_are_round_few_and_within(low: float, length: float, most: int) -> None:
    found = linear_ticks(low, low + length, most)
    assert 1 <= len(found) <= most + 1 or length < 1e-9 * abs(low)
    assert all(low - 1e-6 * length <= one <= low + length * (1 + 1e-6) for one in found)
    assert len({plain_number(one) for one in linear_ticks(0, length, most)}) == len(linear_ticks(0, length, most))


def test_what_an_axis_says_holds_and_what_it_cannot_show_is_left_out() -> None:
    figure = Figure(
        "x", "", "", Axis("x", log=True), Axis("y", low=0, high=1),
        [Series("s", [0.0, 1.0, 100.0], [0.5, 0.5, 0.7])], [Marker(1000, "far")],
    )  # fmt: skip
    (left, right), (low, high) = extent(figure)
    assert left < 0 < 3 < right
    assert low == 0
    assert 1 < high < 1.1
    assert np.isnan(scaled([0.0, -1.0], figure.x)).all()
    nothing = extent(Figure("x", "", "", Axis("x"), Axis("y")))
    assert nothing == ((-0.035, 1.035), (-0.035, 1.035))
