"""The map as it is used: moved, come closer to, clicked, encircled, and all of that by keys too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QPinchGesture, QWidget

from app.gui.map import steps
from app.gui.map.lasso import Lasso, Taking
from app.gui.map.placing import spacings_of
from app.gui.map.pointer import Pointer
from app.gui.map.sheet import MapSheet
from app.gui.photo_grid.accessible import Voices
from core.embedding import plane

Modifier = Qt.KeyboardModifier
Key = Qt.Key

_NOTCH = 120.0
_BY_NOTCH = 1.28
_BY_KEY = 1.6
_BY_DOUBLE_CLICK = 2.6
_PAN_SHARE = 0.2  # of the view, by Shift and an arrow
_EDGE_PX = 48  # from the border: what the keys are on is brought into view
_CLOSE = 9.0  # of the closest neighbours would have room side by side where one photograph is shown
_ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}


@dataclass(frozen=True, eq=False)
class MapRows:
    """Photographs in the order in which one steps through them when one is seen large: ``ids``, (n,)."""

    ids: npt.NDArray[np.int64]


class MapCanvas(MapSheet):
    """Is moved and chosen from; says what is wished by signals.

    Signals
    -------
    asked(int)
        Look-alikes of a photograph are wished.
    looked_at(int)
        A photograph is to be seen large.
    compare_wanted()
    marked(bool)
        What is selected is similar, or different.
    menu_wanted(int, QPoint)
    current_changed(int), hover_changed(int)
        Photograph, or -1.
    selection_changed(int)
        So many are selected.
    encircled(int)
        So many are inside the lasso that is being drawn; -1 when it is let go.
    tool_changed(bool)
        Dragging draws a lasso, or moves the map.
    left()
        Esc, where there is nothing to be taken back here.
    """

    asked = Signal(int)
    looked_at = Signal(int)
    compare_wanted = Signal()
    marked = Signal(bool)
    menu_wanted = Signal(int, QPoint)
    current_changed = Signal(int)
    hover_changed = Signal(int)
    selection_changed = Signal(int)
    encircled = Signal(int)
    tool_changed = Signal(bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.voices = Voices(self)
        self._pointer = Pointer(self)
        self._lasso_tool = False
        self.motion.rested.connect(self._on_rested)

    # --- the tool ----------------------------------------------------------------------------------------------------

    @property
    def lasso_tool(self) -> bool:
        """Whether dragging draws a lasso."""
        return self._lasso_tool

    def set_lasso_tool(self, on: bool) -> None:
        """Have dragging draw a lasso, or move the map."""
        if on != self._lasso_tool:
            self._lasso_tool = on
            self.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)
            self.tool_changed.emit(on)

    # --- looking from elsewhere --------------------------------------------------------------------------------------

    def zoom(self, factor: float, place: QPointF | None = None) -> None:
        """Come closer by a factor, about a pixel; about what the keys are on, or the middle, without one."""
        at = place or self._middle()
        goal = self.motion.goal.zoomed(factor, (at.x(), at.y())).kept_within(self.most_scale)
        if goal.scale != self.motion.goal.scale or factor == 1:
            self.motion.glide(goal)

    def _middle(self) -> QPointF:
        if self.current >= 0:
            x, y = self.place_of(self.current)
            if 0 <= x <= self.width() and 0 <= y <= self.height():
                return QPointF(x, y)
        return QPointF(self.width() / 2, self.height() / 2)

    def fit(self) -> None:
        """Show all; of several that are selected, all of these; if that is seen already, everything."""
        goal = self.fitting(self.selection.rows() if self.selection.count > 1 else None)
        if abs(goal.scale / self.motion.goal.scale - 1) < 0.01 and self.selection.count > 1:
            goal = self.fitting()
        self.glide_to_fit(goal)

    def pan(self, across: float, down: float) -> None:
        """Move the sheet by pixels, at once."""
        self.motion.look(self.motion.camera.panned(across, down).kept_within(self.most_scale))

    def throw(self, across_px_s: float, down_px_s: float) -> None:
        """Let the sheet glide on."""
        self.motion.throw(across_px_s, down_px_s, self.most_scale)

    def hold(self) -> None:
        """Hold the sheet where it is."""
        self.motion.glide(self.motion.camera)

    def show_photographs(self, ids: list[int]) -> bool:
        """Select photographs and come close to them; tell whether any is on the map."""
        found = self.found
        rows = np.array([found.rows[one] for one in ids if one in found.rows] if found is not None else [], np.int64)
        if found is None or not len(rows):
            return False
        if len(rows) == 1:
            x, y = found.xy[rows[0]].tolist()
            spacing = max(spacings_of(found.shown_at).closest, 1e-4)
            close = max(2 * self.fitting().scale, min(self.width() / (_CLOSE * spacing), self.most_scale))
            self.motion.glide(self.motion.goal.centred((x, y), close).kept_within(self.most_scale))
            self._go(int(rows[0]), reveal=False)
            self._select(self.selection.nothing())
        else:
            mask = np.zeros(len(found.ids), np.bool_)
            mask[rows] = True
            self._select(self.selection.take(mask))
            self._go(int(rows[0]), reveal=False)
            self.motion.glide(self.fitting(rows).kept_within(self.most_scale))
        return True

    # --- choosing ----------------------------------------------------------------------------------------------------

    def rows(self) -> MapRows:
        """Give what is stepped through: what is selected, else the nearest on the map first."""
        found = self.found
        if found is None:
            return MapRows(np.empty(0, np.int64))
        if self.selection.count > 1:
            return MapRows(self.selected_ids())
        if self.current < 0:
            return MapRows(found.ids)
        away = np.square(found.xy - found.xy[self.current]).sum(axis=1)
        return MapRows(found.ids[np.argsort(away, kind="stable")])

    def current_row(self) -> int:
        """Give the row that the keys are on, or -1."""
        return self.current

    def current_id(self) -> int:
        """Give the photograph that the keys are on, or -1."""
        return self.id_of(self.current)

    def chosen_ids(self) -> list[int]:
        """Give what is selected, else what the keys are on."""
        selected: list[int] = self.selected_ids().tolist()
        return selected or ([self.current_id()] if self.current >= 0 else [])

    def set_current(self, photograph_id: int) -> None:
        """Put the keys on a photograph, and bring it into view."""
        if self.found is not None and photograph_id in self.found.rows:
            self._go(self.found.rows[photograph_id])

    def select_rows(self, mask: npt.NDArray[np.bool_]) -> None:
        """Select what a mask says."""
        self._select(self.selection.take(mask))

    def select_seen(self) -> None:
        """Select all that is in view."""
        if self.found is not None:
            mask = np.zeros(self.count, np.bool_)
            mask[plane.within(self.motion.xy, self.camera.seen())] = True
            self.select_rows(mask if self.allowed is None else mask & self.allowed)

    def select_group(self) -> None:
        """Select all that has the colour of what the keys are on."""
        if self.coloured is not None and self.current >= 0:
            self.select_rows(self.coloured.of == self.coloured.of[self.current])

    def clear_selection(self) -> None:
        """Select nothing."""
        self._select(self.selection.nothing())

    def _select(self, changed: bool) -> None:
        if changed:
            self.selection_changed_here()
            self.voices.tell_selection()
            self.selection_changed.emit(self.selection.count)

    def _go(self, row: int, reveal: bool = True) -> None:
        if reveal and row >= 0:
            self._reveal(row)
        if row != self.current:
            self.current = row
            self.update()
            self.voices.tell_current()
            self.current_changed.emit(self.id_of(row))

    def _reveal(self, row: int) -> None:
        x, y = self.motion.goal.to_px((float(self.motion.xy[row, 0]), float(self.motion.xy[row, 1])))
        across = max(0.0, _EDGE_PX - x) - max(0.0, x - (self.width() - _EDGE_PX))
        down = max(0.0, _EDGE_PX - y) - max(0.0, y - (self.height() - _EDGE_PX))
        if across or down:
            self.motion.glide(self.motion.goal.panned(across, down))

    def click(self, place: QPointF, modifiers: Modifier) -> None:
        """Choose what is at a pixel; with Ctrl, one more or one less."""
        row = self.row_under(place)
        if modifiers & (Modifier.ControlModifier | Modifier.ShiftModifier):
            if row >= 0:
                self._toggle(row)
            return
        self._select(self.selection.nothing())
        self._go(row, reveal=False)

    def _toggle(self, row: int) -> None:
        mask = self.selection.mask()
        if self.selection.count == 0 and self.current >= 0:
            mask[self.current] = True  # the one chosen before is meant, too
        mask[row] = not mask[row]
        self._go(row, reveal=False)
        self._select(self.selection.take(mask))

    def hover(self, place: QPointF | None) -> None:
        """Say what is under the pointer."""
        row = -1 if place is None or self.motion.travels else self.row_under(place)
        if row != self.hovered:
            self.hovered = row
            if not self._lasso_tool:
                shape = Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor
                self.setCursor(shape)
            self.update()
            self.hover_changed.emit(self.id_of(row))

    # --- the lasso ---------------------------------------------------------------------------------------------------

    def begin_lasso(self, place: QPointF) -> None:
        """Begin to draw."""
        self.hover(None)
        self.lasso = Lasso(self.camera.to_map((place.x(), place.y())))

    def draw_lasso(self, place: QPointF, modifiers: Modifier) -> None:
        """Draw on."""
        if self.lasso is not None and self.lasso.draw(self.camera.to_map((place.x(), place.y())), self.camera):
            own = self.lasso.takes(self.selection.mask(), self.motion.xy, self.allowed, Taking.by(modifiers))
            self.encircled.emit(int(own.sum()))
            self.update()

    def end_lasso(self, modifiers: Modifier) -> None:
        """Select what is inside."""
        lasso, self.lasso = self.lasso, None
        if lasso is not None and self.found is not None:
            self.select_rows(lasso.takes(self.selection.mask(), self.motion.xy, self.allowed, Taking.by(modifiers)))
            rows = self.selection.rows()
            if len(rows) and self.current not in self.selection:
                self._go(int(rows[0]), reveal=False)
        self.set_lasso_tool(False)
        self.encircled.emit(-1)
        self.update()

    def leave_lasso(self) -> bool:
        """Let the lasso go without selecting; tell whether there was one."""
        was = self.lasso is not None or self._lasso_tool
        self.lasso = None
        self._pointer.forget()
        self.set_lasso_tool(False)
        self.encircled.emit(-1)
        self.update()
        return was

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Go, choose, come closer."""
        plain = event.modifiers() & ~Modifier.KeypadModifier
        if not self._on_key(event.key(), plain):
            super().keyPressEvent(event)

    def _on_key(self, key: int, modifiers: Modifier) -> bool:  # noqa: PLR0912 (a list of keys)
        control = bool(modifiers & Modifier.ControlModifier)
        shift = bool(modifiers & Modifier.ShiftModifier)
        if key in _ARROWS and not modifiers & Modifier.AltModifier:
            way = _ARROWS[Key(key)]
            if shift:
                self._pan_by_key(way)
            else:
                self._step(way, control)
            return True
        if control:
            if key == Key.Key_A:
                self.select_seen()
            elif key == Key.Key_Space and self.current >= 0:
                self._toggle(self.current)
            else:
                return False
            return True
        if modifiers & Modifier.AltModifier:
            return False
        if key in (Key.Key_Plus, Key.Key_Equal):
            self.zoom(_BY_KEY)
        elif key in (Key.Key_Minus, Key.Key_Underscore):
            self.zoom(1 / _BY_KEY)
        elif key in (Key.Key_F, Key.Key_0, Key.Key_Home):
            self.fit()
        elif key == Key.Key_L:
            self.set_lasso_tool(not self._lasso_tool)
        elif key == Key.Key_N:
            self.show_names(not self.names_shown)
        elif key == Key.Key_K:
            self.select_group()
        elif key in (Key.Key_Return, Key.Key_Enter) and self.current >= 0:
            self.asked.emit(self.current_id())
        elif key == Key.Key_Space and self.current >= 0:
            self.looked_at.emit(self.current_id())
        elif key == Key.Key_C and (self.current >= 0 or self.selection.count):
            self.compare_wanted.emit()
        elif key in (Key.Key_S, Key.Key_D) and (self.current >= 0 or self.selection.count):
            self.marked.emit(key == Key.Key_S)
        elif key == Key.Key_Escape:
            if not self.leave_lasso():
                if self.selection.count:
                    self.clear_selection()
                else:
                    self.left.emit()
        else:
            return False
        return True

    def _pan_by_key(self, way: tuple[int, int]) -> None:
        by = _PAN_SHARE * min(self.width(), self.height())
        self.motion.glide(self.motion.goal.panned(-way[0] * by, -way[1] * by).kept_within(self.most_scale))

    def _step(self, way: tuple[int, int], adding: bool) -> None:
        """Go to the next photograph that way: a picture where there is one, else a point."""
        if self.found is None or not self.count:
            return
        row = self._next_row(way)
        if row < 0:
            return
        if adding:
            mask = self.selection.mask()
            mask[[one for one in (self.current, row) if one >= 0]] = True
            self._select(self.selection.take(mask))
        self._go(row)

    def _next_row(self, way: tuple[int, int]) -> int:
        pictured = self._placed.rows
        around = plane.within(self.motion.xy, self.camera.seen(self.width() / 2))
        if self.allowed is not None:
            around = around[self.allowed[around]]
        for rows in (pictured, around):
            px, py = self.motion.camera.all_to_px(self.motion.xy[rows])
            if self.current < 0:
                found = steps.middlemost(px, py, (self.width() / 2, self.height() / 2))
            else:
                found = steps.toward(px, py, self.place_of(self.current), way)
            if found is not None:
                return int(rows[found])
        return -1

    # --- pointer -----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take the sheet."""
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move it, or look what is there."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Let it go."""
        self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Come closer; with Shift, step back."""
        if event.button() == Qt.MouseButton.LeftButton:
            back = bool(event.modifiers() & Modifier.ShiftModifier)
            self.zoom(1 / _BY_DOUBLE_CLICK if back else _BY_DOUBLE_CLICK, event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Come closer to what is under the pointer, or step back."""
        if event.angleDelta().y():
            self.zoom(_BY_NOTCH ** (event.angleDelta().y() / _NOTCH), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Take two fingers, on a touchpad or a screen."""
        if event.type() == QEvent.Type.NativeGesture and isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                goal = self.camera.zoomed(1 + event.value(), (event.position().x(), event.position().y()))
                self.motion.look(goal.kept_within(self.most_scale))
                return True
        elif event.type() == QEvent.Type.Gesture:
            pinch = event.gesture(Qt.GestureType.PinchGesture)  # type: ignore[attr-defined]
            if isinstance(pinch, QPinchGesture):
                self._pinch(pinch)
                return True
        return super().event(event)

    def _pinch(self, pinch: QPinchGesture) -> None:
        at = QPointF(self.mapFromGlobal(pinch.centerPoint().toPoint()))
        goal = self.camera.zoomed(pinch.scaleFactor(), (at.x(), at.y()))
        moved = pinch.centerPoint() - pinch.lastCenterPoint()
        self.motion.look(goal.panned(moved.x(), moved.y()).kept_within(self.most_scale))
        self._pointer.forget()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu of a photograph."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row = self.row_under(QPointF(event.pos()))
            if row >= 0:
                self._go(row, reveal=False)
                self.menu_wanted.emit(self.id_of(row), event.globalPos())
        else:
            self.ask_for_menu()

    def ask_for_menu(self) -> None:
        """Ask for the menu of the current photograph, as the menu key does."""
        if self.current >= 0:
            place = self.box(self.current).center().toPoint()
            self.menu_wanted.emit(self.current_id(), self.mapToGlobal(place))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show where the keys are."""
        super().focusInEvent(event)
        self.voices.tell_current()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show it no longer."""
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Paint again in other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.repaint_soon()

    # --- for those who do not see it ---------------------------------------------------------------------------------

    def viewport(self) -> QWidget:
        """Give what pictures are painted on: the map itself."""
        return self

    def tile_rect(self, row: int) -> QRect:
        """Give what a photograph fills."""
        return self.box(row).toAlignedRect()

    def spoken(self, row: int) -> str:
        """Say what a photograph is."""
        from app.gui.map.words import spoken

        assert self.found is not None
        return spoken(self.found, self.facts, self.coloured, row)

    def _on_rested(self) -> None:
        self.voices.tell_rows()
