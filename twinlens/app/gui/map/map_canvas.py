"""Canvas of the map, moved, zoomed, clicked and encircled by the mouse and by keys."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QPinchGesture, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import map_actions, photograph_actions
from twinlens.app.gui.map.map_scene import Lasso, LassoMode
from twinlens.app.gui.map.map_sheet import MapChooser
from twinlens.app.gui.map.minimap import Minimap
from twinlens.app.gui.pictures.accessible_items import AccessibleItems
from twinlens.core.embedding import plane

Modifier = Qt.KeyboardModifier
Key = Qt.Key
_NOTCH = 120.0
_BY_NOTCH = 1.28
_BY_KEY = 1.6
_BY_DOUBLE_CLICK = 2.6
_PAN_SHARE = 0.2  # of the view, by Shift and an arrow
_ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}


class MapCanvas(MapChooser):
    """Canvas of the map, which turns keys and the pointer into signals.

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
                "clear": self._on_escape,
                "compare": lambda: self.compare_wanted.emit() if self._has_some() else None,
            },
        )
        attach(
            self,
            photograph_actions(),
            {
                "search": lambda: self.asked.emit(self.current_id()) if self.current >= 0 else None,
                "large": lambda: self.looked_at.emit(self.current_id()) if self.current >= 0 else None,
                "one more": lambda: self._toggle(self.current) if self.current >= 0 else None,
                "alike": lambda: self.marked.emit(True) if self._has_some() else None,
                "different": lambda: self.marked.emit(False) if self._has_some() else None,
            },
        )

    # --- the tool ----------------------------------------------------------------------------------------------------

    @property
    def lasso_tool(self) -> bool:
        """Whether dragging draws a lasso."""
        return self._lasso_tool

    def set_lasso_tool(self, on: bool) -> None:
        """Set whether dragging draws a lasso or moves the map."""
        if on != self._lasso_tool:
            self._lasso_tool = on
            self.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)
            self.tool_changed.emit(on)

    # --- the lasso ---------------------------------------------------------------------------------------------------

    def begin_lasso(self, place: QPointF) -> None:
        """Begin a lasso."""
        self.hover(None)
        self.lasso = Lasso(self.camera.to_map((place.x(), place.y())))

    def draw_lasso(self, place: QPointF, modifiers: Modifier) -> None:
        """Extend the lasso."""
        if self.lasso is not None and self.lasso.draw(self.camera.to_map((place.x(), place.y())), self.camera):
            own = self.lasso.takes(self.selection.mask(), self.motion.xy, self.allowed, LassoMode.by(modifiers))
            self.encircled.emit(int(own.sum()))
            self.update()

    def end_lasso(self, modifiers: Modifier) -> None:
        """Select the photographs inside."""
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
        """Discard the lasso; return whether there was one."""
        was = self.lasso is not None or self._lasso_tool
        self.lasso = None
        self._pointer.forget()
        self.set_lasso_tool(False)
        self.encircled.emit(-1)
        self.update()
        return was

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Move, and go from photograph to photograph, by arrows."""
        way = _ARROWS.get(Key(event.key()))
        if way is None or event.modifiers() & Modifier.AltModifier:
            super().keyPressEvent(event)
        elif event.modifiers() & Modifier.ShiftModifier:
            self._pan_by_key(way)
        else:
            self._step(way, adding=bool(event.modifiers() & Modifier.ControlModifier))

    def _has_some(self) -> bool:
        return self.current >= 0 or self.selection.count > 0

    def _on_escape(self) -> None:
        if self.leave_lasso():
            return
        if self.selection.count:
            self.clear_selection()
        else:
            self.left.emit()

    def _pan_by_key(self, way: tuple[int, int]) -> None:
        by = _PAN_SHARE * min(self.width(), self.height())
        self.motion.glide(self.motion.goal.panned(-way[0] * by, -way[1] * by).kept_within(self.most_scale))

    def _step(self, way: tuple[int, int], adding: bool) -> None:
        """Go to the next photograph in a direction, a picture if there is one, else a point."""
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
                found = middlemost(px, py, (self.width() / 2, self.height() / 2))
            else:
                found = toward(px, py, self.place_of(self.current), way)
            if found is not None:
                return int(rows[found])
        return -1

    # --- pointer -----------------------------------------------------------------------------------------------------

    def hover(self, place: QPointF | None) -> None:
        """Show the photograph under the pointer."""
        row = -1 if place is None or self.motion.travels else self.row_under(place)
        if row != self.hovered:
            self.hovered = row
            if not self._lasso_tool:
                shape = Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor
                self.setCursor(shape)
            self.update()
            self.hover_changed.emit(self.id_of(row))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin to drag."""
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, or show what is under the pointer."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Zoom in; with Shift, zoom out."""
        if event.button() == Qt.MouseButton.LeftButton:
            back = bool(event.modifiers() & Modifier.ShiftModifier)
            self.zoom(1 / _BY_DOUBLE_CLICK if back else _BY_DOUBLE_CLICK, event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zoom about the pointer."""
        if event.angleDelta().y():
            self.zoom(_BY_NOTCH ** (event.angleDelta().y() / _NOTCH), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Handle two fingers, on a touchpad or a screen."""
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
        """Request the menu of a photograph."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row = self.row_under(QPointF(event.pos()))
            if row >= 0:
                self._go(row, reveal=False)
                self.menu_wanted.emit(self.id_of(row), event.globalPos())
        else:
            self.ask_for_menu()

    def ask_for_menu(self) -> None:
        """Request the menu of the current photograph, as the menu key does."""
        if self.current >= 0:
            place = self.box(self.current).center().toPoint()
            self.menu_wanted.emit(self.current_id(), self.mapToGlobal(place))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Clear the photograph under the pointer."""
        super().leaveEvent(event)
        self.hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show the focused photograph."""
        super().focusInEvent(event)
        self.voices.tell_current()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Hide the focus."""
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


_LOOK_BACK_S = 0.08  # over which the speed of the hand is measured
_STILL_PX_S = 250.0  # a slower hand puts the sheet down


class PointerTarget(Protocol):
    """The map as the pointer uses it."""

    @property
    def lasso_tool(self) -> bool: ...  # noqa: D102

    def pan(self, across: float, down: float) -> None: ...  # noqa: D102

    def throw(self, across_px_s: float, down_px_s: float) -> None: ...  # noqa: D102

    def hold(self) -> None: ...  # noqa: D102

    def begin_lasso(self, place: QPointF) -> None: ...  # noqa: D102

    def draw_lasso(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None: ...  # noqa: D102

    def end_lasso(self, modifiers: Qt.KeyboardModifier) -> None: ...  # noqa: D102

    def click(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None: ...  # noqa: D102

    def hover(self, place: QPointF | None) -> None: ...  # noqa: D102


class MapPointer:
    """State of the pointer from press to release."""

    def __init__(self, sheet: PointerTarget) -> None:
        self._sheet = sheet
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._moved = False
        self._lasso = False
        self._trail: deque[tuple[float, QPointF]] = deque()

    @property
    def busy(self) -> bool:
        """Whether a drag is going on."""
        return self._moved

    def press(self, event: QMouseEvent) -> None:
        """Begin to drag the map or a lasso."""
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        self._pressed = self._last = event.position()
        self._moved = False
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._lasso = event.button() == Qt.MouseButton.LeftButton and (shift or self._sheet.lasso_tool)
        self._trail.clear()
        self._sheet.hold()

    def move(self, event: QMouseEvent) -> None:
        """Drag; without a drag report the photograph under the pointer."""
        place = event.position()
        if self._pressed is None:
            self._sheet.hover(place)
            return
        if not self._moved:
            if (place - self._pressed).manhattanLength() < QApplication.startDragDistance():
                return
            self._moved = True
            if self._lasso:
                self._sheet.begin_lasso(self._pressed)
        if self._lasso:
            self._sheet.draw_lasso(place, event.modifiers())
        else:
            self._sheet.pan(place.x() - self._last.x(), place.y() - self._last.y())
            self._trail.append((perf_counter(), place))
        self._last = place

    def release(self, event: QMouseEvent) -> None:
        """End the drag."""
        if self._pressed is None:
            return
        moved, self._pressed, self._moved = self._moved, None, False
        if not moved:
            if event.button() == Qt.MouseButton.LeftButton:
                self._sheet.click(event.position(), event.modifiers())
        elif self._lasso:
            self._sheet.end_lasso(event.modifiers())
        else:
            self._throw(event.position())

    def forget(self) -> None:
        """Forget the press."""
        self._pressed, self._moved, self._lasso = None, False, False

    def _throw(self, place: QPointF) -> None:
        now = perf_counter()
        while self._trail and now - self._trail[0][0] > _LOOK_BACK_S:
            self._trail.popleft()
        if len(self._trail) < 2:
            return
        began, start = self._trail[0]
        passed = max(now - began, 1e-3)
        speed = (place.x() - start.x()) / passed, (place.y() - start.y()) / passed
        if max(abs(speed[0]), abs(speed[1])) >= _STILL_PX_S:
            self._sheet.throw(*speed)


_ASIDE = 2.0  # how much more a pixel to the side counts than one ahead
_WIDEST = 1.2  # pixels aside for each one ahead, at most


def toward(
    px: npt.NDArray[np.float32], py: npt.NDArray[np.float32], here: tuple[float, float], way: tuple[int, int]
) -> int | None:
    """Return the index of the nearest point in a direction; None if there is none.

    Parameters
    ----------
    px, py : ndarray, (n,)
    way : tuple of int
        (1, 0) for right, (0, -1) for up.

    Examples
    --------
    >>> px, py = np.array([9, 5, 0], np.float32), np.array([0, 4, 9], np.float32)
    >>> toward(px, py, (0, 0), (1, 0)), toward(px, py, (0, 0), (0, 1)), toward(px, py, (0, 0), (-1, 0))
    (0, 2, None)
    """
    right, below = px - here[0], py - here[1]
    ahead = right * way[0] + below * way[1]
    aside = np.abs(right * way[1]) + np.abs(below * way[0])
    fits = np.flatnonzero((ahead > 0.5) & (aside <= _WIDEST * ahead))
    if len(fits) == 0:
        return None
    return int(fits[np.argmin(ahead[fits] + _ASIDE * aside[fits])])


def middlemost(px: npt.NDArray[np.float32], py: npt.NDArray[np.float32], middle: tuple[float, float]) -> int | None:
    """Return the index of the point nearest to the centre; None without points."""
    if len(px) == 0:
        return None
    return int(np.argmin(np.square(px - middle[0]) + np.square(py - middle[1])))
