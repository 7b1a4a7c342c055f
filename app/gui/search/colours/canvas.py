"""The sheet that a sketch is painted on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.theme import theme
from app.gui.search.colours.mix import Colour
from app.gui.search.colours.sketch import SKETCH_SIZE, BrushStroke, Drawing, SketchPoint, paint_stroke
from app.language.spoken import _

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
        self._again(tell=False)

    def undo(self) -> None:
        """Undo the last step."""
        self._drawing.undo()
        self._again()

    def redo(self) -> None:
        """Redo the last undone step."""
        self._drawing.redo()
        self._again()

    def clear(self) -> None:
        """Clear everything."""
        self._drawing.clear()
        self._again()

    def _again(self, tell: bool = True) -> None:
        self._image = self._drawing.image()
        self._empty = self._drawing.is_empty()
        self.update()
        if tell:
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
        """End a stroke; only now see whether the eraser has left anything."""
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
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._painting = True
            self._paint_to(at, begins=True)
            self._end()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """End the line that keys painted."""
        if event.key() == Qt.Key.Key_Shift:
            self._end()
        super().keyReleaseEvent(event)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the sheet, what is painted, and the brush."""
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
        """Draw a ring as wide as the brush, in its colour; seen on every other."""
        at = QPointF(place[0] * self.width(), place[1] * self.height())
        radius = max(2.0, self.brush * self.width() / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush if self.erases else QColor(*self.colour, 70))
        painter.setPen(QPen(QColor(0, 0, 0, 150), 2.5))
        painter.drawEllipse(at, radius, radius)
        painter.setPen(QPen(QColor("#ffffff"), 1.2))
        painter.drawEllipse(at, radius, radius)
