"""A table shows a sheet: sortable by any column, highlighted together with the charts, fitted to its width.

Where room is short, lesser columns disappear first, then names are cut, then the table scrolls sideways.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Generic, Literal

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import dialog_actions
from twinlens.app.gui.actions.lab_actions import lab_actions
from twinlens.app.gui.lists.table_model import R, TableModel, TableSheet
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.look.theme import DARK, theme
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.lab.figures.figure import series_colour

ROW_HEIGHT = 30
_NOT_GONE_TO = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
)

LEAST_COLUMN_PX = 48
"""Least width of any column, px."""

PAD = 7
Part = Literal["dot", "link", "row", ""]


class TableView(QTableView, Generic[R]):
    """The view of a sheet as a table.

    Signals
    -------
    lit : str
        Key of the row under the pointer or the focus; empty for none.
    chosen : str
        Key of the row chosen by a click or by Enter.
    hidden_changed
        The set of rows hidden from the charts has changed.

    Parameters
    ----------
    name : str
        Accessible name.
    hides : bool
        Whether H, Space and a click on its dot hide a row from the charts; else Space chooses it.
    seen : int
        Rows from which the table scrolls instead of growing; 0 for a given height.
    """

    lit = Signal(str)
    chosen = Signal(str)
    hidden_changed = Signal()

    def __init__(self, name: str, *, hides: bool = False, seen: int = 0) -> None:
        super().__init__()
        self.rows: TableModel[R] = TableModel()
        self._hides, self._seen = hides, seen
        self._pressed: tuple[str, Part] = ("", "")
        self._cells = CellPainter(self, self.rows, hides)
        self._columns = ColumnWidths(self, self.rows)
        self.setModel(self.rows)
        self.setItemDelegate(self._cells)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setFixedHeight(ROW_HEIGHT)
        header.setStyleSheet(f"QHeaderView::section {{ padding: 4px {PAD}px; }}")
        header.setMinimumSectionSize(LEAST_COLUMN_PX)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(lambda *__: self.viewport().update())
        choose = dialog_actions()["choose"]
        if hides:  # by Space, too
            choose = choose.limited_to(["Enter"])
            attach(self, lab_actions(), {"hide": self._hide_current})
        attach(self, {"choose": choose}, {"choose": self.choose_current})

    # --- rows --------------------------------------------------------------------------------------------------------

    def show_sheet(self, sheet: TableSheet[R]) -> None:
        """Show rows, and keep the current one."""
        current = self.current_key()
        self.rows.show_sheet(sheet)
        self.horizontalHeader().setSortIndicator(*self.rows.sorted_by())
        self._columns.measure()
        self._fit()
        self._make_current(current)

    def light(self, key: str, chosen: str = "") -> None:
        """Highlight the pointed row and the chosen one."""
        if (key, chosen) != (self.rows.lit, self.rows.chosen):
            index = self.rows.index(self.rows.place(key), 0)
            if key != self.rows.lit and index.isValid():
                self.scrollTo(index)
            self.rows.lit, self.rows.chosen = key, chosen
            self.viewport().update()

    def current_key(self) -> str:
        """Return the key of the current row; empty for none."""
        return self.rows.key(self.currentIndex().row())

    def go_to(self, key: str) -> None:
        """Make a row current, and focus it."""
        if self._make_current(key):
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def hidden(self) -> Collection[str]:
        """Return the keys of the rows hidden from the charts."""
        return set(self.rows.hidden)

    def set_hidden(self, keys: Collection[str]) -> None:
        """Hide rows from the charts without a signal."""
        self.rows.hidden = set(keys)
        self.viewport().update()

    def hide_or_show(self, key: str) -> None:
        """Hide a row from the charts, or show it again."""
        self.rows.hidden ^= {key}
        self.viewport().update()
        self.hidden_changed.emit()

    def _make_current(self, key: str) -> bool:
        index = self.rows.index(self.rows.place(key), 0)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        return index.isValid()

    # --- layout ------------------------------------------------------------------------------------------------------

    def wanted_height(self) -> int:
        """Return the height that shows every row, or the wanted number of rows."""
        rows = max(1, min(self.rows.rowCount(), self._seen)) if self._seen else self.rows.rowCount()
        bar = not self._seen or self._columns.overflow
        return ROW_HEIGHT * (rows + 1) + 2 + (self.horizontalScrollBar().sizeHint().height() if bar else 0)

    def _fit(self) -> None:
        self._columns.fit()
        if self._seen and self.height() != self.wanted_height():
            self.setFixedHeight(self.wanted_height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Fit the columns again."""
        super().resizeEvent(event)
        self._fit()

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def _light(self, key: str) -> None:
        if key != self.rows.lit:
            self.rows.lit = key
            self.viewport().update()
            self.lit.emit(key)

    def _hide_current(self) -> None:
        if self.current_key():
            self.hide_or_show(self.current_key())

    def choose_current(self) -> None:
        """Choose the current row."""
        row = self.rows.row(self.currentIndex().row())
        if row is not None and self.rows.sheet.chooses(row):
            self.chosen.emit(row.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Highlight the row that a key reaches."""
        current = self.current_key()
        super().keyPressEvent(event)
        if self.current_key() != current:
            self._light(self.current_key())

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Highlight the current row."""
        super().focusInEvent(event)
        if event.reason() not in _NOT_GONE_TO:
            self._light(self.current_key())

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """End the highlight."""
        super().focusOutEvent(event)
        self._light("")

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """End the highlight when the pointer leaves."""
        if event.type() is QEvent.Type.Leave and not outlived(self):
            self._over_link("")
            self._light("")
        return super().viewportEvent(event)

    def _over_link(self, key: str) -> None:
        if key != self._cells.over_link:
            self._cells.over_link = key
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Highlight the row under the pointer."""
        super().mouseMoveEvent(event)
        key, part = self._cells.part_at(event.position().toPoint())
        self._over_link(key if part == "link" else "")
        self._light(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Make a row current."""
        super().mousePressEvent(event)
        self._pressed = self._cells.part_at(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a row, or hide it by its dot."""
        super().mouseReleaseEvent(event)
        key, part = self._cells.part_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or (key, part) != self._pressed:
            return
        if part == "dot":
            self.hide_or_show(key)
        elif part:
            self.chosen.emit(key)

    # --- menu --------------------------------------------------------------------------------------------------------

    def fill_menu(self, menu: QMenu, row: R) -> None:
        """Add the actions of a row to its menu."""

    def show_menu(self, key: str, at: QPoint) -> None:
        """Make a row current, and show its menu if it has one."""
        row = self.rows.row(self.rows.place(key))
        if row is None:
            return
        self.go_to(key)
        menu = KeyedMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, row)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Show the menu of a row."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.currentIndex().row() if keyboard else self.indexAt(event.pos()).row()
        at = self.viewport().mapToGlobal(self.visualRect(self.rows.index(place, 0)).center())
        self.show_menu(self.rows.key(place), at if keyboard else event.globalPos())


_ARROW = 4  # arrow of the sorted column
_BESIDE = 16
_NAME_LEAST, _NAME_SPARE = 132, 120
_BREATH = 64


class ColumnWidths:
    """The widths of the columns of a table.

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
        font.setBold(True)  # the name of the chosen row is bold
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
        """Move the links beside the names where their column would be out of sight."""
        header, columns = self._table.horizontalHeader(), self._rows.sheet.columns
        places = range(len(columns))
        wanted = sorted(places, key=lambda place: (place > 0, self.overflow and not columns[place].link))
        for at, place in enumerate(wanted):
            header.moveSection(header.visualIndex(place), at)


def _shared(wanted: list[int], room: int) -> list[int]:
    """Distribute spare room: first to the names, then to every column, the rest to the last one."""
    first, *others = wanted
    widths = [max(min(_NAME_LEAST, first), min(first + _NAME_SPARE, room - sum(others))), *others]
    left = room - sum(widths)
    if left > 0:
        widths = [width + min(_BREATH, left // len(widths)) for width in widths]
    widths[-1] = max(widths[-1], room - sum(widths[:-1]))
    return widths


_DOT_ROOM = 18
_AFTER_NUMBER = 18  # gap between a number and the words right of it
_DOT = 9
_Index = QModelIndex | QPersistentModelIndex
_STRIPE = 3


def indent(rows: TableModel[Any], column: int) -> int:
    """Return the width before a cell's text, besides the padding."""
    if column == 0:
        return _DOT_ROOM
    columns = rows.sheet.columns
    return _AFTER_NUMBER if columns[column - 1].number and not columns[column].number else 0


class CellPainter(QStyledItemDelegate):
    """The delegate that paints a cell."""

    def __init__(self, table: QTableView, rows: TableModel[Any], hides: bool) -> None:
        super().__init__(table)
        self._table, self._rows, self._hides = table, rows, hides
        self.over_link = ""
        """Key of the row whose link is under the pointer."""

    def part_at(self, at: QPoint) -> tuple[str, Part]:
        """Return the key of the row at a point of the viewport, and the part of it there."""
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
        """Return the size of a cell, used by a double click at the edge of a heading."""
        return super().sizeHint(option, index) + QSize(2 * PAD + indent(self._rows, index.column()), 0)
