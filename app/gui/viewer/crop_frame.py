"""The rectangle that chooses a part of a picture: place, moves and drawing."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
)

from app.gui.look.theme import theme

Region = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the upright picture."""

WHOLE_PICTURE: Region = (0.0, 0.0, 1.0, 1.0)
FIRST_CROP: Region = (0.2, 0.2, 0.8, 0.8)
_LEAST = 0.02  # of width and height
_REACH = 12  # how near the pointer must be to an edge to take it, px
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class CropFrame:
    """The rectangle itself: its place, its moves by pointer and keys, its drawing.

    Whoever shows a picture tells it where the picture is drawn (``target``).
    """

    def __init__(self, region: Region = FIRST_CROP) -> None:
        self.region = region
        self._held = ""  # the edges that move: some of "ltrb"; "m" for all
        self._from = QPointF()
        self._start = region
        self._before = region

    def press(self, at: QPointF, target: QRectF) -> None:
        """Take hold of an edge, a corner or the inside; anywhere else begins a new rectangle."""
        self._from, self._start, self._before = _share(at, target), self.region, self.region
        self._held = self.part_at(at, target)
        if not self._held:
            x, y = _clip(self._from.x()), _clip(self._from.y())
            self._start = self.region = (x, y, x, y)
            self._held = "rb"

    def drag(self, at: QPointF, target: QRectF) -> None:
        """Move the held part."""
        if self._held:
            to = _share(at, target)
            self.region = _moved(self._start, self._held, to.x() - self._from.x(), to.y() - self._from.y())

    def release(self) -> None:
        """Let go; after a mere click the rectangle is unchanged."""
        self._held = ""
        if _too_small(self.region):
            self.region = self._before

    def key(self, event: QKeyEvent) -> bool:
        """Move with the arrows; with Shift, move the right and lower edges; Home is the whole picture."""
        if event.key() == Qt.Key.Key_Home:
            self.region = WHOLE_PICTURE
            return True
        direction = _KEYS.get(Qt.Key(event.key()))
        if direction is None:
            return False
        step = 0.002 if event.modifiers() & Qt.KeyboardModifier.ControlModifier else 0.02
        held = "rb" if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else "m"
        moved = _moved(self.region, held, direction[0] * step, direction[1] * step)
        if not _too_small(moved):
            self.region = moved
        return True

    def part_at(self, at: QPointF, target: QRectF) -> str:
        """Return the part under the pointer: edges ("l", "tr", ...), "m" inside, "" outside."""
        box = self.box(target)
        if not box.adjusted(-_REACH, -_REACH, _REACH, _REACH).contains(at):
            return ""
        near = {
            "l": abs(at.x() - box.left()),
            "r": abs(at.x() - box.right()),
            "t": abs(at.y() - box.top()),
            "b": abs(at.y() - box.bottom()),
        }
        held = "".join(
            min(pair, key=lambda e: near[e]) for pair in ("lr", "tb") if min(near[e] for e in pair) <= _REACH
        )
        return held or "m"

    def cursor(self, at: QPointF, target: QRectF) -> Qt.CursorShape:
        """Return the pointer's shape."""
        part = self.part_at(at, target)
        if part in ("l", "r"):
            return Qt.CursorShape.SizeHorCursor
        if part in ("t", "b"):
            return Qt.CursorShape.SizeVerCursor
        if part in ("lt", "rb"):
            return Qt.CursorShape.SizeFDiagCursor
        if part in ("rt", "lb"):
            return Qt.CursorShape.SizeBDiagCursor
        return Qt.CursorShape.SizeAllCursor if part == "m" else Qt.CursorShape.CrossCursor

    def box(self, target: QRectF) -> QRectF:
        """Return the rectangle on the screen."""
        left, top, right, bottom = self.region
        return QRectF(
            QPointF(target.left() + left * target.width(), target.top() + top * target.height()),
            QPointF(target.left() + right * target.width(), target.top() + bottom * target.height()),
        )

    def draw(self, painter: QPainter, target: QRectF) -> None:
        """Darken the outside, and draw the rectangle with its thirds and corners."""
        box = self.box(target)
        outside = QPainterPath()
        outside.addRect(target)
        inside = QPainterPath()
        inside.addRect(box)
        painter.fillPath(outside - inside, QColor(0, 0, 0, 150))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(255, 255, 255, 70), 1))
        for third in (1 / 3, 2 / 3):
            x, y = box.left() + box.width() * third, box.top() + box.height() * third
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        painter.setPen(QPen(QColor(255, 255, 255, 230), 1))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(theme().accent), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
        arm = min(18.0, box.width() / 3, box.height() / 3)
        for corner, x, y in (
            (box.topLeft(), arm, arm),
            (box.topRight(), -arm, arm),
            (box.bottomLeft(), arm, -arm),
            (box.bottomRight(), -arm, -arm),
        ):
            painter.drawLine(corner, corner + QPointF(x, 0))
            painter.drawLine(corner, corner + QPointF(0, y))


def fitted_box(width: float, height: float, room: QRectF) -> QRectF:
    """Return the largest box of the shape ``width`` x ``height`` in the middle of ``room``."""
    if width <= 0 or height <= 0:
        return QRectF(room)
    scale = max(0.0, min(room.width() / width, room.height() / height))
    box = QRectF(0, 0, width * scale, height * scale)
    box.moveCenter(room.center())
    return box


def _share(at: QPointF, target: QRectF) -> QPointF:
    width, height = max(target.width(), 1.0), max(target.height(), 1.0)
    return QPointF((at.x() - target.left()) / width, (at.y() - target.top()) / height)


def _too_small(region: Region) -> bool:
    left, top, right, bottom = region
    return right - left < _LEAST or bottom - top < _LEAST


def _clip(share: float) -> float:
    return min(1.0, max(0.0, share))


def _moved(region: Region, held: str, x: float, y: float) -> Region:
    """Move some edges; a rectangle turned inside out is the right way round again."""
    left, top, right, bottom = region
    if held == "m":
        x = min(max(x, -left), 1 - right)
        y = min(max(y, -top), 1 - bottom)
        return left + x, top + y, right + x, bottom + y
    left, right = (_clip(v + x * (e in held)) for v, e in ((left, "l"), (right, "r")))
    top, bottom = (_clip(v + y * (e in held)) for v, e in ((top, "t"), (bottom, "b")))
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)
