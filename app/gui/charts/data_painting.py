"""Painting of what a figure is about: densities, bands, bars, curves and points, where its plan places them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from app.gui.charts.chart_plan import ChartPlan
from app.gui.charts.lines import paint_curve, thinned_corners
from app.gui.charts.marks import mark_path, paint_many, paint_marks
from app.gui.look.theme import DARK, theme
from app.lab.figures.extent import bar_width
from app.lab.figures.figure import CROWDED, Dash, Density, FigureKind, Series, is_crowded
from app.lab.figures.palette import figure_colours, series_colour, series_dash
from core.arrays import Float64Values

_LINE = 1.9
_MARK = 8.0
_POINT = 6.0
_DASHES: dict[Dash, list[float]] = {
    Dash.SOLID: [], Dash.DASHED: [4.4, 2.6], Dash.DOTTED: [1.2, 2.0], Dash.DASH_DOT: [5.4, 2.2, 1.2, 2.2],
}  # fmt: skip
_CELLS = 512  # of a density whose cells are drawn unequal
_BAND, _BAND_DARK = 0.13, 0.2  # how much of the ink a band gets
_BAR = 0.75  # and the bars of a measurement
_CAP = 3.0  # half the stroke at the ends of these
_OVER = 4.0  # pixels that curves and marks at the edge of the plot may reach over it


def is_dark() -> bool:
    """Return whether the window is dark."""
    return theme() is DARK


def ink_of(place: int, share: float = 1.0) -> QColor:
    """Return the colour of a place in the palette, or a share of it."""
    ink = QColor(series_colour(place, is_dark()))
    ink.setAlphaF(share)
    return ink


def pen_of(one: Series) -> QPen:
    """Return the pen of a series' line."""
    pen = QPen(ink_of(one.place), _LINE)
    pattern = _DASHES[series_dash(one)]
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if pattern else Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if pattern:
        pen.setDashPattern(pattern)
    return pen


def is_joined(one: Series) -> bool:
    """Return whether a series is a line."""
    return one.kind is FigureKind.LINES and len(one.x) > 1


def is_marked(one: Series) -> bool:
    """Return whether the points of a series are seen."""
    return one.kind is not FigureKind.BARS and (one.marked or not is_joined(one))


def paint_data(painter: QPainter, made: ChartPlan) -> None:
    """Paint the data of a figure, from behind to the front; what is important lies in front."""
    figure, plot = made.figure, QRectF(*made.plot)
    behind_first = list(reversed(list(enumerate(figure.series))))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(plot)
    if figure.density is not None:
        _density(painter, figure.density, made)
    for number, one in enumerate(figure.series):
        if len(one.low) and not one.marked and one.kind is not FigureKind.BARS:
            _band(painter, number, made)
    for number, one in behind_first:
        if one.kind is FigureKind.BARS:
            _bars(painter, number, made)
    over = _OVER if made.whole else 0.0
    painter.setClipRect(plot.adjusted(-over, -over, over, over))
    for number, one in enumerate(figure.series):
        if len(one.low) and one.marked and one.kind is not FigureKind.BARS:
            _measured(painter, number, made)
    for number, one in behind_first:
        if one.kind is not FigureKind.BARS:
            _points(painter, number, made)
    painter.restore()


def _points(painter: QPainter, series: int, made: ChartPlan) -> None:
    one, (x, y) = made.figure.series[series], made.points[series]
    if is_joined(one):
        paint_curve(painter, x, y, pen_of(one), made.plot)
    if is_marked(one):
        good = np.isfinite(x) & np.isfinite(y)
        path = mark_path(one.place, _MARK if one.marked else _POINT)
        if len(x) > CROWDED or (not is_joined(one) and is_crowded(made.figure)):
            paint_many(painter, x[good], y[good], path, ink_of(one.place), made.plot)
        else:
            paint_marks(painter, x[good], y[good], path, ink_of(one.place), QPen(QColor(theme().paper), 1.0))


def _spans(series: int, made: ChartPlan) -> tuple[Float64Values, Float64Values, Float64Values]:
    """Return where the spans lie in which the points of a series are sure: across, and from where to where down."""
    one = made.figure.series[series]
    spans = np.stack([made.points[series][0], made.down(one.low), made.down(one.high)])
    x, low, high = spans[:, np.isfinite(spans).all(axis=0)]
    return x, low, high


def _band(painter: QPainter, series: int, made: ChartPlan) -> None:
    x, *edges = _spans(series, made)
    if len(x) > 1:
        there, back = (thinned_corners(np.stack([x, edge], 1)).tolist() for edge in edges)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_of(made.figure.series[series].place, _BAND_DARK if is_dark() else _BAND))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in (*there, *reversed(back))]))


def _measured(painter: QPainter, series: int, made: ChartPlan) -> None:
    """Paint how sure each measured point is, as a bar with strokes at its ends."""
    painter.setPen(QPen(ink_of(made.figure.series[series].place, _BAR), 1.1))
    for at, *ends in np.stack(_spans(series, made), 1).tolist():
        painter.drawLine(QLineF(at, ends[0], at, ends[1]))
        painter.drawLines([QLineF(at - _CAP, end, at + _CAP, end) for end in ends])


def _bars(painter: QPainter, series: int, made: ChartPlan) -> None:
    one, (x, top) = made.figure.series[series], made.points[series]
    foot = made.plot.top + made.plot.height if made.figure.y.log else float(made.down(0.0))
    width = bar_width(one, made.figure.x) / (made.x[1] - made.x[0]) * made.plot.width
    good = np.isfinite(x) & np.isfinite(top)
    for at, end in zip(x[good].tolist(), top[good].tolist(), strict=True):
        painter.fillRect(QRectF(at - width / 2, end, width, foot - end).normalized(), ink_of(one.place))


def _density(painter: QPainter, density: Density, made: ChartPlan) -> None:
    columns, left, right = _regular(made.across(density.x))
    rows, bottom, top = _regular(-made.down(density.y))
    shades = density_ramp(np.asarray(density.weight, np.float64)[np.ix_(rows[::-1], columns)])
    image = QImage(shades.tobytes(), len(columns), len(rows), 4 * len(columns), QImage.Format.Format_RGBA8888)
    painter.drawImage(QRectF(left, -top, right - left, top - bottom), image)


def _regular(borders: Float64Values) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return which cell lies at each of equal steps, which are many where the cells are not equal themselves."""
    first = 0 if np.isfinite(borders[0]) else 1  # a logarithmic axis has no place for 0
    inside = borders[first:]
    steps = np.diff(inside)
    if np.allclose(steps, steps.mean(), rtol=1e-3):
        return np.arange(len(steps)) + first, float(inside[0]), float(inside[-1])
    at = inside[0] + (np.arange(_CELLS) + 0.5) / _CELLS * (inside[-1] - inside[0])
    cell = np.clip(np.searchsorted(inside, at, "right") - 1, 0, len(steps) - 1) + first
    return cell, float(inside[0]), float(inside[-1])


def density_ramp(weight: Float64Values) -> npt.NDArray[np.uint8]:
    """Return the colours of weights: from hardly any to all of the ink, by the root; nothing for 0."""
    first, last = (_rgb(one) for one in (figure_colours(is_dark()).grid, series_colour(0, is_dark())))
    share = np.sqrt(np.maximum(weight, 0) / max(float(weight.max(initial=0)), 1e-300))
    found = np.empty((*weight.shape, 4), np.uint8)
    found[..., :3] = np.rint(first + share[..., None] * (last - first)).astype(np.uint8)
    found[..., 3] = np.where(weight > 0, 255, 0)
    return found


def _rgb(name: str) -> Float64Values:
    ink = QColor(name)
    return np.array([ink.red(), ink.green(), ink.blue()], np.float64)
