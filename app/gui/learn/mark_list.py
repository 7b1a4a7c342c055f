"""The marks as a list of cards: both photographs, the judgement, and how far they are from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.gui.look.card_list import CardList
from app.gui.look.card_painting import Card, CardLine, CardLook
from app.gui.marks.mark_words import origin_words
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, number
from app.learn.before_after_results import MarkedPairDistances
from app.marks.results import MarkStatus
from core.files.untrusted_input import plain_name

Distances = Mapping[int, MarkedPairDistances]
"""By mark; not all can be measured."""

NOT_MEASURED: Distances = MappingProxyType({})
_SECOND_PX = 82  # from here on, the second photograph


def mark_facts(one: MarkStatus, apart: MarkedPairDistances | None = None) -> list[str]:
    """Return what there is to say of a mark besides the judgement."""
    if one.contradicted:
        return [_("also marked the other way: not used")]
    if one.missing:
        return [_("waits for a photo")]
    if apart is None or apart.before is None or apart.comparable is None:
        return []
    before, after = (number(value, ".2f" if abs(value) < 100 else ",.0f") for value in (apart.before, apart.comparable))
    return [_("distance {distance} → {distance2}", distance=before, distance2=after)]


def mark_card(one: MarkStatus, apart: MarkedPairDistances | None = None) -> Card:
    """Return how a mark is seen and spoken."""
    judgement, told = _("similar") if one.similar else _("different"), mark_facts(one, apart)
    first, second, said = plain_name(one.first), plain_name(one.second), ", ".join((judgement, *told))
    made = datetime.fromisoformat(one.created).astimezone()
    origin = _("{origin}, {moment}", origin=origin_words(one.origin), moment=made)
    return Card(
        title=CardLine(judgement, "accent" if one.similar else "warn"),
        lines=tuple(CardLine(fact, "warn" if one.contradicted else "quiet") for fact in told),
        pictures=tuple(one.contents),
        faded=one.missing,
        spoken=f"{first}, {second}: {said}",
        tip="\n".join((first, second, said, origin)),
    )


class MarkList(CardList[MarkStatus]):
    """The cards, the newest first.

    Del removes a mark, Enter ranks by its first photograph, letters go to the view.

    Signals
    -------
    asked_with : int
        Rank by a photograph of it.
    """

    asked_with = Signal(int)

    def __init__(self, thumbnails: SmallPictures) -> None:
        look = CardLook(lines=2, margin=10, framed=True)
        super().__init__(lambda one: one.id, lambda one: mark_card(one, self.distances.get(one.id)), look, thumbnails)
        self.distances = NOT_MEASURED
        self.setAccessibleName(_("Your marks"))

    def show_marks(self, marks: Sequence[MarkStatus], distances: Distances = NOT_MEASURED) -> None:
        """Show marks, and how far their photographs are from each other."""
        self.distances = distances
        self.show_rows(marks)

    def without(self, ids: Sequence[int]) -> None:
        """Take marks out."""
        self.show_rows([one for one in self.rows() if one.id not in ids])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by Enter; after Del, go on to the next mark."""
        current, chosen = self.current(), self.chosen()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._ask_with(current.first_id if current else None)
            return
        row = self.rows().index(chosen[0]) if chosen else -1
        super().keyPressEvent(event)
        if event.key() == Qt.Key.Key_Delete:
            self.go_to(min(row, len(self.rows()) - 1))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by the photograph under the pointer."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            one, rect = self.rows()[index.row()], self.visualRect(index)
            self._ask_with(one.second_id if event.position().x() > rect.left() + _SECOND_PX else one.first_id)

    def _ask_with(self, photograph_id: int | None) -> None:
        if photograph_id is not None:
            self.asked_with.emit(photograph_id)
