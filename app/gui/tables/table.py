"""Table of a sheet, lit together with the charts and sortable by any column."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, Literal

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from app.gui.process.outlived import outlived
from app.gui.tables.cell_painter import PAD, CellPainter
from app.gui.tables.column_widths import LEAST, ColumnWidths
from app.gui.tables.sheet import R, Sheet
from app.gui.tables.table_model import TableModel

ROW = 30
Part = Literal["dot", "link", "row", ""]
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Table(QTableView, Generic[R]):
    """Table of a sheet.

    Signals
    -------
    lit : str
        Key of the row under the pointer, or that the keys went to; empty for none.
    chosen : str
        Key of a row that was chosen by a click or by Enter.
    hidden_changed
        Other rows are hidden from the charts.

    Parameters
    ----------
    name : str
        For a screen reader.
    hides : bool
        Whether H, Space and a click on its dot hide a row from the charts; else Space chooses it.
    seen : int
        Rows of which on the table scrolls instead of growing; 0 if it has the height that it is given.
    """

    lit = Signal(str)
    chosen = Signal(str)
    hidden_changed = Signal()

    def __init__(self, name: str, *, hides: bool = False, seen: int = 0) -> None:
        super().__init__()
        self.rows: TableModel[R] = TableModel()
        self._hides, self._seen = hides, seen
        self._pressed: tuple[R | None, Part] = (None, "")
        self._cells = CellPainter(self, self.rows)
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
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        header.setFixedHeight(ROW)
        header.setStyleSheet(f"QHeaderView::section {{ padding: 4px {PAD}px; }}")
        header.setMinimumSectionSize(LEAST)
        self.setSortingEnabled(True)

    # --- rows --------------------------------------------------------------------------------------------------------

    def show_sheet(self, sheet: Sheet[R]) -> None:
        """Show rows, and keep the current one."""
        current = self.current_key()
        self.rows.show_sheet(sheet)
        self.horizontalHeader().setSortIndicator(*self.rows.sorted_by())
        self._columns.measure()
        self._fit()
        self._make_current(current)

    def light(self, key: str, chosen: str = "") -> None:
        """Highlight the row that is pointed at and the one that is chosen."""
        if (key, chosen) != (self.rows.lit, self.rows.chosen):
            other = key != self.rows.lit
            self.rows.lit, self.rows.chosen = key, chosen
            if other and (place := self.rows.place(key)) >= 0:
                self.scrollTo(self.rows.index(place, 0))
            self.viewport().update()

    def current_key(self) -> str:
        """Return the key of the current row; empty for none."""
        row = self.rows.row(self.currentIndex().row())
        return row.key if row is not None else ""

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

    # --- room --------------------------------------------------------------------------------------------------------

    def wanted_height(self) -> int:
        """Return the height that shows every row, or as many as are to be seen."""
        rows = max(1, min(self.rows.rowCount(), self._seen)) if self._seen else self.rows.rowCount()
        bar = not self._seen or self._columns.overflow
        return ROW * (rows + 1) + 2 + (self.horizontalScrollBar().sizeHint().height() if bar else 0)

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

    def _choose(self, key: str) -> None:
        row = self.rows.row(self.rows.place(key))
        if row is not None and self.rows.sheet.chooses(row):
            self.chosen.emit(key)

    def choose_current(self) -> None:
        """Choose the current row."""
        self._choose(self.current_key())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Hide or choose the current row, or light the one that a key goes to."""
        current, key = self.current_key(), event.key()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if current and plain and self._hides and key in (Qt.Key.Key_H, Qt.Key.Key_Space):
            self.hide_or_show(current)
        elif current and plain and key in (*_CHOOSE, Qt.Key.Key_Space):
            self._choose(current)
        else:
            super().keyPressEvent(event)
            if self.current_key() != current:
                self._light(self.current_key())

    def currentChanged(  # noqa: N802
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Mark all of the current row."""
        super().currentChanged(current, previous)
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Light the row that the keys act on."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
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

    def _under(self, at: QPoint) -> tuple[R | None, Part]:
        """Return the row at a point, and what of it is there."""
        index = self.indexAt(at)
        row = self.rows.row(index.row()) if index.isValid() else None
        if row is not None and self._hides and self._cells.on_dot(index.column(), at.x()):
            return row, "dot"
        if row is None or not self.rows.sheet.chooses(row):
            return row, ""
        link = self.rows.sheet.link()
        if link is None:
            return row, "row"
        return row, "link" if self.rows.sheet.columns[index.column()] is link else ""

    def _over_link(self, key: str) -> None:
        if key != self._cells.over_link:
            self._cells.over_link = key
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Light the row under the pointer."""
        super().mouseMoveEvent(event)
        row, part = self._under(event.position().toPoint())
        key = "" if row is None else row.key
        self._over_link(key if part == "link" else "")
        self._light(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Make a row current."""
        super().mousePressEvent(event)
        self._pressed = self._under(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a row, or hide it by its dot."""
        super().mouseReleaseEvent(event)
        row, part = self._under(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or row is None or self._pressed != (row, part):
            return
        if part == "dot":
            self.hide_or_show(row.key)
        elif part:
            self.chosen.emit(row.key)

    # --- menu --------------------------------------------------------------------------------------------------------

    def fill_menu(self, menu: QMenu, row: R) -> None:
        """Put into the menu of a row what can be done with it."""

    def show_menu(self, key: str, at: QPoint) -> None:
        """Go to a row, and show its menu if it has one."""
        row = self.rows.row(self.rows.place(key))
        if row is not None:
            self.go_to(key)
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.fill_menu(menu, row)
            menu.popup(at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Show the menu of a row."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.currentIndex().row() if keyboard else self.indexAt(event.pos()).row()
        row = self.rows.row(place)
        if row is not None:
            at = self.viewport().mapToGlobal(self.visualRect(self.rows.index(place, 0)).center())
            self.show_menu(row.key, at if keyboard else event.globalPos())
