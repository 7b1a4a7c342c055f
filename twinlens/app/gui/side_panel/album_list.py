"""The albums above the folders: one is chosen, renamed, deleted, and photographs are dropped onto it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import album_actions
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.pictures.photograph import photographs_in
from twinlens.app.language.texts import _, number

if TYPE_CHECKING:
    from twinlens.app.library.browsing.albums import Album

_KEPT = "⌕ "
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NAME = int(Qt.ItemDataRole.UserRole) + 1
_BY_HAND = _NAME + 1


class AlbumList(QTreeWidget):
    """The list of albums.

    Signals
    -------
    chosen(str)
        The name of an album; empty for none.
    dropped(str, list)
        Photographs, by their ids, are to be added to an album.
    rename_wanted(str, str)
        An album is to have another name.
    delete_wanted(str)
    keep_wanted()
        An album of what the present filters find is to be made.
    slideshow_wanted()
        The chosen album is to run as a slideshow.
    """

    chosen = Signal(str)
    dropped = Signal(str, list)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    keep_wanted = Signal()
    slideshow_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._filling = False
        self.setObjectName("folders")  # it looks like the tree below
        self.setAccessibleName(_("Albums"))
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setMinimumSectionSize(20)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu)
        self.currentItemChanged.connect(self._on_current)
        self.itemChanged.connect(self._on_edited)
        attach(self, album_actions(), {"rename": self._rename, "delete": self._delete})

    def show_albums(self, albums: Sequence[Album]) -> None:
        """Show albums, none of them chosen."""
        self._filling = True
        self.clear()
        for album in albums:
            by_hand = album.search is None
            item = QTreeWidgetItem(self, ["" if by_hand else _KEPT, number(album.photographs)])
            item.setText(0, album.name if by_hand else _KEPT + album.name)
            item.setData(0, _NAME, album.name)
            item.setData(0, _BY_HAND, by_hand)
            item.setTextAlignment(1, _RIGHT)
            item.setToolTip(0, album.name if by_hand else _("{name}: found anew each time", name=album.name))
            item.setForeground(1, self.palette().placeholderText())
            spoken = _("{name}, {value} photos", name=album.name, value=album.photographs)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        self._filling = False
        self.updateGeometry()

    def name(self) -> str:
        """Return the name of the chosen album; empty for none."""
        item = self.currentItem()
        return "" if item is None else str(item.data(0, _NAME))

    def is_by_hand(self) -> bool:
        """Return whether an album is chosen that a person fills."""
        item = self.currentItem()
        return item is not None and bool(item.data(0, _BY_HAND))

    def choose(self, name: str) -> bool:
        """Choose an album without a signal, or none; return whether it is there."""
        found = next((item for item in self._items() if item.data(0, _NAME) == name), None)
        self._filling = True
        if found is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self.setCurrentItem(found)
        self._filling = False
        return found is not None

    def _items(self) -> list[QTreeWidgetItem]:
        return [item for row in range(self.topLevelItemCount()) if (item := self.topLevelItem(row)) is not None]

    def _on_current(self) -> None:
        if not self._filling:
            self.chosen.emit(self.name())

    def _rename(self) -> None:
        item = self.currentItem()
        if item is not None:
            self._filling = True
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setText(0, str(item.data(0, _NAME)))
            self._filling = False
            self.editItem(item, 0)

    def _on_edited(self, item: QTreeWidgetItem) -> None:
        if self._filling:
            return
        name, to = str(item.data(0, _NAME)), item.text(0)
        self._filling = True
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        item.setText(0, name if item.data(0, _BY_HAND) else _KEPT + name)  # until it has the other name
        self._filling = False
        if to.strip() != name:
            self.rename_wanted.emit(name, to)

    def _delete(self) -> None:
        if self.name():
            self.delete_wanted.emit(self.name())

    def _on_menu(self, place: QPoint) -> None:
        item = self.itemAt(place)
        if item is None:
            return
        self.setCurrentItem(item)
        menu, own = KeyedMenu(self), album_actions()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, act in (
            ("slideshow", self.slideshow_wanted.emit),
            ("rename", self._rename),
            ("delete", self._delete),
            ("keep", self.keep_wanted.emit),
        ):
            menu.addAction(f"{own[name].words}\t{own[name].keys_text()}", act)
        menu.popup(self.viewport().mapToGlobal(place))

    # ---- photographs that are dragged here: Qt's names --------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take photographs of the library."""
        if photographs_in(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """Take them on an album that a person fills."""
        item = self.itemAt(event.position().toPoint())
        event.setAccepted(item is not None and bool(item.data(0, _BY_HAND)))

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Add them to the album under the pointer."""
        item = self.itemAt(event.position().toPoint())
        if item is not None and item.data(0, _BY_HAND):
            event.acceptProposedAction()
            self.dropped.emit(str(item.data(0, _NAME)), photographs_in(event.mimeData()))
