"""A list of names at the side of a window, narrowed by a field that keeps the focus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.gui.look.page_parts import bind, label
from app.gui.look.theme import grown

_WIDTH = 270
_NAME = Qt.ItemDataRole.UserRole


class FilteredList(QWidget):
    """A list of names, with a filter; the content of the current one is shown elsewhere.

    Parameters
    ----------
    title, asks, name : str
        The heading, the placeholder of the field, and the list's accessible name.
    window : QWidget
        Ctrl+F anywhere in it focuses the field.
    sought : str
        The text of the field has changed.
    chosen
        Another name is the current one, or none.
    """

    sought = Signal(str)
    chosen = Signal()

    def __init__(self, title: str, asks: str, name: str, window: QWidget) -> None:
        super().__init__()
        self._field = QLineEdit()
        self._field.setPlaceholderText(asks)
        self._field.setAccessibleName(asks)
        self._field.setClearButtonEnabled(True)
        self._field.textChanged.connect(self.sought)
        self._field.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName(name)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setWordWrap(True)
        self._list.currentItemChanged.connect(lambda __, ___: self.chosen.emit())
        self.setFixedWidth(grown(_WIDTH))
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusProxy(self._field)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 20, 16, 12)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(self._field)
        column.addWidget(self._list, 1)
        bind(window, "Ctrl+F", self._field.setFocus)

    def fill(self, rows: Sequence[tuple[str, str]]) -> None:
        """List names, each with its shown text; the current one stays, or else is the first."""
        before = self.current()
        self._list.blockSignals(True)
        self._list.clear()
        for name, text in rows:
            item = QListWidgetItem(text)
            item.setData(_NAME, name)
            self._list.addItem(item)
        self._list.blockSignals(False)
        if not self.choose(before):
            self._list.setCurrentRow(0)
        self.chosen.emit()

    def names(self) -> list[str]:
        """Return the listed names."""
        return [str(self._list.item(row).data(_NAME)) for row in range(self._list.count())]

    def current(self) -> str:
        """Return the current name; empty for none."""
        item = self._list.currentItem()
        return "" if item is None else str(item.data(_NAME))

    def choose(self, name: str) -> bool:
        """Make a name the current one, if it is listed."""
        names = self.names()
        if name in names:
            self._list.setCurrentRow(names.index(name))
        return name in names

    def words(self) -> str:
        """Return the text of the field."""
        return self._field.text()

    def clear(self) -> None:
        """Empty the field."""
        self._field.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Step through the list by keys while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self._list.count():
                self._list.setCurrentRow(min(max(self._list.currentRow() + step, 0), self._list.count() - 1))
                return True
        return super().eventFilter(watched, event)
