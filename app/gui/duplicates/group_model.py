"""Groups of duplicates as Qt's lists ask for them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.duplicates.groups import GroupMember, PhotoGroup
from app.gui.duplicates.group_words import group_headings, keeping_reason, loss_warning, photograph_sentence

TilePlace = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class GroupModel(QAbstractListModel):
    """The groups, and which tile of the current one has the keys."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[PhotoGroup] = []
        self.tile = 0

    def show_groups(self, groups: Sequence[PhotoGroup]) -> None:
        """Take other groups."""
        self.beginResetModel()
        self.groups = list(groups)
        self.endResetModel()

    def rowCount(self, parent: TilePlace = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return their number."""
        return 0 if parent.isValid() else len(self.groups)

    def data(self, index: TilePlace, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what is spoken of a group."""
        group = self.groups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(group_headings(group))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(
                [
                    *group_headings(group),
                    keeping_reason(group),
                    loss_warning(group),
                    photograph_sentence(group, min(self.tile, len(group.members))),
                ]
            )
        return None


def member_at(group: PhotoGroup, tile: int) -> GroupMember | None:
    """Return what a tile shows; None for the one that is kept."""
    return group.members[tile - 1] if tile else None
