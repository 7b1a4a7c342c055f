"""The names of the Lab's pages along its top."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.actions.everywhere import everywhere
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import surface
from app.gui.look.tab import Tab
from app.language.spoken import _


def _words() -> dict[str, str]:
    return {
        "lab": _("Experiments"),
        "explore": _("Explore"),
        "compare": _("Compare"),
        "indexes": _("Indexes"),
    }


_WITHIN = {"new index": "indexes"}
"""Views that are reached from a page, and belong to it."""


class LabTabs(QWidget):
    """One tab a page; seen while a page of the Lab is shown."""

    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setAccessibleName(_("Lab"))
        row = FlowLayout(0, grows=False)
        row.setContentsMargins(12, 0, 16, 0)
        self.setLayout(row)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._tabs: dict[str, Tab] = {}
        declared = everywhere()
        for name, words in _words().items():
            tab = self._tabs[name] = Tab(words)
            tab.setToolTip(f"{words} ({declared[name].keys_text()})")
            tab.clicked.connect(partial(self._want, name))
            row.addWidget(tab)
        self.hide()

    def show_page(self, name: str) -> None:
        """Mark the tab of a view; hide all where it belongs to none."""
        page = _WITHIN.get(name, name)
        self.setVisible(page in self._tabs)
        if page in self._tabs:
            for own, tab in self._tabs.items():
                tab.setChecked(own == page)

    def _want(self, name: str, *__: object) -> None:
        self.page_wanted.emit(name)
