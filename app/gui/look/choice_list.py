"""A popup list to choose one value from: with counts, found by typing, and never larger than the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.gui.look.page_parts import surface
from app.gui.process.outlived import outlived
from app.gui.search.dates import InputField
from app.language.spoken import _, number
from app.library.text_folding import folded

_SEEN = 12  # rows; more are scrolled to, and found by typing
_WIDTH = 280
_VALUE = Qt.ItemDataRole.UserRole
_MOVING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ListChoice(NamedTuple):
    """One row.

    Attributes
    ----------
    value, words : str
        What is chosen, and what is read.
    photographs : int or None
        How many it gives; None where that says nothing.
    """

    value: str
    words: str
    photographs: int | None = None


class ChoiceList(QFrame):
    """Offers choices below a widget; a click or Enter takes one, Esc none.

    Parameters
    ----------
    name : str
        What is chosen, for those who listen.
    choices : sequence of Choice
    now : str
        The value that is chosen already.
    parent : QWidget

    Signals
    -------
    chosen : str
        A value.
    """

    chosen = Signal(str)

    def __init__(self, name: str, choices: Sequence[ListChoice], now: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(name)
        self._field = InputField(_("Type to find"), _("Find in the list"))
        self._field.textEdited.connect(self._on_typed)
        self._field.installEventFilter(self)
        if len(choices) <= _SEEN:
            self._field.hide()
        self._list = QTreeWidget()
        self._list.setObjectName("choices")
        self._list.setAllColumnsShowFocus(True)
        self._list.setAccessibleName(name)
        self._list.setColumnCount(2)
        self._list.setHeaderHidden(True)
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self._list.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(16)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for one in choices:
            item = QTreeWidgetItem(self._list, [one.words, "" if one.photographs is None else number(one.photographs)])
            item.setData(0, _VALUE, one.value)
            item.setToolTip(0, one.words)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if one.value == now:
                self._list.setCurrentItem(item)
        self._list.itemClicked.connect(lambda item, __: self._take(item))
        self._list.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self._field)
        column.addWidget(self._list)

    def open(self, below: QWidget) -> None:
        """Show it below a widget, or above where there is no room below."""
        screen = below.screen().availableGeometry()
        self.setFixedWidth(min(max(_WIDTH, below.width()), screen.width()))
        row = max(1, self._list.sizeHintForRow(0))
        wanted = row * min(_SEEN, self._list.topLevelItemCount()) + 2 * self._list.frameWidth() + 2
        around = 0 if self._field.isHidden() else self._field.height() + 6
        self._list.setFixedHeight(min(wanted, screen.height() - around - 16))
        self.adjustSize()
        at = below.mapToGlobal(QPoint(0, below.height() + 2))
        if at.y() + self.height() > screen.bottom():
            at.setY(max(screen.top(), below.mapToGlobal(QPoint(0, -self.height() - 2)).y()))
        at.setX(max(screen.left(), min(at.x(), screen.right() - self.width())))
        self.move(at)
        self.show()
        (self._list if self._field.isHidden() else self._field).setFocus(Qt.FocusReason.PopupFocusReason)
        self._list.scrollTo(self._list.currentIndex())

    def words(self) -> list[str]:
        """Return the rows that are seen, with their counts."""
        return [f"{one.text(0)} {one.text(1)}".strip() for one in self._items() if not one.isHidden()]

    def _items(self) -> list[QTreeWidgetItem]:
        return self._list.findItems("", Qt.MatchFlag.MatchContains)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Take with Enter; go through the list with arrows while one types."""
        if not outlived(self) and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take(self._list.currentItem())
                return True
            if watched is self._field and event.key() in _MOVING_KEYS:
                self._list.keyPressEvent(event)
                return True
        return super().eventFilter(watched, event)

    def _on_typed(self, text: str) -> None:
        words = folded(text).split()
        first: QTreeWidgetItem | None = None
        for item in self._items():
            there = all(word in folded(item.text(0)) for word in words)
            item.setHidden(not there)
            first = first or (item if there else None)
        self._list.setCurrentItem(first)  # type: ignore[arg-type]

    def _take(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and not item.isHidden():
            self.chosen.emit(str(item.data(0, _VALUE)))
            self.close()
