"""What drives the compare view: the question, the columns, the indexes that are made for them, and the work behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from app.gui.adding_control import AddingControl
from app.gui.compare.answers import Found, ask, asked_picture, judged, shown_columns
from app.gui.compare.cover_feed import CoverFeed
from app.gui.compare.offers import Offers, gather_offers
from app.gui.compare.view import KS, MOST, CompareView
from app.gui.jobs import Jobs
from app.gui.opened import Opened
from core.progress import Progress

if TYPE_CHECKING:
    from app.asking import Question
    from app.compare_columns import Column
    from app.compare_results import CompareResult
    from app.compare_temporary import TemporaryIndexes
    from app.comparing import Comparison
    from app.gui.search_control import SearchControl

ASKING, JUDGING, MAKING = "compare", "compare with exact", "compare column"
_ASKED, _OFFERS, _NEXT, _EXPORT, _HOLDING = (
    "compare question", "compare offers", "compare another", "compare export", "compare held against another",
)  # fmt: skip
_K = 20


class CompareControl(QObject):
    """Asks columns, and shows what comes."""

    asked = Signal()
    """A new question: the view is to be shown."""
    library_wanted = Signal()
    search_wanted = Signal(str)
    """The question is to be asked of an index, in the search view."""
    told = Signal(str)

    def __init__(
        self, view: CompareView, adding: AddingControl, searching: SearchControl, jobs: Jobs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view, self._adding, self._searching, self._jobs = view, adding, searching, jobs
        self._opened: Opened | None = None
        self._kept: TemporaryIndexes | None = None
        self._question: Question | None = None
        self._before: list[Question] = []
        self._after: list[Question] = []
        self._wished: list[Column] = []  # by the person; empty: those that are worth seeing first
        self._pinned: list[Column] = []
        self._k = _K
        self._reference: Column | None = None
        self._found: Found | None = None
        self._judged = False
        self._making: Column | None = None
        self._progress: dict[Column, tuple[float, str]] = {}
        self._faults: dict[Column, str] = {}
        self._becoming: dict[str, Column] = {}  # what is being made an index of the library, by its name
        self._edited: Column | None = None
        self._picture: tuple[str, QImage] = ("", QImage())
        board = view.board
        board.asked.connect(lambda one: self.ask_pictures([one]))
        self._feed = CoverFeed(board, jobs)
        view.library_wanted.connect(self._on_ask_wanted)
        view.add_wanted.connect(self.open_adding)
        view.next_wanted.connect(self.ask_another)
        view.back_wanted.connect(self.go_back)
        view.forward_wanted.connect(self.go_forward)
        view.k_chosen.connect(self.set_k)
        view.reference_chosen.connect(self.hold_against)
        view.moved.connect(self.move)
        view.removed.connect(self.remove)
        view.pinned.connect(self.pin)
        view.change_wanted.connect(self.open_changing)
        view.keep_wanted.connect(self.keep)
        view.search_wanted.connect(self._on_search)
        view.export_wanted.connect(self._on_export)
        view.adding.added.connect(self.add)
        view.adding.changed.connect(self._on_changed)
        adding.index_made.connect(self._on_index_made)
        jobs.progressed.connect(self._on_progressed)
        jobs.failed.connect(self._on_failed)
        jobs.stopped.connect(self._on_stopped)

    def take(self, opened: Opened) -> None:
        """Ask this library from now on."""
        self._opened, self._kept, self._found, self._question = opened, None, None, None
        self._before.clear()
        self._after.clear()
        self._feed.take(opened)
        self._view.show_nothing()
        kept = opened.state.get("compare")
        self._restore(kept if isinstance(kept, dict) else {})

    def state(self) -> dict[str, Any]:
        """Give what is remembered of it."""
        return {
            "compare": {
                "columns": [column.to_json() for column in self._wished],
                "pinned": [column.to_json() for column in self._pinned],
                "k": self._k,
            }
        }

    def _restore(self, kept: dict[str, Any]) -> None:
        """Take what was remembered, if it is what this version writes."""
        from app.compare_columns import Column

        try:
            self._wished = [Column.from_json(one) for one in kept.get("columns", ())][:MOST]
            self._pinned = [Column.from_json(one) for one in kept.get("pinned", ())]
            self._k = kept.get("k", _K) if kept.get("k") in KS else _K
        except TypeError:
            self._wished, self._pinned, self._k = [], [], _K

    def columns(self) -> list[Column]:
        """Give the columns that are seen."""
        return self._wished or ([] if self._found is None else list(self._found.columns))

    @property
    def question(self) -> Question | None:
        """What is asked now."""
        return self._question

    # --- asking ------------------------------------------------------------------------------------------------------

    def ask_pictures(self, pictures: list[Path | int | bytes]) -> None:
        """Ask with one picture, or with several together."""
        from app.asking import Example, Question

        if pictures:
            self.ask(Question(tuple(Example(picture) for picture in pictures)))

    def ask(self, question: Question) -> None:
        """Ask something new; the way back leads to what was asked before."""
        if self._question is not None and self._question != question:
            self._before.append(self._question)
            self._after.clear()
        self._ask(question)

    def go_back(self) -> None:
        """Go back to the question before."""
        if self._before and self._question is not None:
            self._after.append(self._question)
            self._ask(self._before.pop())

    def go_forward(self) -> None:
        """Go forward again."""
        if self._after and self._question is not None:
            self._before.append(self._question)
            self._ask(self._after.pop())

    def ask_another(self) -> None:
        """Ask with any photograph of the library."""
        opened, index = self._opened, self._default()
        if opened is None:
            return

        def work(_: Progress) -> int:
            import random

            with opened.searcher.moment() as moment:
                ids = opened.searcher.index(moment, index).ids
            return int(random.choice(ids)) if len(ids) else -1  # noqa: S311 (any will do)

        self._jobs.start(_NEXT, work, lambda one: self.ask_pictures([one]) if one >= 0 else None)

    def refresh(self) -> None:
        """Ask again, since the library is another one."""
        if self._question is not None:
            self._work(keep=True)

    def _default(self) -> str:
        return self._searching.chosen_index

    def _on_ask_wanted(self) -> None:
        """Ask with what the search asks with, if it does; else show the library to choose from."""
        question = self._searching.question
        if question is not None:
            self.ask(question)
        else:
            self.told.emit(self.tr("Choose a photograph and press C to compare indexes by it."))
            self.library_wanted.emit()

    def _ask(self, question: Question) -> None:
        opened = self._opened
        if opened is None:
            return
        self._question = question
        self._faults.clear()
        self._view.show_asked(*self._picture, bool(self._before), bool(self._after))
        self._jobs.start(_ASKED, lambda _: asked_picture(opened, question), self._on_picture)
        self._work(keep=False)
        self.asked.emit()

    def _on_picture(self, picture: tuple[str, QImage]) -> None:
        self._picture = picture
        if self._question is not None:
            self._view.show_asked(*picture, bool(self._before), bool(self._after))

    def _work(self, keep: bool, quick: bool = True) -> None:
        """Ask the columns that answer at once, then the others, measure everything, and make what is not ready."""
        from app.compare_temporary import TemporaryIndexes

        opened, question = self._opened, self._question
        if opened is None or question is None:
            return
        if self._kept is None:
            self._kept = TemporaryIndexes()
        kept, wished, k, default = self._kept, list(self._wished), self._k, self._default()
        self._jobs.cancel(JUDGING)

        def work(progress: Progress) -> Found:
            return ask(opened, question, wished, default, k, kept, progress, quick)

        self._jobs.start(ASKING, work, lambda found: self._on_answered(found, keep))

    def _on_answered(self, found: Found, keep: bool) -> None:
        opened = self._opened
        if opened is None:
            return
        self._found, self._judged = found, False
        self._show(keep)
        if found.left:
            self._work(keep=True, quick=False)
            return
        comparison = found.comparison
        if comparison is None:
            self._make_next()
            return

        def work(progress: Progress) -> Found:
            from app.comparing import judge

            return judged(opened, found.columns, found.headings, judge(opened.searcher, comparison, progress))

        self._jobs.start(JUDGING, work, self._on_judged)

    def _on_judged(self, found: Found) -> None:
        self._found, self._judged = found, True
        self._show(keep=True)
        self._make_next()

    def _make_next(self) -> None:
        """Make the next column that is not there yet."""
        opened, found, kept = self._opened, self._found, self._kept
        if opened is None or found is None or kept is None or self._jobs.is_running(MAKING):
            return
        column = next((one for one in found.waiting() if one not in self._faults), None)
        self._making = column
        if column is None:
            return

        def work(progress: Progress) -> Column:
            with opened.searcher.moment() as moment:
                kept.build(opened.searcher, moment, column, progress)
            return column

        self._jobs.start(MAKING, work, self._on_made)

    def _on_made(self, column: Column) -> None:
        self._progress.pop(column, None)
        self._making = None
        self._work(keep=True)

    def _on_progressed(self, topic: str, done: float, total: float, text: str) -> None:
        if topic == MAKING and self._making is not None:
            share = done / total if total > 0 else 0.0
            self._progress[self._making] = (share, text)
            columns = self.columns()
            if self._making in columns:
                self._view.show_waiting(columns.index(self._making), text, share)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == ASKING:
            self._found = None
            self._view.show_nothing()  # why, the status line says
        if topic == MAKING and self._making is not None:
            self._faults[self._making] = f"{sentence} {next_step}".strip()
            self._making = None
            self._show(keep=True)
            self._make_next()

    def _on_stopped(self, topic: str) -> None:
        if topic == MAKING:
            self._making = None
            self._make_next()

    def _show(self, keep: bool) -> None:
        found = self._found
        if found is None:
            return
        reference = self._reference_place(found)
        if found.comparison is not None and (found.stale or reference != found.comparison.reference):
            self._hold(found, found.comparison.held_against(reference))
        columns = shown_columns(found, self._pinned, self._progress, self._faults)
        shown = -1 if self._reference not in found.columns else found.columns.index(self._reference)
        self._view.show_columns(columns, self._k, shown, keep)

    def _hold(self, found: Found, comparison: Comparison) -> None:
        """Say what comes of holding the columns against another one, unless they are others by then."""

        def then(result: CompareResult) -> None:
            if self._found is found:
                self._found = replace(found, comparison=comparison, result=result, stale=False)
                self._show(keep=True)

        self._jobs.start(_HOLDING, lambda _: comparison.result(), then)

    def _reference_place(self, found: Found) -> int | None:
        ready = found.ready()
        return ready.index(self._reference) if self._reference in ready else None

    # --- columns -----------------------------------------------------------------------------------------------------

    def set_k(self, k: int) -> None:
        """Ask each for so many."""
        if k != self._k:
            self._k = k
            self._work(keep=True)

    def hold_against(self, place: int) -> None:
        """Hold all columns against one, by its place; below 0, each against its own exact answer."""
        columns = self.columns()
        self._reference = columns[place] if 0 <= place < len(columns) else None
        self._show(keep=True)

    def add(self, column: Column) -> None:
        """Add a column at the right."""
        if column in self.columns():
            self.told.emit(self.tr("This column is there already."))
        elif len(self.columns()) >= MOST:
            self.told.emit(self.tr("Six columns are as many as can be seen; take one away first."))
        else:
            self._set([*self.columns(), column])
        self._view.focus_content()

    def remove(self, place: int) -> None:
        """Take a column away; one always stays."""
        columns = self.columns()
        if len(columns) > 1 and 0 <= place < len(columns):
            gone = columns[place]
            if gone == self._making:
                self._jobs.cancel(MAKING)
            self._pinned = [one for one in self._pinned if one != gone]
            self._set([one for one in columns if one != gone])

    def move(self, place: int, target: int) -> None:
        """Put a column into the place of another; pinned ones stay at the left."""
        columns = self.columns()
        pinned = sum(one in self._pinned for one in columns)
        if not (0 <= place < len(columns) and 0 <= target < len(columns)) or (place < pinned) != (target < pinned):
            return
        columns = list(columns)
        columns.insert(target, columns.pop(place))
        self._set(columns, target)

    def pin(self, place: int) -> None:
        """Keep a column at the left, or let it go."""
        columns = self.columns()
        if not 0 <= place < len(columns):
            return
        column = columns[place]
        self._pinned = (
            [one for one in self._pinned if one != column] if column in self._pinned else [*self._pinned, column]
        )
        ordered = sorted(columns, key=lambda one: one not in self._pinned)
        self._set(ordered, ordered.index(column))

    def _set(self, columns: list[Column], at: int = -1) -> None:
        """Show other columns; nothing is asked anew where all of them have answered."""
        self._wished = list(columns)
        if self._reference not in columns:
            self._reference = None
        found = self._found
        if found is not None and self._judged and all(one in found.ready() for one in columns):
            self._found = found.chosen(columns)
            self._show(keep=True)
        else:
            self._work(keep=True)
        if at >= 0:
            self._view.board.set_column(at)

    def open_adding(self) -> None:
        """Offer columns to add."""
        self._edited = None
        self._offer(lambda offers: self._view.adding.open(offers.kept, offers.worth, offers.bases, offers.base))

    def open_changing(self, place: int) -> None:
        """Offer to change the parameters of a column."""
        columns = self.columns()
        if not 0 <= place < len(columns):
            return
        column = self._edited = columns[place]

        def show(offers: Offers) -> None:
            own = next((one for one in offers.bases if one.name == column.index), offers.bases[0])
            self._view.adding.open_to_change(
                offers.bases, own.name, column.method or own.method, column.search or own.search
            )

        self._offer(show)

    def _offer(self, show: Any) -> None:
        opened, present, default = self._opened, self.columns(), self._default()
        if opened is not None:
            self._jobs.start(_OFFERS, lambda _: gather_offers(opened, present, default), show)

    def _on_changed(self, column: Column) -> None:
        columns = self.columns()
        if self._edited in columns and column not in columns:
            self._set([column if one == self._edited else one for one in columns])
        self._edited = None
        self._view.focus_content()

    # --- what comes of it --------------------------------------------------------------------------------------------

    def keep(self, place: int) -> None:
        """Make an index of the library of a column with changed parameters."""
        found, columns = self._found, self.columns()
        if found is None or not 0 <= place < len(columns) or columns[place] not in found.ready():
            return
        assert found.result is not None
        one = found.result.columns[found.ready().index(columns[place])]
        if not one.changed or not one.method:
            self.told.emit(self.tr("The library keeps this already."))
            return
        name = f"{one.index} · {one.name}"
        self._becoming[name] = columns[place]
        self._adding.create_index(one.descriptor, one.metric, one.method, one.search, name)

    def _on_index_made(self, name: str) -> None:
        from app.compare_columns import Column

        column = self._becoming.pop(name, None)
        if column is not None and column in self.columns():
            self._set([Column(name) if one == column else one for one in self.columns()])

    def _on_search(self, place: int) -> None:
        columns = self.columns()
        if self._question is not None and 0 <= place < len(columns):
            self.search_wanted.emit(columns[place].index)

    def _on_export(self, how: str) -> None:
        found = self._found
        if found is None or found.result is None:
            return
        words = {"png": self.tr("Picture (*.png)"), "csv": self.tr("Table (*.csv)"), "json": self.tr("JSON (*.json)")}
        name, _ = QFileDialog.getSaveFileName(
            self._view, self.tr("Write the comparison as"), f"comparison.{how}", words[how]
        )
        if name:
            self.export(Path(name))

    def export(self, file: Path) -> None:
        """Write what is seen: a picture, a table, or everything as JSON, by the name of the file."""
        found = self._found
        if found is None or found.comparison is None:
            return
        result = found.comparison.held_against(self._reference_place(found)).result()
        image = self._view.picture().toImage() if file.suffix.lower() == ".png" else None

        def work(_: Progress) -> Path:
            from app.compare_export import write_comparison
            from core.errors import TwinlensError

            if image is None:
                write_comparison(result, file)
            elif not image.save(str(file)):
                raise TwinlensError(f"{file} cannot be written.", "Choose another place.")
            return file

        self._jobs.start(_EXPORT, work, lambda done: self.told.emit(self.tr("Written to {0}").format(done)))
