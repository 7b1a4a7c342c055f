"""The photo grid shows photographs in lines, with keys and mouse; `GridControl` is the base of its controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QToolTip, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import photograph_actions
from twinlens.app.gui.photo_grid import grid_pointer
from twinlens.app.gui.photo_grid.cell_painting import stack_sign
from twinlens.app.gui.photo_grid.grid_layout import GridLayout, GridRows, RowSelection, section_starts
from twinlens.app.gui.photo_grid.grid_pointer import GridPointer
from twinlens.app.gui.photo_grid.grid_sheet import USUAL, GridSheet
from twinlens.app.gui.pictures.accessible_items import AccessibleItems
from twinlens.app.language.texts import _

STEP = 16
"""Step by which tiles grow and shrink, px."""

_MOST_REMEMBERED = 10_000  # selected photographs
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
Modifier = Qt.KeyboardModifier


class PhotoGrid(GridSheet):
    """The grid: photographs in lines under sticky headings; a million cost no more than a screenful.

    Calls give it rows and thumbnails, signals report the actions of the person. It never reads files.

    Attributes
    ----------
    activated : Signal(int)
        Enter or double click on a photograph; its id, as in all signals.
    looked_at : Signal(int)
        Space: the photograph is to be shown large.
    current_changed : Signal(int)
        The current photograph; -1 for none.
    selection_changed : Signal(int)
        Number of selected photographs.
    stack_wanted : Signal(int)
        The sign of a stack was pressed, to open or close it.
    menu_wanted : Signal(int, QPoint)
        Right click or menu key on a photograph, with the position on the screen.
    tile_side_changed : Signal(int)
        The new side of tiles, set by the person, px.
    paths_of : function of ids, or None
        Returns the files to drag out; None where dragging is impossible.
    """

    activated = Signal(int)
    looked_at = Signal(int)
    current_changed = Signal(int)
    selection_changed = Signal(int)
    menu_wanted = Signal(int, QPoint)
    stack_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None, bar: QScrollBar | None = None) -> None:
        super().__init__(parent, bar)
        self.paths_of: Callable[[list[int]], list[str]] | None = None
        self._column = 0
        self._pointer = GridPointer(self, self)
        self.voices = AccessibleItems(self, self)
        self.setAccessibleName(_("Photos"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        attach(
            self,
            photograph_actions(),
            {
                "search": partial(self._emit_current, self.activated),
                "large": partial(self._emit_current, self.looked_at),
                "all": self.select_all,
                "one more": self._toggle_current,
                "larger": partial(self._resize_tiles, 1),
                "smaller": partial(self._resize_tiles, -1),
                "usual size": partial(self._resize_tiles, 0),
            },
        )

    # ---- content ----------------------------------------------------------------------------------------------------

    def show_rows(self, rows: GridRows, keep: bool = False) -> None:
        """Show other photographs.

        Parameters
        ----------
        keep : bool
            Whether the current photograph, the selection and the scroll position stay, by id.
        """
        starts = section_starts(rows)
        kept, held = self._kept(rows) if keep else None, self._held() if keep else None
        anchor = None if held is None else self._survivor(rows, *held)
        self._pointer.forget()
        self._glide.stop()
        before, number = self.current_id(), self.selection.count
        self._rows, self._starts, self.selection = rows, starts, RowSelection(rows.count)
        self._current = -1
        if kept is not None:
            self.selection.take(kept)
            self._current = self._row_of(before) if before >= 0 else -1
            self.selection.anchor = max(self._current, 0)
        else:
            self.pictures.retry()
        self.pictures.ask_again()
        self._lay_out(anchor)
        self.voices.tell_rows()
        if self.current_id() != before:
            self.current_changed.emit(self.current_id())
        if self.selection.count or number:
            self.selection_changed.emit(self.selection.count)

    def set_current(self, photograph_id: int) -> None:
        """Make a photograph current, select it alone and scroll to it, if it is shown."""
        row = self._row_of(photograph_id)
        if row >= 0:
            self.choose(row, Modifier.NoModifier)

    def place(self) -> dict[str, Any]:
        """Return the current photograph, the selection and what is seen, to be remembered as plain values."""
        held = self._held()
        seen = None if held is None else [int(self._rows.ids[held[0]]), held[1]]
        selected = self.selected_ids()
        return {
            "current": self.current_id(),
            "selected": selected.tolist() if len(selected) <= _MOST_REMEMBERED else [],
            "seen": seen,
        }

    def return_to(self, place: Mapping[str, Any]) -> None:
        """Return to a place that was remembered, as far as its photographs are still there."""
        current, selected, seen = (place.get(name) for name in ("current", "selected", "seen"))
        if isinstance(current, int):
            self.set_current(current)
        if isinstance(selected, list) and len(selected) != 1:
            self.selection.take(np.isin(self._rows.ids, [one for one in selected if isinstance(one, int)]))
            self.tell_selection(True)
        if isinstance(seen, list) and len(seen) == 2 and all(isinstance(one, int) for one in seen):
            row = self._row_of(seen[0])
            if row >= 0:
                self._lay_out((row, seen[1]))

    def ask_for_menu(self) -> None:
        """Ask for the menu of the current photograph, as the menu key does."""
        middle = self.viewport().rect().center()
        keyboard = QContextMenuEvent.Reason.Keyboard
        QCoreApplication.sendEvent(self.viewport(), QContextMenuEvent(keyboard, middle, self.mapToGlobal(middle)))

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""
        ids: list[int] = self.selected_ids().tolist()
        return ids or ([self.current_id()] if self.current_id() >= 0 else [])

    def selected_ids(self) -> NDArray[np.int64]:
        """Return the ids of the selected photographs, in the order shown: int64."""
        return self._rows.ids[self.selection.rows()]

    def select_all(self) -> None:
        """Select every photograph."""
        self.tell_selection(self.selection.everything())

    def clear_selection(self) -> None:
        """Select none."""
        self.tell_selection(self.selection.nothing())

    def rubber_band(self) -> QRect | None:
        """Return the rubber band in content coordinates, while one is drawn."""
        return self._pointer.band()

    def repaint_soon(self) -> None:
        """Paint everything visible again."""
        self.viewport().update()

    def _survivor(self, rows: GridRows, row: int, height: int) -> tuple[int, int] | None:
        """Return the present row of an old row's photograph, or of the next one that is still there."""
        old = self._rows.ids[row : row + 1000]
        still = np.flatnonzero(np.isin(old, rows.ids[np.isin(rows.ids, old)]))
        return (int(np.flatnonzero(rows.ids == old[still[0]])[0]), height) if len(still) else None

    def _kept(self, rows: GridRows) -> NDArray[np.bool_]:
        chosen = self.selected_ids()
        return np.isin(rows.ids, chosen) if len(chosen) else np.zeros(rows.count, np.bool_)

    def _row_of(self, photograph_id: int) -> int:
        found = np.flatnonzero(self._rows.ids == photograph_id)
        return int(found[0]) if len(found) else -1

    # ---- selection --------------------------------------------------------------------------------------------------

    def choose(self, row: int, modifiers: Modifier) -> None:
        """Select a photograph like a click: alone, toggled with Ctrl, or all up to it with Shift."""
        control = bool(modifiers & Modifier.ControlModifier)
        if modifiers & Modifier.ShiftModifier:
            changed = self.selection.reach(row, add=control)
        elif control:
            changed = self.selection.toggle(row)
        else:
            changed = self.selection.only(row)
        self._go(row)
        self.tell_selection(changed)

    def choose_group(self, section: int, modifiers: Modifier) -> None:
        """Select the photographs under a heading: alone, besides the others with Ctrl, or all up to them with Shift."""
        first, end = self._layout.starts[section : section + 2].tolist()
        control = bool(modifiers & Modifier.ControlModifier)
        if modifiers & Modifier.ShiftModifier:
            changed = self.selection.reach(first if first < self.selection.anchor else end - 1, add=control)
        else:
            changed = self.selection.group(first, end, add=control)
        if not first <= self._current < end:
            self._go(min(max(self.first_seen(), first), end - 1), scrolls=False)
        self.tell_selection(changed)

    def select_group(self) -> None:
        """Select the photographs under the heading of the current one, besides the others."""
        if self._current >= 0:
            self.choose_group(self._layout.place(self._current).section, Modifier.ControlModifier)

    def go_to_group(self, by: int) -> None:
        """Make the first photograph of the next heading, or of the one before, current, with its heading at the top."""
        if self._current < 0:
            return
        section = self._layout.place(self._current).section + by
        if 0 <= section < self._layout.sections:
            self.choose(int(self._layout.starts[section]), Modifier.NoModifier)
            self.verticalScrollBar().setValue(int(self._layout.tops[section]))

    def tell_selection(self, changed: bool) -> None:
        """Signal a changed selection."""
        if changed:
            self.viewport().update()
            self.selection_changed.emit(self.selection.count)
            self.voices.tell_selection()

    def _go(self, row: int, *, keep_column: bool = False, scrolls: bool = True) -> None:
        changed = row != self._current
        self._current = row
        if not keep_column:
            self._column = self._layout.place(row).column
        if scrolls:
            self.scroll_to(row)
        self.viewport().update()
        if changed:
            self.current_changed.emit(self.current_id())
            self.voices.tell_current()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Handle the keys that move; leave all others."""
        if not self._on_key(event.key(), event.modifiers()):
            event.ignore()

    def _on_key(self, key: int, modifiers: Modifier) -> bool:
        if modifiers & (Modifier.AltModifier | Modifier.MetaModifier) or not self._rows.count:
            return False
        if key in MOVES:
            self._move(key, modifiers)
        elif key == Qt.Key.Key_Escape and self.selection.count:
            self.clear_selection()
        else:
            return False
        return True

    def _emit_current(self, signal: SignalInstance) -> None:
        if self._current >= 0:
            signal.emit(self.current_id())

    def _toggle_current(self) -> None:
        if self._current >= 0:
            self.tell_selection(self.selection.toggle(self._current))

    def _resize_tiles(self, steps: int) -> None:
        self.tile_side = self._side + steps * STEP if steps else USUAL

    def _move(self, key: int, modifiers: Modifier) -> None:
        page = self.viewport().height() - self._layout.measures.heading - self._layout.pitch // 2
        if self._current < 0:
            row = self._layout.count - 1 if key == Qt.Key.Key_End else self.first_seen()
        else:
            row = moved_row(self._layout, key, self._current, self._column, max(page, self._layout.pitch))
        changed = False
        if modifiers & Modifier.ShiftModifier:
            changed = self.selection.reach(row, add=bool(modifiers & Modifier.ControlModifier))
        elif not modifiers & Modifier.ControlModifier:
            changed = self.selection.only(row)
        self._go(row, keep_column=key in ACROSS and self._current >= 0)
        self.tell_selection(changed)

    # ---- mouse and events -------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select, or begin a rubber band."""
        self._glide.stop()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        row = self._stack_under(event.position().toPoint())
        if row >= 0:
            self.stack_wanted.emit(int(self._rows.ids[row]))
        else:
            self._pointer.press(event)

    def _stack_under(self, point: QPoint) -> int:
        """Return the row of the stack whose sign is under a point; -1 for none."""
        row = self.row_under(point)
        caption = self._rows.caption(row) if row >= 0 else None
        if caption is None or not caption.stack:
            return -1
        return row if stack_sign(self.well_rect(row), self.font(), caption.stack).contains(point) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag out, or extend the rubber band."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag or the rubber band."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open the photograph."""
        row = self.row_under(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._pointer.forget()
            self.activated.emit(int(self._rows.ids[row]))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu of the photograph under the pointer, or, by key, of the current one."""
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
                self.tile_side = self._side + (STEP if turned > 0 else -STEP)
        elif not event.pixelDelta().isNull():  # a touch pad is as smooth as the fingers are
            self.scroll_by(-event.pixelDelta().y())
        elif turned:
            self._glide.by(-round(turned / 120 * max(96, self._layout.pitch * 2 // 3)))

    def drag_out(self, row: int) -> None:
        """Drag the selected files, or that of an unselected row, to another program."""
        if self.paths_of is None:
            return
        ids = self.selected_ids().tolist() if row in self.selection else [int(self._rows.ids[row])]
        paths = self.paths_of(ids)
        if paths:
            shown = self.picture_of(self._rows.hashes[row].tobytes())
            grid_pointer.drag_files(self, paths, None if shown is None else shown[0], ids)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """Show the tooltip of the photograph or heading under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            headed = self.heading_under(event.pos()) >= 0
            row = -1 if headed else self.row_under(event.pos())
            words = self.spoken(row) if row >= 0 else ""
            if headed:
                words = _("A click selects the photos under this heading, with Ctrl besides the others")
            area = self.tile_rect(row) if row >= 0 else QRect()
            QToolTip.showText(event.globalPos(), words, self.viewport(), area)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Make a visible photograph current."""
        if self._current < 0 and self._rows.count and event.reason() in _BY_KEY:
            self._go(self.first_seen())
        self.viewport().update()
        super().focusInEvent(event)
        self.voices.tell_current()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show that the focus is elsewhere."""
        self.viewport().update()
        super().focusOutEvent(event)


Key = Qt.Key

# Keys that keep the column, also past shorter lines.
ACROSS = frozenset({Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_PageDown})
MOVES = ACROSS | {Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End}


def moved_row(layout: GridLayout, key: int, row: int, column: int, page: int) -> int:
    """Return the row to which a key leads.

    Parameters
    ----------
    row : int
        The current one.
    column : int
        The column in which the person began to go up or down.
    page : int
        Visible height, px.
    """
    last = layout.count - 1
    match key:
        case Key.Key_Left:
            return max(row - 1, 0)
        case Key.Key_Right:
            return min(row + 1, last)
        case Key.Key_Up:
            return layout.above(row, column)
        case Key.Key_Down:
            return layout.below(row, column)
        case Key.Key_Home:
            return 0
        case Key.Key_End:
            return last
        case Key.Key_PageUp:
            return layout.paged(row, column, -page)
        case Key.Key_PageDown:
            return layout.paged(row, column, page)
        case _:
            return row


class GridControl:
    """Base of the controllers of views with a grid."""

    grid: PhotoGrid

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""
        return self.grid.chosen()

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""
        return self.grid.current_id()

    def looked_through(self) -> PhotoGrid:
        """Return the grid, through which the viewer steps."""
        return self.grid
