"""Two pictures side by side, with lines between matching points."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.theme import theme
from app.gui.search.match_lines import MOST_LINES, Line, nearest_line, paint_lines, spread_lines
from app.language.spoken import _, _n

__all__ = ["Line", "MatchPair"]

PictureBox = tuple[float, float, float, float]

_GAP = 8
_HIGHEST = 176
_FEW = 24  # lines in a small picture


class MatchPair(QWidget):
    """The query and a result, whole and as large as the width allows.

    Lines are calm; the one under the pointer stands out, and left and right go from one to the next by keys.

    Signals
    -------
    pressed()
        They are to be seen large.
    """

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None, highest: int = _HIGHEST, scale: float = 1) -> None:
        super().__init__(parent)
        self._left, self._right = QPixmap(), QPixmap()
        self._every: tuple[Line, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._bright: int | None = None
        self._shows_lines = True
        self._highest, self._scale = highest, scale
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._name()

    def set_pictures(self, left: bytes | None, right: bytes | None, part: PictureBox | None = None) -> None:
        """Show two pictures (JPEG, PNG), of the left one only a part if the query is one."""
        self._left, self._right = QPixmap(), QPixmap()
        for pixmap, image in ((self._left, left), (self._right, right)):
            if image:
                pixmap.loadFromData(image)
        if part is not None and not self._left.isNull():
            width, height = self._left.width(), self._left.height()
            box = QRectF(part[0] * width, part[1] * height, (part[2] - part[0]) * width, (part[3] - part[1]) * height)
            self._left = self._left.copy(box.toAlignedRect())
        self.set_lines(())
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def pictures(self) -> tuple[QPixmap, QPixmap]:
        """Return both pictures."""
        return self._left, self._right

    def show_pixmaps(self, left: QPixmap, right: QPixmap) -> None:
        """Show two pixmaps."""
        self._left, self._right = left, right
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Set the lines; of very many, those far from each other are drawn."""
        self._every, self._bright = tuple(lines), None
        self._lines = spread_lines(lines, _FEW if self._scale == 1 else MOST_LINES)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self._lines else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._lines else Qt.CursorShape.ArrowCursor)
        self.setToolTip(_("Click to enlarge both (Enter)") if self._lines else "")
        self._name()
        self.update()

    def lines(self) -> tuple[Line, ...]:
        """Return the drawn lines."""
        return self._lines if self._shows_lines else ()

    def all_lines(self) -> tuple[Line, ...]:
        """Return all lines, drawn or not."""
        return self._every

    def show_lines(self, shown: bool) -> None:
        """Show or hide the lines."""
        self._shows_lines, self._bright = shown, None
        self.update()

    def _name(self) -> None:
        words = _("Your photo and the result")
        if self._lines:
            words += ", " + _n(
                "{count} line between matching points", "{count} lines between matching points", len(self._lines)
            )
        self.setAccessibleName(words)

    # --- where things are --------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the height for the width."""
        return QSize(256, self.heightForWidth(self.width() or 256))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height at which both fill the width."""
        shapes = [_shape(self._left), _shape(self._right)]
        return max(48, min(self._highest, int((width - _GAP) / sum(shapes))))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height for the width."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def boxes(self) -> tuple[QRectF, QRectF]:
        """Return the places of the pictures."""
        height = self.height()
        left, right = (_shape(pixmap) * height for pixmap in (self._left, self._right))
        return QRectF(0, 0, left, height), QRectF(left + _GAP, 0, right, height)

    def ends(self) -> list[tuple[QPointF, QPointF]]:
        """Return the ends of the lines."""
        left, right = self.boxes()
        return [(_point_in(left, start), _point_in(right, end)) for start, end in self.lines()]

    # --- mouse and keys ----------------------------------------------------------------------------------------------

    def _look_at(self, line: int | None) -> None:
        if line != self._bright:
            self._bright = line
            self.update()

    def bright(self) -> int | None:
        """Return the highlighted line."""
        return self._bright

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight the line under the pointer."""
        self._look_at(nearest_line(self.ends(), event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask to be enlarged."""
        if event.button() is Qt.MouseButton.LeftButton and self._lines:
            self.pressed.emit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight no line."""
        super().leaveEvent(event)
        self._look_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go from line to line, or ask to be enlarged."""
        count, key = len(self.lines()), event.key()
        if count and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key == Qt.Key.Key_Right else -1
            start = -1 if step == 1 else 0
            self._look_at(((start if self._bright is None else self._bright) + step) % count)
        elif self._lines and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw both, and the lines."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        for pixmap, box in zip((self._left, self._right), self.boxes(), strict=True):
            outline = QPainterPath()
            outline.addRoundedRect(box, 4, 4)
            painter.fillPath(outline, QColor(now.well))
            if not pixmap.isNull():
                painter.save()
                painter.setClipPath(outline)
                painter.drawPixmap(box, pixmap, QRectF(pixmap.rect()))
                painter.restore()
                focus = self.hasFocus() and self._scale == 1  # alone on a page, it needs no frame
                painter.setPen(QPen(QColor(now.accent if focus else now.line), 2 if focus else 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)  # white pictures end somewhere too
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        paint_lines(painter, now, self.ends(), self._bright, self._scale)
        painter.end()


def _shape(pixmap: QPixmap) -> float:
    return pixmap.width() / pixmap.height() if pixmap.height() else 1.0


def _point_in(box: QRectF, at: tuple[float, float]) -> QPointF:
    return QPointF(box.left() + at[0] * box.width(), box.top() + at[1] * box.height())
