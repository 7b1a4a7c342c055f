"""The pictures of all columns on one sheet; they scroll together, and one photograph is lit in every column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.gui.compare.board_data import ShownColumn, Tile
from app.gui.compare.board_layout import BoardLayout
from app.gui.compare.cover_painting import TilePainter
from app.gui.look.theme import theme
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


class CompareBoard(QAbstractScrollArea):
    """Shows the results and the missed photographs of every column.

    Signals
    -------
    asked(int)
        A photograph is to be the question.
    looked_at(int)
        A photograph is to be seen large.
    lit_changed(int)
        Another photograph is lit, or none: -1.
    column_changed(int)
        The keys are on another column.
    menu_wanted(int, QPoint)
    """

    asked = Signal(int)
    looked_at = Signal(int)
    lit_changed = Signal(int)
    column_changed = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.pictures = SmallPictures(self)
        self.pictures.came.connect(self._repaint)
        self._sheet: QPixmap | None = None
        self._columns: Sequence[ShownColumn] = ()
        self._k, self._zoom = 20, 0
        self._layout = BoardLayout.of((1, 1), (), self._k)
        self._at = (0, 0)  # column and place of the keys
        self._hovered = -1
        self._keyed = False
        self._lit = -1
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_columns(self, columns: Sequence[ShownColumn], k: int, keep: bool = False) -> None:
        """Show columns of k; with ``keep``, the focus stays on its photograph if that is still there."""
        held = self.current_id()
        self._columns, self._k = columns, k
        self._lay_out()
        column = min(self._at[0], max(0, len(columns) - 1))
        place = columns[column].place_of(held) if columns and keep else -1
        if place < 0:
            place = next((n for n, tile in enumerate(columns[column].tiles) if not tile.asked), 0) if columns else 0
        self._at = (column, place)
        if not keep:
            self._hovered, self._keyed = -1, False
            self.verticalScrollBar().setValue(0)
        self._show_lit()
        self._tell_seen()
        self._repaint()

    def layout_now(self) -> BoardLayout:
        """Return the layout."""
        return self._layout

    def column(self) -> int:
        """Return the column of the focus."""
        return self._at[0]

    def set_column(self, column: int) -> None:
        """Move the focus to a column."""
        if 0 <= column < len(self._columns):
            self._go(column, min(self._at[1], max(0, len(self._columns[column].tiles) - 1)), keyed=self._keyed)

    def current(self) -> Tile | None:
        """Return the picture of the focus."""
        column, place = self._at
        tiles = self._columns[column].tiles if column < len(self._columns) else ()
        return tiles[place] if place < len(tiles) else None

    def current_id(self) -> int:
        """Return the photograph of the focus, or -1."""
        tile = self.current()
        return -1 if tile is None else tile.id

    def lit(self) -> int:
        """Return the lit photograph, or -1."""
        return self._lit

    def ids(self) -> list[int]:
        """Return the photographs of the focused column, in order, as the viewer steps through them."""
        return [tile.id for tile in self._columns[self._at[0]].tiles] if self._columns else []

    def set_current(self, photograph_id: int) -> None:
        """Move the focus to a photograph of this column, or of the first column that has it."""
        order = [self._at[0], *range(len(self._columns))]
        for column in order:
            place = self._columns[column].place_of(photograph_id) if column < len(self._columns) else -1
            if place >= 0:
                self._go(column, place)
                return

    def zoom(self, steps: int) -> None:
        """Show pictures larger or smaller."""
        before, self._zoom = self._layout.across, self._zoom + steps
        self._lay_out()
        if self._layout.across == before:
            self._zoom -= steps
            self._lay_out()
        self._reveal()
        self._repaint()

    def _lay_out(self) -> None:
        self._sheet = None
        counts = [len(column.tiles) for column in self._columns]
        self._layout = BoardLayout.of((self.viewport().width(), self.viewport().height()), counts, self._k, self._zoom)
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(max(16, self._layout.tile[1] // 3))
        bar.setRange(0, max(0, self._layout.height - self.viewport().height()))
        self._tell_seen()

    def _visible(self) -> list[Tile]:
        top = self.verticalScrollBar().value()
        places = self._layout.between(top, top + self.viewport().height())
        return [column.tiles[place] for place in places for column in self._columns if place < len(column.tiles)]

    def _tell_seen(self) -> None:
        hashes = [tile.content_hash for tile in self._visible()]
        self.pictures.want(hashes)

    def _on_scrolled(self) -> None:
        self._tell_seen()
        self._hover(self.viewport().mapFromGlobal(self.cursor().pos()) if self._hovered >= 0 else None)
        self._repaint()

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move with arrows, search with Enter, enlarge with Space."""
        key, plain = Qt.Key(event.key()), event.modifiers() in (_NONE, _KEYPAD)
        if key in _ARROWS and plain and self._columns:
            self._go(*self._layout.moved(*self._at, *_ARROWS[key]))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and plain and self._columns:
            tiles = self._columns[self._at[0]].tiles
            self._go(self._at[0], 0 if key == Qt.Key.Key_Home else max(0, len(tiles) - 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain and self.current_id() >= 0:
            self.asked.emit(self.current_id())
        elif key == Qt.Key.Key_Space and self.current_id() >= 0:
            self.looked_at.emit(self.current_id())
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def _go(self, column: int, place: int, keyed: bool = True) -> None:
        before = self._at[0]
        self._at, self._keyed, self._hovered = (column, place), keyed, -1
        self._reveal()
        self._show_lit()
        if column != before:
            self.column_changed.emit(column)
        tile = self.current()
        if tile is not None:
            self.setAccessibleDescription(f"{self._columns[column].title}. {tile.spoken()}")
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self._repaint()

    def _reveal(self) -> None:
        if self.current() is None:
            return
        box, bar = self._layout.rect(*self._at), self.verticalScrollBar()
        if box.top() - 8 < bar.value():
            bar.setValue(box.top() - 8)
        elif box.bottom() + 14 > bar.value() + self.viewport().height():
            bar.setValue(box.bottom() + 14 - self.viewport().height())

    def _show_lit(self) -> None:
        lit = self._hovered if self._hovered >= 0 else self.current_id() if self._keyed else -1
        if lit != self._lit:
            self._lit = lit
            self.lit_changed.emit(lit)
            self.viewport().update()

    # --- the pointer -------------------------------------------------------------------------------------------------

    def _tile_at(self, point: QPoint) -> tuple[int, int, Tile] | None:
        found = self._layout.at(point + QPoint(0, self.verticalScrollBar().value()))
        return None if found is None else (*found, self._columns[found[0]].tiles[found[1]])

    def _hover(self, point: QPoint | None) -> None:
        found = None if point is None else self._tile_at(point)
        self._hovered = -1 if found is None else found[2].id
        self._show_lit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Light the photograph under the pointer in every column."""
        self._hover(event.position().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the focus to the clicked picture."""
        found = self._tile_at(event.position().toPoint())
        if found is not None:
            column, place, tile = found
            self._go(column, place)
            self._hovered = tile.id
        else:
            boxes = self._layout.columns()
            x = event.position().toPoint().x()
            self.set_column(next((n for n, box in enumerate(boxes) if box.left() <= x <= box.right()), -1))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Search with a double-clicked picture."""
        found = self._tile_at(event.position().toPoint())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.asked.emit(found[2].id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask for the menu of a photograph."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            found = self._tile_at(event.pos())
            if found is not None:
                self._go(found[0], found[1])
                self.menu_wanted.emit(found[2].id, event.globalPos())
        elif self.current_id() >= 0:
            box = self._layout.rect(*self._at).translated(0, -self.verticalScrollBar().value())
            self.menu_wanted.emit(self.current_id(), self.viewport().mapToGlobal(box.center()))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Scroll; with Ctrl, larger and smaller."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Unlight the photograph when the pointer leaves; show a tooltip of a picture."""
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        elif isinstance(event, QHelpEvent):
            found = self._tile_at(event.pos())
            if found is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), found[2].spoken(), self)
            return True
        return super().viewportEvent(event)

    # --- painting ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay out again."""
        super().resizeEvent(event)
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the focus."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._keyed = True
            self._show_lit()
        self._repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the focus."""
        super().focusOutEvent(event)
        self._repaint()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint again in other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._lay_out()
            self._repaint()

    def box_of(self, column: int, photograph_id: int) -> QRect | None:
        """Return the place of a photograph in a column; None if it is not in it."""
        place = self._columns[column].place_of(photograph_id)
        if place < 0:
            return None
        return self._layout.rect(column, place).translated(0, -self.verticalScrollBar().value())

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the visible pictures, and over them the lit photograph with its path."""
        now = theme()
        if self._sheet is None:
            self._sheet = self._painted()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._sheet)
        if self._lit >= 0:
            brush = TilePainter(painter, now, self.font())
            boxes = [self.box_of(number, self._lit) for number in range(len(self._columns))]
            for number, (box, column) in enumerate(zip(boxes, self._columns, strict=True)):
                if box is not None:
                    place = column.place_of(self._lit)
                    self._paint_tile(brush, box, number, place, lit=True)
            brush.path(boxes, [box.left() for box in self._layout.columns()])
        painter.end()

    def _painted(self) -> QPixmap:
        """Paint everything but the lit photograph; this is kept while the pointer moves."""
        now, top, ratio = theme(), self.verticalScrollBar().value(), self.devicePixelRatioF()
        size = self.viewport().size()
        sheet = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
        sheet.setDevicePixelRatio(ratio)
        sheet.fill(QColor(now.ground))
        painter = QPainter(sheet)
        brush = TilePainter(painter, now, self.font())
        places = self._layout.between(top, top + size.height())
        for number, (column, box) in enumerate(zip(self._columns, self._layout.columns(), strict=True)):
            if number:
                painter.fillRect(box.left(), 0, 1, size.height(), QColor(now.line))
            for place in places[: max(0, len(column.tiles) - places.start)]:
                self._paint_tile(brush, self._layout.rect(number, place).translated(0, -top), number, place, lit=False)
        if self._columns and all(column.one is not None and not column.tiles for column in self._columns):
            painter.setPen(QColor(now.quiet))
            painter.setFont(self.font())
            painter.drawText(_sheet_box(size), _MIDDLE, _("No photos pass these filters."))
        painter.end()
        return sheet

    def _paint_tile(self, brush: TilePainter, box: QRect, column: int, place: int, *, lit: bool) -> None:
        tile = self._columns[column].tiles[place]
        current = self.hasFocus() and self._keyed and (column, place) == self._at
        size, ratio = QSize(*self._layout.tile), self.devicePixelRatioF()
        pixmap = self.pictures.pixmap(tile.content_hash, filling(size, ratio))
        brush.tile(box, tile, pixmap, lit=lit, current=current)

    def _repaint(self) -> None:
        """Paint everything anew."""
        self._sheet = None
        self.viewport().update()


def _sheet_box(size: QSize) -> QRect:
    """Return the place of a text that stands alone."""
    return QRect(QPoint(0, 0), size).adjusted(16, 16, -16, -16)


_MIDDLE = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
_NONE = Qt.KeyboardModifier.NoModifier
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
