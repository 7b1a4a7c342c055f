"""Curves, drawn quickly: Qt takes seconds where a wide line has thousands of corners, and its parts take none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF, QTransform

from app.lab.figures.extent import Span, Values

_MANY = 3_000  # points from which on those between two pixels are left out
_CORNERS = 250  # up to which Qt joins the parts
_NEAR = 1.5  # pixels between corners
_OVERLAP = 0.5


class Line(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph says nothing of its types
    """A curve; of very many points, as many as can be told apart in the pixels there are.

    Parameters
    ----------
    x, y : ndarray of float64
        Scaled.
    pen : QPen
        Cosmetic.
    """

    def __init__(self, x: Values, y: Values, pen: QPen) -> None:
        self._every = x, y
        self._drawn: tuple[QTransform, list[QPolygonF], list[QLineF]] | None = None
        self._long = len(x) > _MANY and bool(np.all(np.diff(x) >= 0))
        super().__init__(
            *(thinned(x, y, _MANY // 2) if self._long else (x, y)), pen=pen, antialias=True, connect="finite"
        )

    def fit(self, span: Span, pixels: float) -> None:
        """Take those points that are told apart where a part of the axis is drawn on some pixels."""
        if self._long:
            x, y = self._every
            first, last = np.searchsorted(x, span)
            seen = slice(max(0, int(first) - 1), int(last) + 1)
            self.setData(*thinned(x[seen], y[seen], int(pixels)))
            self._drawn = None

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        """Draw it; in parts where it has many corners."""
        del option, widget
        x, y = self.getData()
        if x is None or not len(x):
            return
        transform, pen = painter.worldTransform(), QPen(self.opts["pen"])
        if self._drawn is None or self._drawn[0] != transform:
            corners = apart(transform.m11() * x + transform.dx(), transform.m22() * y + transform.dy())
            self._drawn = transform, *_shapes(*corners, pen)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _, lines, pieces = self._drawn
        if pieces:
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLines(pieces)
        for line in lines:
            painter.drawPolyline(line)
        painter.restore()


def _shapes(x: Values, y: Values, pen: QPen) -> tuple[list[QPolygonF], list[QLineF]]:
    """Return lines that Qt joins, or their parts where there are too many corners."""
    if len(x) <= _CORNERS:
        runs = np.split(np.arange(len(x)), np.flatnonzero(~(np.isfinite(x) & np.isfinite(y))))
        full = [run[np.isfinite(x[run]) & np.isfinite(y[run])] for run in runs]
        return [QPolygonF([QPointF(x[one], y[one]) for one in run]) for run in full if len(run) > 1], []
    dashes = [] if pen.style() is Qt.PenStyle.SolidLine else [one * pen.widthF() for one in pen.dashPattern()]
    found = parts(x, y, dashes)
    # Parts overlap a little: where two end on one pixel, their half shades do not make a whole one.
    along = found[:, 2:] - found[:, :2]
    along *= _OVERLAP / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    found = np.concatenate([found[:, :2] - along, found[:, 2:] + along], 1)
    return [], [QLineF(*one) for one in found.tolist()]


def apart(x: Values, y: Values) -> tuple[Values, Values]:
    """Leave out corners that lie within a pixel or so of each other along the line."""
    good = np.isfinite(x) & np.isfinite(y)
    along = np.concatenate([[0.0], np.cumsum(np.nan_to_num(np.hypot(np.diff(x), np.diff(y)), nan=_NEAR))])
    kept = np.concatenate([[True], np.diff(np.floor(along / _NEAR)) > 0]) | ~good
    kept[-1] = True
    return x[kept], y[kept]


def parts(x: Values, y: Values, dashes: list[float]) -> Values:
    """Return the straight parts of a line: from where to where, a row for each.

    Parameters
    ----------
    x, y : ndarray of float64
        Corners in pixels; NaN parts the line.
    dashes : list of float
        How many pixels are drawn, left out, drawn, and so on; empty where all is drawn.
    """
    lengths = np.nan_to_num(np.hypot(np.diff(x), np.diff(y)))
    if dashes and lengths.sum() > 0:
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        ends = np.cumsum(dashes)
        turns = np.arange(int(along[-1] / ends[-1]) + 1)[:, None] * ends[-1] + ends
        at = np.unique(np.concatenate([along, turns.ravel()[turns.ravel() < along[-1]]]))
        middle = (at[:-1] + at[1:]) / 2
        drawn = np.searchsorted(ends, middle % ends[-1], "right") % 2 == 0
        within = np.clip(np.searchsorted(along, middle, "right") - 1, 0, len(lengths) - 1)
        share = (np.stack([at[:-1], at[1:]]) - along[within]) / np.maximum(lengths[within], 1e-12)
        found = np.stack(
            [
                x[within] + share[0] * (x[within + 1] - x[within]), y[within] + share[0] * (y[within + 1] - y[within]),
                x[within] + share[1] * (x[within + 1] - x[within]), y[within] + share[1] * (y[within + 1] - y[within]),
            ], 1,
        )[drawn]  # fmt: skip
    else:
        found = np.stack([x[:-1], y[:-1], x[1:], y[1:]], 1)
    return np.asarray(found[np.isfinite(found).all(axis=1)])


def thinned(x: Values, y: Values, stretches: int) -> tuple[Values, Values]:
    """Keep of points whose x rises the lowest and the highest of each of some stretches, and the first and last."""
    if len(x) <= 4 * stretches:
        return x, y
    starts = np.unique(np.searchsorted(x, np.linspace(x[0], x[-1], stretches + 1)[:-1]))
    starts[0] = 0
    low, high = np.where(np.isnan(y), np.inf, y), np.where(np.isnan(y), -np.inf, y)
    kept = {0, len(x) - 1}
    for start, end in zip(starts, [*starts[1:], len(x)], strict=True):
        kept |= {int(start + np.argmin(low[start:end])), int(start + np.argmax(high[start:end]))}
    rows = np.array(sorted(kept))
    return x[rows], y[rows]
