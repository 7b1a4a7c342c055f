"""The pictures of the rail, drawn in the pen of a painter, in a square."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.gui.look.theme import theme


def draw_icon(painter: QPainter, name: str, box: QRectF) -> None:
    """Draw the picture of a view, by its name on the rail."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _ICONS[name](painter, box.x(), box.y(), box.width())


def _library(painter: QPainter, x: float, y: float, side: float) -> None:
    half = side / 2 - 1.5
    for dx in (0.0, side - half):
        for dy in (0.0, side - half):
            painter.drawRoundedRect(QRectF(x + dx, y + dy, half, half), 1.5, 1.5)


def _search(painter: QPainter, x: float, y: float, side: float) -> None:
    painter.drawEllipse(QRectF(x + 1, y + 1, side * 0.62, side * 0.62))
    painter.drawLine(QPointF(x + side * 0.6, y + side * 0.6), QPointF(x + side - 1, y + side - 1))


def _compare(painter: QPainter, x: float, y: float, side: float) -> None:
    for step in range(3):
        painter.drawRoundedRect(QRectF(x + 0.5 + step * 6.2, y + 1.5, 4.6, side - 3), 1.4, 1.4)


def _learn(painter: QPainter, x: float, y: float, side: float) -> None:
    heart = QPainterPath(QPointF(x + side / 2, y + side - 1.5))
    for way in (-1, 1):
        heart.moveTo(x + side / 2, y + side - 1.5)
        heart.cubicTo(
            QPointF(x + side / 2 + way * side * 0.72, y + side * 0.52),
            QPointF(x + side / 2 + way * side * 0.5, y - side * 0.12),
            QPointF(x + side / 2, y + side * 0.26),
        )
    painter.drawPath(heart)


def _lab(painter: QPainter, x: float, y: float, side: float) -> None:
    painter.drawPolyline(
        QPolygonF([QPointF(x + 1, y + 1), QPointF(x + 1, y + side - 1), QPointF(x + side, y + side - 1)])
    )
    curve = QPainterPath(QPointF(x + 3.5, y + side - 4))
    curve.cubicTo(QPointF(x + side * 0.45, y + side - 5), QPointF(x + side * 0.35, y + 3), QPointF(x + side, y + 3))
    painter.drawPath(curve)


def _map(painter: QPainter, x: float, y: float, side: float) -> None:
    for dx, dy, radius in ((0.2, 0.3, 2.6), (0.58, 0.14, 1.5), (0.84, 0.42, 2.1), (0.38, 0.74, 1.9), (0.78, 0.82, 2.6)):
        painter.drawEllipse(QPointF(x + side * dx, y + side * dy), radius, radius)


def _indexes(painter: QPainter, x: float, y: float, side: float) -> None:
    for step, width in enumerate((1.0, 0.7, 0.85)):
        top = y + 2 + step * 6.5
        painter.drawLine(QPointF(x + 1, top), QPointF(x + 1 + (side - 2) * width, top))


def _problems(painter: QPainter, x: float, y: float, side: float) -> None:
    painter.drawPolygon(
        QPolygonF([QPointF(x + side / 2, y + 1), QPointF(x + side, y + side - 1), QPointF(x, y + side - 1)])
    )
    painter.drawLine(QPointF(x + side / 2, y + 7), QPointF(x + side / 2, y + 11))
    painter.drawPoint(QPointF(x + side / 2, y + 14))


def _settings(painter: QPainter, x: float, y: float, side: float) -> None:
    """Draw three sliders."""
    for step, place in enumerate((0.3, 0.7, 0.45)):
        top = y + 3 + step * 6
        painter.drawLine(QPointF(x, top), QPointF(x + side, top))
        painter.setBrush(QColor(theme().paper))
        painter.drawEllipse(QPointF(x + side * place, top), 2.2, 2.2)
        painter.setBrush(Qt.BrushStyle.NoBrush)


_ICONS: dict[str, Callable[[QPainter, float, float, float], None]] = {
    "library": _library,
    "search": _search,
    "compare": _compare,
    "learn": _learn,
    "lab": _lab,
    "map": _map,
    "indexes": _indexes,
    "problems": _problems,
    "settings": _settings,
}
