"""The rules by which one photograph of each group is kept: an order, and folders whose copies go first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.duplicates.keeper_rules import CRITERIA, KeeperRules
from app.gui.look.page_parts import label
from app.language.spoken import _, text

_KEY = Qt.ItemDataRole.UserRole


class RulesDialog(QDialog):
    """Lets a person order the rules.

    Parameters
    ----------
    rules : Rules
    parent : QWidget
    """

    def __init__(self, rules: KeeperRules, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Rules: which photo to keep"))
        self._list = _Criteria()
        titles = {one.key: text(one.title) for one in CRITERIA}
        for key in (*rules.order, *(one for one in titles if one not in rules.order)):
            item = QListWidgetItem(titles[key])
            item.setData(_KEY, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if key in rules.order else Qt.CheckState.Unchecked)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._last = QLineEdit("; ".join(rules.last))
        self._last.setPlaceholderText(_("Backup; Downloads"))
        self._last.setAccessibleName(_("Folders to remove copies from first"))
        keys = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        keys.accepted.connect(self.accept)
        keys.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        said = _("Of several copies, the first rule that makes a difference decides which one is kept.")
        column.addWidget(label(said, wrap=True))
        column.addWidget(self._list, 1)
        column.addWidget(label(_("Drag a rule, or move it with Alt and the arrows."), "quiet", wrap=True))
        column.addWidget(label(_("Folders to remove copies from first")))
        column.addWidget(self._last)
        column.addWidget(keys)
        self.resize(420, 460)

    def rules(self) -> KeeperRules:
        """Return what was chosen."""
        items = [self._list.item(row) for row in range(self._list.count())]
        order = tuple(str(one.data(_KEY)) for one in items if one.checkState() is Qt.CheckState.Checked)
        last = tuple(name for name in (one.strip() for one in self._last.text().split(";")) if name)
        return KeeperRules(order or KeeperRules().order, last)


class _Criteria(QListWidget):
    """Rules that can be dragged, or moved with Alt and the arrows."""

    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setProperty("role", "list")
        self.setAccessibleName(_("Rules, the first counts most"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move a rule with Alt and the arrows."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        row = self.currentRow()
        if step is None or not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
        elif 0 <= row + step < self.count():
            item = self.takeItem(row)
            self.insertItem(row + step, item)
            self.setCurrentRow(row + step)
