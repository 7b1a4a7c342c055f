"""The controller of the search page: it runs the query in the chosen index with the filters and shows the results.

It also names and crops the query's examples, and keeps the query in the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from twinlens.app.gui.photo_grid.photo_grid import GridControl
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.search.query_bar import IndexOption
from twinlens.app.gui.search.query_examples import ExampleCropping, ShownExample
from twinlens.app.gui.search.result_checks import CheckControl, ConfidenceControl, ExplanationControl
from twinlens.app.gui.search.search_view import SearchView
from twinlens.app.gui.search.window_search import (
    IndexChoice,
    ShownResults,
    WindowSearch,
    check,
    drawn_example,
    find,
    has_colours_alone,
    keep_in_history,
    name_and_thumbnail,
    uses_words,
)
from twinlens.app.gui.services.dropped_files import MOST_EXAMPLES
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.viewer.crop import Region
    from twinlens.app.indexes.index_results import IndexListResult
    from twinlens.app.search.search_query import SearchQuery
    from twinlens.app.search.search_results import ConfidenceThreshold, SearchResult


_SLOW_MS = 200  # sooner, results would only flicker


class SearchControl(GridControl, QObject):
    """Runs searches and shows their results."""

    examples_named = Signal()
    results_changed = Signal()
    """A result is shown, or replaced by another."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        opened, jobs = window.opened, window.jobs
        view = self.view = SearchView()
        self.grid = view.grid
        self._opened, self._jobs, self._window = opened, jobs, window
        self.searching = self._jobs.latest()
        self._naming = self._jobs.latest()
        self._cropping = ExampleCropping(view, opened, jobs)
        self._cropping.chosen.connect(self._on_part)
        self._why = ExplanationControl(view, opened, jobs, self)
        self._now: WindowSearch | None = None
        self._choice = IndexChoice(window.shared)
        self._live = False
        self._check = CheckControl(view, self.searching, self._show, self)
        self._sure = ConfidenceControl(opened, jobs, self)
        self._sure.found.connect(self._on_sure)
        self._check.failed.connect(self._on_failed)
        self._check.switched.connect(lambda: self._search(keep=True))
        self._filters: dict[str, Any] = window.shared.filters
        self._known: list[tuple[str, bytes]] = []
        self._results: ShownResults | None = None
        self._slow = QTimer(self)  # after which the results of the search before give way
        self._slow.setSingleShot(True)
        self._slow.timeout.connect(view.show_searching)
        self._wanted_place: dict[str, Any] = {}
        self._kept: dict[str, Any] | None = None  # a search with which the library was left
        self._connect()
        kept = opened.state.get("search")
        self._restore(kept if isinstance(kept, dict) else {})
        if window.indexes.result is not None:
            self.show_indexes(window.indexes.result)

    def _connect(self) -> None:
        view, window = self.view, self._window
        view.bar.example_removed.connect(self._on_removed)
        view.bar.weight_changed.connect(self._on_weight)
        view.bar.add_wanted.connect(window.taking.choose_example)
        view.bar.crop_wanted.connect(self._on_crop)
        view.bar.marks.wanted.connect(self.use_marks)
        view.bar.index_chosen.connect(self.choose_index)
        view.bar.new_index_wanted.connect(lambda: window.show_view("new index"))
        view.timing.exact_wanted.connect(self.compare_exactly)
        view.results.way_out_wanted.connect(self._on_way_out)
        history = window.history
        view.back_wanted.connect(history.go_back)
        view.forward_wanted.connect(history.go_forward)
        history.changed.connect(self._show_steps)
        self._show_steps()
        view.grid.current_changed.connect(self._on_current)
        view.library_wanted.connect(lambda: window.show_view("library"))
        view.panel_wanted.connect(window.panel_wanted)
        view.results.unfit.wanted.connect(window.side.clear)
        view.results.gone.wanted.connect(window.adding.rescan)
        window.serve(view.grid)
        self._feed = PictureFeed(view.grid.pictures, window.opened, self._jobs)
        window.taking.examples_given.connect(lambda given, like: self.add_examples(list(given), like))
        window.shared.narrowed.connect(self.set_filters)
        window.indexes.listed.connect(self.show_indexes)

    def _show_steps(self) -> None:
        history = self._window.history
        self.view.steps.show_steps(history.can_go_back(), history.can_go_forward())

    def _restore(self, state: dict[str, object]) -> None:
        self._check.restore(state)
        self.view.why.show_lines(state.get("lines") is not False)
        self.view.show_how(state.get("how") is True)
        place = state.get("place")
        self._wanted_place = place if isinstance(place, dict) else {}
        kept = state.get("search")
        self._kept = kept if isinstance(kept, dict) else None

    def has_kept(self) -> bool:
        """Return whether there is a search with which the library was left."""
        return self._kept is not None

    def focus(self) -> None:
        """Focus the results; where the view is shown first, those of the search with which the library was left."""
        kept, self._kept = self._kept, None
        if kept is not None and self._now is None:
            search = WindowSearch.from_json(kept)
            if search is not None:
                self._start(search, remember=False)
        self.view.focus_results()

    def state(self) -> dict[str, Any]:
        """Return the state to be remembered."""
        shown = {"lines": self.view.why.shows_lines(), "how": self.view.shows_how()}
        now = self._kept or (None if self._now is None else self._now.to_json())
        place = {"place": self._wanted_place or self.grid.place(), "search": now}
        return self._check.state() | {"index": self.chosen_index} | shown | place

    @property
    def index(self) -> str:
        """Name of the index that is searched."""
        return self._choice.now

    @property
    def chosen_index(self) -> str:
        """Name of the chosen index, which another one may replace."""
        return self._choice.chosen

    @property
    def query(self) -> SearchQuery | None:
        """The present query."""
        return None if self._now is None else self._now.query

    def query_photographs(self) -> list[int]:
        """Return the first photograph of the library in the query."""
        return [] if self.query is None else self.query.photographs[:1]

    def show_indexes(self, result: IndexListResult) -> None:
        """Offer indexes."""
        words = self._window.indexes.words()
        self._choice.offer(
            [IndexOption(one.name, words[one.name], one.text) for one in result.indexes],
            {one.name: one.descriptor for one in result.indexes},
            frozenset(one.name for one in result.indexes if one.words),
            result.concepts,
        )
        self.view.offer_words(result.knows_words)
        self._show_index()

    def _show_index(self) -> None:
        self.view.bar.set_indexes(self._choice.offered, self._choice.now, not self._choice.needs_none(self.query))

    # --- searching ---------------------------------------------------------------------------------------------------

    def search(self, query: SearchQuery, index: str | None = None) -> None:
        """Start a new search; back leads to the present one."""
        if self._too_many(len(query.examples)):
            return
        self.end_live()
        self._wanted_place = {}  # it is one of the search before
        search = self._choice.search_for(query) if index is None else WindowSearch(query, index)
        self._start(replace(search, marked=self._goes_on(query)), remember=True)

    def _goes_on(self, query: SearchQuery) -> bool:
        """Return whether marks count already and go on counting: the query is made from the one before."""
        before = self._now
        if before is None or not before.marked:
            return False
        pictures = [one.picture for one in before.query.examples]
        return any(one.picture in pictures for one in query.examples)

    def use_marks(self, use: bool) -> None:
        """Search with the marks of the query's photographs, or without them; the query itself stays as it is."""
        if self._now is not None:
            self._now = replace(self._now, marked=use)
            self._window.history.replace("search", self._now)
            self._search(keep=True)

    def query_with_marks(self) -> SearchQuery | None:
        """Return the query of the visible results with its marks; None where marks do not count."""
        results = self._results
        return results.ranked.descriptors.query if results is not None and results.uses_marks else None

    @property
    def result(self) -> SearchResult | None:
        """The result that is shown."""
        return None if self._results is None else self._results.result

    @property
    def uses_marks(self) -> bool:
        """Whether marks count."""
        return self._now is not None and self._now.marked

    def search_live(self, query: SearchQuery) -> None:
        """Search with a query that is still being made; back leads to the search before it."""
        come = self._window.history.replace if self._live else self._window.history.visit
        self._live = True
        if query.examples:
            search = replace(self._choice.search_for(query), marked=self._goes_on(query))
            self._start(search, remember=False, live=True)
            come("search", search)
        else:
            self._clear()

    def end_live(self) -> None:
        """Add the query that was being made to the history."""
        opened, search = self._opened, self._now
        if self._live and search is not None:
            self._jobs.begin(lambda __: keep_in_history(opened, search))
        self._live = False

    def live(self) -> WindowSearch | None:
        """Return the query that is being made; None if there is none."""
        return self._now if self._live else None

    def _clear(self) -> None:
        self._now = None
        self._slow.stop()
        self._check.begin(applies=False)
        self.searching.cancel()
        self.view.show_examples([])
        self._window.shared.set_query(self.query)

    def _too_many(self, pictures: int) -> bool:
        """Return whether there are too many pictures for a search, and say so."""
        if pictures <= MOST_EXAMPLES:
            return False
        words = _(
            "{pictures} pictures are too many. A search can use up to {most}.", pictures=pictures, most=MOST_EXAMPLES
        )
        self._window.status.show_message(words)
        return True

    def take_pictures(self, pictures: Sequence[Path | int | bytes]) -> None:
        """Search with one picture, or with several together."""
        from twinlens.app.search.search_query import Example, SearchQuery

        if pictures and not self._too_many(len(pictures)):
            self.search(SearchQuery(tuple(Example(picture) for picture in pictures)))

    def search_part(self, picture: Path | int | bytes, region: Region) -> None:
        """Search with a part of a picture."""
        from twinlens.app.search.search_query import Example, SearchQuery

        self.search(SearchQuery((Example(picture, region=region),)))

    def add_examples(self, pictures: Sequence[Path | int | bytes], like: bool) -> None:
        """Add examples to the query; what it has already, it takes no second time."""
        from twinlens.app.search.search_query import Example, SearchQuery

        if not pictures or self._too_many(len(pictures)):
            return
        present = () if self._now is None else self._now.query.examples
        if not present and not like:
            return
        known = {one.picture for one in present if one.region is None and isinstance(one.picture, Path | int | bytes)}
        added = tuple(Example(picture, 1.0 if like else -0.5) for picture in pictures if picture not in known)
        if not added:
            words = _n("The search has this photo already.", "The search has these photos already.", len(pictures))
            self._window.status.show_message(words)
            return
        self.search(SearchQuery((*present, *added)))

    def choose_index(self, name: str) -> None:
        """Search with the same query in another index."""
        self._choice.choose(name)
        self._show_index()
        self._window.shared.index_chosen.emit(name)
        if self._now is not None and name != self._now.index:
            self.search(self._now.query, name)

    def use_index(self, index: str) -> None:
        """Search by an index from now on; the visible view stays."""
        view = self._window.view()
        self.choose_index(index)
        if self._window.view() != view:
            self._window.show_view(view)

    def set_filters(self, filters: dict[str, Any]) -> None:
        """Set the filters and search again."""
        if filters != self._filters:
            self._filters = filters
            if self._now is not None:
                self._search(keep=True)

    def refresh(self) -> None:
        """Search again, since the library has changed."""
        self.view.grid.pictures.retry()  # whose thumbnails were missing while their disk was away
        if self._now is not None:
            self._search(keep=True)

    def present(self) -> WindowSearch | None:
        """Return the present search."""
        return self._now

    def return_to(self, search: object) -> None:
        """Run an earlier search again."""
        if isinstance(search, WindowSearch) and search != self._now:
            self.end_live()
            self._start(search, remember=False)

    # --- colours -----------------------------------------------------------------------------------------------------

    @property
    def choice(self) -> IndexChoice:
        """The choice of the index."""
        return self._choice

    def liked_thumbnail(self) -> bytes:
        """Return the thumbnail of the first liked picture, to pick colours from; empty if there is none."""
        examples = () if self._now is None else self._now.query.examples
        found = zip(examples, self._known, strict=False)
        return next((jpeg for one, (__, jpeg) in found if one.weight > 0 and not has_colours_alone(one)), b"")

    def _refuses(self, search: WindowSearch) -> bool:
        """Return whether the index cannot be searched by colours or with words; if so, show what to do."""
        choice, query = self._choice, search.query
        if not choice.offered or choice.can_search(query):
            return False
        words = choice.words()
        if not uses_words(query):
            sentence = _("“{index}” compares {words}, so it cannot search by colours.", index=search.index, words=words)
        elif choice.other_for(query):
            sentence = _("“{index}” compares {words}, so it knows no words.", index=search.index, words=words)
        else:
            return False  # the search itself says what is missing
        self._refuse(sentence)
        return True

    def _refuse(self, sentence: str) -> None:
        self._slow.stop()
        self._check.begin(applies=False)
        self.searching.cancel()
        self._results = None
        way_out, query = "", self.query
        if query is not None and not self._choice.can_search(query):
            if able := self._choice.other_for(query):
                way_out = _("Search in “{index}”", index=able)
            elif not uses_words(query):
                way_out = _("Add search by colours")
        self.view.refuse(sentence, way_out)
        self._why.clear()

    def _on_way_out(self) -> None:
        able = "" if self._now is None else self._choice.other_for(self._now.query)
        if able and self._now is not None:  # it replaces the chosen one, which is searched again without colours
            self._start(replace(self._now, index=able, instead_of=self._choice.chosen), remember=True)
        elif not able:
            self._window.show_view("new index")

    def _on_failed(self, failure: Failure) -> None:
        if not self._check.show_waiting() and self._now is not None:
            self._refuse(failure.words())  # earlier results belong to another query
            self._name_examples()  # a photograph of it may be gone
        self._jobs.failed.emit(failure)

    def _start(self, search: WindowSearch, remember: bool, live: bool = False) -> None:
        self._now, self._kept = search, None
        self._cropping.cancel()
        self._choice.follow(search)
        self._show_index()
        self._results = None
        if not live:  # before the search: a view that is shown again repeats its search if the library has changed
            self._window.show_view("search")
        self._show_examples(self._known if live else [])
        if not live:
            self.view.timing.show_sentence(_("Searching…"))
            self._slow.start(_SLOW_MS)
        self._search(keep=False, remember=remember, live=live)
        self._name_examples()
        self._window.shared.set_query(self.query)

    def _search(self, keep: bool, exact: bool = False, remember: bool = False, live: bool = False) -> None:
        opened, search = self._opened, self._now
        if search is None or self._refuses(search):
            return
        filters = dict(self._filters)
        checks = self._check.begin(self._choice.can_be_checked(search.query)) and not live

        def work(progress: Progress) -> ShownResults:
            results = find(opened, search, filters, exact, checks, progress)
            if remember:
                keep_in_history(opened, search)
            return check(opened, results, progress) if checks and exact else results

        visible = self._results if exact else None

        def then(results: ShownResults) -> None:
            if visible is not None:
                self._check.complete(results, visible)
            elif checks and not exact:
                self._check.check(results, keep, lambda progress: check(opened, results, progress))
            else:
                self._show(results, keep, live=live)

        self.searching.begin(work).then(then).failed(self._on_failed)

    def is_searching(self) -> bool:
        """Return whether a first result is on its way; it may be checked meanwhile."""
        return self.searching.running and self._results is None and not self._check.waits()

    def compare_exactly(self) -> None:
        """Show the exact results and what was missed; the visible results keep their places."""
        self._search(keep=True, exact=True)

    def _show(
        self, results: ShownResults, keep: bool, *, live: bool = False, checking: bool = False, in_place: bool = False
    ) -> None:
        if self._now is not None and _lacks(self._now, self._known):
            self._name_examples()  # it is there again
        self._slow.stop()
        self._results = results
        self.view.show_results(
            results.result, results.found, results.missed, keep, bool(self._filters), checking, in_place
        )
        if not live and not results.uses_marks and self._now is not None and self._now.query.is_picture:
            self._sure.look(results.result)
        if self._wanted_place and self.grid.rows().count:
            self.grid.return_to(self._wanted_place)
            self._wanted_place = {}
        if not keep and not live:  # a person who mixes colours goes on with it
            self.view.focus_results()
        self._on_current(self.view.grid.current_id())
        self.results_changed.emit()

    def _on_sure(self, index: str, sure: ConfidenceThreshold) -> None:
        """Show up to where results are certain, which takes longer than the search."""
        results, search = self._results, self._now
        if results is None or search is None or results.uses_marks or not search.query.is_picture:
            return
        if search.index == index and results.result.threshold is None:
            self._results = replace(results, result=results.result.model_copy(update={"threshold": sure}))
            self.view.show_sure(sure)

    # --- the examples ------------------------------------------------------------------------------------------------

    def _show_examples(self, known: list[tuple[str, bytes]]) -> None:
        assert self._now is not None
        shown = []
        for place, one in enumerate(self._now.query.examples):
            unknown = one.picture.name if isinstance(one.picture, Path) else "…"
            name, jpeg = known[place] if place < len(known) else (unknown, b"")
            name = name or _("no longer in the library")
            shown.append(drawn_example(one) or ShownExample(name, jpeg, one.weight, one.region is not None))
        self.view.show_examples(shown)

    def _name_examples(self) -> None:
        opened, search = self._opened, self._now
        if search is None:
            return

        def work(__: Progress) -> tuple[WindowSearch, list[tuple[str, bytes]]]:
            examples = search.query.examples
            return search, [
                ("", b"") if has_colours_alone(one) else name_and_thumbnail(opened, one.picture) for one in examples
            ]

        self._naming.begin(work).then(self._on_examples)

    def _on_examples(self, known: tuple[WindowSearch, list[tuple[str, bytes]]]) -> None:
        if known[0] is self._now:
            self._show_examples(known[1])
            if self._results is None and _lacks(*known):
                self._refuse(_("A photo of this search is no longer in the library."))
            self._on_current(self.view.grid.current_id())
            self._known = known[1]
            self.examples_named.emit()

    def _on_removed(self, place: int) -> None:
        if self._now is None:
            return
        rest = tuple(one for own, one in enumerate(self._now.query.examples) if own != place)
        if rest:
            self.search(replace(self._now.query, examples=rest))
        else:
            self._clear()
            self._window.history.visit("search")

    def _on_weight(self, place: int, weight: float) -> None:
        if self._now is None:
            return
        examples = list(self._now.query.examples)
        examples[place] = replace(examples[place], weight=weight)
        self._now = replace(self._now, query=replace(self._now.query, examples=tuple(examples)))
        self._window.history.replace("search", self._now)
        self._show_examples(self._known)
        self._search(keep=True)

    def _on_crop(self, place: int) -> None:
        if self._now is not None and 0 <= place < len(self._now.query.examples):
            self._cropping.begin(place, self._now.query.examples[place])

    def _on_part(self, place: int, region: Region | None) -> None:
        if self._now is not None and place < len(self._now.query.examples):
            examples = list(self._now.query.examples)
            examples[place] = replace(examples[place], region=region)
            self.search(replace(self._now.query, examples=tuple(examples)))

    # --- why ---------------------------------------------------------------------------------------------------------

    def _on_current(self, photograph_id: int) -> None:
        results, search = self._results, self._now
        photograph = None if results is None else results.photographs.get(photograph_id)
        if results is None or search is None or photograph is None:
            self._why.clear()
        else:
            used = self.query_with_marks() or search.query
            self._why.explain(replace(search, query=used), photograph, self._check.checks)


def _lacks(search: WindowSearch, known: list[tuple[str, bytes]]) -> bool:
    """Return whether a photograph of the query is no longer in the library."""
    found = zip(search.query.examples, known, strict=False)
    return any(isinstance(one.picture, int) and not name for one, (name, __) in found)
