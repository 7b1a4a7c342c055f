"""Guide window: pages and keys at the left, what is chosen at the right, one field that seeks in all of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QWidget

from app.gui.actions.action import Action
from app.gui.guide.key_list import KeyList
from app.gui.guide.page_text import PageText
from app.gui.look.empty_state import EmptyState
from app.gui.look.page_parts import bind
from app.gui.look.sought_list import FilteredList
from app.guide.pages import GuidePage, containing
from app.language.spoken import _

KEYS = "keys"
"""Name of the page of keys."""

_SIZE = QSize(1080, 760)
_MARGIN = 24


class GuideWindow(QDialog):
    """Shows the guide beside the window, which can be used meanwhile.

    Parameters
    ----------
    pages : sequence of Page
    actions : sequence of Action
        Those whose keys are listed.
    parent : QWidget
    """

    def __init__(self, pages: Sequence[GuidePage], actions: Sequence[Action], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(_("Guide"))
        self.setAccessibleName(_("Guide"))
        self.setProperty("role", "sheet")
        self._pages = list(pages)
        self._text = PageText({key for action in actions for key in action.keys})
        self._keys = KeyList(actions)
        self._text.followed.connect(self.show_page)
        self._side = FilteredList(_("Guide"), _("What do you want to do?"), _("Pages"), self)
        self._side.sought.connect(lambda __: self._fill())
        self._side.chosen.connect(self._show)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._text)
        self._stack.addWidget(self._keys)
        self._nothing = EmptyState(_("No page and no key contains all of these words."))
        self._stack.addWidget(self._nothing)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(self._stack, 1)
        bind(self, "F1", self.close)
        room = parent.window().size() if parent is not None else _SIZE
        self.resize(_SIZE.boundedTo(room - QSize(2 * _MARGIN, 2 * _MARGIN)))
        self._fill()
        self._side.setFocus()

    def show_page(self, name: str) -> None:
        """Show a page by its name, :data:`KEYS` for the keys; every page is listed again where it was not."""
        if not self._side.choose(name):
            self._side.clear()
            self._side.choose(name)

    def listed(self) -> list[str]:
        """Return the names of the pages that are listed."""
        return self._side.names()

    def shown(self) -> str:
        """Return the name of the page that is shown; empty where none is."""
        return self._side.current()

    def _fill(self) -> None:
        """List what contains the words, and stay where that is one of them."""
        words = self._side.words()
        keys = self._keys.narrow(words)
        rows = [(page.name, page.title) for page in containing(self._pages, words)]
        self._side.fill([*rows, *[(KEYS, _("Keys"))] * (keys > 0)])

    def _show(self) -> None:
        name, words = self.shown(), self._side.words()
        page = next((one for one in self._pages if one.name == name), None)
        if page is not None:
            self._text.show_page(page, words)
        self._stack.setCurrentWidget(self._text if page is not None else self._keys if name else self._nothing)
