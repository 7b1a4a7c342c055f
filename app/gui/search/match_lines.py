"""Lines between the matching points of two pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.gui.look.theme import Theme

Line = tuple[tuple[float, float], tuple[float, float]]
"""A place in the left picture and one in the right, as shares of width and height."""

MOST_LINES = 60
"""Most lines; more would hide the pictures."""

_GRASP = 6.0  # px from a line that still is on it
_CALM, _DIM, _BRIGHT = 0.75, 0.22, 1.0


def spread_lines(lines: Sequence[Line], most: int = MOST_LINES) -> tuple[Line, ...]:
    """Choose lines that lie far from each other, if there are too many."""
    if len(lines) <= most:
        return tuple(lines)
    places = np.array([[*start, *end] for start, end in lines])
    chosen = [int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())]
    away = np.full(len(lines), np.inf)
    while len(chosen) < most:
        away = np.minimum(away, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(away.argmax()))
    return tuple(lines[place] for place in sorted(chosen))


def nearest_line(ends: Sequence[tuple[QPointF, QPointF]], at: QPointF) -> int | None:
    """Return the line nearest to a place, if one is near."""
    if not ends:
        return None
    starts = _array([start for start, _ in ends])
    ways = _array([end for _, end in ends]) - starts
    here = np.array([at.x(), at.y()]) - starts
    along = (here * ways).sum(axis=1) / np.maximum((ways * ways).sum(axis=1), 1e-9)
    beside = np.hypot(*(here - ways * along.clip(0, 1)[:, None]).T)
    place = int(beside.argmin())
    return place if beside[place] <= _GRASP else None


def _array(points: Sequence[QPointF]) -> npt.NDArray[np.float64]:
    return np.array([[point.x(), point.y()] for point in points])


def paint_lines(
    painter: QPainter, now: Theme, ends: Sequence[tuple[QPointF, QPointF]], bright: int | None = None, scale: float = 1
) -> None:
    """Paint all lines thin, and the chosen one thicker, in another colour and with rings, above the others.

    Parameters
    ----------
    painter : QPainter
    now : Theme
    ends : sequence of (QPointF, QPointF)
    bright : int or None
        Which one is looked at.
    scale : float
        How much thicker than in a small picture.
    """
    opacity = painter.opacity()
    painter.setOpacity(_CALM if bright is None else _DIM)
    for place, (start, end) in enumerate(ends):
        if place != bright:
            _paint(painter, start, end, QColor(now.accent), 1.0 * scale, 2.0 * scale)
    painter.setOpacity(_BRIGHT)
    if bright is not None and bright < len(ends):
        _paint(painter, *ends[bright], QColor(now.warn), 2.0 * scale, 4.5 * scale)
    painter.setOpacity(opacity)


def _paint(painter: QPainter, start: QPointF, end: QPointF, colour: QColor, width: float, radius: float) -> None:
    """Paint one line with a pale edge, so that it stands out on every photograph."""
    edge = QColor(255, 255, 255, 80)
    cap = Qt.PenCapStyle.RoundCap
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, thick in ((edge, width + 1.2), (colour, width)):
        painter.setPen(QPen(ink, thick, Qt.PenStyle.SolidLine, cap))
        painter.drawLine(start, end)
    painter.setPen(QPen(edge, 1))
    painter.setBrush(colour)
    for place in (start, end):
        painter.drawEllipse(place, radius, radius)
