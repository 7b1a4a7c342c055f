"""A sketch in the making: strokes, with undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from app.gui.search.colours.mix import Colour

SKETCH_SIZE = QSize(640, 480)
"""Pixels of a sketch; its strokes are in shares of these."""

SketchPoint = tuple[float, float]


@dataclass(frozen=True)
class BrushStroke:
    """One stroke.

    Attributes
    ----------
    points : tuple of Place
        Shares of width and height; one is a dot.
    width : float
        Of the brush, as a share of the sketch's width.
    colour : Colour or None
        None for the eraser.
    """

    points: tuple[SketchPoint, ...]
    width: float
    colour: Colour | None


class _Cleared:
    """Everything painted before is cleared."""


_CLEARED = _Cleared()


@dataclass
class Drawing:
    """Strokes, and undone ones."""

    base: QImage | None = None
    """The sketch at the beginning, to be continued."""
    _done: list[BrushStroke | _Cleared] = field(default_factory=list)
    _undone: list[BrushStroke | _Cleared] = field(default_factory=list)

    def add(self, stroke: BrushStroke) -> None:
        """Paint a stroke."""
        self._done.append(stroke)
        self._undone.clear()

    def extend(self, place: SketchPoint) -> None:
        """Continue the last stroke."""
        last = self._done[-1]
        assert isinstance(last, BrushStroke)
        self._done[-1] = BrushStroke((*last.points, place), last.width, last.colour)

    def clear(self) -> None:
        """Clear everything, which can be undone."""
        if not self.is_empty():
            self._done.append(_CLEARED)
            self._undone.clear()

    def undo(self) -> None:
        """Undo the last step."""
        if self._done:
            self._undone.append(self._done.pop())

    def redo(self) -> None:
        """Redo the last undone step."""
        if self._undone:
            self._done.append(self._undone.pop())

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._undone)

    def _visible(self) -> tuple[list[BrushStroke], bool]:
        """Return the strokes since the last clearing, and whether there was one."""
        since = next((i + 1 for i in range(len(self._done))[::-1] if isinstance(self._done[i], _Cleared)), 0)
        return [one for one in self._done[since:] if isinstance(one, BrushStroke)], since > 0

    def is_empty(self) -> bool:
        """Return whether nothing is painted."""
        strokes, cleared = self._visible()
        if self.base is not None and not cleared:
            return not _any_paint(self.image()) if strokes else False
        if any(one.colour is None for one in strokes):
            return not _any_paint(self.image())
        return not strokes

    def image(self) -> QImage:
        """Paint it: transparent where nothing is."""
        image = QImage(SKETCH_SIZE, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        strokes, cleared = self._visible()
        painter = QPainter(image)
        if self.base is not None and not cleared:
            painter.drawImage(QRectF(0, 0, SKETCH_SIZE.width(), SKETCH_SIZE.height()), self.base)
        for stroke in strokes:
            paint_stroke(painter, stroke)
        painter.end()
        return image


def paint_stroke(painter: QPainter, stroke: BrushStroke) -> None:
    """Paint a stroke on a sketch of full size."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    places = [QPointF(x * SKETCH_SIZE.width(), y * SKETCH_SIZE.height()) for x, y in stroke.points]
    erases = stroke.colour is None
    mode = QPainter.CompositionMode
    painter.setCompositionMode(mode.CompositionMode_Clear if erases else mode.CompositionMode_SourceOver)
    colour = QColor(0, 0, 0) if stroke.colour is None else QColor(*stroke.colour)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(colour, stroke.width * SKETCH_SIZE.width(), Qt.PenStyle.SolidLine, cap, join))
    if len(places) == 1:
        painter.drawPoint(places[0])
    else:
        path = QPainterPath(places[0])
        for place in places[1:]:
            path.lineTo(place)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    painter.setCompositionMode(mode.CompositionMode_SourceOver)


def _any_paint(image: QImage) -> bool:
    alpha = image.convertToFormat(QImage.Format.Format_Alpha8)
    return bool(np.frombuffer(alpha.constBits(), np.uint8).any())
