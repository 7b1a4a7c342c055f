"""Pairs of photographs as cards: those that should match, or those that should not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout

from app.gui.look.card_list import CardList
from app.gui.look.card_painting import Card, CardLine, CardLook
from app.gui.look.page_parts import label
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _

if TYPE_CHECKING:
    from app.library.browsing import Photograph

_SEEN = 3
"""Cards that are seen at once."""


@dataclass(frozen=True)
class PhotographPair:
    """Two photographs that should match, or should not."""

    first: Photograph
    second: Photograph
    match: bool = True

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first.id, self.second.id), max(self.first.id, self.second.id)


class PairList(CardList[PhotographPair]):
    """Shows pairs; one is removed by its cross or Delete, and new ones are dropped on it.

    Signals
    -------
    removed : Pair
    dropped : list of str
        Local paths.
    """

    removed = Signal(object)
    dropped = Signal(list)

    def __init__(self, name: str, nothing: str, thumbnails: SmallPictures) -> None:
        super().__init__(lambda one: one.ids, _pair_card, CardLook(lines=1, margin=10, framed=True), thumbnails)
        self._name = name
        self._nothing = label(nothing, "quiet", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        QVBoxLayout(self.viewport()).addWidget(self._nothing)
        self.viewport().setAcceptDrops(True)
        self.remove_wanted.connect(self._on_remove)
        self.show_pairs(())

    def show_pairs(self, pairs: Sequence[PhotographPair]) -> None:
        """Show pairs."""
        self.show_rows(pairs)
        self._nothing.setVisible(not pairs)
        self.setAccessibleName(_("{name}: {count}", name=self._name, count=len(pairs)))
        height = self.sizeHintForIndex(self.cards.index(0)).height() if pairs else 84
        self.setFixedHeight(height * max(1, min(_SEEN, len(pairs))) + 8)

    def _on_remove(self, keys: Sequence[tuple[int, int]]) -> None:
        for one in [one for one in self.rows() if one.ids in keys]:
            self.removed.emit(one)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Remove by Backspace, too, and go on to the next pair."""
        if event.key() not in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            super().keyPressEvent(event)
            return
        row = self.currentIndex().row()
        self.remove_chosen()
        self.go_to(min(row, len(self.rows()) - 1))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take photographs."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """Take them anywhere."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Take what is dropped."""
        event.acceptProposedAction()
        self.dropped.emit([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])


def _pair_card(one: PhotographPair) -> Card:
    first, second = one.first.name, one.second.name
    pictures = (one.first.content_hash, one.second.content_hash)
    return Card(CardLine(first, "ink"), f"{first}, {second}", lines=(CardLine(second, "ink"),), pictures=pictures)
