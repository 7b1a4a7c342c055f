"""The list of groups of duplicates: one group is current, and in it one photograph has the focus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QToolTip

from twinlens.app.duplicates.keeper_rules import KeeperCandidate
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup
from twinlens.app.gui.duplicates.group_model import GroupModel, likely_copy, photograph_sentence
from twinlens.app.gui.duplicates.group_painting import GroupDelegate, GroupLayout
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.language.texts import _

_MOVING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
_SELECTING = (Qt.KeyboardModifier.ShiftModifier,)
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
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
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
            (
                (number, n)
                for number, one in enumerate(groups)
                for n, each in enumerate(one.photographs)
                if each.id == held
            ),
            (min(max(row, 0), len(groups) - 1), tile if held < 0 else 0),
        )
        if len(before) == len(groups) and all(map(_of_the_same, before, groups)):
            other_heights = any(map(self._of_other_heights, before, groups))
            self._groups.groups, self._groups.tile = list(groups), stands[1]
            if other_heights:
                self.doItemsLayout()
            self.viewport().update()
            self._on_current()
        else:
            self._groups.show_groups(groups)
            self._groups.tile = max(0, stands[1])
            self.setCurrentIndex(self._groups.index(stands[0]))
            self.doItemsLayout()
            self._stay_at(top)
            self.scrollTo(self.currentIndex(), QListView.ScrollHint.EnsureVisible)
        self._delegate.forget_others(groups)

    def doItemsLayout(self) -> None:  # noqa: N802 (Qt's name)
        """Lay groups out; the current one keeps its position in the view."""
        top = self._top()
        super().doItemsLayout()
        self._stay_at(top)

    def _top(self) -> int | None:
        """Return the top of the current group in the view, px; None where it is out of sight."""
        rect = self.visualRect(self.currentIndex())
        return rect.top() if rect.isValid() and rect.intersects(self.viewport().rect()) else None

    def _stay_at(self, top: int | None) -> None:
        rect = self.visualRect(self.currentIndex())
        if top is not None and rect.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + rect.top() - top)

    def _of_other_heights(self, one: ArrangedGroup, other: ArrangedGroup) -> bool:
        width, font = self.width(), self.font()
        return one is not other and self._delegate.height(one, width, font) != self._delegate.height(other, width, font)

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
