"""Outlines of the shapes that points have, for where they are drawn larger: in the legend, and on pictures."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF

from app.gui.map.dots import PointShape


def shape_path(shape: PointShape, middle: QPointF, r: float) -> QPainterPath:
    """Return the outline of a shape, as points are drawn in."""
    x, y = middle.x(), middle.y()
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    match shape:
        case PointShape.SQUARE:
            path.addRect(QRectF(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r))
        case PointShape.DIAMOND:
            reach = 1.25 * r
            corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
            path.addPolygon(QPolygonF([QPointF(x + a, y + b) for a, b in corners]))
        case PointShape.TRIANGLE | PointShape.WEDGE:
            up = 1 if shape is PointShape.TRIANGLE else -1
            corners = [(0, -1.1 * r * up), (r, 0.75 * r * up), (-r, 0.75 * r * up)]
            path.addPolygon(QPolygonF([QPointF(x + a, y + b) for a, b in corners]))
        case PointShape.RING:
            path.addEllipse(middle, 1.1 * r, 1.1 * r)
            path.addEllipse(middle, 0.55 * r, 0.55 * r)
        case PointShape.CROSS:
            path.setFillRule(Qt.FillRule.WindingFill)
            path.addRect(QRectF(x - 1.1 * r, y - 0.34 * r, 2.2 * r, 0.68 * r))
            path.addRect(QRectF(x - 0.34 * r, y - 1.1 * r, 0.68 * r, 2.2 * r))
        case _:
            path.addEllipse(middle, r, r)
    path.closeSubpath()
    return path
