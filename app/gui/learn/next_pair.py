"""The pair that is offered: two large photographs, and three keys."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.gui.learn.headline import section_heading
from app.gui.look.elided_line import ElidedLine
from app.gui.look.framed_picture import FramedPicture
from app.gui.look.page_parts import button, label, set_look, surface
from app.language.spoken import _, text
from app.learn.next_pairs_results import OfferedPair
from core.files.untrusted_input import plain_name

_GAP = 16
_RING = 3  # round both, where the keys are
_LEAST, _MOST = 190, 720
_SHAPE = 0.68  # height of a well, of its width


class PairPictures(QWidget):
    """Two photographs side by side, each whole in a well of its own; the keys of the view go to it.

    1 and 2 show them large.

    Signals
    -------
    large_wanted : int
        A photograph was double-clicked.
    asked_with : int
        A photograph was clicked.
    """

    large_wanted = Signal(int)
    asked_with = Signal(int)

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
        row = QHBoxLayout(self)
        row.setContentsMargins(_RING, _RING, _RING, _RING)
        row.setSpacing(_GAP)
        for part in (*self._wells, self._nothing):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part, 1)
        self.say("")

    def show_pair(self, pair: OfferedPair | None, images: tuple[QImage, QImage], sharp: tuple[bool, bool]) -> None:
        """Show a pair, with thumbnails where the pictures themselves are not there yet."""
        same = pair is not None and self._pair is not None and pair.ids == self._pair.ids
        self._pair = pair
        for place, well in enumerate(self._wells):
            well.setVisible(pair is not None)
            if not (same and self._sharp[place] and not sharp[place]):  # what is sharp stays
                well.show_picture(images[place])
                self._sharp[place] = sharp[place]
        self._nothing.setVisible(pair is None)
        names = "" if pair is None else f"{plain_name(pair.first)}, {plain_name(pair.second)}"
        self.setAccessibleName(_("Which of these are alike to you?"))
        self.setAccessibleDescription(names)
        hint = _("Click ranks by a photo, 1 and 2 show the left and the right one large.")
        self.setToolTip("" if pair is None else f"{names}\n{hint}")

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a pair."""
        self.show_pair(None, (QImage(), QImage()), (False, False))
        self._nothing.setText(sentence)
        self.setAccessibleDescription(sentence)

    def pair(self) -> OfferedPair | None:
        """Return what is shown."""
        return self._pair

    def is_sharp(self) -> bool:
        """Return whether both pictures are shown as sharp as they are."""
        return all(self._sharp)

    def set_room(self, width: int, height: int) -> None:
        """Fit the photographs into the view: as large as they can be without pushing the rest out."""
        wanted = round((width - _GAP) / 2 * _SHAPE)
        self.setFixedHeight(max(_LEAST, min(_MOST, wanted, height)))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Keep the height that it was given, whatever is said in it."""
        return False

    def wells(self) -> tuple[QRect, QRect]:
        """Return where the photographs lie."""
        return self._wells[0].geometry(), self._wells[1].geometry()

    def side(self) -> int:
        """Return the device pixels that a picture is seen with at most."""
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
            self.asked_with.emit(photograph_id)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show it large."""
        photograph_id = self._at(event.position().toPoint())
        if photograph_id is not None:
            self.large_wanted.emit(photograph_id)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show where the keys are to whoever goes from part to part; they are here nearly always else."""
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        set_look(self, "keyed", by_key)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show that they are elsewhere."""
        super().focusOutEvent(event)
        set_look(self, "keyed", False)


class PairView(QWidget):
    """The view of a pair: the question, the photographs, why these, and the possible answers.

    Signals
    -------
    judged : bool
        Similar (True) or different.
    skipped, undo_wanted
    """

    judged = Signal(bool)
    skipped = Signal()
    undo_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.pictures = PairPictures()
        self._heading = section_heading(_("Which of these are alike to you?"))
        self._reason = ElidedLine("quiet")
        self._similar = button(_("S  similar"), _("These are alike to me"), "S")
        self._different = button(_("D  different"), _("These are different to me"), "D")
        self._skip = button(_("Space  skip"), _("Leave these, and show others"), "Space")
        self._undo = button(_("Undo"), _("Take the last mark back"), "Backspace", "link")
        self._similar.clicked.connect(lambda: self.judged.emit(True))
        self._different.clicked.connect(lambda: self.judged.emit(False))
        self._skip.clicked.connect(self.skipped)
        self._undo.clicked.connect(self.undo_wanted)
        for one in (self._similar, self._different, self._skip, self._undo):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys where they are
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._heading)
        top.addWidget(self._reason, 1)
        keys = QHBoxLayout()
        keys.setSpacing(8)
        keys.addStretch(1)
        for one in (self._similar, self._different, self._skip):
            keys.addWidget(one)
        undo = QHBoxLayout()
        undo.addStretch()
        undo.addWidget(self._undo)
        keys.addLayout(undo, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.pictures)
        column.addLayout(keys)
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
        """Show a pair; called again when its pictures have come."""
        self.pictures.show_pair(pair, (first, second), sharp)
        self._reason.say(text(pair.reason))
        self._enable(True)

    def say(self, sentence: str) -> None:
        """Show why there is no pair."""
        self.pictures.say(sentence)
        self._reason.say("")
        self._enable(False)

    def show_undo(self, what: str) -> None:
        """Offer to take back what was done last; "" for nothing."""
        self._undo.setText(what)
        self._undo.setVisible(bool(what))

    def can_judge(self) -> bool:
        """Return whether there is a pair."""
        return self.pictures.pair() is not None

    def reason(self) -> str:
        """Return why this pair."""
        return self._reason.text()

    def _enable(self, there: bool) -> None:
        for one in (self._similar, self._different, self._skip):
            one.setEnabled(there)
