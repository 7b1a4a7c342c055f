"""The buttons beside the query: back and forward, history, filters, how results are found."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton

from app.gui.actions.action import give_key
from app.gui.look.page_parts import tip_with_key
from app.gui.search.actions import search_actions
from app.language.spoken import _


class QueryButtons(QHBoxLayout):
    """Lays them out; who makes it connects them."""

    def __init__(self) -> None:
        super().__init__()
        self.setSpacing(4)
        self.addStretch()
        self.back = self._button("‹", _("Back to the previous search"), "Alt+Left")
        self.forward = self._button("›", _("Forward to the next search"), "Alt+Right")
        self.past = self._button(_("History"), _("Earlier and saved searches"), "Ctrl+H")
        self.panel = self._button(_("Filters"), _("Folders and filters on the left"), "F9")
        self.panel.setCheckable(True)
        self.how = self._button(_("How this was found"), _("Show how this was found"), "H")
        self.how.setCheckable(True)
        give_key(self.how, search_actions()["how"])

    def _button(self, text: str, name: str, key: str) -> QPushButton:
        made = QPushButton(text)
        made.setObjectName("small")
        made.setAccessibleName(name)
        made.setToolTip(tip_with_key(name, key))
        self.addWidget(made)
        return made

    def show_steps(self, back: bool, forward: bool) -> None:
        """Show whether back and forward lead anywhere."""
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def show_panel(self, shown: bool, narrows: bool) -> None:
        """Show whether folders and filters are visible, and whether filters are set, which must never be hidden."""
        self.panel.setChecked(shown)
        self.panel.setText(_("Filters •") if narrows and not shown else _("Filters"))

    def show_menu(self, menu: QMenu) -> None:
        """Show the menu of earlier searches at its button."""
        menu.exec(self.past.mapToGlobal(self.past.rect().bottomLeft()))
