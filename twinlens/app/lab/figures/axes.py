"""Axes of a figure: their extent, and the positions and labels of their ticks, the same in every drawing of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from twinlens.app.lab.figures.figure import Axis, Figure, FigureKind, Series
from twinlens.core.arrays import Float64Values

Span = tuple[float, float]
_ROOM = 0.035  # beside what is drawn, of all there is
_BAR = 0.8  # of what lies between two bars


def scaled(values: object, axis: Axis) -> Float64Values:
    """Return values on the scale of an axis: logarithms on a logarithmic axis, NaN where there is none."""
    found = np.asarray(values, np.float64)
    if not axis.log:
        return found
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(found > 0, np.log10(np.where(found > 0, found, 1.0)), np.nan)


def unscaled(value: float, axis: Axis) -> float:
    """Return the value at a position on an axis."""
    return 10.0**value if axis.log else value


def bar_width(one: Series, axis: Axis) -> float:
    """Return the width of a series' bars on the scale of the axis."""
    x = np.unique(scaled(one.x, axis))
    x = x[np.isfinite(x)]
    return _BAR * float(np.min(np.diff(x))) if len(x) > 1 else _BAR


def extent(figure: Figure) -> tuple[Span, Span]:
    """Return the scaled range of each axis, with some margin around the data.

    Where an axis says itself where it begins or ends, that holds.
    """
    return _span(figure.x, list(_across(figure))), _span(figure.y, list(_up(figure)), top=True)


def equal_extent(spans: tuple[Span, Span], width: float, height: float) -> tuple[Span, Span]:
    """Widen one of two ranges, so that a unit is as long across as up in a plot of some size."""
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


_FEW = 8
_LETTER, _GAP = 0.014, 0.016
"""Width of a letter of a tick, and what is left free between two, as shares of an axis in a picture of usual size."""

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def linear_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers on an axis, with at most so many steps.

    Examples
    --------
    >>> linear_ticks(0, 1), linear_ticks(-0.02, 0.31, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 0.1, 0.2, 0.3])
    """
    if not high > low:
        return [low]
    raw = (high - low) / max(1, most)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(one * power for one in _STEPS if one * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{place * step:.12g}") for place in range(first, last + 1)]


def log_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Return round numbers on a logarithmic axis: powers of ten, of two where these are few, and 1, 2, 5 between.

    Examples
    --------
    >>> log_ticks(1, 1000), log_ticks(30, 270)
    ([1.0, 10.0, 100.0, 1000.0], [50.0, 100.0, 200.0])
    """
    for steps in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)):
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        found = [
            step * 10.0**power for power in range(first, last + 1) for step in steps
            if low * (1 - 1e-9) <= step * 10.0**power <= high * (1 + 1e-9)
        ]  # fmt: skip
        if len(found) >= 3:
            return found[:: -(-len(found) // most)]
    return found if len(found) >= 2 else linear_ticks(low, high, 4)


def measured_at(figure: Figure) -> list[float]:
    """Return the few measured positions as ticks; none if curves are continuous between them.

    Lines without marks may go through them, such as a level that others are compared with. Of places whose words would
    touch each other some are left out, never the first or the last; none are given where that leaves few of them.
    """
    marked = [one for one in figure.series if one.marked]
    places = sorted({x for one in marked for x in one.x})
    others = {x for one in figure.series if not one.marked for x in one.x}
    if not (1 < len(places) <= _FEW and figure.kind is FigureKind.LINES and others <= set(places)):
        return []
    if figure.x.log and places[0] <= 0:
        return []
    kept = _clear(places, figure.x.log)
    return kept if 2 * len(kept) >= len(places) else []


def _clear(places: list[float], log: bool) -> list[float]:
    """Keep the first and the last tick, and those between whose labels have room."""
    at = np.log(places) if log else np.asarray(places, float)
    shares = (at - at[0]) / (at[-1] - at[0])
    room = [_LETTER * len(plain_number(one)) / 2 + _GAP / 2 for one in places]
    kept, last = [0], len(places) - 1
    for one in range(1, last):
        after_it = shares[one] - shares[kept[-1]] >= room[one] + room[kept[-1]]
        if after_it and shares[last] - shares[one] >= room[one] + room[last]:
            kept.append(one)
    return [places[one] for one in (*kept, last)]


def plain_number(value: float) -> str:
    """Return a number on an axis as text.

    Examples
    --------
    >>> [plain_number(number) for number in (0.25, 1.0, 12000.0, 0.0, 1e-6, -0.5, 2.5e6)]
    ['0.25', '1', '12,000', '0', '10⁻⁶', '−0.5', '2.5·10⁶']
    """
    size = abs(value)
    if size and (size < 1e-4 or size >= 1e6):
        power = math.floor(math.log10(size) + 1e-9)
        front = f"{value / 10.0**power:.3g}".replace("-", "−")
        ten = "10" + str(power).translate(_SUPERSCRIPT)
        return ten if front == "1" else f"−{ten}" if front == "−1" else f"{front}·{ten}"
    if size >= 1_000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def ticks(low: float, high: float, log: bool, most: int) -> list[float]:
    """Return the ticks of an axis between two of its values: about so many at most, and two at least."""
    if log:
        return log_ticks(low, high, max(3, most))
    found = linear_ticks(low, high, max(2, most))
    return found if len(found) > 1 else linear_ticks(low, high, max(2, most) + 2)


def apart(places: list[float], widths: list[float], gap: float = 8.0) -> np.ndarray:
    """Return which labels at ascending positions can be written without overlap, from the first on."""
    shown = np.zeros(len(places), bool)
    free = -math.inf
    for one, (place, width) in enumerate(zip(places, widths, strict=True)):
        if place - width / 2 >= free:
            shown[one], free = True, place + width / 2 + gap
    return shown
