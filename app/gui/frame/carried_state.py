"""State that a new window takes over from the one before: its view, searches, columns and filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.frame.history import HistoryPlace
    from app.gui.frame.workspace import Workspace
    from app.gui.search.search_jobs import WindowSearch
    from app.search.question import SearchQuery


@dataclass(frozen=True)
class SavedWindowState:
    """State of a window beyond what the library remembers.

    Attributes
    ----------
    view : str
    places : tuple
        The history.
    asked : Asked or None
        What is searched.
    compared : Question or None
        What columns are asked.
    filters : dict of str to str
    folder : str or None
    """

    view: str
    places: tuple[tuple[HistoryPlace, ...], HistoryPlace | None, tuple[HistoryPlace, ...]]
    asked: WindowSearch | None
    compared: SearchQuery | None
    filters: dict[str, str]
    folder: str | None

    @classmethod
    def of(cls, workspace: Workspace) -> SavedWindowState:
        """Look at a window."""
        return cls(
            workspace.view(),
            workspace.history.places(),
            workspace.searching.present(),
            workspace.comparing.question if workspace.views.made("compare") else None,
            workspace.side.filters(),
            workspace.side.folder(),
        )

    def bring(self, workspace: Workspace) -> None:
        """Bring it into another window, once its library is open and its indexes are known."""
        workspace.side.choose(self.filters, self.folder)
        if self.asked is not None:
            workspace.searching.return_to(self.asked)
        if self.compared is not None:
            workspace.comparing.ask(self.compared)
        workspace.show_view(self.view)
        workspace.history.restore(self.places)
