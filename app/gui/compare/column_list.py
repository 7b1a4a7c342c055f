"""The chosen columns with their order and reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.gui.compare.header_bar import RESULT_COUNTS
from app.gui.compare.view import MOST_COLUMNS

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn

_K = 20


class ChosenColumns:
    """The chosen columns, as they are remembered.

    Attributes
    ----------
    columns : list of Column
        Chosen by the person; empty: those that are worth seeing first.
    pinned : list of Column
        Those that stay at the left.
    k : int
        How many each is asked for.
    reference : Column or None
        What all are held against; None: each against its own exact answer.
    """

    def __init__(self) -> None:
        self.columns: list[ComparisonColumn] = []
        self.pinned: list[ComparisonColumn] = []
        self.k = _K
        self.reference: ComparisonColumn | None = None
        self._taken_away: list[tuple[list[ComparisonColumn], list[ComparisonColumn], ComparisonColumn | None]] = []

    def state(self) -> dict[str, Any]:
        """Return the remembered state as plain values."""
        return {
            "columns": [column.to_json() for column in self.columns],
            "pinned": [column.to_json() for column in self.pinned],
            "k": self.k,
        }

    def restore(self, kept: object) -> None:
        """Restore a remembered state, if this version wrote it."""
        from app.compare.columns import ComparisonColumn

        self._taken_away.clear()
        known: dict[str, Any] = kept if isinstance(kept, dict) else {}
        try:
            self.columns = [ComparisonColumn.from_json(one) for one in known.get("columns", ())][:MOST_COLUMNS]
            self.pinned = [ComparisonColumn.from_json(one) for one in known.get("pinned", ())]
            self.k = known.get("k", _K) if known.get("k") in RESULT_COUNTS else _K
        except TypeError:
            self.columns, self.pinned, self.k = [], [], _K

    def take(self, columns: Sequence[ComparisonColumn]) -> None:
        """Choose other columns; the reference may be gone with the old ones."""
        self.columns = list(columns)
        if self.reference not in columns:
            self.reference = None

    def without(self, columns: Sequence[ComparisonColumn], gone: ComparisonColumn) -> list[ComparisonColumn] | None:
        """Remove a column; return None if it is the last one, or not there."""
        if len(columns) < 2 or gone not in columns:
            return None
        self._taken_away.append((list(columns), self.pinned, self.reference))
        self.pinned = [one for one in self.pinned if one != gone]
        return [one for one in columns if one != gone]

    def brought_back(self, columns: Sequence[ComparisonColumn]) -> list[ComparisonColumn] | None:
        """Bring back the column removed last, in its place; return None if there is none, or no room."""
        while self._taken_away:
            before, pinned, reference = self._taken_away.pop()
            back = [one for one in before if one not in columns]
            if not back or len(columns) + len(back) > MOST_COLUMNS:
                continue
            order = list(columns)
            for one in back:
                order.insert(min(before.index(one), len(order)), one)
            self.pinned = [one for one in order if one in self.pinned or (one in back and one in pinned)]
            self.reference = reference if reference in back else self.reference
            return order
        return None

    def moved(self, columns: Sequence[ComparisonColumn], place: int, target: int) -> list[ComparisonColumn] | None:
        """Move a column; return None if it cannot be moved, since pinned ones stay at the left."""
        pinned = sum(one in self.pinned for one in columns)
        if not (0 <= place < len(columns) and 0 <= target < len(columns)) or (place < pinned) != (target < pinned):
            return None
        order = list(columns)
        order.insert(target, order.pop(place))
        return order

    def pin(self, columns: Sequence[ComparisonColumn], place: int) -> list[ComparisonColumn]:
        """Pin a column to the left, or unpin it; return the new order."""
        column = columns[place]
        if column in self.pinned:
            self.pinned = [one for one in self.pinned if one != column]
        else:
            self.pinned = [*self.pinned, column]
        return sorted(columns, key=lambda one: one not in self.pinned)
