"""Widths of the columns of a table: as its texts need, and as there is room."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView

from app.gui.tables.cell_painter import indent
from app.gui.tables.table_model import TableModel

LEAST_COLUMN_PX = 48
"""Of any column."""
_ARROW = 4  # of the column that is sorted by
_BESIDE = 16
_NAME_LEAST, _NAME_SPARE = 132, 120
_BREATH = 64


class ColumnWidths:
    """Widths of the columns of a table.

    Attributes
    ----------
    overflow : bool
        Whether the table scrolls sideways.
    """

    def __init__(self, table: QTableView, rows: TableModel[Any]) -> None:
        self._table, self._rows = table, rows
        self._wanted: list[int] = []
        self.overflow = False

    def measure(self) -> None:
        """Measure the texts of each column."""
        sheet, font = self._rows.sheet, self._table.font()
        head = QFontMetrics(font).horizontalAdvance
        font.setBold(True)  # as the name of the chosen row is written
        name = QFontMetrics(font).horizontalAdvance
        self._wanted = []
        for place, column in enumerate(sheet.columns):
            cell = head if place else name
            words = max((cell(column.words(row)) for row in sheet.rows), default=0)
            widest = max(head(column.heading) + _ARROW, words + indent(self._rows, place))
            self._wanted.append(max(LEAST_COLUMN_PX, widest + _BESIDE))

    def fit(self) -> None:
        """Set the width of each column; a narrow table hides some, then cuts names, then scrolls sideways."""
        columns, room = self._rows.sheet.columns, self._table.viewport().width()
        if not self._rows.rowCount():
            return
        narrow = sum(self._wanted) > room
        shown = [place for place, one in enumerate(columns) if not (narrow and one.lesser)]
        for place in range(len(columns)):
            self._table.setColumnHidden(place, place not in shown)
        widths = _shared([self._wanted[place] for place in shown], room)
        for place, width in zip(shown, widths, strict=True):
            self._table.setColumnWidth(place, width)
        self.overflow = sum(widths) > room
        self._place_links()

    def _place_links(self) -> None:
        """Move the links beside the names where they would be out of sight at the end."""
        header, columns = self._table.horizontalHeader(), self._rows.sheet.columns
        places = range(len(columns))
        wanted = sorted(places, key=lambda place: (place > 0, self.overflow and not columns[place].link))
        for at, place in enumerate(wanted):
            header.moveSection(header.visualIndex(place), at)


def _shared(wanted: list[int], room: int) -> list[int]:
    """Share room out: the names get what is left, then every column some of it, and the last one the rest."""
    first, *others = wanted
    widths = [max(min(_NAME_LEAST, first), min(first + _NAME_SPARE, room - sum(others))), *others]
    left = room - sum(widths)
    if left > 0:
        widths = [width + min(_BREATH, left // len(widths)) for width in widths]
    widths[-1] = max(widths[-1], room - sum(widths[:-1]))
    return widths
