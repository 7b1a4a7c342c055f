"""The path of one photograph from column to column of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from app.gui.compare.board_layout import GAP, PAD
from app.gui.pictures.tile_painting import TilePainter

_BELOW = GAP / 2 + 1


def paint_path(brush: TilePainter, boxes: Sequence[QRect | None], edges: Sequence[int]) -> None:
    """Join the places of one photograph; dashed past a column without it."""
    painter, now = brush.painter, brush.colours
    for path, whole in paths(boxes, edges):
        halo = QColor(now.ground)
        halo.setAlphaF(0.75)
        line = QColor(now.warn)
        for colour, width in ((halo, 6.0), (line, 2.4)):
            style = Qt.PenStyle.SolidLine if whole or width > 3 else Qt.PenStyle.DashLine
            painter.setPen(QPen(colour, width, style, Qt.PenCapStyle.RoundCap))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(line)
        for end in (path.pointAtPercent(0), path.pointAtPercent(1)):
            painter.drawEllipse(end, 3.4, 3.4)


def paths(boxes: Sequence[QRect | None], edges: Sequence[int]) -> list[tuple[QPainterPath, bool]]:
    """Return a line from each place of a photograph to the next, and whether no column lies between.

    A line runs in the gaps below pictures, and changes its height between columns, so that it covers none.

    Parameters
    ----------
    boxes : sequence of QRect or None
        Where it stands in each column; None where it does not.
    edges : sequence of int
        Where each column begins, px.
    """
    there = [(column, box) for column, box in enumerate(boxes) if box is not None]
    found = []
    for (column, box), (beside, other) in pairwise(there):
        edge = edges[beside]
        start, end = (
            QPointF(box.center().x(), box.bottom() + _BELOW),
            QPointF(other.center().x(), other.bottom() + _BELOW),
        )
        path = QPainterPath(start)
        path.lineTo(edge - PAD, start.y())
        path.cubicTo(
            QPointF(edge + PAD * 0.4, start.y()), QPointF(edge - PAD * 0.4, end.y()), QPointF(edge + PAD, end.y())
        )
        path.lineTo(end)
        found.append((path, beside == column + 1))
    return found
