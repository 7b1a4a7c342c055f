"""Pairs as small pictures side by side, in lines: those that should match, or those that should not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.look.theme import theme
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _

if TYPE_CHECKING:
    from app.library.browsing import Photograph

_PICTURE = QSize(56, 44)
_EDGE, _GAP, _BETWEEN = 6, 8, 3
_CARD = QSize(2 * _PICTURE.width() + _BETWEEN + 2 * _EDGE, _PICTURE.height() + 2 * _EDGE)
_CROSS = 16
_LEAST = _CARD.height() + 2 * _GAP


@dataclass(frozen=True)
class Pair:
    """Two photographs that should match, or should not."""

    first: Photograph
    second: Photograph
    match: bool = True

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first.id, self.second.id), max(self.first.id, self.second.id)


class PairStrip(QWidget):
    """Shows pairs; one is taken away by its cross or Delete, and new ones are dropped on it.

    Signals
    -------
    removed : Pair
    dropped : list of str
        Local paths.
    """

    removed = Signal(object)
    dropped = Signal(list)

    def __init__(self, name: str, nothing: str, thumbnails: SmallPictures) -> None:
        super().__init__()
        self._name, self._nothing = name, nothing
        self._thumbnails = thumbnails
        self._pairs: list[Pair] = []
        self._current = 0
        self._hovered = -1
        self._dragged = False
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        thumbnails.came.connect(self.update)
        self._speak()

    @property
    def pairs(self) -> list[Pair]:
        """What is shown."""
        return list(self._pairs)

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        """Show pairs."""
        self._pairs = list(pairs)
        self._current = max(0, min(self._current, len(self._pairs) - 1))
        self._hovered = -1
        self._speak()
        self.updateGeometry()
        self.update()

    def _speak(self) -> None:
        self.setAccessibleName(_("{name}: {count}", name=self._name, count=len(self._pairs)))
        one = self._pairs[self._current] if self._pairs else None
        self.setAccessibleDescription(self._nothing if one is None else f"{one.first.name}, {one.second.name}")

    # --- room --------------------------------------------------------------------------------------------------------

    def _columns(self, width: int) -> int:
        return max(1, (width - _GAP) // (_CARD.width() + _GAP))

    def card(self, place: int) -> QRect:
        """Return where a pair lies."""
        row, column = divmod(place, self._columns(self.width()))
        return QRect(_GAP + column * (_CARD.width() + _GAP), _GAP + row * (_CARD.height() + _GAP), *_CARD.toTuple())

    def cross(self, place: int) -> QRect:
        """Return where the cross of a pair lies."""
        card = self.card(place)
        return QRect(card.right() - _CROSS - 2, card.top() + 3, _CROSS, _CROSS)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name, as all below)
        """Return that it needs more height where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height of its lines."""
        lines = -(-len(self._pairs) // self._columns(width))
        return max(_LEAST, _GAP + lines * (_CARD.height() + _GAP))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return its room."""
        return QSize(2 * _CARD.width(), self.heightForWidth(max(self.width(), _CARD.width() + 2 * _GAP)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the room of one pair."""
        return QSize(_CARD.width() + 2 * _GAP, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lie in other lines."""
        super().resizeEvent(event)
        self.updateGeometry()

    # --- keys and mouse ----------------------------------------------------------------------------------------------

    def place_at(self, at: QPointF) -> int:
        """Return the pair at a place; -1 for none."""
        return next((n for n in range(len(self._pairs)) if self.card(n).contains(at.toPoint())), -1)

    def remove(self, place: int) -> None:
        """Remove a pair."""
        if 0 <= place < len(self._pairs):
            self.removed.emit(self._pairs[place])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Go from pair to pair, and take one away."""
        columns = self._columns(self.width())
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns,
            Qt.Key.Key_Down: columns,
        }
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove(self._current)
        elif key in steps and 0 <= self._current + steps[key] < len(self._pairs):
            self._current += steps[key]
            self._speak()
            self.update()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Light what is under the pointer, and name it."""
        place = self.place_at(event.position())
        if place != self._hovered:
            self._hovered = place
            one = self._pairs[place] if place >= 0 else None
            self.setToolTip("" if one is None else f"{one.first.name} · {one.second.name}")
            QToolTip.hideText()
            self.update()

    def leaveEvent(self, event: object) -> None:  # noqa: N802
        """Light nothing."""
        self._hovered = -1
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Remove a pair by its cross, or choose it."""
        place = self.place_at(event.position())
        if place >= 0 and self.cross(place).adjusted(-4, -4, 4, 4).contains(event.position().toPoint()):
            self.remove(place)
        elif place >= 0:
            self._current = place
            self._speak()
            self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show where the keys are."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show that they are elsewhere."""
        super().focusOutEvent(event)
        self.update()

    # --- dropping ----------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take photographs."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            self._dragged = True
            self.update()
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        """Take them no longer."""
        self._dragged = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Take what is dropped."""
        self._dragged = False
        self.update()
        event.acceptProposedAction()
        self.dropped.emit([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])

    # --- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802
        """Draw the pairs, or what can be done."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = QPen(QColor(now.accent if self._dragged or self.hasFocus() else now.line), 2 if self._dragged else 1)
        if not self._pairs:
            edge.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(edge)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        if not self._pairs:
            painter.setPen(QColor(now.quiet))
            room = QRectF(self.rect()).adjusted(12, 4, -12, -4)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._nothing)
        for place, one in enumerate(self._pairs):
            self._draw(painter, place, one)
        painter.end()

    def _draw(self, painter: QPainter, place: int, one: Pair) -> None:
        now, card = theme(), self.card(place)
        current = self.hasFocus() and place == self._current
        painter.setPen(QPen(QColor(now.accent), 2) if current else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(QRectF(card), 6, 6)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        left = card.left() + _EDGE
        for photograph in (one.first, one.second):
            made = self._thumbnails.pixmap(photograph.content_hash, filling(_PICTURE, self.devicePixelRatioF()))
            if made is not None:
                painter.drawPixmap(left, card.top() + _EDGE, made)
            left += _PICTURE.width() + _BETWEEN
        if place == self._hovered or current:
            cross = QRectF(self.cross(place))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.paper))
            painter.drawEllipse(cross)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(now.ink), 1.4))
            inner = cross.adjusted(5, 5, -5, -5)
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
