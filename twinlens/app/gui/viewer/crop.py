"""The crop overlay lets a person choose a part of a picture by a rectangle, over the whole window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.actions.action import attach, press
from twinlens.app.gui.actions.picture_actions import crop_actions
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.language.texts import _

Region = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the upright picture."""

FIRST_CROP: Region = (0.2, 0.2, 0.8, 0.8)


class CropOverlay(QWidget):
    """The overlay over a window in which a person chooses a part of a picture.

    Drag to draw, drag edges and corners to change; arrows move, Shift with arrows sizes, Ctrl makes it fine, Home is
    the whole picture; Enter takes, Esc leaves.

    Signals
    -------
    region_chosen(object)
        A :data:`Region`; ``WHOLE_PICTURE`` is the whole picture.
    left()
        Nothing was chosen.
    """

    region_chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Choose a part of the picture"))
        self._frame = CropFrame()
        self._image = QImage()
        self._shown = QImage()
        self._before: QWidget | None = None
        attach(self, crop_actions(), {"take": self.take, "leave": self.leave})
        self.hide()

    def ask(self, image: QImage, region: Region | None = None) -> None:
        """Show a picture and a first rectangle over it."""
        self._image, self._shown = image, QImage()
        self._frame = CropFrame(region or FIRST_CROP)
        self._before = self.window().focusWidget()
        self.setGeometry(self._over.rect())
        self._over.installEventFilter(self)
        self.show()
        self.raise_()
        self.setFocus()
        self._tell()

    def region(self) -> Region:
        """Return the rectangle."""
        return self._frame.region

    def take(self) -> None:
        """Apply the rectangle."""
        self._leave()
        self.region_chosen.emit(self._frame.region)

    def leave(self) -> None:
        """Cancel."""
        self._leave()
        self.left.emit()

    def _leave(self) -> None:
        self.hide()
        self._over.removeEventFilter(self)
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()

    def _tell(self) -> None:
        left, top, right, bottom = (round(100 * share) for share in self._frame.region)
        self.setAccessibleDescription(
            _(
                "From {left} % to {right} % of the width, from {top} % to {bottom} % of the height",
                left=left,
                top=top,
                right=right,
                bottom=bottom,
            )
        )
        self.update()

    def _target(self) -> QRectF:
        room = QRectF(self.rect()).adjusted(48, 48, -48, -72)
        return fitted_box(self._image.width(), self._image.height(), room)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the picture, the rectangle and the hints."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(now.ground))
        target = self._target()
        ratio = self.devicePixelRatioF()
        side = (target.size() * ratio).toSize()
        if self._shown.size() != side and not self._image.isNull():
            self._shown = self._image.scaled(
                side, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        painter.drawImage(target, self._shown)
        self._frame.draw(painter, target)
        painter.setPen(QColor(now.quiet))
        words = _("Drag a rectangle around what you are looking for.   Enter applies   ·   Esc cancels")
        painter.drawText(QRectF(0, self.height() - 56, self.width(), 40), Qt.AlignmentFlag.AlignCenter, words)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin to draw or to move."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._frame.press(event.position(), self._target())
            self._tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the held part."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._frame.drag(event.position(), self._target())
            self._tell()
        else:
            self.setCursor(self._frame.cursor(event.position(), self._target()))

    def mouseReleaseEvent(self, __: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """End the movement."""
        self._frame.release()
        self._tell()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the rectangle by a double click inside it."""
        if self._frame.part_at(event.position(), self._target()) == "m":
            self.take()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move, apply or cancel by keys."""
        if not press(self, event) and self._frame.key(event):
            self._tell()

    def event(self, event: QEvent) -> bool:
        """Keep keys, Tab included, from the window's shortcuts while the overlay is open."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, __: bool) -> bool:  # noqa: N802 (Qt's name)
        """Keep the focus here, since nothing below can be used meanwhile."""
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the window."""
        if outlived(self):
            return False
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self.setGeometry(self._over.rect())
        return super().eventFilter(watched, event)


WHOLE_PICTURE: Region = (0.0, 0.0, 1.0, 1.0)
_LEAST = 0.02  # least width and height
_REACH = 12  # distance from an edge at which the pointer takes it, px
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class CropFrame:
    """The rectangle: its place, its movement by pointer and keys, its drawing.

    Its widget passes the box in which the picture is drawn (``target``).
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
        """End the movement; a mere click changes nothing."""
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


def _share(at: QPointF, target: QRectF) -> QPointF:
    width, height = max(target.width(), 1.0), max(target.height(), 1.0)
    return QPointF((at.x() - target.left()) / width, (at.y() - target.top()) / height)


def _too_small(region: Region) -> bool:
    left, top, right, bottom = region
    return right - left < _LEAST or bottom - top < _LEAST


def _clip(share: float) -> float:
    return min(1.0, max(0.0, share))


def _moved(region: Region, held: str, x: float, y: float) -> Region:
    """Return a rectangle with some edges moved, and turned round if it was turned inside out."""
    left, top, right, bottom = region
    if held == "m":
        x = min(max(x, -left), 1 - right)
        y = min(max(y, -top), 1 - bottom)
        return left + x, top + y, right + x, bottom + y
    left, right = (_clip(v + x * (e in held)) for v, e in ((left, "l"), (right, "r")))
    top, bottom = (_clip(v + y * (e in held)) for v, e in ((top, "t"), (bottom, "b")))
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


def fitted_box(width: float, height: float, room: QRectF) -> QRectF:
    """Return the largest box of the shape ``width`` x ``height`` in the middle of ``room``."""
    if width <= 0 or height <= 0:
        return QRectF(room)
    scale = max(0.0, min(room.width() / width, room.height() / height))
    box = QRectF(0, 0, width * scale, height * scale)
    box.moveCenter(room.center())
    return box
