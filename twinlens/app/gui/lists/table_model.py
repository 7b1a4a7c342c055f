"""The sheet of a table declares its columns as functions of a row; the model sorts, hides and highlights rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from twinlens.app.language.texts import _


class KeyedRow(Protocol):
    """A row of a table."""

    @property
    def key(self) -> str:
        """Return the key of the row, in the charts, too."""


R = TypeVar("R", bound=KeyedRow)


@dataclass(frozen=True)
class TableColumn(Generic[R]):
    """A column of a table.

    Attributes
    ----------
    heading : str
        Unique in the table.
    words : callable
        Returns the text of a row's cell.
    value : callable or None
        Returns the sort value of a row, by default the text; None comes first in ascending order.
    number : bool
        Whether its cells are aligned right.
    help : str
        Meaning of the heading; of a link, its effect.
    lesser : bool
        Whether a narrow table hides it.
    link : bool
        Whether only its cells with a text choose their row; such a column is not sorted.
    """

    heading: str
    words: Callable[[R], str]
    value: Callable[[R], Any] | None = None
    number: bool = False
    help: str = ""
    lesser: bool = False
    link: bool = False

    def sort_value(self, row: R) -> tuple[bool, Any]:
        """Return the sort value of a row."""
        value = (self.value or self.words)(row)
        return value is not None, value


@dataclass(frozen=True)
class TableSheet(Generic[R]):
    """The contents of a table.

    Attributes
    ----------
    dot : callable
        Returns the palette place of the dot before a row.
    about : callable
        Returns the tooltip of a row.
    quiet : callable
        Returns whether a row is less important than others.
    """

    columns: Sequence[TableColumn[R]]
    rows: Sequence[R]
    dot: Callable[[R], int]
    about: Callable[[R], str]
    quiet: Callable[[R], bool] = lambda _: False

    def place_of(self, heading: str | None) -> int:
        """Return the place of a column, or -1."""
        return next((place for place, one in enumerate(self.columns) if one.heading == heading), -1)

    def link(self) -> TableColumn[R] | None:
        """Return the column of links, if there is one."""
        return next((one for one in self.columns if one.link), None)

    def chooses(self, row: R) -> bool:
        """Return whether a row can be chosen."""
        link = self.link()
        return link is None or bool(link.words(row))


_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
Role = Qt.ItemDataRole


class TableModel(QAbstractTableModel, Generic[R]):
    """The model of a sheet's rows.

    Attributes
    ----------
    lit, chosen : str
        Key of a row, or empty.
    hidden : set of str
        Keys of rows hidden from the charts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sheet: TableSheet[R] = _nothing()
        self.lit = self.chosen = ""
        self.hidden: set[str] = set()
        self._rows: list[R] = []
        self._by: str | None = None
        self._order = Qt.SortOrder.AscendingOrder

    # --- rows --------------------------------------------------------------------------------------------------------

    def show_sheet(self, sheet: TableSheet[R]) -> None:
        """Show other rows, sorted as before; with the same columns and keys, only texts change."""
        rows = self._sorted(sheet)
        headings = [[one.heading for one in some.columns] for some in (sheet, self.sheet)]
        self.hidden &= {one.key for one in rows}
        if headings[0] == headings[1] and [one.key for one in rows] == [one.key for one in self._rows]:
            self.sheet, self._rows = sheet, rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(sheet.columns) - 1))
            return
        self.beginResetModel()
        self.sheet, self._rows = sheet, rows
        self.endResetModel()

    def row(self, place: int) -> R | None:
        """Return a row by its place."""
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def key(self, place: int) -> str:
        """Return the key of a row by its place; empty for none."""
        row = self.row(place)
        return "" if row is None else row.key

    def place(self, key: str) -> int:
        """Return the place of a row, or -1."""
        return next((place for place, one in enumerate(self._rows) if one.key == key), -1)

    def sorted_by(self) -> tuple[int, Qt.SortOrder]:
        """Return the place of the sorted column, or -1, and the order."""
        return self.sheet.place_of(self._by), self._order

    def _sorted(self, sheet: TableSheet[R]) -> list[R]:
        place = sheet.place_of(self._by)
        if place < 0 or sheet.columns[place].link:
            return list(sheet.rows)
        by = sheet.columns[place].sort_value
        return sorted(sheet.rows, key=by, reverse=self._order is Qt.SortOrder.DescendingOrder)

    # --- for Qt ------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 (Qt's name, as all below)
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.sheet.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return a heading, or its meaning."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.sheet.columns):
            return None
        column = self.sheet.columns[section]
        if role == Role.DisplayRole:
            return column.heading
        if role == Role.ToolTipRole and not column.link:
            return column.help or None
        return self._aligned(section) if role == Role.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Role.DisplayRole) -> Any:
        """Return the data of a cell."""
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        column = self.sheet.columns[index.column()]
        if role == Role.DisplayRole:
            return column.words(row)
        if role == Role.TextAlignmentRole:
            return self._aligned(index.column())
        if role == Role.ToolTipRole:
            return column.help if column.link else self.sheet.about(row)
        if role == Role.AccessibleTextRole:
            hidden = _("hidden from the charts") if index.column() == 0 and row.key in self.hidden else ""
            return ", ".join(filter(None, [column.words(row), hidden]))
        return None

    def _aligned(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.sheet.columns[column].number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; a negative one restores the order of the sheet."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        keys = [self._rows[one.row()].key for one in old]
        self._by = self.sheet.columns[column].heading if 0 <= column < len(self.sheet.columns) else None
        self._order = order
        self._rows = self._sorted(self.sheet)
        for index, key in zip(old, keys, strict=True):
            self.changePersistentIndex(index, self.index(self.place(key), index.column()))
        self.layoutChanged.emit()


def _nothing() -> TableSheet[Any]:
    return TableSheet((), (), dot=lambda _: 0, about=lambda _: "")
