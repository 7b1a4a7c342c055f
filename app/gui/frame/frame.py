"""The window: rail, views and status line, and what leads from one to the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from app.gui.compare.controller import CompareControl
from app.gui.compare.view import CompareView
from app.gui.frame import keys, remedies, window_place
from app.gui.frame.drop_sign import DropSign, dragged, said
from app.gui.frame.import_ahead import import_ahead
from app.gui.frame.intake import Taking
from app.gui.frame.late_views import LatePart, LateViews, ShowsPhotographs
from app.gui.frame.notice import Notice
from app.gui.frame.opened import Opened
from app.gui.frame.opening import Opening
from app.gui.frame.pages_controller import ESTIMATE, PagesControl
from app.gui.frame.rail import Rail
from app.gui.frame.status_line import StatusLine
from app.gui.frame.undo import Undoing
from app.gui.frame.view_stack import ViewStack
from app.gui.frame.watch import Watch
from app.gui.lab.pages import PAGES
from app.gui.learn.controller import TOLD_IN_VIEW, LearnControl
from app.gui.learn.view import LearnView
from app.gui.library.adding_controller import AddingControl
from app.gui.library.controller import LibraryControl
from app.gui.library.forgotten_folder import Forgetting
from app.gui.library.photograph_actions import PhotographActions
from app.gui.library.photograph_menu import PhotographMenu
from app.gui.library.side_panel import SidePanel
from app.gui.library.view import LibraryView
from app.gui.marks.controller import MarksControl
from app.gui.photo_grid.grid import PhotoGrid
from app.gui.photo_grid.thumbnail_feed import ThumbnailFeed
from app.gui.process.garbage import Collecting
from app.gui.process.jobs import Jobs
from app.gui.process.outlived import outlived
from app.gui.search.colours.controller import ColoursControl
from app.gui.search.controller import SearchControl
from app.gui.search.history_menu import HistoryMenu
from app.gui.search.view import SearchView
from app.gui.viewer.controller import ViewerControl
from app.gui.vocabulary.controller import VocabularyControl
from app.language.spoken import _, _n, describe_remedies
from core.errors import Remedy

if TYPE_CHECKING:
    from app.search.question import Region

_ROOMY = 1200  # narrower than that, results have no room between two panels
_SETTLED_MS = 300
_IDLE_MS = 3_000  # after that a window that is only opened and closed is closed again


class Frame(QMainWindow):
    """One library's window. It shows at once; the library is opened behind it.

    Parameters
    ----------
    path : Path or None
        The library's file, made where there is none; None for the usual one.
    """

    opened = Signal()
    language_chosen = Signal(str)
    other_chosen = Signal(object)
    """Another library, by its path, is to be opened in this window."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self.setWindowTitle("Twinlens")
        self.setAcceptDrops(True)
        self.setMinimumSize(820, 560)
        self._path = path
        window_place.restore(self, path)
        self._view = "library"
        self._side_wanted: bool | None = None  # by the person; None: where there is room
        self._side_by_columns = False  # these want all the room there is
        self.jobs = Jobs(self)
        self._collecting = Collecting(self.jobs, self)
        self.rail, self.side, self.status = Rail(), SidePanel(), StatusLine()
        self.library_view, self.search_view = LibraryView(), SearchView()
        self.learn_view, self.compare_view = LearnView(), CompareView()
        self.late = LateViews()
        self._views = ViewStack(self.late)
        self.told_in_view = {"viewer", ESTIMATE, *TOLD_IN_VIEW}  # topics whose failure their own view tells
        self._notice, self._vocabulary_notice, self.forgotten_notice = Notice(), Notice(), Notice()
        self._lay_out()
        self.adding = AddingControl(self.status, self.jobs, self)
        self.vocabulary = VocabularyControl(self._vocabulary_notice, self.adding, self.jobs, self)
        self.browsing = LibraryControl(self.library_view, self.side, self.jobs, self)
        self.searching = SearchControl(self.search_view, self.jobs, self)
        self.colours = ColoursControl(self.search_view, self.searching, self.jobs, self)
        self.pages = PagesControl(self._views, self.adding, self.jobs)
        self.actions_ = PhotographActions(self, self.jobs)
        self.taking, self.undoing, self.menu = Taking(self), Undoing(self.status, self), PhotographMenu(self)
        self.viewing = ViewerControl(self._views, self.jobs)
        self.learning = LearnControl(self.learn_view, self.adding, self.undoing, self.jobs, self, self.searching)
        self.comparing = CompareControl(self.compare_view, self.adding, self.searching, self.jobs, self)
        self.marking = MarksControl(
            self.search_view, self.searching, self.viewing, self.undoing, self.adding, self.jobs, self
        )
        self._history = HistoryMenu(self.searching, self.jobs, self)
        self._history.failed.connect(self.status.show_message)
        self._feeds = [
            ThumbnailFeed(self.library_view.grid, self.jobs, "thumbnails of the library"),
            ThumbnailFeed(self.search_view.grid, self.jobs, "thumbnails of the search"),
        ]
        self.watch = Watch(self.jobs, self)
        self.opening = Opening(path, self.jobs, self)
        self.forgetting = Forgetting(self.adding, self.undoing, self.forgotten_notice, self.jobs, self)
        self._connect()
        keys.bind(self)
        self.show_view("library")
        QTimer.singleShot(0, self.opening.begin)

    def _lay_out(self) -> None:
        self.add_view("library", self.library_view, self.library_view.focus_content)
        self.add_view("search", self.search_view, self.search_view.focus_results)
        self.add_view("compare", self.compare_view, self.compare_view.focus_content)
        self.add_view("learn", self.learn_view, self.learn_view.focus_content)
        for name, make in (("lab", _make_lab), ("map", _make_map), *PAGES):
            self.late.add(name, partial(make, self))
        self._views.installEventFilter(self)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(0)
        for widget in (self.rail, self.side):
            row.addWidget(widget)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._notice)
        right.addWidget(self._vocabulary_notice)
        right.addWidget(self.forgotten_notice)
        right.addWidget(self._views, 1)
        row.addLayout(right, 1)
        column.addLayout(row, 1)
        column.addWidget(self.status)
        self.setCentralWidget(body)
        self.drop_sign = DropSign(body)

    def _connect(self) -> None:
        self.rail.view_wanted.connect(self.show_view)
        self.taking.folders_given.connect(self.adding.add)
        self.taking.pictures_given.connect(self._on_pictures_given)
        self.taking.examples_given.connect(lambda given, like: self.searching.add_examples(list(given), like))
        self.taking.told.connect(self.status.show_message)
        self.side.add_wanted.connect(self.taking.choose_folder)
        self.side.rescan_wanted.connect(self.adding.rescan)
        self.side.forget_wanted.connect(self.forgetting.forget)
        self.side.reveal_wanted.connect(self.actions_.reveal_path)
        self.library_view.add_wanted.connect(self.taking.choose_folder)
        self.search_view.library_wanted.connect(lambda: self.show_view("library"))
        self.search_view.history_wanted.connect(lambda: self._history.show(self.search_view))
        self.search_view.panel_wanted.connect(self.show_side)
        self.search_view.all_wanted.connect(self.side.clear)
        self.search_view.rescan_wanted.connect(self.adding.rescan)
        self.search_view.bar.example_removed.connect(lambda __: self._on_example_removed())
        self.side.changed.connect(self._place_side)
        self.searching.asked.connect(lambda: self.show_view("search"))
        self.searching.new_index_wanted.connect(self.new_index)
        self.searching.question_changed.connect(self._place_side)
        self.colours.index_wanted.connect(self.new_index)
        self.searching.file_wanted.connect(self.taking.choose_example)
        self.searching.told.connect(self.status.show_message)
        self.browsing.narrowed.connect(self.searching.set_filters)
        self.browsing.counted.connect(self._on_counted)
        self.pages.indexes_listed.connect(self.searching.show_indexes)
        self.pages.default_wanted.connect(self.answer_by)
        self.pages.closed.connect(lambda: self.show_view("library"))
        self.pages.reveal_wanted.connect(self.actions_.reveal_path)
        self.pages.shortcuts_wanted.connect(self.show_shortcuts)
        self.pages.told.connect(self.status.show_message)
        self.pages.language_chosen.connect(self.language_chosen)
        self.actions_.told.connect(self.status.show_message)
        self._connect_adding()
        self._connect_learning()
        self._connect_comparing()
        self._connect_marking()
        self.viewing.search_wanted.connect(lambda one: self.searching.ask_pictures([one]))
        self.viewing.part_wanted.connect(self._on_part)
        self._connect_opening()
        for grid in (self.library_view.grid, self.search_view.grid):
            grid.activated.connect(self._on_activated)
            grid.looked_at.connect(lambda one, grid=grid: self.viewing.show(grid, one))
            grid.menu_wanted.connect(self.menu.show)
            grid.paths_of = self.actions_.paths

    def _connect_adding(self) -> None:
        self.library_view.continue_wanted.connect(self.adding.go_on)
        self.adding.growing.connect(self.browsing.follow)
        self.adding.growing.connect(self.watch.rest)
        self.watch.changed.connect(self._on_changed_outside)
        self.adding.changed.connect(self._on_changed)
        self.adding.asks.connect(self._on_asks)
        self._notice.agreed.connect(self.adding.agree)
        self._notice.declined.connect(self.adding.decline)

    def _connect_opening(self) -> None:
        self.jobs.failed.connect(self._on_failed)
        self.jobs.remedied.connect(self._on_remedied)
        describe_remedies(remedies.described)
        self.opening.opened.connect(self._on_opened)
        self.opening.let_go.connect(self._on_let_go)
        self.opening.failed.connect(self._tell_failure)
        self.opening.other_chosen.connect(self.other_chosen)
        self._views.again_wanted.connect(self.opening.begin)
        self._views.other_wanted.connect(self.opening.choose_other)

    def _connect_comparing(self) -> None:
        self.comparing.asked.connect(lambda: self.show_view("compare"))
        self.comparing.library_wanted.connect(lambda: self.show_view("library"))
        self.comparing.told.connect(self.status.show_message)
        self.comparing.search_wanted.connect(self._on_search_by)
        self.browsing.narrowed.connect(self.comparing.set_filters)
        self.compare_view.panel_wanted.connect(self.show_side)
        self.compare_view.all_wanted.connect(self.side.clear)
        board = self.compare_view.board
        board.looked_at.connect(lambda one: self.viewing.show(board, one))
        board.menu_wanted.connect(self.menu.show)

    def _on_search_by(self, index: str) -> None:
        question = self.comparing.question
        if question is not None:
            self.searching.ask(question, index)

    def compare(self) -> None:
        """Ask what is chosen of several indexes, side by side."""
        self.comparing.ask_pictures(list(self.chosen()))

    def compare_question(self) -> None:
        """Ask several indexes, side by side, what the search asks: its parts, weights and all."""
        if self.searching.question is not None:
            self.comparing.ask(self.searching.question)

    def _connect_marking(self) -> None:
        self.marking.told.connect(self.status.show_message)
        self.marking.changed.connect(self.learning.refresh)
        self.marking.changed.connect(self.browsing.follow_marks)
        self.learning.marks_changed.connect(self.marking.look)
        self.learning.undo_elsewhere.connect(self.marking.undo)
        self.side.alike_wanted.connect(self.marking.mark_folder)

    def _connect_learning(self) -> None:
        self.learn_view.left.connect(self.leave)
        self.learn_view.library_wanted.connect(lambda: self.show_view("library"))
        self.learning.told.connect(self.status.show_message)
        self.learning.index_wanted.connect(self.answer_by)
        self.learning.search_wanted.connect(lambda one: self.searching.ask_pictures([one]))
        self.learning.large_wanted.connect(lambda one: self.viewing.show(self.learn_view, one))

    # --- opening -----------------------------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Show another library from now on."""
        self._path = path
        self.opening.open(path)

    def _on_let_go(self) -> None:
        # What waits for an undo was meant for this library: it is left as it is, and the next one is not touched.
        self.undoing.drop()
        self.pages.take_waiting()
        self.taking.wait()
        self.adding.stop()
        self.watch.take(None)

    def _on_opened(self, opened: Opened) -> None:
        if self._views.mend():
            self.show_view(self._view)
        self.setWindowTitle(f"Twinlens · {opened.path.stem}")
        for part in (
            self.adding,
            self.vocabulary,
            self.searching,
            self.browsing,
            self.pages,
            self.actions_,
            self.viewing,
            self.learning,
            self.comparing,
            self.marking,
            self.late,
        ):
            part.take(opened)
        self._history.take(opened)
        self.forgetting.take(opened)
        self.watch.take(opened)
        for feed in self._feeds:
            feed.take(opened)
        self.pages.show_default(self.searching.index)
        if self._view == "library":
            self.library_view.focus_content()
        self.opened.emit()
        self.taking.go_on()
        QTimer.singleShot(_SETTLED_MS, self._after_opening)

    def _after_opening(self) -> None:
        """Do what may wait until the window stands: compile the scan, look for changes."""
        from app.machine import preferences
        from core.compilation import compilation

        opened = self.opening.now
        if opened is None or self.jobs.finished:
            return
        self.jobs.start("getting ready", lambda __: opened.searcher, lambda __: compilation.prepare())
        QTimer.singleShot(_IDLE_MS, self, self._import_ahead)
        if preferences.load().rescan_on_start:
            self.adding.rescan(quietly=True)

    def _import_ahead(self) -> None:
        self.jobs.start("importing ahead", import_ahead, lambda __: self._collecting.settle())

    def library(self) -> Opened | None:
        """Return the open library, once it is open."""
        return self.opening.now

    # --- views -------------------------------------------------------------------------------------------------------

    def view(self) -> str:
        """Name the view that is shown."""
        return self._view

    def add_view(self, name: str, view: QWidget, focus: Callable[[], None]) -> None:
        """Add a view of the library, by its name on the rail, and what puts the keys on what it is about."""
        self._views.add(name, view, focus)

    def show_view(self, name: str) -> None:
        """Show a view, by its name on the rail; where the library cannot be opened, why not."""
        self._view = name
        self.viewing.viewer.hide()
        self._views.prepare(name)
        self.rail.show_view(name)
        self._place_side()
        self._views.show_view(name, self.pages.page)

    def show_side(self, shown: bool) -> None:
        """Show folders and filters beside library and search, or beside columns, or hide them."""
        if self._view == "compare":
            self._side_by_columns = shown
        else:
            self._side_wanted = shown
        self._place_side()

    def toggle_side(self) -> None:
        """Show folders and filters, and put the keys on them; or hide them."""
        if self._view in ("library", "search", "compare"):
            self.show_side(self.side.isHidden())
            if not self.side.isHidden():
                self.side.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def toggle_full_screen(self) -> None:
        """Fill the screen with the window, or give it back the size it had."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _place_side(self) -> None:
        asked = {"search": self.searching.question, "compare": self.comparing.question}.get(self._view)
        here = self._view == "library" or asked is not None
        here = here and not (self.opening.now and self.browsing.is_empty())
        room = self._view == "library" or self.width() >= _ROOMY
        shown = room if self._side_wanted is None else self._side_wanted
        shown = self._side_by_columns if self._view == "compare" else shown
        if not (here and shown) and self.side.isAncestorOf(self.focusWidget() or self):
            self.show_focus()
        self.side.setVisible(here and shown)
        self.search_view.show_panel(here and shown, self.side.narrows())
        self.compare_view.head.show_panel(here and shown)

    def _on_example_removed(self) -> None:
        if self.searching.question is None:
            self._place_side()
            self.show_focus()

    def show_focus(self) -> None:
        """Focus what the view is about."""
        self._views.focus(self._view)

    def ask_with_colours(self) -> None:
        """Open the panel of colours, wherever one is; or close it."""
        if self._view == "search" and not self.viewing.is_open():
            self.colours.toggle()
        else:
            self.show_view("search")
            self.colours.open()

    def add_colours(self) -> None:
        """Open the panel of colours for what is asked, so that both count."""
        self.show_view("search")
        self.colours.add()

    def new_index(self) -> None:
        """Show the form of a new index."""
        self.show_view("indexes")
        self.pages.new_index()

    def grid(self) -> PhotoGrid | None:
        """Return the grid that is seen, if one is."""
        return {"library": self.library_view.grid, "search": self.search_view.grid}.get(self._view)

    def show_shortcuts(self) -> None:
        """Show the sheet of keys."""
        from app.gui.frame.key_sheet import sheet
        from app.gui.frame.key_table import ShortcutsSheet

        ShortcutsSheet(sheet(), self).exec()

    def leave(self) -> None:
        """Go one step back: out of what was typed, out of the search, back to the library."""
        if self.viewing.is_open():
            self.viewing.close()
        elif self._view == "search" and self.colours.is_open():
            self.colours.close()
        elif self._view != "library":
            self.show_view("library")
        elif self.library_view.is_narrowed():
            self.library_view.clear_filter()
        elif self.isFullScreen():
            self.toggle_full_screen()

    # --- photographs -------------------------------------------------------------------------------------------------

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""
        grid = self.grid()
        if grid is None:
            part = self.late.choosing(self._view)
            return part.chosen() if part is not None else [] if self.current() < 0 else [self.current()]
        ids: list[int] = grid.selected_ids().tolist()
        return ids or ([grid.current_id()] if grid.current_id() >= 0 else [])

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""
        if self._view == "compare":
            return self.compare_view.board.current_id()
        part = self.late.choosing(self._view)
        if part is not None:
            return part.current()
        grid = self.grid()
        return -1 if grid is None else grid.current_id()

    def show_on_map(self, ids: list[int]) -> None:
        """Show where photographs lie on the map."""
        part = self.late.part("map")
        if isinstance(part, ShowsPhotographs) and ids:
            self.show_view("map")
            part.show_photographs(ids)

    def explore(self, photograph_id: int) -> None:
        """Ask the explorer of the Lab with a photograph."""
        from app.gui.lab.explore.controller import ExploreControl
        from app.gui.lab.lab_view import LabShell

        self.show_view("lab")
        lab, part = self.late.part("lab"), self.late.part("explore")
        if isinstance(lab, LabShell) and isinstance(part, ExploreControl):
            lab.show_page("explore")
            part.ask(photograph_id)

    def show_menu(self, photograph_id: int, place: QPoint) -> None:
        """Show what can be done with a photograph."""
        self.menu.show(photograph_id, place)

    def show_in_library(self, ids: tuple[int, ...]) -> None:
        """Show photographs alone in the library."""
        self.browsing.show_only(ids)
        self.show_view("library")

    def filter(self) -> None:
        """Focus the filter of the library."""
        self.show_view("library")
        self.library_view.focus_filter()

    def _on_activated(self, photograph_id: int) -> None:
        chosen = self.chosen()
        several = self._view == "library" and photograph_id in chosen and len(chosen) > 1
        self.searching.ask_pictures(list(chosen) if several else [photograph_id])

    def _on_pictures_given(self, pictures: list[Path | int | bytes]) -> None:
        """Ask with pictures from outside: columns where these are seen, else one index."""
        asks = self.comparing if self._view == "compare" else self.searching
        asks.ask_pictures(list(pictures))

    def _on_part(self, photograph_id: int, region: Region) -> None:
        self.searching.ask_part(photograph_id, region)

    # --- what comes from outside -------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Take files, folders and pictures, but not our own photographs, and say what is done with them."""
        if event.source() is None and (event.mimeData().hasUrls() or event.mimeData().hasImage()):
            event.acceptProposedAction()
            title, more = said(*dragged(event.mimeData()), self._view, self.adding.last_waiting())
            if title:
                self.drop_sign.say(title, more)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide it."""
        super().dragLeaveEvent(event)
        self.drop_sign.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Add folders; search with pictures."""
        event.acceptProposedAction()
        self.drop_sign.hide()
        self.taking.take_data(event.mimeData())

    # --- what happened -----------------------------------------------------------------------------------------------

    def _on_counted(self, photographs: int, problems: int, pending: int) -> None:
        self.rail.show_problems(problems)
        self.learning.show_photographs(photographs)
        self._place_side()
        words = _("{passing} photographs", passing=photographs)
        if problems:
            words += " · " + _n("{count} file could not be read", "{count} files could not be read", problems)
        if pending:
            words += " · " + _n("{count} still to be added", "{count} still to be added", pending)
        self.status.show_state(words, bool(pending) or self.adding.has_unfinished())

    def _on_changed(self) -> None:
        for grid in (self.library_view.grid, self.search_view.grid):
            grid.pixmaps.retry()  # what there was no thumbnail of while its disk was away
        self.learning.refresh()
        self.late.refresh()
        self.pages.list_indexes()
        self.pages.list_problems()
        self.comparing.refresh()
        self.searching.refresh()
        self.viewing.refresh()

    def _on_changed_outside(self) -> None:
        self._on_changed()
        self.browsing.refresh()

    def _on_asks(self, sentence: str) -> None:
        self._notice.ask(sentence, _("Add"), _("Not now"))

    def answer_by(self, index: str) -> None:
        """Search by an index from now on, and show that it is the default one."""
        view = self._view
        self.searching.choose_index(index)
        if self._view != view:  # what was asked is asked anew; who learns, or looks at indexes, goes on with that
            self.show_view(view)
        self.pages.show_default(index)
        self.pages.list_indexes()

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if not self.opening.tells(topic) and topic not in self.told_in_view:
            self.status.show_message(f"{sentence} {next_step}")

    def _on_remedied(self, sentence: str, remedy: Remedy) -> None:
        self.undoing.offer_action(sentence, remedies.label(remedy), lambda: remedies.ACTS[remedy.name](self))

    def _tell_failure(self, sentence: str, next_step: str) -> None:
        self._views.fail(sentence, next_step)
        self.show_view("library")

    # --- Qt's events -------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the viewer as large as the views."""
        if outlived(self):
            return False
        if watched is self._views and event.type() is QEvent.Type.Resize:
            self.viewing.fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Give the results room in a narrow window."""
        super().resizeEvent(event)
        self._place_side()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Press with Enter the button that has the keys: Qt itself takes Space alone."""
        held = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(held, QAbstractButton):
            held.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Stop what runs; what is done is kept."""
        self.finish(hide=True)
        super().closeEvent(event)

    def finish(self, hide: bool = False) -> None:
        """Stop the work behind the window, remember how it stood, and close the library."""
        opened = self.opening.take()
        self.watch.take(None)
        state = {} if opened is None else self._state()
        if opened is not None:
            window_place.keep(self, self._path)
        if hide:
            self.hide()  # stopping may take a moment, in which a window would seem to hang
        deleting = self.pages.take_waiting()
        self.jobs.finish()
        self._collecting.finish()
        self.marking.finish()
        self.opening.close(opened, state, deleting)

    def _state(self) -> dict[str, Any]:
        return self.browsing.state() | self.searching.state() | self.comparing.state() | self.late.state()

    def bind(self, key: str, act: Callable[[], object]) -> None:
        """Bind a key for the whole window."""
        QShortcut(QKeySequence(key), self, act)


def _make_lab(frame: Frame) -> LatePart:
    from app.gui.lab.lab_view import LabShell

    return LabShell(frame.late)


def _make_map(frame: Frame) -> LatePart:
    from app.gui.map.controller import make

    return make(frame)
