"""The mouse over the map: the sheet follows the hand, and glides on a little; a lasso is drawn; a click chooses."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

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
    """Follows the buttons from press to release."""

    def __init__(self, sheet: PointerTarget) -> None:
        self._sheet = sheet
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._moved = False
        self._lasso = False
        self._trail: deque[tuple[float, QPointF]] = deque()

    @property
    def busy(self) -> bool:
        """Whether something is dragged."""
        return self._moved

    def press(self, event: QMouseEvent) -> None:
        """Take the sheet, or begin a lasso."""
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        self._pressed = self._last = event.position()
        self._moved = False
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._lasso = event.button() == Qt.MouseButton.LeftButton and (shift or self._sheet.lasso_tool)
        self._trail.clear()
        self._sheet.hold()

    def move(self, event: QMouseEvent) -> None:
        """Drag what was taken; else say what is under the pointer."""
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
        """Let go."""
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
        """Know no press any more."""
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
