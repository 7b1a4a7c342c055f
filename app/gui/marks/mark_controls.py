"""Controls of marks in the search view: the marks between a result and the query.

And the switch that searches with marks, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.gui.actions.action import give_key
from app.gui.actions.declared_actions import search_actions
from app.gui.look.buttons import PILL_PADDING, Pill
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import label, set_look, set_role
from app.gui.look.sentences import Link, Sentence
from app.gui.marks.mark_signs import SIGN, Verdict, mark_text, verdict_pixmap
from app.language.texts import _, number

if TYPE_CHECKING:
    from app.marks.judgement import ResultMark


_SHOWN = 4  # marks; a question of several examples may have more


class MarksSection(QWidget):
    """Stands in the panel that explains a result; hidden where nothing can be marked.

    Signals
    -------
    judged(bool)
        The result is to be marked similar, or different; pressed again, that is taken back.
    remove_wanted(int)
        A mark is to be removed.
    """

    judged = Signal(bool)
    remove_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._similar = VerdictButton(Verdict.SIMILAR, _("S  similar"), "S")
        self._different = VerdictButton(Verdict.DIFFERENT, _("D  different"), "D")
        self._similar.clicked.connect(lambda: self._on_clicked(True))
        self._different.clicked.connect(lambda: self._on_clicked(False))
        buttons = FlowLayout()
        buttons.addWidget(self._similar)
        buttons.addWidget(self._different)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(buttons)
        column.addLayout(self._lines)
        self._verdict: Verdict | None = None
        self.hide()

    def show_marks(self, markable: bool, marks: Sequence[ResultMark] = ()) -> None:
        """Show what is said of a result; nothing where it cannot be marked."""
        self._show_verdict(Verdict.of(row.similar for row in marks))
        while (item := self._lines.takeAt(0)) is not None:
            held = item.widget()
            if held is not None:
                held.hide()
                held.deleteLater()
        for row in marks[:_SHOWN]:
            self._lines.addWidget(self._line(row))
        self.setVisible(markable)

    def expect(self, markable: bool, verdict: Verdict) -> None:
        """Show what is being said of a result: its mark is not written yet."""
        self.show_marks(markable)
        self._show_verdict(verdict)

    def _show_verdict(self, verdict: Verdict | None) -> None:
        self._verdict = verdict
        self._similar.setChecked(verdict in (Verdict.SIMILAR, Verdict.BOTH))
        self._different.setChecked(verdict in (Verdict.DIFFERENT, Verdict.BOTH))

    def _on_clicked(self, similar: bool) -> None:
        self._show_verdict(self._verdict)  # what is checked follows the marks, not the click
        self.judged.emit(similar)

    def _line(self, row: ResultMark) -> QWidget:
        line = QWidget()
        words = Sentence(mark_text(row))
        gone = Link(_("remove"))
        gone.setAccessibleName(_("Remove this mark"))
        gone.clicked.connect(lambda: self.remove_wanted.emit(row.id))
        inner = QHBoxLayout(line)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(words, 1)
        inner.addWidget(gone, 0, Qt.AlignmentFlag.AlignTop)
        return line


class VerdictButton(Pill):
    """A pill with its key and the sign of a verdict; filled while that is what is said."""

    def __init__(self, verdict: Verdict, text: str, key: str) -> None:
        super().__init__(text)
        self._verdict = verdict
        self.setIconSize(QSize(SIGN, SIGN))
        self.setProperty("verdict", verdict.value)
        self.setCheckable(True)
        name = _("Mark similar to what was asked with")
        if verdict is Verdict.DIFFERENT:
            name = _("Mark different from what was asked with")
        self.setAccessibleName(name)
        self.setToolTip(_("{name}; again takes it back ({key})", name=name, key=key))

    def icon_now(self) -> QIcon:
        """Return the sign of the verdict."""
        return QIcon(verdict_pixmap(self._verdict, SIGN, self.devicePixelRatioF()))


_SIGN = 18  # px, smaller than on a photograph
_GAP = 5


class MarksPill(Pill):
    """The switch that adds marks to the query; hidden where nothing was marked.

    Signals
    -------
    wanted(bool)
        The marks are to count, or no longer; pressed while there are others than those that count, these are to count.
    """

    wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setCheckable(True)
        give_key(self, search_actions()["marks"])
        self._words = label()
        self._words.setContentsMargins(0, 0, _GAP, 0)
        self._signs = {verdict: (QLabel(), label("", "name")) for verdict in (Verdict.SIMILAR, Verdict.DIFFERENT)}
        inner = QHBoxLayout(self)
        inner.setContentsMargins(PILL_PADDING, 0, PILL_PADDING, 0)
        inner.setSpacing(_GAP)
        inner.addWidget(self._words)
        for both in self._signs.values():
            for one in both:
                inner.addWidget(one)
        self._signs[Verdict.SIMILAR][1].setContentsMargins(0, 0, _GAP, 0)
        self._stale = False
        self._draw()
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_marks(self, similar: int, different: int, used: bool = False, stale: bool = False) -> None:
        """Show the state of the marks.

        Parameters
        ----------
        similar, different : int
            How many photographs are marked so.
        used : bool
            They count.
        stale : bool
            Those that count are not all of these, or others too.
        """
        for (sign, counted), count in zip(self._signs.values(), (similar, different), strict=True):
            counted.setText(number(count))
            for one in (sign, counted):
                one.setVisible(count > 0)
        self._stale = used and stale and similar + different > 0
        self.setChecked(used)
        self.setVisible(used or similar + different > 0)
        self.setText(_("with my new marks") if self._stale else _("with my marks"))
        self._words.setText(self.text())
        set_role(self._words, "" if used else "quiet")
        set_look(self, "invites", not used or self._stale)
        said = _("{similar} marked similar, {different} marked different", similar=similar, different=different)
        what = _("Ask as if those marked similar were asked with too, and those marked different were not wanted")
        if self._stale:
            what = _("There are other marks than those that count: ask again with all of them")
        elif used:
            what = _("The marks count; ask without them")
        key = search_actions()["marks"].keys_text()
        self.setAccessibleName(_("Ask with my marks") + f": {said}")
        self.setToolTip(f"{said}\n{what} ({key})")

    def show_signs_alone(self, alone: bool) -> None:
        """Leave the words out, where there is no room for them."""
        self._words.setVisible(not alone)

    def _draw(self) -> None:
        for verdict, (sign, __) in self._signs.items():
            sign.setPixmap(verdict_pixmap(verdict, _SIGN, self.devicePixelRatioF()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_signs"):
            self._draw()

    def _on_clicked(self) -> None:
        use = self._stale or self.isChecked()
        self.setChecked(use)
        self.wanted.emit(use)
