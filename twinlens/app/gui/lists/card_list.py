"""A list of cards stays smooth with thousands: one model, one delegate, no widget per card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
)

from twinlens.app.gui.lists.card import Card, CardDelegate, CardIndex, CardLook, remove_sign_rect

if TYPE_CHECKING:
    from twinlens.app.gui.pictures.small_pictures import SmallPictures


Row = TypeVar("Row")
_NOWHERE = QModelIndex()
_FEW = 64  # rows removed one by one at most; a larger change resets the model


class CardModel(QAbstractListModel, Generic[Row]):
    """The model of rows; a row's card is made when first needed.

    Signals
    -------
    renamed : object, str
        Key of a row, and the requested title, which appears when the row is shown with it.
    """

    renamed = Signal(object, str)

    def __init__(
        self,
        key_of: Callable[[Row], Hashable],
        card_of: Callable[[Row], Card],
        renamable: Callable[[Row], bool] | None = None,
    ) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.key_of, self._card_of, self._renamable = key_of, card_of, renamable
        self._cards: dict[Hashable, Card] = {}

    def card(self, row: int) -> Card:
        """Return the card of a row."""
        one = self.rows[row]
        key = self.key_of(one)
        if key not in self._cards:
            self._cards[key] = self._card_of(one)
        return self._cards[key]

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replace the rows; where only few are removed, the others keep their position."""
        wanted = list(rows)
        keys = [self.key_of(one) for one in wanted]
        there, held = set(keys), [self.key_of(one) for one in self.rows]
        gone = [row for row, key in enumerate(held) if key not in there]
        stay = [key for key in held if key in there]
        new = len(wanted) - len(stay)
        self._cards = {}
        if len(gone) > _FEW or (stay and keys[new:] != stay):
            self.beginResetModel()
            self.rows = wanted
            self.endResetModel()
            return
        for row in reversed(gone):
            self.beginRemoveRows(QModelIndex(), row, row)
            del self.rows[row]
            self.endRemoveRows()
        if new:
            self.beginInsertRows(QModelIndex(), 0, new - 1)
            self.rows = wanted
            self.endInsertRows()
        self.rows = wanted
        if wanted:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    def rowCount(self, parent: CardIndex = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: CardIndex) -> Qt.ItemFlag:
        """Make renamable titles editable."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._renamable and index.isValid() and self._renamable(self.rows[index.row()]):
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: CardIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return title, accessible text and tooltip."""
        card = self.card(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return card.title.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return card.spoken
        return card.tip or card.spoken if role == Qt.ItemDataRole.ToolTipRole else None

    def setData(self, index: CardIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt's name)
        """Request another title."""
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not name or name == self.card(index.row()).title.text:
            return False
        self.renamed.emit(self.key_of(self.rows[index.row()]), name)
        return True


class CardList(QListView, Generic[Row]):
    """The list of cards; Ctrl and Shift select several.

    Parameters
    ----------
    key_of, card_of : callable
        Functions that return the lasting key of a row, and its card.
    pictures : SmallPictures, optional
        Needed where cards have pictures.
    seeks : bool
        Whether letters search for a title; otherwise they and Escape are left to the page.
    renamable : callable, optional
        Whether the title of a row can be edited in place.
    chosen_changed
        The person has changed the selection.
    remove_wanted : list
        Keys of the rows to remove, by Del or by the cross of a framed card.
    renamed : object, str
        Key and new title.
    """

    chosen_changed = Signal()
    remove_wanted = Signal(list)
    renamed = Signal(object, str)

    def __init__(
        self,
        key_of: Callable[[Row], Hashable],
        card_of: Callable[[Row], Card],
        look: CardLook,
        pictures: SmallPictures | None = None,
        seeks: bool = False,
        renamable: Callable[[Row], bool] | None = None,
    ) -> None:
        super().__init__()
        self.cards: CardModel[Row] = CardModel(key_of, card_of, renamable)
        self._look, self._seeks, self._silent = look, seeks, False
        self.setModel(self.cards)
        self.setItemDelegate(CardDelegate(self, self.cards.card, look, pictures))
        self.setProperty("role", "cards" if look.framed else "list")
        self.setUniformItemSizes(True)
        self.setMouseTracking(look.framed or look.compact)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().selectionChanged.connect(self._on_chosen)
        self.cards.renamed.connect(self.renamed)
        if pictures is not None:
            pictures.came.connect(self.viewport().update)

    def show_rows(self, rows: Sequence[Row], chosen: Collection[Hashable] | None = None) -> None:
        """Show rows and select some of them, by default those that were selected."""
        key_of, selection = self.cards.key_of, self.selectionModel()
        now = self.current()
        wanted = {key_of(one) for one in self.chosen()} if chosen is None else chosen
        self._silent = True
        self.cards.show_rows(rows)
        places = [place for place, one in enumerate(rows) if key_of(one) in wanted]
        chosen_rows = QItemSelection()
        for __, together in groupby(enumerate(places), lambda one: one[1] - one[0]):  # one range for thousands of rows
            span = [place for __, place in together]
            chosen_rows.select(self.cards.index(span[0]), self.cards.index(span[-1]))
        selection.select(chosen_rows, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        held = [place for place, one in enumerate(rows) if now is not None and key_of(one) == key_of(now)]
        if rows and (held or places or not self.currentIndex().isValid()):
            place = [*held, *places, 0][0]
            if place != self.currentIndex().row():
                selection.setCurrentIndex(self.cards.index(place), QItemSelectionModel.SelectionFlag.NoUpdate)
        self._silent = False

    def rows(self) -> list[Row]:
        """Return all rows."""
        return self.cards.rows

    def chosen(self) -> list[Row]:
        """Return the selected rows, in the order of the list."""
        ranges = self.selectionModel().selection()
        spans = sorted((ranges.at(i).top(), ranges.at(i).bottom()) for i in range(ranges.count()))
        return [one for top, bottom in spans for one in self.cards.rows[top : bottom + 1]]

    def chosen_keys(self) -> list[Any]:
        """Return the keys of the selected rows, in the order of the list."""
        return [self.cards.key_of(one) for one in self.chosen()]

    def remove_chosen(self) -> None:
        """Request the removal of the selected rows, else of the current one, and go on to the next one."""
        rows = self.rows()
        removed = self.chosen() or [one for one in [self.current()] if one is not None]
        if removed:
            place = rows.index(removed[0])
            self.remove_wanted.emit([self.cards.key_of(one) for one in removed])
            if len(self.rows()) < len(rows):
                self.go_to(min(place, len(self.rows()) - 1))

    def current(self) -> Row | None:
        """Return the current row."""
        row = self.currentIndex().row()
        return self.cards.rows[row] if 0 <= row < len(self.cards.rows) else None

    def go_to(self, row: int) -> None:
        """Select only this row."""
        if 0 <= row < self.cards.rowCount():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.cards.index(row), flag)

    def rename(self) -> None:
        """Edit the current title in place."""
        index = self.currentIndex()
        if index.isValid() and self.cards.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)

    def card_place(self, index: QModelIndex) -> QRect:
        """Return the rectangle of a card."""
        return self._look.card(self.visualRect(index), self)

    def _on_chosen(self) -> None:
        if not self._silent:
            self.chosen_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave letters to whoever filters, unless they go to a row."""
        if not self._seeks and event.text().strip() and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Remove by the cross; elsewhere select."""
        index, at = self.indexAt(event.position().toPoint()), event.position().toPoint()
        crossed = self._look.framed and index.isValid() and remove_sign_rect(self.card_place(index)).contains(at)
        if crossed and self.cards.card(index.row()).removable:
            self.remove_wanted.emit([self.cards.key_of(self.cards.rows[index.row()])])
        else:
            super().mousePressEvent(event)
