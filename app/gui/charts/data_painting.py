"""Painting of what a figure is about: densities, bands, bars, curves and points, where its plan places them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from app.gui.charts.chart_plan import Plan
from app.gui.charts.lines import paint_curve, thinned
from app.gui.charts.marks import mark_path, paint_many, paint_marks
from app.gui.look.theme import DARK, theme
from app.lab.figures.extent import Values, bar_width, scaled
from app.lab.figures.figure import CROWDED, Dash, Density, Figure, Kind, Series, is_crowded
from app.lab.figures.palette import colour, dash, inks

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


def dark() -> bool:
    """Return whether the window is dark."""
    return theme() is DARK


def ink_of(place: int, share: float = 1.0) -> QColor:
    """Return the colour of a place in the palette, or a share of it."""
    ink = QColor(colour(place, dark()))
    ink.setAlphaF(share)
    return ink


def pen_of(one: Series) -> QPen:
    """Return the pen of a series' line."""
    pen = QPen(ink_of(one.place), _LINE)
    pattern = _DASHES[dash(one)]
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if pattern else Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if pattern:
        pen.setDashPattern(pattern)
    return pen


def joined(one: Series) -> bool:
    """Return whether a series is a line."""
    return one.kind is Kind.LINES and len(one.x) > 1


def marked(one: Series) -> bool:
    """Return whether the points of a series are seen."""
    return one.kind is not Kind.BARS and (one.marked or not joined(one))


def paint_data(painter: QPainter, figure: Figure, made: Plan) -> None:
    """Paint the data of a figure, from behind to the front; what is important lies in front."""
    plot = QRectF(*made.plot)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(plot)
    if figure.density is not None:
        _density(painter, figure.density, figure, made)
    for one in figure.series:
        if len(one.low) and not one.marked and one.kind is not Kind.BARS:
            _band(painter, one, figure, made)
    for one in reversed(figure.series):
        if one.kind is Kind.BARS:
            _bars(painter, one, figure, made)
    over = _OVER if made.whole else 0.0
    painter.setClipRect(plot.adjusted(-over, -over, over, over))
    for one in figure.series:
        if len(one.low) and one.marked and one.kind is not Kind.BARS:
            _measured(painter, one, figure, made)
    for one in reversed(figure.series):
        if one.kind is not Kind.BARS:
            _points(painter, one, figure, made)
    painter.restore()


def _across(values: object, figure: Figure, made: Plan) -> Values:
    return made.at_x(scaled(values, figure.x))


def _down(values: object, figure: Figure, made: Plan) -> Values:
    return made.at_y(scaled(values, figure.y))


def _points(painter: QPainter, one: Series, figure: Figure, made: Plan) -> None:
    x, y = _across(one.x, figure, made), _down(one.y, figure, made)
    if joined(one):
        paint_curve(painter, x, y, pen_of(one), made.plot)
    if marked(one):
        good = np.isfinite(x) & np.isfinite(y)
        path = mark_path(one.place, _MARK if one.marked else _POINT)
        if len(x) > CROWDED or (not joined(one) and is_crowded(figure)):
            paint_many(painter, x[good], y[good], path, ink_of(one.place), made.plot)
        else:
            paint_marks(painter, x[good], y[good], path, ink_of(one.place), QPen(QColor(theme().paper), 1.0))


def _band(painter: QPainter, one: Series, figure: Figure, made: Plan) -> None:
    x, low, high = _across(one.x, figure, made), _down(one.low, figure, made), _down(one.high, figure, made)
    good = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
    if good.sum() > 1:
        there, back = (thinned(np.stack([x[good], edge[good]], 1)) for edge in (low, high))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_of(one.place, _BAND_DARK if dark() else _BAND))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in (*there.tolist(), *back[::-1].tolist())]))


def _measured(painter: QPainter, one: Series, figure: Figure, made: Plan) -> None:
    """Paint how sure each measured point is, as a bar with strokes at its ends."""
    x, low, high = _across(one.x, figure, made), _down(one.low, figure, made), _down(one.high, figure, made)
    good = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
    painter.setPen(QPen(ink_of(one.place, _BAR), 1.1))
    for at, *ends in zip(x[good].tolist(), low[good].tolist(), high[good].tolist(), strict=True):
        painter.drawLine(QLineF(at, ends[0], at, ends[1]))
        painter.drawLines([QLineF(at - _CAP, end, at + _CAP, end) for end in ends])


def _bars(painter: QPainter, one: Series, figure: Figure, made: Plan) -> None:
    x, top = _across(one.x, figure, made), _down(one.y, figure, made)
    foot = made.plot.top + made.plot.height if figure.y.log else float(made.at_y(np.zeros(())))
    width = bar_width(one, figure.x) / (made.x[1] - made.x[0]) * made.plot.width
    good = np.isfinite(x) & np.isfinite(top)
    for at, end in zip(x[good].tolist(), top[good].tolist(), strict=True):
        painter.fillRect(QRectF(at - width / 2, end, width, foot - end).normalized(), ink_of(one.place))


def _density(painter: QPainter, density: Density, figure: Figure, made: Plan) -> None:
    columns, x0, x1 = _regular(scaled(density.x, figure.x))
    rows, y0, y1 = _regular(scaled(density.y, figure.y))
    shades = ramp(np.asarray(density.weight, np.float64)[np.ix_(rows, columns)][::-1])
    image = QImage(shades.tobytes(), len(columns), len(rows), 4 * len(columns), QImage.Format.Format_RGBA8888)
    left, right = made.at_x(np.array([x0, x1])).tolist()
    top, bottom = made.at_y(np.array([y1, y0])).tolist()
    painter.drawImage(QRectF(left, top, right - left, bottom - top), image)


def _regular(borders: Values) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return which cell lies at each of equal steps, which are many where the cells are not equal themselves."""
    first = 0 if np.isfinite(borders[0]) else 1  # a logarithmic axis has no place for 0
    inside = borders[first:]
    steps = np.diff(inside)
    if np.allclose(steps, steps.mean(), rtol=1e-3):
        return np.arange(len(steps)) + first, float(inside[0]), float(inside[-1])
    at = inside[0] + (np.arange(_CELLS) + 0.5) / _CELLS * (inside[-1] - inside[0])
    cell = np.clip(np.searchsorted(inside, at, "right") - 1, 0, len(steps) - 1) + first
    return cell, float(inside[0]), float(inside[-1])


def ramp(weight: Values) -> npt.NDArray[np.uint8]:
    """Return the colours of weights: from hardly any to all of the ink, by the root; nothing for 0."""
    first, last = (_rgb(one) for one in (inks(dark()).grid, colour(0, dark())))
    share = np.sqrt(np.maximum(weight, 0) / max(float(weight.max(initial=0)), 1e-300))
    found = np.empty((*weight.shape, 4), np.uint8)
    found[..., :3] = np.rint(first + share[..., None] * (last - first)).astype(np.uint8)
    found[..., 3] = np.where(weight > 0, 255, 0)
    return found


def _rgb(name: str) -> Values:
    ink = QColor(name)
    return np.array([ink.red(), ink.green(), ink.blue()], np.float64)
