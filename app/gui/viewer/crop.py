"""A picture over the whole window, with a rectangle that chooses a part of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from app.gui.look.theme import theme
from app.gui.process.outlived import outlived
from app.gui.viewer.crop_frame import FIRST_CROP, WHOLE_PICTURE, CropFrame, Region, fitted_box
from app.language.spoken import _

__all__ = ["WHOLE_PICTURE", "CropOverlay", "Region"]


class CropOverlay(QWidget):
    """Lies over a whole window to choose a part of a picture.

    Drag to draw, drag edges and corners to change; arrows move, Shift with arrows sizes, Ctrl makes it fine, Home is
    the whole picture; Enter takes, Esc leaves.

    Signals
    -------
    region_chosen(object)
        A :data:`Region`; ``WHOLE`` is the whole picture.
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
        parent.installEventFilter(self)
        self.hide()

    def ask(self, image: QImage, region: Region | None = None) -> None:
        """Show a picture and a first rectangle over it."""
        self._image, self._shown = image, QImage()
        self._frame = CropFrame(region or FIRST_CROP)
        self._before = self.window().focusWidget()
        self.setGeometry(self._over.rect())
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
        """Begin."""
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
        """Let go."""
        self._frame.release()
        self._tell()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply, inside the rectangle."""
        if self._frame.part_at(event.position(), self._target()) == "m":
            self.take()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move, apply, cancel."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif self._frame.key(event):
            self._tell()

    def event(self, event: QEvent) -> bool:
        """Keep keys from the window's shortcuts while this is open; Tab stays here too."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, __: bool) -> bool:  # noqa: N802 (Qt's name)
        """Keep the focus: nothing below can be used meanwhile."""
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the window."""
        if outlived(self):
            return False
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self.setGeometry(self._over.rect())
        return super().eventFilter(watched, event)
