"""The grid: photographs with, in a search, their rank, similarity and a thin bar."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.browsing import Photograph
from app.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex

TILE = 176
_GAP = 8
_FOOT = 26
_PIXMAPS = 2000  # of 256 px: about 400 MB at the very most, far less for most

HASH_ROLE = Qt.ItemDataRole.UserRole + 1
ITEM_ROLE = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True)
class Item:
    """A photograph in the grid; rank 0 and similarity None outside a search."""

    photograph: Photograph
    rank: int = 0
    similarity: float | None = None
    asked: bool = False

    def spoken(self) -> str:
        """Say what it is, for those who do not see it."""
        name = self.photograph.path.rsplit("/", 1)[-1]
        return name if self.similarity is None else f"{self.rank}: {name}, similarity {self.similarity:.2f}"


class Photographs(QAbstractListModel):
    """What the grid shows; asks for thumbnails as they come into view."""

    thumbnails_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: Sequence[Item] = ()
        self._rows: dict[bytes, list[int]] = {}
        self._pixmaps: OrderedDict[bytes, QPixmap] = OrderedDict()
        self._asked: set[bytes] = set()

    def show_items(self, items: Sequence[Item]) -> None:
        """Show other photographs."""
        self.beginResetModel()
        self._items = items
        self._rows = {}
        for row, item in enumerate(items):
            self._rows.setdefault(item.photograph.content_hash, []).append(row)
        self._asked.clear()
        self.endResetModel()

    def item(self, index: Index) -> Item:
        """Give the item of an index."""
        return self._items[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's signature)
        """Count."""
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give what the delegate and a screen reader ask for."""
        item = self._items[index.row()]
        if role == ITEM_ROLE:
            return item
        if role == Qt.ItemDataRole.DecorationRole:
            return self._pixmap(item.photograph.content_hash)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return item.photograph.path if role == Qt.ItemDataRole.ToolTipRole else item.spoken()
        return None

    def _pixmap(self, content_hash: bytes) -> QPixmap | None:
        pixmap = self._pixmaps.get(content_hash)
        if pixmap is not None:
            self._pixmaps.move_to_end(content_hash)
        elif content_hash not in self._asked:
            self._asked.add(content_hash)
            self.thumbnails_wanted.emit(content_hash)
        return pixmap

    def take_thumbnails(self, jpegs: dict[bytes, bytes]) -> None:
        """Show thumbnails that have come."""
        for content_hash, jpeg in jpegs.items():
            self._pixmaps[content_hash] = QPixmap.fromImage(QImage.fromData(jpeg))
            for row in self._rows.get(content_hash, ()):
                self.dataChanged.emit(self.index(row), self.index(row), [Qt.ItemDataRole.DecorationRole])
        while len(self._pixmaps) > _PIXMAPS:
            gone, _ = self._pixmaps.popitem(last=False)
            self._asked.discard(gone)


class Tile(QStyledItemDelegate):
    """Paints one photograph."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 (Qt's name)
        """Give every tile the same size, so that nothing jumps."""
        return QSize(TILE + 2 * _GAP, TILE + _FOOT + 2 * _GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the photograph whole in its square, and under it rank, similarity and bar."""
        colours, item = theme(), index.data(ITEM_ROLE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        well = QRect(rect.x() + _GAP, rect.y() + _GAP, TILE, TILE)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.well))
        painter.drawRoundedRect(well, 4, 4)
        pixmap = index.data(Qt.ItemDataRole.DecorationRole)
        if pixmap is not None and not pixmap.isNull():
            size = pixmap.size().scaled(well.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(well.topLeft(), size)
            place.moveCenter(well.center())
            painter.drawPixmap(place, pixmap)
        if item.similarity is not None:
            self._paint_rank(painter, well, item)
        if state & QStyle.StateFlag.State_Selected or item.asked:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 3 if state & QStyle.StateFlag.State_Selected else 1.5))
            painter.drawRoundedRect(well.adjusted(-2, -2, 2, 2), 6, 6)
        painter.restore()

    def _paint_rank(self, painter: QPainter, well: QRect, item: Item) -> None:
        colours = theme()
        line = QRect(well.x(), well.bottom() + 5, TILE, 16)
        font = painter.font()
        font.setPointSizeF(max(7.0, font.pointSizeF() - 1))
        painter.setFont(font)
        painter.setPen(QColor(colours.ink))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, "asked" if item.asked else str(item.rank))
        painter.setPen(QColor(colours.quiet))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, f"{item.similarity or 0:.2f}")
        bar = QRect(well.x(), well.bottom() + 23, TILE, 2)
        painter.fillRect(bar, QColor(colours.line))
        bar.setWidth(round(TILE * (item.similarity or 0)))
        painter.fillRect(bar, QColor(colours.accent))


class Grid(QListView):
    """The grid itself; driven wholly by keys or mouse."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.photographs = Photographs(self)
        self.setModel(self.photographs)
        self.setItemDelegate(Tile(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("Photographs")
        self.activated.connect(self._on_activated)

    def _on_activated(self, index: QModelIndex) -> None:
        self.chosen.emit(self.photographs.item(index).photograph)
