"""The marks between a result and the query: two buttons, and each mark with a way to remove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.gui.look.flow_layout import FlowLayout
from app.gui.look.painted_button import PaintedButton
from app.gui.look.sentences import Link, Sentence
from app.gui.look.theme import theme
from app.gui.marks.mark_sign import Verdict, paint_verdict
from app.gui.marks.mark_words import told_mark
from app.language.spoken import _

if TYPE_CHECKING:
    from app.marks.judgement import SaidMark

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

    def show_marks(self, markable: bool, marks: Sequence[SaidMark] = ()) -> None:
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

    def _line(self, row: SaidMark) -> QWidget:
        line = QWidget()
        words = Sentence(told_mark(row))
        gone = Link(_("remove"))
        gone.setAccessibleName(_("Remove this mark"))
        gone.clicked.connect(lambda: self.remove_wanted.emit(row.id))
        inner = QHBoxLayout(line)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(words, 1)
        inner.addWidget(gone, 0, Qt.AlignmentFlag.AlignTop)
        return line


class VerdictButton(PaintedButton):
    """A pill with its key and the sign of a verdict; filled while that is what is said."""

    def __init__(self, verdict: Verdict, text: str, key: str) -> None:
        super().__init__()
        self._sign = verdict
        self.setCheckable(True)
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        name = _("Mark similar to what was asked with")
        if verdict is Verdict.DIFFERENT:
            name = _("Mark different from what was asked with")
        self.setAccessibleName(name)
        self.setToolTip(_("{name}; again takes it back ({key})", name=name, key=key))

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as its words, and the sign before them."""
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 52, 32)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the pill, the sign and the words."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(now.accent if self._sign is Verdict.SIMILAR else now.warn)
        lively = self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setPen(QPen(colour if lively else QColor(now.line), 2 if self.hasFocus() else 1.2))
        painter.setBrush(QColor(now.well) if self.isChecked() or self.isDown() else Qt.BrushStyle.NoBrush)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        paint_verdict(painter, QPointF(20, self.height() / 2), self._sign, now)
        painter.setPen(QColor(now.ink))
        painter.drawText(self.rect().adjusted(36, 0, -10, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()
