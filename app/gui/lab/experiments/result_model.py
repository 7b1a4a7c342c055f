"""Rows of the table of results for Qt, and the texts of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app.gui.lab.experiments.run_words import column_help, column_words
from app.gui.look.theme import theme
from app.language.spoken import _, number, text
from core.message import NOTHING, Message

if TYPE_CHECKING:
    from app.lab.experiments.results import LabRow, LabRun
    from app.lab.figures.figure import Figure

_QUALITY = ("recall@1", "recall@10", "recall@100", "map", "accuracy", "overlap@10")
_OF_RANKING = ("recall@1", "recall@100", "map")  # the same with every search structure: one of its kind is enough
_COSTS = {"fit": 2, "encode": 1, "search": 2, "looked at": 0, "bytes": 0}  # decimals
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class TableRow:
    """A row of a run.

    Attributes
    ----------
    run : LabRun
    row : LabRow
    name : str
        Its method without the parameters common to all rows.
    place : int
        In the palette.
    can_index : bool
        Whether it can become an index of the library.
    """

    run: LabRun
    row: LabRow
    name: str
    place: int
    can_index: bool

    @property
    def key(self) -> str:
        """Its key in the figures."""
        return self.row.key

    def figure(self, name: str) -> float | None:
        """Return what a column has of it; None where it was not measured."""
        one, (kind, __, count) = self.row.measured, name.partition("@")
        if kind in ("recall", "overlap"):
            return (one.recall if kind == "recall" else one.overlap).get(count)
        return {
            "map": one.map,
            "accuracy": one.accuracy,
            "fit": one.seconds.fit,
            "encode": 1e6 * one.seconds.encode / max(1, one.of),
            "search": 1e3 * (one.seconds.encode_query + one.seconds.search),
            "looked at": one.looked_at,
            "bytes": self.row.bytes_each,
        }[name]

    def about(self) -> str:
        """Return its figures with more decimals, its seeds and its note."""
        one = self.row.measured
        lines = [one.method, one.search, _("seeds {seeds}", seeds=one.seeds)]
        for measure in _QUALITY:
            mean, spread = self.figure(measure), one.deviation.get(measure)
            if mean is not None and spread is None:
                lines.append(_("{measure} {mean:.4f}", measure=measure, mean=mean))
            elif mean is not None:
                lines.append(_("{measure} {mean:.4f} ± {spread:.4f}", measure=measure, mean=mean, spread=spread))
        return "\n".join(filter(None, [*lines, text(one.note)]))


@dataclass(frozen=True)
class Results:
    """Runs to be seen side by side.

    Attributes
    ----------
    runs : sequence of LabRun
        None of a run of which nothing is measured yet.
    rows : sequence of TableRow
    figures : sequence of Figure
    finding : Message
    notes : sequence of str
        About the runs.
    title : str
        Of a run of which nothing is measured yet.
    """

    runs: Sequence[LabRun] = ()
    rows: Sequence[TableRow] = ()
    figures: Sequence[Figure] = ()
    finding: Message = NOTHING
    notes: Sequence[str] = ()
    title: str = ""

    def columns(self) -> list[str]:
        """Return the names of the columns that the rows need."""
        rows = self.rows
        several = len({one.row.measured.search for one in rows}) > 1
        ranked_alike = several and len({(one.run.id, one.row.measured.method) for one in rows}) == 1
        quality = [
            name
            for name in _QUALITY
            if any(one.figure(name) is not None for one in rows)
            and (name != "overlap@10" or several)
            and not (ranked_alike and name in _OF_RANKING)
        ]
        costs = [name for name in _COSTS if name != "looked at" or len({one.figure(name) for one in rows}) > 1]
        own = ["method", *(["run"] if len(self.runs) > 1 else []), *(["structure"] if several else []), "bits"]
        return [*own, *quality, *costs, "index"]


class TableModel(QAbstractTableModel):
    """Sorted rows of the table."""

    def __init__(self) -> None:
        super().__init__()
        self._all: list[TableRow] = []
        self._rows: list[TableRow] = []
        self._columns: list[str] = ["method"]
        self._by: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self.hidden: set[str] = set()

    def show_rows(self, shown: Results) -> None:
        """Show rows; with the same columns and keys only their texts change."""
        columns = shown.columns()
        rows = self._sorted(list(shown.rows), columns)
        if columns == self._columns and [one.key for one in rows] == [one.key for one in self._rows]:
            self._all, self._rows = list(shown.rows), rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))
            return
        self.beginResetModel()
        self._all, self._rows, self._columns = list(shown.rows), rows, columns
        self.endResetModel()

    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._columns)

    def row(self, place: int) -> TableRow | None:
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
        if role == Qt.ItemDataRole.ToolTipRole and name in (*_QUALITY, *_COSTS):
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
            return row.about()
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
        self._rows = self._sorted(list(self._all), self._columns)
        for index, key in zip(old, before, strict=True):
            self.changePersistentIndex(index, self.index(self.place(key), index.column()))
        self.layoutChanged.emit()

    def _sorted(self, rows: list[TableRow], columns: Sequence[str]) -> list[TableRow]:
        column, order = self._by
        if not 0 <= column < len(columns) or columns[column] == "index":
            return rows
        name = columns[column]
        rows.sort(key=lambda one: _sort_value(one, name), reverse=order is Qt.SortOrder.DescendingOrder)
        return rows


def text_of(row: TableRow, name: str) -> str:
    """Return the text of a cell."""
    if name in ("method", "run", "structure", "bits", "index"):
        return {
            "method": row.name,
            "run": row.run.name,
            "structure": row.row.measured.search,
            "bits": number(row.row.measured.bits),
            "index": _("create index") if row.can_index else "",
        }[name]
    value, spread = row.figure(name), row.row.measured.deviation.get(name)
    if value is None:
        return ""
    if name in _COSTS:
        return number(value, f",.{_COSTS[name] if value < 1000 else 0}f")
    return _("{mean:.2f} ± {spread:.2f}", mean=value, spread=spread) if spread else number(value, ".2f")


def _sort_value(row: TableRow, name: str) -> tuple[bool, Any]:
    """Return the sort key of a row; rows without a figure come first in ascending order."""
    if name in (*_QUALITY, *_COSTS):
        value = row.figure(name)
        return (value is not None, value or 0.0)
    if name == "bits":
        return (True, row.row.measured.bits)
    return (True, text_of(row, name))


def aligned(name: str) -> Qt.AlignmentFlag:
    """Return the alignment of a column: words left, numbers right."""
    left = name in ("method", "run", "structure")
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
