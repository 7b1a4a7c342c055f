"""Cards that are chosen by a click: each a title and one plain sentence, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.look.page_parts import label
from app.gui.look.quiet_button import QuietButton
from app.gui.look.sentences import small, strong
from app.gui.look.text_size import grown

_GAP = 8
_LEAST = 220  # width of a card, from which on another stands beside it


class _ChoiceCard(QuietButton):
    """A title and a sentence; pressed as a button, and checked while it is chosen."""

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__(title, "word")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.words = QVBoxLayout(self)
        self.words.setContentsMargins(12, 8, 12, 8)
        self.words.setSpacing(2)
        heading, below = label(title, wrap=True), label(sentence, "quiet", wrap=True)
        heading.setFont(strong(heading.font()))
        below.setFont(small(below.font(), 0.92))
        for one in (heading, below):
            one.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.words.addWidget(one)
        self.words.addStretch()


class ChoiceCards(QWidget):
    """Shows cards, and is as high as they are.

    Parameters
    ----------
    cards : sequence of (str, str, str)
        Key, title and sentence of each.

    Signals
    -------
    pressed : str
        Key of a card; which ones are checked then, :meth:`check` says.
    """

    pressed = Signal(str)

    def __init__(self, cards: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.cards: dict[str, QuietButton] = {}
        self._checked: Collection[str] = ()
        for key, title, sentence in cards:
            made = self.cards[key] = _ChoiceCard(title, sentence)
            made.setParent(self)
            made.clicked.connect(partial(self._press, key))

    def check(self, keys: Collection[str]) -> None:
        """Show which are chosen."""
        self._checked = keys
        for key, card in self.cards.items():
            card.setChecked(key in keys)

    def _press(self, key: str, *__: object) -> None:
        self.check(self._checked)  # a click alone checks nothing
        self.pressed.emit(key)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Place the cards; those of a row are equally high."""
        super().resizeEvent(event)
        columns = max(1, min(len(self.cards), (self.width() + _GAP) // (grown(_LEAST) + _GAP)))
        wide = (self.width() - _GAP * (columns - 1)) // columns
        every, top = list(self.cards.values()), 0
        for first in range(0, len(every), columns):
            row = every[first : first + columns]
            high = max(_card_height(card, wide) for card in row)
            for place, card in enumerate(row):
                card.setGeometry(QRect(place * (wide + _GAP), top, wide, high))
            top += high + _GAP
        if self.height() != top - _GAP:
            self.setFixedHeight(max(0, top - _GAP))


def _card_height(card: QuietButton, width: int) -> int:
    layout = card.layout()
    return 0 if layout is None else layout.totalHeightForWidth(width)
