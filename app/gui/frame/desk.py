"""The workspace as its own keys and menus know it: its services, and the controllers of its views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.gui.frame.window import WorkspaceServices

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from app.gui.compare.controller import CompareControl
    from app.gui.frame.history import ViewHistory
    from app.gui.frame.views import Views
    from app.gui.library.controller import LibraryControl
    from app.gui.marks.controller import MarksControl
    from app.gui.search.controller import SearchControl


class WorkspaceCommands(WorkspaceServices, Protocol):
    """A workspace from inside."""

    views: Views
    history: ViewHistory
    browsing: LibraryControl
    searching: SearchControl
    marking: MarksControl

    @property
    def comparing(self) -> CompareControl:
        """The controller of the comparison, made when it is first needed."""

    @property
    def shown(self) -> SignalInstance:
        """The signal of the view shown now."""

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""

    def show_on_map(self, ids: list[int]) -> None:
        """Show where photographs lie on the map."""

    def compare_question(self) -> None:
        """Ask several indexes, side by side, what the search asks."""

    def ask_with_colours(self) -> None:
        """Open the panel of colours, or close it."""

    def add_colours(self) -> None:
        """Open the panel of colours for what is asked."""

    def toggle_side(self) -> None:
        """Show folders and filters, or hide them."""

    def toggle_full_screen(self) -> None:
        """Fill the screen with the window, or give it back the size it had."""

    def close_window(self) -> None:
        """Close the window."""
