"""The work after a search: checking which results are matches, finding how far they are certain, explaining one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QRectF, QTimer, Signal
from PySide6.QtGui import QImage

from twinlens.app.gui.pictures.photograph import image_of
from twinlens.app.gui.process.jobs import Jobs, LatestJob, Work
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.search_view import SearchView
from twinlens.app.gui.search.window_search import ShownResults, WindowSearch, drawn_example, name_and_thumbnail
from twinlens.app.language.texts import _
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.viewer.crop import Region
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.search.explanation import Explanation
    from twinlens.app.search.search_query import Example
    from twinlens.app.search.search_results import ConfidenceThreshold, SearchResult


HELD_MS = 250  # results wait so long for their check: then nothing has to change its place


class ShowResults(Protocol):
    """Shows a result; as :meth:`twinlens.app.gui.search.search_view.SearchView.show_results`."""

    def __call__(self, results: ShownResults, keep: bool, *, checking: bool = False, in_place: bool = False) -> None:
        """Show it."""


class CheckControl(QObject):
    """Runs the check of results before they are shown.

    Where that takes long, results are shown meanwhile. Matches come first as long as nobody has scrolled or chosen
    anything; afterwards results keep their places, and matches come first only when the person says so.

    Parameters
    ----------
    searching : LatestJob
        The job of the search, whose place the check takes.
    """

    switched = Signal()
    """Results should be checked from now on, or no longer."""
    failed = Signal(object)
    """The `Failure` of a check."""

    def __init__(self, view: SearchView, searching: LatestJob, show: ShowResults, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._searching = searching
        self._show = show
        self._checks = True
        self._waiting: tuple[ShownResults, bool] | None = None  # not checked yet, and not shown
        self._visible: ShownResults | None = None  # not checked yet, and shown
        self._checked: ShownResults | None = None  # whose matches are not first yet
        self._held = QTimer(self)
        self._held.setSingleShot(True)
        self._held.timeout.connect(self.show_waiting)
        view.checking.check_wanted.connect(self._on_wanted)
        view.checking.order_wanted.connect(self._on_order)

    def restore(self, state: dict[str, object]) -> None:
        """Restore the remembered state."""
        self._checks = state.get("check") is not False
        self._view.show_only_confirmed(state.get("only_confirmed") is True)

    def state(self) -> dict[str, object]:
        """Return the state to be remembered."""
        return {"check": self._checks, "only_confirmed": self._view.shows_only_confirmed()}

    @property
    def checks(self) -> bool:
        """Whether results are checked where they can be."""
        return self._checks

    def waits(self) -> bool:
        """Return whether a result waits for its check before it is shown."""
        return self._waiting is not None

    def begin(self, applies: bool) -> bool:
        """Forget earlier results; return whether those of an index are to be checked."""
        self._held.stop()
        self._waiting = self._visible = self._checked = None
        self._view.show_check(applies, self._checks, False)
        self._held.start(HELD_MS)
        return applies and self._checks

    def check(self, results: ShownResults, keep: bool, work: Work) -> None:
        """Check results by ``work``, which returns the checked ones, and show them; unchecked first if that is late."""
        self._waiting = results, keep
        if self._view.shows_only_confirmed():  # others must not appear even for a moment
            self._held.stop()
            self._view.timing.show_sentence(_("Looking for the same picture…"))
        elif not self._held.isActive():
            self.show_waiting()
        self._searching.begin(work).then(lambda checked: self._on_checked(checked, keep)).failed(self.failed.emit)

    def show_waiting(self) -> bool:
        """Show the result unchecked, since its check takes long or has failed; return whether one was being checked."""
        self._held.stop()
        if self._waiting is not None:
            (self._visible, keep), self._waiting = self._waiting, None
            self._show(self._visible, keep, checking=True)
        return self._visible is not None

    def _on_checked(self, checked: ShownResults, keep: bool) -> None:
        visible = self._visible
        self._held.stop()
        self._waiting = self._visible = None
        if visible is None:
            self._show(checked, keep)
        elif self._view.is_as_it_came():
            self._show(checked, True)  # nobody has looked further yet: matches come first by themselves
        else:
            self.complete(checked, visible)

    def complete(self, checked: ShownResults, visible: ShownResults) -> None:
        """Complete a visible result; its photographs keep their places."""
        settled = checked.in_order(visible.ids())
        self._show(settled, True, in_place=True)
        if settled.result.checked and not settled.has_confirmed_first():
            self._checked = checked
            self._view.show_check(True, True, True)

    def _on_order(self) -> None:
        checked, self._checked = self._checked, None
        if checked is not None:
            self._view.show_check(True, True, False)
            self._show(checked, False)

    def _on_wanted(self, checks: bool) -> None:
        self._checks = checks
        self.switched.emit()


_AttemptKey = tuple[str, str, int, int]
"""An index and its numbers of marks: while these stay the same, so does the lack of a distance."""


class ConfidenceControl(QObject):
    """Finds the distance of an index where the result came without it, one at a time, and keeps it."""

    found = Signal(str, object)
    """The name of an index, and its distance."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._jobs = jobs
        self._looking = self._jobs.latest()
        self._tried: set[_AttemptKey] = set()

    def look(self, result: SearchResult) -> None:
        """Find the distance unless it is known; one that is being found is not disturbed."""
        opened, index, text = self._opened, result.index, result.text
        if result.threshold is not None or self._looking.running:
            return
        tried = self._tried

        def work(progress: Progress) -> ConfidenceThreshold | None:
            from twinlens.app.search.similarity_levels import confidence_threshold

            with opened.library.store.reading() as r:
                key = (index, text, *r.marks.counts())
            if key in tried or not opened.library.store.writable:
                return None
            sure = confidence_threshold(opened.library, index, progress=progress)
            if sure is None:
                tried.add(key)
            return sure

        self._looking.begin(work).then(lambda sure: None if sure is None else self.found.emit(index, sure))


class ExplanationControl(QObject):
    """Fills the panel that explains a result."""

    def __init__(self, view: SearchView, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._view = view
        self._jobs = jobs
        self._explaining = self._jobs.latest()
        self._enlarging = self._jobs.latest()
        self._explained: tuple[int, Example] | None = None
        view.why.large_wanted.connect(self._on_large)

    def clear(self) -> None:
        """Explain nothing."""
        self._explained = None
        self._view.why.clear()

    def explain(self, search: WindowSearch, photograph: Photograph, checks: bool) -> None:
        """Explain a result, with its match if it is checked."""
        opened = self._opened
        self._view.why.set_facts(photograph)

        def work(_: Progress) -> tuple[Explanation, bytes, bytes, Region | None]:
            from twinlens.app.library.pictures import thumbnails
            from twinlens.app.search.explanation import explain

            check = None if checks else False
            explanation = explain(opened.searcher, search.query, search.index, photograph.id, check)
            example = _example(search, explanation)
            (jpeg,) = thumbnails(opened.library, [photograph.content_hash]).values() or (b"",)
            own = drawn_example(example)
            shown = name_and_thumbnail(opened, example.picture)[1] if own is None else own.jpeg
            return explanation, shown, jpeg, example.region

        def then(shown: tuple[Explanation, bytes, bytes, Region | None]) -> None:
            self._explained = photograph.id, _example(search, shown[0])
            self._view.why.set_explanation(*shown)

        self._explaining.begin(work).then(then)

    def _on_large(self) -> None:
        """Load both pictures of a match in place of their thumbnails."""
        opened, explained = self._opened, self._explained
        if explained is None:
            return
        photograph_id, example = explained

        def work(_: Progress) -> tuple[QImage, QImage]:
            from twinlens.app.library.pictures import large_picture, picture_to_crop

            own = image_of(picture_to_crop(opened.library, example.picture))
            return _part(own, example.region), image_of(large_picture(opened.library, photograph_id))

        self._enlarging.begin(work).then(lambda both: self._view.show_large(*both))


def _example(search: WindowSearch, explanation: Explanation) -> Example:
    """Return the example beside which a result is shown: the one that it matches, if any."""
    match = explanation.match
    return search.query.examples[explanation.example if match is None else match.example]


def _part(image: QImage, region: Region | None) -> QImage:
    if region is None:
        return image
    left, top, right, bottom = region
    width, height = image.width(), image.height()
    box = QRectF(left * width, top * height, (right - left) * width, (bottom - top) * height)
    return image.copy(box.toAlignedRect())
