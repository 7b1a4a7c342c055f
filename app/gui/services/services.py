"""The services of a workspace are all that its views know of it.

Among them: the state that views share, the history of views and searches, and the list of the indexes, read again
after every change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Signal

from app.gui.process.jobs import ChangeQueue, Jobs
from app.gui.process.open_library import OpenLibrary
from core.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu, QWidget

    from app.compare.columns import ComparisonColumn
    from app.gui.photo_grid.photo_grid import PhotoGrid
    from app.gui.process.jobs import ChangeQueue, Jobs
    from app.gui.process.open_library import OpenLibrary
    from app.gui.services.dropped_files import InputHandler
    from app.gui.services.long_work import DuplicateComparison, LongWork
    from app.gui.services.photograph_actions import PhotographActions
    from app.gui.services.status_line import StatusLine, UndoHistory
    from app.gui.side_panel.side_panel import SidePanel
    from app.gui.viewer.side_by_side import SideBySideControl
    from app.gui.viewer.viewer_control import ViewerControl
    from app.indexes.index_results import IndexListResult
    from app.library.browsing import LibraryCounts
    from app.search.search_query import SearchQuery


AUTOMATIC = "Automatic"
"""The index that every library has."""


class SharedState(QObject):
    """State that one view sets and others read."""

    query_changed = Signal()
    """The query of the search view has changed."""
    index_chosen = Signal(str)
    """Name of the index that is searched from now on."""
    narrowed = Signal(dict)
    """Only photographs that pass these filters are searched."""
    counted = Signal(object)
    """The numbers of photographs, problems and pending photographs of the library."""
    marks_changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.index = AUTOMATIC
        """The name of the index that is searched."""
        self.replaced_index = ""
        """The chosen index, while another one replaces it."""
        self.query: SearchQuery | None = None
        """The query of the search view."""
        self.filters: dict[str, str] = {}
        self.photographs: int | None = None
        """The numbers of the library's photographs; None until counted."""

    @property
    def chosen_index(self) -> str:
        """Return the name of the chosen index, which another one may replace for now."""
        return self.replaced_index or self.index

    def narrow(self, filters: dict[str, str]) -> None:
        """Set the filters."""
        self.filters = filters
        self.narrowed.emit(filters)

    def count(self, counts: LibraryCounts) -> None:
        """Set the numbers of photographs."""
        self.photographs = counts.listed
        self.counted.emit(counts)

    def set_query(self, query: SearchQuery | None) -> None:
        """Set the query."""
        self.query = query
        self.query_changed.emit()


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


class IndexListing(QObject):
    """The list of the indexes, which can be renamed and deleted."""

    listed = Signal(object)
    """The `IndexListResult`."""

    def __init__(self, opened: OpenLibrary, changes: ChangeQueue, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._changes = opened, changes
        self._listing = jobs.latest()
        self.result: IndexListResult | None = None
        """The last list; None until it is read."""

    def names(self) -> list[str]:
        """Return the names of all indexes."""
        return [] if self.result is None else [one.name for one in self.result.indexes]

    def words(self) -> dict[str, str]:
        """Return what each index compares, in plain words."""
        from app.gui.forms.parameter_controls import told
        from app.methods.catalogue import plain_words

        return (
            {} if self.result is None else {one.name: told(plain_words(one.descriptor)) for one in self.result.indexes}
        )

    def refresh(self) -> None:
        """Read the list again."""
        opened = self._opened

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes

            return list_indexes(opened.library)

        self._listing.begin(work).then(self._on_listed)

    def rename(self, old: str, new: str) -> None:
        """Rename an index."""
        opened = self._opened
        self.delete_put_away(new)

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes, rename_index

            rename_index(opened.library, old, new)
            return list_indexes(opened.library)

        self._changes.do(work, self._on_listed)

    def put_away(self, name: str) -> None:
        """Hide an index, which is deleted when the library is closed; until then that can be undone."""
        self._opened.put_away.add(name)
        self.refresh()

    def bring_back(self, name: str) -> None:
        """Show a hidden index again."""
        self._opened.put_away.discard(name)
        self.refresh()

    def delete_put_away(self, name: str) -> None:
        """Delete a hidden index now, since another one needs its name."""
        opened = self._opened
        if name not in opened.put_away:
            return
        opened.put_away.discard(name)

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import delete_index

            return delete_index(opened.library, name)

        self._changes.do(work, self._on_listed)

    def _on_listed(self, result: IndexListResult) -> None:
        left = [one for one in result.indexes if one.name not in self._opened.put_away]
        self.result = result.model_copy(update={"indexes": left})
        self.listed.emit(self.result)


class WorkspaceServices(Protocol):
    """The interface of a workspace for its views.

    Attributes
    ----------
    opened : OpenLibrary
        The library.
    widget : QWidget
        Parent of dialogs and controllers.
    jobs, changes : Jobs, ChangeQueue
        Jobs on other threads; the queue of changes.
    adding : LongWork
        The queue of long work, shown in the status line.
    shared : SharedState
        The query and the searched index.
    """

    opened: OpenLibrary
    widget: QWidget
    jobs: Jobs
    changes: ChangeQueue
    adding: LongWork
    status: StatusLine
    undoing: UndoHistory
    shared: SharedState
    history: ViewHistory
    indexes: IndexListing
    side: SidePanel
    taking: InputHandler
    viewing: ViewerControl
    actions_: PhotographActions
    comparing_new: DuplicateComparison
    beside: SideBySideControl

    def view(self) -> str:
        """Return the name of the visible view."""

    def show_view(self, name: str) -> None:
        """Show a view, by its name."""

    def leave(self) -> None:
        """Go one step back."""

    def show_side(self, shown: bool) -> None:
        """Show folders and filters, or hide them."""

    def show_guide(self, page: str = "") -> None:
        """Show a page of the guide, by default the one about the visible view."""

    def new_index(self) -> None:
        """Show the form of a new index."""

    def choose_library(self) -> None:
        """Ask for another library to show."""

    def choose_server(self) -> None:
        """Ask for a library on a server to show."""

    def renew(self) -> None:
        """Make the window anew in the preferred language and text size."""

    def serve(self, grid: PhotoGrid) -> None:
        """Connect a grid to the actions that all grids have: search, view, menu, drag."""

    def show_menu(self, photograph_id: int, place: QPoint, own: Sequence[QAction | QMenu | None] = ()) -> None:
        """Show the menu of a photograph, first what the view does with it; None is a separator."""

    def search_with(self, pictures: Sequence[Path | int | bytes]) -> None:
        """Search with pictures, in the search view."""

    def search(self, query: SearchQuery, index: str) -> None:
        """Search with a query in an index, in the search view."""

    def compare_with(self, pictures: Sequence[Path | int | bytes]) -> None:
        """Search with pictures in several indexes, side by side."""

    def compare_columns(self, columns: Sequence[ComparisonColumn], asked: int) -> None:
        """Show these columns in the comparison, and search with a photograph where there is no query yet."""

    def show_on_map(self, ids: list[int]) -> None:
        """Show photographs on the map."""

    def query_photographs(self) -> list[int]:
        """Return the query photographs of the view."""

    def look_side_by_side(self, ids: Sequence[int]) -> None:
        """Show two to four photographs side by side; the others are laid over the first."""

    def remove(self, ids: Sequence[int]) -> None:
        """Move photographs to the trash, if the person agrees to the list."""

    def mark_alike(self, ids: list[int], similar: bool) -> None:
        """Mark photographs as alike, or two of them as different."""

    def explore(self, photograph_id: int) -> None:
        """Open the explorer of the Lab, with a photograph as the query."""

    def show_in_library(self, ids: tuple[int, ...]) -> None:
        """Show only these photographs in the library."""

    def current_in_library(self) -> int:
        """Return the current photograph of the library, or -1."""

    def answer_by(self, index: str) -> None:
        """Search by an index from now on."""


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
