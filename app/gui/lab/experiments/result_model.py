"""Rows of the table of results for Qt, and the texts of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app.gui.lab.experiments.run_facts import ResultsShown, RowShown, Value
from app.gui.lab.experiments.run_words import column_help, column_words
from app.gui.look.theme import theme
from app.language.spoken import _, number

_COSTS = {"fit": 2, "encode": 1, "search": 2, "looked at": 0, "bytes": 0}  # decimals
_Index = QModelIndex | QPersistentModelIndex


class TableModel(QAbstractTableModel):
    """Sorted rows of the table."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = ResultsShown()
        self._rows: list[RowShown] = []
        self._columns: list[str] = ["method"]
        self._by: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self.hidden: set[str] = set()

    def show_rows(self, shown: ResultsShown) -> None:
        """Show rows; with the same columns and keys only their texts change."""
        columns = ["method"]
        columns += ["run"] if shown.several_runs else []
        columns += ["structure"] if shown.several_searches else []
        columns += ["bits", *shown.columns, "index"]
        rows = self._sorted(list(shown.rows), columns)
        if columns == self._columns and [one.key for one in rows] == [one.key for one in self._rows]:
            self._shown, self._rows = shown, rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))
            return
        self.beginResetModel()
        self._shown, self._rows, self._columns = shown, rows, columns
        self.endResetModel()

    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._columns)

    def row(self, place: int) -> RowShown | None:
        """Return a row by its place."""
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def place(self, key: str | None) -> int:
        """Return the place of a row, or -1."""
        return next((i for i, one in enumerate(self._rows) if one.key == key), -1)

    def changed(self, key: str) -> None:
        """Draw a row again."""
        place = self.place(key)
        if place >= 0:
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(self._columns) - 1))

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's name, and its default)
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's name, and its default)
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: N802 (Qt's name)
        """Return the heading of a column, or its meaning."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        name = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            own = {
                "method": _("method"),
                "run": _("run"),
                "structure": _("search structure"),
                "bits": _("bits"),
                "index": "",
            }
            return own[name] if name in own else column_words(name)
        if role == Qt.ItemDataRole.ToolTipRole and name in self._shown.columns:
            return column_help(name)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(name)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        row, name = self._rows[index.row()], self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text_of(row, name)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return aligned(name)
        if role == Qt.ItemDataRole.ToolTipRole:
            if name == "index":
                return _("Create an index with this method and search structure (I)")
            return "\n".join(filter(None, [row.method, row.search, row.about]))
        if role == Qt.ItemDataRole.ForegroundRole and row.key in self.hidden:
            return QColor(theme().quiet)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            hidden = _("hidden from the charts") if row.key in self.hidden else ""
            return ", ".join(filter(None, [text_of(row, name), hidden if name == "method" else ""]))
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; below 0 in the order of the plan."""
        self.layoutAboutToBeChanged.emit()
        before = [self._rows[one.row()].key for one in self.persistentIndexList()]
        old = self.persistentIndexList()
        self._by = column, order
        self._rows = self._sorted(list(self._shown.rows), self._columns)
        for index, key in zip(old, before, strict=True):
            self.changePersistentIndex(index, self.index(self.place(key), index.column()))
        self.layoutChanged.emit()

    def _sorted(self, rows: list[RowShown], columns: Sequence[str]) -> list[RowShown]:
        column, order = self._by
        if not 0 <= column < len(columns) or columns[column] == "index":
            return rows
        name = columns[column]
        rows.sort(key=lambda one: _sort_value(one, name), reverse=order is Qt.SortOrder.DescendingOrder)
        return rows


def text_of(row: RowShown, name: str) -> str:
    """Return the text of a cell."""
    if name in ("method", "run", "structure", "bits", "index"):
        return {
            "method": row.name,
            "run": row.run,
            "structure": row.search,
            "bits": number(row.bits),
            "index": _("create index") if row.can_index else "",
        }[name]
    if name in row.quality:
        return value_text(row.quality[name])
    if name not in row.costs:
        return ""
    value = row.costs[name]
    return number(value, f",.{_COSTS[name] if value < 1000 else 0}f")


def value_text(one: Value) -> str:
    """Return a figure with its deviation: "0.41 ± 0.01"."""
    if one.mean is None:
        return ""
    if not one.spread:
        return number(one.mean, ".2f")
    return _("{mean:.2f} ± {spread:.2f}", mean=one.mean, spread=one.spread)


def _sort_value(row: RowShown, name: str) -> tuple[bool, Any]:
    """Return the sort key of a row; rows without a figure come first in ascending order."""
    if name in row.quality:
        mean = row.quality[name].mean
        return (mean is not None, mean or 0.0)
    if name in row.costs:
        return (True, row.costs[name])
    if name == "bits":
        return (True, row.bits)
    return (True, text_of(row, name))


def aligned(name: str) -> Qt.AlignmentFlag:
    """Return the alignment of a column: words left, numbers right."""
    left = name in ("method", "run", "structure")
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
