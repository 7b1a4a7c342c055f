"""The chooser of the index: a pill that opens a list, in plain words, with the exact text below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.gui.actions.action import give_key, show_action
from app.gui.actions.declared_actions import search_actions
from app.gui.look.buttons import WordsPill
from app.gui.look.labels import small, strong
from app.gui.look.page_parts import column_of, surface
from app.gui.look.theme import theme
from app.language.texts import _

_ROW = 56
_NAME, _WORDS, _TEXT = (Qt.ItemDataRole.UserRole + n for n in range(3))


class IndexOption(NamedTuple):
    """An index in the list: its name, what it compares in plain words, its exact text."""

    name: str
    words: str
    text: str


class IndexChooser(WordsPill):
    """Shows the index that is searched, and opens the list of all.

    Signals
    -------
    index_chosen(str)
    new_index_wanted()
    """

    index_chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(opens=True, parent=parent)
        give_key(self, search_actions()["index"])
        self._indexes: list[IndexOption] = []
        self._current = ""
        self._list: IndexPopup | None = None
        self.clicked.connect(self._on_clicked)
        self._write()

    def set_indexes(self, indexes: Sequence[IndexOption], current: str) -> None:
        """Offer indexes, and choose one."""
        self._indexes, self._current = list(indexes), current
        self._write()

    def current(self) -> str:
        """Return the name of the chosen index."""
        return self._current

    def _write(self) -> None:
        now = next((one for one in self._indexes if one.name == self._current), None)
        adds_words = now is not None and now.words and now.words.casefold() != now.name.casefold()
        words = f": {now.words}" if now is not None and adds_words else ""
        self.set_words(_("in") + " ", self._current or _("nothing yet"), words)
        spoken = f"{self._current}{words}"
        show_action(self, search_actions()["index"], f"{spoken}\n{now.text}" if now else "")
        self.setAccessibleName(_("Search in: {index}", index=spoken))

    def _on_clicked(self) -> None:
        self._list = IndexPopup(self._indexes, self._current, self)
        self._list.chosen.connect(self._on_chosen)
        self._list.new_index_wanted.connect(self.new_index_wanted)
        self._list.open_at(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _on_chosen(self, name: str) -> None:
        if name != self._current:
            self._current = name
            self._write()
            self.index_chosen.emit(name)


class IndexPopup(QFrame):
    """The list of indexes below the pill."""

    chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, indexes: Sequence[IndexOption], current: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Indexes"))
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(_("Indexes"))
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setItemDelegate(_IndexRow(self.rows))
        self.rows.setMouseTracking(True)
        self.rows.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one in indexes:
            spoken = f"{one.name}: {one.words}" if one.words else one.name
            item = QListWidgetItem(spoken)
            item.setData(_NAME, one.name)
            item.setData(_WORDS, one.words if one.words.casefold() != one.name.casefold() else "")
            item.setData(_TEXT, one.text)
            item.setToolTip(one.text)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, one.text)
            self.rows.addItem(item)
            if one.name == current:
                self.rows.setCurrentItem(item)
        new = QListWidgetItem(_("New index…"))
        new.setData(_NAME, "")
        self.rows.addItem(new)
        self.rows.itemClicked.connect(self._on_taken)
        column_of(self.rows, on=self, margins=(1, 8, 1, 8))
        self.setFixedSize(400, min(420, _ROW * len(indexes) + 40 + 16 + 2))

    def open_at(self, place: QPoint) -> None:
        """Open with the keys in the list."""
        screen = self.screen().availableGeometry()
        self.move(min(place.x(), screen.right() - self.width()), min(place.y(), screen.bottom() - self.height()))
        self.show()
        self.rows.setFocus()

    def _on_taken(self, item: QListWidgetItem) -> None:
        name = item.data(_NAME)
        self.close()
        if name:
            self.chosen.emit(name)
        else:
            self.new_index_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose with Enter."""
        item = self.rows.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and item is not None:
            self._on_taken(item)
        else:
            super().keyPressEvent(event)


class _IndexRow(QStyledItemDelegate):
    """Draws name and plain words, and the exact text below."""

    def sizeHint(  # noqa: N802 (Qt's name)
        self, __: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Two lines; one for "New index…"."""
        return QSize(360, _ROW if index.data(_NAME) else 40)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a row."""
        now = theme()
        box = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.fillRect(box, QColor(now.paper))
        if state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(box.adjusted(8, 0, -8, 0), 6, 6)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(QRectF(8, box.top() + 8, 3, box.height() - 16), QColor(now.accent))
        font = option.font
        inner = box.adjusted(20, 0, -20, 0)
        name, words, text = (index.data(role) or "" for role in (_NAME, _WORDS, _TEXT))
        if not name:
            painter.setFont(font)
            painter.setPen(QColor(now.accent))
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, index.data(Qt.ItemDataRole.DisplayRole))
            painter.restore()
            return
        first, second = inner.adjusted(0, 8, 0, -28), inner.adjusted(0, 28, 0, -8)
        painter.setFont(strong(font))
        painter.setPen(QColor(now.ink))
        loud = QFontMetrics(strong(font))
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(font)
        painter.setPen(QColor(now.quiet))
        painter.drawText(
            first.adjusted(loud.horizontalAdvance(name) + 8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words
        )
        painter.setFont(small(font, 0.85))
        metrics = QFontMetrics(small(font, 0.85))
        painter.drawText(
            second,
            Qt.AlignmentFlag.AlignVCenter,
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(second.width())),
        )
        painter.restore()
