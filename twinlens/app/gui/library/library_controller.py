"""Controller of the library view: its listing, the filter that is typed, its order, and what is selected."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from twinlens.app.gui.actions.declared_actions import orders
from twinlens.app.gui.library.library_listing import ListingRows
from twinlens.app.gui.library.library_view import LibraryView
from twinlens.app.gui.photo_grid.photo_grid import GridControl
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import current_language
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.library.empty_library import FirstPhotographs
    from twinlens.app.library.browsing.albums import Album
    from twinlens.app.library.browsing.listing import FolderNode, PhotoListing
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.library.library_status import LibraryCounts

_LEAST_PAUSE_S = 1.5
_MOST_ONLY = 10_000  # photographs chosen on the map that are remembered
_SHARE = 5  # while photographs are added, listing them takes a fifth of the time at most


class LibraryControl(GridControl, QObject):
    """Controller of the library view: lists photographs, filters them, and follows additions."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        view = self.view = LibraryView()
        self.grid, side = view.grid, window.side
        self._window = window
        self._opened, self._jobs, self._side = window.opened, window.jobs, side
        self._listing = self._jobs.latest()
        self._around = self._jobs.latest()
        self._weighing = self._jobs.latest()
        self._facts = self._jobs.latest()
        self._show_view, self._shared = window.show_view, window.shared
        self._viewing = window.viewing
        self._order = "date"
        self._only: tuple[int, ...] | None = None
        self._total = 0
        self._wanted_place: dict[str, Any] = {}
        self._took = 0.0
        self._first: FirstPhotographs | None = None  # of an empty library
        self._growth = QTimer(self)
        self._growth.timeout.connect(self._on_growth)
        view.add_wanted.connect(window.taking.choose_folder)
        view.empty_wanted.connect(self._show_empty)
        view.continue_wanted.connect(window.adding.go_on)
        view.filter_typed.connect(lambda: self.show(keep=False))
        view.order_chosen.connect(self.order_by)
        view.cleared.connect(side.clear)
        view.only_cleared.connect(self.show_all)
        view.cleared.connect(self._on_choice)
        side.changed.connect(self._on_choice)
        view.grid.current_changed.connect(self._on_current)
        view.selection_rests.connect(self._weigh)
        window.serve(view.grid)
        window.work.working.connect(self.follow)
        window.shared.marks_changed.connect(self.follow_marks)
        view.names_chosen.connect(self.show_names)
        self._seen = window.seen
        self._feed = PictureFeed(view.grid.pictures, window.opened, window.jobs)
        kept = self._opened.state.get("library")
        self._restore(kept if isinstance(kept, dict) else {})
        self.reload()

    def _restore(self, state: dict[str, object]) -> None:
        order = str(state.get("order") or "date")
        self._order = order if order in orders() else "date"
        self.view.show_order(self._order)
        self.view.set_words(str(state.get("words") or ""))
        self.view.show_names(state.get("names") is True)
        if isinstance(seconds := state.get("seconds"), int):
            self._viewing.seconds = seconds
        if isinstance(side := state.get("tile"), int):
            self.view.grid.tile_side = side
        only = state.get("only")
        if isinstance(only, list) and only and all(isinstance(one, int) for one in only):
            self._only = tuple(only)
            self.view.show_only(len(self._only))
        self._wanted_place = state

    def state(self) -> dict[str, Any]:
        """Return the state to save."""
        return {
            "order": self._order,
            "words": self.view.words(),
            "names": self.view.names(),
            "tile": self.view.grid.tile_side,
            "seconds": self._viewing.seconds,
            "only": list(self._only or ())[:_MOST_ONLY],
        } | self.place()

    def place(self) -> dict[str, Any]:
        """Return the place in the grid, also one that is still to be shown."""
        return self._wanted_place or self.view.grid.place()

    def keep_place(self) -> None:
        """Return to the present place when the photographs are listed next, by other filters."""
        self._wanted_place = self.place()

    def focus(self) -> None:
        """Focus the grid, or the page in its place."""
        self.view.focus_content()

    def filter(self) -> None:
        """Focus the filter."""
        self._show_view("library")
        self.view.focus_filter()

    def refresh(self) -> None:
        """Do nothing: the library is always up to date, since its counts are always visible."""

    def reload(self) -> None:
        """List the photographs and folders again."""
        self._seen.forget()
        self.view.grid.pictures.retry()  # thumbnails that were missing while a disk was away
        self.show(keep=True)
        self._look_around()

    def is_empty(self) -> bool:
        """Return whether the page of an empty library is shown."""
        return self._first is not None and not self._first.page.isHidden()

    def _show_empty(self) -> None:
        """Make the page of an empty library, which others never need."""
        from twinlens.app.gui.library.empty_library import FirstPhotographs

        if self._first is None:
            self._first = FirstPhotographs(self._window)
            self.view.set_empty(self._first.page)
        self._first.begin()

    def order_by(self, order: str) -> None:
        """Show photographs in another order."""
        self._order = order
        self.view.show_order(order)
        self.show(keep=True)

    def show_names(self, shown: bool) -> None:
        """Show or hide names and dates under the photographs."""
        self.view.show_names(shown)
        self.show(keep=True)

    def toggle_names(self) -> None:
        """Toggle names and dates."""
        self.show_names(not self.view.names())

    def take_pictures(self, pictures: Sequence[int]) -> None:
        """Show only these photographs, chosen on the map, without any other filter."""
        self._side.clear()
        self.view.set_words("")
        self._only = tuple(pictures)
        self.view.show_only(len(self._only))
        self.show(keep=False)
        self._show_view("library")

    def show_all(self) -> None:
        """Show all photographs again, not only those chosen on the map."""
        if self._only is not None:
            self._only = None
            self.view.show_only(0)
            self.show(keep=True)

    def follow(self, growing: bool) -> None:
        """Follow a library to which photographs are being added."""
        if growing:
            self._growth.start(round(1000 * _LEAST_PAUSE_S))
        else:
            self._growth.stop()
            self.reload()

    def follow_marks(self) -> None:
        """List again after a change of marks if they are a filter."""
        if "marked" in self.filters():
            self.show(keep=True)

    def follow_notes(self) -> None:
        """Show what was noted of photographs; list again where that is a filter, or the order."""
        self._on_current(self.grid.current_id())
        if self._order == "rating" or self.view.words() or {"rating", "label", "pick", "album"} & self.filters().keys():
            self.show(keep=True)

    def filters(self) -> dict[str, Any]:
        """Return the filters for searches."""
        chosen: dict[str, Any] = dict(self._side.filters())
        folder = self._side.folder()
        return chosen | ({"folder": folder} if folder else {})

    def kept_filters(self) -> dict[str, Any]:
        """Return the typed words and the filters, as an album keeps them; empty without any."""
        words = self.view.words()
        return self.filters() | ({"words": words} if words else {})

    def show(self, keep: bool) -> None:
        """List the photographs that pass the filters."""
        opened = self._opened
        words, chosen, order, only = self.view.words(), self.filters(), self._order, self._only

        def work(progress: Progress) -> tuple[PhotoListing, float]:
            from twinlens.app.library.browsing.listing import ListingFilter, listing
            from twinlens.app.library.browsing.overview import ListingOrder

            began = time.perf_counter()
            made = listing(
                opened.library, ListingOrder(order), ListingFilter(words=words, ids=only, **chosen), progress
            )
            return made, time.perf_counter() - began

        self._listing.begin(work).then(lambda made: self._on_listing(made[0], made[1], keep))

    def _on_listing(self, listing: PhotoListing, took: float, keep: bool) -> None:
        self._took = took
        total = max(self._total, len(listing.ids))
        rows = ListingRows(listing, self._seen if self.view.names() else None)
        self.view.show_listing(rows, total, keep)
        grid = self.view.grid
        if self._wanted_place and len(listing.ids):
            grid.return_to(self._wanted_place)
            self._wanted_place = {}
        if grid.current_id() < 0 and len(listing.ids):
            grid.set_current(int(listing.ids[0]))

    def _look_around(self) -> None:
        opened = self._opened

        def work(_: Progress) -> _Around:
            from twinlens.app.library.browsing.albums import albums
            from twinlens.app.library.browsing.listing import cameras, concept_counts, folder_tree, years
            from twinlens.app.library.library_status import counts

            library, language = opened.library, current_language()
            shown = [
                (one.concept.name("en"), one.concept.name(language), one.photographs) for one in concept_counts(library)
            ]
            return _Around(
                folder_tree(library), albums(library), cameras(library), years(library), shown, counts(library)
            )

        self._around.begin(work).then(self._on_around)

    def _on_around(self, around: _Around) -> None:
        counted = around.counts
        self._total = counted.listed
        self._side.show_folders(around.folders, counted.listed)
        self._side.show_albums(around.albums)
        self._side.set_choices(around.cameras, around.years, around.concepts)
        self.view.show_pending(counted.pending, self._growth.isActive())
        self._shared.count(counted)
        rows = self.view.grid.rows()
        if rows.count == 0:
            self.show(keep=True)  # whether the library is empty or only filtered is known now

    def _on_growth(self) -> None:
        if self._listing.running:
            return
        self.reload()
        self._growth.setInterval(round(1000 * max(_LEAST_PAUSE_S, _SHARE * self._took)))

    def _on_choice(self) -> None:
        self.show(keep=False)
        self._shared.narrow(self.filters())

    def _weigh(self) -> None:
        """Show how many bytes the selected photographs have."""
        opened, ids = self._opened, self.grid.selected_ids()
        if len(ids) < 2:
            self._weighing.drop()
            return

        def work(__: Progress) -> int:
            from twinlens.app.library.browsing.photographs import total_bytes

            return total_bytes(opened.library, ids)

        self._weighing.begin(work).then(self.view.show_selected_bytes)

    def _on_current(self, photograph_id: int) -> None:
        opened = self._opened
        if photograph_id < 0:
            self._side.show_photograph(None)
            return

        def work(_: Progress) -> list[Photograph]:
            from twinlens.app.library.browsing.photographs import photographs

            return photographs(opened.library, [photograph_id])

        self._facts.begin(work).then(lambda found: self._side.show_photograph(found[0] if found else None))


@dataclass(frozen=True)
class _Around:
    """The panels beside the grid."""

    folders: list[FolderNode]
    albums: list[Album]
    cameras: list[tuple[str, int]]
    years: list[str]
    concepts: list[tuple[str, str, int]]
    counts: LibraryCounts
