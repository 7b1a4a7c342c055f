"""The points of a figure: which is nearest to a place, which comes next, and the card with the facts of one.

A point may belong to a row of a run; tables and charts highlight each other by the key of that row.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.charts.chart_pen import ink_of
from twinlens.app.gui.look.labels import RichLabel
from twinlens.app.gui.look.theme import theme
from twinlens.app.lab.figures.axes import plain_number
from twinlens.app.lab.figures.chart_plan import ChartPlan
from twinlens.app.lab.figures.figure import Axis, Figure
from twinlens.app.lab.figures.painting import is_marked
from twinlens.app.language.texts import number, numeral

_REACH = 22.0  # distance from the pointer within which a point is found, px
_MARKED = 4.0  # advantage of marks over lines, px
_OUTSIDE = 8.0  # margin around the plot in which points are found, px
_ROUNDED = 1e-6  # pixels
_STEPS = 100  # key presses from one end to the other of a curve of very many points


@dataclass(frozen=True)
class PointPlace:
    """A point of a figure: the number of its series and its number in it."""

    series: int
    point: int


def row_key(figure: Figure, place: PointPlace) -> str:
    """Return the row of the run that a point belongs to; empty where there is none."""
    keys = figure.series[place.series].keys
    return keys[place.point] if len(keys) else ""


def points_of_row(figure: Figure, key: str | None) -> list[PointPlace]:
    """Return the points of a row of the run."""
    if not key:
        return []
    every = ((number, point, one) for number, each in enumerate(figure.series) for point, one in enumerate(each.keys))
    return [PointPlace(number, point) for number, point, one in every if one == key]


def point_position(made: ChartPlan, place: PointPlace) -> QPointF | None:
    """Return the position of a point in pixels; None where it is not visible."""
    where = QPointF(*(float(one[place.point]) for one in made.points[place.series]))
    return where if _plot(made, _ROUNDED).contains(where) else None


def _plot(made: ChartPlan, around: float) -> QRectF:
    return QRectF(*made.plot).adjusted(-around, -around, around, around)


def nearest_point(made: ChartPlan, where: QPointF) -> PointPlace | None:
    """Return the nearest point; of equally near ones, one with a mark, then the one in front."""
    best, found = _REACH, None
    if _plot(made, _OUTSIDE).contains(where):
        for number, (x, y) in enumerate(made.points):
            away = np.nan_to_num(np.hypot(x - where.x(), y - where.y()), nan=np.inf)
            point = int(np.argmin(away)) if len(away) else 0
            distance = float(away.min(initial=np.inf)) - (_MARKED if is_marked(made.figure.series[number]) else 0.0)
            if distance < best:
                best, found = distance, PointPlace(number, point)
    return found


def point_along(made: ChartPlan, at: PointPlace | None, steps: float) -> PointPlace | None:
    """Return the next point along a curve in the order of x, or the first point if none is given."""
    full = _full(made)
    if at is None or at.series not in full:
        return PointPlace(full[0], int(_order(made, full[0])[0])) if full else None
    order = _order(made, at.series)
    step = steps * (len(order) // _STEPS if len(order) > 2 * _STEPS else 1)
    now = int(np.flatnonzero(order == at.point)[0])
    return PointPlace(at.series, int(order[int(min(max(now + step, 0), len(order) - 1))]))


def _full(made: ChartPlan) -> list[int]:
    return [number for number, (x, y) in enumerate(made.points) if np.isfinite(x + y).any()]


def _order(made: ChartPlan, series: int) -> npt.NDArray[np.int64]:
    """Return the points of a series that have a position, in the order of x."""
    x, y = made.points[series]
    good = np.flatnonzero(np.isfinite(x + y))
    return np.asarray(good[np.argsort(x[good], kind="stable")])


def point_beside(made: ChartPlan, at: PointPlace | None, steps: int) -> PointPlace | None:
    """Return the nearest point of another curve, or the first point if none is given."""
    full = _full(made)
    if at is None or at.series not in full:
        return point_along(made, None, 0)
    other = full[(full.index(at.series) + steps) % len(full)]
    order = _order(made, other)
    away = np.abs(made.points[other][0][order] - made.points[at.series][0][at.point])
    return PointPlace(other, int(order[np.argmin(away)]))


_AWAY = 14
_MOST = 12  # facts


def point_facts(figure: Figure, place: PointPlace) -> list[tuple[str, str]]:
    """Return the facts of a point by name: its values on the axes, then the settings it was measured with."""
    one = figure.series[place.series]
    found = [_of(figure.x, one.x[place.point]), _of(figure.y, one.y[place.point])]
    if len(one.low):
        words = f"{_number(one.low[place.point])} – {_number(one.high[place.point])}"
        found.append(("", words + (f" {figure.y.unit}" if figure.y.unit else "")))
    if len(one.points):
        said = {value for _, value in found}
        found += [(str(name), str(value)) for name, value in one.points[place.point].items() if str(value) not in said]
    return found[:_MOST]


def point_sentence(figure: Figure, place: PointPlace) -> str:
    """Return the facts of a point in one line."""
    said = ", ".join(f"{name} {value}".strip() for name, value in point_facts(figure, place))
    name = figure.series[place.series].name
    return f"{name}: {said}" if name else said


def _of(axis: Axis, value: float) -> tuple[str, str]:
    return str(axis.label), _number(value) + (f" {axis.unit}" if axis.unit else "")


def tick_text(value: float) -> str:
    """Return a number of an axis as a text, as short as possible."""
    return numeral(plain_number(value))


def _number(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e7:
        return number(value, ",.0f").replace("-", "−")
    return (
        tick_text(float(value)) if abs(value) < 1e-3 or abs(value) >= 1_000 else number(value, ".4g").replace("-", "−")
    )


class Readout(RichLabel):
    """The card with the facts of a point.

    Parameters
    ----------
    parent : QWidget
        The card never leaves it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._within = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setMargin(9)
        self.hide()

    def show_of(self, figure: Figure, place: PointPlace, at: QPointF, hint: str) -> None:
        """Show the facts of a point beside its position in the parent."""
        now = theme()
        one = figure.series[place.series]
        ink = ink_of(one.place).name()
        rows = "".join(
            f"<tr><td style='color:{now.quiet}; padding-right:12px'>{escape(name)}</td><td>{escape(value)}</td></tr>"
            for name, value in point_facts(figure, place)
        )
        name = f"<b style='color:{ink}'>{escape(str(one.name))}</b>" if one.name else ""
        foot = f"<div style='color:{now.quiet}; margin-top:4px'>{escape(hint)}</div>" if hint else ""
        self.setStyleSheet(
            f"background: {now.paper}; color: {now.ink}; border: 1px solid {now.line}; border-radius: 6px;"
            f"font-size: 11px;"
        )
        self.setText(f"{name}<table cellspacing='0' cellpadding='1'>{rows}</table>{foot}")
        self.adjustSize()
        self.move(self._beside(at.toPoint()))
        self.show()
        self.raise_()

    def _beside(self, at: QPoint) -> QPoint:
        bounds: QRect = self._within.rect().adjusted(4, 4, -4, -4)
        left = at.x() + _AWAY if at.x() + _AWAY + self.width() <= bounds.right() else at.x() - _AWAY - self.width()
        top = at.y() - self.height() - _AWAY
        top = top if top >= bounds.top() else at.y() + _AWAY
        return QPoint(
            min(max(left, bounds.left()), max(bounds.left(), bounds.right() - self.width())),
            min(max(top, bounds.top()), max(bounds.top(), bounds.bottom() - self.height())),
        )
