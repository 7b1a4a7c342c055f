"""The side panel at the left of library and search: folders, filters, and the facts of the current photograph.

The folders are the model of a tree: thousands of them cost no more than the visible ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeView, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import album_actions, library_actions
from twinlens.app.gui.look.labels import Heading
from twinlens.app.gui.look.page_parts import STRETCH, column_of
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.pictures.photograph import PhotographFacts
from twinlens.app.gui.side_panel.album_list import AlbumList
from twinlens.app.gui.side_panel.filters import FilterPanel
from twinlens.app.language.texts import _
from twinlens.app.language.texts import number as figure
from twinlens.app.machine.app_folders import home_relative

if TYPE_CHECKING:
    from twinlens.app.library.browsing.albums import Album
    from twinlens.app.library.browsing.listing import FolderNode
    from twinlens.app.library.browsing.photographs import Photograph

WIDTH, _WIDEST = 216, 240
PATH = int(Qt.ItemDataRole.UserRole) + 1


class SidePanel(QWidget):
    """The side panel: a tree of folders with counts, and filters; one signal tells any change of choice."""

    changed = Signal()
    forget_wanted = Signal(str)
    reveal_wanted = Signal(str)
    rescan_wanted = Signal()
    add_wanted = Signal()
    alike_wanted = Signal(str)
    """The photographs of a folder are to be marked as similar."""

    def __init__(self) -> None:
        super().__init__()
        self.is_empty = True
        """Whether the library has neither photographs nor folders, as far as is known."""
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(min(grown(WIDTH), _WIDEST))
        self._model = FolderModel(self)
        self._folders = QTreeView()
        self._folders.setObjectName("folders")
        self._folders.setAccessibleName(_("Folders"))
        self._folders.setModel(self._model)
        self._folders.setHeaderHidden(True)
        self._folders.setIndentation(12)
        self._folders.setUniformRowHeights(True)
        self._folders.setSizeAdjustPolicy(QTreeView.SizeAdjustPolicy.AdjustToContents)
        self._folders.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._folders.expanded.connect(self._folders.updateGeometry)
        self._folders.collapsed.connect(self._folders.updateGeometry)
        self._folders.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self._folders.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._folders.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._folders.header().setStretchLastSection(False)
        self._folders.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._folders.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._folders.header().setResizeContentsPrecision(0)  # as wide as the visible rows, not as thousands
        self._folders.header().setMinimumSectionSize(20)
        self._folders.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._folders.customContextMenuRequested.connect(self._on_menu)
        self._folders.selectionModel().currentChanged.connect(self._on_folder)
        self.setFocusProxy(self._folders)
        self.albums = AlbumList()
        self.albums.chosen.connect(self._on_album)
        self._albums = QWidget()
        column_of(Heading(_("Albums")), self.albums, on=self._albums, gap=8, margins=(0, 0, 0, 16))
        self._filters = FilterPanel()
        self._filters.changed.connect(self._on_filters)
        heading = Heading(_("Folders"))
        self._facts = PhotographFacts()
        self._photograph: Photograph | None = None
        self._library = True
        self._album = ""  # the chosen one, perhaps not known yet
        column_of(
            self._albums,
            heading,
            self._folders,
            16,
            self._filters,
            (STRETCH, 1),
            self._facts,
            on=self,
            gap=8,
            margins=(12, 16, 8, 8),
        )
        self._albums.hide()
        self._filling = False
        self._wanted: str | None = None  # folder to choose once folders are known
        attach(self._folders, library_actions(), {"forget": self._on_forget})

    def folder(self) -> str | None:
        """Return the path of the chosen folder; None for all photographs."""
        path = self._folders.currentIndex().siblingAtColumn(0).data(PATH)
        return str(path) if path else None

    def filters(self) -> dict[str, str]:
        """Return the set filters: since, until, camera, orientation, marked, and the album."""
        return {name: value for name, value in {**self._filters.filters(), "album": self._album}.items() if value}

    def show_albums(self, albums: Sequence[Album]) -> None:
        """Show the albums; where the chosen one is gone, none is."""
        self.albums.show_albums(albums)
        self._albums.setVisible(bool(albums))
        if not self.albums.choose(self._album) and self._album:
            self._choose_all()

    def follow_album(self, name: str) -> None:
        """Choose an album that comes with the next albums, or with an empty name all photographs at once."""
        self._album = name
        if not name:
            self._choose_all()

    def _choose_all(self) -> None:
        """Choose all photographs in place of an album that is gone."""
        self._album = ""
        self._folders.setCurrentIndex(self._model.index(0, 0))

    def narrows(self) -> bool:
        """Return whether a folder is chosen or a filter set."""
        return bool(self.folder() or self.filters())

    def clear(self) -> None:
        """Clear folder, album and filters."""
        self._choose_album("")
        self._filters.clear()
        self._folders.setCurrentIndex(self._model.index(0, 0))

    def narrow_to_place(self, photograph_id: int) -> None:
        """Narrow to the photographs taken near one."""
        if photograph_id >= 0:
            self._filters.narrow_to_place(f"#{photograph_id}")

    def choose(self, filters: dict[str, str], folder: str | None) -> None:
        """Set filters, and choose a folder and an album once they are known."""
        self._filters.set_filters(filters)
        self._choose_album(filters.get("album", ""))
        self._wanted = folder
        self._choose_wanted()
        self.changed.emit()

    def _choose_wanted(self) -> bool:
        there = self._model.index_of(self._wanted) if self._wanted is not None else QModelIndex()
        if not there.isValid():
            return False
        self._filling, self._wanted = True, None
        self._folders.setCurrentIndex(there)
        self._filling = False
        return True

    def set_choices(
        self, cameras: list[tuple[str, int]], years: list[str], concepts: list[tuple[str, str, int]]
    ) -> None:
        """Offer cameras, years and subjects; see `FilterPanel`."""
        self._filters.set_concepts(concepts)
        self._filters.set_cameras(cameras)
        self._filters.set_years(years)

    def show_folders(self, nodes: list[FolderNode], total: int) -> None:
        """Show folders; the chosen one, the open ones and the scroll position stay."""
        self.is_empty = not nodes and not total
        if self._model.fits(nodes):
            self._model.show_counts(nodes, total)
            return
        chosen, was_open = self.folder(), self._open_paths()
        scrolled = self._folders.verticalScrollBar().value()
        self._filling = True
        self._model.show_folders(nodes, total)
        for path in was_open:
            self._folders.expand(self._model.index_of(path))
        there = QModelIndex() if self._album else self._model.index_of(chosen or "")
        self._folders.setCurrentIndex(there if there.isValid() or self._album else self._model.index_of(""))
        self._filling = False
        self._folders.updateGeometry()  # the tree itself requests room only when a folder is opened or closed
        self._folders.executeDelayedItemsLayout()
        self._folders.verticalScrollBar().setValue(scrolled)
        gone = chosen is not None and not there.isValid()  # so all photographs are chosen now
        if self._choose_wanted() or gone:
            self.changed.emit()

    def show_photograph(self, photograph: Photograph | None) -> None:
        """Show the facts of a photograph of the library, or none."""
        self._photograph = photograph
        self._filters.set_place("" if photograph is None else photograph.place)
        self._tell_facts()

    def stand_beside(self, library: bool) -> None:
        """Adapt to the library, or to results, which show facts of their own."""
        self._library = library
        self._tell_facts()

    def _tell_facts(self) -> None:
        self._facts.show_photograph(self._photograph if self._library else None)

    def _open_paths(self) -> list[str]:
        """Return the open folders, each after its parent."""
        found: list[str] = []
        waiting = [self._model.index(row, 0) for row in range(self._model.rowCount())]
        while waiting:
            index = waiting.pop()
            if self._folders.isExpanded(index):
                found.append(str(index.data(PATH)))
                waiting += [self._model.index(row, 0, index) for row in range(self._model.rowCount(index))]
        return found

    def _on_folder(self) -> None:
        if not self._filling:
            self._choose_album("")  # one of both is chosen, as in a single tree
            self.changed.emit()

    def _choose_album(self, name: str) -> None:
        if name or self._album:
            self._album = name
            self.albums.choose(name)
        if name:
            self._filling = True
            self._folders.setCurrentIndex(QModelIndex())
            self._filling = False

    def _on_album(self, name: str) -> None:
        self._wanted = None
        self._choose_album(name)
        self.changed.emit()

    def _on_filters(self) -> None:
        self.changed.emit()

    def _on_forget(self) -> None:
        folder = self.folder()
        if folder is not None:
            self.forget_wanted.emit(folder)

    def _on_menu(self, place: QPoint) -> None:
        from PySide6.QtWidgets import QMenu

        index = self._folders.indexAt(place).siblingAtColumn(0)
        menu = QMenu(self)
        # Keys are only shown: they are bound once, for the window or for the tree.
        menu.addAction(_("Add a folder…") + "\tCtrl+O", self.add_wanted.emit)
        menu.addAction(_("Look for changes") + "\tF5", self.rescan_wanted.emit)
        if self.narrows():
            menu.addAction(album_actions()["keep"].words, self.albums.keep_wanted.emit)
        path = index.data(PATH) if index.isValid() else None
        if path:
            menu.addSeparator()
            menu.addAction(_("Open in the file manager"), lambda: self.reveal_wanted.emit(str(path)))
            menu.addAction(_("Mark this folder's photos as similar"), lambda: self.alike_wanted.emit(str(path)))
            menu.addAction(_("Forget this folder") + "\tDel", lambda: self.forget_wanted.emit(str(path)))
        menu.exec(self._folders.viewport().mapToGlobal(place))


_ALL = 0  # the row of all photographs; node i of the folders has the number i + 1
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
Role = Qt.ItemDataRole


class FolderModel(QAbstractItemModel):
    """The model of the tree: all photographs, and below them folders with their counts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: Sequence[FolderNode] = ()
        self._total = 0
        self._parents: list[int] = [-1]
        self._places: list[int] = [0]  # place of each node among its parent's children
        self._children: dict[int, list[int]] = {}
        self._numbers: dict[str, int] = {}

    def fits(self, nodes: Sequence[FolderNode]) -> bool:
        """Return whether folders are the shown ones, whatever their counts."""
        return bool(self._children) and [(one.path, one.depth, one.present) for one in nodes] == [
            (one.path, one.depth, one.present) for one in self._nodes
        ]

    def show_counts(self, nodes: Sequence[FolderNode], total: int) -> None:
        """Show other counts of the same folders; only visible rows are repainted."""
        self._nodes, self._total = nodes, total
        self.dataChanged.emit(self.index(0, 0), self.index(len(self._children[-1]) - 1, 1))

    def show_folders(self, nodes: Sequence[FolderNode], total: int) -> None:
        """Show other folders, each after its parent."""
        self.beginResetModel()
        self._nodes, self._total = nodes, total
        self._parents, self._places = [-1], [0]
        self._children, self._numbers = {-1: [_ALL]}, {"": _ALL}
        above: list[int] = []
        for number, node in enumerate(nodes, 1):
            del above[node.depth :]
            parent = above[-1] if above else -1
            siblings = self._children.setdefault(parent, [])
            self._parents.append(parent)
            self._places.append(len(siblings))
            siblings.append(number)
            self._numbers.setdefault(node.path, number)
            above.append(number)
        self.endResetModel()

    def index_of(self, path: str) -> QModelIndex:
        """Return the index of a folder, "" for all photographs; an invalid one if it is missing."""
        number = self._numbers.get(path)
        return QModelIndex() if number is None else self._index(number, 0)

    def _index(self, number: int, column: int) -> QModelIndex:
        return self.createIndex(self._places[number], column, number)

    # ---- Qt's names, all below --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return the number of folders in a folder."""
        return 0 if parent.column() > 0 else len(self._children.get(_number(parent), ()))

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return two: the name and the number."""
        return 2

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        """Return the index of a child."""
        children = self._children.get(_number(parent), [])
        known = 0 <= row < len(children) and 0 <= column < 2
        return self.createIndex(row, column, children[row]) if known else QModelIndex()

    def parent(self, child: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]  # Qt has two of this name
        """Return the index of the parent folder."""
        number = self._parents[child.internalId()] if child.isValid() else -1
        return QModelIndex() if number < 0 else self._index(number, 0)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return the shown and the accessible text of a folder."""
        if not index.isValid():
            return None
        number, second = index.internalId(), index.column() == 1
        node = self._nodes[number - 1] if number else None
        if role == PATH:
            return node.path if node else ""
        if role == Role.TextAlignmentRole:
            return _RIGHT if second else None
        if role == Role.ForegroundRole:
            quiet = second or (node is not None and not node.present)
            return QGuiApplication.palette().placeholderText() if quiet else None
        if role == Role.ToolTipRole:
            return None if second or node is None else home_relative(node.path)
        if role not in (Role.DisplayRole, Role.AccessibleTextRole):
            return None
        count = figure(node.photographs if node else self._total)
        if second:
            return count
        return self._name(node) if role == Role.DisplayRole else self._spoken(node, count)

    def _name(self, node: FolderNode | None) -> str:
        if node is None:
            return _("All photos")
        return node.name if node.present else _("⏏ {name} (offline)", name=node.name)

    def _spoken(self, node: FolderNode | None, count: str) -> str:
        return _("{name}, {value} photos", name=self._name(node), value=count)


def _number(index: Index) -> int:
    return int(index.internalId()) if index.isValid() else -1
