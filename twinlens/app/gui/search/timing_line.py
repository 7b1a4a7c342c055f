"""The line below the query: how many photos were found and how long each step took.

Beside it stand the switches of the check for the same picture, and the link with the number of certain results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.action import give_key, show_action
from twinlens.app.gui.actions.declared_actions import search_actions
from twinlens.app.gui.look.buttons import Link, Switch
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import plain_sentence, small, strong
from twinlens.app.gui.look.page_parts import row_of, surface
from twinlens.app.gui.look.theme import theme
from twinlens.app.language.texts import _, _n, number

if TYPE_CHECKING:
    from twinlens.app.search.search_results import ConfidenceThreshold, SearchResult


HEIGHT = 32
_MARGIN = 20
_GAP = 16
_DETAIL = 3  # the cost of facts that stand in the tooltip alone


class TimingLine(QWidget):
    """Line with the number of results and the time; in detail each step, and how many photos were missed.

    The tooltip always has every step. Where there is little room, facts that matter less are left out; the others may
    take another line.

    Signals
    -------
    exact_wanted()
        Compare with exact search.
    missed_wanted(bool)
        Show the photos that exact search finds besides, or hide them again.
    """

    exact_wanted = Signal()
    missed_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFont(small(self.font(), 0.9))
        self._facts: list[tuple[int, str]] = []  # cost and text of each
        self._shown_result: tuple[SearchResult, bool] | None = None
        self._in_detail = False
        self._compare = Link(_("check for missed photos"), self)
        actions = search_actions()
        give_key(self._compare, actions["exact"])
        self._compare.clicked.connect(self.exact_wanted)
        self._missed = Link(_("show missed photos"), self)
        self._missed.setCheckable(True)
        give_key(self._missed, actions["missed"])
        self._missed.toggled.connect(self._on_missed)
        for link in (self._compare, self._missed):
            link.setFont(self.font())
        self.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the room for the most important facts in one line."""
        return QSize(max(320, 2 * _MARGIN + self._long([one for one in self._facts if one[0] == 0])), HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the room of its longest part."""
        parts = [self._width(words) for cost, words in self._facts if cost < _DETAIL] + [self._link_width()]
        return QSize(2 * _MARGIN + max(parts), HEIGHT)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Need more lines where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of its lines."""
        return HEIGHT * len(self._lines(width))

    def clear(self) -> None:
        """Show nothing; the room stays."""
        self.show_sentence("")

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence in place of a timing, such as that the search is under way."""
        self._shown_result = None
        self._show([(0, sentence)] if sentence else [], compare=False, missed=False)

    def show_detail(self, in_detail: bool) -> None:
        """Show every step of the search, or only what was found and how long it took."""
        self._in_detail = in_detail
        if self._shown_result is not None:
            self.set_result(*self._shown_result)

    def set_result(self, result: SearchResult, checking: bool = False) -> None:
        """Show the outcome of a search, and whether its first results are still being checked."""
        self._shown_result = result, checking
        if not self._in_detail:
            self._show(_outcome(result, checking), compare=False, missed=False)
            self.setToolTip(" · ".join(plain_sentence(words) for __, words in self._steps(result, checking)))
            return
        agrees = result.overlap is not None and round(result.overlap * len(result.hits)) < len(result.hits)
        compare = not result.exact and result.overlap is None and bool(result.hits)
        self._show(self._steps(result, checking), compare=compare, missed=not result.exact and agrees)

    def _steps(self, result: SearchResult, checking: bool) -> list[tuple[int, str]]:
        """Return every step with its time."""
        seconds = result.seconds
        facts = [
            (
                0,
                _n(
                    "**{count}** photo in **{ms} ms**",
                    "**{count}** photos in **{ms} ms**",
                    result.of,
                    ms=milliseconds(seconds.total),
                ),
            ),
            (
                _DETAIL,
                _("extract 0 (known)") if seconds.extract == 0 else _("extract {ms}", ms=milliseconds(seconds.extract)),
            ),
        ]
        if not result.exact:
            facts.append((_DETAIL, _("encode {ms}", ms=milliseconds(seconds.encode))))
            facts.append((_DETAIL, _("scan {ms}", ms=milliseconds(seconds.scan))))
        facts.append((_DETAIL, _("re-rank {ms}", ms=milliseconds(seconds.rerank))))
        if result.checked:
            words = _("check {ms}", ms=milliseconds(seconds.check))
            facts.append((2, words))
        elif checking:
            facts.append((2, _("checking …")))
        facts.append((1, _("{count} compared in detail", count=result.looked_at)))
        if result.exact:
            facts.append((0, _("all compared")))
        elif result.overlap is not None:
            facts.append((0, self._exact(result, round(result.overlap * len(result.hits)), len(result.hits))))
        return facts

    def lines(self) -> list[list[str]]:
        """Return the facts that have room, line by line, as they are read."""
        return [[plain_sentence(words) for words in line] for line in self._lines(self.width())]

    def add_note(self, note: str) -> None:
        """Add a note to the tooltip."""
        if note:
            self.setToolTip(f"{self.toolTip()}\n{note}")

    def _exact(self, result: SearchResult, agrees: int, k: int) -> str:
        took = result.exact_seconds
        if took is None:
            return _("**{agrees} of {k}** found", agrees=agrees, k=k)
        return _("**{agrees} of {k}** found · comparing all: {ms} ms", ms=milliseconds(took), agrees=agrees, k=k)

    def _show(self, facts: list[tuple[int, str]], compare: bool, missed: bool) -> None:
        self._facts = facts
        whole = " · ".join(plain_sentence(words) for __, words in facts)
        self.setToolTip(whole)
        self.setAccessibleName(whole or _("Timing"))
        self._missed.blockSignals(True)
        self._missed.setChecked(False)
        self._missed.blockSignals(False)
        self._name_missed(False)
        self._compare.setVisible(compare)
        self._missed.setVisible(missed)
        self.updateGeometry()
        self._place()
        self.update()

    def _on_missed(self, shown: bool) -> None:
        self._name_missed(shown)
        self.updateGeometry()
        self._place()
        self.missed_wanted.emit(shown)

    def _name_missed(self, shown: bool) -> None:
        words = _("hide missed photos") if shown else _("show missed photos")
        self._missed.setText(words)
        self._missed.setAccessibleName(words)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def _link(self) -> Link | None:
        return next((link for link in (self._compare, self._missed) if not link.isHidden()), None)

    def _link_width(self) -> int:
        link = self._link()
        return link.sizeHint().width() if link is not None else 0

    def _long(self, facts: list[tuple[int, str]]) -> int:
        """Return the width of facts and the link in one line."""
        link = self._link_width()
        return sum(self._width(words) + _GAP for __, words in facts) + (link or -_GAP)

    def _lines(self, width: int) -> list[list[str]]:
        """Return the facts that fit, line by line; the link stands at the end of the last."""
        room = width - 1.5 * _MARGIN
        kept = [one for one in self._facts if one[0] < _DETAIL]
        while self._long(kept) > room and (dearest := max((cost for cost, __ in kept), default=0)):
            kept.remove(next(one for one in reversed(kept) if one[0] == dearest))
        lines: list[list[str]] = [[]]
        x = 0.0
        for words in [words for __, words in kept] + ([""] if self._link() else []):  # "": the link
            wide = self._width(words) if words else self._link_width()
            if x and x + wide > room:
                lines.append([])
                x = 0.0
            lines[-1].append(words)
            x += wide + _GAP
        return [[words for words in line if words] for line in lines]

    def _width(self, words: str) -> int:
        return sum(self._metrics(loud).horizontalAdvance(text) for text, loud in _split(words))

    def _metrics(self, loud: bool) -> QFontMetrics:
        return QFontMetrics(strong(self.font()) if loud else self.font())

    def _place(self) -> None:
        link = self._link()
        if link is not None:
            lines = self._lines(self.width())
            width = sum(self._width(words) + _GAP for words in lines[-1])
            hint = link.sizeHint()
            hint.setHeight(hint.height() + (HEIGHT - hint.height()) % 2)  # on one line with the facts
            top = HEIGHT * (len(lines) - 1) + (HEIGHT - hint.height()) // 2
            link.setGeometry(_MARGIN + width - 4, top, hint.width(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose the facts that fit."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the facts in their lines."""
        now = theme()
        painter = QPainter(self)
        for row, line in enumerate(self._lines(self.width())):
            x = float(_MARGIN)
            for text, loud in [run for words in line for run in [*_split(words), ("", False)]]:
                font = strong(self.font()) if loud else self.font()
                painter.setFont(font)
                painter.setPen(QColor(now.ink if loud else now.quiet))
                width = QFontMetrics(font).horizontalAdvance(text)
                box = QRectF(x, HEIGHT * row, width + 2, HEIGHT)
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
                x += width if text else _GAP
        painter.end()


class TimingStrip(QWidget):
    """Holds the timing line and its neighbours, below each other where there is little room."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        surface(self, "strip")
        lines = FlowLayout(0)
        for widget in widgets:
            lines.addWidget(widget)
        self.setLayout(lines)


def _outcome(result: SearchResult, checking: bool) -> list[tuple[int, str]]:
    """Return how many copies and similar photos were found, among how many, and how long it took."""
    seconds = number(result.seconds.total, ",.2f")
    if result.likeness is None:
        return [(0, _n("**{count}** photo in **{s} s**", "**{count}** photos in **{s} s**", result.of, s=seconds))]
    kinds = [result.likeness.of(one) for one in result.hits if not one.query]
    same, similar = kinds.count("same picture"), kinds.count("very similar") + kinds.count("similar")
    among = _n("among {count} photo, in **{s} s**", "among {count} photos, in **{s} s**", result.of, s=seconds)
    if result.likeness.shows:
        sure, guessed = kinds.count("very similar"), kinds.count("similar")
        shown = _n("**{count}** photo shows it", "**{count}** photos show it", sure)
        may = [(0, _n("**{count}** may", "**{count}** may", guessed))] if guessed else []
        return [(0, shown), *may, (1, among)]
    facts = []
    if checking:
        facts.append((0, _("looking for copies …")))
    elif same:
        facts.append((0, _n("**{count}** copy", "**{count}** copies", same)))
    facts.append((0, _n("**{count}** similar photo", "**{count}** similar photos", similar)))
    return [*facts, (1, among)]


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds: one decimal under ten."""
    ms = seconds * 1000
    return number(ms, ",.1f" if ms < 10 else ",.0f")


def _split(words: str) -> list[tuple[str, bool]]:
    return [(text, place % 2 == 1) for place, text in enumerate(words.split("**")) if text]


class CheckBar(QWidget):
    """Stands at the end of the timing line, where an index can be checked.

    Signals
    -------
    check_wanted(bool)
    only_wanted(bool)
        Only confirmed photographs are to be shown, or all.
    order_wanted()
        Confirmed photographs are to come first.
    """

    check_wanted = Signal(bool)
    only_wanted = Signal(bool)
    order_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setFont(small(self.font(), 0.9))
        self._order = Link(_("show matches first"))
        self._order.setToolTip(_("Show matches before the other results"))
        self._only = Switch()
        actions = search_actions()
        give_key(self._only, actions["only confirmed"])
        self._check = Switch()
        self._check.setText(_("check matches"))
        give_key(self._check, actions["check"])
        details = _("Compare the first results with your photo point by point. Matches are marked and come first.")
        show_action(self._check, actions["check"], details)
        self._order.clicked.connect(self.order_wanted)
        self._only.clicked.connect(self.only_wanted)
        self._check.clicked.connect(self.check_wanted)
        row = row_of(on=self, gap=12, margins=(16, 0, 16, 1))
        for widget in (self._order, self._only, self._check):
            widget.setFont(self.font())
            row.addWidget(widget)
        self._in_detail, self._applies = False, False
        self.show_state(applies=False)

    def show_detail(self, in_detail: bool) -> None:
        """Show the switch of the check itself, too."""
        self._in_detail = in_detail
        self._check.setVisible(self._applies and in_detail)

    def show_state(
        self, applies: bool, checks: bool = True, confirmed: int | None = None, only: bool = False, waits: bool = False
    ) -> None:
        """Show the state of the check.

        Parameters
        ----------
        applies : bool
            Results of the index can be checked.
        checks : bool
            They are checked.
        confirmed : int or None
            Number of matches without the query itself; None while it is not known.
        only : bool
            Only matches are shown.
        waits : bool
            Matches do not stand before the others yet.
        """
        self._applies = applies
        self._check.setVisible(applies and self._in_detail)
        self._check.setChecked(checks)
        self._only.setVisible(applies and checks)
        self._only.setChecked(only)
        self._only.setEnabled(only or bool(confirmed))
        count = "…" if confirmed is None else number(confirmed)
        words = _("same picture only · {value}", value=count)
        self._only.setText(words)
        self._only.setAccessibleName(words)
        self._order.setVisible(applies and checks and waits and not only)


class ConfidenceLink(Link):
    """Stands after the timing line; hidden where there are too few marks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setCheckable(True)
        self.setFont(small(self.font(), 0.9))
        self.setFixedHeight(HEIGHT)
        self.hide()

    def show_sure(self, sure: ConfidenceThreshold | None, within: int, of: int) -> None:
        """Show how many results are certain, with the meaning in the tooltip."""
        self.setVisible(sure is not None and of > 0)
        if sure is None:
            return
        words = _("{within} of {of} certain", within=within, of=of) if within else _("No confirmed matches")
        meaning = _(
            "{sentence}\nMatches count as certain too. Click to show only certain results, click again to show all.",
            sentence=sure.sentence(),
        )
        self.setText(words)
        self.setEnabled(within > 0)
        self.setAccessibleName(words)
        self.setToolTip(meaning)
