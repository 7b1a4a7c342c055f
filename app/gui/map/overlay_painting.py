"""Paints what lies over the points: pictures in frames of their colour, names, rings around what is meant, lassos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap, QPolygonF

from app.gui.look.sentences import small, strong
from app.gui.look.theme import Theme
from app.gui.map.cluster_labels import PlacedName
from app.gui.map.dots import PointShape
from app.gui.map.shapes import shape_path

_FRAME, _FRAME_LARGE = 2.0, 3.0
_LARGE_PX = 90.0
_FAINT = 0.28
_PLATE_ALPHA = 222
_BADGED_PX = 44.0  # smaller pictures stand among points, which have the shape themselves
BADGE_PX, _SHAPE_PX = 13, 4.0


class PaintedPicture(NamedTuple):
    """A picture as it is painted.

    Attributes
    ----------
    x, y : float
        Its middle, px.
    side : float
        Of the longer one, px.
    picture : QPixmap or QImage
    colour : str
        Of the group.
    selected, faint : bool
    badge : QPixmap, optional
        The shape of the group, for who does not tell its colour from others.
    """

    x: float
    y: float
    side: float
    picture: QPixmap | QImage
    colour: str
    selected: bool = False
    faint: bool = False
    badge: QPixmap | None = None


def box_of(picture: QPixmap | QImage, x: float, y: float, side: float) -> QRectF:
    """Return where a picture is painted, in whole pixels, so that it is as sharp as it is."""
    share = side / max(picture.width(), picture.height(), 1)
    width, height = max(1, round(picture.width() * share)), max(1, round(picture.height() * share))
    return QRectF(round(x - width / 2), round(y - height / 2), width, height)


class MapPainter:
    """Paints on a view.

    Parameters
    ----------
    painter : QPainter
    now : Theme
    font : QFont
    smooth : bool
        Whether pictures of another size are smoothed, which takes time.
    """

    def __init__(self, painter: QPainter, now: Theme, font: QFont, smooth: bool) -> None:
        self._painter, self._now, self._font = painter, now, font
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)

    def pictures(self, seen: Sequence[PaintedPicture], ratio: float) -> None:
        """Paint pictures, each in a frame of its colour."""
        painter = self._painter
        for one in seen:
            box = box_of(one.picture, one.x, one.y, one.side)
            frame = _FRAME if one.side < _LARGE_PX else _FRAME_LARGE
            ink = QColor(self._now.accent if one.selected else one.colour)
            grown = frame + 1 if one.selected else frame
            around = box.adjusted(-grown, -grown, grown, grown)
            if one.faint:  # neither points nor the colour of the frame shine through the picture
                painter.setOpacity(1.0)
                painter.fillRect(around, QColor(self._now.ground))
                painter.setOpacity(_FAINT)
                painter.fillRect(around, ink)
                painter.setOpacity(1.0)
                painter.fillRect(box, QColor(self._now.ground))
            painter.setOpacity(_FAINT if one.faint else 1.0)
            if not one.faint:
                painter.fillRect(around, ink)
            if isinstance(one.picture, QImage):
                painter.drawImage(box, one.picture)
            elif round(box.width() * ratio) == one.picture.width():
                one.picture.setDevicePixelRatio(ratio)
                painter.drawPixmap(box.topLeft(), one.picture)
            else:
                one.picture.setDevicePixelRatio(1)
                painter.drawPixmap(box, one.picture, QRectF(one.picture.rect()))
            if one.badge is not None and one.side >= _BADGED_PX:
                painter.drawPixmap(around.bottomLeft() - QPointF(0, BADGE_PX), one.badge)
        painter.setOpacity(1.0)

    def names(self, names: Sequence[PlacedName]) -> None:
        """Write names on their plates."""
        painter, now = self._painter, self._now
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(name_font(self._font))
        plate = QColor(now.paper)
        plate.setAlpha(_PLATE_ALPHA)
        for one in names:
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(plate)
            painter.drawRoundedRect(one.plate, one.plate.height() / 2, one.plate.height() / 2)
            painter.setPen(QColor(now.ink))
            painter.drawText(one.plate, Qt.AlignmentFlag.AlignCenter, one.text)

    def ring(self, box: QRectF, colour: str, width: float = 2.0) -> None:
        """Draw a ring around a picture or a point, on a line of paper, so that it is seen on any ground."""
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, wide, out in ((self._now.paper, width + 2, 2.0), (colour, width, 2.0)):
            painter.setPen(QPen(QColor(ink), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            grown = box.adjusted(-out, -out, out, out)
            painter.drawRoundedRect(grown, min(5.0, grown.width() / 2), min(5.0, grown.height() / 2))

    def flag(self, box: QRectF, words: str) -> None:
        """Mark a picture or a point that was asked for, with a word above it."""
        painter, now = self._painter, self._now
        self.ring(box, now.warn, 3.0)
        font = strong(small(self._font, 0.9))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        width, height = metrics.horizontalAdvance(words) + 12, metrics.height() + 2
        plate = QRectF(box.center().x() - width / 2, box.top() - height - 6, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.warn))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(QColor(now.paper))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)

    def lasso(self, corners: Sequence[tuple[float, float]]) -> None:
        """Draw the line around what is being encircled."""
        painter, now = self._painter, self._now
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QPolygonF([QPointF(x, y) for x, y in corners])
        inside = QColor(now.accent)
        inside.setAlpha(28)
        painter.setBrush(inside)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(now.accent), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(line)
        if len(corners) > 2:
            painter.setPen(QPen(QColor(now.accent), 1, Qt.PenStyle.DashLine))
            painter.drawLine(line.last(), line.first())

    def count(self, x: float, y: float, words: str) -> None:
        """Show beside the pointer how many are inside."""
        painter, now = self._painter, self._now
        font = strong(small(self._font))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        plate = QRectF(x + 14, y + 10, metrics.horizontalAdvance(words) + 16, metrics.height() + 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.accent))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(QColor(now.paper))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)


def badge_of(shape: PointShape, colour: str, now: Theme, ratio: float) -> QPixmap:
    """Return the corner of a frame, in which the shape of its group is left open."""
    made = QPixmap(round(BADGE_PX * ratio), round(BADGE_PX * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(colour))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(shape_path(shape, QPointF(BADGE_PX / 2, BADGE_PX / 2), _SHAPE_PX), QColor(now.paper))
    painter.end()
    return made


def name_font(font: QFont) -> QFont:
    """Return the font of names."""
    return strong(small(font, 0.92))
