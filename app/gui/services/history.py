"""The history of views and searches, with the ways back and forward."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Signal


class HistoryPlace(NamedTuple):
    """A place of the history: a view, and its search, or None without one."""

    view: str
    asked: object = None


@runtime_checkable
class SearchingView(Protocol):
    """A view whose searches can be repeated."""

    def present(self) -> object:
        """Return the present search, or None."""

    def return_to(self, asked: object) -> None:
        """Repeat a search."""


class ViewHistory(QObject):
    """The history: the places before and after the present one."""

    wanted = Signal(object)
    """A `HistoryPlace` is to be shown again."""
    changed = Signal()
    """The places to go to have changed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._before: list[HistoryPlace] = []
        self._now: HistoryPlace | None = None
        self._after: list[HistoryPlace] = []

    def visit(self, view: str, asked: object = None) -> None:
        """Add a place; back leads to the one before."""
        place = HistoryPlace(view, asked)
        if place == self._now:
            return
        if self._now is not None:
            self._before.append(self._now)
        self._now = place
        self._after.clear()
        self.changed.emit()

    def replace(self, view: str, asked: object) -> None:
        """Replace the present place; elsewhere, go to it."""
        if self._now is None or self._now.view != view:
            self.visit(view, asked)
        else:
            self._now = HistoryPlace(view, asked)

    def can_go_back(self) -> bool:
        """Return whether there is a place before."""
        return bool(self._before)

    def can_go_forward(self) -> bool:
        """Return whether there is a place after."""
        return bool(self._after)

    def go_back(self) -> None:
        """Go to the place before."""
        if self._before and self._now is not None:
            self._after.append(self._now)
            self._go(self._before.pop())

    def go_forward(self) -> None:
        """Go to the place after."""
        if self._after and self._now is not None:
            self._before.append(self._now)
            self._go(self._after.pop())

    def _go(self, place: HistoryPlace) -> None:
        self._now = place
        self.wanted.emit(place)
        self.changed.emit()

    def places(self) -> tuple[tuple[HistoryPlace, ...], HistoryPlace | None, tuple[HistoryPlace, ...]]:
        """Return the places before, the present one, and those after."""
        return tuple(self._before), self._now, tuple(self._after)

    def restore(self, places: tuple[tuple[HistoryPlace, ...], HistoryPlace | None, tuple[HistoryPlace, ...]]) -> None:
        """Restore the history of another window."""
        before, self._now, after = places
        self._before, self._after = list(before), list(after)
        self.changed.emit()
