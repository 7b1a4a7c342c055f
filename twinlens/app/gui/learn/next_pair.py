"""The pair to mark next: two large photographs, three keys, and the following pairs, loaded ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.declared_actions import learn_actions
from twinlens.app.gui.learn.headline import section_heading
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import STRETCH, column_of, command_button, label, row_of, set_look, surface
from twinlens.app.gui.pictures.photograph import FramedPicture, image_of
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.services.undo_history import UndoStep
from twinlens.app.language.texts import _, text
from twinlens.app.learn.learn_results import OfferedPair
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain_name
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.learn.learn_results import OfferedPair, OfferResult
    from twinlens.app.learn.learning import Proposal
    from twinlens.app.library.library import Library
    from twinlens.app.marks.mark_results import MarkResult


_GAP = 16
_RING = 3  # round both, where the keys are
_LEAST, _MOST = 190, 720
_SHAPE = 0.68  # height of a well, of its width


class PairPictures(QWidget):
    """Two whole photographs side by side; it has the keys of the view.

    1 and 2 show them large.

    Signals
    -------
    large_wanted : int
        A photograph was double-clicked.
    asked_with : int
        A photograph was clicked.
    """

    large_wanted = Signal(int)
    query_photographs = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "pair")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._pair: OfferedPair | None = None
        self._wells = (FramedPicture(framed=False), FramedPicture(framed=False))
        self._sharp = [False, False]
        self._nothing = label("", "nothing", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = row_of(on=self, gap=_GAP, margins=_RING)
        for part in (*self._wells, self._nothing):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part, 1)
        self.say("")

    def show_pair(self, pair: OfferedPair | None, images: tuple[QImage, QImage], sharp: tuple[bool, bool]) -> None:
        """Show a pair, with thumbnails until the pictures are loaded."""
        same = pair is not None and self._pair is not None and pair.ids == self._pair.ids
        self._pair = pair
        for place, well in enumerate(self._wells):
            well.setVisible(pair is not None)
            if not (same and self._sharp[place] and not sharp[place]):  # what is sharp stays
                well.show_picture(images[place])
                self._sharp[place] = sharp[place]
        self._nothing.setVisible(pair is None)
        names = "" if pair is None else f"{plain_name(pair.first)}, {plain_name(pair.second)}"
        self.setAccessibleName(_("Are these alike to you?"))
        self.setAccessibleDescription(names)
        hint = _("Click ranks by a photo, 1 and 2 show the left and the right one large.")
        self.setToolTip("" if pair is None else f"{names}\n{hint}")

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a pair."""
        self.show_pair(None, (QImage(), QImage()), (False, False))
        self._nothing.setText(sentence)
        self.setAccessibleDescription(sentence)

    def pair(self) -> OfferedPair | None:
        """Return the visible pair."""
        return self._pair

    def is_sharp(self) -> bool:
        """Return whether both pictures are loaded."""
        return all(self._sharp)

    def set_room(self, width: int, height: int) -> None:
        """Fit the photographs into the view, as large as the rest allows."""
        wanted = round((width - _GAP) / 2 * _SHAPE)
        self.setFixedHeight(max(_LEAST, min(_MOST, wanted, height)))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Keep the given height with any text."""
        return False

    def wells(self) -> tuple[QRect, QRect]:
        """Return the places of the photographs."""
        return self._wells[0].geometry(), self._wells[1].geometry()

    def side(self) -> int:
        """Return the largest side of a picture, device px."""
        return round(max((self.width() - _GAP) / 2, self.height()) * self.devicePixelRatioF())

    def _at(self, where: QPoint) -> int | None:
        if self._pair is None:
            return None
        for well, photograph_id in zip(self.wells(), (self._pair.first_id, self._pair.second_id), strict=True):
            if well.contains(where):
                return photograph_id
        return None

    def show_large(self, side: int) -> None:
        """Show the left one (0), or the right one (1), large."""
        if self._pair is not None:
            self.large_wanted.emit((self._pair.first_id, self._pair.second_id)[side])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by the photograph under the pointer."""
        photograph_id = self._at(event.position().toPoint())
        if photograph_id is not None and event.button() is Qt.MouseButton.LeftButton:
            self.query_photographs.emit(photograph_id)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show it large."""
        photograph_id = self._at(event.position().toPoint())
        if photograph_id is not None:
            self.large_wanted.emit(photograph_id)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the focus after Tab; otherwise it is nearly always here."""
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        set_look(self, "keyed", by_key)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the focus."""
        super().focusOutEvent(event)
        set_look(self, "keyed", False)


class PairView(QWidget):
    """View of a pair: the photographs, the reason for this pair, and the buttons to judge it."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = PairPictures()
        self._heading = section_heading(_("Are these alike to you?"))
        self._reason = ElidedLine("quiet")
        self._similar = command_button(_("S  similar"), learn_actions()["similar"])
        self._different = command_button(_("D  different"), learn_actions()["different"])
        self._skip = command_button(_("Space  skip"), learn_actions()["skip"])
        self._undo = command_button(_("Undo"), learn_actions()["take back"], "link")
        for one in (self._similar, self._different, self._skip, self._undo):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys where they are
        top = row_of(self._heading, (self._reason, 1), gap=12)
        keys = row_of((STRETCH, 1), self._similar, self._different, self._skip, (row_of(STRETCH, self._undo), 1), gap=8)
        column_of(top, self.pictures, keys, on=self, gap=8, margins=0)
        self.setFocusProxy(self.pictures)
        self.show_undo("")
        self._enable(False)

    def show_pair(
        self,
        pair: OfferedPair,
        first: QImage,
        second: QImage,
        sharp: tuple[bool, bool] = (False, False),
    ) -> None:
        """Show a pair; called again when its pictures are loaded."""
        self.pictures.show_pair(pair, (first, second), sharp)
        self._reason.say(text(pair.reason))
        self._enable(True)

    def say(self, sentence: str) -> None:
        """Show why there is no pair."""
        self.pictures.say(sentence)
        self._reason.say("")
        self._enable(False)

    def show_undo(self, what: str) -> None:
        """Show the button that undoes the last judgement; "" for none."""
        self._undo.setText(what)
        self._undo.setVisible(bool(what))

    def reason(self) -> str:
        """Return the reason for this pair."""
        return self._reason.text()

    def _enable(self, there: bool) -> None:
        for one in (self._similar, self._different, self._skip):
            one.setEnabled(there)


_COUNT = 10
_FEW = 3  # so many are left when others are looked for
_AHEAD = 3
_SIDE_STEP = 512


class NextPairControl(QObject):
    """Controller of the next pairs: shows, marks and undoes."""

    shown = Signal(object)
    """Another pair is shown: a :class:`OfferedPair`."""

    def __init__(self, view: PairView, thumbnails: SmallPictures, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._jobs = window.opened, window.jobs
        self._offering = self._jobs.latest()
        self._loading = self._jobs.latest()
        self._view = view
        self._thumbnails = thumbnails
        self._changes, self._undoing, self._status = window.changes, window.undoing, window.status
        self._learned: Proposal | str | None = None
        self._index = ""
        self._pairs: list[OfferedPair] = []
        self._passed: set[tuple[int, int]] = set()  # marked or skipped while the window is open
        self._sharp: dict[int, QImage] = {}
        self._steps: list[UndoStep] = []
        self._at_end = False
        self._why_not = ""
        thumbnails.came.connect(self._show)
        window.undoing.changed.connect(self._show_undo)

    def current(self) -> OfferedPair | None:
        """Return the current pair."""
        return self._pairs[0] if self._pairs else None

    def renew(self, index: str, learned: Proposal | str | None) -> None:
        """Find pairs again, since marks or the metric have changed; the current pair stays."""
        self._index, self._learned, self._at_end = index, learned, False
        self._look(keep=1)

    def retry(self) -> None:
        """Find pairs if there was none, since the library is another one."""
        self._at_end = False
        if len(self._pairs) < _FEW:
            self._look(keep=len(self._pairs))

    def _look(self, keep: int) -> None:
        opened = self._opened
        index, learned, passed = self._index, self._learned, frozenset(self._passed)
        kept = self._pairs[:keep]

        def work(progress: Progress) -> OfferResult:
            from twinlens.app.learn.next_pairs import NextPairSettings, offer_pairs

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

    def judge(self, similar: bool) -> None:
        """Mark the current pair."""
        pair, opened = self.current(), self._opened
        if pair is None:
            return
        ids: list[int] = []
        words = _("Undo similar") if similar else _("Undo different")

        def work(__: Progress) -> MarkResult:
            from twinlens.app.marks.marks import mark_pairs

            return mark_pairs(opened.library, [(pair.first_id, pair.second_id)], similar)

        def marked(result: MarkResult) -> None:
            ids.extend(one.id for one in result.added)
            if result.refused:
                step.withdraw()  # and it is not offered again
                self._status.show_message(text(result.refused[0]))

        def take_back() -> None:
            def remove(__: Progress) -> object:
                from twinlens.app.marks.marks import remove_marks

                return remove_marks(opened.library, ids)

            self._changes.do(remove, lambda __: None)
            self._return(pair)

        def failed(failure: Failure) -> None:
            step.withdraw()
            self._status.show_message(failure.words())
            self._return(pair)

        self._changes.do(work, marked, failed)
        step = self._offer(words, take_back)
        self._pass(pair)

    def skip(self) -> None:
        """Leave the current pair, and show another."""
        pair = self.current()
        if pair is not None:
            self._offer(_("Undo skip"), lambda: self._return(pair))
            self._pass(pair)

    def _offer(self, words: str, undo: Callable[[], object]) -> UndoStep:
        step = self._undoing.offer(words, undo, quietly=True)
        self._steps.append(step)
        self._show_undo()
        return step

    def _show_undo(self) -> None:
        """Show the undo button while the last judgement is the newest step."""
        newest = self._undoing.newest()
        self._view.show_undo("" if newest is None or newest not in self._steps else newest.text())

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
        """Decode the next missing picture, one after another, the first pairs first."""
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
    """Decode a photograph with a limit for its longer side; return a null image if it is unreadable now."""
    from twinlens.app.library.pictures import large_picture

    try:
        return image_of(large_picture(library, photograph_id, side))
    except TwinlensError:
        return QImage()  # its thumbnail stays
