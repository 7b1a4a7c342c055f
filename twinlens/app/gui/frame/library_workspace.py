"""The workspace of a library with all its views and their controllers, made when it opens and dropped with it.

The side panel stands beside the library, and beside results where there is room. Modules that late views need are
imported while the window is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView

from twinlens.app.gui.actions.action import is_withheld
from twinlens.app.gui.compare.compare_controller import CompareControl
from twinlens.app.gui.frame import failures
from twinlens.app.gui.frame.rail import VIEW, VIEWS, Rail, View
from twinlens.app.gui.indexes.indexes_page import IndexSuggestions
from twinlens.app.gui.learn.learn_controller import LearnControl
from twinlens.app.gui.library.album_control import AlbumControl
from twinlens.app.gui.library.library_controller import LibraryControl
from twinlens.app.gui.look.page_parts import OverWindow, PromptBar, column_of, row_of
from twinlens.app.gui.process.jobs import Failure, outlived
from twinlens.app.gui.process.open_library import OpenLibrary, close_library
from twinlens.app.gui.process.outside_files import reveal_path
from twinlens.app.gui.search.search_page import SearchPage
from twinlens.app.gui.services.adding_photos import AdditionOffer
from twinlens.app.gui.services.long_work import ForgottenFolders
from twinlens.app.gui.services.noting import Noting
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.workspace import ViewPart, Workspace
from twinlens.app.language.texts import _, _n, current_language
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.duplicates.disposal import Disposal
    from twinlens.app.gui.services.folder_watching import FolderWatching
    from twinlens.app.gui.viewer.crop import Region
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_status import LibraryCounts


def _make_view(view: View, window: Workspace) -> ViewPart:
    """Import and make the part of a view."""
    module, _, part = view.maker.partition(":")
    made: ViewPart = getattr(import_module(module), part)(window)
    return made


_IDLE_MS = 3_000  # a window that is only opened and closed needs none of this


class LibraryWorkspace(Workspace):
    """The workspace of an open library with its views, and what is done between them."""

    def __init__(self, opened: OpenLibrary, rail: Rail, status: StatusLine) -> None:
        super().__init__(opened, status)
        self.rail = rail
        self._disposal: Disposal | None = None
        self._watching: FolderWatching | None = None  # from when the window has settled
        self.photograph_actions: list[QAction] = []
        """Actions of views where photographs are chosen; elsewhere the view has their keys."""
        self._asking, self.suggestion = PromptBar(), PromptBar()
        self.side_place = SidePanelPlace(self)
        self._lay_out()
        self.browsing = LibraryControl(self)
        self.albums = AlbumControl(self, self.browsing.kept_filters)
        self.suggesting = IndexSuggestions(self.suggestion, self.work, opened, self.jobs, self)
        self.forgetting = ForgottenFolders(self.work, self.undoing, opened, self.jobs, self)
        self.noting = Noting(opened, self.changes, self.undoing, self)
        self.views.add("library", lambda: self.browsing)
        for view in VIEWS:
            if view.maker:
                self.views.add(view.name, partial(_make_view, view, self))
        self._connect()
        kept = opened.state.get("window")
        self._kept: dict[str, Any] = kept if isinstance(kept, dict) else {}  # the view and filters of the last time
        if self._kept.get("view") == "search":
            QTimer.singleShot(0, self, self.make_search)
        self.show_view("library")
        self.indexes.refresh()

    def _lay_out(self) -> None:
        right = column_of(self._asking, self.suggestion, (self.views, 1), gap=0)
        row_of(self.side, (right, 1), on=self, gap=0, margins=0)

    def _connect(self) -> None:
        adding, notice = self.adding, self._asking
        self.jobs.failed.connect(self._on_failure)
        self.rail.view_wanted.connect(self.show_view)
        self.status.guide_wanted.connect(self.show_guide)
        self.status.offer_guide()
        self.status.continue_wanted.connect(self.show_focus)  # its button goes, and the next one is Pause
        for rows in self.side.findChildren(QAbstractItemView):
            rows.installEventFilter(self)
        self.taking.folders_given.connect(adding.add)
        self.taking.pictures_given.connect(self._on_pictures_given)
        self.taking.told.connect(self.status.show_message)
        self.actions_.told.connect(self.status.show_message)
        self.albums.changed.connect(self.browsing.reload)
        self.noting.changed.connect(self._on_noted)
        self.viewing.viewer.noted.connect(lambda what: self.note(what, [self.viewing.photograph()]))
        self.viewing.search_wanted.connect(lambda one: self.searching.take_pictures([one]))
        self.viewing.part_wanted.connect(self._on_part_wanted)
        self.side.alike_wanted.connect(self._on_folder_alike)
        self.shared.alike_wanted.connect(self._on_alike)
        self.side.albums.slideshow_wanted.connect(self.begin_album_slideshow)
        self.side.add_wanted.connect(self.taking.choose_folder)
        self.side.rescan_wanted.connect(adding.rescan)
        self.side.reveal_wanted.connect(lambda folder: reveal_path(folder, self.status.show_message))
        self.side.forget_wanted.connect(self.forgetting.forget)
        self.side.changed.connect(self.side_place.place)
        self.work.working.connect(self.watch.rest)
        self.work.changed.connect(self._on_changed)
        adding.asks.connect(self._on_addition_asks)
        notice.agreed.connect(adding.agree)
        notice.declined.connect(adding.decline)
        self.watch.changed.connect(self._on_changed_outside)
        self.watch.folders_changed.connect(self._on_folders_changed)
        self.preferences_changed.connect(self.follow_preferences)
        self.watch.lost.connect(self.lost)
        self.changes.failed.connect(self._on_failure)
        self.panel_wanted.connect(self.side_place.show)
        self.left.connect(self.leave)
        self.view_shown.connect(self._on_view)
        self.removal_wanted.connect(self.remove)
        self.viewing.removal_wanted.connect(self.remove)
        self.shared.counted.connect(self._on_counted)
        self.shared.query_changed.connect(self.side_place.place)

    def settle(self) -> None:
        """Do the postponed work of a new window in two turns: make the search, then begin what runs beside it."""
        self.make_search()
        QTimer.singleShot(0, self, self._begin_postponed)

    def make_search(self) -> None:
        """Make the search before it is needed: a turn that makes and shows it would be long."""
        self.views.get("search", SearchPage)

    def _begin_postponed(self) -> None:
        """Compile the scan, and look for changes."""
        from twinlens.app.machine import preferences
        from twinlens.core.compilation import compilation

        opened = self.opened
        self.jobs.begin(lambda __: opened.searcher).then(lambda __: compilation.prepare())
        QTimer.singleShot(_IDLE_MS, self, self._import_ahead)
        self.jobs.begin(partial(_settle_moves, opened.library)).failed(lambda __: None)
        preferred = preferences.load()
        if preferred.watch_folders and opened.library.store.writable:
            self._watch_folders()  # before the scan, so that nothing is missed between them
        if preferred.rescan_on_start:
            self.adding.rescan(quietly=True)

    def _watch_folders(self) -> None:
        from twinlens.app.gui.services.folder_watching import FolderWatching

        if self._watching is None:
            self._watching = FolderWatching(self.opened, self.work, self.jobs, self)
            self._watching.added.connect(lambda result: self.adding.tell(result, quietly=True))
        self._watching.begin()

    def follow_preferences(self) -> None:
        """Watch folders, or do so no more, as the person prefers now."""
        from twinlens.app.machine import preferences

        watched = self._watching is not None and self._watching.is_on()
        if preferences.load().watch_folders and not watched and self.opened.library.store.writable:
            self._watch_folders()
        elif self._watching is not None and watched and not preferences.load().watch_folders:
            self._watching.stop()

    def _on_folders_changed(self) -> None:
        """Watch the folders that are there now: one was added or forgotten, or a disk came or went."""
        if self._watching is not None and self._watching.is_on():
            self._watching.begin()

    def _import_ahead(self) -> None:
        self.jobs.begin(import_ahead).then(lambda __: self.imported.emit())

    # --- views -------------------------------------------------------------------------------------------------------

    @property
    def searching(self) -> SearchPage:
        """Return the controller of the search, made when first needed."""
        return self.views.get("search", SearchPage)

    @property
    def comparing(self) -> CompareControl:
        """Return the controller of the comparison, made when first needed."""
        return self.views.get("compare", CompareControl)

    @property
    def learning(self) -> LearnControl:
        """Return the controller of Learn, made when first needed."""
        return self.views.get("learn", LearnControl)

    def _on_view(self, name: str) -> None:
        self.rail.show_view(name)
        self.side_place.place()
        for action in self.photograph_actions:
            action.setEnabled(VIEW[name].chooses)

    def leave(self) -> None:
        """Go one step back: leave the search, return to the library, select nothing there, clear the typed text."""
        if self.viewing.is_open():
            self.viewing.close()
        elif self._view == "search" and self.searching.colours.is_open():
            self.searching.colours.close()
        elif self._view != "library":
            self.show_view("library")
        elif self.browsing.grid.selection.count > 1:
            self.browsing.grid.clear_selection()
        elif self.browsing.view.is_narrowed():
            self.browsing.view.clear_filter()
        elif self.window().isFullScreen():
            self.toggle_full_screen()

    def show_focus(self) -> None:
        """Focus the main content of the view."""
        self.views.part(self._view).focus()

    def take_letter(self, event: QKeyEvent) -> bool:
        """Send a letter to the filter of the library while that is shown; return whether it took it."""
        return self._view == "library" and self.browsing.view.take_letter(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Take letters from the lists beside the library, which would go to the next row that begins so."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and not outlived(self):
            return self.take_letter(event)
        return super().eventFilter(watched, event)

    def toggle_side(self) -> None:
        """Show and focus folders and filters, or hide them."""
        self.side_place.toggle()

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        window = self.window()
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_guide(self, page: str = "") -> None:
        """Show a page of the guide, by default the one about the visible view."""
        from twinlens.app.gui.actions.declared_actions import every_action
        from twinlens.app.gui.guide.guide_window import GuideWindow
        from twinlens.app.guide import read_pages

        pages = read_pages(current_language())
        about = next((one.name for one in pages if self._view in one.views), pages[0].name)
        guide = self.findChild(GuideWindow)
        if guide is None:
            guide = GuideWindow(pages, [one for one in every_action() if not is_withheld(self, one)], self)
        guide.show_page(page or about)
        guide.show()
        guide.raise_()
        guide.activateWindow()

    def close_window(self) -> None:
        """Close the window."""
        self.window().close()

    # --- photographs -------------------------------------------------------------------------------------------------

    def compare_query(self) -> None:
        """Search with the whole present query in several indexes, side by side."""
        if self.searching.query is not None:
            self.comparing.ask(self.searching.query)

    def look_side_by_side(self, ids: Sequence[int]) -> None:
        """Show two to four photographs side by side; the others are laid over the first.

        A single one is shown over its query, or beside the other one of its pair.
        """
        wanted = ids if len(ids) > 1 else list(dict.fromkeys([*self.views.query_photographs(self._view), *ids]))
        if len(wanted) > 1:
            self.beside.show(wanted)
        else:
            self.status.show_message(_("Select two to four photos to see them side by side."))

    def begin_slideshow(self, ids: Sequence[int]) -> None:
        """Begin a slideshow of selected photographs; with fewer than two, of all that the view shows, from it on."""
        part = self.views.choosing(self._view)
        if part is not None and ids:
            chosen = part.current() if part.current() in ids else ids[0]
            self.viewing.begin_slideshow(part.looked_through(), ids, chosen)

    def noted_photographs(self) -> list[int]:
        """Return the photographs that a key notes something of: that in the viewer, or the selected ones."""
        return [self.viewing.photograph()] if self.viewing.is_open() else self.chosen()

    def note(self, what: str, ids: Sequence[int]) -> None:
        """Note something of photographs: "favourite", "pick", "reject", or the number of stars."""
        if what == "favourite":
            self.noting.favour(ids)
        elif what in ("pick", "reject"):
            self.noting.pick(ids, 1 if what == "pick" else -1)
        else:
            self.noting.rate(ids, int(what))

    def _on_noted(self) -> None:
        self.seen.forget()
        self.browsing.follow_notes()
        self.viewing.follow_notes()

    def begin_album_slideshow(self) -> None:
        """Begin a slideshow of what is listed, as with a chosen album."""
        grid = self.browsing.grid
        if len(grid.ids()):
            self.viewing.begin_slideshow(grid, [], int(grid.ids()[0]))

    def ask_with_colours(self) -> None:
        """Open the panel of colours from any view, or close it."""
        if self._view == "search" and not self.viewing.is_open():
            self.searching.colours.toggle()
        else:
            self.show_view("search")
            self.searching.colours.open()

    def add_colours(self) -> None:
        """Open the panel of colours to add them to the query."""
        self.show_view("search")
        self.searching.colours.add()

    def ask_with_words(self) -> None:
        """Open the field for words from any view."""
        self.searching.words.open()

    def remove(self, ids: Sequence[int]) -> None:
        """Move photographs to the trash, if the person agrees to the list."""
        from twinlens.app.gui.duplicates.disposal import Disposal

        if self._disposal is None:
            self._disposal = Disposal(self, self, self.views.refresh)
        if ids:
            self._disposal.remove(ids)

    def _on_pictures_given(self, pictures: Sequence[Path | bytes]) -> None:
        """Search with pictures from outside: in columns where these are shown, else in one index."""
        asks = self.comparing if self._view == "compare" else self.searching
        asks.take_pictures(pictures)

    def _on_part_wanted(self, one: int, region: Region) -> None:
        self.searching.search_part(one, region)

    def _on_folder_alike(self, folder: str) -> None:
        self.searching.marks.mark_folder(folder)

    def _on_alike(self, ids: list[int], similar: bool) -> None:
        self.searching.marks.mark_selection(ids, similar)

    # --- events ------------------------------------------------------------------------------------------------------

    def _on_addition_asks(self, offer: AdditionOffer) -> None:
        if not self.browsing.is_empty():  # whose page offers it itself
            self._asking.ask(offer.sentence(), _("Add"), _("Not now"))

    def _on_counted(self, counts: LibraryCounts) -> None:
        self.rail.show_problems(counts.problems)
        self.side_place.place()
        words = _("{passing} photos", passing=counts.listed)
        address = self.opened.address
        if not address.is_file:
            words = f"{address.title} · {words}"
            if not self.opened.library.store.writable:
                words += " · " + _("for reading only")
        if counts.problems:
            words += " · " + _n("{count} file could not be read", "{count} files could not be read", counts.problems)
        if counts.pending:
            words += " · " + _n("{count} still to be added", "{count} still to be added", counts.pending)
        if counts.to_prepare:
            words += " · " + _n(
                "{count} to be prepared for finding copies",
                "{count} to be prepared for finding copies",
                counts.to_prepare,
            )
        if counts.cluster is not None:
            words += " · " + _("the cluster {address} reads photos", address=counts.cluster.address)
        self.status.show_state(words, bool(counts.pending or counts.to_prepare) or self.adding.has_unfinished())

    def _on_changed(self) -> None:
        self.views.refresh()
        self.indexes.refresh()
        self.viewing.refresh()

    def _on_changed_outside(self) -> None:
        self._on_changed()
        self.browsing.reload()

    def _on_failure(self, failure: Failure) -> None:
        if failure.remedy is None:
            self.status.show_message(failure.words())
        else:
            remedy = failure.remedy
            act = partial(failures.REMEDY_ACTIONS[remedy.name], self)
            self.undoing.offer_action(failure.sentence, failures.remedy_label(remedy), act)

    def return_to_kept(self) -> None:
        """Return to the view and the filters with which the library was left, unless the person has gone elsewhere."""
        kept = self._kept
        if self._view != "library":
            return
        filters, folder, view = kept.get("filters"), kept.get("folder"), kept.get("view")
        pairs = filters.items() if isinstance(filters, dict) else ()
        chosen = {name: value for name, value in pairs if isinstance(name, str) and isinstance(value, str)}
        if chosen or isinstance(folder, str):
            self.browsing.keep_place()
            self.side.choose(chosen, folder if isinstance(folder, str) else None)
        if view in [one.name for one in VIEWS if one.kept] and (view != "search" or self.searching.has_kept()):
            self.show_view(view)

    # --- closing -----------------------------------------------------------------------------------------------------

    def leave_library(self) -> Callable[[], None]:
        """Start no new work, and return the slow rest of closing: stop, save, close."""
        opened = self.opened
        window = {"view": self._view, "filters": self.side.filters(), "folder": self.side.folder()}
        state = self.views.state() | {"window": window}
        self._let_go()

        def rest() -> None:
            self.jobs.finish()
            self.changes.finish()
            close_library(opened, state)

        return rest

    def drop_library(self) -> Callable[[], None]:
        """Close a library whose file is gone, without writing to the file in its place."""
        self._let_go()

        def rest() -> None:
            self.jobs.finish()
            self.opened.library.close()

        return rest

    def _let_go(self) -> None:
        OverWindow.uncover_all(self)
        if self._watching is not None:
            self._watching.stop()
        self.jobs.leave()
        self.watch.stop()
        # The parts of the window serve the next library from now on, even while this one is being closed.
        self.rail.view_wanted.disconnect(self.show_view)
        self.status.guide_wanted.disconnect(self.show_guide)
        self.status.continue_wanted.disconnect(self.show_focus)
        self.work.leave()
        self.adding.leave()
        self.undoing.leave()

    # --- Qt's events -------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the side panel in a narrow window."""
        super().resizeEvent(event)
        if self._view:
            self.side_place.place()


def _settle_moves(library: Library, __: Progress) -> None:
    """Recover the moves of files that a killed program left unfinished."""
    from twinlens.app.disposal.move_log import settle_if_possible

    settle_if_possible(library)


_ROOMY = 1200  # in a narrower window, results have no room between two panels


class SidePanelPlace:
    """Shows or hides the side panel of a workspace."""

    def __init__(self, workspace: LibraryWorkspace) -> None:
        self._workspace = workspace
        self._by_columns = False  # columns need all the room
        self._wanted: bool | None = None  # choice of the person; None: shown where there is room
        self._takes_focus = True  # as when it was hidden last

    def show(self, shown: bool) -> None:
        """Show the panel beside library and search, or beside columns, or hide it."""
        if self._workspace.view() == "compare":
            self._by_columns = shown
        else:
            self._wanted = shown
        self.place()

    def toggle(self) -> None:
        """Show and focus the panel, or hide it; where it is hidden and shown again, the focus is where it was."""
        side = self._workspace.side
        if VIEW[self._workspace.view()].beside:
            if not side.isHidden():
                self._takes_focus = side.isAncestorOf(self._workspace.window().focusWidget() or self._workspace)
            self.show(side.isHidden())
            if not side.isHidden() and self._takes_focus:
                side.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def place(self) -> None:
        """Show the panel where it is wanted and there is room."""
        workspace, side, view = self._workspace, self._workspace.side, self._workspace.view()
        compares = view == "compare"
        asked = workspace.comparing.query if compares else workspace.searching.query if view == "search" else None
        here = (view == "library" or asked is not None) and not side.is_empty
        room = view == "library" or workspace.width() >= _ROOMY
        shown = here and (self._by_columns if compares else room if self._wanted is None else self._wanted)
        if not shown and side.isAncestorOf(workspace.window().focusWidget() or workspace):
            workspace.views.part(view).focus()
        side.setVisible(shown)
        side.stand_beside(view == "library")
        if compares:
            workspace.comparing.view.head.show_panel(shown)
        elif view == "search":
            workspace.searching.view.steps.show_panel(shown, side.narrows())


_SLOW = (
    "twinlens.app.gui.lab.lab_controller",
    "twinlens.app.gui.map.map_controller",
    "twinlens.app.lab.theory.theory",
    "twinlens.app.lab.explore.explorer",
    "twinlens.app.map.layout",
    "twinlens.app.gui.settings.settings_page",
)


def import_ahead(progress: Progress) -> None:
    """Import the modules of late views in a job, so that these views show at once."""
    for place, name in enumerate(_SLOW):
        progress(place, len(_SLOW), NOTHING)
        import_module(name)
