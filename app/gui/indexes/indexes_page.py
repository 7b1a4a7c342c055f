"""The page of the indexes: description and size of each, and what can be done with the chosen one."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPushButton, QWidget

from app.gui.actions.action import attach
from app.gui.indexes.actions import index_actions
from app.gui.indexes.index_card import ListedIndex, index_card
from app.gui.look.card_list import CardList
from app.gui.look.card_painting import CardLook
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import TitledPage, bind, button, surface
from app.indexes.results import IndexListResult
from app.language.spoken import _, _n


class IndexesPage(TitledPage):
    """Lists the indexes.

    Signals
    -------
    new_wanted
        Another index is to be put together.
    rename_wanted : str, str
        The old and the new name.
    delete_wanted : str
        The name.
    default_wanted : str
        The index that is to be searched where none is named.
    closed
        The person wants to go back.
    """

    new_wanted = Signal()
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    default_wanted = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("", scrolls=False)
        self.set_title(_("Indexes"))
        self.setAccessibleName(_("Indexes"))
        self._progress: dict[str, tuple[float, str]] = {}
        self.list = CardList[ListedIndex](
            lambda one: one.status.name,
            lambda one: index_card(one, *self._progress.get(one.status.name, ())),
            CardLook(lines=4, little=False),
            renamable=lambda __: True,
        )
        self.list.setAccessibleName(_("Indexes"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.chosen_changed.connect(self._on_chosen_changed)
        self.list.renamed.connect(self.rename_wanted.emit)
        new = self.add_button(button(_("New index…"), _("Create another index"), "Ctrl+N", "primary"))
        new.clicked.connect(self.new_wanted)
        back = self.add_button(button(_("Back to the Lab"), _("Back to the Lab"), "Esc"))
        back.clicked.connect(self.closed)
        self.body.setSpacing(0)
        self.body.addWidget(self._tools())
        self.body.addWidget(self.list, 1)
        acts = {
            "new": self.new_wanted.emit,
            "rename": self.list.rename,
            "delete": self._on_delete,
            "default": self._on_default,
            "copy": self._on_copy,
        }
        attach(self, index_actions(), acts)
        bind(self, "Esc", self.closed.emit)
        self.setFocusProxy(self.list)

    def _tools(self) -> QWidget:
        tools = QWidget()
        surface(tools, "head")
        row = FlowLayout()
        tools.setLayout(row)
        row.setContentsMargins(24, 8, 24, 8)
        self._default = button(_("Make default"), _("Search in the chosen index by default"), "Ctrl+M")
        self._rename = button(_("Rename"), _("Rename the chosen index"), "F2")
        self._copy = button(_("Copy its text"), _("Copy the text that describes the index"), "Ctrl+C")
        self._delete = button(_("Delete"), _("Delete the chosen index"), "Del")
        acts = (self._on_default, self.list.rename, self._on_copy, self._on_delete)
        for made, act in zip(self.tools(), acts, strict=True):
            made.clicked.connect(act)
            row.addWidget(made)
        return tools

    def tools(self) -> list[QPushButton]:
        """Return what acts on the chosen index: make default, rename, copy, delete."""
        return [self._default, self._rename, self._copy, self._delete]

    def set_indexes(self, result: IndexListResult, default: str, words: Mapping[str, str] | None = None) -> None:
        """Show the indexes.

        Parameters
        ----------
        result : IndexListResult
        default : str
            Name of the index that is searched where none is named.
        words : mapping of str to str, optional
            For each name, what the index compares in plain words ("shapes and places").
        """
        told = words or {}
        self.list.show_rows([ListedIndex(one, told.get(one.name, ""), one.name == default) for one in result.indexes])
        if not self.list.chosen():
            self.list.go_to(max(0, self.list.currentIndex().row()))
        self.set_line(_n("{count} index of the same photos", "{count} indexes of the same photos", len(result.indexes)))
        self._on_chosen_changed()

    def set_progress(self, name: str, share: float | None, text: str = "") -> None:
        """Show the progress of an index, 0 to 1; None: it is built."""
        if share is None:
            self._progress.pop(name, None)
        else:
            self._progress[name] = (share, text)
        self.list.show_rows(self.list.rows())

    def _on_chosen_changed(self) -> None:
        one = self.list.current()
        for made in self.tools():
            made.setEnabled(one is not None)
        self._default.setEnabled(one is not None and not one.default)
        self._delete.setEnabled(one is not None and not one.status.automatic)

    def _on_default(self) -> None:
        one = self.list.current()
        if one is not None and not one.default:
            self.default_wanted.emit(one.status.name)

    def _on_copy(self) -> None:
        one = self.list.current()
        if one is not None:
            QApplication.clipboard().setText(one.status.text)

    def _on_delete(self) -> None:
        one = self.list.current()
        if one is not None and not one.status.automatic:
            self.delete_wanted.emit(one.status.name)
