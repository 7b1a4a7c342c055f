"""The dialog of the rules of keeping: folders in the person's order, criteria in theirs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from twinlens.app.duplicates.keeper_rules import CRITERIA, KeeperRules
from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import rule_actions
from twinlens.app.gui.duplicates.group_filters import FolderPopup
from twinlens.app.gui.look.page_parts import STRETCH, button, column_of, label, row_of
from twinlens.app.language.texts import _, text
from twinlens.core.errors import TwinlensError

if TYPE_CHECKING:
    from twinlens.app.library.browsing.listing import FolderNode

_KEY = Qt.ItemDataRole.UserRole


class RulesDialog(QDialog):
    """The dialog in which a person orders the rules of keeping.

    Signals
    -------
    protected_wanted(QWidget)
        The protected folders are to be shown below a widget.

    Parameters
    ----------
    nodes : sequence of FolderNode
        The folders of the library.
    """

    protected_wanted = Signal(QWidget)

    def __init__(self, rules: KeeperRules, nodes: Sequence[FolderNode], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Rules: which photo to keep"))
        self._paths = [os.fsencode(one.path) for one in nodes]
        self.preferred = FolderOrder(_("Folders whose copies stay, the first counts most"), nodes, rules.preferred)
        self.last = FolderOrder(_("Folders to remove copies from first"), nodes, rules.last)
        self.criteria = _MovableList(_("Rules, the first counts most"))
        titles = {one.key: text(one.title) for one in CRITERIA}
        for key in (*rules.order, *(one for one in titles if one not in rules.order)):
            item = QListWidgetItem(titles[key])
            item.setData(_KEY, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if key in rules.order else Qt.CheckState.Unchecked)
            self.criteria.addItem(item)
        self.criteria.setCurrentRow(0)
        protected = button(_("Protected folders…"), _("Folders whose photos are always kept"))
        protected.clicked.connect(lambda: self.protected_wanted.emit(protected))
        keys = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        keys.accepted.connect(self.accept)
        keys.rejected.connect(self.reject)
        self._refusal = label("", "error", wrap=True)
        self._refusal.hide()
        folders = column_of(
            label(_("1. Copies in these folders stay")),
            (self.preferred, 1),
            8,
            label(_("2. Copies in these folders go first")),
            (self.last, 1),
            8,
            (protected, Qt.AlignmentFlag.AlignLeft),
        )
        order = column_of(label(_("3. Of the others, the first rule that makes a difference")), (self.criteria, 1))
        said = _("Of several copies, the first rule that makes a difference decides which one is kept.")
        column_of(
            label(said, wrap=True),
            (row_of((folders, 3), (order, 2), gap=24), 1),
            label(_("Drag a rule, or move it with Alt and the arrows."), "quiet", wrap=True),
            self._refusal,
            keys,
            on=self,
            gap=8,
            margins=(20, 16, 20, 16),
        )
        self.resize(760, 520)

    def rules(self) -> KeeperRules:
        """Return the chosen rules."""
        items = [self.criteria.item(row) for row in range(self.criteria.count())]
        order = tuple(str(one.data(_KEY)) for one in items if one.checkState() is Qt.CheckState.Checked)
        return KeeperRules(order or KeeperRules().order, self.last.folders(), self.preferred.folders())

    def accept(self) -> None:
        """Take the rules, unless a folder is not one of the library."""
        try:
            self.rules().check_folders(self._paths)
        except TwinlensError as error:
            self._refusal.setText(text(error))
            self._refusal.show()
        else:
            super().accept()


class _MovableList(QListWidget):
    """A list whose rows are moved by dragging, or by Alt and the arrows."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.ensurePolished()  # else the heights of rows are those before the style sheet
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setProperty("role", "framed")
        self.setAccessibleName(name)
        attach(self, rule_actions(), {"up": lambda: self._move(-1), "down": lambda: self._move(1)})

    def _move(self, step: int) -> None:
        row = self.currentRow()
        if 0 <= row + step < self.count():
            item = self.takeItem(row)
            self.insertItem(row + step, item)
            self.setCurrentRow(row + step)


class FolderOrder(QWidget):
    """A list of folders in a person's order: chosen in the tree, or typed by name or path; Del takes one away."""

    def __init__(self, name: str, nodes: Sequence[FolderNode], chosen: Sequence[str]) -> None:
        super().__init__()
        self._nodes = nodes
        self.list = _FolderNames(name)
        for one in chosen:
            self.add(one)
        self._add = button(_("Add a folder…"), _("Add a folder: {list}", list=name))
        self._add.clicked.connect(self._on_add)
        remove = button(_("Take away"), _("Take the folder away: {list}", list=name), rule_actions()["remove"].keys[0])
        remove.clicked.connect(self.list.take_current)
        column_of((self.list, 1), row_of(self._add, remove, STRETCH), on=self, gap=4, margins=0)

    def add(self, folder: str) -> None:
        """Add a folder at the end, by its name or path."""
        if folder and folder not in self.folders():
            item = QListWidgetItem(folder)
            item.setToolTip(folder)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
            self.list.setCurrentItem(item)

    def folders(self) -> tuple[str, ...]:
        """Return the folders, the first one counts most."""
        names = (self.list.item(row).text().strip() for row in range(self.list.count()))
        return tuple(dict.fromkeys(filter(None, names)))

    def _on_add(self) -> None:
        popup = FolderPopup(self._nodes, sum(one.photographs for one in self._nodes if one.root), "", self)
        popup.chosen.connect(self.add)
        popup.open(self._add)


class _FolderNames(_MovableList):
    """A list of folders' names and paths, whose ends are seen."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setTextElideMode(Qt.TextElideMode.ElideLeft)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        attach(self, rule_actions(), {"remove": self.take_current})

    def take_current(self) -> None:
        """Take the current folder away."""
        self.takeItem(self.currentRow())
