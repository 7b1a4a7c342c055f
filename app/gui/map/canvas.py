"""The map as it is used: moved, come closer to, clicked, encircled, and all of that by keys too."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QPinchGesture, QWidget

from app.gui.actions.action import attach
from app.gui.map import arrow_steps
from app.gui.map.actions import map_actions
from app.gui.map.lasso import Lasso, LassoMode
from app.gui.map.map_pointer import MapPointer
from app.gui.map.map_selection import MapChooser
from app.gui.map.minimap import Minimap
from app.gui.photo_grid.accessible_grid import AccessibleItems
from core.embedding import plane

Modifier = Qt.KeyboardModifier
Key = Qt.Key

_NOTCH = 120.0
_BY_NOTCH = 1.28
_BY_KEY = 1.6
_BY_DOUBLE_CLICK = 2.6
_PAN_SHARE = 0.2  # of the view, by Shift and an arrow
_ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}


class MapCanvas(MapChooser):
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
    hover_changed(int)
        Photograph, or -1.
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
    hover_changed = Signal(int)
    encircled = Signal(int)
    tool_changed = Signal(bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.voices = AccessibleItems(self, self)
        self._pointer = MapPointer(self)
        self._lasso_tool = False
        self.motion.rested.connect(self._on_rested)
        self.minimap = Minimap(self)
        self.minimap.entered.connect(lambda: self.hover(None))
        attach(
            self,
            map_actions(),
            {
                "closer": lambda: self.zoom(_BY_KEY),
                "further": lambda: self.zoom(1 / _BY_KEY),
                "whole": self.fit,
                "lasso": lambda: self.set_lasso_tool(not self._lasso_tool),
                "names": lambda: self.show_names(not self.names_shown),
                "overview": lambda: self.minimap.wish(not self.minimap.wished),
                "colour": self.select_group,
                "seen": self.select_seen,
            },
        )

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

    # --- the lasso ---------------------------------------------------------------------------------------------------

    def begin_lasso(self, place: QPointF) -> None:
        """Begin to draw."""
        self.hover(None)
        self.lasso = Lasso(self.camera.to_map((place.x(), place.y())))

    def draw_lasso(self, place: QPointF, modifiers: Modifier) -> None:
        """Draw on."""
        if self.lasso is not None and self.lasso.draw(self.camera.to_map((place.x(), place.y())), self.camera):
            own = self.lasso.takes(self.selection.mask(), self.motion.xy, self.allowed, LassoMode.by(modifiers))
            self.encircled.emit(int(own.sum()))
            self.update()

    def end_lasso(self, modifiers: Modifier) -> None:
        """Select what is inside."""
        lasso, self.lasso = self.lasso, None
        if lasso is not None and self.found is not None:
            self.select_rows(lasso.takes(self.selection.mask(), self.motion.xy, self.allowed, LassoMode.by(modifiers)))
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
            if key != Key.Key_Space or self.current < 0:
                return False
            self._toggle(self.current)
            return True
        if modifiers & Modifier.AltModifier:
            return False
        if key in (Key.Key_Return, Key.Key_Enter) and self.current >= 0:
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
        around = plane.points_in_rectangle(self.motion.xy, self.camera.seen(self.width() / 2))
        if self.allowed is not None:
            around = around[self.allowed[around]]
        for rows in (pictured, around):
            px, py = self.motion.camera.all_to_px(self.motion.xy[rows])
            if self.current < 0:
                found = arrow_steps.middlemost(px, py, (self.width() / 2, self.height() / 2))
            else:
                found = arrow_steps.toward(px, py, self.place_of(self.current), way)
            if found is not None:
                return int(rows[found])
        return -1

    # --- pointer -----------------------------------------------------------------------------------------------------

    def hover(self, place: QPointF | None) -> None:
        """Show what is under the pointer."""
        row = -1 if place is None or self.motion.travels else self.row_under(place)
        if row != self.hovered:
            self.hovered = row
            if not self._lasso_tool:
                shape = Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor
                self.setCursor(shape)
            self.update()
            self.hover_changed.emit(self.id_of(row))

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
            self.renewed.emit()

    def _on_rested(self) -> None:
        self.voices.tell_rows()
