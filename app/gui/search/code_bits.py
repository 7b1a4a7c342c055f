"""The bits of two codes, compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.look.theme import theme
from app.language.spoken import _

_PITCHES = (8, 7, 6, 5, 4, 3, 2, 1)  # px from bit to bit
_HIGHEST = 128


class CodeBits(QWidget):
    """A field of squares, one per bit: accent where both codes agree, orange where they differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._differ: npt.NDArray[np.bool_] = np.empty(0, np.bool_)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_bits(self, differ: Sequence[bool]) -> None:
        """Show which bits differ, in the order of the code."""
        self._differ = np.asarray(differ, np.bool_)
        total = len(self._differ)
        self.setAccessibleName(_("{differing} of {total} bits differ", differing=int(self._differ.sum()), total=total))
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the height for the width."""
        return QSize(256, self.heightForWidth(self.width() or 256))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of all rows."""
        pitch, columns = self._grid(width)
        return -(-len(self._differ) // columns) * pitch

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height for the width."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def _grid(self, width: int) -> tuple[int, int]:
        """Return the distance between bits, and their number in a row: whole bytes, if they fit."""
        for pitch in _PITCHES:
            columns = max(1, (width + (pitch > 2)) // pitch)  # no gap after the last
            columns = columns // 8 * 8 or columns
            if -(-len(self._differ) // columns) * pitch <= _HIGHEST:
                break
        return pitch, columns

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the squares."""
        now = theme()
        pitch, columns = self._grid(self.width())
        gap = 1 if pitch > 2 else 0
        same, other = QColor(now.accent), QColor(now.warn)
        painter = QPainter(self)
        if pitch > 2:
            for bit, differs in enumerate(self._differ.tolist()):
                row, column = divmod(bit, columns)
                square = QRect(column * pitch, row * pitch, pitch - gap, pitch - gap)
                painter.fillRect(square, other if differs else same)
        elif len(self._differ):
            rows = -(-len(self._differ) // columns)
            field = np.zeros(rows * columns, np.uint32)
            field[: len(self._differ)] = np.where(self._differ, other.rgba(), same.rgba())
            pixels = field.tobytes()
            image = QImage(pixels, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
            painter.drawImage(QRect(0, 0, columns * pitch, rows * pitch), image)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the bit under the pointer in a tooltip."""
        if isinstance(event, QHelpEvent):
            pitch, columns = self._grid(self.width())
            column = event.pos().x() // pitch
            bit = event.pos().y() // pitch * columns + column
            if column < columns and 0 <= bit < len(self._differ):
                differs = self._differ[bit]
                words = _("Bit {bit} differs", bit=bit + 1) if differs else _("Bit {bit} agrees", bit=bit + 1)
                QToolTip.showText(event.globalPos(), words, self)
                return True
        return super().event(event)
