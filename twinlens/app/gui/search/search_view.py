"""The page of a search: query, histogram of similarities, timing, results, and the explanation of the current one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QImage, QResizeEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.page_parts import EmptyState, column_of, row_of, scrolling
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.gui.search.colours.colours_panel import ColoursPanel, panel_width
from twinlens.app.gui.search.explanation_panel import ExplanationPanel
from twinlens.app.gui.search.match_pictures import MatchOverlay
from twinlens.app.gui.search.query_bar import QueryBar, QueryButtons, QueryHead
from twinlens.app.gui.search.query_examples import ShownExample
from twinlens.app.gui.search.search_results import (
    FoundPhotograph,
    LessSimilarLink,
    ResultPages,
    ResultRows,
    ResultStacks,
)
from twinlens.app.gui.search.similarity_histogram import SimilarityHistogram
from twinlens.app.gui.search.timing_line import CheckBar, ConfidenceLink, TimingLine, TimingStrip
from twinlens.app.language.texts import _, text

if TYPE_CHECKING:
    from twinlens.app.search.search_results import ConfidenceThreshold, SearchResult, SimilarityLevels


_ROOM_FOR_FACTS = 860
_ROUNDED = 1e-6  # similarities have six digits


class SearchView(QWidget):
    """Shows a query and its results, and filters them as the handles of the histogram move."""

    back_wanted = Signal()
    forward_wanted = Signal()
    history_wanted = Signal()
    """The menu of searches is about to be shown: :meth:`show_menu` shows it."""
    library_wanted = Signal()
    colours_wanted = Signal()
    """A palette or a sketch should be made, with no search yet."""
    words_wanted = Signal()
    """Words should be searched."""
    panel_wanted = Signal(bool)
    """Folders and filters should be shown or hidden."""

    _levels: SimilarityLevels | None = None

    def __init__(self) -> None:
        super().__init__()
        self.grid = PhotoGrid()
        self.bar = QueryBar()
        self.timing = TimingLine()
        self.checking = CheckBar()
        self.checking.only_wanted.connect(self.show_only_confirmed)
        self.why = ExplanationPanel()
        self.why.large_wanted.connect(self._on_large)
        self._histogram = SimilarityHistogram()
        self._histogram.range_changed.connect(self._on_range)
        self.sure = ConfidenceLink()
        self.sure.clicked.connect(self._on_sure)
        self._threshold: ConfidenceThreshold | None = None
        self.steps = steps = QueryButtons()
        steps.back.clicked.connect(self.back_wanted)
        steps.forward.clicked.connect(self.forward_wanted)
        steps.past.clicked.connect(self.history_wanted)
        steps.panel.clicked.connect(self.panel_wanted)
        steps.how.toggled.connect(self._on_how)
        self._note = QLabel()
        self._note.setObjectName("note")
        self._note.setWordWrap(True)
        self._note.setContentsMargins(20, 6, 20, 6)
        self._note.hide()
        self._make_pages()
        self._views = QStackedWidget(self)
        self._views.addWidget(self._make_body())
        self._views.addWidget(self._empty)
        self._views.setCurrentIndex(1)
        column_of(self._views, on=self, margins=0)
        self._colours: ColoursPanel | None = None
        self._large: MatchOverlay | None = None
        self._only_confirmed = False
        self._has_results = False
        self._is_checking = False
        self._is_checked = False
        self._check_state: tuple[bool, bool, bool] = (False, True, False)
        self._found: Sequence[FoundPhotograph] = ()
        self._missed: Sequence[FoundPhotograph] = ()
        self._shows_missed = False
        self._narrowed = False
        self._stacks = ResultStacks()
        self.grid.stack_wanted.connect(self.toggle_stack)
        self.timing.missed_wanted.connect(self._on_missed)
        self._on_how(False)

    def shows_how(self) -> bool:
        """Return whether the steps, the histogram and the code are shown."""
        return self.steps.how.isChecked()

    def show_how(self, shown: bool) -> None:
        """Show how results are found: steps with their times, the histogram of similarities, and codes."""
        self.steps.how.setChecked(shown)

    def _on_how(self, shown: bool) -> None:
        if not shown:
            self._histogram.reset()  # nothing is narrowed by what is out of sight
        for part in (self.timing, self.checking, self.why):
            part.show_detail(shown)
        self._histogram.setVisible(shown)
        self._mark_sure()
        self._show_again()

    def _make_pages(self) -> None:
        """Make the pages without a query, and the place of the results."""
        actions = window_actions()
        self._empty = EmptyState(
            _("Choose a photo in the library and press Enter, drop a picture here, or paste one."),
            _("Go to the library"),
            actions["library"].keys[0],
        )
        self._empty.wanted.connect(self.library_wanted)
        colours = self._empty.also(
            _("◐ Search with colours or a sketch"), _("Search with colours"), actions["colours"].keys[0]
        )
        colours.clicked.connect(self.colours_wanted)
        self._words = self._empty.also(_("✎ Search with words"), _("Search with words"), actions["words"].keys[0])
        self._words.clicked.connect(self.words_wanted)
        self._words.hide()
        self.bar.words_wanted.connect(self.words_wanted)
        self.results = ResultPages(self.grid)
        self.results.nothing.wanted.connect(self._histogram.reset)
        self.results.unconfirmed.wanted.connect(lambda: self.show_only_confirmed(False))

    def _make_body(self) -> QWidget:
        self._head = head = QueryHead(self.bar, self.steps, self._histogram)
        self.less = LessSimilarLink()
        self.less.clicked.connect(self._show_again)
        middle = column_of(
            TimingStrip(self.timing, self.sure, self.checking),
            self._note,
            (self.results, 1),
            (self.less, 0, Qt.AlignmentFlag.AlignHCenter),
            gap=0,
        )
        scroll = scrolling(self.why, role="")
        scroll.setObjectName("facts")
        scroll.setFixedWidth(panel_width())
        left = column_of(head, (middle, 1), gap=0)
        body = QWidget()
        row_of((left, 1), scroll, on=body, gap=0, margins=0)
        self._facts: QWidget = scroll
        return body

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit results and query to the room; hide the explanation where there is little."""
        super().resizeEvent(event)
        self._facts.setVisible(self.width() >= _ROOM_FOR_FACTS)
        self._fit_colours()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Close overlays when the view is left."""
        super().hideEvent(event)
        if self._large is not None:
            self._large.hide()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(640, 480)

    # --- the query ---------------------------------------------------------------------------------------------------

    def show_examples(self, examples: Sequence[ShownExample]) -> None:
        """Show the examples of the query; without any, a hint how to search."""
        self.bar.set_examples(examples)
        self._views.setCurrentIndex(0 if examples else 1)
        self._fit_colours()

    def offer_words(self, offered: bool) -> None:
        """Offer the search with words, where an index knows them."""
        self.bar.offer_words(offered)
        self._words.setVisible(offered)

    def words_place(self) -> QPoint:
        """Return where words are typed: under the query, or in the middle where there is none."""
        if self.bar.isVisible():
            return self.bar.mapToGlobal(QPoint(16, self.bar.height()))
        return self.mapToGlobal(QPoint(self.width() // 2 - 180, self.height() // 4))

    def colours_panel(self) -> ColoursPanel:
        """Return the panel of colours; it lies over the explanation, so that it hides no result."""
        if self._colours is None:
            self._colours = ColoursPanel(self)
            self._fit_colours()
        return self._colours

    def _fit_colours(self) -> None:
        if self._colours is not None:
            beside = self._facts.isVisibleTo(self) or self._views.currentIndex() == 1
            self._colours.fit(0 if beside else self._head.sizeHint().height())

    # --- the results -------------------------------------------------------------------------------------------------

    def show_results(
        self,
        result: SearchResult,
        found: Sequence[FoundPhotograph],
        missed: Sequence[FoundPhotograph],
        keep: bool = False,
        narrowed: bool = False,
        checking: bool = False,
        in_place: bool = False,
    ) -> None:
        """Show results.

        Parameters
        ----------
        found, missed : sequence of FoundPhotograph
            Results, and photographs that only exact search found, where it was run.
        keep : bool
            Whether the current photograph stays.
        narrowed : bool
            Whether a folder was chosen or a filter set, which may be why nothing is found.
        checking : bool
            Whether the first results are still being checked.
        in_place : bool
            The same results are visible already, and only more is known of them: nothing may move.
        """
        self._has_results = True
        self._is_checking = checking
        self._is_checked = result.checked > 0 and not checking
        self._found, self._missed = found, missed
        self._shows_missed = self._shows_missed and bool(missed)
        self._narrowed = narrowed
        self.timing.set_result(result, checking)
        self._show_check()
        if in_place:
            self.timing.add_note(text(result.note))
        else:
            self._note.setText(text(result.note))
            self._note.setVisible(bool(result.note))
        if in_place:
            self.show_sure(result.threshold or self._threshold)
            return
        self._threshold, self._levels = result.threshold, result.likeness
        if not keep:
            self.less.setChecked(False)
            self._stacks.close()
        counted = result.histogram
        similarities = [one.result.similarity for one in found]
        if counted is None:
            self._histogram.clear()
        else:
            self._histogram.set_histogram(counted.counts, counted.low, counted.high, similarities)
        self._mark_sure()
        self._show_rows(float("-inf"), float("inf"), keep)
        if not keep and found:
            self.grid.set_current(found[0].photograph.id)

    def is_as_it_came(self) -> bool:
        """Return whether the results are seen from the first one on, and nobody has chosen another."""
        first = self._found[0].photograph.id if self._found else -1
        seen_from_first = not self.grid.top() and self.grid.chosen() in ([], [first])
        return seen_from_first and not self._histogram.is_narrowed()

    def show_sure(self, sure: ConfidenceThreshold | None) -> None:
        """Show up to where the visible results are certain; nothing moves."""
        self._threshold = sure
        self._mark_sure()
        self._show_again()

    def _mark_sure(self) -> None:
        sure = self._threshold
        self._histogram.set_sure(None if sure is None else sure.similarity, 0.0 if sure is None else sure.wrong)
        within = 0 if sure is None else sum(not one.is_query and one.is_sure(sure) for one in self._found)
        of = sum(not one.is_query for one in self._found)
        shown = self.shows_how() and not (self._is_checking and not within)
        self.sure.show_sure(sure if shown else None, within, of)

    def _on_sure(self) -> None:
        if self._histogram.wants_sure():
            self._histogram.reset()
        else:
            self._histogram.want_sure()

    def show_check(self, applies: bool, checks: bool, waits: bool) -> None:
        """Show whether the index can be checked, whether it is, and whether matches wait to come first."""
        self._check_state = (applies, checks, waits)
        self._show_check()

    def show_only_confirmed(self, only: bool) -> None:
        """Show matches only, or all results."""
        self._only_confirmed = only
        self._show_check()
        self._show_again()

    def confirmed_ids(self) -> list[int]:
        """Return the matches, without the query itself."""
        found = self._found if self._is_checked else ()
        return [one.photograph.id for one in found if one.confirmed and not one.is_query]

    def name_of(self, photograph_id: int) -> str:
        """Return the name of a photograph among the results; empty if it is none."""
        found = (one.photograph for one in (*self._found, *self._missed))
        return next((one.name for one in found if one.id == photograph_id), "")

    def shows_only_confirmed(self) -> bool:
        """Return whether only matches are shown."""
        return self._only_confirmed

    def _show_check(self) -> None:
        applies, checks, waits = self._check_state
        count = sum(one.confirmed and not one.is_query for one in self._found) if self._is_checked else None
        self.checking.show_state(applies, checks, count, self._only_confirmed, waits)

    def _filters_confirmed(self) -> bool:
        applies, checks, __ = self._check_state
        return self._only_confirmed and applies and checks and self._is_checked

    def _on_large(self) -> None:
        if self._large is None:
            self._large = MatchOverlay(self)
        self._large.open(*self.why.match())

    def show_large(self, left: QImage, right: QImage) -> None:
        """Replace the thumbnails of an enlarged match by sharper pictures."""
        if self._large is not None and self._large.isVisible():
            self._large.sharpen(left, right)

    def show_searching(self) -> None:
        """Show that a search is under way, in place of the results of another one; the timing says what it does."""
        self._clear_results()
        self.results.show_page(self.results.searching)

    def refuse(self, sentence: str, way_out: str) -> None:
        """Show why there is no result, and what to do about it."""
        self._clear_results()
        self.timing.clear()
        self.results.refuse(sentence, way_out)

    def _clear_results(self) -> None:
        self._has_results = False
        self._found = self._missed = ()
        self._note.hide()
        self._threshold = self._levels = None
        self.less.hide()
        self._mark_sure()
        self._histogram.clear()
        self.grid.show_rows(ResultRows(()), keep=False)

    def focus_results(self) -> None:
        """Focus the results, or the hint if there is no search."""
        shown = self._empty if self._views.currentIndex() == 1 else self.results.currentWidget()
        if shown is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_again(self) -> None:
        self._show_rows(*self._histogram.chosen_range(), keep=True)

    def _on_range(self, low: float, high: float) -> None:
        self._show_rows(low, high, keep=True)

    def toggle_stack(self, photograph_id: int) -> None:
        """Open the stack in which a photograph stands, or close it."""
        stack = next((one.stack for one in self._found if one.photograph.id == photograph_id), None)
        if stack is not None:
            self._stacks.toggle(stack)
            self._show_again()
            if photograph_id not in self.grid.rows().ids:
                photograph_id = next(one.photograph.id for one in self._found if one.stack == stack)
            self.grid.set_current(photograph_id)

    def _on_missed(self, shown: bool) -> None:
        self._shows_missed = shown
        self._show_again()

    def _show_rows(self, low: float, high: float, keep: bool) -> None:
        if not self._has_results:
            return
        sure = self._threshold if self._histogram.wants_sure() else None
        shown = [
            one
            for one in self._found
            if low - _ROUNDED <= one.result.similarity <= high + _ROUNDED or (sure is not None and one.is_sure(sure))
        ]
        shown, stacks = self._stacks.visible(shown)
        shown = self.less.fold(shown, self._levels, self._threshold, not self._histogram.is_narrowed(), stacks)
        ghosts = self._missed if self._shows_missed else ()
        within = bool(shown)
        if self._filters_confirmed():
            shown, ghosts = [one for one in shown if one.confirmed], ()
        self.grid.show_rows(
            ResultRows([*shown, *ghosts], self._threshold, self._levels, stacks, self.shows_how()), keep=keep
        )
        self.sure.setChecked(self._histogram.wants_sure())
        pages = self.results
        if shown or ghosts:
            page = pages.grid
            if not ghosts and self._filters_confirmed() and all(one.is_query for one in shown) and len(self._found) > 1:
                page = pages.unconfirmed
        elif within:
            page = pages.unconfirmed
        elif self._found:
            page = pages.nothing
        else:
            page = pages.unfit if self._narrowed else pages.gone
        pages.show_page(page)
