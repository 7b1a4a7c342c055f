"""The library view: the grid of photographs, the filter that is typed, its listing, and its empty state."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QWidget,
)

from twinlens.app.gui.actions.declared_actions import library_actions, orders, window_actions
from twinlens.app.gui.library.library_listing import ListingRows
from twinlens.app.gui.library.timeline import Timeline
from twinlens.app.gui.look.buttons import ChoicePill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import EmptyState, column_of, command_button
from twinlens.app.gui.photo_grid.grid_sheet import LARGEST, SMALLEST
from twinlens.app.gui.photo_grid.photo_grid import STEP, GridControl, PhotoGrid
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, current_language, text
from twinlens.core.message import size
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.library.empty_library import FirstPhotographs
    from twinlens.app.library.albums import Album
    from twinlens.app.library.browsing import FolderNode, LibraryCounts, Photograph, PhotoListing

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
            from twinlens.app.library.browsing import ListingFilter, listing
            from twinlens.app.library.overview import ListingOrder

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
            from twinlens.app.library.albums import albums
            from twinlens.app.library.browsing import cameras, concept_counts, counts, folder_tree, years

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
            from twinlens.app.library.browsing import total_bytes

            return total_bytes(opened.library, ids)

        self._weighing.begin(work).then(self.view.show_selected_bytes)

    def _on_current(self, photograph_id: int) -> None:
        opened = self._opened
        if photograph_id < 0:
            self._side.show_photograph(None)
            return

        def work(_: Progress) -> list[Photograph]:
            from twinlens.app.library.browsing import photographs

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


_TYPED_MS = 180  # a pause in typing
_HEAD = 76
_SLIDER = 104


class LibraryView(QWidget):
    """The library view; signals tell the person's wishes."""

    add_wanted = Signal()
    empty_wanted = Signal()
    """The library has no photographs: its page is wanted."""
    filter_typed = Signal()
    order_chosen = Signal(str)
    names_chosen = Signal(bool)
    """Whether names and dates are to be shown under the photographs."""
    cleared = Signal()
    """All filters are to be cleared, also those of the side panel."""
    continue_wanted = Signal()
    """Pending photographs are to be read now."""
    selection_rests = Signal()
    """The selection has not changed for a moment."""
    only_cleared = Signal()
    """Photographs chosen on the map are no longer to be shown alone."""

    def __init__(self) -> None:
        super().__init__()
        self._timeline = Timeline()
        self.grid = PhotoGrid(bar=self._timeline)
        self._timeline.pointed.connect(self.grid.point_at)
        self.grid.laid_out.connect(lambda: self._timeline.follow(self.grid.layout_now))
        self._count = self._of = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_TYPED_MS)
        self._rest.timeout.connect(self.selection_rests)
        self._title = QLabel()
        self._title.setObjectName("title")
        self._about = ElidedLine("quiet")
        self._filter = self._make_filter()
        self._only = QPushButton()
        self._only.setObjectName("small")
        self._only.setToolTip(_("Shown alone, as chosen on the map; click to show all again (Esc)"))
        self._only.clicked.connect(self.only_cleared)
        self._only.hide()
        actions = library_actions()
        self._order = ChoicePill(_("The order of the photos"), orders())
        self._order.chosen.connect(self.order_chosen)
        self._names = command_button(_("Names"), actions["names"])
        self._names.setCheckable(True)
        self._names.clicked.connect(self.names_chosen)
        self._size = self._make_size()
        self._empty = QWidget()  # until the library is found to be empty
        self._nothing = EmptyState(_("No photos match these filters."), _("Show all"))
        self._nothing.wanted.connect(self.clear_filter)
        self._pending = EmptyState("…", _("Continue"))
        self._pending.wanted.connect(self.continue_wanted)
        self._reading = EmptyState(_("The first photos appear here in a moment."))
        self._unread: QWidget | None = None  # page of a library in which nothing was read yet
        self._views = QStackedWidget()
        for view in (self.grid, self._empty, self._nothing, QWidget(), self._pending, self._reading):
            self._views.addWidget(view)
        self._views.setCurrentIndex(3)
        self._top = self._head()
        column_of(self._top, (self._views, 1), on=self, gap=0, margins=0)
        self.grid.selection_changed.connect(self._on_selection)

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setObjectName("filter")
        made.setPlaceholderText(_("Type to filter"))
        made.setAccessibleName(_("Filter by name, folder, camera, date or keyword"))
        made.setToolTip(_("Filter by name, folder, camera, date or keyword (Ctrl+F, or just type)"))
        made.setClearButtonEnabled(True)
        made.setMinimumWidth(160)
        made.setMaximumWidth(320)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(_TYPED_MS)
        self._typed.timeout.connect(self.filter_typed)
        made.textChanged.connect(self._on_text)
        made.returnPressed.connect(self._focus_grid)
        return made

    def _make_size(self) -> QSlider:
        made = QSlider(Qt.Orientation.Horizontal)
        made.setRange(SMALLEST, LARGEST)
        made.setSingleStep(STEP)
        made.setFixedWidth(_SLIDER)
        made.setValue(self.grid.tile_side)
        made.setAccessibleName(_("Size of the thumbnails"))
        made.setToolTip(_("Size of the thumbnails (Ctrl+wheel, Ctrl++, Ctrl+−)"))
        made.valueChanged.connect(self._on_size)
        self.grid.tile_side_changed.connect(made.setValue)
        return made

    def _on_size(self, side: int) -> None:
        self.grid.tile_side = side

    def _head(self) -> QWidget:
        adding = command_button(_("Add a folder…"), window_actions()["add"])
        adding.clicked.connect(self.add_wanted)
        words = QWidget()
        column_of(self._title, self._about, on=words, gap=4, margins=0)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = QWidget()
        head.setObjectName("head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setMinimumHeight(_HEAD)
        row = FlowLayout()
        row.setContentsMargins(20, _HEAD // 6, 16, _HEAD // 6)
        for widget in (words, self._only, self._filter, self._order, self._names, self._size, adding):
            row.addWidget(widget)
        head.setLayout(row)
        return head

    def show_order(self, name: str) -> None:
        """Show the order of the photographs."""
        self._order.show_choice(name)

    def show_names(self, shown: bool) -> None:
        """Show whether names are shown under the photographs."""
        self._names.setChecked(shown)

    def names(self) -> bool:
        """Return whether names are shown."""
        return self._names.isChecked()

    def words(self) -> str:
        """Return the typed filter."""
        return self._filter.text().strip()

    def set_words(self, words: str) -> None:
        """Restore a typed filter."""
        self._filter.setText(words)
        self._typed.stop()  # not typed by a person; signals are not blocked, since the clear button needs them

    def focus_filter(self) -> None:
        """Focus the filter."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def show_only(self, count: int) -> None:
        """Show that only ``count`` photographs chosen on the map are listed; 0 for all."""
        self._only.setText(_("{value} from the map  ✕", value=count))
        self._only.setAccessibleName(_("{value} from the map: show all again", value=count))
        if not count and self._only.hasFocus():
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        self._only.setVisible(count > 0)

    def is_narrowed(self) -> bool:
        """Return whether any filter is set that Esc clears."""
        return bool(self.words()) or not self._only.isHidden()

    def clear_filter(self) -> None:
        """Clear the typed filter and show all photographs."""
        self.only_cleared.emit()
        self.set_words("")
        self.cleared.emit()

    def show_listing(self, rows: ListingRows, total: int, keep: bool = True) -> None:
        """Show photographs.

        Parameters
        ----------
        total : int
            Number of photographs of the library, filtered or not.
        keep : bool
            Whether current photograph, selection and scroll position stay.
        """
        self._count = rows.count
        self.grid.show_rows(rows, keep=keep)
        self._timeline.show_dates(rows.dates, self.grid.layout_now)
        self._of = total
        self._show_page(self.grid if self._count else self._nothing if total else self._unread or self._empty)
        self._on_selection(len(self.grid.selected_ids()))

    def show_pending(self, count: int, runs: bool) -> None:
        """Show the number of pending photographs, and whether they are being read now."""
        self._pending.set_sentence(_n("{count} photo still to be added.", "{count} photos still to be added.", count))
        self._unread = (self._reading if runs else self._pending) if count else None
        if self._views.currentWidget() in (self._empty, self._pending, self._reading):
            self._show_page(self._unread or self._empty)

    def set_empty(self, page: QWidget) -> None:
        """Set the page of an empty library."""
        self._views.removeWidget(self._empty)
        self._views.insertWidget(1, page)
        self._empty.deleteLater()
        self._empty = page
        self._views.setCurrentWidget(page)

    def _show_page(self, page: QWidget) -> None:
        """Show the grid or a page in its place; the focus moves along."""
        if page is self._views.currentWidget():
            return
        held = self.window().focusWidget()
        held_here = held is None or self._views.isAncestorOf(held)
        self._top.setVisible(page is not self._empty)
        self._views.setCurrentWidget(page)
        if page is self._empty:
            self.empty_wanted.emit()
        if held_here and self.isVisible():
            self.focus_content()

    def focus_content(self) -> None:
        """Focus the photographs, or the button of the empty state."""
        page = self._views.currentWidget()
        assert page is not None
        page.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_selected_bytes(self, count: int) -> None:
        """Show how many bytes the selected photographs have."""
        selected = self.grid.selection.count
        if selected > 1:
            self._title.setText(
                _("{value} of {of} selected ({size})", value=selected, of=self._count, size=text(size(count)))
            )

    def _on_selection(self, count: int) -> None:
        self._rest.start()
        if count > 1:
            self._title.setText(_("{value} of {of} selected", value=count, of=self._count))
        elif self._count == self._of:
            self._title.setText(_n("{count} photo", "{count} photos", self._count))
        else:
            self._title.setText(_("{value} of {of} photos", value=self._count, of=self._of))
        self._about.say(_("Enter finds look-alikes · Space shows it large") if self._count else "")

    def _on_text(self) -> None:
        self._typed.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Lead from the filter back to the grid by Down or Esc."""
        if self._filter.hasFocus() and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Escape):
            if event.key() == Qt.Key.Key_Escape:
                self._filter.clear()
            self._focus_grid()
        else:
            super().keyPressEvent(event)  # letters go to the filter wherever they are typed

    def take_letter(self, event: QKeyEvent) -> bool:
        """Send a letter that nobody else wants to the filter; return whether it is one and there is a filter."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if not (plain and event.text().isalnum() and self._filter.isVisible()):
            return False
        self._filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self._filter.insert(event.text())
        return True

    def _focus_grid(self) -> None:
        self.grid.setFocus(Qt.FocusReason.TabFocusReason)
