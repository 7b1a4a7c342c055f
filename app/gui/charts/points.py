"""The points of a figure: which is near, which comes next, and to which row of the run it belongs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

from app.gui.charts.chart_plan import ChartPlan
from app.gui.charts.data_painting import is_marked
from app.lab.figures.figure import Figure

_REACH = 22.0  # pixels from the pointer within which a point is meant
_MARKED = 4.0  # pixels by which marks are preferred to lines
_OUTSIDE = 8.0  # pixels around the plot in which points are meant, too
_ROUNDED = 1e-6  # pixels
_STEPS = 100  # from one end to the other of a curve of very many points


@dataclass(frozen=True)
class PointPlace:
    """A point of a figure: the number of its series, and its own."""

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
    """Return where a point lies; None where it is not seen."""
    where = QPointF(*(float(one[place.point]) for one in made.points[place.series]))
    return where if _plot(made, _ROUNDED).contains(where) else None


def nearest_point(made: ChartPlan, where: QPointF) -> PointPlace | None:
    """Find the nearest point; of equally near, what has a mark, and what is in front."""
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
    """Go along a curve in the order of x, in steps that grow with it; to the first point where none is given."""
    full = _full(made)
    if at is None or at.series not in full:
        return PointPlace(full[0], int(_order(made, full[0])[0])) if full else None
    order = _order(made, at.series)
    step = steps * (len(order) // _STEPS if len(order) > 2 * _STEPS else 1)
    now = int(np.flatnonzero(order == at.point)[0])
    return PointPlace(at.series, int(order[int(min(max(now + step, 0), len(order) - 1))]))


def point_beside(made: ChartPlan, at: PointPlace | None, steps: int) -> PointPlace | None:
    """Go to the nearest point of another curve; to the first point where none is given."""
    full = _full(made)
    if at is None or at.series not in full:
        return point_along(made, None, 0)
    other = full[(full.index(at.series) + steps) % len(full)]
    order = _order(made, other)
    away = np.abs(made.points[other][0][order] - made.points[at.series][0][at.point])
    return PointPlace(other, int(order[np.argmin(away)]))


def _plot(made: ChartPlan, around: float) -> QRectF:
    return QRectF(*made.plot).adjusted(-around, -around, around, around)


def _full(made: ChartPlan) -> list[int]:
    return [number for number, (x, y) in enumerate(made.points) if np.isfinite(x + y).any()]


def _order(made: ChartPlan, series: int) -> npt.NDArray[np.int64]:
    """Return the points of a series that have a place, in the order of x."""
    x, y = made.points[series]
    good = np.flatnonzero(np.isfinite(x + y))
    return np.asarray(good[np.argsort(x[good], kind="stable")])
