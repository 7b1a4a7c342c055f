"""The marks between a result and the query: two buttons, and each mark with a way to remove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.gui.look.flow_layout import FlowLayout
from app.gui.look.pills import Pill
from app.gui.look.sentences import Link, Sentence
from app.gui.marks.mark_sign import SIGN, Verdict, verdict_pixmap
from app.gui.marks.mark_words import mark_text
from app.language.spoken import _

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
