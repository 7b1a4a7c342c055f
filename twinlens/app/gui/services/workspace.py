"""The workspace of an open library: what its views share, and the views themselves, each by its name.

A view knows the workspace and the views below it, and no other. What only the frame does, which knows all views, is
asked of it by a signal of the workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from twinlens.app.gui.look.page_parts import OverWindow
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.gui.pictures.photograph import SeenPhotographs
from twinlens.app.gui.process.jobs import ChangeQueue, Jobs
from twinlens.app.gui.process.open_library import LibraryWatch, OpenLibrary
from twinlens.app.gui.services.adding_photos import AddingPhotos
from twinlens.app.gui.services.dropped_files import InputHandler
from twinlens.app.gui.services.long_work import DuplicateComparison, IndexMaking
from twinlens.app.gui.services.photograph_actions import PhotographActions
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.undo_history import UndoHistory
from twinlens.app.gui.services.work_queue import WorkQueue
from twinlens.app.gui.side_panel.side_panel import SidePanel
from twinlens.app.gui.viewer.side_by_side import SideBySideControl
from twinlens.app.gui.viewer.viewer_control import ViewerControl
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu

    from twinlens.app.gui.viewer.viewer_control import PhotographSequence
    from twinlens.app.indexes.index_results import IndexListResult
    from twinlens.app.library.library_status import LibraryCounts
    from twinlens.app.search.search_query import SearchQuery

AnyPart = TypeVar("AnyPart")

AUTOMATIC = "Automatic"
"""The index that every library has."""


class Workspace(QWidget):
    """The workspace of an open library.

    Attributes
    ----------
    jobs, changes : Jobs, ChangeQueue
        Jobs on other threads; the queue of changes.
    work : WorkQueue
        The queue of long work, shown in the status line.
    adding, making : AddingPhotos, IndexMaking
        Long work that several views begin.
    shared : SharedState
        The query and the searched index.
    """

    lost = Signal(object)
    """The library's file is gone: the `Failure`."""
    renewal_wanted = Signal()
    """The window is to be made anew, in another language or text size."""
    preferences_changed = Signal()
    """The person prefers something else from now on."""
    imported = Signal()
    """Everything slow is imported."""
    library_wanted = Signal(object)
    """Another library, by its address, is to be shown."""
    restore_wanted = Signal(object)
    """A backup, by its path, is to be put in the place of the library."""
    server_wanted = Signal()
    """A library on a server is to be chosen."""
    menu_wanted = Signal(int, QPoint, object)
    """The menu of a photograph is to be shown, at a place of the screen."""
    removal_wanted = Signal(list)
    """Photographs, by their ids, are to be moved to the trash."""
    panel_wanted = Signal(bool)
    """Folders and filters are to be shown, or hidden."""
    left = Signal()
    """The window is to go one step back."""
    view_shown = Signal(str)
    """A view is shown."""

    def __init__(self, opened: OpenLibrary, status: StatusLine) -> None:
        super().__init__()
        self.opened, self.status = opened, status
        self._view = ""
        self.jobs = Jobs(self)
        self.undoing, self.changes = UndoHistory(status, self), ChangeQueue(self.jobs, self)
        kept = opened.state.get("search")
        self.shared = SharedState(self, str((kept if isinstance(kept, dict) else {}).get("index") or AUTOMATIC))
        self.history = ViewHistory(self)
        self.watch = LibraryWatch(opened, self.jobs, self)
        self.work = WorkQueue(status, self.jobs, self)
        self.adding = AddingPhotos(self.work, status, opened, self.jobs, self)
        self.making = IndexMaking(self.work, opened, self.jobs, self.undoing, self)
        self.comparing_new = DuplicateComparison(opened, self.work, self.jobs, self)
        self.indexes = IndexListing(opened, self.changes, self.jobs, self)
        self.taking, self.actions_ = InputHandler(self), PhotographActions(self, opened, self.jobs)
        self.side, self.views = SidePanel(), Views(opened.state)
        self.seen = SeenPhotographs(opened, self.jobs, self)
        self.viewing = ViewerControl(self.views, opened, self.jobs)
        self.history.wanted.connect(self._on_place)
        self.indexes.listed.connect(self.shared.keep_to)
        self.changes.written.connect(self.shared.marks_changed)

    @cached_property
    def beside(self) -> SideBySideControl:
        """Return the controller of photographs side by side, made when first needed."""
        made = SideBySideControl(self.views, self.opened, self.jobs)
        made.removal_wanted.connect(self.removal_wanted)
        return made

    def view(self) -> str:
        """Return the name of the visible view."""
        return self._view

    def show_view(self, name: str) -> None:
        """Show a view, by its name."""
        self._view = name
        OverWindow.uncover_all(self)
        self.views.show_view(name)
        part = self.views.part(name)
        self.history.visit(name, part.present() if isinstance(part, SearchingView) else None)
        self.view_shown.emit(name)

    def _on_place(self, place: HistoryPlace) -> None:
        part = self.views.part(place.view)
        if isinstance(part, SearchingView) and place.asked is not None:
            part.return_to(place.asked)
        self.show_view(place.view)

    def show_photographs(self, view: str, ids: Sequence[int]) -> None:
        """Show photographs in a view, in its own way: as a query, on the map, or alone in the library."""
        if ids:
            part = self.views.made(view) or self.views.part(view)
            assert isinstance(part, TakesPictures)
            part.take_pictures(ids)

    def serve(self, grid: PhotoGrid) -> None:
        """Connect a grid to the actions that all grids have: search, view, menu, drag."""
        grid.activated.connect(self._on_activated)
        grid.looked_at.connect(lambda one: self.viewing.show(grid, one))
        grid.menu_wanted.connect(self.show_menu)
        grid.paths_of = self.actions_.paths
        grid.signs_of = self.seen.signs
        self.seen.changed.connect(grid.repaint_soon)

    def _on_activated(self, photograph_id: int) -> None:
        chosen = self.chosen()
        several = self._view == "library" and photograph_id in chosen and len(chosen) > 1
        self.show_photographs("search", chosen if several else [photograph_id])

    def show_menu(self, photograph_id: int, place: QPoint, own: Sequence[QAction | QMenu | None] = ()) -> None:
        """Show the menu of a photograph, first what the view does with it; None is a separator."""
        self.menu_wanted.emit(photograph_id, place, own)

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""
        part = self.views.choosing(self._view)
        return [] if part is None else part.chosen()

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""
        part = self.views.choosing(self._view)
        return -1 if part is None else part.current()


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
        from twinlens.app.gui.forms.parameter_controls import told
        from twinlens.app.methods.catalogue import plain_words

        return (
            {} if self.result is None else {one.name: told(plain_words(one.descriptor)) for one in self.result.indexes}
        )

    def refresh(self) -> None:
        """Read the list again."""
        opened = self._opened

        def work(__: Progress) -> IndexListResult:
            from twinlens.app.indexes.indexes import list_indexes

            return list_indexes(opened.library)

        self._listing.begin(work).then(self._on_listed)

    def rename(self, old: str, new: str) -> None:
        """Rename an index."""
        opened = self._opened
        self.delete_put_away(new)

        def work(__: Progress) -> IndexListResult:
            from twinlens.app.indexes.indexes import list_indexes, rename_index

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
            from twinlens.app.indexes.indexes import delete_index

            return delete_index(opened.library, name)

        self._changes.do(work, self._on_listed)

    def _on_listed(self, result: IndexListResult) -> None:
        left = [one for one in result.indexes if one.name not in self._opened.put_away]
        self.result = result.model_copy(update={"indexes": left})
        self.listed.emit(self.result)


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
    alike_wanted = Signal(object, bool)
    """Photographs are to be marked as alike, or two of them as different."""

    def __init__(self, parent: QObject, index: str) -> None:
        super().__init__(parent)
        self.index = index
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

    def keep_to(self, indexes: IndexListResult) -> None:
        """Search the first index if the searched one is gone."""
        names = [one.name for one in indexes.indexes]
        if self.index not in names and names:
            self.index, self.replaced_index = names[0], ""

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


class Views(QStackedWidget):
    """The stack of views: makes each once, shows one, and refreshes hidden ones when they are shown.

    Parameters
    ----------
    remembered : dict
        The saved state; that of a view which is never made is kept.
    """

    part_made = Signal(str)
    """The view of this name is made."""

    def __init__(self, remembered: dict[str, object]) -> None:
        super().__init__()
        self._remembered = remembered
        self._make: dict[str, Callable[[], ViewPart]] = {}
        self._parts: dict[str, ViewPart] = {}
        self._stale: set[str] = set()

    def add(self, name: str, make: Callable[[], ViewPart]) -> None:
        """Add a view by name, with the function that makes it and does its slow imports."""
        self._make[name] = make

    def made(self, name: str) -> ViewPart | None:
        """Return the part of a name if it was made."""
        return self._parts.get(name)

    def part(self, name: str) -> ViewPart:
        """Return the part of a name, made now if necessary."""
        if name not in self._parts:
            made = self._parts[name] = self._make[name]()
            self.addWidget(made.view)
            self.part_made.emit(name)
        elif name in self._stale:
            self._parts[name].refresh()
        self._stale.discard(name)
        return self._parts[name]

    def get(self, name: str, kind: type[AnyPart]) -> AnyPart:
        """Return the part of a name, of the class that the caller knows."""
        part = self._parts.get(name) or self.part(name)
        assert isinstance(part, kind)
        return part

    def choosing(self, name: str) -> ShowsPhotographs | None:
        """Return the part of a name if it was made and shows photographs."""
        part = self._parts.get(name)
        return part if isinstance(part, ShowsPhotographs) else None

    def query_photographs(self, name: str) -> list[int]:
        """Return the query photographs of the part of a name; none without a query."""
        part = self._parts.get(name)
        return part.query_photographs() if isinstance(part, SearchesByPhotographs) else []

    def show_view(self, name: str) -> None:
        """Show a view, and focus its main content."""
        part = self.part(name)
        self.setCurrentWidget(part.view)
        part.focus()

    def refresh(self) -> None:
        """Refresh the visible view now, and the others when they are shown."""
        for name, part in list(self._parts.items()):
            if part.view.isVisible():
                part.refresh()
            else:
                self._stale.add(name)

    def state(self) -> dict[str, Any]:
        """Return the states of all views."""
        kept = {name: self._remembered[name] for name in self._make if name in self._remembered}
        return kept | {name: state for name, part in self._parts.items() if (state := part.state())}


class ViewPart(Protocol):
    """A view with its controller."""

    @property
    def view(self) -> QWidget:
        """Return the widget."""

    def focus(self) -> None:
        """Focus the main content."""

    def refresh(self) -> None:
        """Show the present library; called while the view is visible, or when it becomes so again."""

    def state(self) -> dict[str, Any]:
        """Return the state to save under the part's name in the library."""


@runtime_checkable
class ShowsPhotographs(ViewPart, Protocol):
    """A view in which photographs are selected, and can be shown large."""

    def chosen(self) -> list[int]:
        """Return the selected photographs, or the current one."""

    def current(self) -> int:
        """Return the current photograph, or -1."""

    def looked_through(self) -> PhotographSequence:
        """Return the photographs through which the viewer steps."""


@runtime_checkable
class SearchesByPhotographs(Protocol):
    """A view that shows photographs because of query photographs."""

    def query_photographs(self) -> list[int]:
        """Return the query photographs, beside which a selected one can be compared."""


@runtime_checkable
class TakesPictures(Protocol):
    """A view that shows photographs, or what it finds by them."""

    def take_pictures(self, pictures: Sequence[int]) -> None:
        """Show itself with these photographs."""


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


class HistoryPlace(NamedTuple):
    """A place of the history: a view, and its search, or None without one."""

    view: str
    asked: object = None
