"""Cells of a table: dot, text, link, and the row's mark."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.gui.look.theme import DARK, theme
from app.gui.tables.table_model import TableModel
from app.lab.figures.palette import series_colour

PAD = 7
_DOT_ROOM = 18
_AFTER_NUMBER = 18  # of words to the right of a number
_DOT = 9
Part = Literal["dot", "link", "row", ""]
_Index = QModelIndex | QPersistentModelIndex
_STRIPE = 3


def indent(rows: TableModel[Any], column: int) -> int:
    """Return what stands in a cell before its text, beside the padding."""
    if column == 0:
        return _DOT_ROOM
    columns = rows.sheet.columns
    return _AFTER_NUMBER if columns[column - 1].number and not columns[column].number else 0


class CellPainter(QStyledItemDelegate):
    """Delegate that paints a cell."""

    def __init__(self, table: QTableView, rows: TableModel[Any], hides: bool) -> None:
        super().__init__(table)
        self._table, self._rows, self._hides = table, rows, hides
        self.over_link = ""
        """Key of the row whose link is under the pointer."""

    def part_at(self, at: QPoint) -> tuple[str, Part]:
        """Return the key of the row at a point of the viewport, and what of it a click there would reach."""
        index, sheet = self._table.indexAt(at), self._rows.sheet
        row = self._rows.row(index.row())
        if row is None:
            return "", ""
        left = self._table.columnViewportPosition(0)
        if self._hides and index.column() == 0 and at.x() - left < PAD + _DOT_ROOM:
            return row.key, "dot"
        if sheet.link() is None:
            return row.key, "row"
        return row.key, "link" if sheet.columns[index.column()].link and sheet.chooses(row) else ""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a cell."""
        now, rows, row = theme(), self._rows, self._rows.row(index.row())
        if row is None:
            return
        column = rows.sheet.columns[index.column()]
        styled: Any = option
        rect = styled.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current, chosen = self._table.currentIndex().row() == index.row(), row.key == rows.chosen
        if chosen or row.key == rows.lit or (current and not rows.chosen):
            painter.fillRect(rect, QColor(now.well))
        painter.setPen(QColor(now.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if current and self._table.hasFocus() and index.column() == 0:
            painter.fillRect(rect.left(), rect.top(), _STRIPE, rect.height(), QColor(now.accent))
        hidden = row.key in rows.hidden
        text = QRectF(rect).adjusted(PAD, 0, -PAD, 0)
        if index.column() == 0:
            tint = QColor(series_colour(rows.sheet.dot(row), now is DARK))
            painter.setPen(QPen(QColor(now.quiet) if hidden else tint, 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush if hidden else tint)
            painter.drawEllipse(QPointF(text.left() + _DOT / 2, text.center().y()), _DOT / 2, _DOT / 2)
        text.adjust(indent(rows, index.column()), 0, 0, 0)
        font = styled.font
        font.setBold(chosen and index.column() == 0)
        font.setUnderline(column.link and self.over_link == row.key)
        quiet = hidden or (rows.sheet.quiet(row) and not chosen)
        painter.setPen(QColor(now.accent if column.link else now.quiet if quiet else now.ink))
        painter.setFont(font)
        words = painter.fontMetrics().elidedText(column.words(row), Qt.TextElideMode.ElideMiddle, int(text.width()))
        painter.drawText(text, index.data(Qt.ItemDataRole.TextAlignmentRole), words)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        """Return the size of a cell, to which a double click at its heading's edge fits the column."""
        return super().sizeHint(option, index) + QSize(2 * PAD + indent(self._rows, index.column()), 0)
