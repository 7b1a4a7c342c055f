"""Items that pyqtgraph draws of a figure: lines, points, bars, bands and densities, in the palette's colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen

from app.gui.charts.curve_item import Line
from app.gui.look.theme import theme
from app.lab.figures.extent import Values, bar_width, scaled
from app.lab.figures.figure import Dash, Density, Figure, Kind, Series, is_crowded
from app.lab.figures.palette import colour, dash, inks, mark

LINE = 1.9
_MARK = 8.0
_POINT = 6.0
_DASHES: dict[Dash, list[float] | None] = {
    Dash.SOLID: None, Dash.DASHED: [4.4, 2.6], Dash.DOTTED: [1.2, 2.0], Dash.DASH_DOT: [5.4, 2.2, 1.2, 2.2],
}  # fmt: skip
_SYMBOLS = {"^": "t1", "D": "d", "v": "t", "P": "+", "X": "x"}  # where pyqtgraph has another word
_CELLS = 512  # of a density whose cells are drawn unequal
_BAND = 0.13
_BAR = 0.75  # how much of the ink the bars of a measurement get


def pen_of(one: Series, dark: bool, width: float = LINE) -> QPen:
    """Return the pen of a series' line."""
    pen = QPen(QColor(colour(one.place, dark)), width)
    pen.setCosmetic(True)
    pattern = _DASHES[dash(one)]
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if pattern is None else Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if pattern is not None:
        pen.setDashPattern(pattern)
    return pen


def symbol_of(one: Series) -> str:
    """Return the mark of a series' points, as pyqtgraph names it."""
    found = mark(one.place)
    return _SYMBOLS.get(found, found)


def joined(one: Series) -> bool:
    """Return whether a series is a line."""
    return one.kind is Kind.LINES and len(one.x) > 1


def marked(one: Series) -> bool:
    """Return whether the points of a series are seen."""
    return one.kind is not Kind.BARS and (one.marked or not joined(one))


def items(figure: Figure, dark: bool, low: float) -> list[Any]:
    """Make what is drawn of a figure, from behind to the front.

    Parameters
    ----------
    figure : Figure
    dark : bool
    low : float
        Where the plot begins, from which bars of a logarithmic axis stand.
    """
    made: list[Any] = []
    if figure.density is not None:
        made.append(_density(figure.density, figure, dark))
    series = list(figure.series)
    for one in series:
        if len(one.low) and one.kind is not Kind.BARS:
            made += _spans(one, figure, dark)
    for one in reversed(series):  # what is important lies in front
        made += _bars(one, figure, dark, low) if one.kind is Kind.BARS else _points(one, figure, dark)
    return made


def _points(one: Series, figure: Figure, dark: bool) -> list[Any]:
    x, y = scaled(one.x, figure.x), scaled(one.y, figure.y)
    made: list[Any] = []
    if joined(one):
        made.append(Line(x, y, pen_of(one, dark)))
    if marked(one):
        good = np.isfinite(x) & np.isfinite(y)
        ink = QColor(colour(one.place, dark))
        border = QPen(QColor(theme().paper), 1.0)
        border.setCosmetic(True)  # or it would be as wide as the mark
        if not joined(one) and is_crowded(figure):
            ink.setAlpha(150)
            border = QPen(Qt.PenStyle.NoPen)
        size = (_MARK if one.marked else _POINT) * (1.2 if symbol_of(one) in {"+", "x", "t", "t1", "d"} else 1.0)
        made.append(
            pg.ScatterPlotItem(
                x[good], y[good], size=size, symbol=symbol_of(one), pen=border, brush=QBrush(ink), antialias=True
            )
        )
    return made


def _spans(one: Series, figure: Figure, dark: bool) -> list[Any]:
    """Make bars of a measurement, where there are few, and a band along a curve."""
    x = scaled(one.x, figure.x)
    low, high = scaled(one.low, figure.y), scaled(one.high, figure.y)
    ink = QColor(colour(one.place, dark))
    if not one.marked:
        good = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
        if good.sum() < 2:
            return []
        ink.setAlphaF(_BAND if not dark else 0.2)
        return [_band(x[good], low[good], high[good], ink)]
    ink.setAlphaF(_BAR)
    pen = QPen(ink, 1.1)
    pen.setCosmetic(True)
    stems = pg.PlotCurveItem(np.repeat(x, 2), np.stack([low, high], 1).ravel(), pen=pen, connect="pairs")
    dash_ = QPainterPath()
    dash_.moveTo(-0.5, 0)
    dash_.lineTo(0.5, 0)
    ends = pg.ScatterPlotItem(
        np.concatenate([x, x]), np.concatenate([low, high]), size=6, symbol=dash_, pen=pen, brush=None
    )
    return [stems, ends]


def _band(x: Values, low: Values, high: Values, ink: QColor) -> Any:
    edges = [pg.PlotCurveItem(x, one) for one in (low, high)]
    return pg.FillBetweenItem(*edges, brush=QBrush(ink))


def _bars(one: Series, figure: Figure, dark: bool, low: float) -> list[Any]:
    x, y = scaled(one.x, figure.x), scaled(one.y, figure.y)
    good = np.isfinite(x) & np.isfinite(y)
    foot = low if figure.y.log else 0.0
    bars = pg.BarGraphItem(
        x=x[good], y0=np.full(int(good.sum()), foot), height=y[good] - foot, width=bar_width(one, figure.x),
        pen=QPen(Qt.PenStyle.NoPen), brush=QBrush(QColor(colour(one.place, dark))),
    )  # fmt: skip
    return [bars]


def _density(density: Density, figure: Figure, dark: bool) -> Any:
    x, y = scaled(density.x, figure.x), scaled(density.y, figure.y)
    weight = np.asarray(density.weight, np.float64)
    columns, x0, x1 = _regular(x)
    rows, y0, y1 = _regular(y)
    if columns is not None or rows is not None:
        columns = np.arange(weight.shape[1]) if columns is None else columns
        rows = np.arange(weight.shape[0]) if rows is None else rows
        weight = weight[np.ix_(rows, columns)]
    item = pg.ImageItem(ramp(weight, dark), axisOrder="row-major")
    item.setRect(QRectF(x0, y0, x1 - x0, y1 - y0))
    return item


def _regular(borders: Values) -> tuple[npt.NDArray[np.int64] | None, float, float]:
    """Return which cell lies at each of many equal steps, where the cells are not equal themselves."""
    first = 0 if np.isfinite(borders[0]) else 1  # a logarithmic axis has no place for 0
    inside = borders[first:]
    steps = np.diff(inside)
    if first == 0 and np.allclose(steps, steps.mean(), rtol=1e-3):
        return None, float(borders[0]), float(borders[-1])
    at = inside[0] + (np.arange(_CELLS) + 0.5) / _CELLS * (inside[-1] - inside[0])
    cell = np.clip(np.searchsorted(inside, at, "right") - 1, 0, len(inside) - 2) + first
    return cell, float(inside[0]), float(inside[-1])


def ramp(weight: Values, dark: bool) -> npt.NDArray[np.uint8]:
    """Return the colours of weights: from hardly any to all of the ink, by the root; nothing for 0."""
    ink = inks(dark)
    first, last = (
        np.array([QColor(one).red(), QColor(one).green(), QColor(one).blue()], float)
        for one in (ink.grid, colour(0, dark))
    )
    share = np.sqrt(np.maximum(weight, 0) / max(float(weight.max(initial=0)), 1e-300))
    found = np.empty((*weight.shape, 4), np.uint8)
    found[..., :3] = np.rint(first + share[..., None] * (last - first)).astype(np.uint8)
    found[..., 3] = np.where(weight > 0, 255, 0)
    return found
