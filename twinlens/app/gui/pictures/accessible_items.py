"""Accessible items present a grid, a wall or the map to screen readers as a list with an item per visible photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QAccessibleObject, QWindow
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_KEPT = 1000
_installed: list[object] = []


class SelectedRows(Protocol):
    """The selected rows."""

    def __contains__(self, row: int, /) -> bool: ...


class AccessibleSurface(Protocol):
    """A surface that shows photographs by their rows: a grid, or the map."""

    @property
    def selection(self) -> SelectedRows: ...  # noqa: D102

    def viewport(self) -> QWidget: ...  # noqa: D102

    def hasFocus(self) -> bool: ...  # noqa: D102, N802 (Qt's name)

    def current_row(self) -> int: ...  # noqa: D102

    def visible_rows(self) -> Sequence[int]: ...  # noqa: D102

    def row_under(self, point: QPoint, /) -> int: ...  # noqa: D102

    def tile_rect(self, row: int) -> QRect: ...  # noqa: D102

    def spoken(self, row: int) -> str: ...  # noqa: D102


class AccessibleItem(QObject):
    """One photograph of a surface, as a Qt object for screen readers."""

    def __init__(self, surface: AccessibleSurface, row: int, widget: QWidget) -> None:
        super().__init__(widget)
        self.surface = surface
        self.row = row
        self.widget = widget
        self.interface: QAccessibleInterface | None = None


class AccessibleItems:
    """The items of a surface that screen readers have requested, and the events of their changes.

    Parameters
    ----------
    widget : QWidget
        The surface as a widget.
    """

    def __init__(self, surface: AccessibleSurface, widget: QWidget) -> None:
        self.surface = surface
        self.widget = widget
        self._spoken: dict[int, AccessibleItem] = {}
        self.interface: QAccessibleInterface | None = None
        if not _installed:
            _installed.append(_interface)
            QAccessible.installFactory(_interface)

    def __len__(self) -> int:
        return len(self._spoken)

    def of(self, row: int) -> AccessibleItem:
        """Return the item of a row."""
        spoken = self._spoken.get(row)
        if spoken is None:
            if len(self._spoken) >= _KEPT:
                self._forget_unseen()
            spoken = self._spoken[row] = AccessibleItem(self.surface, row, self.widget)
        return spoken

    def tell_rows(self) -> None:
        """Signal that other photographs are shown."""
        for spoken in self._spoken.values():
            spoken.deleteLater()
        self._spoken = {}
        self._tell(self.widget, QAccessible.Event.ObjectReorder)

    def tell_current(self) -> None:
        """Signal that the focus has moved."""
        if QAccessible.isActive() and self.surface.hasFocus() and self.surface.current_row() >= 0:
            self._tell(self.of(self.surface.current_row()), QAccessible.Event.Focus)

    def tell_selection(self) -> None:
        """Signal that the selection has changed."""
        self._tell(self.widget, QAccessible.Event.SelectionWithin)

    def _tell(self, about: QObject, event: QAccessible.Event) -> None:
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(about, event))

    def _forget_unseen(self) -> None:
        seen = self.surface.visible_rows()
        for row in [row for row in self._spoken if row not in seen and row != self.surface.current_row()]:
            self._spoken.pop(row).deleteLater()


def _interface(name: str, about: QObject) -> Any:
    """Return the accessible interface of a surface or item; Qt calls this for every object."""
    voices = getattr(about, "voices", None) if isinstance(about, QWidget) else None
    if isinstance(voices, AccessibleItems):
        voices.interface = _List(voices)
        return voices.interface
    if isinstance(about, AccessibleItem):
        about.interface = _Item(about)
        return about.interface
    return None


class _Item(QAccessibleObject):
    """The accessible interface of a photograph: an item of the list."""

    def __init__(self, spoken: AccessibleItem) -> None:
        super().__init__(spoken)
        self._spoken = spoken

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, what: QAccessible.Text) -> str:
        return self._spoken.surface.spoken(self._spoken.row) if what == QAccessible.Text.Name else ""

    def state(self) -> QAccessible.State:
        surface, row, state = self._spoken.surface, self._spoken.row, QAccessible.State()
        state.selectable = state.focusable = 1
        state.selected = int(row in surface.selection)
        state.focused = int(row == surface.current_row() and surface.hasFocus())
        state.invisible = state.offscreen = int(row not in surface.visible_rows())
        return state

    def rect(self) -> QRect:
        area = self._spoken.surface.tile_rect(self._spoken.row)
        return QRect(self._spoken.surface.viewport().mapToGlobal(area.topLeft()), area.size())

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._spoken.widget)

    def window(self) -> QWindow:
        return self.parent().window()

    def childCount(self) -> int:  # noqa: N802
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]  # noqa: N802
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        return -1


class _List(QAccessibleWidget):
    """The accessible interface of a surface: a list of its visible photographs."""

    def __init__(self, voices: AccessibleItems) -> None:
        super().__init__(voices.widget, QAccessible.Role.List)
        self._voices, self._surface = voices, voices.surface

    def childCount(self) -> int:  # noqa: N802 (Qt's names, here and below)
        return len(self._surface.visible_rows())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        seen = self._surface.visible_rows()
        return self._of(seen[index]) if 0 <= index < len(seen) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        spoken, seen = child.object(), self._surface.visible_rows()
        return seen.index(spoken.row) if isinstance(spoken, AccessibleItem) and spoken.row in seen else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]  # noqa: N802
        row = self._surface.row_under(self._surface.viewport().mapFromGlobal(QPoint(x, y)))
        return self._of(row) if row >= 0 else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]  # noqa: N802
        row = self._surface.current_row()
        return self._of(row) if row >= 0 and self._surface.hasFocus() else None

    def state(self) -> QAccessible.State:
        state = super().state()
        state.multiSelectable = 1
        state.extSelectable = 1
        return state

    def _of(self, row: int) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._voices.of(row))
