"""Painting of a photograph in a small box: words on its foot, an outline, faded where it was missed."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap

from app.gui.look.sentences import small, strong
from app.gui.look.theme import Theme
from app.gui.pictures.picture_make import CORNER_RADIUS

_FADED = 0.34
_OUTLINE = 2.0
_LIT = 3.0
_ROOM_FOR_ASIDE = 92
_PILL = 18  # round the words, at both sides together


class WallTile(Protocol):
    """The texts of one photograph, shown and spoken."""

    @property
    def id(self) -> int:
        """The photograph."""

    @property
    def content(self) -> bytes:
        """Its content, for its small picture."""

    @property
    def captions(self) -> tuple[str, ...]:
        """Words at the left of its foot: the first that fit."""

    @property
    def aside(self) -> str:
        """Words at the right of its foot, where there is room; empty for none."""

    @property
    def outline(self) -> str:
        """Name of the colour around it; empty for none."""

    @property
    def asked(self) -> bool:
        """Whether it is what was asked with."""

    @property
    def ghost(self) -> bool:
        """Whether it was missed."""

    def spoken(self) -> str:
        """Return the text for screen readers and the tooltip."""


class TilePainter:
    """Paints tiles in the colours of one theme."""

    def __init__(self, painter: QPainter, colours: Theme, font: QFont) -> None:
        self.painter = painter
        self.colours = colours
        self._font = strong(small(font, 0.86))
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)

    def tile(
        self, box: QRect, tile: WallTile, pixmap: QPixmap | None, *, lit: bool, current: bool, opacity: float = 1.0
    ) -> None:
        """Paint a tile: the picture, its words, its outline, and the ring of the keys."""
        painter, now = self.painter, self.colours
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(QRectF(box), CORNER_RADIUS, CORNER_RADIUS)
        if pixmap is not None:
            painter.setOpacity(_FADED if tile.ghost and not lit else opacity)
            painter.drawPixmap(box.topLeft(), pixmap)
            painter.setOpacity(1.0)
        room = box.width() - _PILL
        captions = [one for one in tile.captions if self._metrics.horizontalAdvance(one) <= room] or tile.captions[-1:]
        if captions:
            self._words(box, captions[0], left=True, warn=tile.ghost, marked=tile.asked)
        if tile.aside and box.width() >= _ROOM_FOR_ASIDE:
            self._words(box, tile.aside, left=False)
        self._outline(box, tile, lit=lit)
        if current:
            painter.setPen(QPen(QColor(now.ink), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(-3.5, -3.5, 3.5, 3.5), CORNER_RADIUS + 3, CORNER_RADIUS + 3)

    def words(self, room: QRect, words: str, *, framed: bool = False) -> None:
        """Write words that stand alone, where there is no photograph."""
        painter, now = self.painter, self.colours
        if framed:
            painter.setPen(QPen(QColor(now.line), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(room).adjusted(0.5, 0.5, -0.5, -0.5), CORNER_RADIUS, CORNER_RADIUS)
        painter.setPen(QColor(now.quiet))
        painter.drawText(room.adjusted(20, 4, -20, -4), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)

    def _outline(self, box: QRect, tile: WallTile, *, lit: bool) -> None:
        now = self.colours
        if lit:
            pen = QPen(QColor(now.warn), _LIT)
        elif tile.ghost:
            pen = QPen(QColor(now.quiet), 1.0, Qt.PenStyle.DashLine)
        elif tile.outline:
            pen = QPen(QColor(getattr(now, tile.outline)), _OUTLINE)
        else:
            return
        half = pen.widthF() / 2 - 1
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), CORNER_RADIUS, CORNER_RADIUS)

    def _words(self, box: QRect, words: str, *, left: bool, warn: bool = False, marked: bool = False) -> None:
        """Paint words at the foot of a picture, on a dark pill that any photograph leaves legible."""
        words = self._metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width() - 18)
        width = self._metrics.horizontalAdvance(words) + 10
        height = self._metrics.height() + 2
        x = box.left() + 4 if left else box.right() - 3 - width
        pill = QRectF(x, box.bottom() - 3 - height, width, height)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colours.accent) if marked else QColor(0, 0, 0, 165))
        self.painter.drawRoundedRect(pill, height / 2, height / 2)
        self.painter.setFont(self._font)
        self.painter.setPen(QColor("#f0a878" if warn else self.colours.paper if marked else "#ffffff"))
        self.painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
