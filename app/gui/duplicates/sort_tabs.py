"""The sorts of duplicates along the top, each with the number of its groups."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.duplicates.duplicates import Duplicates
from app.duplicates.groups import Sort
from app.gui.duplicates.group_words import sort_words
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import surface
from app.gui.look.tab import Tab
from app.language.spoken import _, number

ALL, UNDECIDED = "", "undecided"


class SortTabs(QWidget):
    """One tab a sort, and one for what is undecided.

    Signals
    -------
    chosen(str)
        Groups of this sort are to be seen: the value of a `Sort`, `ALL`, or `UNDECIDED`.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setAccessibleName(_("Sorts of duplicates"))
        row = FlowLayout(0, grows=False)
        row.setContentsMargins(12, 0, 16, 0)
        self.setLayout(row)
        self._tabs: dict[str, Tab] = {}
        for key in (ALL, *(sort.value for sort in Sort), UNDECIDED):
            tab = self._tabs[key] = Tab()
            tab.clicked.connect(partial(self._on_clicked, key))
            row.addWidget(tab)
        self._tabs[ALL].setChecked(True)

    def show_counts(self, found: Duplicates) -> None:
        """Count the groups of each sort."""
        words = {ALL: (_("All"), len(found.groups)), UNDECIDED: (_("Undecided"), found.undecided)}
        words |= {sort.value: (sort_words(sort), found.count(sort)) for sort in Sort}
        for key, (name, count) in words.items():
            self._tabs[key].setText(f"{name}  {number(count)}")
            self._tabs[key].setAccessibleName(f"{name}: {number(count)}")

    def choose(self, key: str) -> None:
        """Show as chosen."""
        for own, tab in self._tabs.items():
            tab.setChecked(own == key)

    def _on_clicked(self, key: str) -> None:
        self.choose(key)
        self.chosen.emit(key)
