"""Guide window: pages and keys at the left, what is chosen at the right, one field that seeks in all of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions.action import Action
from app.gui.guide.key_list import KeyList
from app.gui.guide.page_text import PageText
from app.gui.look.empty_state import EmptyState
from app.gui.look.page_parts import bind, label
from app.gui.look.text_size import grown
from app.guide.pages import Page, containing
from app.language.spoken import _

KEYS = "keys"
"""Name of the page of keys."""

_SIZE = QSize(1080, 760)
_MARGIN = 24
_SIDE = 270
_NAME = Qt.ItemDataRole.UserRole


class GuideWindow(QDialog):
    """Shows the guide beside the window, which can be used meanwhile.

    Parameters
    ----------
    pages : sequence of Page
    actions : sequence of Action
        Those whose keys are listed.
    parent : QWidget
    """

    def __init__(self, pages: Sequence[Page], actions: Sequence[Action], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(_("Guide"))
        self.setAccessibleName(_("Guide"))
        self.setProperty("role", "sheet")
        self._pages = list(pages)
        self._text = PageText({key for action in actions for key in action.keys})
        self._keys = KeyList(actions)
        self._text.followed.connect(self.show_page)
        self._sought = QLineEdit()
        self._sought.setPlaceholderText(_("What do you want to do?"))
        self._sought.setAccessibleName(_("What do you want to do?"))
        self._sought.setClearButtonEnabled(True)
        self._sought.textChanged.connect(self._on_sought)
        self._sought.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName(_("Pages"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setWordWrap(True)
        self._list.currentItemChanged.connect(lambda __, ___: self._show())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._text)
        self._stack.addWidget(self._keys)
        self._nothing = EmptyState(_("No page and no key contains all of these words."))
        self._stack.addWidget(self._nothing)
        side = QWidget()
        side.setFixedWidth(grown(_SIDE))
        side.setObjectName("side")
        column = QVBoxLayout(side)
        column.setContentsMargins(16, 20, 16, 12)
        column.setSpacing(12)
        column.addWidget(label(_("Guide"), "title"))
        column.addWidget(self._sought)
        column.addWidget(self._list, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(self._stack, 1)
        bind(self, "F1", self.close)
        bind(self, "Ctrl+F", self._sought.setFocus)
        room = parent.window().size() if parent is not None else _SIZE
        self.resize(_SIZE.boundedTo(room - QSize(2 * _MARGIN, 2 * _MARGIN)))
        self._fill(self._pages, True)
        self.show_page(self._pages[0].name)
        self._sought.setFocus()

    def show_page(self, name: str) -> None:
        """Show a page by its name, :data:`KEYS` for the keys; every page is listed again where it was not."""
        if not self._choose(name):
            self._sought.clear()
            self._choose(name)

    def listed(self) -> list[str]:
        """Return the names of the pages that are listed."""
        return [self._list.item(row).data(_NAME) for row in range(self._list.count())]

    def shown(self) -> str:
        """Return the name of the page that is shown; empty where none is."""
        item = self._list.currentItem()
        return "" if item is None else str(item.data(_NAME))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Step through the list while the keys are on the field."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self._list.count():
                self._list.setCurrentRow(min(max(self._list.currentRow() + step, 0), self._list.count() - 1))
                return True
        return super().eventFilter(watched, event)

    def _choose(self, name: str) -> bool:
        names = self.listed()
        if name in names:
            self._list.setCurrentRow(names.index(name))
        return name in names

    def _fill(self, pages: Sequence[Page], with_keys: bool) -> None:
        self._list.clear()
        for name, title in [(page.name, page.title) for page in pages] + [(KEYS, _("Keys"))] * with_keys:
            item = QListWidgetItem(title)
            item.setData(_NAME, name)
            self._list.addItem(item)

    def _on_sought(self, words: str) -> None:
        """List what contains the words, and stay where that is one of them."""
        before = self.shown()
        keys = self._keys.narrow(words)
        self._list.blockSignals(True)
        self._fill(containing(self._pages, words), keys > 0)
        self._list.blockSignals(False)
        if not self._choose(before):
            self._list.setCurrentRow(0)
        self._show()

    def _show(self) -> None:
        name, words = self.shown(), self._sought.text()
        page = next((one for one in self._pages if one.name == name), None)
        if page is not None:
            self._text.show_page(page, words)
        self._stack.setCurrentWidget(self._text if page is not None else self._keys if name else self._nothing)
