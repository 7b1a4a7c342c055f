"""The folders of a library as a tree's model: thousands of them cost no more than those that are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication

from app.language.spoken import _
from app.language.spoken import number as figure
from app.machine.places import home_relative

if TYPE_CHECKING:
    from app.library.browsing import FolderNode

PATH = int(Qt.ItemDataRole.UserRole) + 1
_ALL = 0  # the line of all photographs; node i of the folders has the number i + 1
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
Role = Qt.ItemDataRole


class FolderModel(QAbstractItemModel):
    """All photographs, and the folders below: name and number of photographs of each."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: Sequence[FolderNode] = ()
        self._total = 0
        self._parents: list[int] = [-1]
        self._places: list[int] = [0]  # which child of its parent each is
        self._children: dict[int, list[int]] = {}
        self._numbers: dict[str, int] = {}

    def fits(self, nodes: Sequence[FolderNode]) -> bool:
        """Return whether folders are those that are shown, whatever their numbers of photographs are."""
        return bool(self._children) and [(one.path, one.depth, one.present) for one in nodes] == [
            (one.path, one.depth, one.present) for one in self._nodes
        ]

    def show_counts(self, nodes: Sequence[FolderNode], total: int) -> None:
        """Show other numbers of the same folders; only what is seen is painted anew."""
        self._nodes, self._total = nodes, total
        self.dataChanged.emit(self.index(0, 0), self.index(len(self._children[-1]) - 1, 1))

    def show_folders(self, nodes: Sequence[FolderNode], total: int) -> None:
        """Show other folders, each behind the one that it lies in."""
        self.beginResetModel()
        self._nodes, self._total = nodes, total
        self._parents, self._places = [-1], [0]
        self._children, self._numbers = {-1: [_ALL]}, {"": _ALL}
        above: list[int] = []
        for number, node in enumerate(nodes, 1):
            del above[node.depth :]
            parent = above[-1] if above else -1
            siblings = self._children.setdefault(parent, [])
            self._parents.append(parent)
            self._places.append(len(siblings))
            siblings.append(number)
            self._numbers.setdefault(node.path, number)
            above.append(number)
        self.endResetModel()

    def index_of(self, path: str) -> QModelIndex:
        """Return the place of a folder, "" for all photographs; an invalid one where it is not there."""
        number = self._numbers.get(path)
        return QModelIndex() if number is None else self._index(number, 0)

    def _index(self, number: int, column: int) -> QModelIndex:
        return self.createIndex(self._places[number], column, number)

    # ---- Qt's names, all below --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Count what lies in a folder."""
        return 0 if parent.column() > 0 else len(self._children.get(_number(parent), ()))

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return two: the name and the number."""
        return 2

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        """Return the place of a child."""
        children = self._children.get(_number(parent), [])
        known = 0 <= row < len(children) and 0 <= column < 2
        return self.createIndex(row, column, children[row]) if known else QModelIndex()

    def parent(self, child: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]  # Qt has two of this name
        """Return the place of the folder that one lies in."""
        number = self._parents[child.internalId()] if child.isValid() else -1
        return QModelIndex() if number < 0 else self._index(number, 0)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what is shown and spoken of a folder."""
        if not index.isValid():
            return None
        number, second = index.internalId(), index.column() == 1
        node = self._nodes[number - 1] if number else None
        if role == PATH:
            return node.path if node else ""
        if role == Role.TextAlignmentRole:
            return _RIGHT if second else None
        if role == Role.ForegroundRole:
            quiet = second or (node is not None and not node.present)
            return QGuiApplication.palette().placeholderText() if quiet else None
        if role == Role.ToolTipRole:
            return None if second or node is None else home_relative(node.path)
        if role not in (Role.DisplayRole, Role.AccessibleTextRole):
            return None
        count = figure(node.photographs if node else self._total)
        if second:
            return count
        return self._name(node) if role == Role.DisplayRole else self._spoken(node, count)

    def _name(self, node: FolderNode | None) -> str:
        if node is None:
            return _("All photos")
        return node.name if node.present else _("⏏ {name} (offline)", name=node.name)

    def _spoken(self, node: FolderNode | None, count: str) -> str:
        return _("{name}, {value} photos", name=self._name(node), value=count)


def _number(index: Index) -> int:
    return int(index.internalId()) if index.isValid() else -1
