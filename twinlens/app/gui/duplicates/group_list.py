"""The list of groups of duplicates: one group is current, and in it one photograph has the focus.

Where rows stand comes from one sum of their heights; Qt's own layout asks for them row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyleOptionViewItem, QToolTip

from twinlens.app.duplicates.keeper_rules import KeeperCandidate
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup
from twinlens.app.gui.duplicates.group_model import GroupModel, GroupShapes, TilePlace, likely_copy, photograph_sentence
from twinlens.app.gui.duplicates.group_painting import GroupDelegate, GroupLayout, RowHeights
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.language.texts import _

_MOVING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
_SELECTING = (Qt.KeyboardModifier.ShiftModifier,)
_STEP = 20  # px that a click on the scroll bar's arrow, or a notch of the wheel, moves
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class GroupList(QListView):
    """The list of groups of duplicates.

    Signals
    -------
    opened
        The group is to be shown side by side.
    menu_wanted(int, QPoint)
    toggled(int)
        The badge of the photograph of this id was clicked.
    sort_clicked
        The link was clicked that decides for all copies of one sort.
    current_changed
        Another group, or another photograph of it, is current.
    selection_changed
        Other groups are selected.
    """

    opened = Signal()
    menu_wanted = Signal(int, QPoint)
    toggled = Signal(int)
    sort_clicked = Signal()
    current_changed = Signal()
    selection_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._groups = GroupModel()
        self.pictures = SmallPictures(self, looks=4)  # large and small, in the current group and in others
        self._delegate = GroupDelegate(self, self.pictures)
        self.setModel(self._groups)
        self.setItemDelegate(self._delegate)
        self._heights = RowHeights([])
        self._edges = np.zeros(1, np.int64)  # tops of all rows, and the bottom of the last
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setMouseTracking(True)
        self.setProperty("role", "list")
        self.setAccessibleName(_("Groups of duplicates"))
        self.pictures.came.connect(self.viewport().update)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.selectionModel().selectionChanged.connect(self.selection_changed)

    # --- content -----------------------------------------------------------------------------------------------------

    def show_groups(self, groups: Sequence[ArrangedGroup]) -> None:
        """Show groups; the current photograph stays current, or else its place."""
        held, row, tile = self.current_id(), self.row(), self._groups.tile
        before, top = self._groups.groups, self._top()
        stands = next(
            ((number, one.ids.index(held)) for number, one in enumerate(groups) if held in one.ids),
            (min(max(row, 0), len(groups) - 1), tile if held < 0 else 0),
        )
        self._heights = RowHeights([self.shapes.of(one) for one in groups])
        if len(before) == len(groups) and all(map(_of_the_same, before, groups)):
            self._groups.groups, self._groups.tile = list(groups), stands[1]
            self.doItemsLayout()
            self._on_current()
        else:
            self._groups.show_groups(groups)
            self._groups.tile = max(0, stands[1])
            self.setCurrentIndex(self._groups.index(stands[0]))
            self.doItemsLayout()
            self._stay_at(top)
            self.scrollTo(self.currentIndex(), QListView.ScrollHint.EnsureVisible)

    @property
    def shapes(self) -> GroupShapes:
        """The shapes of groups, those to be shown soon among them."""
        return self._delegate.shapes

    def _top(self) -> int | None:
        """Return the top of the current group in the view, px; None where it is out of sight."""
        rect = self.visualRect(self.currentIndex())
        return rect.top() if rect.isValid() and rect.intersects(self.viewport().rect()) else None

    def _stay_at(self, top: int | None) -> None:
        rect = self.visualRect(self.currentIndex())
        if top is not None and rect.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + rect.top() - top)

    # --- where rows stand --------------------------------------------------------------------------------------------

    def doItemsLayout(self) -> None:  # noqa: N802 (Qt's name)
        """Lay groups out; the current one keeps its position in the view."""
        top = self._top()
        heights = self._heights.of(self.viewport().width(), self._delegate.tile, self.font())
        self._edges = np.concatenate([[0], np.cumsum(heights)])
        QAbstractItemView.doItemsLayout(self)
        self._stay_at(top)

    def updateGeometries(self) -> None:  # noqa: N802 (Qt's name)
        """Let the scroll bar reach over all rows."""
        bar, high = self.verticalScrollBar(), self.viewport().height()
        bar.setSingleStep(_STEP)
        bar.setPageStep(high)
        bar.setRange(0, max(0, int(self._edges[-1]) - high))
        QAbstractItemView.updateGeometries(self)

    def verticalOffset(self) -> int:  # noqa: N802 (Qt's name)
        """Return how far the rows are scrolled, px."""
        return self.verticalScrollBar().value()

    def visualRect(self, index: TilePlace) -> QRect:  # noqa: N802 (Qt's name)
        """Return the rectangle of a row in the view."""
        row = index.row()
        if not 0 <= row < len(self._edges) - 1:
            return QRect()
        top, bottom = self._edges[row : row + 2].tolist()
        return QRect(0, top - self.verticalOffset(), self.viewport().width(), bottom - top)

    def _rows(self, top: int, bottom: int) -> range:
        """Return the rows between two heights in the view, both included."""
        edges, offset = self._edges, self.verticalOffset()
        first, last = np.searchsorted(edges, [top + offset, bottom + offset], "right").tolist()
        return range(max(0, first - 1), min(last, len(edges) - 1))

    def indexAt(self, point: QPoint) -> QModelIndex:  # noqa: N802 (Qt's name)
        """Return the row at a point."""
        rows = self._rows(point.y(), point.y()) if point.y() + self.verticalOffset() >= 0 else range(0)
        return self._groups.index(rows[0]) if rows else QModelIndex()

    def scrollTo(  # noqa: N802 (Qt's name)
        self, index: TilePlace, hint: QListView.ScrollHint = QListView.ScrollHint.EnsureVisible
    ) -> None:
        """Bring a row into sight; of one that is higher than the view, its top."""
        rect, bar, high = self.visualRect(index), self.verticalScrollBar(), self.viewport().height()
        if not rect.isValid():
            return
        lower = hint is QListView.ScrollHint.EnsureVisible and rect.top() > 0
        if hint is QListView.ScrollHint.EnsureVisible and rect.top() >= 0 and rect.bottom() < high:
            return
        if hint is QListView.ScrollHint.PositionAtCenter:
            by = rect.center().y() - high // 2
        elif hint is QListView.ScrollHint.PositionAtBottom or lower:
            by = min(rect.top(), rect.bottom() + 1 - high)
        else:
            by = rect.top()
        bar.setValue(bar.value() + by)

    def moveCursor(  # noqa: N802 (Qt's name)
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Return the row to which a key leads."""
        moves, last = QAbstractItemView.CursorAction, len(self._groups.groups) - 1
        row = max(0, self.row())
        high = self.viewport().height()
        middle = self.visualRect(self._groups.index(row)).center().y()
        page = {moves.MovePageUp: middle - high, moves.MovePageDown: middle + high}
        if action in page:
            rows = self._rows(page[action], page[action])
            row = rows[0] if rows else (0 if action is moves.MovePageUp else last)
        elif action in (moves.MoveHome, moves.MoveEnd):
            row = 0 if action is moves.MoveHome else last
        else:
            row += 1 if action in (moves.MoveDown, moves.MoveNext) else -1
        return self._groups.index(max(0, min(last, row)))

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:  # noqa: N802 (Qt's name)
        """Select the rows in a rectangle."""
        rect = rect.normalized()
        rows, chosen = self._rows(rect.top(), rect.bottom()), QItemSelection()
        if rows:
            chosen.select(self._groups.index(rows[0]), self._groups.index(rows[-1]))
        self.selectionModel().select(chosen, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:  # noqa: N802 (Qt's name)
        """Return the part of the view that selected rows take."""
        found = QRegion()
        for at in range(selection.count()):
            span = selection.at(at)
            first, last = (self.visualRect(self._groups.index(row)) for row in (span.top(), span.bottom()))
            found += QRegion(first.united(last).intersected(self.viewport().rect()))
        return found

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Move what is seen."""
        self.viewport().scroll(dx, dy)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the rows that are seen."""
        painter, option = QPainter(self.viewport()), QStyleOptionViewItem()
        self.initViewItemOption(option)
        state = option.state
        for row in self._rows(event.rect().top(), event.rect().bottom()):
            index = self._groups.index(row)
            chosen = self.selectionModel().isSelected(index)
            option.rect = self.visualRect(index)
            option.state = state | QStyle.StateFlag.State_Selected if chosen else state
            self._delegate.paint(painter, option, index)

    # --- the current group -------------------------------------------------------------------------------------------

    def current_group(self) -> ArrangedGroup | None:
        """Return the current group."""
        row = self.currentIndex().row()
        return self._groups.groups[row] if 0 <= row < len(self._groups.groups) else None

    def selected_groups(self) -> list[ArrangedGroup]:
        """Return the selected groups, in their order; the current one is among them."""
        rows = {one.row() for one in self.selectionModel().selectedIndexes()} | {self.row()}
        return [self._groups.groups[row] for row in sorted(rows) if 0 <= row < len(self._groups.groups)]

    def current_place(self) -> int:
        """Return the place of the current photograph in its group."""
        group = self.current_group()
        return 0 if group is None else min(self._groups.tile, len(group.ids) - 1)

    def current_tile(self) -> KeeperCandidate | None:
        """Return the current photograph."""
        group = self.current_group()
        return None if group is None else group.photographs[self.current_place()]

    def current_id(self) -> int:
        """Return the id of the current photograph, or -1."""
        one = self.current_tile()
        return -1 if one is None else one.id

    def set_current(self, photograph_id: int) -> None:
        """Go to a photograph."""
        for row, group in enumerate(self._groups.groups):
            for tile, one in enumerate(group.photographs):
                if one.id == photograph_id:
                    self._go(row, tile)
                    return

    def place(self) -> dict[str, Any]:
        """Return the current photograph, and how high its group is in the view, to be remembered."""
        return {"current": self.current_id(), "top": self._top()}

    def return_to(self, place: Mapping[str, Any]) -> None:
        """Return to a place that was remembered, if its photograph is still there."""
        current, top = place.get("current"), place.get("top")
        if isinstance(current, int):
            self.set_current(current)
            if self.current_id() == current and isinstance(top, int):
                self._stay_at(top)

    def ids(self) -> list[int]:
        """Return the photographs of the current group, as the viewer steps through them."""
        group = self.current_group()
        return [] if group is None else list(group.ids)

    def go_to_group(self, row: int) -> None:
        """Make a group current."""
        if 0 <= row < len(self._groups.groups):
            self._go(row, 0)

    def row(self) -> int:
        """Return the place of the current group."""
        return self.currentIndex().row()

    def zoom(self, steps: int) -> None:
        """Show pictures larger or smaller."""
        self._delegate.tile = max(100, min(420, round(self._delegate.tile * 1.18**steps)))
        self.scheduleDelayedItemsLayout()

    def _go(self, row: int, tile: int, *, keep_selection: bool = False) -> None:
        self._groups.tile = tile
        if row == self.currentIndex().row():
            self._on_current()
        elif keep_selection:
            how = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self._groups.index(row), how)
        else:
            self.setCurrentIndex(self._groups.index(row))

    def _on_current(self, now: QModelIndex | None = None, before: QModelIndex | None = None) -> None:
        if now is not None and before is not None and before.isValid() and now.row() != before.row():
            group = self.current_group()
            self._groups.tile = min(self._groups.tile, len(group.ids) - 1) if group is not None else 0
        self.setAccessibleDescription(self._spoken())
        for row in (before, self.currentIndex()):
            if row is not None and row.isValid():
                self.update(row)
        self.current_changed.emit()

    def _spoken(self) -> str:
        group = self.current_group()
        return "" if group is None else photograph_sentence(group, min(self._groups.tile, len(group.ids) - 1))

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move by arrows between photographs and groups; choose by numbers."""
        key, plain = Qt.Key(event.key()), event.modifiers() in _PLAIN
        group = self.current_group()
        count = 0 if group is None else len(group.ids)
        if plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and count:
            step = 1 if key == Qt.Key.Key_Right else -1
            self._go(self.row(), max(0, min(count - 1, self._groups.tile + step)))
        elif (plain or event.modifiers() in _SELECTING) and key in _MOVING:
            self._groups.tile = 0
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def _layout_at(self, point: QPoint) -> tuple[int, GroupLayout | None, QPoint]:
        """Return the row of the group at a point, its layout, and the point in it; -1 for none."""
        index = self.indexAt(point)
        if not index.isValid():
            return -1, None, point
        rect = self.visualRect(index)
        layout = self._delegate.layout_of(self._groups.groups[index.row()], rect.width(), self.font())
        return index.row(), layout, point - rect.topLeft()

    def _tile_at(self, point: QPoint) -> tuple[int, int]:
        """Return the row of the group and the place of the photograph at a point; -1 for none."""
        row, layout, within = self._layout_at(point)
        return (row, -1) if layout is None else (row, layout.at(within))

    def _badge_under(self, point: QPoint) -> tuple[int, int]:
        """Return the row of the group and the place of the photograph whose badge is at a point; -1 for none."""
        row, layout, within = self._layout_at(point)
        place = -1 if layout is None else layout.at(within)
        if layout is None or place < 0:
            return -1, -1
        on_badge = self._delegate.badge_at(self._groups.groups[row], layout, place).contains(within)
        return (row, place) if on_badge else (-1, -1)

    def _on_link(self, point: QPoint) -> bool:
        row, layout, within = self._layout_at(point)
        group = self._groups.groups[row] if layout is not None else None
        return group is not None and likely_copy(group) is not None and layout.link_contains(within)  # type: ignore[union-attr]

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Make the clicked photograph current; a click on its badge turns it, and one on the link opens that."""
        point, left = event.position().toPoint(), event.button() is Qt.MouseButton.LeftButton
        row, tile = self._tile_at(point)
        if event.button() is Qt.MouseButton.RightButton and row in [one.row() for one in self.selectedIndexes()]:
            self._go(row, max(0, tile), keep_selection=True)
            return
        badge, link = self._badge_under(point), self._on_link(point)
        super().mousePressEvent(event)
        if row >= 0:
            self._go(row, max(0, tile), keep_selection=True)
        if left and badge[0] >= 0:
            self.toggled.emit(self._groups.groups[row].ids[badge[1]])
        elif left and link:
            self.sort_clicked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show that a badge, or a link, can be clicked."""
        super().mouseMoveEvent(event)
        self._hover(event.position().toPoint())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Show no badge as a button any more."""
        super().leaveEvent(event)
        self._hover(QPoint(-1, -1))

    def _hover(self, point: QPoint) -> None:
        under = self._badge_under(point)
        clickable = under[0] >= 0 or self._on_link(point)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)
        if under != self._delegate.hovered:
            self._delegate.hovered = under
            self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the group side by side; a second click on a badge turns it back."""
        point = event.position().toPoint()
        row, place = self._badge_under(point)
        if row >= 0:
            self.toggled.emit(self._groups.groups[row].ids[place])
        elif self._tile_at(point)[0] >= 0:
            self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask for the menu of a photograph."""
        place = event.globalPos()
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        if self.current_id() >= 0:
            self.menu_wanted.emit(self.current_id(), place)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Show the description of a photograph as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row, tile = self._tile_at(event.pos())
            if tile >= 0:
                group = self._groups.groups[row]
                words = photograph_sentence(group, tile)
                if self._badge_under(event.pos())[0] >= 0:
                    words = _("Click to keep it") if group.goes(tile) else _("Click to remove it")
                QToolTip.showText(event.globalPos(), words, self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay the tiles out again."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


def _of_the_same(one: ArrangedGroup, other: ArrangedGroup) -> bool:
    """Return whether two groups have the same photographs, whatever the decisions about them."""
    return one is other or one.ids == other.ids
