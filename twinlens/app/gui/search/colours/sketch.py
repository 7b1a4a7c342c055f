"""A sketch to search with: its strokes, with undo and redo, the canvas that it is painted on, and its tools."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach, means, press, show_action
from twinlens.app.gui.actions.declared_actions import sketch_actions
from twinlens.app.gui.look.buttons import QuietButton
from twinlens.app.gui.look.page_parts import column_of, row_of
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.search.colours.palette import Colour
from twinlens.app.language.texts import _

_TOOLS = ("brush", "eraser", "thin", "medium", "thick", "undo", "redo", "clear")
_SIZES = (0.04, 0.1, 0.22)


class SketchPage(QWidget):
    """Paints with a brush of three sizes, erases, undoes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = SketchCanvas()
        tools = {name: SketchTool(name, self) for name in _TOOLS}
        self._brush, self._eraser, *sizes = tools.values()
        self._sizes = sizes[:3]
        self._undo, self._redo, self._clear = sizes[3:]
        attach(self, sketch_actions(), {name: tool.click for name, tool in tools.items()})
        row = row_of(gap=2)
        for group in ((self._brush, self._eraser), self._sizes):
            exclusive = QButtonGroup(self)
            for tool in group:
                tool.setCheckable(True)
                exclusive.addButton(tool)
                row.addWidget(tool)
            row.addSpacing(6)
        row.addStretch()
        for tool in (self._undo, self._redo, self._clear):
            row.addWidget(tool)
        self._brush.setChecked(True)
        self._sizes[1].setChecked(True)
        self._brush.clicked.connect(lambda: self._wipe(False))
        self._eraser.clicked.connect(lambda: self._wipe(True))
        for tool, share in zip(self._sizes, _SIZES, strict=True):
            tool.clicked.connect(lambda __=False, share=share: self._take_size(share))
        self._undo.clicked.connect(self.canvas.undo)
        self._redo.clicked.connect(self.canvas.redo)
        self._clear.clicked.connect(self.canvas.clear)
        self.canvas.changed.connect(self._after)
        column_of(self.canvas, row, on=self, gap=6, margins=0)
        self._after()

    def show_drawing(self, drawing: Drawing) -> None:
        """Continue a sketch."""
        self.canvas.set_drawing(drawing)
        self._after()

    def dip(self, colour: Colour) -> None:
        """Paint in another colour from now on."""
        self.canvas.colour = colour
        self._brush.setChecked(True)
        self._wipe(False)

    def _wipe(self, erases: bool) -> None:
        self.canvas.erases = erases
        self.canvas.update()

    def _take_size(self, share: float) -> None:
        self.canvas.brush = share
        self.canvas.update()

    def _after(self) -> None:
        drawing = self.canvas.drawing()
        self._undo.setEnabled(drawing.can_undo)
        self._redo.setEnabled(drawing.can_redo)
        self._clear.setEnabled(not self.canvas.is_empty())

    def event(self, event: QEvent) -> bool:
        """Keep its own keys from the window, which would undo what was done to the library."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and means(self, event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Do what a key of a tool means."""
        if not press(self, event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the sheet four to three."""
        super().resizeEvent(event)
        self.canvas.setFixedHeight(self.canvas.heightForWidth(self.width()))


_STEP = 0.025
_CHECK = 8


class SketchCanvas(QWidget):
    """Paints with the pointer; with keys: arrows move, Space paints a dot, Shift with arrows a line.

    Signals
    -------
    changed()
        Something was painted, while it is painted too.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = Drawing()
        self._image = self._drawing.image()
        self._at: SketchPoint | None = None
        self._painting = False
        self._empty = True
        self.colour: Colour = (31, 95, 191)
        self.brush = 0.1
        self.erases = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setAccessibleName(_("Sketch: arrows move, Space paints, Shift with arrows paints a line"))
        attach(self, sketch_actions(), {"dot": self._paint_dot})

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the room for the width, four to three."""
        width = self.width() or 288
        return QSize(width, round(width * SKETCH_SIZE.height() / SKETCH_SIZE.width()))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Four to three."""
        return round(width * SKETCH_SIZE.height() / SKETCH_SIZE.width())

    def drawing(self) -> Drawing:
        """Return the sketch."""
        return self._drawing

    def image(self) -> QImage:
        """Return the sketch as a picture."""
        return self._image

    def set_drawing(self, drawing: Drawing) -> None:
        """Continue another sketch."""
        self._drawing = drawing
        self._show_again(emit=False)

    def undo(self) -> None:
        """Undo the last step."""
        self._drawing.undo()
        self._show_again()

    def redo(self) -> None:
        """Redo the last undone step."""
        self._drawing.redo()
        self._show_again()

    def clear(self) -> None:
        """Clear everything."""
        self._drawing.clear()
        self._show_again()

    def _show_again(self, emit: bool = True) -> None:
        self._image = self._drawing.image()
        self._empty = self._drawing.is_empty()
        self.update()
        if emit:
            self.changed.emit()

    def _paint_to(self, place: SketchPoint, begins: bool) -> None:
        """Begin or continue a stroke; only the new part is painted."""
        colour = None if self.erases else self.colour
        new = BrushStroke((place,) if begins or self._at is None else (self._at, place), self.brush, colour)
        if begins:
            self._drawing.add(new)
        else:
            self._drawing.extend(place)
        painter = QPainter(self._image)
        paint_stroke(painter, new)
        painter.end()
        self._at = place
        self._empty = self._empty and self.erases
        self.update()
        self.changed.emit()

    def _end(self) -> None:
        """End a stroke; only now find out whether the eraser has left anything."""
        if self._painting:
            self._image = self._drawing.image()  # the whole stroke at once has smoother joints
            self.update()
        if self._painting and self.erases:
            self._empty = self._drawing.is_empty()
            self.changed.emit()
        self._painting = False

    def is_empty(self) -> bool:
        """Return whether nothing is painted."""
        return self._empty

    def _place(self, at: QPointF) -> SketchPoint:
        return at.x() / max(1, self.width()), at.y() / max(1, self.height())

    # --- mouse and keys ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin a stroke."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._painting = True
            self._paint_to(self._place(event.position()), begins=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Go on with the stroke, or show where the brush is."""
        place = self._place(event.position())
        if self._painting:
            self._paint_to(place, begins=False)
        else:
            self._at = place
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """End the stroke."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._end()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Show no brush, unless keys move it."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self._at = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the brush by keys, and paint."""
        moves = {
            Qt.Key.Key_Left: (-_STEP, 0.0),
            Qt.Key.Key_Right: (_STEP, 0.0),
            Qt.Key.Key_Up: (0.0, -_STEP),
            Qt.Key.Key_Down: (0.0, _STEP),
        }
        move = moves.get(Qt.Key(event.key()))
        at = self._at or (0.5, 0.5)
        if move is not None:
            place = (min(1.0, max(0.0, at[0] + move[0])), min(1.0, max(0.0, at[1] + move[1])))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                if not self._painting:
                    self._painting = True
                    self._paint_to(at, begins=True)
                self._paint_to(place, begins=False)
            else:
                self._end()
                self._at = place
                self.update()
        else:
            super().keyPressEvent(event)

    def _paint_dot(self) -> None:
        self._painting = True
        self._paint_to(self._at or (0.5, 0.5), begins=True)
        self._end()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """End the line that keys painted."""
        if event.key() == Qt.Key.Key_Shift:
            self._end()
        super().keyReleaseEvent(event)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the sheet, the strokes, and the brush."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        room = QRectF(self.rect())
        outline = QPainterPath()
        outline.addRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setClipPath(outline)
        painter.fillRect(room, QColor(now.ground))
        for row in range(0, self.height(), _CHECK):  # the usual sign of what is transparent
            for column in range(row // _CHECK % 2 * _CHECK, self.width(), 2 * _CHECK):
                painter.fillRect(column, row, _CHECK, _CHECK, QColor(now.well))
        painter.drawImage(room, self._image)
        if self._empty and not self._painting:
            painter.setPen(QColor(now.quiet))
            words = _("Paint colours where you want them.\nEmpty areas can be anything.")
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
        if self._at is not None and (self.underMouse() or self.hasFocus()):
            self._paint_brush(painter, self._at)
        painter.setClipping(False)
        focus = self.hasFocus()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(now.accent if focus else now.line), 2 if focus else 1))
        painter.drawPath(outline)
        painter.end()

    def _paint_brush(self, painter: QPainter, place: SketchPoint) -> None:
        """Draw a ring as wide as the brush, in its colour, visible on every other."""
        at = QPointF(place[0] * self.width(), place[1] * self.height())
        radius = max(2.0, self.brush * self.width() / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush if self.erases else QColor(*self.colour, 70))
        painter.setPen(QPen(QColor(0, 0, 0, 150), 2.5))
        painter.drawEllipse(at, radius, radius)
        painter.setPen(QPen(QColor("#ffffff"), 1.2))
        painter.drawEllipse(at, radius, radius)


SKETCH_SIZE = QSize(640, 480)
"""Pixels of a sketch; its strokes are in shares of these."""

SketchPoint = tuple[float, float]


@dataclass(frozen=True)
class BrushStroke:
    """One stroke.

    Attributes
    ----------
    points : tuple of SketchPoint
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
        """Return the painted sketch, transparent where nothing is painted."""
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


_SIDE = 28


class SketchTool(QuietButton):
    """A tool of the sketch, with the icon of its name."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__("", "tool", name, parent=parent)
        self.setFixedSize(_SIDE, _SIDE)
        show_action(self, sketch_actions()[name])
