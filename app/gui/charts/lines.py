"""Curves as few corners as can be told apart, painted quickly however many there are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from app.lab.figures.word_places import LabelBox
from core.arrays import Float64Values

_EDGE = 8.0  # pixels beside the plot that are kept, for the width of the pen
_LONG = 2.5  # diagonals of the plot, from which on Qt takes seconds to join the parts of a line
_ENDLESS = 200.0  # and from which on dashes are so many that they take seconds


def paint_curve(painter: QPainter, x: Float64Values, y: Float64Values, pen: QPen, plot: LabelBox) -> None:
    """Paint a curve through corners in pixels; NaN breaks it."""
    diagonal = float(np.hypot(plot.width, plot.height))
    for run in seen_runs(x, y, plot):
        corners = thinned_corners(run)
        length = float(np.hypot(*np.diff(corners, axis=0).T).sum())
        if length <= _LONG * diagonal:
            painter.setPen(pen)
            painter.drawPolyline([QPointF(*one) for one in corners.tolist()])
            continue
        dashes = [one * pen.widthF() for one in pen.dashPattern()] if length <= _ENDLESS * diagonal else []
        flat = QPen(pen)
        flat.setStyle(Qt.PenStyle.SolidLine)
        flat.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.SquareCap)
        painter.setPen(flat)
        painter.drawLines([QLineF(*one) for one in dashed_parts(corners, dashes).tolist()])


def seen_runs(x: Float64Values, y: Float64Values, plot: LabelBox) -> list[Float64Values]:
    """Return the corners, a row for each, of every stretch of a curve that may be seen."""
    right, bottom = plot.left + plot.width + _EDGE, plot.top + plot.height + _EDGE
    seen = np.ones(max(0, len(x) - 1), bool)
    for at, first, last in ((x, plot.left - _EDGE, right), (y, plot.top - _EDGE, bottom)):
        # Comparisons with NaN are false: what has no place is not seen.
        seen &= (np.maximum(at[:-1], at[1:]) >= first) & (np.minimum(at[:-1], at[1:]) <= last)
    turns = np.diff(np.concatenate([[0], seen, [0]]))
    corners = np.stack([x, y], 1)
    starts, ends = np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)
    return [corners[start : end + 1] for start, end in zip(starts, ends, strict=True)]


def thinned_corners(corners: Float64Values) -> Float64Values:
    """Keep of corners that follow each other in one column of pixels the first, the last, the highest, the lowest."""
    column = np.concatenate([[0], np.cumsum(np.diff(np.floor(corners[:, 0])) != 0)])
    borders = np.flatnonzero(np.diff(column))
    starts, ends = np.concatenate([[0], borders + 1]), np.concatenate([borders, [len(column) - 1]])
    by_height: npt.NDArray[np.int64] = np.lexsort((corners[:, 1], column))
    kept = np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
    return np.asarray(corners[kept])


def dashed_parts(corners: Float64Values, dashes: list[float]) -> Float64Values:
    """Return the straight parts of a line: from where to where, a row for each.

    Parameters
    ----------
    corners : ndarray of float64
        A row for each.
    dashes : list of float
        How many pixels are drawn, left out, drawn, and so on; empty where all is drawn.
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
