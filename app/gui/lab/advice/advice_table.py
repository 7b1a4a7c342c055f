"""Table of measured indexes, sortable by any column and highlighted together with the charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QKeyEvent, QMouseEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.gui.lab.advice.advice_words import compared, milliseconds, notes, several, size_each
from app.gui.look.theme import DARK, theme
from app.lab.advice.figures import places
from app.lab.advice.results import AdvicePoint
from app.lab.figures.palette import colour
from app.language.spoken import _, _n, text

_ROW = 28
_SEEN = 14  # rows, of which on it scrolls
_NARROW = 1000
_NAME = 130
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
Role = Qt.ItemDataRole
_Column = tuple[str, Callable[[AdvicePoint], str], Callable[[AdvicePoint], Any], bool]
_ROOM = 24  # of a cell beside its words
_DOT = 16


class AdviceModel(QAbstractTableModel):
    """Rows of the table for Qt."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[AdvicePoint] = []
        self.lit = ""
        self.chosen = ""
        self._wrong = self._several = False
        self._proposed = self._present = ""
        self._places: dict[str, int] = {}
        self._sorted: tuple[int, Qt.SortOrder] | None = None
        self._columns: list[_Column] = self._made()

    def show_rows(self, rows: Sequence[AdvicePoint], proposed: str = "", present: str = "") -> None:
        """Show other rows, sorted as before, and say which is proposed and which is in use."""
        self.beginResetModel()
        self.rows, self._places = list(rows), places(rows)
        self._proposed, self._present = proposed, present
        self._wrong = any(one.wrong is not None for one in rows)
        self._several = several(rows)
        self._columns = self._made()
        if self._sorted is not None:
            self._sort(*self._sorted)
        self.endResetModel()

    def columns(self) -> list[_Column]:
        """Return heading, text, sort key and whether it is a number, for each column."""
        return self._columns

    def _made(self) -> list[_Column]:
        """Return the columns that these rows need."""
        return [
            (_("Method"), _method, _method, False),
            (_("Search"), _search, _search, False),
            *([(_("Compares"), _compares, _compares, False)] if self._several else []),
            (_("Finds"), lambda one: _("{share:.1%}", share=one.recall), lambda one: one.recall, True),
            *(
                [
                    (
                        _("Wrong"),
                        lambda one: "" if one.wrong is None else _("{share:.1%}", share=one.wrong),
                        lambda one: one.wrong or 0.0,
                        True,
                    )
                ]
                if self._wrong
                else []
            ),
            (_("Exact results"), lambda one: _("{share:.1%}", share=one.overlap), lambda one: one.overlap, True),
            (_("Query"), lambda one: milliseconds(one.seconds), lambda one: one.seconds, True),
            (
                _("Per photo"),
                lambda one: size_each(one.bytes_per_photograph),
                lambda one: one.bytes_per_photograph,
                True,
            ),
            (_("Query at 10×"), lambda one: milliseconds(one.seconds_tenfold), lambda one: one.seconds_tenfold, True),
            ("", lambda one: " · ".join(self._notes(one)), lambda one: -len(self._notes(one)), False),
        ]

    def _notes(self, one: AdvicePoint) -> list[str]:
        return notes(one, self._proposed, self._present)

    def lesser(self) -> list[str]:
        """Return the columns to hide in a narrow window."""
        return [_("Exact results"), _("Query at 10×")]

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 (Qt's name, as all below)
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return a heading."""
        if orientation is Qt.Orientation.Vertical:
            return None
        heading, __, __, number = self.columns()[section]
        if role == Role.DisplayRole:
            return heading
        if role == Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Role.DisplayRole) -> Any:
        """Return the data of a cell."""
        if not index.isValid():
            return None
        one = self.rows[index.row()]
        __, words, ___, number = self.columns()[index.column()]
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            return words(one)
        if role == Role.TextAlignmentRole:
            return (
                Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
            ) | Qt.AlignmentFlag.AlignVCenter
        if role == Role.BackgroundRole and one.key in (self.lit, self.chosen):
            return QColor(theme().well)
        if role == Role.ForegroundRole:
            return QColor(theme().ink if one.frontier or self._notes(one) else theme().quiet)
        if role == Role.FontRole and one.key == self.chosen:
            from PySide6.QtGui import QFont

            font = QFont()
            font.setBold(True)
            return font
        if role == Role.DecorationRole and index.column() == 0:
            return _dot(QColor(colour(self._places[one.key], theme() is DARK)))
        if role == Role.ToolTipRole:
            named = " · ".join(filter(None, [_method(one), _search(one), _compares(one) if self._several else ""]))
            asked = _n("{count} query", "{count} queries", one.questions)
            return "\n".join([named, asked, _("Click to choose this index")])
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        if column < 0:
            return
        self.layoutAboutToBeChanged.emit()
        self._sorted = column, order
        self._sort(column, order)
        self.layoutChanged.emit()

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        value = self.columns()[column][2]
        self.rows.sort(key=value, reverse=order is Qt.SortOrder.DescendingOrder)

    def light(self, lit: str, chosen: str) -> None:
        """Highlight the row under the pointer and the chosen one."""
        if (lit, chosen) != (self.lit, self.chosen):
            self.lit, self.chosen = lit, chosen
            if self.rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))


def _method(one: AdvicePoint) -> str:
    return one.method or _("exact search")


def _search(one: AdvicePoint) -> str:
    return "" if one.exact else one.search


def _compares(one: AdvicePoint) -> str:
    return text(compared(one))


def _dot(tint: QColor) -> QIcon:
    made = QPixmap(20, 20)
    made.setDevicePixelRatio(2)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    painter.drawEllipse(1, 1, 8, 8)
    painter.end()
    return QIcon(made)


class _Roomy(QStyledItemDelegate):
    """Delegate with space between columns."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 (Qt's name)
        """Indent the text of the last column, which follows numbers."""
        super().initStyleOption(option, index)
        styled: Any = option
        if index.column() == index.model().columnCount() - 1:
            styled.text = f"    {styled.text}"


class AdviceTable(QTableView):
    """Table of measured indexes.

    Signals
    -------
    hovered : str
        Key of the row under the pointer; empty for none.
    chosen : str
        Key of a row that was clicked or chosen by Enter.
    """

    hovered = Signal(str)
    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows = AdviceModel()
        self.setModel(self.rows)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.setIconSize(QSize(10, 10))
        self.setItemDelegate(_Roomy(self))
        self.setTabKeyNavigation(False)
        self.setAccessibleName(_("Measured indexes"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(False)
        header.sectionClicked.connect(self._on_heading)

    def show_rows(self, rows: Sequence[AdvicePoint], proposed: str = "", present: str = "") -> None:
        """Show rows, and keep the current one."""
        current = self.current_key()
        self.rows.show_rows(rows, proposed, present)
        header = self.horizontalHeader()
        self._fit()
        self.setFixedHeight(header.sizeHint().height() + _ROW * max(1, min(_SEEN, len(rows))) + 4)
        self._go_to(current)

    def _fit(self) -> None:
        """Fit the columns; in a narrow window hide some and cut the longest names."""
        header, columns = self.horizontalHeader(), self.rows.columns()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        narrow = self.width() < _NARROW
        for column, (heading, *__) in enumerate(columns):
            self.setColumnHidden(column, narrow and heading in self.rows.lesser())
        font = self.font()
        font.setBold(True)  # as what is chosen is written
        measure = QFontMetrics(font).horizontalAdvance
        wide = [
            max(header.sectionSizeHint(n), _ROOM + max((measure(words(one)) for one in self.rows.rows), default=0))
            for n, (__, words, ___, ____) in enumerate(columns)
        ]
        wide[0] += _DOT
        shown = [n for n in range(len(columns)) if not self.isColumnHidden(n)]
        rest = self.viewport().width() - sum(wide[n] for n in shown[1:])
        wide[0] = max(_NAME, min(wide[0], rest))
        for column in shown[:-1]:
            self.setColumnWidth(column, wide[column])
        header.setSectionResizeMode(len(columns) - 1, QHeaderView.ResizeMode.Stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the columns again."""
        super().resizeEvent(event)
        self._fit()

    def light(self, lit: str, chosen: str) -> None:
        """Highlight the row under the pointer and the chosen one."""
        self.rows.light(lit, chosen)

    def current_key(self) -> str:
        """Return the key of the current row; empty for none."""
        row = self.currentIndex().row()
        return self.rows.rows[row].key if 0 <= row < len(self.rows.rows) else ""

    def _go_to(self, key: str) -> None:
        for row, one in enumerate(self.rows.rows):
            if one.key == key:
                self.setCurrentIndex(self.rows.index(row, 0))

    def _on_heading(self, column: int) -> None:
        header = self.horizontalHeader()
        self.rows.sort(column, header.sortIndicatorOrder())

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802 (Qt's name, as all below)
        """Highlight the current row."""
        super().currentChanged(current, previous)
        if self.hasFocus():
            self.hovered.emit(self.current_key())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Highlight the row under the pointer."""
        row = self.indexAt(event.position().toPoint()).row()
        self.hovered.emit(self.rows.rows[row].key if row >= 0 else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a row."""
        super().mouseReleaseEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(self.rows.rows[row].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Choose the current row by Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current_key():
            self.chosen.emit(self.current_key())
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """End the highlight."""
        super().leaveEvent(event)
        self.hovered.emit("")
