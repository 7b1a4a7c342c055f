"""Ways to find groups: the tabs of kinds, words, a folder of the library, a size, and orders."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QPushButton, QTreeView, QWidget

from twinlens.app.duplicates.groups import DuplicateKind, GroupFilter, PhotoGroup
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, GroupOrder
from twinlens.app.gui.duplicates.group_model import kind_words
from twinlens.app.gui.lists.pick_list import InputField
from twinlens.app.gui.look.buttons import ChoicePill, Pill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import column_of, surface
from twinlens.app.gui.side_panel.side_panel import PATH, FolderModel
from twinlens.app.language.texts import _, number, text
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.core.message import size

if TYPE_CHECKING:
    from twinlens.app.library.browsing.listing import FolderNode

ALL, UNDECIDED = "", "undecided"
_IN_ORDER = (
    DuplicateKind.IDENTICAL,
    DuplicateKind.SAME,
    DuplicateKind.LIKELY,
    DuplicateKind.EDITED,
    DuplicateKind.SERIES,
    DuplicateKind.RAW,
)
_RARE = (DuplicateKind.LIKELY.value, DuplicateKind.RAW.value, DuplicateKind.DAMAGED.value)
"""Kinds whose tabs are there only where there are any."""

TABS = {
    ALL: GroupFilter(),
    **{kind.value: GroupFilter(kinds=(kind,)) for kind in _IN_ORDER},
    UNDECIDED: GroupFilter(undecided=True),
    DuplicateKind.DAMAGED.value: GroupFilter(kinds=(DuplicateKind.DAMAGED,)),
}
"""The filter of each tab, by its key. That of a kind limits what is removed, too."""


class KindTabs(QWidget):
    """Tabs: one for each kind, and one for undecided groups.

    Signals
    -------
    chosen(str)
        Key of the chosen tab.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setAccessibleName(_("Kinds of duplicates"))
        row = FlowLayout(0, grows=False)
        row.setContentsMargins(12, 0, 8, 0)
        self.setLayout(row)
        self._tabs: dict[str, Tab] = {}
        for key in TABS:
            tab = self._tabs[key] = Tab()
            tab.clicked.connect(partial(self._on_clicked, key))
            row.addWidget(tab)
        self._tabs[ALL].setChecked(True)

    def show_counts(self, groups: Sequence[PhotoGroup]) -> None:
        """Count the groups of each kind."""
        names = {ALL: _("All"), UNDECIDED: _("Undecided"), **{kind.value: kind_words(kind) for kind in DuplicateKind}}
        alike: dict[tuple[object, ...], list[PhotoGroup]] = {}
        for one in groups:
            alike.setdefault((one.kinds, one.undecided), []).append(one)  # all that tabs look at
        for key, wanted in TABS.items():
            passing = sum(len(some) for some in alike.values() if wanted.passes(some[0]))
            tab, count = self._tabs[key], number(passing)
            tab.setText(f"{names[key]}  {count}")
            tab.setAccessibleName(f"{names[key]}: {count}")
            tab.setVisible(key not in _RARE or bool(passing) or tab.isChecked())

    def choose(self, key: str) -> None:
        """Mark a tab as chosen."""
        for own, tab in self._tabs.items():
            tab.setChecked(own == key)

    def _on_clicked(self, key: str) -> None:
        self.choose(key)
        self.chosen.emit(key)


_HEIGHT, _AIR = 40, 20


class Tab(QPushButton):
    """A tab, as wide as its text."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.setProperty("role", "tab")
        self.setProperty("along", "top")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(_HEIGHT)
        self.setText(words)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a text, with the room that it needs."""
        super().setText(text)
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + _AIR)


_LEAVING = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class PathWordsField(InputField):
    """The line in which words are typed that the name, folder or date of a photograph contains.

    Signals
    -------
    left
        The groups are wanted: Enter, Down or Esc was pressed; Esc removes the words first.
    """

    left = Signal()

    def __init__(self) -> None:
        super().__init__(_("Name, folder, date"), _("Only groups with this in a name, folder or date, such as 2019-08"))
        self.setClearButtonEnabled(True)
        self.setFixedWidth(150)

    def event(self, event: QEvent) -> bool:
        """Take these keys before the shortcuts of the page."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.key() in _LEAVING:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go to the groups."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        if event.key() in _LEAVING:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class FolderPopup(QFrame):
    """The folders of a library as a tree, in a popup; a click or Enter chooses one, Esc none.

    Signals
    -------
    chosen(str)
        The path of a folder; empty for all.
    """

    chosen = Signal(str)

    def __init__(self, nodes: Sequence[FolderNode], total: int, now: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.tree = QTreeView()
        self.tree.setObjectName("folders")
        self.tree.setAccessibleName(_("Folders"))
        model = FolderModel(self)
        model.show_folders(nodes, total)
        self.tree.setModel(model)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(14)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.expandToDepth(0)
        self.tree.setCurrentIndex(model.index_of(now))
        self.tree.clicked.connect(self._on_chosen)
        self.tree.activated.connect(self._on_chosen)
        column_of(self.tree, on=self, margins=6)
        self.resize(320, 380)

    def open(self, below: QWidget) -> None:
        """Show it below a widget, on the screen."""
        screen = below.screen().availableGeometry()
        at = below.mapToGlobal(QPoint(0, below.height() + 2))
        at.setX(max(screen.left(), min(at.x(), screen.right() - self.width())))
        at.setY(max(screen.top(), min(at.y(), screen.bottom() - self.height())))
        self.move(at)
        self.show()
        self.tree.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_chosen(self) -> None:
        path = str(self.tree.currentIndex().siblingAtColumn(0).data(PATH) or "")
        self.close()
        self.chosen.emit(path)


class FolderFilter(Pill):
    """A pill that chooses a folder of the library, in its tree, with the number of groups in and below it.

    Signals
    -------
    changed
        Another folder is chosen.

    Parameters
    ----------
    words : str
        What it says while any folder will do.
    """

    changed = Signal()

    def __init__(self, words: str, tip: str) -> None:
        super().__init__(words, tip)
        self._any = words
        self.folder = b""
        self._groups: Sequence[ArrangedGroup] = ()
        self._nodes: Sequence[FolderNode] = ()
        self.clicked.connect(self._on_clicked)

    def show_groups(self, groups: Sequence[ArrangedGroup]) -> None:
        """Count the groups of each folder, when it is opened."""
        self._groups = groups

    def show_folders(self, nodes: Sequence[FolderNode]) -> None:
        """Offer the folders of the library."""
        self._nodes = nodes

    def choose(self, folder: bytes) -> None:
        """Show only groups of a folder; an empty path means all."""
        self.folder = folder
        self.setText(_path(os.path.basename(folder)) if folder else self._any)
        self.updateGeometry()
        self.changed.emit()

    def _on_clicked(self) -> None:
        counts, paths = groups_by_folder(self._groups)
        nodes = [replace(one, photographs=counts[one.path]) for one in self._nodes if counts.get(one.path)]
        popup = FolderPopup(nodes, len(self._groups), shown(self.folder), self)
        popup.chosen.connect(lambda path: self.choose(paths.get(path, b"")))
        popup.open(self)


def groups_by_folder(groups: Iterable[ArrangedGroup]) -> tuple[Mapping[str, int], Mapping[str, bytes]]:
    """Return the numbers of groups in and below each folder, and the full paths, by the folders' paths for people."""
    counts: Counter[bytes] = Counter()
    for group in groups:
        within: set[bytes] = set()
        for one in group.photographs:
            folder = os.path.dirname(one.path)
            while folder not in within:
                within.add(folder)
                folder = os.path.dirname(folder)
        counts.update(within)
    return {shown(one): count for one, count in counts.items()}, {shown(one): one for one in counts}


def size_filter() -> ChoicePill:
    """Return the pill that chooses the least size of a file of the groups, in bytes."""
    sizes = (0, 100_000, 1_000_000, 5_000_000, 20_000_000)
    words = {str(one): _("At least {size}", size=text(size(one))) if one else _("Any size") for one in sizes}
    return ChoicePill(_("Only groups with a file of at least this size"), words)


def order_choice() -> ChoicePill:
    """Return the pill that chooses the order of the groups, a `GroupOrder`."""
    words = {
        GroupOrder.GAIN.value: _("Largest gain first"),
        GroupOrder.FOLDER.value: _("By folder"),
        GroupOrder.DATE.value: _("By date"),
        GroupOrder.NAME.value: _("By name"),
    }
    return ChoicePill(_("The order of the groups"), words)


def _path(folder: bytes) -> str:
    return plain(os.fsdecode(folder).encode("utf-8", "replace").decode())
