"""Charts draw every kind of figure, go by keys, and their words cover neither each other nor the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from tests.app.gui.charts.figures import EVERY, bars, density, measured, places
from twinlens.app.gui.charts import figure_view
from twinlens.app.gui.charts.chart import Chart, ChartBoard
from twinlens.app.gui.charts.chart_points import PointPlace, point_facts, point_sentence
from twinlens.app.gui.look.page_parts import scrolling
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import theme
from twinlens.app.lab.figures.axes import equal_extent, extent, linear_ticks, plain_number, scaled
from twinlens.app.lab.figures.chart_plan import LINE, plan_chart
from twinlens.app.lab.figures.figure import Axis, Figure, FigureKind, Marker, Series, series_colour
from twinlens.app.lab.figures.label_places import Coordinates, LabelBox, LabelPlacer, beside_line, crosses
from twinlens.app.lab.figures.painting import dashed_parts, density_ramp, seen_runs, thinned_corners

Make = Callable[[], Figure]


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart()
    qtbot.addWidget(made)
    made.resize(620, 460)
    made.show()
    return made


def zoomed(chart: Chart) -> bool:
    return chart.plot.zoomed


def picture(chart: Chart) -> QImage:
    return chart.grab().toImage()


def count(image: QImage, ink: str) -> int:
    """Count the pixels of a colour."""
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32) & 0xFFFFFF
    return int((pixels == (QColor(ink).rgb() & 0xFFFFFF)).sum())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_figure_is_drawn_in_the_colours_that_hold(chart: Chart, scheme: str) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, scheme)  # takes long: once for all of them
    try:
        for figure in (make() for make in EVERY):
            chart.show(figure)
            drawn = picture(chart)
            assert count(drawn, theme().paper) > 0.4 * drawn.width() * drawn.height()
            for one in figure.series:
                assert count(drawn, series_colour(one.place, scheme == "dark")) > 20, (figure.name, one.name)
            labels = {one.text() for one in chart.findChildren(QLabel)}
            assert {figure.title, figure.reading} <= labels
    finally:
        if scheme != "light":
            apply_theme(application, "light")


def test_colours_change_while_a_chart_is_seen(chart: Chart) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    chart.show(measured())
    assert count(picture(chart), series_colour(0, False)) > 20
    apply_theme(application, "dark")
    try:
        QApplication.processEvents()
        drawn = picture(chart)
        assert count(drawn, series_colour(0, True)) > 20
        assert count(drawn, series_colour(0, False)) == 0
    finally:
        apply_theme(application, "light")


def test_the_pointer_says_what_a_point_is_and_a_click_gives_its_row(chart: Chart, qtbot: QtBot) -> None:
    chart.show(measured())
    at = chart.plot.position(PointPlace(0, 1))
    assert at is not None
    with qtbot.waitSignal(chart.point_hovered) as hovered:
        QTest.mouseMove(chart.plot, (at + QPointF(3, 2)).toPoint())
    assert hovered.args == [PointPlace(0, 1)]
    assert chart.key_of(chart.plot.place) == "b"
    with qtbot.waitSignal(chart.point_clicked) as clicked:
        QTest.mouseClick(chart.plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert clicked.args == ["b"]
    ringed = picture(chart)
    chart.plot.point_at(None)
    assert picture(chart) != ringed
    last = chart.plot.position(PointPlace(0, 2))
    assert last is not None
    with qtbot.assertNotEmitted(chart.point_clicked):  # no row is behind it
        QTest.mouseClick(chart.plot, Qt.MouseButton.LeftButton, pos=last.toPoint())


def test_what_is_said_of_a_point_has_units_and_each_fact_once() -> None:
    figure = measured()
    assert point_facts(figure, PointPlace(0, 1)) == [
        ("time of a search", "16 ms"), ("recall@10", "0.6"), ("", "0.55 – 0.65"), ("rank", "16"),
    ]  # fmt: skip
    assert (
        point_sentence(figure, PointPlace(0, 1)) == "klsh: time of a search 16 ms, recall@10 0.6, 0.55 – 0.65, rank 16"
    )
    doubled = replace(figure, series=[replace(figure.series[0], points=[{"recall@10": "0.6"}] * 3)])
    assert point_facts(doubled, PointPlace(0, 1))[-1] == ("", "0.55 – 0.65")


def test_keys_go_from_point_to_point_and_to_other_curves(chart: Chart, qtbot: QtBot) -> None:
    chart.show(measured())
    plot = chart.plot
    for key, place in (
        (Qt.Key.Key_Right, PointPlace(0, 0)), (Qt.Key.Key_Right, PointPlace(0, 1)), (Qt.Key.Key_Down, PointPlace(1, 1)),
        (Qt.Key.Key_End, PointPlace(1, 2)), (Qt.Key.Key_Right, PointPlace(1, 2)), (Qt.Key.Key_Up, PointPlace(0, 2)),
        (Qt.Key.Key_Home, PointPlace(0, 0)),
    ):  # fmt: skip
        QTest.keyClick(plot, key)
        assert plot.place == place
    with qtbot.waitSignal(chart.point_clicked) as clicked:
        QTest.keyClick(plot, Qt.Key.Key_Return)
    assert clicked.args == ["a"]
    assert plot.accessibleDescription().startswith("klsh: time of a search 8 ms")
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert chart.key_of(plot.place) == ""


def test_one_sees_a_part_and_all_again(chart: Chart) -> None:
    chart.show(measured())
    plot = chart.plot
    assert plot.plan is not None
    whole = plot.plan.x
    QTest.keyClick(plot, Qt.Key.Key_Plus)
    part = plot.plan.x
    assert zoomed(chart)
    assert whole[0] <= part[0] < part[1] <= whole[1]
    assert part[1] - part[0] == pytest.approx((whole[1] - whole[0]) / 1.2)
    chart.show(replace(measured(), title="The same, measured further"))
    assert plot.plan.x == part
    QTest.mouseDClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(200, 100))
    assert not zoomed(chart)
    QTest.keyClick(plot, Qt.Key.Key_Plus)
    chart.show(bars())
    assert not zoomed(chart)
    plot.zoom(50, QPointF(100, 100))
    plot.zoom(1 / 1000)
    assert not zoomed(chart)


def _turn_wheel(chart: Chart, at: QPoint, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Turn the wheel up by a step, and say whether the chart took it."""
    there = chart.plot.mapToGlobal(at)
    event = QWheelEvent(
        QPointF(at), QPointF(there), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(chart.plot, event)
    return event.isAccepted()


def test_the_wheel_zooms_around_the_pointer_and_a_drag_moves_what_is_seen(chart: Chart) -> None:
    chart.show(places())
    plot, at = chart.plot, QPoint(200, 100)
    assert plot.plan is not None
    under = plot.plan.value_at(at.x(), at.y())
    for _ in range(5):
        assert _turn_wheel(chart, at)
    assert plot.plan.value_at(at.x(), at.y()) == pytest.approx(under, abs=0.05)
    assert zoomed(chart)
    to = QPoint(230, 80)
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(plot, to)
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=to)
    assert plot.plan.value_at(to.x(), to.y()) == pytest.approx(under, abs=0.05)
    QTest.keyClick(plot, Qt.Key.Key_0)
    assert not zoomed(chart)


def test_the_wheel_scrolls_charts_among_others_and_zooms_them_only_with_control(qtbot: QtBot) -> None:
    board = ChartBoard()
    sheet = scrolling(board, "Charts")
    qtbot.addWidget(sheet)
    sheet.resize(500, 400)
    sheet.show()
    board.show([places(), bars()])
    QApplication.processEvents()
    chart = board.charts[0]
    _turn_wheel(chart, QPoint(100, 100))
    assert not zoomed(chart)
    assert _turn_wheel(chart, QPoint(100, 100), Qt.KeyboardModifier.ControlModifier)
    assert zoomed(chart)


@pytest.mark.parametrize("make", [places, density])
def test_zooming_never_leaves_what_there_is(chart: Chart, make: Make) -> None:
    chart.show(make())
    plot = chart.plot
    assert plot.plan is not None
    whole = plot.plan.x, plot.plan.y
    for x, y, times in ((10, 10, 3), (600, 300, 2), (300, 0, 0.5), (0, 300, 4)):
        plot.zoom(times, QPointF(x, y))
        for seen, every in zip((plot.plan.x, plot.plan.y), whole, strict=True):
            assert every[0] - 1e-9 <= seen[0] < seen[1] <= every[1] + 1e-9


@pytest.mark.parametrize("make", EVERY)
def test_of_the_closest_part_of_a_figure_nothing_beside_the_plot_is_laid_out(
    chart: Chart, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart.show(make())
    for _ in range(60):
        chart.plot.zoom(1.3, QPointF(200, 150))
    take_curve, taken = LabelPlacer.take_curve, 0

    def counted(room: LabelPlacer, x: Coordinates, y: Coordinates) -> None:
        nonlocal taken
        taken += 1
        take_curve(room, x, y)

    monkeypatch.setattr(LabelPlacer, "take_curve", counted)
    chart.plot.zoom(1 / 1.3, QPointF(200, 150))
    assert not picture(chart).isNull()
    assert taken < chart.plot.width()


def test_a_chart_keeps_its_room_while_it_waits(chart: Chart) -> None:
    size = chart.plot.size()
    chart.show_waiting("Computing…", "Recall@R")
    assert chart.figure is None
    assert chart.plot.size() == size
    waiting = picture(chart)
    chart.show_nothing("There are no photos.")
    assert picture(chart) != waiting
    assert chart.plot.accessibleName() == "There are no photos."


def test_what_can_be_done_with_a_figure_is_offered_from_when_there_is_one(chart: Chart) -> None:
    title = chart.findChild(QLabel)
    assert title is not None
    chart.show_waiting("coming", "Recall")
    QApplication.processEvents()
    assert not chart.findChild(QToolButton, "link").isVisible()  # type: ignore[union-attr]
    waiting = title.geometry()
    chart.show(replace(measured(), title="Recall"))
    QApplication.processEvents()
    assert chart.findChild(QToolButton, "link").isVisible()  # type: ignore[union-attr]
    assert title.geometry() == waiting, "nothing moves when the figure comes"
    chart.show_nothing("none")
    assert not chart.findChild(QToolButton, "link").isVisible()  # type: ignore[union-attr]


def test_what_is_saved_is_the_figure(chart: Chart, qtbot: QtBot) -> None:
    chart.show(measured())
    wanted = []
    chart.save_wanted.connect(lambda figures, how: wanted.append((figures, how)))
    for action in chart.menu().actions():
        if not action.isSeparator() and action.isEnabled():
            action.trigger()
    assert wanted == [([measured()], how) for how in ("copy", "png", "svg", "csv")]


def test_a_board_has_as_many_columns_as_fit_and_lights_a_row_everywhere(qtbot: QtBot) -> None:
    board = ChartBoard()
    qtbot.addWidget(board)
    figures = [measured(), density(), places(), *(replace(measured(), name=name) for name in "abc")]
    for width, columns in ((600, 1), (1000, 2), (1500, 3)):
        board.resize(width, 700)
        board.show(figures)
        board.show()
        assert board.columns(board.width()) == columns
        assert len({one.x() for one in board.charts}) == columns
        rows: dict[int, set[int]] = {}
        for one in board.charts:
            assert one.geometry().right() < width
            rows.setdefault(one.y(), set()).add(one.plot.mapTo(board, QPoint(0, 0)).y())
        assert all(len(tops) == 1 for tops in rows.values())  # plots beside each other begin at one height
    board.show(figures[:4])
    assert board.columns(board.width()) == 2  # none stands alone
    before = list(board.charts)
    hovered: list[object] = []
    board.point_hovered.connect(hovered.append)
    board.charts[0].plot.point_at(PointPlace(0, 1))
    assert hovered == ["b"]
    board.charts[0].plot.point_at(None)
    board.show(figures[:2])
    assert board.charts == before[:2]
    assert board.figures == figures[:2]
    assert board.chart_of("cloud") is before[1]


@pytest.mark.parametrize("make", EVERY)
def test_while_the_pointer_moves_only_names_and_rings_are_painted(
    chart: Chart, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart.show(make())
    image = QImage(chart.plot.size(), QImage.Format.Format_ARGB32_Premultiplied)
    chart.plot.render(image)
    painted: list[object] = []
    monkeypatch.setattr(figure_view, "paint_data", lambda pen, plan: painted.append(plan))
    for place in (PointPlace(0, 0), PointPlace(0, 1), None):
        chart.plot.point_at(place)
        chart.plot.render(image)
    assert not painted
    chart.plot.redraw()
    chart.plot.render(image)
    assert len(painted) == 1


def test_thinned_lines_keep_their_highest_and_lowest() -> None:
    x = np.linspace(0, 500, 20_000)
    y = np.random.default_rng(1).normal(size=20_000)
    few = thinned_corners(np.stack([x, y], 1))
    assert len(few) <= 4 * 501
    assert np.all(np.diff(few[:, 0]) > 0)
    kept = set(few[:, 1].tolist())
    for column in range(500):
        inside = y[np.floor(x) == column]
        assert {inside.min(), inside.max()} <= kept


def test_lines_stop_at_gaps_and_what_is_far_away_is_left_out() -> None:
    x, y = np.array([0.0, 10.0, np.nan, 20.0, 30.0, 900.0, 950.0]), np.array([0.0, 0.0, np.nan, 0.0, 0.0, 0.0, 0.0])
    runs = [one[:, 0].tolist() for one in seen_runs(x, y, LabelBox(0, 0, 100, 100))]
    assert runs == [[0, 10], [20, 30, 900]]


def test_dashes_go_around_corners() -> None:
    corners = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    assert dashed_parts(corners, []).tolist() == [[0, 0, 10, 0], [10, 0, 10, 10]]
    dashed = dashed_parts(corners, [4.0, 2.0])
    drawn = np.hypot(dashed[:, 2] - dashed[:, 0], dashed[:, 3] - dashed[:, 1])
    assert drawn.sum() == pytest.approx(4 + 4 + 4 + 2)
    assert dashed[0].tolist() == [0, 0, 4, 0]
    assert [10, 0, 10, 0] not in dashed.tolist()


def _inked(chart: Chart, place: int) -> list[tuple[int, int]]:
    """Return the pixels of the plot that have the full colour of a place, across and down."""
    image = chart.plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()) & 0xFFFFFF
    down, across = np.nonzero(pixels == (QColor(series_colour(place)).rgb() & 0xFFFFFF))
    return list(zip(across.tolist(), down.tolist(), strict=True))


@pytest.mark.parametrize("kind", [FigureKind.POINTS, FigureKind.LINES, FigureKind.BARS])
@pytest.mark.parametrize("log", [False, True])
def test_data_are_painted_where_the_plan_says(chart: Chart, kind: FigureKind, log: bool) -> None:
    at = [(1.0, 8.0), (2.0, 3.0), (4.0, 100.0)]
    one = Series("", [x for x, _ in at], [y for _, y in at], kind=kind, marked=True)
    chart.show(Figure("f", "", "", Axis("x", log=log), Axis("y", log=log), [one], kind=kind))
    plan = chart.plot.plan
    assert plan is not None
    inked = set(_inked(chart, 0))
    for x, y in at:
        across, down = float(plan.across(x)), float(plan.down(y))
        assert (int(across), int(down + (2 if kind is FigureKind.BARS else 0))) in inked
        assert (int(across), int(down - 8)) not in inked, "and not above it"


def test_a_crowd_is_painted_where_the_plan_says(chart: Chart) -> None:
    x = np.repeat([0.2, 0.8], 500)
    figure = Figure("f", "", "", Axis("x", low=0, high=1), Axis("y", low=0, high=1),
                    [Series("", x.tolist(), (1 - x).tolist(), kind=FigureKind.POINTS)],
                    kind=FigureKind.POINTS)  # fmt: skip
    chart.show(figure)
    plan = chart.plot.plan
    assert plan is not None
    inked = np.array(_inked(chart, 0))
    for across, right in ((0.2, False), (0.8, True)):
        some = inked[(inked[:, 0] > plan.across(0.5)) == right]
        where = float(plan.across(across)), float(plan.down(1 - across))
        assert np.abs(some.mean(0) + 0.5 - where).max() <= 0.75
        assert len(some) < 60


def test_colours_of_a_density_go_from_little_to_much_and_nothing_has_none() -> None:
    found = density_ramp(np.array([[0.0, 1.0, 4.0, 100.0]]), dark=False)[0]
    assert found[:, 3].tolist() == [0, 255, 255, 255]
    assert found[3, :3].tolist() == [
        QColor(series_colour(0)).red(),
        QColor(series_colour(0)).green(),
        QColor(series_colour(0)).blue(),
    ]
    grey = found[1:, :3].astype(float) @ [0.3, 0.59, 0.11]
    assert grey[0] > grey[1] > grey[2]  # legible in grey


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


def test_a_legend_of_several_rows_stands_in_columns() -> None:
    figure = measured()
    names = ["frontier", *(f"{one} · {what}" for one in ("exact", "itq", "lsh") for what in ("colours", "everything"))]
    many = replace(figure, series=[replace(figure.series[0], name=one, place=i) for i, one in enumerate(names)])
    made = plan_chart(many, extent(many), (330, 260), wide, whole=True)
    assert made.legend
    assert len({one.middle for one in made.names}) > 1
    assert len({one.left for one in made.names}) == 2


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
