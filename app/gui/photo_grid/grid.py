"""The grid of photographs: what it shows, what is current and selected, and how it is driven by keys and mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
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
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.gui.photo_grid import dragging, keys
from app.gui.photo_grid.accessible import Voices
from app.gui.photo_grid.glide import Glide
from app.gui.photo_grid.layout import Layout, Measures
from app.gui.photo_grid.painting import Brushwork, Tile, foot_height, heading_height
from app.gui.photo_grid.pixmaps import Make, Pixmaps
from app.gui.photo_grid.pointer import Pointer
from app.gui.photo_grid.rows import NoRows, Rows, section_starts
from app.gui.photo_grid.selection import Selection
from app.gui.theme import theme

SMALLEST, USUAL, LARGEST = 96, 176, 320
_STEP = 16
_WISH_MS = 15
_FRAME = 8  # of a photograph, beyond its tile; generously
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
Modifier = Qt.KeyboardModifier


class PhotoGrid(QAbstractScrollArea):
    """Photographs in lines, under headings that stick; a million of them cost no more than a screenful.

    It is given rows and thumbnails by calls, and tells by signals what the person does. It never reads anything.

    Attributes
    ----------
    activated : Signal(int)
        Enter or double click on a photograph; its id, as in all signals.
    looked_at : Signal(int)
        Space: to be seen large.
    current_changed : Signal(int)
        Where the keys are; -1 for nowhere.
    selection_changed : Signal(int)
        How many are selected.
    menu_wanted : Signal(int, QPoint)
        Right click or the menu key, on a photograph; where on the screen.
    thumbnails_wanted : Signal(list)
        Content hashes (bytes), the most urgent first: all that are lacking now. A newer list takes the older's place.
    tile_side_changed : Signal(int)
        The person made tiles larger or smaller, px.
    paths_of : function of ids, or None
        Gives the files that are dragged out; None where nothing can be.
    """

    activated = Signal(int)
    looked_at = Signal(int)
    current_changed = Signal(int)
    selection_changed = Signal(int)
    menu_wanted = Signal(int, QPoint)
    thumbnails_wanted = Signal(list)
    tile_side_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.paths_of: Callable[[list[int]], list[str]] | None = None
        self.pixmaps = Pixmaps(self)
        self.selection = Selection(0)
        self._rows: Rows = NoRows()
        self._starts: NDArray[np.int64] = section_starts(self._rows)
        self._side = USUAL
        self._current = -1
        self._column = 0
        self._asked: set[bytes] = set()
        self._downward = True
        self._layout = Layout(self._starts, 1, Measures())
        self.setAccessibleName(self.tr("Photographs"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always there, since lines would be laid out anew, at another width, when it came and went.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._glide = Glide(self.verticalScrollBar())
        self._pointer = Pointer(self, self)
        self._wishes = QTimer(self)
        self._wishes.setSingleShot(True)
        self._wishes.setInterval(_WISH_MS)
        self._wishes.timeout.connect(self._on_wishes)
        self.pixmaps.decoded.connect(self.viewport().update)
        self.verticalScrollBar().sliderPressed.connect(self.viewport().update)
        self.verticalScrollBar().sliderReleased.connect(self.viewport().update)
        self.voices = Voices(self)

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def show_rows(self, rows: Rows, keep: bool = False) -> None:
        """Show other photographs.

        Parameters
        ----------
        rows : Rows
        keep : bool
            Whether the current photograph, the selection and what is seen stay, by id, where they are still there.
        """
        starts = section_starts(rows)
        kept, held = self._kept(rows) if keep else None, self._held() if keep else None
        anchor = None if held is None else self._survivor(rows, *held)
        self._pointer.forget()
        self._glide.stop()
        before, number = self.current_id(), self.selection.count
        self._rows, self._starts, self.selection = rows, starts, Selection(rows.count)
        self._current = -1
        if kept is not None:
            self.selection.take(kept)
            self._current = self._row_of(before)
            self.selection.anchor = max(self._current, 0)
        else:
            self.pixmaps.retry()
        self._asked.clear()
        self._lay_out(anchor)
        self.voices.tell_rows()
        if self.current_id() != before:
            self.current_changed.emit(self.current_id())
        if self.selection.count or number:
            self.selection_changed.emit(self.selection.count)

    def rows(self) -> Rows:
        """Give what is shown."""
        return self._rows

    def take_thumbnails(self, jpegs: dict[bytes, bytes]) -> None:
        """Show thumbnails that have come: JPEGs by content hash; empty bytes where there is none to be had."""
        self._asked.difference_update(jpegs)
        self.pixmaps.take(jpegs)

    def current_id(self) -> int:
        """Give the id of the current photograph, or -1."""
        return int(self._rows.ids[self._current]) if self._current >= 0 else -1

    def current_row(self) -> int:
        """Give the row of the current photograph, or -1."""
        return self._current

    def set_current(self, photograph_id: int) -> None:
        """Make a photograph current, select it alone and bring it into view; nothing happens where it is not shown."""
        row = self._row_of(photograph_id)
        if row >= 0:
            self.choose(row, Modifier.NoModifier)

    def selected_ids(self) -> NDArray[np.int64]:
        """Give the ids of the selected photographs, in the order shown: int64."""
        return self._rows.ids[self.selection.rows()]

    def select_all(self) -> None:
        """Select every photograph."""
        self.tell_selection(self.selection.everything())

    def clear_selection(self) -> None:
        """Select none."""
        self.tell_selection(self.selection.nothing())

    @property
    def tile_side(self) -> int:
        """The wished side of a tile, px; what fills the lines may differ by a little."""
        return self._side

    @tile_side.setter
    def tile_side(self, side: int) -> None:
        side = min(max(side, SMALLEST), LARGEST)
        if side != self._side:
            anchor = self._held()
            self._side = side
            self._lay_out(anchor)
            self.tile_side_changed.emit(side)

    # ---- geometry ---------------------------------------------------------------------------------------------------

    @property
    def layout_now(self) -> Layout:
        """Where everything stands."""
        return self._layout

    def top(self) -> int:
        """Give the content's y at the top of what is seen."""
        return self.verticalScrollBar().value()

    def seen(self) -> QRect:
        """Give what is seen, in its own coordinates."""
        return self.viewport().rect()

    def tile_rect(self, row: int) -> QRect:
        """Give where a tile is seen, in the viewport's coordinates."""
        return QRect(*self._layout.box(row)).translated(0, -self.top())

    def row_under(self, point: QPoint) -> int:
        """Give the row whose tile is seen at a point of the viewport, or -1."""
        return self._layout.row_at(point.x(), point.y() + self.top())

    def visible_rows(self) -> range:
        """Give the rows of which a part is seen."""
        return range(*self._layout.between(self.top(), self.top() + self.viewport().height()))

    def scroll_by(self, distance: int) -> None:
        """Scroll at once."""
        self._glide.stop()
        self.verticalScrollBar().setValue(self.top() + distance)

    def scroll_to(self, row: int) -> None:
        """Scroll as little as brings a photograph into view whole."""
        layout, top, height = self._layout, self.top(), self.viewport().height()
        box, gap = layout.box(row), layout.measures.gap
        highest = box.y - (layout.measures.heading or gap)
        lowest = box.y + box.height + gap - height
        if box.y == layout.box(0).y:
            highest = 0  # with what is above the first line, and below the last
        elif box.y + box.height + layout.measures.margin >= layout.height:
            lowest = layout.height - height
        self._glide.stop()
        if highest < top:
            self.verticalScrollBar().setValue(highest)
        elif lowest > top:
            self.verticalScrollBar().setValue(min(lowest, highest))

    def repaint_soon(self) -> None:
        """Paint all that is seen anew."""
        self.viewport().update()

    def _lay_out(self, anchor: tuple[int, int] | None) -> None:
        """Lay out anew; the anchor is a row and the height at which it is to be seen, or None for the top."""
        first = self._rows.caption(0) if self._rows.count else None
        measures = Measures(
            side=self._side,
            gap=8 if first is None else 16,
            foot=0 if first is None else foot_height(self.font(), bar=first.share is not None),
            heading=heading_height(self.font()) if self._rows.shelves else 0,
        )
        height = self.viewport().height()
        self._layout = Layout(self._starts, self.viewport().width(), measures)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._layout.height - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._layout.pitch // 2)
        bar.setValue(0 if anchor is None else self._layout.box(anchor[0]).y - anchor[1])
        self._wishes.start()
        self.viewport().update()

    def _held(self) -> tuple[int, int] | None:
        """Give the row that stays where it is seen while all is laid out anew, and its height; None at the top."""
        seen = self.visible_rows()
        if not seen or not self.top():
            return None
        limit = self._layout.measures.heading
        whole = self._current in seen and self.tile_rect(self._current).top() >= limit
        row = self._current if whole else seen[0]
        return row, self.tile_rect(row).top()

    def _survivor(self, rows: Rows, row: int, height: int) -> tuple[int, int] | None:
        """Give the row that now holds the photograph of an old one, or of the next that is still there."""
        for photograph_id in self._rows.ids[row : row + 1000]:
            found = np.flatnonzero(rows.ids == photograph_id)
            if len(found):
                return int(found[0]), height
        return None

    def _kept(self, rows: Rows) -> NDArray[np.bool_]:
        chosen = self.selected_ids()
        return np.isin(rows.ids, chosen) if len(chosen) else np.zeros(rows.count, np.bool_)

    def _row_of(self, photograph_id: int) -> int:
        found = np.flatnonzero(self._rows.ids == photograph_id)
        return int(found[0]) if len(found) else -1

    # ---- thumbnails -------------------------------------------------------------------------------------------------

    def _on_wishes(self) -> None:
        if not self.isVisible():
            return
        top, height = self.top(), self.viewport().height()
        seen = self._hashes(top, top + height)
        if self._downward:
            ahead = self._hashes(top + height, top + 2 * height)
        else:
            ahead = self._hashes(top - height, top)[::-1]
        ratio, colours = self.devicePixelRatioF(), theme()
        make = Make(max(1, round(self._layout.side * ratio)), ratio, colours.well, colours.ground)
        lacking = self.pixmaps.want(seen + ahead, make)
        if not self._asked.issuperset(lacking):
            self._asked = set(lacking)
            self.thumbnails_wanted.emit(lacking)

    def _hashes(self, top: int, bottom: int) -> list[bytes]:
        first, end = self._layout.between(top, bottom)
        return self._hashes_of(first, end)

    def _hashes_of(self, first: int, end: int) -> list[bytes]:
        joined = self._rows.hashes[first:end].tobytes()
        return [joined[at : at + 32] for at in range(0, len(joined), 32)]

    # ---- choosing ---------------------------------------------------------------------------------------------------

    def choose(self, row: int, modifiers: Modifier) -> None:
        """Choose a photograph as a click does: alone, with Ctrl too or no longer, with Shift all up to it."""
        control = bool(modifiers & Modifier.ControlModifier)
        if modifiers & Modifier.ShiftModifier:
            changed = self.selection.reach(row, add=control)
        elif control:
            changed = self.selection.toggle(row)
        else:
            changed = self.selection.only(row)
        self._go(row)
        self.tell_selection(changed)

    def tell_selection(self, changed: bool) -> None:
        """Tell that others are selected, if so it is."""
        if changed:
            self.viewport().update()
            self.selection_changed.emit(self.selection.count)
            self.voices.tell_selection()

    def _go(self, row: int, *, keep_column: bool = False) -> None:
        changed = row != self._current
        self._current = row
        if not keep_column:
            self._column = self._layout.place(row).column
        self.scroll_to(row)
        self.viewport().update()
        if changed:
            self.current_changed.emit(self.current_id())
            self.voices.tell_current()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Go, select, open, look, and make tiles larger or smaller; everything else is left to others."""
        if not self._on_key(event.key(), event.modifiers()):
            event.ignore()

    def _on_key(self, key: int, modifiers: Modifier) -> bool:
        control = bool(modifiers & Modifier.ControlModifier)
        if modifiers & (Modifier.AltModifier | Modifier.MetaModifier):
            return False
        if control and key in keys.SIZES:
            self.tile_side = self._side + keys.SIZES[key] * _STEP if keys.SIZES[key] else USUAL
        elif not self._rows.count:
            return False
        elif key in keys.MOVES:
            self._move(key, modifiers)
        elif control and key == Qt.Key.Key_A:
            self.select_all()
        elif key == Qt.Key.Key_Escape and self.selection.count:
            self.clear_selection()
        elif self._current < 0:
            return False
        elif key == Qt.Key.Key_Space and control:
            self.tell_selection(self.selection.toggle(self._current))
        elif key == Qt.Key.Key_Space:
            self.looked_at.emit(self.current_id())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            self.activated.emit(self.current_id())
        else:
            return False
        return True

    def _move(self, key: int, modifiers: Modifier) -> None:
        page = self.viewport().height() - self._layout.measures.heading - self._layout.pitch // 2
        if self._current < 0:
            row = self._layout.count - 1 if key == Qt.Key.Key_End else self._first_seen()
        else:
            row = keys.target(self._layout, key, self._current, self._column, max(page, self._layout.pitch))
        changed = False
        if modifiers & Modifier.ShiftModifier:
            changed = self.selection.reach(row, add=bool(modifiers & Modifier.ControlModifier))
        elif not modifiers & Modifier.ControlModifier:
            changed = self.selection.only(row)
        self._go(row, keep_column=key in keys.ACROSS and self._current >= 0)
        self.tell_selection(changed)

    def _first_seen(self) -> int:
        seen = self.visible_rows()
        limit = self._layout.measures.heading
        return next((row for row in seen if self.tile_rect(row).top() >= limit), seen[0] if seen else 0)

    # ---- mouse and events -------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose, or begin a rubber band."""
        self._glide.stop()
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag out, or draw the rubber band."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open."""
        row = self.row_under(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._pointer.forget()
            self.activated.emit(int(self._rows.ids[row]))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Wish for the menu of what is under the pointer, or, by key, of the current photograph."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row = self._current if by_key else self.row_under(event.pos())
        if row < 0:
            event.ignore()
            return
        if by_key:
            self.scroll_to(row)
        if row not in self.selection:
            self.choose(row, Modifier.NoModifier)
        place = self.viewport().mapToGlobal(self.tile_rect(row).center()) if by_key else event.globalPos()
        self.menu_wanted.emit(int(self._rows.ids[row]), place)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll smoothly; with Ctrl, make tiles larger or smaller."""
        event.accept()
        turned = event.angleDelta().y()
        if event.modifiers() & Modifier.ControlModifier:
            if turned:
                self.tile_side = self._side + (_STEP if turned > 0 else -_STEP)
        elif not event.pixelDelta().isNull():  # a touch pad: as smooth as the fingers are
            self.scroll_by(-event.pixelDelta().y())
        elif turned:
            self._glide.by(-round(turned / 120 * max(96, self._layout.pitch * 2 // 3)))

    def drag_out(self, row: int) -> None:
        """Drag the selected files, or that of a row which is not selected, to another program."""
        if self.paths_of is None:
            return
        ids = self.selected_ids().tolist() if row in self.selection else [int(self._rows.ids[row])]
        paths = self.paths_of(ids)
        if paths:
            shown = self.pixmaps.get(self._rows.hashes[row].tobytes())
            dragging.drag(self, paths, None if shown is None else shown[0])

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """Show the tool tip of what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_under(event.pos())
            words = self._rows.spoken(row) if row >= 0 else ""
            area = self.tile_rect(row) if row >= 0 else QRect()
            QToolTip.showText(event.globalPos(), words, self.viewport(), area)
            return True
        return super().viewportEvent(event)

    def event(self, event: QEvent) -> bool:
        """Make thumbnails anew for a finer screen or other colours, and lay out anew in another font."""
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.PaletteChange):
            self._wishes.start()
        elif event.type() == QEvent.Type.FontChange:
            self._lay_out(self._held())
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Let the keys begin at what is seen."""
        if self._current < 0 and self._rows.count and event.reason() in _BY_KEY:
            self._go(self._first_seen())
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show that the keys are elsewhere."""
        self.viewport().update()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay out anew; what is seen stays."""
        self._lay_out(self._held())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Wish for what is now seen."""
        self._wishes.start()
        super().showEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Move what was seen, paint what comes into view, and wish for it."""
        self._downward = dy <= 0
        if self._pointer.band() is not None or self.verticalScrollBar().isSliderDown():
            self.viewport().update()  # these do not move with the photographs
        else:
            self.viewport().scroll(0, dy)
            self.viewport().update(0, 0, self.viewport().width(), self._layout.measures.heading + max(dy, 0))
        if not self._wishes.isActive():
            self._wishes.start()

    # ---- painting ---------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the tiles that are seen, the headings over them, and what the person is doing."""
        colours, top = theme(), self.top()
        painter = QPainter(self.viewport())
        brush = Brushwork(painter, colours, self.font(), self.tr("asked"))
        rows: set[int] = set()
        for area in cast(
            "Iterable[QRect]", event.region()
        ):  # after a scroll, a strip at one end and the heading at the other
            painter.fillRect(area, QColor(colours.ground))
            rows.update(range(*self._layout.between(top + area.top() - _FRAME, top + area.bottom() + 1 + _FRAME)))
        if rows:
            self._paint_tiles(brush, min(rows), max(rows) + 1, rows)
        if self._rows.shelves:
            self._paint_headings(brush)
        band = self._pointer.band()
        if band is not None:
            brush.band(band.translated(0, -top))
        if self._rows.shelves and self.verticalScrollBar().isSliderDown():
            self._paint_sign(brush)
        painter.end()

    def _paint_tiles(self, brush: Brushwork, first: int, end: int, rows: set[int]) -> None:
        top, side, away = self.top(), self._layout.side, self._rows.away
        focused = self.hasFocus()
        hashes, corners = self._hashes_of(first, end), self._layout.corners(first, end)
        for row in sorted(rows):
            content_hash, (x, y) = hashes[row - first], corners[row - first]
            pixmap = self.pixmaps.get(content_hash)
            tile = Tile(
                pixmap=pixmap,
                unreadable=pixmap is None and self.pixmaps.unreadable(content_hash),
                caption=self._rows.caption(row),
                away=away is not None and bool(away[row]),
                selected=row in self.selection,
                current=focused and row == self._current,
            )
            brush.tile(QRect(x, y - top, side, side), tile)

    def _paint_headings(self, brush: Brushwork) -> None:
        top, height, width = self.top(), self._layout.measures.heading, self.viewport().width()
        first, last = self._layout.section_at(top), self._layout.section_at(top + self.viewport().height() - 1)
        for section in range(first, last + 1):
            shelf = self._rows.shelves[section]
            y = self._layout.heading(section, top)
            stuck = section == first and top > self._layout.heading(section, -1)
            brush.heading(QRect(0, y - top, width, height), shelf.heading, f"{shelf.count:,}", stuck=stuck)

    def _paint_sign(self, brush: Brushwork) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        shelf = self._rows.shelves[self._layout.section_at(self.top() + self._layout.measures.heading)]
        middle = round(height * self.top() / max(bar.maximum(), 1))
        brush.sign(self.viewport().width() - 8, middle, (8, height - 8), shelf.heading)
