"""Painting of a group in its row: its description at the left, then the kept photograph and the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.duplicates.groups import DuplicateKind, GroupMember, PhotoGroup
from app.duplicates.keeper_rules import KeeperCandidate
from app.gui.duplicates.group_model import (
    GroupModel,
    TilePlace,
    badge,
    file_name,
    group_headings,
    keeping_reason,
    key_hints,
    loss_warning,
    member_at,
    place_words,
    size_words,
)
from app.gui.look.labels import small, strong
from app.gui.look.theme import Theme, grown, theme
from app.gui.pictures.small_pictures import CORNER_RADIUS, PictureStyle, SmallPictures

_WRAP = int(Qt.TextFlag.TextWordWrap)
_FADED = 0.5
_HINT = 7  # gap between the lines of keys, px


class GroupDelegate(QStyledItemDelegate):
    """The delegate that paints groups.

    Parameters
    ----------
    parent : QWidget
        The list view.
    """

    def __init__(self, parent: QWidget, pictures: SmallPictures) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self.tile = 190
        self._heights: dict[tuple[int, int, int, str], int] = {}  # by the identity of the group

    def layout_of(self, group: PhotoGroup, width: int, font: QFont) -> GroupLayout:
        """Return the layout of a group in a row of this width."""
        lines = _Lines.of(font)
        said = sum(lines.height(words) for words, _ in _sentences(group))
        hints = len(key_hints(group)) * (lines.fine + _HINT) + 10
        words = len(group_headings(group)) * (lines.bold + 2) + 4 + said + hints
        return GroupLayout(width, len(group.members) + 1, self.tile, lines.fine, words)

    def sizeHint(self, option: QStyleOptionViewItem, index: TilePlace) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of a row, with as many lines of tiles as the width requires."""
        view = self.parent()
        assert isinstance(view, QWidget)
        return QSize(200, self.height(_model(index).groups[index.row()], view.width(), option.font))

    def height(self, group: PhotoGroup, width: int, font: QFont) -> int:
        """Return the height of a row of this width, cached, since a list needs that of all rows at once."""
        key = id(group), across(width, self.tile), self.tile, font.key()
        if key not in self._heights:
            self._heights[key] = self.layout_of(group, width, font).height
        return self._heights[key]

    def forget_others(self, groups: Sequence[PhotoGroup]) -> None:
        """Forget the heights of all but these groups."""
        left = set(map(id, groups))
        self._heights = {key: height for key, height in self._heights.items() if key[0] in left}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TilePlace) -> None:
        """Paint one group."""
        now, model = theme(), _model(index)
        group = model.groups[index.row()]
        rect = QRect(option.rect)
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        keyed = bool(option.state & QStyle.StateFlag.State_HasFocus) or (current and _has_keys(self.parent()))
        layout = self.layout_of(group, rect.width(), option.font)
        painter.save()
        painter.translate(rect.topLeft())
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(QRect(QPoint(0, 0), rect.size()), QColor(now.paper if current else now.ground))
        if current:
            painter.fillRect(QRect(0, 0, 3, rect.height()), QColor(now.accent))
        painter.fillRect(QRect(0, rect.height() - 1, rect.width(), 1), QColor(now.line))
        below = self._words(painter, layout, group, option.font, now)
        if current:
            self._hints(painter, below, group, option.font, now)
        ground = now.paper if current else now.ground
        for at, one in enumerate(group.photographs):
            lit = current and keyed and at == min(model.tile, len(group.members))
            self._tile(painter, layout.box(at), one, member_at(group, at), group, option.font, now, ground, lit=lit)
        painter.restore()

    def _words(self, painter: QPainter, layout: GroupLayout, group: PhotoGroup, font: QFont, now: Theme) -> QRect:
        """Paint the description of a group; return the room below."""
        box = layout.words_box()
        bold = strong(font)
        step = QFontMetrics(bold).lineSpacing() + 2
        painter.setFont(bold)
        painter.setPen(QColor(now.ink))
        for line in group_headings(group):
            cut = QFontMetrics(bold).elidedText(line, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, cut)
            box.setTop(box.top() + step)
        painter.setFont(small(font))
        box.setTop(box.top() + 4)
        for words, loud in _sentences(group):
            painter.setPen(QColor(now.warn if loud else now.quiet))
            painter.drawText(box, _WRAP, words)
            box.setTop(box.top() + _Lines.of(font).height(words))
        box.setTop(box.top() + 10)
        return box

    def _hints(self, painter: QPainter, box: QRect, group: PhotoGroup, font: QFont, now: Theme) -> None:
        """Paint the keys that decide the group."""
        fine = small(font, 0.82)
        metrics = QFontMetrics(fine)
        painter.setFont(fine)
        for key, words in key_hints(group):
            cap = QRectF(box.left() + 0.5, box.top() + 0.5, metrics.horizontalAdvance(key) + 10, metrics.height() + 3)
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(now.ground))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(QColor(now.quiet))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            rest = QRectF(cap.right() + 6, cap.top(), box.right() - cap.right() - 6, cap.height())
            cut = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(rest.width()))
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
            box.setTop(box.top() + metrics.height() + _HINT)

    def _tile(
        self,
        painter: QPainter,
        box: QRect,
        one: KeeperCandidate,
        shown: GroupMember | None,
        group: PhotoGroup,
        font: QFont,
        now: Theme,
        ground: str,
        *,
        lit: bool,
    ) -> None:
        goes = shown is not None and shown.goes
        ratio = painter.device().devicePixelRatio()
        make = PictureStyle(round(box.width() * ratio), round(box.height() * ratio), ratio, now.well, ground)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(QRectF(box), CORNER_RADIUS, CORNER_RADIUS)
        pixmap = self._pictures.pixmap(one.content, make)
        if pixmap is not None:
            size = pixmap.deviceIndependentSize().toSize()
            at = box.topLeft() + QPoint((box.width() - size.width()) // 2, (box.height() - size.height()) // 2)
            painter.setOpacity(_FADED if goes else 1.0)
            painter.drawPixmap(at, pixmap)
            painter.setOpacity(1.0)
        self._outline(painter, box, now, kept=shown is None and not group.undecided, goes=goes, lit=lit)
        self._badge(painter, box, badge(shown, group), font, _badge_colour(shown, group, now), now)
        self._captions(painter, box, one, shown, group, font, now)

    def _outline(self, painter: QPainter, box: QRect, now: Theme, *, kept: bool, goes: bool, lit: bool) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if kept:
            painter.setPen(QPen(QColor(now.accent), 2.5))
            painter.drawRoundedRect(QRectF(box).adjusted(-1.5, -1.5, 1.5, 1.5), CORNER_RADIUS + 1, CORNER_RADIUS + 1)
        elif goes:
            painter.setPen(QPen(QColor(now.warn), 1.5, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(box).adjusted(-1, -1, 1, 1), CORNER_RADIUS + 1, CORNER_RADIUS + 1)
        if lit:
            painter.setPen(QPen(QColor(now.ink), 1.5))
            painter.drawRoundedRect(QRectF(box).adjusted(-4.5, -4.5, 4.5, 4.5), CORNER_RADIUS + 4, CORNER_RADIUS + 4)

    def _badge(self, painter: QPainter, box: QRect, words: str, font: QFont, colour: str, now: Theme) -> None:
        bold = strong(small(font, 0.84))
        metrics = QFontMetrics(bold)
        pill = QRectF(box.left() + 6, box.top() + 6, metrics.horizontalAdvance(words) + 14, metrics.height() + 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setFont(bold)
        painter.setPen(QColor(now.paper))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def _captions(
        self,
        painter: QPainter,
        box: QRect,
        one: KeeperCandidate,
        shown: GroupMember | None,
        group: PhotoGroup,
        font: QFont,
        now: Theme,
    ) -> None:
        fine = small(font)
        metrics = QFontMetrics(fine)
        line = QRect(box.left(), box.bottom() + 6, box.width(), metrics.lineSpacing())
        smaller = shown is not None and one.width * one.height < shown.of.width * shown.of.height
        edited = shown is not None and shown.kind is DuplicateKind.EDITED
        rows = (
            (file_name(one), now.ink, strong(fine) if shown is None else fine, Qt.TextElideMode.ElideMiddle),
            (
                size_words(one),
                now.warn if smaller else now.ink if shown is None else now.quiet,
                fine,
                Qt.TextElideMode.ElideRight,
            ),
            (place_words(one, shown), now.warn if edited else now.quiet, fine, Qt.TextElideMode.ElideRight),
        )
        for words, colour, used, cut_at in rows:
            painter.setFont(used)
            painter.setPen(QColor(colour))
            cut = QFontMetrics(used).elidedText(words, cut_at, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)
            line.translate(0, metrics.lineSpacing())


class _Lines:
    """Heights of lines and sentences in a font, cached: there are few sentences, and many groups."""

    _kept: ClassVar[dict[str, _Lines]] = {}

    def __init__(self, font: QFont) -> None:
        self._metrics = QFontMetrics(small(font))
        self.fine, self.bold = self._metrics.lineSpacing(), QFontMetrics(strong(font)).lineSpacing()
        self._heights: dict[str, int] = {}

    @classmethod
    def of(cls, font: QFont) -> _Lines:
        """Return the heights of a font."""
        key = font.key()
        if key not in cls._kept:
            cls._kept = {key: cls(font)}
        return cls._kept[key]

    def height(self, words: str) -> int:
        """Return the height of a sentence, with the gap below."""
        if words not in self._heights:
            box = QRect(0, 0, words_width(), 4000)
            self._heights[words] = self._metrics.boundingRect(box, _WRAP, words).height() + 4
        return self._heights[words]


def _sentences(group: PhotoGroup) -> list[tuple[str, bool]]:
    """Return the sentences about a group, each with whether it is a warning."""
    return [(words, loud) for words, loud in ((keeping_reason(group), False), (loss_warning(group), True)) if words]


def _badge_colour(shown: GroupMember | None, group: PhotoGroup, now: Theme) -> str:
    if shown is None:
        return now.quiet if group.undecided else now.accent
    return now.warn if shown.goes else now.quiet


def _model(index: TilePlace) -> GroupModel:
    model = index.model()
    assert isinstance(model, GroupModel)
    return model


def _has_keys(view: object) -> bool:
    return isinstance(view, QWidget) and view.hasFocus()


_WORDS = 190  # width of a group's description in text of the usual size, px
MARGIN, GAP = 20, 14


@dataclass(frozen=True)
class GroupLayout:
    """The layout of a row.

    Attributes
    ----------
    width : int
        Width of the row, px.
    count : int
        Tiles, with that of the kept photograph.
    tile : int
        Width of a picture, px; its height is two thirds of that.
    line : int
        Height of a line of text, px.
    words : int
        Height of the description, px.
    """

    width: int
    count: int
    tile: int
    line: int
    words: int

    @property
    def across(self) -> int:
        """Return the number of tiles in a line."""
        return across(self.width, self.tile)

    @property
    def picture(self) -> QSize:
        """Return the size of a picture."""
        return QSize(self.tile, self.tile * 2 // 3)

    @property
    def _step(self) -> int:
        return self.picture.height() + 3 * self.line + 8 + GAP

    @property
    def height(self) -> int:
        """Return the height of the row, px."""
        lines = -(-self.count // self.across)
        return max(lines * self._step - GAP, self.words) + 2 * MARGIN - 4

    def words_box(self) -> QRect:
        """Return the rectangle of the description."""
        return QRect(MARGIN, MARGIN - 2, words_width(), self.height - 2 * MARGIN)

    def box(self, place: int) -> QRect:
        """Return the rectangle of a picture, from the top left of the row."""
        down, across = divmod(place, self.across)
        x = 2 * MARGIN + words_width() + across * (self.tile + GAP)
        return QRect(QPoint(x, MARGIN - 2 + down * self._step), self.picture)

    def at(self, point: QPoint) -> int:
        """Return the tile at a point; -1 for none."""
        for place in range(self.count):
            box = self.box(place)
            if box.adjusted(0, 0, 0, 3 * self.line + 6).contains(point):
                return place
        return -1


def words_width() -> int:
    """Return the width of the description at the left, px."""
    return grown(_WORDS)


def across(width: int, tile: int) -> int:
    """Return the number of tiles in a line of a row of this width."""
    return max(1, (width - words_width() - 3 * MARGIN + GAP) // (tile + GAP))
