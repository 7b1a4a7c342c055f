"""Controller of a comparison: query, chosen columns and filters.

A comparison is exported to a file, and a column that is no index of the library yet can become one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import compare_actions, window_actions
from twinlens.app.gui.compare.chosen_columns import (
    ChosenColumns,
    ColumnKeeping,
    choose_comparison_file,
    export_comparison,
)
from twinlens.app.gui.compare.column_choice import ColumnChoice
from twinlens.app.gui.compare.column_search import (
    BoardResults,
    ColumnQuery,
    ColumnSearch,
    query_picture,
    random_photograph,
    shown_columns,
)
from twinlens.app.gui.compare.compare_board import CompareBoard
from twinlens.app.gui.compare.compare_view import MOST_COLUMNS, CompareView, filters_text
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _
from twinlens.app.machine.output_file import OutputFile

if TYPE_CHECKING:
    from twinlens.app.compare.columns import ComparisonColumn
    from twinlens.app.search.search_query import SearchQuery


class CompareControl(QObject):
    """Controller of the page of a comparison."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        opened, jobs = window.opened, window.jobs
        view = self.view = CompareView()
        self._window, self._opened, self._jobs = window, opened, jobs
        self._next = self._jobs.latest()
        self._picturing = self._jobs.latest()
        self._query: SearchQuery | None = None
        self._wishes = ChosenColumns()
        self._filters: dict[str, str] = {}
        self._stale = False  # what is shown is of the library as it was before
        self._picture: tuple[str, QImage] = ("", QImage())
        self._feed = PictureFeed(view.board.pictures, opened, jobs)
        self._asking = ColumnSearch(opened, jobs, window.work, self)
        self._choosing = ColumnChoice(view.adding, jobs, self)
        self._keeping = ColumnKeeping(window.making, self)
        self._wishes.restore(opened.state.get("compare"))
        self._connect()
        self._bind()
        view.show_nothing()
        self._wishes.restore(opened.state.get("compare"))

    def _connect(self) -> None:
        view, window, head = self.view, self._window, self.view.head
        view.board.asked.connect(lambda one: self.take_pictures([one]))
        view.board.looked_at.connect(lambda one: window.viewing.show(view.board, one))
        view.board.menu_wanted.connect(window.show_menu)
        view.empty.wanted.connect(self.ask_here)
        view.headers.moved.connect(self.move)
        view.headers.menu_wanted.connect(self._show_column_menu)
        head.back_wanted.connect(window.history.go_back)
        head.forward_wanted.connect(window.history.go_forward)
        head.panel_wanted.connect(window.panel_wanted)
        head.k_chosen.connect(self.set_k)
        head.reference_chosen.connect(self.hold_against)
        head.all_wanted.connect(self._show_all)
        view.came_into_sight.connect(self._on_seen)
        self._choosing.chosen.connect(self.add)
        self._choosing.changed.connect(self._on_changed)
        self._keeping.kept.connect(self._on_kept)
        self._asking.changed.connect(self._show)
        self._asking.failed.connect(self._on_failed)
        self._asking.making.progressed.connect(self._on_making)
        window.shared.narrowed.connect(self.set_filters)
        self.set_filters(window.shared.filters)

    def _bind(self) -> None:
        view, board = self.view, self.view.board
        acts = attach(
            board,
            compare_actions(),
            {
                "left": lambda: self.move(board.column(), board.column() - 1),
                "right": lambda: self.move(board.column(), board.column() + 1),
                "remove": lambda: self.remove(board.column()),
                "pin": lambda: self.pin(board.column()),
                "change": lambda: self.open_changing(board.column()),
                "keep": lambda: self.keep(board.column()),
                "add": self.open_adding,
                "another": self.ask_another,
                "reference": self._hold_against_next,
                "more": lambda: view.head.step_k(1),
                "fewer": lambda: view.head.step_k(-1),
                "all": self._show_all,
                "menu": lambda: self._show_column_menu(board.column(), view.headers.below_button(board.column())),
                "export": self._show_export,
                "larger": lambda: board.zoom(1),
                "smaller": lambda: board.zoom(-1),
            },
        )
        for button, name in ((view.head.add, "add"), (view.head.another, "another"), (view.head.export, "export")):
            button.clicked.connect(acts[name].trigger)
        # In the panel of columns Esc is the panel's.
        attach(view.pages, window_actions(), {"leave": self._window.left.emit})

    def _on_failed(self, failure: Failure) -> None:
        self.view.show_nothing()
        self._jobs.failed.emit(failure)

    def focus(self) -> None:
        """Focus the columns."""
        self.view.focus_content()

    def chosen(self) -> list[int]:
        """Return the current photograph."""
        return [] if self.current() < 0 else [self.current()]

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""
        return self.view.board.current_id()

    def query_photographs(self) -> list[int]:
        """Return the first photograph of the library in the query."""
        return [] if self._query is None else self._query.photographs[:1]

    def looked_through(self) -> CompareBoard:
        """Return the board, whose photographs the viewer steps through."""
        return self.view.board

    def state(self) -> dict[str, Any]:
        """Return the columns to remember."""
        return self._wishes.state()

    def columns(self) -> list[ComparisonColumn]:
        """Return the visible columns."""
        found = self._asking.found
        return self._wishes.columns or ([] if found is None else list(found.columns))

    @property
    def query(self) -> SearchQuery | None:
        """The current query."""
        return self._query

    # --- asking ------------------------------------------------------------------------------------------------------

    def take_pictures(self, pictures: Sequence[Path | int | bytes]) -> None:
        """Search with one picture, or with several together."""
        from twinlens.app.search.search_query import Example, SearchQuery

        if pictures:
            self.ask(SearchQuery(tuple(Example(picture) for picture in pictures)))

    def ask(self, query: SearchQuery) -> None:
        """Start a new search; back leads to the current one."""
        self._query = query
        self._ask()

    def present(self) -> SearchQuery | None:
        """Return the current query."""
        return self._query

    def return_to(self, asked: object) -> None:
        """Repeat a former search."""
        if asked != self._query:
            self._query = cast("SearchQuery", asked)
            self._ask()

    def ask_another(self) -> None:
        """Search with a random photograph that passes the filters."""
        opened, index, filters = self._opened, self._default(), dict(self._filters)
        self.view.focus_content()
        self._next.begin(lambda __: random_photograph(opened, index, filters)).then(self.take_pictures)

    def set_filters(self, filters: Mapping[str, str]) -> None:
        """Set the filters of all columns and search again."""
        if dict(filters) != self._filters:
            self._filters = dict(filters)
            self.view.show_narrowed(filters_text(filters))
            self.refresh()

    def refresh(self) -> None:
        """Search again after a change of the library; a hidden view waits until it is shown."""
        self.view.board.pictures.retry()
        if self.query is None:
            return
        self._stale = not self.view.isVisible()
        if not self._stale:
            self._work(keep=True)

    def _on_seen(self) -> None:
        if self._stale:
            self.refresh()

    def _default(self) -> str:
        return self._window.shared.chosen_index

    def ask_here(self) -> None:
        """Search with the query of the search view; if there is none, show the library to choose from."""
        query = self._window.shared.query
        if query is not None:
            self.ask(query)
        else:
            self._window.status.show_message(_("Choose a photo and press C to compare indexes with it."))
            self._window.show_view("library")

    def _ask(self) -> None:
        opened, query = self._opened, self.query
        if query is None:
            return
        self._asking.making.faults.clear()
        self._show_asked()
        self._picturing.begin(lambda __: query_picture(opened, query)).then(self._on_picture)
        self._window.show_view("compare")  # first: seen again, it asks anew if the library has changed
        self._work(keep=False)

    def _on_picture(self, picture: tuple[str, QImage]) -> None:
        self._picture = picture
        if self.query is not None:
            self._show_asked()

    def _show_asked(self) -> None:
        history = self._window.history
        self.view.show_asked(*self._picture, history.can_go_back(), history.can_go_forward())

    def _work(self, keep: bool) -> None:
        query, wishes = self.query, self._wishes
        if query is not None:
            self._stale = False
            asked = ColumnQuery(query, tuple(wishes.columns), self._default(), wishes.k, dict(self._filters))
            self._asking.ask(asked, keep)

    def _on_making(self, column: ComparisonColumn, share: float, words: str) -> None:
        columns = self.columns()
        if column in columns:
            self.view.show_waiting(columns.index(column), words, share)

    # --- showing -----------------------------------------------------------------------------------------------------

    def _show(self, keep: bool) -> None:
        found, reference, making = self._asking.found, self._wishes.reference, self._asking.making
        if found is None:
            return
        self._asking.hold_against(self._reference_place(found))
        columns = shown_columns(found, self._wishes.pinned, making.progress, making.faults)
        shown = -1 if reference not in found.columns else found.columns.index(reference)
        self.view.show_columns(columns, self._wishes.k, shown, keep)

    def _reference_place(self, found: BoardResults) -> int | None:
        ready, reference = found.ready(), self._wishes.reference
        return ready.index(reference) if reference in ready else None

    # --- columns -----------------------------------------------------------------------------------------------------

    def set_k(self, k: int) -> None:
        """Set the number of results of each column."""
        self.view.focus_content()
        if k != self._wishes.k:
            self._wishes.k = k
            self._work(keep=True)

    def hold_against(self, place: int) -> None:
        """Compare all columns with one, by its position; below 0, each with its own exact search."""
        columns = self.columns()
        self.view.focus_content()
        self._wishes.reference = columns[place] if 0 <= place < len(columns) else None
        self._show(keep=True)

    def _hold_against_next(self) -> None:
        shown = len(self.view.columns())
        if shown:
            self.hold_against((self.view.reference() + 2) % (shown + 1) - 1)

    def _show_all(self) -> None:
        """Narrow the columns down no more."""
        self._window.side.clear()
        self.view.focus_content()

    def add(self, column: ComparisonColumn) -> None:
        """Add a column at the right."""
        if column in self.columns():
            self._window.status.show_message(_("This column is already shown."))
        elif len(self.columns()) >= MOST_COLUMNS:
            self._window.status.show_message(_("Up to six columns fit. Remove one first."))
        else:
            self.set_columns([*self.columns(), column])
        self.view.focus_content()

    def show_columns(self, columns: Sequence[ComparisonColumn], asked: int) -> None:
        """Add these columns; without a query, search with a photograph."""
        for one in columns:
            if one not in self.columns():
                self.add(one)
        if self.query is None and asked >= 0:
            self.take_pictures([asked])

    def remove(self, place: int) -> None:
        """Remove a column, never the last one."""
        columns = self.columns()
        if 0 <= place < len(columns) and self._take_away(gone := columns[place]):
            self._window.undoing.offer(_("Column removed."), self._bring_back, lambda: self._take_away(gone))

    def _take_away(self, gone: ComparisonColumn) -> bool:
        left = self._wishes.without(self.columns(), gone)
        if left is None:
            return False
        self._asking.making.give_up(gone)
        self.set_columns(left)
        return True

    def _bring_back(self) -> None:
        columns = self._wishes.brought_back(self.columns())
        if columns is not None:
            self.set_columns(columns)

    def move(self, place: int, target: int) -> None:
        """Move a column; pinned ones stay at the left."""
        order = self._wishes.moved(self.columns(), place, target)
        if order is not None:
            self.set_columns(order, target)

    def pin(self, place: int) -> None:
        """Pin a column to the left, or unpin it."""
        columns = self.columns()
        if 0 <= place < len(columns):
            order = self._wishes.pin(columns, place)
            self.set_columns(order, order.index(columns[place]))

    def set_columns(self, columns: list[ComparisonColumn], at: int = -1) -> None:
        """Show other columns; known results are not searched again."""
        self._wishes.take(columns)
        if self._asking.choose(columns):
            self._show(keep=True)
        else:
            self._work(keep=True)
        if at >= 0:
            self.view.board.set_column(at)

    def open_adding(self) -> None:
        """Show columns to add."""
        self._choosing.offer(self._opened, self.columns(), self._default(), self.view.board.column())

    def open_changing(self, place: int) -> None:
        """Show the parameters of a column, to change them."""
        columns = self.columns()
        if 0 <= place < len(columns):
            self._choosing.offer_change(self._opened, columns, self._default(), columns[place])

    def _on_changed(self, edited: ComparisonColumn | None, column: ComparisonColumn) -> None:
        columns = self.columns()
        if edited in columns and column not in columns:
            self.set_columns([column if one == edited else one for one in columns])
        self.view.focus_content()

    def column_menu(self, column: int) -> QMenu:
        """Make the menu of a column."""
        shown, count = self.view.columns()[column], len(self.view.columns())
        held = self.view.reference() == column
        menu, actions = KeyedMenu(self.view), compare_actions()

        def add(words: str, act: Callable[[], object], action: str, enabled: bool = True) -> None:
            """Add an entry; the key of the action is shown only: it is bound to the board."""
            key = f"\t{actions[action].keys_text()}" if action else ""
            menu.addAction(words + key, act).setEnabled(enabled)

        add(_("Change its parameters…"), lambda: self.open_changing(column), "change")
        if shown.changed and shown.one is not None:
            add(_("Keep as an index of the library"), lambda: self.keep(column), "keep")
        if not shown.changed:
            add(_("Search with it"), lambda: self._on_search(column), "")
        words = _("Compare each with its own exact search") if held else _("Compare all with this one")
        add(words, lambda: self.hold_against(-1 if held else column), "reference")
        menu.addSeparator()
        add(_("Unpin") if shown.pinned else _("Pin to the left"), lambda: self.pin(column), "pin")
        add(_("Move left"), lambda: self.move(column, column - 1), "left", column > 0)
        add(_("Move right"), lambda: self.move(column, column + 1), "right", column + 1 < count)
        menu.addSeparator()
        add(_("Remove"), lambda: self.remove(column), "remove", count > 1)
        return menu

    def _show_column_menu(self, column: int, place: QPoint) -> None:
        if 0 <= column < len(self.view.columns()):
            self.column_menu(column).exec(place)

    # --- what comes of it --------------------------------------------------------------------------------------------

    def keep(self, place: int) -> None:
        """Make an index of the library from a changed column."""
        found, columns = self._asking.found, self.columns()
        if found is None or not 0 <= place < len(columns) or columns[place] not in found.ready():
            return
        assert found.result is not None
        one = found.result.columns[found.ready().index(columns[place])]
        if not self._keeping.keep(columns[place], one):
            self._window.status.show_message(_("This is already an index of the library."))

    def _on_kept(self, column: ComparisonColumn, name: str) -> None:
        from twinlens.app.compare.columns import ComparisonColumn as Made

        if column in self.columns():
            self.set_columns([Made(name) if one == column else one for one in self.columns()])

    def _search_by(self, index: str) -> None:
        if self.query is not None:
            self._window.views.get("search", SearchControl).search(self.query, index)

    def _on_search(self, place: int) -> None:
        columns = self.columns()
        if self.query is not None and 0 <= place < len(columns):
            self._search_by(columns[place].index)

    def _show_export(self) -> None:
        menu = QMenu(self.view)
        for words, how in (
            (_("Picture (PNG)…"), "png"),
            (_("Numbers (CSV)…"), "csv"),
            (_("Everything (JSON)…"), "json"),
        ):
            menu.addAction(words, partial(self._on_export, how))
        menu.exec(self.view.head.below_export())

    def _on_export(self, how: str) -> None:
        found = self._asking.found
        if found is not None and found.result is not None:
            file = choose_comparison_file(self.view, how, self._opened.library)
            if file is not None:
                self.export(file)

    def export(self, file: OutputFile) -> None:
        """Write the comparison by the ending of the file: a picture, a table, or everything as JSON."""
        found = self._asking.found
        if found is not None and found.comparison is not None:
            result = found.comparison.held_against(self._reference_place(found)).result()
            image = self.view.picture().toImage() if file.ending == ".png" else None
            export_comparison(self._jobs, file, result, image, self._window.status.show_message)
