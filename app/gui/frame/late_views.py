"""Parts of the window that are made when they are first shown: what they draw with is slow to import."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from app.gui.frame.opened import Opened

if TYPE_CHECKING:
    from app.gui.viewer.controller import LookedThrough


class LatePart(Protocol):
    """A view with its control."""

    @property
    def view(self) -> QWidget:
        """What is seen."""

    def take(self, opened: Opened) -> None:
        """Show this library from now on."""

    def focus(self) -> None:
        """Focus what the view is about."""

    def refresh(self) -> None:
        """Refresh: the library has changed. Called while the view is seen, or when it is seen again."""

    def state(self) -> dict[str, Any]:
        """Return what is remembered; it comes back under the part's name in the state of what was opened."""


@runtime_checkable
class ShowsPhotographs(LatePart, Protocol):
    """A part in which photographs are chosen, and can be shown."""

    def chosen(self) -> list[int]:
        """Return the photographs that are selected, or the current one."""

    def current(self) -> int:
        """Return the current photograph, or -1."""

    def looked_through(self) -> LookedThrough:
        """Return what is stepped through when one is seen large."""

    def show_photographs(self, ids: list[int]) -> None:
        """Show where photographs are."""


class LateViews:
    """Knows how parts are made, makes each once, and tells those that are made what happens to the library."""

    def __init__(self) -> None:
        self._make: dict[str, Callable[[], LatePart]] = {}
        self._parts: dict[str, LatePart] = {}
        self._stale: set[str] = set()
        self._opened: Opened | None = None

    def add(self, name: str, make: Callable[[], LatePart]) -> None:
        """Name a part and what makes it; what is slow to import is imported in there."""
        self._make[name] = make

    def part(self, name: str) -> LatePart | None:
        """Return the part of a name, made now if it was not; None where there is none of this name."""
        if name not in self._make:
            return None
        if name not in self._parts:
            made = self._parts[name] = self._make[name]()
            if self._opened is not None:
                made.take(self._opened)
        elif name in self._stale:
            self._parts[name].refresh()
        self._stale.discard(name)
        return self._parts[name]

    def choosing(self, name: str) -> ShowsPhotographs | None:
        """Return the part of a name if it was made and photographs are chosen in it."""
        part = self._parts.get(name)
        return part if isinstance(part, ShowsPhotographs) else None

    def take(self, opened: Opened) -> None:
        """Have every part that is made show this library."""
        self._opened = opened
        self._stale.clear()
        for part in list(self._parts.values()):  # one may show, and so make, another
            part.take(opened)

    def refresh(self) -> None:
        """Have what is seen look again, and the others when they are seen."""
        for name, part in list(self._parts.items()):
            if part.view.isVisible():
                part.refresh()
            else:
                self._stale.add(name)

    def state(self) -> dict[str, Any]:
        """Return what is remembered of each part; of one that was not made this time, what was remembered before."""
        before = {} if self._opened is None else self._opened.state
        kept = {name: before[name] for name in self._make if name in before}
        return kept | {name: part.state() for name, part in self._parts.items()}
