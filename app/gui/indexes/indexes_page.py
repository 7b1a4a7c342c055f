"""The page of the indexes: description, size and actions of each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.gui.actions.action import attach
from app.gui.indexes.actions import index_actions
from app.gui.indexes.index_card import IndexCard
from app.gui.look.page_parts import Page, bind, button
from app.language.spoken import _, _n
from app.results import IndexListResult


class IndexesPage(Page):
    """Lists the indexes.

    Signals
    -------
    new_wanted
        Another index is to be put together.
    rename_wanted : str, str
        The old and the new name.
    delete_wanted : str
        The name.
    default_wanted : str
        The index that is to be searched where none is named.
    closed
        The person wants to go back.
    """

    new_wanted = Signal()
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    default_wanted = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("", widest=880)
        self.set_title(_("Indexes"))
        self.setAccessibleName(_("Indexes"))
        self._cards: dict[str, IndexCard] = {}
        self._shown: tuple[IndexListResult, str, dict[str, str]] | None = None
        self._progress: dict[str, tuple[float | None, str]] = {}
        new = self.add_button(button(_("New index…"), _("Create another index"), "Ctrl+N", "primary"))
        new.clicked.connect(self.new_wanted)
        attach(self, index_actions(), {"new": self.new_wanted.emit})
        bind(self, "Esc", self.closed.emit)
        self.body.addStretch(1)

    def set_indexes(self, result: IndexListResult, default: str, words: Mapping[str, str] | None = None) -> None:
        """Show the indexes.

        Parameters
        ----------
        result : IndexListResult
        default : str
            Name of the index that is searched where none is named.
        words : mapping of str to str, optional
            For each name, what the index compares in plain words ("shapes and places").
        """
        shown = (result, default, dict(words or {}))
        if shown == self._shown:
            return
        self._shown = shown
        focused = next((name for name, card in self._cards.items() if card.has_focus()), None)
        typed = {name: text for name, card in self._cards.items() if (text := card.new_name()) is not None}
        for card in self._cards.values():
            self.body.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = {}
        for place, index in enumerate(result.indexes):
            card = IndexCard(index, index.name == default, (words or {}).get(index.name, ""))
            card.rename_wanted.connect(self.rename_wanted)
            card.default_wanted.connect(self.default_wanted)
            card.removed.connect(self.delete_wanted)
            self.body.insertWidget(place, card)
            card.show()
            self._cards[index.name] = card
            if index.name in self._progress:
                card.set_progress(*self._progress[index.name])
        if focused in self._cards:
            self._cards[focused].setFocus()
        for name, text in typed.items():
            if name in self._cards:
                self._cards[name].rename(text)
        self._say_count()

    def set_progress(self, name: str, share: float | None, text: str = "") -> None:
        """Show the progress of an index, 0 to 1; None: it is built."""
        if share is None:
            self._progress.pop(name, None)
        else:
            self._progress[name] = (share, text)
        if name in self._cards:
            self._cards[name].set_progress(share, text)

    def cards(self) -> list[QWidget]:
        """Return the indexes, in order."""
        return [card for card in self._cards.values() if not card.isHidden()]

    def _say_count(self) -> None:
        count = len(self.cards())
        self.set_line(
            _n(
                "{count} index of the same photos",
                "{count} indexes of the same photos",
                count,
            )
        )
