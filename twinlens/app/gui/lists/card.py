"""A card: the text of a row as a value, with a title, lesser lines and small pictures, and its drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import theme
from twinlens.app.language.texts import _

if TYPE_CHECKING:
    from twinlens.app.gui.pictures.small_pictures import SmallPictures

CardIndex = QModelIndex | QPersistentModelIndex
BAR_PX = 14
"""Room for the scroll bar at the right of framed cards."""
_PICTURE = QSize(68, 52)
_PADDING, _COMPACT_PADDING, _LINE_PADDING = 12, 6, 2
_CARD_GAP = 8
_CROSS_PX = 28
_FADED = 0.55
_ENDLESS_PX = 10_000
_FULL = 0.85  # share of a wrapped line that is filled with words


@dataclass(frozen=True)
class CardLine:
    """A line of a card.

    Attributes
    ----------
    colour : str
        Name of a colour of the theme.
    aside : str
        Lesser words behind them, where there is room.
    mono : bool
        Whether it has a monospaced font, as text to type or copy.
    """

    text: str
    colour: str = "quiet"
    aside: str = ""
    aside_colour: str = "quiet"
    mono: bool = False


@dataclass(frozen=True)
class Card:
    """A card: the content of a row, shown and spoken.

    Attributes
    ----------
    spoken : str
        Text for screen readers.
    right : str
        Lesser words at the right of the title.
    lines : tuple of CardLine
        Lines below the title; the first long ones are wrapped where there is room for more lines.
    tip : str
        Tooltip; by default the spoken text.
    pictures : tuple of bytes
        Contents of photographs.
    faded : bool
        Whether the pictures, or a card without pictures, are pale.
    progress : float, optional
        Finished share of its work.
    removable : bool
        Whether it can be removed, in a list of removable cards.
    """

    title: CardLine
    spoken: str
    lines: tuple[CardLine, ...] = ()
    right: str = ""
    tip: str = ""
    pictures: tuple[bytes, ...] = ()
    faded: bool = False
    progress: float | None = None
    removable: bool = True


@dataclass(frozen=True)
class CardLook:
    """The look of all cards of a list.

    Attributes
    ----------
    lines : int
        Number of lesser lines that have room.
    margin : int
        Left and right of the words, in pixels.
    little : bool
        Whether lesser lines have small letters.
    framed : bool
        Whether each card has a frame and a cross to remove it; otherwise lines divide the cards.
    compact : bool
        Whether cards are the rows of a menu: close together, nothing between them, lit under the pointer.
    """

    lines: int
    margin: int = 24
    little: bool = True
    framed: bool = False
    compact: bool = False

    @property
    def padding(self) -> int:
        """Pixels above and below the words."""
        return (_COMPACT_PADDING if self.lines else _LINE_PADDING) if self.compact else _PADDING

    def card(self, row: QRect, view: QListView) -> QRect:
        """Return the rectangle of a row's card; a framed one is as wide with a scroll bar as without."""
        if not self.framed:
            return row
        return QRect(row.left(), row.top(), view.width() - BAR_PX, row.height() - _CARD_GAP)


class CardDelegate(QStyledItemDelegate):
    """The delegate that draws the cards of a list."""

    def __init__(
        self, view: QListView, card_at: Callable[[int], Card], look: CardLook, pictures: SmallPictures | None
    ) -> None:
        super().__init__(view)
        self._view, self._card_at, self._look, self._pictures = view, card_at, look, pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: CardIndex) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of a card; all have the same height."""
        words = _line_px(self._title(option.font)) + self._look.lines * _line_px(self._lesser(option.font))
        high = max(words, _PICTURE.height() if self._pictures else 0) + 2 * self._look.padding
        return QSize(120, high + (_CARD_GAP if self._look.framed else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CardIndex) -> None:
        """Draw a card."""
        card, place = self._card_at(index.row()), self._look.card(option.rect, self._view)
        state: Any = option.state
        chosen, focused = (
            bool(state & one) for one in (QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_HasFocus)
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        self._ground(painter, place, chosen, focused, over)
        painter.setOpacity(_FADED if card.faded else 1.0)
        left = place.left() + self._look.margin
        for content in card.pictures:
            top = place.top() + (place.height() - _PICTURE.height()) / 2
            self._picture(painter, content, QRectF(left, top, _PICTURE.width(), _PICTURE.height()))
            left += _PICTURE.width() + 8
        if card.pictures:
            painter.setOpacity(1.0)
        room = QRect(left, place.top(), place.right() - left - self._look.margin, place.height())
        self._words(painter, option.font, room, card)
        if card.progress is not None:
            bar = QRect(room.left(), place.bottom() - 5, room.width(), 2)
            painter.fillRect(bar, QColor(theme().line))
            bar.setWidth(round(room.width() * card.progress))
            painter.fillRect(bar, QColor(theme().accent))
        if self._look.framed and card.removable and (over or (chosen and self._view.hasFocus())):
            _draw_cross(painter, QRectF(remove_sign_rect(place)).center())
        painter.restore()

    def _ground(self, painter: QPainter, place: QRect, chosen: bool, focused: bool, over: bool) -> None:
        now = theme()
        if self._look.compact:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well if chosen or over else now.paper))
            painter.drawRoundedRect(QRectF(place), 4, 4)
            if chosen:
                painter.fillRect(QRect(place.left(), place.top() + 4, 3, place.height() - 8), QColor(now.accent))
            return
        if self._look.framed:
            painter.setPen(QPen(QColor(now.accent if focused else now.line), 2 if focused else 1))
            painter.setBrush(QColor(now.well if chosen else now.paper))
            painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            return
        if chosen:
            painter.fillRect(place, QColor(now.well))
        if focused:
            painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(now.accent))
        margin = self._look.margin
        painter.fillRect(place.adjusted(margin, place.height() - 1, -margin, 0), QColor(now.line))

    def _picture(self, painter: QPainter, content: bytes, box: QRectF) -> None:
        from twinlens.app.gui.pictures.small_pictures import filling

        assert self._pictures is not None
        pixmap = self._pictures.pixmap(content, filling(_PICTURE, self._view.devicePixelRatioF()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme().well))
        painter.drawRoundedRect(box, 4, 4)
        if pixmap is not None:
            painter.drawPixmap(box.topLeft(), pixmap)

    def _words(self, painter: QPainter, font: QFont, room: QRect, card: Card) -> None:
        heavy, lesser = self._title(font), self._lesser(font)
        high, low = _line_px(heavy), _line_px(lesser)
        fonts = [_mono(lesser) if line.mono else lesser for line in card.lines]
        needed = [_rows(own, line.text, room.width()) for line, own in zip(card.lines, fonts, strict=True)]
        spare, rows = self._look.lines - len(card.lines), []
        for many in needed:
            rows.append(1 + max(0, min(spare, many - 1)))
            spare -= rows[-1] - 1
        used = high + low * sum(rows)
        at = QRect(room.left(), room.center().y() - used // 2 + 1, room.width(), high)
        if card.right:
            painter.setFont(lesser)
            painter.setPen(QColor(theme().quiet))
            painter.drawText(at, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), card.right)
            at.setRight(at.right() - QFontMetrics(lesser).horizontalAdvance(card.right) - 14)
        _write(
            painter, heavy, font, at, card.title, Qt.TextElideMode.ElideMiddle
        )  # folders: their ends are the most specific
        at = QRect(room.left(), at.bottom() + 1, room.width(), low)
        for line, own, many, whole in zip(card.lines, fonts, rows, needed, strict=True):
            if many == 1:
                _write(painter, own, lesser, at, line)
            else:
                wide = room.width() * (_FULL * many if whole > many else whole)
                words = QFontMetrics(own).elidedText(line.text, Qt.TextElideMode.ElideRight, round(wide))
                painter.setFont(own)
                painter.setPen(QColor(getattr(theme(), line.colour)))
                painter.drawText(at.adjusted(0, 0, 0, low * (many - 1)), Qt.TextFlag.TextWordWrap, words)
            at.translate(0, low * many)

    def _title(self, font: QFont) -> QFont:
        return strong(font) if self._look.lines or not self._look.compact else font

    def _lesser(self, font: QFont) -> QFont:
        return small(font) if self._look.little else font

    def createEditor(  # noqa: N802 (Qt's name)
        self, parent: QWidget, option: QStyleOptionViewItem, index: CardIndex
    ) -> QWidget:
        """Return the editor of the title, with an accessible name."""
        made = super().createEditor(parent, option, index)
        made.setAccessibleName(_("New name of {name}", name=self._card_at(index.row()).title.text))
        return made

    def setEditorData(self, editor: QWidget, index: CardIndex) -> None:  # noqa: N802 (Qt's name)
        """Set the title, but keep typed text when the row is shown again."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def updateEditorGeometry(  # noqa: N802 (Qt's name)
        self, editor: QWidget, option: QStyleOptionViewItem, index: CardIndex
    ) -> None:
        """Place the editor over the title."""
        rect: QRect = option.rect
        editor.setGeometry(rect.left() + 8, rect.top() + 4, rect.width() - 16, 28)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep typed letters from the shortcuts of the view."""
        if isinstance(editor, QLineEdit) and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().eventFilter(editor, event)


def remove_sign_rect(card: QRect) -> QRect:
    """Return the rectangle of the cross in that of a card."""
    return QRect(card.right() - _CROSS_PX, card.top() + 1, _CROSS_PX, _CROSS_PX)


def _draw_cross(painter: QPainter, at: QPointF) -> None:
    painter.setPen(QPen(QColor(theme().quiet), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for slope in (1, -1):
        painter.drawLine(at - QPointF(4, 4 * slope), at + QPointF(4, 4 * slope))


def _line_px(font: QFont) -> int:
    return QFontMetrics(font).lineSpacing() + 3


def _rows(font: QFont, text: str, width: int) -> int:
    metrics = QFontMetrics(font)
    if metrics.horizontalAdvance(text) <= width:
        return 1
    place = metrics.boundingRect(QRect(0, 0, width, _ENDLESS_PX), Qt.TextFlag.TextWordWrap, text)
    return max(1, round(place.height() / metrics.lineSpacing()))


def _mono(font: QFont) -> QFont:
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    made.setPixelSize(QFontInfo(font).pixelSize())
    return made


def _write(
    painter: QPainter,
    font: QFont,
    aside_font: QFont,
    at: QRect,
    line: CardLine,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip)
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(QColor(getattr(theme(), line.colour)))
    painter.drawText(at, middle, metrics.elidedText(line.text, Qt.TextElideMode.ElideRight, at.width()))
    rest = at.adjusted(metrics.horizontalAdvance(line.text) + 14, 0, 0, 0)
    if line.aside and rest.width() > 0:
        painter.setFont(aside_font)
        painter.setPen(QColor(getattr(theme(), line.aside_colour)))
        painter.drawText(rest, middle, QFontMetrics(aside_font).elidedText(line.aside, cut, rest.width()))
