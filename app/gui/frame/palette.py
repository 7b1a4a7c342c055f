"""The command palette: type what you want to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.gui.actions.action import Action
from app.gui.process.outlived import outlived
from app.language.spoken import _

_WIDTH, _HEIGHT, _TOP = 560, 420, 72
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QDialog):
    """A field and the actions that fit what is typed in it.

    Parameters
    ----------
    over : QWidget
        In which they are done.
    actions : sequence of Action
        What could be done.
    """

    chosen = Signal(object)
    """The `Action` that is to be done."""

    def __init__(self, over: QWidget, actions: Sequence[Action]) -> None:
        super().__init__(over, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(_("What do you want to do?"))
        self.setProperty("role", "sheet")
        self._actions = list(actions)
        self._typed = QLineEdit()
        self._typed.setPlaceholderText(_("What do you want to do?"))
        self._typed.setAccessibleName(_("What do you want to do?"))
        self._typed.textChanged.connect(self._show)
        self._typed.installEventFilter(self)
        self._list = QTreeWidget()
        self._list.setObjectName("choices")
        self._list.setAccessibleName(_("What can be done"))
        self._list.setHeaderHidden(True)
        self._list.setRootIsDecorated(False)
        self._list.setColumnCount(3)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.header().setStretchLastSection(False)
        self._list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2):
            self._list.header().setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        self._list.itemClicked.connect(lambda __, ___: self._choose())
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self._typed)
        column.addWidget(self._list, 1)
        window = over.window()
        width, height = min(_WIDTH, window.width() - 32), min(_HEIGHT, window.height() - 2 * _TOP)
        self.resize(width, height)
        self.move(
            window.mapToGlobal(window.rect().topLeft()).x() + (window.width() - width) // 2,
            window.mapToGlobal(window.rect().topLeft()).y() + _TOP,
        )
        self._show("")

    def offered(self) -> list[Action]:
        """Return the actions that fit what is typed, those that begin with it first."""
        words = self._typed.text().casefold().split()
        fitting = [one for one in self._actions if all(w in f"{one.words} {one.heading}".casefold() for w in words)]
        if not words:
            return fitting
        return sorted(fitting, key=lambda one: not one.words.casefold().startswith(words[0]))

    def _show(self, __: str) -> None:
        self._list.clear()
        for action in self.offered():
            item = QTreeWidgetItem([action.words, action.heading, action.keys_text()])
            item.setForeground(1, self.palette().placeholderText())
            item.setData(0, Qt.ItemDataRole.UserRole, action)
            self._list.addTopLevelItem(item)
        if first := self._list.topLevelItem(0):
            self._list.setCurrentItem(first)

    def _choose(self) -> None:
        item = self._list.currentItem()
        if item is not None:
            action = item.data(0, Qt.ItemDataRole.UserRole)
            self.close()
            self.chosen.emit(action)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Go through the list by the keys that the field does not need."""
        if outlived(self):
            return False
        if watched is self._typed and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if Qt.Key(event.key()) in _MOVES:
                self._list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return True
        return super().eventFilter(watched, event)
