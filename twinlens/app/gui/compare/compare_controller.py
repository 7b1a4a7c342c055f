"""Controller of a comparison: query, chosen columns and filters.

A comparison is exported to a file, and a column that is no index of the library yet can become one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

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
from twinlens.app.gui.compare.compare_view import MOST_COLUMNS, RESULT_COUNTS, CompareView, filters_text
from twinlens.app.gui.pictures.photograph import png_of
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.services.long_work import IndexMaking
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, text
from twinlens.app.library.library import Library
from twinlens.app.machine.app_folders import home_relative
from twinlens.app.machine.output_file import DRAWING, MADE_BY, OutputFile
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.compare.columns import ComparisonColumn
    from twinlens.app.compare.comparison_results import ComparedColumn, CompareResult
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
        self._question: SearchQuery | None = None
        self._wishes = ChosenColumns()
        self._filters: dict[str, str] = {}
        self._stale = False  # what is shown is of the library as it was before
        self._picture: tuple[str, QImage] = ("", QImage())
        self._feed = PictureFeed(view.board.pictures, opened, jobs)
        self._asking = ColumnSearch(opened, jobs, self)
        self._choosing = ColumnChoice(view.adding, jobs, self)
        self._keeping = ColumnKeeping(window.making, self)
        self._wishes.restore(opened.state.get("compare"))
        self._connect()
        view.show_nothing()
        self._wishes.restore(opened.state.get("compare"))

    def _connect(self) -> None:
        view = self.view
        view.board.asked.connect(lambda one: self.take_pictures([one]))
        view.library_wanted.connect(self._on_ask_wanted)
        view.head.add_wanted.connect(self.open_adding)
        view.head.next_wanted.connect(self.ask_another)
        view.head.back_wanted.connect(self._window.history.go_back)
        view.head.forward_wanted.connect(self._window.history.go_forward)
        view.head.k_chosen.connect(self.set_k)
        view.head.reference_chosen.connect(self.hold_against)
        view.moved.connect(self.move)
        view.removed.connect(self.remove)
        view.pinned.connect(self.pin)
        view.change_wanted.connect(self.open_changing)
        view.keep_wanted.connect(self.keep)
        view.search_wanted.connect(self._on_search)
        view.export_wanted.connect(self._on_export)
        view.came_into_sight.connect(self._on_seen)
        self._choosing.chosen.connect(self.add)
        self._choosing.changed.connect(self._on_changed)
        self._keeping.kept.connect(self._on_kept)
        self._asking.changed.connect(self._show)
        self._asking.failed.connect(self._on_failed)
        self._asking.making.progressed.connect(self._on_making)
        window = self._window
        view.left.connect(window.left)
        window.shared.narrowed.connect(self.set_filters)
        self.set_filters(window.shared.filters)
        view.head.panel_wanted.connect(window.panel_wanted)
        view.head.all_wanted.connect(window.side.clear)
        view.board.looked_at.connect(lambda one: window.viewing.show(view.board, one))
        view.board.menu_wanted.connect(window.show_menu)

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
        return [] if self._question is None else self._question.photographs[:1]

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
    def question(self) -> SearchQuery | None:
        """The current query."""
        return self._question

    # --- asking ------------------------------------------------------------------------------------------------------

    def take_pictures(self, pictures: Sequence[Path | int | bytes]) -> None:
        """Search with one picture, or with several together."""
        from twinlens.app.search.search_query import Example, SearchQuery

        if pictures:
            self.ask(SearchQuery(tuple(Example(picture) for picture in pictures)))

    def ask(self, question: SearchQuery) -> None:
        """Start a new search; back leads to the current one."""
        self._question = question
        self._ask()

    def present(self) -> SearchQuery | None:
        """Return the current query."""
        return self._question

    def return_to(self, asked: object) -> None:
        """Repeat a former search."""
        if asked != self._question:
            self._question = cast("SearchQuery", asked)
            self._ask()

    def ask_another(self) -> None:
        """Search with a random photograph that passes the filters."""
        opened, index, filters = self._opened, self._default(), dict(self._filters)
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
        if self.question is None:
            return
        self._stale = not self.view.isVisible()
        if not self._stale:
            self._work(keep=True)

    def _on_seen(self) -> None:
        if self._stale:
            self.refresh()

    def _default(self) -> str:
        return self._window.shared.chosen_index

    def _on_ask_wanted(self) -> None:
        """Search with the query of the search view; if there is none, show the library to choose from."""
        question = self._window.shared.query
        if question is not None:
            self.ask(question)
        else:
            self._window.status.show_message(_("Choose a photo and press C to compare indexes with it."))
            self._window.show_view("library")

    def _ask(self) -> None:
        opened, question = self._opened, self.question
        if question is None:
            return
        self._asking.making.faults.clear()
        self._show_asked()
        self._picturing.begin(lambda __: query_picture(opened, question)).then(self._on_picture)
        self._window.show_view("compare")  # first: seen again, it asks anew if the library has changed
        self._work(keep=False)

    def _on_picture(self, picture: tuple[str, QImage]) -> None:
        self._picture = picture
        if self.question is not None:
            self._show_asked()

    def _show_asked(self) -> None:
        history = self._window.history
        self.view.show_asked(*self._picture, history.can_go_back(), history.can_go_forward())

    def _work(self, keep: bool) -> None:
        question, wishes = self.question, self._wishes
        if question is not None:
            self._stale = False
            asked = ColumnQuery(question, tuple(wishes.columns), self._default(), wishes.k, dict(self._filters))
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
        if k != self._wishes.k:
            self._wishes.k = k
            self._work(keep=True)

    def hold_against(self, place: int) -> None:
        """Compare all columns with one, by its position; below 0, each with its own exact search."""
        columns = self.columns()
        self._wishes.reference = columns[place] if 0 <= place < len(columns) else None
        self._show(keep=True)

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
        if self.question is None and asked >= 0:
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
        if self.question is not None:
            self._window.views.get("search", SearchControl).search(self.question, index)

    def _on_search(self, place: int) -> None:
        columns = self.columns()
        if self.question is not None and 0 <= place < len(columns):
            self._search_by(columns[place].index)

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


_K = 20


class ChosenColumns:
    """The chosen columns and the reference, as they are remembered.

    Attributes
    ----------
    columns : list of ComparisonColumn
        Chosen by the person; empty: those that are worth seeing first.
    pinned : list of ComparisonColumn
        Those that stay at the left.
    k : int
        How many each is asked for.
    reference : ComparisonColumn or None
        What all are held against; None: each against its own exact answer.
    """

    def __init__(self) -> None:
        self.columns: list[ComparisonColumn] = []
        self.pinned: list[ComparisonColumn] = []
        self.k = _K
        self.reference: ComparisonColumn | None = None
        self._taken_away: list[tuple[list[ComparisonColumn], list[ComparisonColumn], ComparisonColumn | None]] = []

    def state(self) -> dict[str, Any]:
        """Return the remembered state as plain values."""
        return {
            "columns": [column.to_json() for column in self.columns],
            "pinned": [column.to_json() for column in self.pinned],
            "k": self.k,
        }

    def restore(self, kept: object) -> None:
        """Restore a remembered state, if this version wrote it."""
        from twinlens.app.compare.columns import ComparisonColumn

        self._taken_away.clear()
        known: dict[str, Any] = kept if isinstance(kept, dict) else {}
        try:
            self.columns = [ComparisonColumn.from_json(one) for one in known.get("columns", ())][:MOST_COLUMNS]
            self.pinned = [ComparisonColumn.from_json(one) for one in known.get("pinned", ())]
            self.k = known.get("k", _K) if known.get("k") in RESULT_COUNTS else _K
        except TypeError:
            self.columns, self.pinned, self.k = [], [], _K

    def take(self, columns: Sequence[ComparisonColumn]) -> None:
        """Choose other columns; the reference goes if its column is gone."""
        self.columns = list(columns)
        if self.reference not in columns:
            self.reference = None

    def without(self, columns: Sequence[ComparisonColumn], gone: ComparisonColumn) -> list[ComparisonColumn] | None:
        """Remove a column; return None if it is the last one, or not there."""
        if len(columns) < 2 or gone not in columns:
            return None
        self._taken_away.append((list(columns), self.pinned, self.reference))
        self.pinned = [one for one in self.pinned if one != gone]
        return [one for one in columns if one != gone]

    def brought_back(self, columns: Sequence[ComparisonColumn]) -> list[ComparisonColumn] | None:
        """Restore the column removed last, in its position; return None if there is none, or no room."""
        while self._taken_away:
            before, pinned, reference = self._taken_away.pop()
            back = [one for one in before if one not in columns]
            if not back or len(columns) + len(back) > MOST_COLUMNS:
                continue
            order = list(columns)
            for one in back:
                order.insert(min(before.index(one), len(order)), one)
            self.pinned = [one for one in order if one in self.pinned or (one in back and one in pinned)]
            self.reference = reference if reference in back else self.reference
            return order
        return None

    def moved(self, columns: Sequence[ComparisonColumn], place: int, target: int) -> list[ComparisonColumn] | None:
        """Move a column; return None if it cannot be moved, since pinned ones stay at the left."""
        pinned = sum(one in self.pinned for one in columns)
        if not (0 <= place < len(columns) and 0 <= target < len(columns)) or (place < pinned) != (target < pinned):
            return None
        order = list(columns)
        order.insert(target, order.pop(place))
        return order

    def pin(self, columns: Sequence[ComparisonColumn], place: int) -> list[ComparisonColumn]:
        """Pin a column to the left, or unpin it; return the new order."""
        column = columns[place]
        if column in self.pinned:
            self.pinned = [one for one in self.pinned if one != column]
        else:
            self.pinned = [*self.pinned, column]
        return sorted(columns, key=lambda one: one not in self.pinned)


class ColumnKeeping(QObject):
    """Creation of library indexes from changed columns."""

    kept = Signal(object, str)
    """A `ComparisonColumn`, and the name of its new index."""

    def __init__(self, making: IndexMaking, parent: QObject) -> None:
        super().__init__(parent)
        self._making = making
        self._becoming: dict[str, ComparisonColumn] = {}  # by the name of what is being made
        making.made.connect(self._on_index_made)

    def keep(self, column: ComparisonColumn, one: ComparedColumn) -> bool:
        """Make an index of a column; return False if the library already has it."""
        if not one.changed or not one.method:
            return False
        name = f"{one.index} · {text(one.title)}"
        self._becoming[name] = column
        self._making.create(one.descriptor, one.metric, one.method, one.search, name)
        return True

    def _on_index_made(self, name: str) -> None:
        column = self._becoming.pop(name, None)
        if column is not None:
            self.kept.emit(column, name)


def choose_comparison_file(parent: QWidget, how: str, library: Library) -> OutputFile | None:
    """Let the person choose a ``png``, ``csv`` or ``json`` file; return None if cancelled."""
    kinds = {
        "png": _("Picture (*.png)"),
        "csv": _("Table (*.csv)"),
        "json": _("JSON (*.json)"),
    }
    heading = _("Save the comparison as")
    return ask_for_output(parent, heading, f"comparison.{how}", kinds[how], library)


def export_comparison(
    jobs: Jobs, file: OutputFile, result: CompareResult, image: QImage | None, tell: Callable[[str], object]
) -> None:
    """Write a picture, a table, or everything as JSON, by the file's ending; ``tell`` reports the file."""

    def work(__: Progress) -> OutputFile:
        from twinlens.app.compare.comparison_results import write_comparison

        if image is None:
            write_comparison(result, file)
        else:
            image.setText("Software", MADE_BY)
            file.write(png_of(image), DRAWING)
        return file

    def done(written: OutputFile) -> None:
        tell(_("Saved as {last}", last=home_relative(str(written))))

    jobs.begin(work).then(done)
