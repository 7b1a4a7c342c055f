"""From where to where a figure goes: the same in every drawing of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from app.lab.figures.figure import Axis, Figure, FigureKind, Series
from core.arrays import Float64Values

Span = tuple[float, float]

_ROOM = 0.035  # beside what is drawn, of all there is
_BAR = 0.8  # of what lies between two bars


def scaled(values: object, axis: Axis) -> Float64Values:
    """Return values as they are drawn: of a logarithmic axis, powers of ten, and NaN for what has none."""
    found = np.asarray(values, np.float64)
    if not axis.log:
        return found
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(found > 0, np.log10(np.where(found > 0, found, 1.0)), np.nan)


def unscaled(value: float, axis: Axis) -> float:
    """Return the value that is drawn at a place of an axis."""
    return 10.0**value if axis.log else value


def bar_width(one: Series, axis: Axis) -> float:
    """Return the width of the bars of a series, as the axis is drawn."""
    x = np.unique(scaled(one.x, axis))
    x = x[np.isfinite(x)]
    return _BAR * float(np.min(np.diff(x))) if len(x) > 1 else _BAR


def extent(figure: Figure) -> tuple[Span, Span]:
    """Return from where to where each axis goes, as it is drawn: scaled, with some room around what is there.

    Where an axis says itself where it begins or ends, that holds.
    """
    return _span(figure.x, list(_across(figure))), _span(figure.y, list(_up(figure)), top=True)


def equal_extent(spans: tuple[Span, Span], width: float, height: float) -> tuple[Span, Span]:
    """Widen one of two spans, so that a unit is as long across as up in a plot of some width and height."""
    (left, right), (low, high) = spans
    unit = max((right - left) / max(width, 1.0), (high - low) / max(height, 1.0))
    return _widened((left, right), unit * width), _widened((low, high), unit * height)


def _widened(span: Span, length: float) -> Span:
    middle = (span[0] + span[1]) / 2
    return middle - length / 2, middle + length / 2


def _across(figure: Figure) -> Iterator[Float64Values]:
    for one in figure.series:
        x = scaled(one.x, figure.x)
        if one.kind is FigureKind.BARS:
            half = bar_width(one, figure.x) / 2
            yield x - half
            yield x + half
        else:
            yield x
    if figure.density is not None:
        yield scaled(figure.density.x, figure.x)
    yield scaled([one.at for one in figure.markers if one.vertical], figure.x)


def _up(figure: Figure) -> Iterator[Float64Values]:
    for one in figure.series:
        for values in (one.y, one.low, one.high):
            yield scaled(values, figure.y)
        if one.kind is FigureKind.BARS and not figure.y.log:
            yield np.zeros(1)
    if figure.density is not None:
        yield scaled(figure.density.y, figure.y)
    yield scaled([one.at for one in figure.markers if not one.vertical], figure.y)


def _span(axis: Axis, parts: list[Float64Values], top: bool = False) -> Span:
    values = np.concatenate([np.zeros(0), *parts])
    values = values[np.isfinite(values)]
    given = [
        None if end is None or (axis.log and end <= 0) else scaled(end, axis).item() for end in (axis.low, axis.high)
    ]
    low = given[0] if given[0] is not None else float(values.min()) if len(values) else None
    high = given[1] if given[1] is not None else float(values.max()) if len(values) else None
    if low is None or high is None:
        low, high = (low, low + 1) if low is not None else (high - 1, high) if high is not None else (0.0, 1.0)
    if not high > low:
        away = 0.5 if axis.log else max(abs(low) * 0.1, 0.5)
        low, high = (low if given[0] is not None else low - away), (high if given[1] is not None else high + away)
        if not high > low:
            high = low + away
    room = _ROOM * (high - low)
    if given[0] is None:
        low -= room
    if given[1] is None:
        high += room
    elif top and not axis.log and axis.high == 1:
        high += 0.02 * (high - low)  # so that a curve at 1 is not cut
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (0.0, 1.0)
