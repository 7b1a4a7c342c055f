"""A framed picture is a widget that shows one picture, filling its frame or whole."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.gui.look.sentences import small
from app.gui.look.theme import theme

_ROUND = 5
_FRAME = 4  # frame with the gap inside it, px
_MOST_TIMES = 4  # enlargement at most, so that icons stay small


class FramedPicture(QWidget):
    """A widget that shows one picture.

    Parameters
    ----------
    words : str
        Shown where there is no picture.
    framed : bool
        Whether the picture fills a frame, cut where it is longer; otherwise it is whole, without a frame.
    """

    def __init__(self, words: str = "", framed: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._framed = words, framed
        self._shown = self._made = QPixmap()

    def show_picture(self, picture: QImage | QPixmap | None) -> None:
        """Show a picture, or none."""
        self._shown = QPixmap.fromImage(picture) if isinstance(picture, QImage) else picture or QPixmap()
        self._made = QPixmap()
        self.update()

    def frame_colour(self) -> str:
        """Return the current colour of the frame."""
        return theme().accent

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw frame, well and picture."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        whole = QRectF(self.rect())
        if self._framed:
            painter.setPen(QPen(QColor(self.frame_colour()), 2))
            painter.setBrush(QColor(now.paper))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), _ROUND + 2, _ROUND + 2)
            whole.adjust(_FRAME, _FRAME, -_FRAME, -_FRAME)
        outline = QPainterPath()
        outline.addRoundedRect(whole, _ROUND, _ROUND)
        painter.fillPath(outline, QColor(now.well))
        if not self._shown.isNull():
            painter.setClipPath(outline)
            size = self._size(whole.size().toSize())
            place = QRectF(0, 0, size.width(), size.height())
            place.moveCenter(whole.center())
            painter.drawPixmap(place, self._smooth(size), QRectF())
        elif self._words:
            painter.setPen(QColor(now.quiet))
            painter.setFont(small(self.font()))
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()

    def _size(self, room: QSize) -> QSize:
        fill, fit = Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.AspectRatioMode.KeepAspectRatio
        size = self._shown.size().scaled(room, fill if self._framed else fit)
        icon = not self._framed and size.width() > _MOST_TIMES * self._shown.width()
        return self._shown.size() * _MOST_TIMES if icon else size

    def _smooth(self, size: QSize) -> QPixmap:
        """Return the picture scaled to its shown size."""
        made = size * self.devicePixelRatioF()
        if self._made.size() != made:
            smooth = Qt.TransformationMode.SmoothTransformation
            self._made = self._shown.scaled(made, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        return self._made
