"""Controller of the library view and its side panel: the listing, the folders, and details of a photograph."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from app.gui.frame.window import WorkspaceServices
from app.gui.library.captions import Captions
from app.gui.library.listing_rows import ListingRows
from app.gui.library.view import LibraryView
from app.gui.photo_grid.grid_part import GridControl
from app.gui.pictures.picture_feed import PictureFeed
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.browsing import FolderNode, LibraryCounts, Photograph, PhotoListing

_LEAST_PAUSE_S = 1.5
_SHARE = 5  # while photographs are added, looking at them takes a fifth of the time at most


@dataclass(frozen=True)
class _Around:
    """The panels beside the grid."""

    folders: list[FolderNode]
    cameras: list[tuple[str, int]]
    years: list[str]
    counts: LibraryCounts


class LibraryControl(GridControl, QObject):
    """Lists, narrows down and keeps up with what is added."""

    def __init__(self, window: WorkspaceServices) -> None:
        super().__init__(window.widget)
        view = self.view = LibraryView(window.opened.address.is_file)
        self.grid, side = view.grid, window.side
        self._opened, self._jobs, self._side = window.opened, window.jobs, side
        self._listing = self._jobs.latest()
        self._around = self._jobs.latest()
        self._facts = self._jobs.latest()
        self._show_view, self._shared = window.show_view, window.shared
        self._order = "date"
        self._only: tuple[int, ...] | None = None
        self._total = 0
        self._folders = 0
        self._wanted_current = -1
        self._took = 0.0
        self._growth = QTimer(self)
        self._growth.timeout.connect(self._on_growth)
        view.add_wanted.connect(window.taking.choose_folder)
        view.continue_wanted.connect(window.adding.go_on)
        view.filter_typed.connect(lambda: self.show(keep=False))
        view.order_chosen.connect(self.order_by)
        view.cleared.connect(side.clear)
        view.only_cleared.connect(self.show_all)
        view.cleared.connect(self._on_choice)
        side.changed.connect(self._on_choice)
        view.grid.current_changed.connect(self._on_current)
        window.serve(view.grid)
        window.adding.growing.connect(self.follow)
        window.shared.marks_changed.connect(self.follow_marks)
        view.names_chosen.connect(self.show_names)
        self._captions = Captions(window.opened, window.jobs, self)
        self._captions.came.connect(view.grid.repaint_soon)
        self._feed = PictureFeed(view.grid.pictures, window.opened, window.jobs)
        kept = self._opened.state.get("library")
        self._restore(kept if isinstance(kept, dict) else {})
        self.reload()

    def _restore(self, state: dict[str, object]) -> None:
        self._order = str(state.get("order") or "date")
        self.view.show_order(self._order)
        self.view.set_words(str(state.get("words") or ""))
        self.view.show_names(state.get("names") is True)
        if isinstance(side := state.get("tile"), int):
            self.view.grid.tile_side = side
        current = state.get("current")
        self._wanted_current = current if isinstance(current, int) else -1

    def state(self) -> dict[str, Any]:
        """Return how it is left."""
        return {
            "order": self._order,
            "words": self.view.words(),
            "names": self.view.names(),
            "tile": self.view.grid.tile_side,
            "current": self.view.grid.current_id(),
        }

    def is_empty(self) -> bool:
        """Return whether there is nothing to choose from: no photograph and no folder."""
        return not self._total and not self._folders

    def focus(self) -> None:
        """Focus the grid, or what stands in its place."""
        self.view.focus_content()

    def filter(self) -> None:
        """Focus the filter."""
        self._show_view("library")
        self.view.focus_filter()

    def refresh(self) -> None:
        """Do nothing: the library keeps up by itself, seen or not, since its counts are always seen."""

    def reload(self) -> None:
        """List the photographs and folders anew."""
        self._captions.forget()
        self.view.grid.pictures.retry()  # what there was no thumbnail of while its disk was away
        self.show(keep=True)
        self._look_around()

    def order_by(self, order: str) -> None:
        """Show photographs in another order."""
        self._order = order
        self.view.show_order(order)
        self.show(keep=True)

    def show_names(self, shown: bool) -> None:
        """Show names and dates under the photographs, or none."""
        self.view.show_names(shown)
        self.show(keep=True)

    def toggle_names(self) -> None:
        """Show them, or no longer."""
        self.show_names(not self.view.names())

    def show_only(self, ids: tuple[int, ...]) -> None:
        """Show these photographs alone, as they were chosen on the map, whatever else was chosen before."""
        self._side.clear()
        self.view.set_words("")
        self._only = ids
        self.view.show_only(len(ids))
        self.show(keep=False)

    def show_all(self) -> None:
        """Show others than those that were chosen on the map again."""
        if self._only is not None:
            self._only = None
            self.view.show_only(0)
            self.show(keep=True)

    def follow(self, growing: bool) -> None:
        """Keep up with a library to which photographs are being added."""
        if growing:
            self._growth.start(round(1000 * _LEAST_PAUSE_S))
        else:
            self._growth.stop()
            self.reload()

    def follow_marks(self) -> None:
        """Show what is marked now, where just that is chosen."""
        if "marked" in self.filters():
            self.show(keep=True)

    def filters(self) -> dict[str, Any]:
        """Return what searches may answer with."""
        chosen: dict[str, Any] = dict(self._side.filters())
        folder = self._side.folder()
        return chosen | ({"folder": folder} if folder else {})

    def show(self, keep: bool) -> None:
        """List photographs as chosen."""
        opened = self._opened
        words, chosen, order, only = self.view.words(), self.filters(), self._order, self._only

        def work(progress: Progress) -> tuple[PhotoListing, float]:
            from app.library.browsing import ListingFilter, ListingOrder, listing

            began = time.perf_counter()
            made = listing(
                opened.library, ListingOrder(order), ListingFilter(words=words, ids=only, **chosen), progress
            )
            return made, time.perf_counter() - began

        self._listing.begin(work).then(lambda made: self._on_listing(made[0], made[1], keep))

    def _on_listing(self, listing: PhotoListing, took: float, keep: bool) -> None:
        self._took = took
        total = max(self._total, len(listing.ids))
        rows = ListingRows(listing, self._captions if self.view.names() else None)
        self.view.show_listing(rows, total, keep)
        grid = self.view.grid
        if self._wanted_current >= 0 and len(listing.ids):
            grid.set_current(self._wanted_current)
            self._wanted_current = -1
        if grid.current_id() < 0 and len(listing.ids):
            grid.set_current(int(listing.ids[0]))

    def _look_around(self) -> None:
        opened = self._opened

        def work(_: Progress) -> _Around:
            from app.library.browsing import cameras, counts, folder_tree, years

            library = opened.library
            return _Around(folder_tree(library), cameras(library), years(library), counts(library))

        self._around.begin(work).then(self._on_around)

    def _on_around(self, around: _Around) -> None:
        counted = around.counts
        self._total, self._folders = counted.listed, len(around.folders)
        self._side.show_folders(around.folders, counted.listed)
        self._side.set_choices(around.cameras, around.years)
        self.view.show_pending(counted.pending, self._growth.isActive())
        self._shared.count(counted)
        rows = self.view.grid.rows()
        if rows.count == 0:
            self.show(keep=True)  # whether it is empty or only narrowed down is known now

    def _on_growth(self) -> None:
        if self._listing.running:
            return
        self.reload()
        self._growth.setInterval(round(1000 * max(_LEAST_PAUSE_S, _SHARE * self._took)))

    def _on_choice(self) -> None:
        self.show(keep=False)
        self._shared.narrow(self.filters())

    def _on_current(self, photograph_id: int) -> None:
        opened = self._opened
        if photograph_id < 0:
            self._side.show_photograph(None)
            return

        def work(_: Progress) -> list[Photograph]:
            from app.library.browsing import photographs

            return photographs(opened.library, [photograph_id])

        self._facts.begin(work).then(lambda found: self._side.show_photograph(found[0] if found else None))
