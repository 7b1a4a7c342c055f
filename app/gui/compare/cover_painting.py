"""Painting of a picture in a comparison: rank, outline if exact search has it not, faded if it was missed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap

from app.gui.compare.board_data import Tile
from app.gui.compare.board_layout import GAP, PAD
from app.gui.look.sentences import small, strong
from app.gui.look.theme import Theme
from app.gui.pictures.picture_make import ROUND
from app.language.spoken import _, number

_FADED = 0.34
_OUTLINE = 2.0
_LIT = 3.0
_BELOW = GAP / 2 + 1
_ROOM_FOR_TRUTH = 92
_PILL = 18  # round the words, at both sides together


class TilePainter:
    """Paints tiles in the colours of one theme."""

    def __init__(self, painter: QPainter, colours: Theme, font: QFont) -> None:
        self._painter = painter
        self._colours = colours
        self._font = strong(small(font, 0.86))
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)

    def tile(self, box: QRect, tile: Tile, pixmap: QPixmap | None, *, lit: bool, current: bool) -> None:
        """Paint a tile: the picture, its text and its outline."""
        painter, now = self._painter, self._colours
        if pixmap is None or tile.ghost:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(QRectF(box), ROUND, ROUND)
        if pixmap is not None:
            painter.setOpacity(_FADED if tile.ghost and not lit else 1.0)
            painter.drawPixmap(box.topLeft(), pixmap)
            painter.setOpacity(1.0)
        wide = box.width() >= _ROOM_FOR_TRUTH
        if tile.ghost:
            words = _("missed, true rank {rank}", rank=tile.rank)
            if self._metrics.horizontalAdvance(words) > box.width() - _PILL:
                words = _("true {rank}", rank=tile.rank)
            self._words(box, words, left=True, warn=True)
        else:
            words = _("query") if tile.asked else number(tile.rank)
            self._words(box, words, left=True, marked=tile.asked)
            if wide and tile.agrees is False and tile.true_rank is not None:
                words = _("true rank {rank}", rank=tile.true_rank)
                self._words(box, words, left=False)
        self._outline(box, tile, lit=lit)
        if current:
            painter.setPen(QPen(QColor(now.ink), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(-3.5, -3.5, 3.5, 3.5), ROUND + 3, ROUND + 3)

    def _outline(self, box: QRect, tile: Tile, *, lit: bool) -> None:
        now = self._colours
        if lit:
            pen = QPen(QColor(now.warn), _LIT)
        elif tile.ghost:
            pen = QPen(QColor(now.quiet), 1.0, Qt.PenStyle.DashLine)
        elif tile.agrees is False:
            pen = QPen(QColor(now.accent), _OUTLINE)
        else:
            return
        half = pen.widthF() / 2 - 1
        self._painter.setPen(pen)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), ROUND, ROUND)

    def _words(self, box: QRect, words: str, *, left: bool, warn: bool = False, marked: bool = False) -> None:
        """Paint words at the foot of a picture, on a dark pill that any photograph leaves legible."""
        room = box.width() - 8
        words = self._metrics.elidedText(words, Qt.TextElideMode.ElideRight, room - 10)
        width = self._metrics.horizontalAdvance(words) + 10
        height = self._metrics.height() + 2
        x = box.left() + 4 if left else box.right() - 3 - width
        pill = QRectF(x, box.bottom() - 3 - height, width, height)
        colour = QColor(self._colours.accent) if marked else QColor(0, 0, 0, 165)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawRoundedRect(pill, height / 2, height / 2)
        self._painter.setFont(self._font)
        self._painter.setPen(QColor("#f0a878" if warn else self._colours.paper if marked else "#ffffff"))
        self._painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def path(self, boxes: Sequence[QRect | None], edges: Sequence[int]) -> None:
        """Join the places of one photograph from column to column; dashed past a column without it."""
        for path, whole in paths(boxes, edges):
            halo = QColor(self._colours.ground)
            halo.setAlphaF(0.75)
            line = QColor(self._colours.warn)
            for colour, width in ((halo, 6.0), (line, 2.4)):
                style = Qt.PenStyle.SolidLine if whole or width > 3 else Qt.PenStyle.DashLine
                self._painter.setPen(QPen(colour, width, style, Qt.PenCapStyle.RoundCap))
                self._painter.setBrush(Qt.BrushStyle.NoBrush)
                self._painter.drawPath(path)
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(line)
            for end in (path.pointAtPercent(0), path.pointAtPercent(1)):
                self._painter.drawEllipse(end, 3.4, 3.4)


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
