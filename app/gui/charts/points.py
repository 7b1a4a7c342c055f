"""The points of a figure: which is near, which comes next, and to which row of the run it belongs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.gui.charts.chart_plan import Plan
from app.gui.charts.data_painting import marked
from app.lab.figures.extent import scaled
from app.lab.figures.figure import Figure

_REACH = 22.0  # pixels from the pointer within which a point is meant
_MARKED = 4.0  # pixels by which marks are preferred to lines
_OUTSIDE = 8.0  # pixels around the plot in which points are meant, too
_STEPS = 100  # from one end to the other of a curve of very many points


@dataclass(frozen=True)
class Place:
    """A point of a figure: the number of its series, and its own."""

    series: int
    point: int


class Points:
    """Finds points of a figure.

    Parameters
    ----------
    figure : Figure
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self._at = [(scaled(one.x, figure.x), scaled(one.y, figure.y)) for one in figure.series]

    def key_of(self, place: Place) -> str:
        """Return the row of the run that a point belongs to; empty where there is none."""
        keys = self.figure.series[place.series].keys
        return keys[place.point] if len(keys) else ""

    def of_row(self, key: str | None) -> list[Place]:
        """Return the points of a row of the run."""
        if not key:
            return []
        every = (
            (number, point, one)
            for number, each in enumerate(self.figure.series)
            for point, one in enumerate(each.keys)
        )
        return [Place(number, point) for number, point, one in every if one == key]

    def position(self, made: Plan, place: Place) -> tuple[float, float] | None:
        """Return where a point lies, in pixels; None where it is not seen."""
        x, y = (one[place.point] for one in self._at[place.series])
        seen = made.x[0] <= x <= made.x[1] and made.y[0] <= y <= made.y[1]  # never of NaN
        return (float(made.at_x(x)), float(made.at_y(y))) if seen else None

    def near(self, made: Plan, across: float, down: float) -> Place | None:
        """Find the nearest point; of equally near, what has a mark, and what is in front."""
        box = made.plot
        if not (
            -_OUTSIDE <= across - box.left <= box.width + _OUTSIDE
            and -_OUTSIDE <= down - box.top <= box.height + _OUTSIDE
        ):
            return None
        best, found = _REACH, None
        for number, (x, y) in enumerate(self._at):
            if not len(x):
                continue
            away = np.nan_to_num(np.hypot(made.at_x(x) - across, made.at_y(y) - down), nan=np.inf)
            point = int(np.argmin(away))
            distance = float(away[point]) - (_MARKED if marked(self.figure.series[number]) else 0.0)
            if distance < best:
                best, found = distance, Place(number, point)
        return found

    def along(self, at: Place | None, steps: float) -> Place | None:
        """Go along a curve in the order of x, in steps that grow with it; the first point where none is given."""
        full = self._full()
        if at is None or at.series not in full:
            return Place(full[0], int(self._order(full[0])[0])) if full else None
        order = self._order(at.series)
        step = steps * max(1, len(order) // _STEPS if len(order) > 2 * _STEPS else 1)
        now = int(np.flatnonzero(order == at.point)[0])
        return Place(at.series, int(order[int(min(max(now + step, 0), len(order) - 1))]))

    def beside(self, at: Place | None, steps: int) -> Place | None:
        """Go to the nearest point of another curve; the first point where none is given."""
        full = self._full()
        if at is None or at.series not in full:
            return self.along(None, 0)
        other = full[(full.index(at.series) + steps) % len(full)]
        order = self._order(other)
        away = np.abs(self._at[other][0][order] - self._at[at.series][0][at.point])
        return Place(other, int(order[np.argmin(away)]))

    def _full(self) -> list[int]:
        return [number for number in range(len(self._at)) if len(self._order(number))]

    def _order(self, series: int) -> npt.NDArray[np.int64]:
        x, y = self._at[series]
        good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        return good[np.argsort(x[good], kind="stable")]
