"""Groups of duplicates as Qt's lists ask for them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.duplicates.groups import Group, Member
from app.gui.duplicates.group_words import heading, spoken, warned, why

Place = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class GroupModel(QAbstractListModel):
    """The groups, and which tile of the current one has the keys."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[Group] = []
        self.tile = 0

    def show_groups(self, groups: Sequence[Group]) -> None:
        """Take other groups."""
        self.beginResetModel()
        self.groups = list(groups)
        self.endResetModel()

    def rowCount(self, parent: Place = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return their number."""
        return 0 if parent.isValid() else len(self.groups)

    def data(self, index: Place, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what is spoken of a group."""
        group = self.groups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(heading(group))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(
                [*heading(group), why(group), warned(group), spoken(group, min(self.tile, len(group.members)))]
            )
        return None


def member(group: Group, tile: int) -> Member | None:
    """Return what a tile shows; None for the one that is kept."""
    return group.members[tile - 1] if tile else None
