"""Controller of the offered pair: the next pairs and their pictures are loaded ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.gui.frame.undo import UndoStep
from app.gui.frame.window import WorkspaceServices
from app.gui.learn.next_pair import PairView
from app.gui.look.images import image_of
from app.gui.pictures.small_pictures import SmallPictures
from app.gui.process.job import Failure
from app.language.spoken import _
from core.errors import TwinlensError
from core.progress import Progress

if TYPE_CHECKING:
    from app.learn.learning import Proposal
    from app.learn.next_pairs_results import OfferedPair, OfferResult
    from app.library.library import Library
    from app.marks.results import MarkResult

_COUNT = 10
_FEW = 3  # so many are left when others are looked for
_AHEAD = 3
_SIDE_STEP = 512


class NextPairControl(QObject):
    """Shows one pair after another, marks them, and takes marks back.

    Parameters
    ----------
    view : PairView
    thumbnails : SmallPictures
    window : Window
    parent : QObject
    """

    marked = Signal()
    refused = Signal(str)
    shown = Signal(object)
    """Another pair is shown: a :class:`OfferedPair`."""

    def __init__(self, view: PairView, thumbnails: SmallPictures, window: WorkspaceServices, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._jobs = window.opened, window.jobs
        self._offering = self._jobs.latest()
        self._loading = self._jobs.latest()
        self._view = view
        self._thumbnails = thumbnails
        self._changes, self._undoing = window.changes, window.undoing
        self._learned: Proposal | str | None = None
        self._index = ""
        self._pairs: list[OfferedPair] = []
        self._passed: set[tuple[int, int]] = set()  # marked or skipped while the window is open
        self._sharp: dict[int, QImage] = {}
        self._answers: list[UndoStep] = []
        self._at_end = False
        self._why_not = ""
        view.judged.connect(self._on_judged)
        view.skipped.connect(self._on_skipped)
        thumbnails.came.connect(self._show)
        window.undoing.changed.connect(self._show_undo)

    def current(self) -> OfferedPair | None:
        """Return the pair that is shown."""
        return self._pairs[0] if self._pairs else None

    def renew(self, index: str, learned: Proposal | str | None) -> None:
        """Look for pairs anew, since marks or what was learned have changed; the pair that is shown stays."""
        self._index, self._learned, self._at_end = index, learned, False
        self._look(keep=1)

    def retry(self) -> None:
        """Refresh where there was none: the library is another one."""
        self._at_end = False
        if len(self._pairs) < _FEW:
            self._look(keep=len(self._pairs))

    def _look(self, keep: int) -> None:
        opened = self._opened
        index, learned, passed = self._index, self._learned, frozenset(self._passed)
        kept = self._pairs[:keep]

        def work(progress: Progress) -> OfferResult:
            from app.learn.next_pairs import NextPairSettings, offer_pairs

            skipped = {*passed, *(one.ids for one in kept)}
            return offer_pairs(
                opened.library, NextPairSettings(count=_COUNT, skipped=skipped), index, learned, progress
            )

        self._offering.begin(work).then(lambda found: self._on_offered(found.pairs, keep)).failed(self._on_failed)

    def _on_offered(self, found: list[OfferedPair], keep: int) -> None:
        kept = self._pairs[:keep]
        known = {one.ids for one in kept}
        self._pairs = kept + [one for one in found if one.ids not in known and one.ids not in self._passed]
        self._at_end, self._why_not = not found, ""
        self._show()
        self._fetch()

    def _on_failed(self, failure: Failure) -> None:
        self._at_end, self._why_not = True, failure.words()
        self._show()

    # --- what is said of it ------------------------------------------------------------------------------------------

    def _on_judged(self, similar: bool) -> None:
        pair, opened = self.current(), self._opened
        if pair is None:
            return
        ids: list[int] = []
        words = _("Undo similar") if similar else _("Undo different")

        def work(__: Progress) -> MarkResult:
            from app.marks.marks import mark_pairs

            return mark_pairs(opened.library, [(pair.first_id, pair.second_id)], similar)

        def marked(result: MarkResult) -> None:
            ids.extend(one.id for one in result.added)
            if result.refused:
                step.withdraw()  # and it is not offered again
                self.refused.emit(result.refused[0])

        def take_back() -> None:
            def remove(__: Progress) -> object:
                from app.marks.marks import remove_marks

                return remove_marks(opened.library, ids)

            self._changes.do(remove, lambda __: None)
            self._return(pair)

        def failed(failure: Failure) -> None:
            step.withdraw()
            self.refused.emit(failure.words())
            self._return(pair)

        self._changes.do(work, marked, failed)
        step = self._offer(words, take_back)
        self._pass(pair)
        self.marked.emit()

    def _on_skipped(self) -> None:
        pair = self.current()
        if pair is not None:
            self._offer(_("Undo skip"), lambda: self._return(pair))
            self._pass(pair)

    def _offer(self, words: str, undo: Callable[[], object]) -> UndoStep:
        step = self._undoing.offer(words, undo, quietly=True)
        self._answers.append(step)
        self._show_undo()
        return step

    def _show_undo(self) -> None:
        """Show the button that takes back the last answer, as long as it is the newest step."""
        newest = self._undoing.newest()
        self._view.show_undo("" if newest is None or newest not in self._answers else newest.text())

    def _pass(self, pair: OfferedPair) -> None:
        self._passed.add(pair.ids)
        self._pairs = self._pairs[1:]
        self._show()
        self._fetch()
        if len(self._pairs) <= _FEW and not self._at_end:
            self._look(keep=len(self._pairs))

    def _return(self, pair: OfferedPair) -> None:
        self._passed.discard(pair.ids)
        self._pairs = [pair, *(one for one in self._pairs if one.ids != pair.ids)]
        self._show()
        self._fetch()

    # --- pictures ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        pair = self.current()
        if pair is None:
            if self._offering.running:
                self._view.say(_("Looking for pairs whose mark would teach most …"))
            elif self._at_end:
                nothing = _("There is no pair left whose mark would teach much. New photos bring new ones.")
                self._view.say(self._why_not or nothing)
            return
        shown = self._view.pictures.pair()
        images = [self._sharp.get(one, QImage()) for one in (pair.first_id, pair.second_id)]
        sharp = (not images[0].isNull(), not images[1].isNull())
        for place, content in enumerate(pair.contents):
            if images[place].isNull():
                images[place] = self._thumbnails.image(content)
        self._view.show_pair(pair, images[0], images[1], sharp)
        if shown is None or shown.ids != pair.ids:
            self.shown.emit(pair)

    def _fetch(self) -> None:
        """Decode the next picture that will be looked at; one after another, the first ones first."""
        opened = self._opened
        ahead = self._pairs[:_AHEAD]
        wanted = list(dict.fromkeys(one for pair in ahead for one in (pair.first_id, pair.second_id)))
        self._sharp = {one: image for one, image in self._sharp.items() if one in wanted}
        self._thumbnails.want(content for pair in ahead for content in pair.contents)
        lacking = [one for one in wanted if one not in self._sharp]
        if not lacking or self._loading.running:
            return
        one, side = lacking[0], self._side()

        def work(__: Progress) -> tuple[int, QImage]:
            return one, _large_image(opened.library, one, side)

        self._loading.begin(work).then(lambda made: self._on_picture(*made)).failed(lambda __: self._fetch())

    def _side(self) -> int:
        seen = self._view.pictures.side()
        return max(_SIDE_STEP, -(-seen // _SIDE_STEP) * _SIDE_STEP)

    def _on_picture(self, photograph_id: int, image: QImage) -> None:
        self._sharp[photograph_id] = image
        self._show()
        self._fetch()


def _large_image(library: Library, photograph_id: int, side: int) -> QImage:
    """Decode a photograph, its longer side at most so many pixels; a null one where it cannot be read now."""
    from app.library.pictures import large_picture

    try:
        return image_of(large_picture(library, photograph_id, side))
    except TwinlensError:
        return QImage()  # its thumbnail stays
