"""A list of which one row is picked, by a click or Enter, as in a menu; a field above it may keep the focus."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from twinlens.app.gui.lists.card_list import Card, CardList, CardLook
from twinlens.app.gui.process.jobs import outlived

Row = TypeVar("Row")
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PickList(CardList[Row]):
    """The list.

    Parameters
    ----------
    name : str
        Accessible name.
    key_of, card_of : callable
        As of a list of cards.
    lines : int
        Number of lesser lines that have room.
    """

    picked = Signal(object)
    """The picked row."""

    def __init__(
        self, name: str, key_of: Callable[[Row], Hashable], card_of: Callable[[Row], Card], lines: int = 0
    ) -> None:
        super().__init__(key_of, card_of, CardLook(lines, margin=12, compact=True), seeks=True)
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFrameShape(self.Shape.NoFrame)
        self.clicked.connect(lambda __: self.pick())

    def pick(self) -> None:
        """Pick the current row."""
        one = self.current()
        if one is not None:
            self.picked.emit(one)

    def follow(self, field: QWidget) -> None:
        """Be moved by the keys of a field that the field does not need."""
        self.setFocusProxy(field)
        field.installEventFilter(self)

    def height_of(self, rows: int) -> int:
        """Return the height of so many rows, in pixels."""
        return rows * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of all rows."""
        return QSize(super().sizeHint().width(), self.height_of(self.cards.rowCount()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Pick by Enter or the space bar."""
        if event.key() in (*_TAKES, Qt.Key.Key_Space):
            self.pick()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Take the keys of the field."""
        if outlived(self):
            return False
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in (*_MOVES, *_TAKES):
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)
