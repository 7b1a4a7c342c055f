"""The chooser of the index: a pill that opens a list, in plain words, with the exact text below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.gui.actions.action import give_key, show_action
from app.gui.actions.declared_actions import search_actions
from app.gui.lists.card_list import Card, CardLine
from app.gui.lists.pick_list import PickList
from app.gui.look.buttons import WordsPill
from app.gui.look.page_parts import column_of, surface
from app.language.texts import _

_WIDTH, _HEIGHT = 400, 420


class IndexOption(NamedTuple):
    """An index in the list: its name, what it compares in plain words, its exact text."""

    name: str
    words: str
    text: str


class IndexChooser(WordsPill):
    """Shows the index that is searched, and opens the list of all.

    Signals
    -------
    index_chosen(str)
    new_index_wanted()
    """

    index_chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(opens=True, parent=parent)
        give_key(self, search_actions()["index"])
        self._indexes: list[IndexOption] = []
        self._current = ""
        self._list: IndexPopup | None = None
        self.clicked.connect(self._on_clicked)
        self._write()

    def set_indexes(self, indexes: Sequence[IndexOption], current: str) -> None:
        """Offer indexes, and choose one."""
        self._indexes, self._current = list(indexes), current
        self._write()

    def current(self) -> str:
        """Return the name of the chosen index."""
        return self._current

    def _write(self) -> None:
        now = next((one for one in self._indexes if one.name == self._current), None)
        adds_words = now is not None and now.words and now.words.casefold() != now.name.casefold()
        words = f": {now.words}" if now is not None and adds_words else ""
        self.set_words(_("in") + " ", self._current or _("nothing yet"), words)
        spoken = f"{self._current}{words}"
        show_action(self, search_actions()["index"], f"{spoken}\n{now.text}" if now else "")
        self.setAccessibleName(_("Search in: {index}", index=spoken))

    def _on_clicked(self) -> None:
        self._list = IndexPopup(self._indexes, self._current, self)
        self._list.chosen.connect(self._on_chosen)
        self._list.new_index_wanted.connect(self.new_index_wanted)
        self._list.open_at(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _on_chosen(self, name: str) -> None:
        if name != self._current:
            self._current = name
            self._write()
            self.index_chosen.emit(name)


class IndexPopup(QFrame):
    """The list of indexes below the pill."""

    chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, indexes: Sequence[IndexOption], current: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Indexes"))
        self.rows = PickList(_("Indexes"), lambda one: one.name, _card, lines=1)
        self.rows.show_rows([*indexes, IndexOption("", "", "")], [current])
        self.rows.picked.connect(self._on_picked)
        column_of(self.rows, on=self, margins=8)
        self.setFixedSize(_WIDTH, min(_HEIGHT, self.sizeHint().height()))

    def open_at(self, place: QPoint) -> None:
        """Open with the keys in the list."""
        screen = self.screen().availableGeometry()
        self.move(min(place.x(), screen.right() - self.width()), min(place.y(), screen.bottom() - self.height()))
        self.show()
        self.rows.setFocus()

    def _on_picked(self, one: IndexOption) -> None:
        self.close()
        if one.name:
            self.chosen.emit(one.name)
        else:
            self.new_index_wanted.emit()


def _card(one: IndexOption) -> Card:
    """Return name and plain words, and the exact text below; of no index the way to a new one."""
    if not one.name:
        return Card(CardLine(_("New index…"), "accent"), _("New index…"))
    words = one.words if one.words.casefold() != one.name.casefold() else ""
    spoken = f"{one.name}: {one.words}" if one.words else one.name
    return Card(CardLine(one.name, "ink", words), spoken, (CardLine(one.text),), tip=one.text)
