"""The answer of one photograph: it itself, what was found, outlined where exact search differs, and what was missed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.compare.board_data import Tile
from app.gui.compare.cover_painting import TilePainter
from app.gui.look.sentences import small
from app.gui.look.theme import theme
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _

_GAP = 8
_LEAST, _MOST = 64, 290
_RATIO = 3 / 4
HITS = 10
_PALE = 0.55


class AnswerPictures(QWidget):
    """Shows one answer; places stay while it changes.

    Signals
    -------
    asked(int)
        A photograph is to be the question.
    looked_at(int)
        A photograph is to be seen large.
    menu_wanted(int, QPoint)
    """

    asked = Signal(int)
    looked_at = Signal(int)
    menu_wanted = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures = SmallPictures(self)
        self.pictures.came.connect(self.update)
        self._question: Tile | None = None
        self._hits: Sequence[Tile] = ()
        self._ghosts: Sequence[Tile] = ()
        self._exact = True
        self._at = 0
        self._across, self._tile = 1, QSize(_LEAST, round(_LEAST * _RATIO))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 200)
        self.setAccessibleName(_("What one photograph finds"))

    def show_answer(self, question: Tile | None, hits: Sequence[Tile], ghosts: Sequence[Tile], exact: bool) -> None:
        """Show it."""
        if (question, list(hits), list(ghosts), exact) == (self._question, self._hits, self._ghosts, self._exact):
            return
        self._question, self._hits, self._ghosts, self._exact = question, list(hits), list(ghosts), exact
        self._at = min(self._at, max(0, len(self.tiles()) - 1))
        self._tell_seen()
        self.update()

    def tiles(self) -> list[Tile]:
        """Return all pictures: the question, the hits, what was missed."""
        return [*([self._question] if self._question else []), *self._hits, *self._ghosts]

    def current_id(self) -> int:
        """Return the photograph that the keys are on, or -1."""
        tiles = self.tiles()
        return tiles[self._at].id if self._at < len(tiles) else -1

    def ids(self) -> list[int]:
        """Return the photographs that are stepped through when one is seen large."""
        return [tile.id for tile in self.tiles()]

    def set_current(self, photograph_id: int) -> None:
        """Focus a photograph."""
        self._at = next((place for place, tile in enumerate(self.tiles()) if tile.id == photograph_id), self._at)
        self.update()

    def _lay_out(self) -> None:
        words = self._words_height()
        best = (0, 1)
        for across in (11, 6, 4, 3):
            rows = -(-(HITS + 1) // across) + -(-HITS // across)
            high = (self.height() - words - 8 - rows * _GAP) / rows / _RATIO
            wide = (self.width() - (across - 1) * _GAP - 8) / across
            best = max(best, (int(min(high, wide, _MOST)), across))
        width = max(_LEAST, best[0])
        self._across, self._tile = best[1], QSize(width, round(width * _RATIO))
        self._tell_seen()

    def _words_height(self) -> int:
        return self.fontMetrics().height() + 10

    def box(self, place: int) -> QRect:
        """Return where a picture stands; those that were missed begin in a row of their own, below the words."""
        found = 1 + HITS
        row, column = divmod(place, self._across)
        top = 4 + row * (self._tile.height() + _GAP)
        if place >= found:
            row, column = divmod(place - found, self._across)
            top = self._ghosts_top() + self._words_height() + row * (self._tile.height() + _GAP)
        return QRect(4 + column * (self._tile.width() + _GAP), top, self._tile.width(), self._tile.height())

    def _ghosts_top(self) -> int:
        rows = -(-(HITS + 1) // self._across)
        return 4 + rows * (self._tile.height() + _GAP)

    def _places(self) -> list[int]:
        """Return the place of each picture; ghosts stand in theirs whatever is before them."""
        before = 1 + len(self._hits) if self._question else 0
        return [*range(before), *range(1 + HITS, 1 + HITS + len(self._ghosts))]

    def _tell_seen(self) -> None:
        hashes = [tile.content_hash for tile in self.tiles()]
        self.pictures.want(hashes)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay out anew."""
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._lay_out()

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the pictures; those of a coarse answer a little paler."""
        now = theme()
        painter = QPainter(self)
        if self._ghosts:
            painter.setFont(small(self.font()))
            painter.setPen(QColor(now.warn))
            room = QRect(4, self._ghosts_top(), self.width(), self._words_height() - 4)
            words = _("Missed of the true {hits}", hits=HITS)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)
        brush = TilePainter(painter, now, self.font())
        for number, (place, tile) in enumerate(zip(self._places(), self.tiles(), strict=True)):
            box = self.box(place)
            brush.tile(
                box,
                tile,
                self.pictures.pixmap(tile.content_hash, filling(self._tile, self.devicePixelRatioF())),
                lit=False,
                current=self.hasFocus() and number == self._at,
            )
            if not self._exact and not tile.asked:
                veil = QColor(now.paper)
                veil.setAlphaF(1 - _PALE)
                painter.fillRect(box.adjusted(-3, -3, 3, 3), veil)
        painter.end()

    def _tile_at(self, point: object) -> int:
        for number, place in enumerate(self._places()):
            if self.box(place).contains(point):  # type: ignore[call-overload]
                return number
        return -1

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Focus what is pressed."""
        found = self._tile_at(event.position().toPoint())
        if found >= 0:
            self._at = found
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask with what is pressed twice."""
        found = self._tile_at(event.position().toPoint())
        if found >= 0:
            self.asked.emit(self.tiles()[found].id)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Walk with arrows, ask with Enter, see large with Space."""
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -self._across, Qt.Key.Key_Down: self._across,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps and self.tiles():
            self._at = min(max(0, self._at + steps[key]), len(self.tiles()) - 1)
            self.setAccessibleDescription(self.tiles()[self._at].spoken())
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_id() >= 0:
            self.asked.emit(self.current_id())
        elif key == Qt.Key.Key_Space and self.current_id() >= 0:
            self.looked_at.emit(self.current_id())
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask for the menu of a photograph."""
        found = self._tile_at(event.pos())
        if found >= 0:
            self.menu_wanted.emit(self.tiles()[found].id, event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Return what a picture is, where the pointer rests."""
        if isinstance(event, QHelpEvent):
            found = self._tile_at(event.pos())
            QToolTip.showText(event.globalPos(), self.tiles()[found].spoken() if found >= 0 else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show where the keys are."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show it no longer."""
        super().focusOutEvent(event)
        self.update()
