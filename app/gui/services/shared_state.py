"""State shared by the views of a workspace: the query, its index, the filters, and the number of photographs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.search.window_search import IndexChoice

if TYPE_CHECKING:
    from app.library.browsing import LibraryCounts
    from app.search.search_query import SearchQuery


class SharedState(QObject):
    """Told by the view that knows, read by the others."""

    question_changed = Signal()
    """Something else is asked in the search view."""
    index_chosen = Signal(str)
    """This index is searched from now on."""
    narrowed = Signal(dict)
    """Only photographs that pass these filters may answer."""
    counted = Signal(object)
    """How many photographs the library has, how many problems, and how many are still to be read."""
    marks_changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.choice = IndexChoice()
        self.question: SearchQuery | None = None
        """What the search view asks."""
        self.filters: dict[str, str] = {}
        self.photographs: int | None = None
        """How many the library has; None until they are counted."""

    @property
    def index(self) -> str:
        """Name of the index that is searched."""
        return self.choice.now

    @property
    def chosen_index(self) -> str:
        """Name of the chosen index, which another one may replace."""
        return self.choice.chosen

    def narrow(self, filters: dict[str, str]) -> None:
        """Set the filters."""
        self.filters = filters
        self.narrowed.emit(filters)

    def count(self, counts: LibraryCounts) -> None:
        """Set the number of photographs."""
        self.photographs = counts.listed
        self.counted.emit(counts)

    def ask(self, question: SearchQuery | None) -> None:
        """Set the query."""
        self.question = question
        self.question_changed.emit()
