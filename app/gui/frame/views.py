"""The views of a workspace: each is made when first shown, refreshed when shown again, and saved at the end.

A table names the function that makes each view; slow imports happen inside that function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.gui.services.services import WorkspaceServices

if TYPE_CHECKING:
    from app.gui.viewer.viewer_control import PhotographSequence


class ViewPart(Protocol):
    """A view with its controller."""

    @property
    def view(self) -> QWidget:
        """The widget."""

    def focus(self) -> None:
        """Focus what the view is about."""

    def refresh(self) -> None:
        """Show the library as it is now. Called while the view is seen, or when it is seen again."""

    def state(self) -> dict[str, Any]:
        """Return what is remembered; it comes back under the part's name in the state of the library."""


@runtime_checkable
class ShowsPhotographs(ViewPart, Protocol):
    """A part in which photographs are chosen, and can be shown."""

    def chosen(self) -> list[int]:
        """Return the photographs that are selected, or the current one."""

    def current(self) -> int:
        """Return the current photograph, or -1."""

    def looked_through(self) -> PhotographSequence:
        """Return what is stepped through when one is seen large."""


@runtime_checkable
class SearchesByPhotographs(Protocol):
    """A part in which photographs are seen because of others."""

    def asked_with(self) -> list[int]:
        """Return those others, beside which one that is chosen can be laid."""


class Views(QStackedWidget):
    """Makes each view once, shows one of them, and has those that are hidden refreshed when they are seen.

    Parameters
    ----------
    remembered : dict
        The state in which the window was left; that of a view which is not made this time is kept.
    """

    def __init__(self, remembered: dict[str, object]) -> None:
        super().__init__()
        self._remembered = remembered
        self._make: dict[str, Callable[[], ViewPart]] = {}
        self._parts: dict[str, ViewPart] = {}
        self._stale: set[str] = set()

    def add(self, name: str, make: Callable[[], ViewPart]) -> None:
        """Name a view and what makes it; what is slow to import is imported in there."""
        self._make[name] = make

    def made(self, name: str) -> ViewPart | None:
        """Return the part of a name if it was made, as it is."""
        return self._parts.get(name)

    def part(self, name: str) -> ViewPart:
        """Return the part of a name, made now if it was not."""
        if name not in self._parts:
            made = self._parts[name] = self._make[name]()
            self.addWidget(made.view)
        elif name in self._stale:
            self._parts[name].refresh()
        self._stale.discard(name)
        return self._parts[name]

    def choosing(self, name: str) -> ShowsPhotographs | None:
        """Return the part of a name if it was made and photographs are chosen in it."""
        part = self._parts.get(name)
        return part if isinstance(part, ShowsPhotographs) else None

    def asked_with(self, name: str) -> list[int]:
        """Return the photographs that the part of a name asks with; none where it asks nothing."""
        part = self._parts.get(name)
        return part.asked_with() if isinstance(part, SearchesByPhotographs) else []

    def show_view(self, name: str) -> None:
        """Show a view, with the keys on what it is about."""
        part = self.part(name)
        self.setCurrentWidget(part.view)
        part.focus()

    def refresh(self) -> None:
        """Refresh the view that is seen, and the others when they are seen."""
        for name, part in list(self._parts.items()):
            if part.view.isVisible():
                part.refresh()
            else:
                self._stale.add(name)

    def state(self) -> dict[str, Any]:
        """Return what is remembered of every view."""
        kept = {name: self._remembered[name] for name in self._make if name in self._remembered}
        return kept | {name: state for name, part in self._parts.items() if (state := part.state())}


LAB_VIEWS: Final = ("lab", "compare", "indexes", "new index")
"""The Lab, and the views that are reached from it."""


def _learn(window: WorkspaceServices) -> ViewPart:
    from app.gui.learn.learn_controller import LearnControl

    return LearnControl(window)


def _compare(window: WorkspaceServices) -> ViewPart:
    from app.gui.compare.compare_controller import CompareControl

    return CompareControl(window)


def _map(window: WorkspaceServices) -> ViewPart:
    from app.gui.map.map_controller import MapControl

    return MapControl(window)


def _duplicates(window: WorkspaceServices) -> ViewPart:
    from app.gui.duplicates.duplicates_control import DuplicatesControl

    return DuplicatesControl(window)


def _lab(window: WorkspaceServices) -> ViewPart:
    from app.gui.lab.lab_controller import LabControl

    return LabControl(window)


def _indexes(window: WorkspaceServices) -> ViewPart:
    from app.gui.indexes.indexes_page import IndexesControl

    return IndexesControl(window)


def _new_index(window: WorkspaceServices) -> ViewPart:
    from app.gui.indexes.indexes_page import NewIndexControl

    return NewIndexControl(window)


def _problems(window: WorkspaceServices) -> ViewPart:
    from app.gui.library.problems_page import ProblemsControl

    return ProblemsControl(window)


def _settings(window: WorkspaceServices) -> ViewPart:
    from app.gui.settings.settings_page import SettingsControl

    return SettingsControl(window)


VIEW_MAKERS: Final[Mapping[str, Callable[[WorkspaceServices], ViewPart]]] = {
    "duplicates": _duplicates,
    "map": _map,
    "learn": _learn,
    "compare": _compare,
    "lab": _lab,
    "indexes": _indexes,
    "new index": _new_index,
    "problems": _problems,
    "settings": _settings,
}
