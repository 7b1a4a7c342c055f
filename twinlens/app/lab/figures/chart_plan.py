"""The plan of a chart places everything in pixels: plot, points, ticks, and the names at the ends of curves.

Where names have no room beside the plot, they stand below it as a legend. The window and the files draw the same plan
(`painting`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from twinlens.app.lab.figures.axes import (
    Span,
    apart,
    equal_extent,
    linear_ticks,
    measured_at,
    plain_number,
    scaled,
    ticks,
    unscaled,
)
from twinlens.app.lab.figures.figure import Figure, FigureKind
from twinlens.app.lab.figures.label_places import LabelBox, Lead, PlacedLabel, folded_label, place_labels, spread_labels
from twinlens.core.arrays import Float64Values

Measure = Callable[[str], float]
"""Returns the width of a text in pixels."""

Numbers = Callable[[float], str]
"""Writes a number of an axis, as short as possible."""

LINE = 15.0  # height of a line of small words
SWATCH = 22.0
_TO_NAMES = 20.0  # from the plot to the swatches: room for the thin lines that lead there
_LEAST = 190.0  # width of a plot beside which names may stand
_NAMES_MOST = 0.45  # of the width
_NEAR = 0.85  # from where a curve's end is near its name
_SQUARE = 1.5  # of the height, the width of a plot of equal units
_SAME = 0.03  # of the height: ends that lie this near to each other tell no names apart
_TICK_WIDTH, _TICK_HEIGHT = 78.0, 46.0
_ROUNDED = 1e-6  # pixels


@dataclass(frozen=True)
class Tick:
    """A tick of an axis: its position and its text, which is empty where there is no room."""

    at: float
    words: str


@dataclass(frozen=True)
class CurveName:
    """The name of a series beside or below the plot: its lines, its swatch, and the end of its curve."""

    series: int
    lines: tuple[str, ...]
    left: float
    middle: float
    end: tuple[float, float] | None


@dataclass
class ChartPlan:
    """The places of everything in a chart, in pixels.

    Attributes
    ----------
    width : float
        Of the whole chart.
    plot : LabelBox
        The box in which data are drawn.
    x, y : (float, float)
        Ends of the axes, scaled.
    whole : bool
        Whether the whole figure is visible.
    points : list of (ndarray of float64, ndarray of float64)
        Horizontal and vertical positions of each series' points; NaN for points without a position.
    """

    figure: Figure
    width: float
    plot: LabelBox
    x: Span
    y: Span
    whole: bool
    number: Numbers
    points: list[tuple[Float64Values, Float64Values]] = field(init=False)
    x_ticks: list[Tick] = field(default_factory=list)
    y_ticks: list[Tick] = field(default_factory=list)
    names: list[CurveName] = field(default_factory=list)
    legend: bool = False
    lines: list[PlacedLabel] = field(default_factory=list)
    labels: list[PlacedLabel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [(self.across(one.x), self.down(one.y)) for one in self.figure.series]

    def across(self, values: object) -> Float64Values:
        """Return the horizontal positions of values."""
        share = (scaled(values, self.figure.x) - self.x[0]) / (self.x[1] - self.x[0])
        return self.plot.left + share * self.plot.width

    def down(self, values: object) -> Float64Values:
        """Return the vertical positions of values."""
        share = (self.y[1] - scaled(values, self.figure.y)) / (self.y[1] - self.y[0])
        return self.plot.top + share * self.plot.height

    def value_at(self, across: float, down: float) -> tuple[float, float]:
        """Return the scaled values at a position."""
        return (
            self.x[0] + (across - self.plot.left) / self.plot.width * (self.x[1] - self.x[0]),
            self.y[1] - (down - self.plot.top) / self.plot.height * (self.y[1] - self.y[0]),
        )


def plan_chart(
    figure: Figure,
    spans: tuple[Span, Span],
    size: tuple[float, float],
    measure: Measure,
    whole: bool = True,
    number: Numbers = plain_number,
) -> ChartPlan:
    """Return the plan of a figure of some size.

    Parameters
    ----------
    spans : ((float, float), (float, float))
        The visible part of both axes, scaled.
    size : (float, float)
        Width and height in pixels.
    whole : bool
        Whether all of the figure is visible: then measured values may be ticks, and equal units widen an axis.
    """
    width, height = size
    named = [place for place, one in enumerate(figure.series) if one.name and len(one.x)]
    lines = {place: tuple(folded_label(str(figure.series[place].name)).split("\n")) for place in named}
    names_width = max((measure(line) for some in lines.values() for line in some), default=0.0)
    room_beside = _TO_NAMES + SWATCH + 5 + names_width + 4
    top = LINE + 9
    bottom = 2 * LINE + 12
    beside = bool(named) and room_beside <= _NAMES_MOST * width and width - room_beside - 50 >= _LEAST
    beside = beside and sum(len(some) for some in lines.values()) * LINE <= height - top - bottom + LINE
    rows: list[list[tuple[int, str, float]]] = []
    if named and not beside:
        rows = _legend_rows([(one, str(figure.series[one].name)) for one in named], width - 8, measure)
        bottom += len(rows) * (LINE + 3) + 4
    plot_height = max(40.0, height - top - bottom)
    y_values = _y_ticks(figure, spans[1], plot_height)
    left = max([24.0, *(measure(number(one)) for one in y_values)]) + 9
    plot_width = max(60.0, width - left - (room_beside if beside else 16.0))
    if figure.equal:  # a wide plot of equal units is mostly empty
        plot_width = min(plot_width, _SQUARE * plot_height)
    if figure.equal and whole:
        spans = equal_extent(spans, plot_width, plot_height)
        y_values = _y_ticks(figure, spans[1], plot_height)
    made = ChartPlan(figure, width, LabelBox(left, top, plot_width, plot_height), *spans, whole, number)
    made.y_ticks = [Tick(float(made.down(one)), number(one)) for one in y_values]
    _x_ticks(made, measure)
    if beside:
        made.names = _beside(made, lines)
    elif named:
        made.legend = True
        made.names = _below(rows, height - len(rows) * (LINE + 3))
    _words(made, measure)
    return made


def _y_ticks(figure: Figure, span: Span, height: float) -> list[float]:
    low, high = (unscaled(one, figure.y) for one in span)
    return ticks(low, high, figure.y.log, int(height / _TICK_HEIGHT) + 1)


def _x_ticks(made: ChartPlan, measure: Measure) -> None:
    figure = made.figure
    low, high = (unscaled(one, figure.x) for one in made.x)
    places = measured_at(figure) if made.whole else []
    if not places:
        places = ticks(low, high, figure.x.log, int(made.plot.width / _TICK_WIDTH) + 1)
    if not made.whole and not figure.x.log and len(places) < 2:
        places = linear_ticks(low, high, 3)
    at = made.across(places).tolist()
    words = [made.number(one) for one in places]
    shown = apart(at, [measure(one) for one in words])
    made.x_ticks = [Tick(place, text if seen else "") for place, text, seen in zip(at, words, shown, strict=True)]


def _beside(made: ChartPlan, lines: dict[int, tuple[str, ...]]) -> list[CurveName]:
    """Put names at the heights of the ends of their curves, moved apart as little as possible."""
    plot = made.plot
    ends = {one: curve_end(made, one) for one in lines}
    seen = [(one, end) for one, end in ends.items() if end is not None]
    heights = [(end[1] - plot.top) / plot.height for _, end in seen]
    clouds = any(made.figure.series[one].kind is not FigureKind.LINES for one, _ in seen)
    together = clouds or (len(seen) > 1 and max(heights) - min(heights) < _SAME * len(seen))
    order = list(seen)
    if together:  # the ends do not tell the curves apart: names in the order of the curves, from above
        order.sort(key=lambda one: (float(np.nanmean(made.points[one[0]][1])), one[0]))
        wanted = [plot.top for _ in order]
    else:
        order.sort(key=lambda one: (one[1][1], one[0]))
        wanted = [end[1] for _, end in order]
    away = any((end[0] - plot.left) / plot.width < _NEAR for _, end in order)
    # spread() counts from below
    sizes = [LINE * len(lines[one]) + 1 for one, _ in order]
    middles = spread_labels([-at for at in wanted], sizes, -(plot.top + plot.height + LINE / 2), -(plot.top - LINE / 2))
    left = plot.left + plot.width + _TO_NAMES
    return [
        CurveName(one, lines[one], left, -middle, None if together or away else end)
        for (one, end), middle in zip(order, middles, strict=True)
    ]


def _legend_rows(
    names: Sequence[tuple[int, str]], width: float, measure: Measure
) -> list[list[tuple[int, str, float]]]:
    """Break names into rows, each name with the left of its swatch: in columns, where these take hardly more room."""
    wides = [SWATCH + 5 + measure(name) + 14 for _, name in names]
    across = max(1, int(width // max(wides, default=width)))
    column = width / across
    rows = _ragged_rows(names, wides, width)
    if len(rows) == 1 or across == 1 or math.ceil(len(names) / across) > len(rows) + 1:
        return rows
    return [
        [(one, name, place * column) for place, (one, name) in enumerate(names[start : start + across])]
        for start in range(0, len(names), across)
    ]


def _ragged_rows(
    names: Sequence[tuple[int, str]], wides: Sequence[float], width: float
) -> list[list[tuple[int, str, float]]]:
    """Fill rows with names, one behind the other."""
    rows: list[list[tuple[int, str, float]]] = [[]]
    left = 0.0
    for (one, name), wide in zip(names, wides, strict=True):
        if rows[-1] and left + wide > width:
            rows.append([])
            left = 0.0
        rows[-1].append((one, name, left))
        left += wide
    return rows


def _below(rows: Sequence[Sequence[tuple[int, str, float]]], top: float) -> list[CurveName]:
    return [
        CurveName(one, (name,), 4 + left, top + row * (LINE + 3) + LINE / 2, None)
        for row, some in enumerate(rows)
        for one, name, left in some
    ]


def _words(made: ChartPlan, measure: Measure) -> None:
    """Place the labels of lines and points where they cover least."""
    plot = made.plot
    lines, labels = place_labels(made.figure, (made.x, made.y), (plot.width, plot.height), measure, LINE)
    for found, words in ((made.lines, lines), (made.labels, labels)):
        for one in words:
            box = LabelBox(one.box.left + plot.left, one.box.top + plot.top, one.box.width, one.box.height)
            lead = one.lead
            if lead is not None:
                lead = Lead(lead.x + plot.left, lead.y + plot.top, lead.to_x + plot.left, lead.to_y + plot.top)
            found.append(PlacedLabel(box, one.words, one.place, lead))


def curve_end(made: ChartPlan, series: int) -> tuple[float, float] | None:
    """Return the right end of the visible part of a curve; None where none of it is visible."""
    x, y = made.points[series]
    top, bottom = made.plot.top, made.plot.top + made.plot.height
    left, right = made.plot.left, made.plot.left + made.plot.width
    seen = np.isfinite(x) & np.isfinite(y) & (x <= right + _ROUNDED) & (x >= left - _ROUNDED)
    if not seen.any():
        return None
    last = int(np.flatnonzero(seen)[np.argmax(x[seen])])
    across, down = float(x[last]), float(y[last])
    goes_on = made.figure.series[series].kind is FigureKind.LINES and bool((x > right + _ROUNDED).any())
    if goes_on and last + 1 < len(x):
        across, down = right, float(np.interp(right, x[last : last + 2], y[last : last + 2]))
    return across, min(max(down, top), bottom)
