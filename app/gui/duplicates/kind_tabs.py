"""The kinds of duplicates along the top, each with the number of its groups."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.duplicates.duplicates import Duplicates
from app.duplicates.group_filter import EVERY_GROUP, GroupFilter
from app.duplicates.kinds import DuplicateKind
from app.gui.duplicates.group_words import kind_words
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import surface
from app.gui.look.tab import Tab
from app.language.spoken import _, number

ALL, UNDECIDED = "", "undecided"
TABS = {
    ALL: EVERY_GROUP,
    **{kind.value: GroupFilter(frozenset({kind})) for kind in DuplicateKind},
    UNDECIDED: GroupFilter(undecided=True),
}
"""What each shows, by its key."""


class KindTabs(QWidget):
    """One tab a kind, and one for what is undecided.

    Signals
    -------
    chosen(str)
        The tab of this key.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setAccessibleName(_("Kinds of duplicates"))
        row = FlowLayout(0, grows=False)
        row.setContentsMargins(12, 0, 16, 0)
        self.setLayout(row)
        self._tabs: dict[str, Tab] = {}
        for key in TABS:
            tab = self._tabs[key] = Tab()
            tab.clicked.connect(partial(self._on_clicked, key))
            row.addWidget(tab)
        self._tabs[ALL].setChecked(True)

    def show_counts(self, found: Duplicates) -> None:
        """Count the groups of each kind."""
        names = {ALL: _("All"), UNDECIDED: _("Undecided"), **{kind.value: kind_words(kind) for kind in DuplicateKind}}
        for key, wanted in TABS.items():
            count = number(len(found.passing(wanted)))
            self._tabs[key].setText(f"{names[key]}  {count}")
            self._tabs[key].setAccessibleName(f"{names[key]}: {count}")

    def choose(self, key: str) -> None:
        """Show as chosen."""
        for own, tab in self._tabs.items():
            tab.setChecked(own == key)

    def _on_clicked(self, key: str) -> None:
        self.choose(key)
        self.chosen.emit(key)
