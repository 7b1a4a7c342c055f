"""List of runs to choose, rename and delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.gui.lab.experiments.run_words import moment_words
from app.gui.look.sentences import small, strong
from app.gui.look.theme import theme
from app.lab.experiments.results import LabRunStatus
from app.language.spoken import _


class State(Enum):
    """State of a run."""

    WHOLE = "whole"
    PART = "part"  # stopped, and can be gone on with
    WAITS = "waits"  # for other long work
    RUNS = "runs"
    FILE = "file"  # out of somebody's file, not kept; its id is below 0


@dataclass(frozen=True)
class ListedRun:
    """A run in the list."""

    run: LabRunStatus
    state: State

    @property
    def id(self) -> int:
        """Its number."""
        return self.run.id


_HEIGHT = 56
_Index = QModelIndex | QPersistentModelIndex


def state_words(one: ListedRun) -> str:
    """Return the state of a run as text."""
    run = one.run
    steps = _("{done} / {steps}", done=run.done, steps=run.steps)
    return {
        State.WHOLE: moment_words(run.created),
        State.PART: _("stopped at {steps}", steps=steps),
        State.RUNS: _("running · {steps}", steps=steps) if run.steps else _("starting"),
        State.WAITS: _("waiting"),
        State.FILE: _("from a file, not kept"),
    }[one.state]


class RunModel(QAbstractListModel):
    """Model of the list of runs."""

    renamed = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[ListedRun] = []

    def show_runs(self, runs: Sequence[ListedRun]) -> None:
        """Show runs, and keep the choice if they are the same."""
        if [one.id for one in runs] == [one.id for one in self.runs]:
            self.runs = list(runs)
            if runs:
                self.dataChanged.emit(self.index(0), self.index(len(runs) - 1))
            return
        self.beginResetModel()
        self.runs = list(runs)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's name, and its default)
        """Return the number of runs."""
        return 0 if parent.isValid() else len(self.runs)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Let kept runs be renamed."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        kept = index.isValid() and self.runs[index.row()].id > 0
        return flags | Qt.ItemFlag.ItemIsEditable if kept else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a run."""
        run = self.runs[index.row()].run
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return run.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{run.name}. {run.data}. {state_words(self.runs[index.row()])}"
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt's name)
        """Request another name; it shows once the library has it."""
        run = self.runs[index.row()].run
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not name or name == run.name:
            return False
        self.renamed.emit(run.id, name)
        return True


class _Delegate(QStyledItemDelegate):
    """Delegate that paints a run in two lines."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint a run."""
        view, now = self.parent(), theme()
        assert isinstance(view, RunList)
        one = view.runs.runs[index.row()]
        run, state = one.run, one.state
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = view.selectionModel().isRowSelected(index.row(), QModelIndex())
        current = view.currentIndex().row() == index.row()
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(QRectF(rect).adjusted(6, 2, -6, -2), 6, 6)
        if current and view.hasFocus():
            painter.setPen(QPen(QColor(now.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(rect).adjusted(6.5, 2.5, -6.5, -2.5), 6, 6)
        left, width = rect.left() + 18, rect.width() - 34
        painter.setFont(strong(option.font) if chosen else option.font)
        painter.setPen(QColor(now.ink))
        name = painter.fontMetrics().elidedText(run.name, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(left, rect.top() + 9, width, 20), int(Qt.AlignmentFlag.AlignVCenter), name)
        painter.setFont(small(option.font))
        lively = state in (State.RUNS, State.WAITS)
        painter.setPen(QColor(now.accent if lively else now.warn if state is State.PART else now.quiet))
        words = state_words(one)
        painter.drawText(QRect(left, rect.top() + 28, width, 18), int(Qt.AlignmentFlag.AlignVCenter), words)
        used = painter.fontMetrics().horizontalAdvance(words) + 12
        painter.setPen(QColor(now.quiet))
        data = painter.fontMetrics().elidedText(run.data, Qt.TextElideMode.ElideRight, max(0, width - used))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(QRect(left, rect.top() + 28, width, 18), flags, data)
        if state is State.RUNS and run.steps:
            painter.fillRect(left, rect.bottom() - 5, width, 2, QColor(now.line))
            painter.fillRect(left, rect.bottom() - 5, round(width * run.done / run.steps), 2, QColor(now.accent))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of two lines."""
        return QSize(120, _HEIGHT)

    def updateEditorGeometry(  # noqa: N802 (Qt's name)
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        """Edit the name in place."""
        rect: QRect = option.rect
        editor.setGeometry(rect.left() + 8, rect.top() + 4, rect.width() - 16, 28)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep typed letters from the shortcuts of the view."""
        if isinstance(editor, QLineEdit) and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().eventFilter(editor, event)


class RunList(QListView):
    """List of runs, the newest first. Several chosen with Space or Ctrl are compared.

    Signals
    -------
    chosen : list of int
        Ids of the runs that are chosen, in the order of the list.
    rename_wanted : int, str
    delete_wanted : list of int
    menu_wanted : object, object
        Run and place, for what else can be done.
    """

    chosen = Signal(list)
    rename_wanted = Signal(int, str)
    delete_wanted = Signal(list)
    menu_wanted = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs = RunModel()
        self.setModel(self.runs)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(_("Experiments"))
        self.setAccessibleDescription(_("Choose several with Ctrl to compare them"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._silent = False
        self.selectionModel().selectionChanged.connect(self._on_chosen)
        self.runs.renamed.connect(self.rename_wanted)

    def show_runs(self, runs: Sequence[ListedRun], chosen: Sequence[int]) -> None:
        """Show runs, some of them chosen."""
        self._silent = True
        current = self.current()
        self.runs.show_runs(runs)
        selection = QItemSelection()
        places = [place for place, one in enumerate(runs) if one.id in chosen]
        for place in places:
            selection.select(self.runs.index(place), self.runs.index(place))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        held = next((i for i, one in enumerate(runs) if current is not None and one.id == current.id), -1)
        held = held if held >= 0 else next(iter(places), -1)
        if held >= 0:
            self.selectionModel().setCurrentIndex(self.runs.index(held), QItemSelectionModel.SelectionFlag.NoUpdate)
        self._silent = False
        self.viewport().update()

    def current(self) -> ListedRun | None:
        """Return the current run."""
        place = self.currentIndex().row()
        return self.runs.runs[place] if 0 <= place < len(self.runs.runs) else None

    def chosen_ids(self) -> list[int]:
        """Return the chosen runs in the order of the list."""
        return [self.runs.runs[one].id for one in sorted(index.row() for index in self.selectedIndexes())]

    def rename(self) -> None:
        """Rename the current run in place."""
        index = self.currentIndex()
        if index.isValid() and self.runs.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)

    def _on_chosen(self) -> None:
        if not self._silent:
            self.chosen.emit(self.chosen_ids())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Rename by F2, delete by Del."""
        if event.key() == Qt.Key.Key_F2:
            self.rename()
        elif event.key() == Qt.Key.Key_Delete and self.chosen_ids():
            self.delete_wanted.emit(self.chosen_ids())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the menu of a run."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        if index.isValid():
            at = self.viewport().mapToGlobal(self.visualRect(index).center()) if keyboard else event.globalPos()
            self.menu_wanted.emit(self.runs.runs[index.row()], at)

    def event(self, event: QEvent) -> bool:
        """Draw or remove the frame of the current run."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.viewport().update()
        return super().event(event)


def run_menu(parent: QWidget) -> QMenu:
    """Return an empty menu that is deleted after use."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu
