"""The one line of timing and truth under the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.query.words import Link, plain, small, strong
from app.gui.theme import theme

if TYPE_CHECKING:
    from app.results import SearchResult

HEIGHT = 32
_MARGIN = 20
_GAP = 16


class TimingLine(QWidget):
    """What the search took, step by step, how much was looked at, and how it compares with exact search.

    Where there is little room the steps go first, then the rest from the left; the tooltip has all of it.

    Signals
    -------
    exact_wanted()
        Compare with exact search.
    missed_wanted(bool)
        Show what exact search finds besides, or hide it again.
    """

    exact_wanted = Signal()
    missed_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(small(self.font(), 0.9))
        self._facts: list[tuple[int, str]] = []  # how dear each is, and its words
        self._compare = Link(self.tr("compare with exact"), self)
        self._compare.setShortcut(QKeySequence("Ctrl+E"))
        self._compare.setToolTip(
            self.tr("Measure every photograph, and say where that differs ({key})").format(key=_shown("Ctrl+E"))
        )
        self._compare.clicked.connect(self.exact_wanted)
        self._missed = Link(self.tr("show what is missed"), self)
        self._missed.setCheckable(True)
        self._missed.setShortcut(QKeySequence("Ctrl+M"))
        self._missed.setToolTip(self.tr("Show what only exact search finds ({key})").format(key=_shown("Ctrl+M")))
        self._missed.toggled.connect(self._on_missed)
        for link in (self._compare, self._missed):
            link.setFont(self.font())
        self.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """One line."""
        return QSize(320, HEIGHT)

    def clear(self) -> None:
        """Say nothing; the room stays."""
        self.say("")

    def say(self, sentence: str) -> None:
        """Say one thing instead of a timing, for instance that the search is under way."""
        self._show([(0, sentence)] if sentence else [], compare=False, missed=False)

    def set_result(self, result: SearchResult, checking: bool = False) -> None:
        """Show what a search took and found, and whether its first results are still being checked."""
        seconds = result.seconds
        facts = [
            (
                0,
                self.tr("**{count}** photographs in **{ms} ms**").format(
                    count=f"{result.of:,}", ms=milliseconds(seconds.total)
                ),
            ),
            (
                3,
                self.tr("extract 0 (known)")
                if seconds.extract == 0
                else self.tr("extract {ms}").format(ms=milliseconds(seconds.extract)),
            ),
        ]
        if not result.exact:
            facts.append((3, self.tr("encode {ms}").format(ms=milliseconds(seconds.encode))))
            facts.append((3, self.tr("scan {ms}").format(ms=milliseconds(seconds.scan))))
        facts.append((3, self.tr("re-rank {ms}").format(ms=milliseconds(seconds.rerank))))
        if result.checked:
            words = self.tr("check {ms}").format(ms=milliseconds(seconds.check))
            facts.append((2, words))
        elif checking:
            facts.append((2, self.tr("checking …")))
        facts.append((1, self.tr("looked at {count}").format(count=f"{result.looked_at:,}")))
        missed = False
        if result.exact:
            facts.append((0, self.tr("exact")))
        elif result.overlap is not None:
            k = len(result.hits)
            agrees = round(result.overlap * k)
            missed = agrees < k
            facts.append((0, self._exact(result, agrees, k)))
        self._show(facts, compare=not result.exact and result.overlap is None and bool(result.hits), missed=missed)

    def add_note(self, note: str) -> None:
        """Say something besides, to those who ask for all."""
        if note:
            self.setToolTip(f"{self.toolTip()}\n{note}")

    def _exact(self, result: SearchResult, agrees: int, k: int) -> str:
        took = result.exact_seconds
        if took is None:
            return self.tr("exact agrees **{agrees} / {k}**").format(agrees=f"{agrees:,}", k=f"{k:,}")
        return self.tr("exact: {ms} ms, agrees **{agrees} / {k}**").format(
            ms=milliseconds(took), agrees=f"{agrees:,}", k=f"{k:,}"
        )

    def _show(self, facts: list[tuple[int, str]], compare: bool, missed: bool) -> None:
        self._facts = facts
        whole = " · ".join(plain(words) for _, words in facts)
        self.setToolTip(whole)
        self.setAccessibleName(whole or self.tr("Timing"))
        self._missed.blockSignals(True)
        self._missed.setChecked(False)
        self._missed.blockSignals(False)
        self._name_missed(False)
        self._compare.setVisible(compare)
        self._missed.setVisible(missed)
        self._place()
        self.update()

    def _on_missed(self, shown: bool) -> None:
        self._name_missed(shown)
        self._place()
        self.missed_wanted.emit(shown)

    def _name_missed(self, shown: bool) -> None:
        words = self.tr("hide what is missed") if shown else self.tr("show what is missed")
        self._missed.setText(words)
        self._missed.setAccessibleName(words)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def _link(self) -> Link | None:
        return next((link for link in (self._compare, self._missed) if not link.isHidden()), None)

    def _runs(self) -> list[list[tuple[str, bool]]]:
        """Give the facts that there is room for, each as runs of words, quiet and strong by turns."""
        link = self._link()
        room = self.width() - 1.5 * _MARGIN - (link.sizeHint().width() + _GAP if link else 0)
        kept = list(self._facts)
        while len(kept) > 1 and sum(self._width(words) + _GAP for _, words in kept) - _GAP > room:
            dearest = max(cost for cost, _ in kept)
            if dearest == 3:
                kept = [one for one in kept if one[0] < 3]
            elif dearest == 0:
                break
            else:
                kept.remove(next(one for one in reversed(kept) if one[0] == dearest))
        return [_split(words) for _, words in kept]

    def _width(self, words: str) -> int:
        return sum(self._metrics(loud).horizontalAdvance(text) for text, loud in _split(words))

    def _metrics(self, loud: bool) -> QFontMetrics:
        return QFontMetrics(strong(self.font()) if loud else self.font())

    def _place(self) -> None:
        link = self._link()
        if link is not None:
            width = sum(sum(self._metrics(loud).horizontalAdvance(t) for t, loud in run) + _GAP for run in self._runs())
            hint = link.sizeHint()
            hint.setHeight(hint.height() + (self.height() - hint.height()) % 2)  # on one line with the facts
            x = min(_MARGIN + width - 4, self.width() - hint.width() - _MARGIN // 2)
            link.setGeometry(max(0, x), (self.height() - hint.height()) // 2, hint.width(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose what there is room for."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the facts in a row."""
        now = theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(now.ground))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), QColor(now.line))
        x = float(_MARGIN)
        for run in self._runs():
            for text, loud in run:
                font = strong(self.font()) if loud else self.font()
                painter.setFont(font)
                painter.setPen(QColor(now.ink if loud else now.quiet))
                width = QFontMetrics(font).horizontalAdvance(text)
                painter.drawText(QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
                x += width
            x += _GAP
        painter.end()


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds: one decimal under ten."""
    ms = seconds * 1000
    return f"{ms:,.1f}" if ms < 10 else f"{ms:,.0f}"


def _split(words: str) -> list[tuple[str, bool]]:
    return [(text, number % 2 == 1) for number, text in enumerate(words.split("**")) if text]


def _shown(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
