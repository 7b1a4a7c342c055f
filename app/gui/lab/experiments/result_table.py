"""Table under the figures, a row for each method and search structure, sortable by any column."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.gui.lab.experiments.result_model import Results, TableModel, TableRow, aligned, text_of
from app.gui.look.theme import DARK, theme
from app.gui.process.outlived import outlived
from app.lab.figures.palette import colour
from app.language.spoken import _

ROW = 30
_DOT = 9
_NAME_LEAST, _NAME_SPARE = 132, 120
_SORTED = 4  # the arrow of the column that is sorted by
_BESIDE = 16
_LEAST = 48  # of any column
_BREATH = 64
_Index = QModelIndex | QPersistentModelIndex


class _Delegate(QStyledItemDelegate):
    """Delegate that paints a cell: method with its colour, figures, link."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint a cell."""
        table, now = self.parent(), theme()
        assert isinstance(table, ResultsTable)
        model = table.rows
        row, name = model.row(index.row()), model.columns()[index.column()]
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: Any = option.rect
        lit, current = row.key == table.lit, table.currentIndex().row() == index.row()
        if lit or current:
            painter.fillRect(rect, QColor(now.well))
        painter.setPen(QColor(now.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if current and table.hasFocus() and index.column() == 0:
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), QColor(now.accent))
        hidden = row.key in model.hidden
        text = QRectF(rect).adjusted(7, 0, -7, 0)
        if name == "method":
            tint = QColor(colour(row.place, now is DARK))
            middle = QPointF(text.left() + 8 + _DOT / 2, text.center().y())
            painter.setPen(QPen(QColor(now.quiet) if hidden else tint, 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush if hidden else tint)
            painter.drawEllipse(middle, _DOT / 2, _DOT / 2)
            text.adjust(_DOT + 20, 0, 0, 0)
        words = text_of(row, name)
        font = option.font
        if name == "index":
            painter.setPen(QColor(now.accent))
            font.setUnderline(table.over_link == index.row())
        else:
            painter.setPen(QColor(now.quiet if hidden else now.ink))
        painter.setFont(font)
        words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, int(text.width()))
        painter.drawText(text, int(aligned(name)), words)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> Any:  # noqa: N802 (Qt's name)
        """Return the size of a cell's text."""
        size = super().sizeHint(option, index)
        size.setHeight(ROW)
        size.setWidth(size.width() + 20)
        return size


class ResultsTable(QTableView):
    """Table of rows; the row under the pointer, or the current one, is highlighted in the charts.

    Signals
    -------
    row_lit : object
        Key of a row, or None.
    hidden_changed
        Other rows are hidden from the charts.
    index_wanted : str
        Key of a row that is to become an index.
    """

    row_lit = Signal(object)
    hidden_changed = Signal()
    index_wanted = Signal(str)
    plan_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = TableModel()
        self.lit: str | None = None
        self.over_link = -1
        self.setModel(self.rows)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(_("Results"))
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        header.setFixedHeight(ROW)
        header.setStyleSheet("QHeaderView::section { padding: 4px 7px; }")
        header.setMinimumSectionSize(_LEAST)
        self.setSortingEnabled(True)
        self.viewport().installEventFilter(self)
        self._widths: list[int] = []
        self.rows.modelReset.connect(self._measure)
        self.rows.dataChanged.connect(self._measure)

    # --- rows --------------------------------------------------------------------------------------------------------

    def show_results(self, shown: Results) -> None:
        """Show the rows of some runs, and keep the current one."""
        row = self.rows.row(self.currentIndex().row())
        self.rows.hidden &= {one.key for one in shown.rows}
        self.rows.show_rows(shown)
        place = self.rows.place(row.key) if row is not None else -1
        if place >= 0:
            self._make_current(place)

    def light(self, key: object) -> None:
        """Highlight the row of a point in the charts; None for no row."""
        if key != self.lit:
            self.lit = key if isinstance(key, str) else None
            place = self.rows.place(self.lit)
            if place >= 0:
                self.scrollTo(self.rows.index(place, 0))
            self.viewport().update()

    def current(self) -> TableRow | None:
        """Return the current row."""
        return self.rows.row(self.currentIndex().row())

    def choose(self, key: str) -> None:
        """Make a row current."""
        place = self.rows.place(key)
        if place >= 0:
            self._make_current(place)
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
        self.rows.changed(key)
        self.hidden_changed.emit()

    def wanted_height(self) -> int:
        """Return the height that shows every row."""
        return ROW * (self.rows.rowCount() + 1) + 2 + self.horizontalScrollBar().sizeHint().height()

    def _make_current(self, place: int) -> None:
        self.selectionModel().setCurrentIndex(self.rows.index(place, 0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def _measure(self) -> None:
        """Measure the texts of each column, and fit the columns."""
        metrics = self.fontMetrics()
        self._widths = []
        for place, name in enumerate(self.rows.columns()):
            head = str(self.rows.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))
            cells = (self.rows.data(self.rows.index(row, place)) for row in range(self.rows.rowCount()))
            widest = max([metrics.horizontalAdvance(head) + _SORTED, *map(metrics.horizontalAdvance, cells)])
            self._widths.append(max(_LEAST, widest + _BESIDE + (_DOT + 20 if name == "method" else 0)))
        self._fit()

    def _fit(self) -> None:
        """Fit the columns to their texts and the method to the rest; a narrow table scrolls sideways."""
        names, widths = self.rows.columns(), list(self._widths)
        if not self.rows.rowCount() or len(widths) != len(names):
            return
        spare = self.viewport().width() - sum(widths[1:])
        widths[0] = max(min(_NAME_LEAST, widths[0]), min(widths[0] + _NAME_SPARE, spare))
        left = self.viewport().width() - sum(widths)
        if left > 0:  # a wide table breathes
            widths = [width + min(_BREATH, left // len(widths)) for width in widths]
        widths[-1] = max(widths[-1], self.viewport().width() - sum(widths[:-1]))
        header, last = self.horizontalHeader(), len(names) - 1
        narrow = sum(widths) > self.viewport().width()
        wanted = [0, last, *range(1, last)] if narrow else range(last + 1)  # what one does with a row is always seen
        for at, place in enumerate(wanted):
            if header.logicalIndex(at) != place:
                header.moveSection(header.visualIndex(place), at)
        for place, width in enumerate(widths):
            if self.columnWidth(place) != width:
                self.setColumnWidth(place, width)

    def resizeEvent(self, event: Any) -> None:  # noqa: N802 (Qt's name)
        """Fit the column of the method."""
        super().resizeEvent(event)
        self._fit()

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802 (Qt's name)
        """Draw the frame of the current row."""
        super().currentChanged(current, previous)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide a row by H, or create an index from it by I."""
        row = self.current()
        if row is not None and not event.modifiers():
            if event.key() in (Qt.Key.Key_H, Qt.Key.Key_Space):
                self.hide_or_show(row.key)
                return
            if event.key() in (Qt.Key.Key_I, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if row.can_index:
                    self.index_wanted.emit(row.key)
                return
        super().keyPressEvent(event)
        moved = self.current()
        if moved is not None and moved != row:
            self.lit = moved.key
            self.row_lit.emit(moved.key)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """End the highlight."""
        super().focusOutEvent(event)
        self._dim()

    def _dim(self) -> None:
        if self.lit is not None:
            self.lit, self.over_link = None, -1
            self.viewport().update()
            self.row_lit.emit(None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight the row under the pointer."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row(index.row()) if index.isValid() else None
        link = row is not None and row.can_index and self.rows.columns()[index.column()] == "index"
        over = index.row() if link else -1
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)
        key = None if row is None else row.key
        if key != self.lit or over != self.over_link:
            self.lit, self.over_link = key, over
            self.viewport().update()
            self.row_lit.emit(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Handle a click on the colour or the link."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row(index.row()) if index.isValid() else None
        if row is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        name = self.rows.columns()[index.column()]
        if name == "index" and row.can_index:
            self.index_wanted.emit(row.key)
        elif name == "method" and event.position().x() - self.columnViewportPosition(0) < _DOT + 26:
            self.hide_or_show(row.key)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """End the highlight when the pointer leaves."""
        if outlived(self):
            return False
        if watched is self.viewport() and event.type() is QEvent.Type.Leave:
            self._dim()
        return super().eventFilter(watched, event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the menu of a row."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.currentIndex().row() if keyboard else self.indexAt(event.pos()).row()
        row = self.rows.row(place)
        if row is not None:
            at = self.viewport().mapToGlobal(self.visualRect(self.rows.index(place, 0)).center())
            self.menu_of(row).popup(at if keyboard else event.globalPos())

    def menu_of(self, row: TableRow) -> QMenu:
        """Return the menu of a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        make = menu.addAction(_("Create index") + "\tI", lambda: self.index_wanted.emit(row.key))
        make.setEnabled(row.can_index)
        hidden = row.key in self.rows.hidden
        words = _("Show in the charts") if hidden else _("Hide from the charts")
        menu.addAction(words + "\tH", lambda: self.hide_or_show(row.key))
        menu.addAction(_("New experiment with this method"), lambda: self.plan_wanted.emit(row.key))
        return menu

    def show_menu(self, key: str, at: QPoint) -> None:
        """Show the menu of a point's row."""
        row = self.rows.row(self.rows.place(key))
        if row is not None:
            self.choose(key)
            self.menu_of(row).popup(at)
