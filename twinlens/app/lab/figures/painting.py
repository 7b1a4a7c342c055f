"""Painting of a chart by its plan: densities, bands, bars, curves and points, and the axes and names around them.

It is the same in the window and in files: what differs is the pen (`FigurePen`). A curve has as few corners as the eye
can tell apart.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.figures.axes import bar_width
from twinlens.app.lab.figures.chart_plan import LINE, SWATCH, ChartPlan, CurveName
from twinlens.app.lab.figures.figure import (
    CROWDED,
    Dash,
    Density,
    FigureKind,
    Series,
    figure_colours,
    is_crowded,
    marker_of,
    series_colour,
    series_dash,
)
from twinlens.app.lab.figures.label_places import LabelBox, PlacedLabel
from twinlens.core.arrays import Float64Values

Align = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class LineStyle:
    """The pen of a line.

    Attributes
    ----------
    width : float
        In pixels.
    dashes : sequence of float
        Drawn, left out, drawn, and so on, in widths; empty for a solid line.
    share : float
        Its opacity.
    round : bool
        Whether it ends round.
    """

    colour: str
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    share: float = 1.0
    round: bool = False


class FigurePen(Protocol):
    """Draws on a ground of one colour, in the pixels of a plan.

    Attributes
    ----------
    dark : bool
        Whether it draws light on dark.
    ground : str
        Colour of the ground, #rrggbb.
    """

    dark: bool
    ground: str

    def width_of(self, words: str) -> float:
        """Return the width of small words."""

    def within(self, box: LabelBox) -> AbstractContextManager[None]:
        """Cut off what is drawn outside of a box."""

    def line(self, corners: Float64Values, style: LineStyle) -> None:
        """Draw a line through corners, one in a row."""

    def area(self, corners: Float64Values, colour: str, share: float = 1.0) -> None:
        """Fill the polygon of corners, one in a row."""

    def marks(self, points: Float64Values, place: int, size: float) -> None:
        """Draw the mark of a palette slot at each point, with a border of the ground's colour."""

    def many_marks(self, points: Float64Values, place: int, size: float, plot: LabelBox) -> None:
        """Draw a mark that lets `THROUGH` what is behind it at each of very many points of a plot."""

    def cells(self, box: LabelBox, colours: npt.NDArray[np.uint8]) -> None:
        """Fill a box with cells, whose colours are red, green, blue and opacity: (rows, columns, 4)."""

    def words(self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False) -> None:
        """Write small words in the middle of a box's height."""


# --- data -------------------------------------------------------------------------------------------------------------
_LINE = 1.9
_MARK = 8.0
_POINT = 6.0
_DASHES: Final[dict[Dash, tuple[float, ...]]] = {
    Dash.SOLID: (), Dash.DASHED: (4.4, 2.6), Dash.DOTTED: (1.2, 2.0), Dash.DASH_DOT: (5.4, 2.2, 1.2, 2.2),
}  # fmt: skip
THROUGH = 0.59
"""Opacity of each of many points."""

_CELLS = 512  # steps of a density with unequal cells
_BAND, _BAND_DARK = 0.13, 0.2  # opacity of a band
_BAR = 0.75  # opacity of the bars of a measurement
_CAP = 3.0  # half the stroke at the ends of such bars
_OVER = 4.0  # pixels by which curves and marks at the edge may leave the plot


def paint_data(pen: FigurePen, made: ChartPlan) -> None:
    """Paint the data of a figure from back to front, important data last."""
    series = list(enumerate(made.figure.series))
    shown = [(number, one) for number, one in series if one.kind is not FigureKind.BARS]
    with pen.within(made.plot):
        if made.figure.density is not None:
            _density(pen, made.figure.density, made)
        for number, one in shown:
            if len(one.low) and not one.marked:
                _band(pen, number, made)
        for number, one in reversed(series):
            if one.kind is FigureKind.BARS:
                _bars(pen, number, made)
    over = _OVER if made.whole else 0.0
    left, top, width, height = made.plot
    with pen.within(LabelBox(left - over, top - over, width + 2 * over, height + 2 * over)):
        for number, one in shown:
            if len(one.low) and one.marked:
                _measured(pen, number, made)
        for number, _ in reversed(shown):
            _points(pen, number, made)


def is_joined(one: Series) -> bool:
    """Return whether a series is a line."""
    return one.kind is FigureKind.LINES and len(one.x) > 1


def is_marked(one: Series) -> bool:
    """Return whether the points of a series are visible."""
    return one.kind is not FigureKind.BARS and (one.marked or not is_joined(one))


def _style_of(one: Series, dark: bool) -> LineStyle:
    dashes = _DASHES[series_dash(one)]
    return LineStyle(series_colour(one.place, dark), _LINE, dashes, round=not dashes)


def _points(pen: FigurePen, series: int, made: ChartPlan) -> None:
    one, (x, y) = made.figure.series[series], made.points[series]
    if is_joined(one):
        for run in seen_runs(x, y, made.plot):
            pen.line(thinned_corners(run), _style_of(one, pen.dark))
    if is_marked(one):
        points = np.stack([x, y], 1)[np.isfinite(x) & np.isfinite(y)]
        size = _MARK if one.marked else _POINT
        if len(x) > CROWDED or (not is_joined(one) and is_crowded(made.figure)):
            pen.many_marks(points, one.place, size, made.plot)
        else:
            pen.marks(points, one.place, size)


def _band(pen: FigurePen, series: int, made: ChartPlan) -> None:
    x, *edges = _spans(series, made)
    if len(x) > 1:
        there, back = (thinned_corners(np.stack([x, edge], 1)) for edge in edges)
        ink = series_colour(made.figure.series[series].place, pen.dark)
        pen.area(np.concatenate([there, back[::-1]]), ink, _BAND_DARK if pen.dark else _BAND)


def _spans(series: int, made: ChartPlan) -> tuple[Float64Values, Float64Values, Float64Values]:
    """Return the intervals of a series' points in pixels: position across, low end and high end."""
    one = made.figure.series[series]
    spans = np.stack([made.points[series][0], made.down(one.low), made.down(one.high)])
    x, low, high = spans[:, np.isfinite(spans).all(axis=0)]
    return x, low, high


def _measured(pen: FigurePen, series: int, made: ChartPlan) -> None:
    """Paint the interval of each measured point as a bar with strokes at its ends."""
    style = LineStyle(series_colour(made.figure.series[series].place, pen.dark), 1.1, share=_BAR)
    for at, *ends in np.stack(_spans(series, made), 1).tolist():
        pen.line(np.array([(at, end) for end in ends]), style)
        for end in ends:
            pen.line(np.array([(at - _CAP, end), (at + _CAP, end)]), style)


def _bars(pen: FigurePen, series: int, made: ChartPlan) -> None:
    one, (x, top) = made.figure.series[series], made.points[series]
    foot = made.plot.top + made.plot.height if made.figure.y.log else float(made.down(0.0))
    width = bar_width(one, made.figure.x) / (made.x[1] - made.x[0]) * made.plot.width
    good = np.isfinite(x) & np.isfinite(top)
    for at, end in zip(x[good].tolist(), top[good].tolist(), strict=True):
        pen.area(_corners(at - width / 2, end, width, foot - end), series_colour(one.place, pen.dark))


def _corners(left: float, top: float, width: float, height: float) -> Float64Values:
    return np.array([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def _density(pen: FigurePen, density: Density, made: ChartPlan) -> None:
    columns, left, right = _regular(made.across(density.x))
    rows, bottom, top = _regular(-made.down(density.y))
    weight = np.asarray(density.weight, np.float64)[np.ix_(rows[::-1], columns)]
    pen.cells(LabelBox(left, -top, right - left, top - bottom), density_ramp(weight, pen.dark))


def _regular(borders: Float64Values) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return the cell at each of equal steps, many steps where the cells are unequal."""
    first = 0 if np.isfinite(borders[0]) else 1  # a logarithmic axis has no position for 0
    inside = borders[first:]
    steps = np.diff(inside)
    if np.allclose(steps, steps.mean(), rtol=1e-3):
        return np.arange(len(steps)) + first, float(inside[0]), float(inside[-1])
    at = inside[0] + (np.arange(_CELLS) + 0.5) / _CELLS * (inside[-1] - inside[0])
    cell = np.clip(np.searchsorted(inside, at, "right") - 1, 0, len(steps) - 1) + first
    return cell, float(inside[0]), float(inside[-1])


def density_ramp(weight: Float64Values, dark: bool) -> npt.NDArray[np.uint8]:
    """Return the colours of weights by the square root, from hardly any to all of the ink; 0 is transparent."""
    first, last = (np.array(rgb(one), np.float64) for one in (figure_colours(dark).grid, series_colour(0, dark)))
    share = np.sqrt(np.maximum(weight, 0) / max(float(weight.max(initial=0)), 1e-300))
    found = np.empty((*weight.shape, 4), np.uint8)
    found[..., :3] = np.rint(first + share[..., None] * (last - first)).astype(np.uint8)
    found[..., 3] = np.where(weight > 0, 255, 0)
    return found


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# --- axes, names and labels -------------------------------------------------------------------------------------------
_RAMP = 60.0  # width of the colour scale of a density, px
_LEGEND_MARK = 7.5
_BARS = 5.0  # half the square that represents bars
_LEADING = 0.45  # opacity of leader lines
_VEIL = 0.8  # opacity of the paper behind words


def paint_axes(pen: FigurePen, made: ChartPlan) -> None:
    """Paint the grid, the ticks and the titles of the axes."""
    figure, ink = made.figure, figure_colours(pen.dark)
    plot = made.plot
    # Lines of one pixel are sharp where they lie in the middle of pixels.
    left, right, top, bottom = (
        round(one) + 0.5 for one in (plot.left, plot.left + plot.width, plot.top, plot.top + plot.height)
    )

    def grid(*corners: tuple[float, float]) -> None:
        pen.line(np.array(corners), LineStyle(ink.grid))

    grid((left - 0.5, bottom), (right + 0.5, bottom))
    crossed = figure.kind is FigureKind.POINTS or figure.equal or figure.density is not None
    for tick in made.x_ticks:
        at = round(tick.at) + 0.5
        grid((at, top - 0.5 if crossed else bottom - 0.5), (at, bottom + 3.5))
        pen.words(LabelBox(tick.at - 60, bottom + 4.5, 120, LINE), tick.words, ink.quiet, "middle")
    for tick in made.y_ticks:
        at = round(tick.at) + 0.5
        grid((left - 0.5, at), (right + 0.5, at))
        pen.words(LabelBox(0, tick.at - LINE / 2, plot.left - 8, LINE), tick.words, ink.quiet, "right")
    words = _elided(pen, figure.x.words, made.width - 8)
    wide = pen.width_of(words)
    across = min(max(plot.left + plot.width / 2 - wide / 2, 2), made.width - wide - 2)
    pen.words(LabelBox(across, bottom + LINE + 7.5, wide + 4, LINE), words, ink.quiet)
    words = _elided(pen, figure.y.words, made.width - 4)
    pen.words(LabelBox(2, 0, made.width - 4, LINE), words, ink.quiet)


def _elided(pen: FigurePen, words: str, width: float) -> str:
    """Cut words that are too wide."""
    if pen.width_of(words) <= width:
        return words
    while words and pen.width_of(words + "…") > width:
        words = words[:-1]
    return words + "…"


def paint_labels(pen: FigurePen, made: ChartPlan) -> None:
    """Paint reference lines, their labels and those of points, and the colour scale of a density."""
    _markers(pen, made)
    if made.figure.density is not None:
        _scale(pen, made, made.figure.density)
    for label in (*made.lines, *made.labels):
        _label(pen, label)


def _markers(pen: FigurePen, made: ChartPlan) -> None:
    plot = made.plot
    for marker in made.figure.markers:
        if marker.vertical:
            at, first, length = float(made.across(marker.at)), plot.left, plot.width
            corners = [(at, plot.top), (at, plot.top + plot.height)]
        else:
            at, first, length = float(made.down(marker.at)), plot.top, plot.height
            corners = [(plot.left, at), (plot.left + plot.width, at)]
        if first - 0.5 <= at <= first + length + 0.5:
            pen.line(np.array(corners), LineStyle(series_colour(marker.place, pen.dark), 1.1, (4, 1.4)))


def _scale(pen: FigurePen, made: ChartPlan, density: Density) -> None:
    """Paint the colour scale of a density, above the plot at its right."""
    weight = np.asarray(density.weight, np.float64)
    most = float(weight.max(initial=0))
    if most <= 0:
        return
    least = float(weight[weight > 0].min())
    words = f"{made.number(most)} {density.unit}".strip()
    right = made.plot.left + made.plot.width
    wide, before = pen.width_of(words), pen.width_of(made.number(least))
    left = right - wide - _RAMP - before - 10
    if left < pen.width_of(made.figure.y.words) + 16:
        return
    shades = density_ramp(np.linspace(least, most, int(_RAMP)), pen.dark)
    pen.cells(LabelBox(left + before + 5, 4, _RAMP, LINE - 7), shades[None])
    quiet = figure_colours(pen.dark).quiet
    pen.words(LabelBox(left, 0, before + 2, LINE), made.number(least), quiet)
    pen.words(LabelBox(right - wide, 0, wide + 2, LINE), words, quiet)


def _label(pen: FigurePen, label: PlacedLabel) -> None:
    ink = series_colour(label.place, pen.dark)
    if label.lead is not None:
        ends = np.array([(label.lead.x, label.lead.y), (label.lead.to_x, label.lead.to_y)])
        pen.line(ends, LineStyle(ink, 0.8, share=_LEADING))
    left, top, width, height = label.box
    pen.area(_corners(left - 1, top + 1, width + 2, height - 2), pen.ground, _VEIL)
    pen.words(label.box, label.words, ink, "middle")


def paint_names(pen: FigurePen, made: ChartPlan, pointed: int | None = None) -> None:
    """Paint the names of series, the pointed one bold."""
    for name in made.names:
        _name(pen, name, made, name.series == pointed)


def _name(pen: FigurePen, name: CurveName, made: ChartPlan, pointed: bool) -> None:
    one = made.figure.series[name.series]
    ink, middle, centre = series_colour(one.place, pen.dark), name.middle, name.left + SWATCH / 2
    if name.end is not None:
        start = min(name.end[0], made.plot.left + made.plot.width) + 4
        corners = [(start, name.end[1]), (name.left - 9, middle), (name.left - 4, middle)]
        pen.line(np.array(corners), LineStyle(ink, 0.8, share=_LEADING))
    if is_joined(one):
        swatch = replace(_style_of(one, pen.dark), round=False)
        pen.line(np.array([(name.left, middle), (name.left + SWATCH, middle)]), swatch)
    if one.kind is FigureKind.BARS:
        pen.area(_corners(centre - _BARS, middle - _BARS, 2 * _BARS, 2 * _BARS), ink)
    elif is_marked(one):
        pen.marks(np.array([(centre, middle)]), one.place, _LEGEND_MARK)
    top = middle - LINE * len(name.lines) / 2
    for number, line in enumerate(name.lines):
        box = LabelBox(name.left + SWATCH + 5, top + number * LINE, made.width, LINE)
        pen.words(box, line, ink, bold=pointed)


# --- marks and curves -------------------------------------------------------------------------------------------------
_CORNERS: Final = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "^": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    "v": ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    "D": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "P": (
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4),
        (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
    ),
}  # fmt: skip


def mark_corners(place: int, size: float) -> Float64Values | None:
    """Return the corners of the mark of a palette slot around 0, one in a row; None for a circle of that width."""
    name = marker_of(place)
    if name == "o":
        return None
    corners = np.array(_CORNERS["P" if name == "X" else name], np.float64) * (size / 2)
    turn = math.sqrt(0.5)  # an X is a + that is turned
    return corners @ np.array([[turn, turn], [-turn, turn]]) if name == "X" else corners


_EDGE = 8.0  # margin around the plot in which lines are kept, for the width of the pen, px


def seen_runs(x: Float64Values, y: Float64Values, plot: LabelBox) -> list[Float64Values]:
    """Return the corners of every stretch of a curve that may be visible, one row per corner."""
    right, bottom = plot.left + plot.width + _EDGE, plot.top + plot.height + _EDGE
    seen = np.ones(max(0, len(x) - 1), bool)
    for at, first, last in ((x, plot.left - _EDGE, right), (y, plot.top - _EDGE, bottom)):
        # Comparisons with NaN are false: points without a position are not visible.
        seen &= (np.maximum(at[:-1], at[1:]) >= first) & (np.minimum(at[:-1], at[1:]) <= last)
    turns = np.diff(np.concatenate([[0], seen, [0]]))
    corners = np.stack([x, y], 1)
    starts, ends = np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)
    return [corners[start : end + 1] for start, end in zip(starts, ends, strict=True)]


def thinned_corners(corners: Float64Values) -> Float64Values:
    """Keep the first, last, highest and lowest of successive corners in one column of pixels."""
    column = np.concatenate([[0], np.cumsum(np.diff(np.floor(corners[:, 0])) != 0)])
    borders = np.flatnonzero(np.diff(column))
    starts, ends = np.concatenate([[0], borders + 1]), np.concatenate([borders, [len(column) - 1]])
    by_height: npt.NDArray[np.int64] = np.lexsort((corners[:, 1], column))
    kept = np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
    return np.asarray(corners[kept])


def dashed_parts(corners: Float64Values, dashes: list[float]) -> Float64Values:
    """Return the segments of a dashed line, one row per segment: start and end.

    Parameters
    ----------
    corners : ndarray of float64
        A row for each.
    dashes : list of float
        Pixels drawn, left out, drawn, and so on; empty for a solid line.
    """
    if not dashes:
        return np.concatenate([corners[:-1], corners[1:]], 1)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    ends = np.cumsum(dashes)
    turns = (np.arange(int(along[-1] / ends[-1]) + 1)[:, None] * ends[-1] + ends).ravel()
    at = np.union1d(along, turns[turns < along[-1]])
    places = np.stack([np.interp(at, along, one) for one in corners.T], 1)
    drawn = np.searchsorted(ends, (at[:-1] + at[1:]) / 2 % ends[-1], "right") % 2 == 0
    return np.asarray(np.concatenate([places[:-1], places[1:]], 1)[drawn])
