"""The marks as a list of cards that stays smooth with thousands: one model, one delegate, no widget for a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.look.sentences import small, strong
from app.gui.look.theme import theme
from app.gui.marks.mark_words import origin_words
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, number
from app.learn.before_after_results import PairDistances
from app.marks.results import MarkStatus
from core.files.untrusted_input import plain_name

Distances = Mapping[int, PairDistances]
"""By mark; not all can be measured."""

NOT_MEASURED: Distances = MappingProxyType({})
_Place = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_HEIGHT = 76
_CARD_GAP = 8
BAR_PX = 14
"""Right of the cards, where the scroll bar stands."""

_THUMBNAIL = QSize(68, 52)
_CROSS_PX = 28
_FEW = 64  # so many are taken out one by one: more of them are shown anew


class MarkModel(QAbstractListModel):
    """Marks, as Qt asks for them; the newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[MarkStatus] = []
        self.distances = NOT_MEASURED

    def without(self, ids: Sequence[int]) -> None:
        """Take marks out."""
        self.show_marks([one for one in self.marks if one.id not in ids], self.distances)

    def show_marks(self, marks: Sequence[MarkStatus], distances: Distances = NOT_MEASURED) -> None:
        """Take other marks; where only few are others, the rest stays where it is seen."""
        wanted, self.distances = list(marks), distances
        there = {one.id for one in wanted}
        gone = [row for row, one in enumerate(self.marks) if one.id not in there]
        stay = [one.id for one in self.marks if one.id in there]
        new = len(wanted) - len(stay)
        if len(gone) > _FEW or (stay and [one.id for one in wanted[new:]] != stay):
            self.beginResetModel()
            self.marks = wanted
            self.endResetModel()
            return
        for row in reversed(gone):
            self.beginRemoveRows(QModelIndex(), row, row)
            del self.marks[row]
            self.endRemoveRows()
        if new:
            self.beginInsertRows(QModelIndex(), 0, new - 1)
            self.marks = wanted
            self.endInsertRows()
        self._change(wanted)

    def _change(self, wanted: list[MarkStatus]) -> None:
        self.marks = wanted
        if wanted:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    def rowCount(self, parent: _Place = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return their number."""
        return 0 if parent.isValid() else len(self.marks)

    def data(self, index: _Place, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what is spoken, and the whole of it as a tip."""
        one = self.marks[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{plain_name(one.first)}, {plain_name(one.second)}: {', '.join((word(one), *self.facts(one)))}"
        if role == Qt.ItemDataRole.ToolTipRole:
            said = ", ".join((word(one), *self.facts(one)))
            return "\n".join((plain_name(one.first), plain_name(one.second), said, _origin(one)))
        return None

    def facts(self, one: MarkStatus) -> list[str]:
        """Return what else there is to say of a mark."""
        return facts(one, self.distances.get(one.id))


def word(one: MarkStatus) -> str:
    """Say the judgement."""
    return _("similar") if one.similar else _("different")


def _origin(one: MarkStatus) -> str:
    made = datetime.fromisoformat(one.created).astimezone()
    return _("{origin}, {moment}", origin=origin_words(one.origin), moment=made)


def facts(one: MarkStatus, apart: PairDistances | None = None) -> list[str]:
    """Return what there is to say of a mark besides the judgement."""
    if one.contradicted:
        return [_("also marked the other way: not used")]
    if one.missing:
        return [_("waits for a photograph")]
    if apart is None or apart.before is None or apart.comparable is None:
        return []
    before, after = (number(value, ".2f" if abs(value) < 100 else ",.0f") for value in (apart.before, apart.comparable))
    return [_("distance {distance} → {distance2}", distance=before, distance2=after)]


class MarkDelegate(QStyledItemDelegate):
    """Draws a mark: both photographs, the judgement, and how far they are from each other."""

    def __init__(self, thumbnails: SmallPictures, parent: MarkList) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: _Place) -> QSize:  # noqa: N802 (Qt's name)
        """Return every card the same height."""
        return QSize(240, _HEIGHT + _CARD_GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Place) -> None:
        """Draw one."""
        model = index.model()
        assert isinstance(model, MarkModel)
        one, now = model.marks[index.row()], theme()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self._list.card(option.rect)).adjusted(0.5, 0.5, -0.5, -0.5)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(QPen(QColor(now.accent if focused else now.line), 2 if focused else 1))
        painter.setBrush(QColor(now.well if chosen else now.paper))
        painter.drawRoundedRect(card, 8, 8)
        left = card.left() + 10
        top = card.top() + (card.height() - _THUMBNAIL.height()) / 2
        if one.missing:
            painter.setOpacity(0.5)
        for content in one.contents:
            self._picture(painter, content, QRectF(left, top, _THUMBNAIL.width(), _THUMBNAIL.height()))
            left += _THUMBNAIL.width() + 8
        painter.setOpacity(1.0)
        room = QRectF(left + 2, card.top() + 10, card.right() - left - 8, card.height() - 20)
        self._words(painter, option.font, room, one, model.facts(one))
        if over or (chosen and self._list.hasFocus()):
            self._cross(painter, cross(self._list.card(option.rect)))
        painter.restore()

    def _picture(self, painter: QPainter, content: bytes, box: QRectF) -> None:
        pixmap = self._thumbnails.pixmap(content, filling(box.size().toSize(), self._list.devicePixelRatioF()))
        if pixmap is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme().well))
            painter.drawRoundedRect(box, 4, 4)
        else:
            painter.drawPixmap(box.topLeft(), pixmap)

    def _words(self, painter: QPainter, font: QFont, room: QRectF, one: MarkStatus, told: list[str]) -> None:
        now, heavy, little = theme(), strong(font), small(font)
        high, low = QFontMetrics(heavy).height(), QFontMetrics(little).height()
        lines = 2 if told and QFontMetrics(little).horizontalAdvance(told[0]) > room.width() else len(told)
        top = room.center().y() - (high + lines * low) / 2
        painter.setFont(heavy)
        painter.setPen(QColor(now.accent if one.similar else now.warn))
        painter.drawText(QRectF(room.left(), top, room.width(), high), 0, word(one))
        if told:
            painter.setFont(little)
            painter.setPen(QColor(now.warn if one.contradicted else now.quiet))
            box = QRectF(room.left(), top + high, room.width(), lines * low)
            painter.drawText(box, Qt.TextFlag.TextWordWrap if lines > 1 else 0, told[0])

    def _cross(self, painter: QPainter, box: QRect) -> None:
        pen = QPen(QColor(theme().quiet), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        middle = QRectF(box).center()
        for slope in (1, -1):
            painter.drawLine(
                QPoint(round(middle.x()) - 4, round(middle.y()) - 4 * slope),
                QPoint(round(middle.x()) + 4, round(middle.y()) + 4 * slope),
            )


def cross(rect: QRect) -> QRect:
    """Return where the sign is that removes a mark, of where its card is."""
    return QRect(rect.right() - _CROSS_PX, rect.top() + 1, _CROSS_PX, _CROSS_PX)


class MarkList(QListView):
    """The cards.

    Del removes a mark, Enter ranks by its first photograph, letters go to the view.

    Signals
    -------
    remove_wanted : list of int
    asked_with : int
        Rank by a photograph of it.
    """

    remove_wanted = Signal(list)
    asked_with = Signal(int)

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.model_ = MarkModel()
        self.setModel(self.model_)
        self.setItemDelegate(MarkDelegate(thumbnails, self))
        self.setProperty("role", "cards")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Your marks"))
        thumbnails.came.connect(self.viewport().update)

    def chosen(self) -> list[int]:
        """Return the marks that are selected."""
        return [self.model_.marks[one.row()].id for one in self.selectedIndexes()]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Remove, rank; typing does not look for a name here."""
        current = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete:
            chosen = self.chosen()
            if chosen:
                row = min(one.row() for one in self.selectedIndexes())
                self.remove_wanted.emit(chosen)
                self.select(min(row, self.model_.rowCount() - 1))  # the next one, for whoever goes on
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not (
            event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            if current.isValid():
                self._ask_with(self.model_.marks[current.row()].first_id)
        elif event.text().strip() and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Remove with the cross; else choose."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and cross(self.card(self.visualRect(index))).contains(event.position().toPoint()):
            self.remove_wanted.emit([self.model_.marks[index.row()].id])
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by the photograph under the pointer."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            one, rect = self.model_.marks[index.row()], self.visualRect(index)
            second = event.position().x() > rect.left() + 10 + _THUMBNAIL.width() + 4
            self._ask_with(one.second_id if second else one.first_id)

    def _ask_with(self, photograph_id: int | None) -> None:
        if photograph_id is not None:
            self.asked_with.emit(photograph_id)

    def card(self, row: QRect) -> QRect:
        """Return where the card of a row is: as wide with a scroll bar as without."""
        return QRect(row.left(), row.top(), self.width() - BAR_PX, row.height() - _CARD_GAP)

    def select(self, row: int) -> None:
        """Go to a row."""
        if 0 <= row < self.model_.rowCount():
            self.selectionModel().setCurrentIndex(
                self.model_.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
