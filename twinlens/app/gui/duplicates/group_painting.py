"""Painting of a group in its row: the kept file large at the left, beside it its copies, versions and series.

Everything stands where arithmetic puts it, for all rows at once (:class:`RowHeights`): no text is laid out but the one
that is seen, and the few sentences that are wrapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from twinlens.app.duplicates.groups import DuplicateKind
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, SectionKind
from twinlens.app.gui.duplicates.group_model import (
    GroupModel,
    GroupShape,
    GroupShapes,
    TilePlace,
    badge,
    file_name,
    folder_words,
    key_hints,
    likely_copy,
    section_heading,
    size_words,
    sort_words,
    taken_words,
    what_it_is,
)
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import Theme, grown, theme
from twinlens.app.gui.pictures.small_pictures import CORNER_RADIUS, PictureStyle, SmallPictures
from twinlens.core.arrays import Int64Rows

_WRAP = int(Qt.TextFlag.TextWordWrap)
_FADED = 0.5
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip


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
        self.tile = 150
        self.hovered: tuple[int, int] = (-1, -1)
        """Row and place of the photograph whose badge is under the pointer."""
        self.shapes = GroupShapes()

    def layout_of(self, group: ArrangedGroup, width: int, font: QFont) -> GroupLayout:
        """Return the layout of a group in a row of this width."""
        fonts, shape = GroupFonts.of(font), self.shapes.of(group)
        sections = tuple(
            (count, fonts.heading_width(words))
            for count, words in zip(shape.counts, shape.headings, strict=True)
            if count
        )
        return GroupLayout(width, self.tile, fonts, sections, tuple(filter(None, shape.sentences)), shape.linked)

    def badge_at(self, group: ArrangedGroup, layout: GroupLayout, place: int) -> QRectF:
        """Return the rectangle of the badge of a photograph, from the top left of the row."""
        return layout.fonts.badge(layout.boxes[place], badge(group, place))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TilePlace) -> None:
        """Paint one group."""
        now, model, view = theme(), _model(index), self.parent()
        assert isinstance(view, QWidget)
        group = model.groups[index.row()]
        rect = QRect(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        current = view.currentIndex().row() == index.row()  # type: ignore[attr-defined]  # the list that is painted
        layout = self.layout_of(group, rect.width(), option.font)
        painter.save()
        painter.translate(rect.topLeft())
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        ground = now.paper if current or chosen else now.ground
        painter.fillRect(QRect(QPoint(0, 0), rect.size()), QColor(ground))
        if chosen:
            painter.fillRect(QRect(0, 0, 3, rect.height()), QColor(now.accent))
        painter.fillRect(QRect(0, rect.height() - 1, rect.width(), 1), QColor(now.line))
        self._headings(painter, layout, group, now)
        below = self._words(painter, layout, group, now)
        if current:
            self._hints(painter, below, key_hints(group), layout.fonts, now)
        for place in range(len(group.ids)):
            lit = current and view.hasFocus() and place == min(model.tile, len(group.ids) - 1)
            tile = _Tile(group, place, layout, ground, lit, self.hovered == (index.row(), place))
            self._tile(painter, tile, now)
            if current:
                self._number(painter, layout, place, now)
        painter.restore()

    def _headings(self, painter: QPainter, layout: GroupLayout, group: ArrangedGroup, now: Theme) -> None:
        painter.setFont(layout.fonts.heading)
        painter.setPen(QColor(now.quiet))
        for at, section in zip(layout.headings, group.sections, strict=True):
            room = QRect(at, QSize(layout.right - at.x(), layout.fonts.line))
            words = QFontMetrics(layout.fonts.heading).elidedText(
                section_heading(group, section), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, _LEFT, words)

    def _words(self, painter: QPainter, layout: GroupLayout, group: ArrangedGroup, now: Theme) -> QRect:
        """Paint what decided the group, and what to know before it is removed; return the room for keys."""
        box = QRect(layout.words_box)
        for at, words in enumerate(layout.sentences):
            painter.setFont(layout.fonts.strong if at == 0 else layout.fonts.fine)
            painter.setPen(QColor(now.ink if at == 0 else now.warn))
            painter.drawText(box, _WRAP, words)
            box.setTop(box.top() + layout.fonts.height(words, box.width()))
        link = likely_copy(group)
        if link is not None:
            font = QFont(layout.fonts.fine)
            font.setUnderline(True)
            painter.setFont(font)
            painter.setPen(QColor(now.accent))
            words = painter.fontMetrics().elidedText(
                sort_words(link.sort), Qt.TextElideMode.ElideMiddle, layout.link_box.width()
            )
            painter.drawText(layout.link_box, _LEFT, words)
            box.setTop(layout.link_box.bottom() + 5)
        return box

    def _hints(
        self, painter: QPainter, box: QRect, hints: Sequence[tuple[str, str]], fonts: GroupFonts, now: Theme
    ) -> None:
        """Paint the keys that decide the group, as many as there is room for."""
        metrics = QFontMetrics(fonts.fine)
        painter.setFont(fonts.fine)
        x, y = box.left(), box.top()
        for key, words in hints:
            cap = QRectF(x + 0.5, y + 0.5, metrics.horizontalAdvance(key) + 10, fonts.line + 2)
            wide = metrics.horizontalAdvance(words)
            if cap.right() + 5 + wide > box.right():
                break
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(now.ground))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(QColor(now.quiet))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            painter.drawText(QRectF(cap.right() + 5, cap.top(), wide + 2, cap.height()), _LEFT, words)
            x = int(cap.right() + 5 + wide + 14)

    def _tile(self, painter: QPainter, tile: _Tile, now: Theme) -> None:
        box, one, goes = tile.box, tile.group.photographs[tile.place], tile.group.goes(tile.place)
        ratio = painter.device().devicePixelRatio()
        make = PictureStyle(round(box.width() * ratio), round(box.height() * ratio), ratio, now.well, tile.ground)
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
        self._outline(painter, tile, now)
        self._badge(painter, tile, now)
        self._captions(painter, tile, now)

    def _outline(self, painter: QPainter, tile: _Tile, now: Theme) -> None:
        box = QRectF(tile.box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if tile.group.keeps(tile.place) and not tile.group.group.undecided:
            painter.setPen(QPen(QColor(now.accent), 2.5))
            painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), CORNER_RADIUS + 1, CORNER_RADIUS + 1)
        elif tile.group.goes(tile.place):
            painter.setPen(QPen(QColor(now.warn), 1.5, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), CORNER_RADIUS + 1, CORNER_RADIUS + 1)
        if tile.lit:
            painter.setPen(QPen(QColor(now.ink), 1.5))
            painter.drawRoundedRect(box.adjusted(-4.5, -4.5, 4.5, 4.5), CORNER_RADIUS + 4, CORNER_RADIUS + 4)

    def _badge(self, painter: QPainter, tile: _Tile, now: Theme) -> None:
        words = badge(tile.group, tile.place)
        pill = tile.layout.fonts.badge(tile.box, words)
        painter.setPen(QPen(QColor(now.paper), 1.5) if tile.hovered else Qt.PenStyle.NoPen)
        colour = QColor(_badge_colour(tile.group, tile.place, now))
        painter.setBrush(colour.lighter(115) if tile.hovered else colour)
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setFont(tile.layout.fonts.badge_font)
        painter.setPen(QColor(now.paper))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def _number(self, painter: QPainter, layout: GroupLayout, place: int, now: Theme) -> None:
        """Paint the key that keeps a photograph at the right of its picture."""
        if place < 9:
            box, fonts = layout.boxes[place], layout.fonts
            cap = QRectF(box.right() - fonts.line - 6, box.top() + 6, fonts.line + 2, fonts.line + 2)
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(now.paper))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(QColor(now.quiet))
            painter.setFont(fonts.fine)
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, str(place + 1))

    def _captions(self, painter: QPainter, tile: _Tile, now: Theme) -> None:
        group, place, fonts = tile.group, tile.place, tile.layout.fonts
        one, member = group.photographs[place], group.member(place)
        smaller = member is not None and one.width * one.height < member.of.width * member.of.height
        edited = member is not None and member.kind is DuplicateKind.EDITED
        what = size_words(one) if place == 0 else what_it_is(one, member)
        rows = [(file_name(one), now.ink, Qt.TextElideMode.ElideMiddle)]
        rows.append((what, now.warn if smaller or edited else now.quiet, Qt.TextElideMode.ElideRight))
        if place == 0:
            rows.append((taken_words(one), now.quiet, Qt.TextElideMode.ElideRight))
        rows.append((folder_words(one), now.quiet, Qt.TextElideMode.ElideLeft))
        line = QRect(tile.box.left(), tile.box.bottom() + 6, tile.box.width(), fonts.line)
        for at, (words, colour, cut_at) in enumerate(rows):
            used = fonts.strong if at == 0 and place == 0 else fonts.fine
            painter.setFont(used)
            painter.setPen(QColor(colour))
            painter.drawText(line, _LEFT, QFontMetrics(used).elidedText(words, cut_at, line.width()))
            if words:
                line.translate(0, fonts.line)


@dataclass(frozen=True)
class _Tile:
    """A photograph to be painted."""

    group: ArrangedGroup
    place: int
    layout: GroupLayout
    ground: str
    lit: bool
    hovered: bool

    @property
    def box(self) -> QRect:
        return self.layout.boxes[self.place]


class GroupFonts:
    """The fonts of a group, and the sizes of texts in them, cached: there are few sentences, and many groups."""

    _kept: ClassVar[dict[str, GroupFonts]] = {}

    def __init__(self, font: QFont) -> None:
        self.fine, self.strong = small(font), strong(small(font))
        self.badge_font = strong(small(font, 0.84))
        self.heading = strong(small(font, 0.8))
        self.heading.setCapitalization(QFont.Capitalization.AllUppercase)
        self.heading.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.6)
        self.line = QFontMetrics(self.fine).lineSpacing()
        self._heights: dict[tuple[str, int], int] = {}
        self._widths: dict[str, int] = {}
        self._lines: dict[str, int] = {}

    @classmethod
    def of(cls, font: QFont) -> GroupFonts:
        """Return the fonts of a group in a list of this font."""
        key = font.key()
        if key not in cls._kept:
            cls._kept = {key: cls(font)}
        return cls._kept[key]

    def height(self, words: str, width: int) -> int:
        """Return the height of a sentence, with the gap below."""
        if (words, width) not in self._heights:
            box = QRect(0, 0, width, 4000)
            self._heights[words, width] = QFontMetrics(self.strong).boundingRect(box, _WRAP, words).height() + 4
        return self._heights[words, width]

    def fits(self, words: str) -> int:
        """Return a width in which a sentence certainly is one line."""
        if words not in self._lines:
            self._lines[words] = QFontMetrics(self.strong).horizontalAdvance(words) + _SPARE
        return self._lines[words]

    def heading_width(self, words: str) -> int:
        """Return the width of the heading of a section."""
        if words not in self._widths:
            self._widths[words] = QFontMetrics(self.heading).horizontalAdvance(words.upper()) + 4
        return self._widths[words]

    def badge(self, box: QRect, words: str) -> QRectF:
        """Return the rectangle of a badge in the corner of a picture."""
        metrics = QFontMetrics(self.badge_font)
        return QRectF(box.left() + 6, box.top() + 6, metrics.horizontalAdvance(words) + 14, metrics.height() + 3)


def _badge_colour(group: ArrangedGroup, place: int, now: Theme) -> str:
    if group.goes(place):
        return now.warn
    member = group.member(place)
    stays = member.chosen or member.photograph.stays if member is not None else not group.group.undecided
    return now.accent if stays else now.quiet


def _model(index: TilePlace) -> GroupModel:
    model = index.model()
    assert isinstance(model, GroupModel)
    return model


MARGIN, GAP, _APART = 18, 14, 28
_BESIDE_KEPT, _BESIDE_TILE = 24, 12  # between the kept picture and the tiles, and between these and the sentences, px
_AIR = 4  # between a heading and its tiles, px
_LARGE, _ALONE = 1.45, 1.1  # widths of the kept picture in tiles: of several, and of one beside it
_LINK = 240  # width of the link that takes a click, px
_SPARE = 8  # px beyond the width of a sentence in which it is not wrapped
_ENDLESS = 1 << 20
_WORDS = 360  # least width of the sentences beside the tiles, px


@dataclass(frozen=True)
class GroupLayout:
    """The layout of a row.

    Attributes
    ----------
    width : int
        Width of the row, px.
    tile : int
        Width of a picture, px; its height is two thirds of that. The kept one is larger.
    sections : tuple of (int, int)
        Of each section the number of its tiles, and the width of its heading, px.
    sentences : tuple of str
        Below the tiles.
    linked : bool
        Whether there is a link below them.
    """

    width: int
    tile: int
    fonts: GroupFonts
    sections: tuple[tuple[int, int], ...]
    sentences: tuple[str, ...]
    linked: bool

    @property
    def right(self) -> int:
        """The right end of the content of a row, px."""
        return self.width - MARGIN

    @property
    def _pair(self) -> bool:
        return sum(count for count, _ in self.sections) == 1

    @cached_property
    def kept(self) -> QRect:
        """The rectangle of the kept picture."""
        wide = round(self.tile * (_ALONE if self._pair else _LARGE))
        return QRect(MARGIN, MARGIN, wide, wide * 2 // 3)

    @property
    def step(self) -> int:
        """The height of a line of tiles, px."""
        return self.fonts.line + _AIR + self.tile * 2 // 3 + 6 + 3 * self.fonts.line + GAP

    @cached_property
    def _places(self) -> tuple[list[QPoint], list[QRect], QPoint]:
        """The headings, the pictures, and the end of the last line."""
        left = self.kept.right() + _BESIDE_KEPT
        x, y = left, MARGIN - 4
        headings: list[QPoint] = []
        boxes: list[QRect] = []
        picture = QSize(self.tile, self.tile * 2 // 3)
        for count, heading in self.sections:
            if boxes:
                x += _APART - GAP
                if x + max(self.tile, min(heading, self.right - left)) > self.right:
                    x, y = left, y + self.step
            headings.append(QPoint(x, y))
            start, line = x, y
            for _ in range(count):
                if x + self.tile > self.right and x > left:
                    x, y = left, y + self.step
                boxes.append(QRect(QPoint(x, y + self.fonts.line + _AIR), picture))
                x += self.tile + GAP
            if y == line:
                x = max(x, start + heading + GAP)
        return headings, boxes, QPoint(x, y)

    @property
    def headings(self) -> list[QPoint]:
        """The places of the headings."""
        return self._places[0]

    @cached_property
    def boxes(self) -> list[QRect]:
        """The rectangles of the pictures, from the top left of the row, the kept one first."""
        return [self.kept, *self._places[1]]

    @cached_property
    def words_box(self) -> QRect:
        """The rectangle of the sentences: below the tiles, or beside a single one."""
        end = self._places[2]
        beside = end.x() + _BESIDE_TILE
        if self._pair and self.right - beside >= grown(_WORDS):
            return QRect(beside, end.y() + self.fonts.line + _AIR, self.right - beside, 2000)
        left = self.kept.right() + _BESIDE_KEPT
        return QRect(left, end.y() + self.step - GAP + 6, self.right - left, 2000)

    @cached_property
    def link_box(self) -> QRect:
        """The rectangle of the link; empty without one."""
        said = sum(self.fonts.height(one, self.words_box.width()) for one in self.sentences)
        return QRect(
            self.words_box.left(), self.words_box.top() + said, self.words_box.width(), self.fonts.line * self.linked
        )

    def link_contains(self, point: QPoint) -> bool:
        """Return whether a point is on the link, as far as its words reach."""
        room = QRect(self.link_box.topLeft(), QSize(grown(_LINK), self.link_box.height()))
        return self.linked and room.contains(point)

    @cached_property
    def height(self) -> int:
        """The height of the row, px."""
        words = self.link_box.top() + self.link_box.height() + 5 + self.fonts.line + 4
        tiles = self._places[2].y() + self.step - GAP
        kept = self.kept.bottom() + 6 + 4 * self.fonts.line
        return max(words, tiles, kept) + MARGIN - 6

    def at(self, point: QPoint) -> int:
        """Return the tile at a point; -1 for none."""
        for place, box in enumerate(self.boxes):
            if box.adjusted(0, 0, 0, (4 if place == 0 else 3) * self.fonts.line + 6).contains(point):
                return place
        return -1


class RowHeights:
    """The heights of many rows at once: :attr:`GroupLayout.height`, by arithmetic over all their shapes."""

    def __init__(self, shapes: Sequence[GroupShape]) -> None:
        different: dict[GroupShape, int] = {}
        self._shape = np.array([different.setdefault(one, len(different)) for one in shapes], np.int64)
        self._counts = np.array([one.counts for one in different], np.int64).reshape(-1, len(SectionKind))
        numbers: dict[str, int] = {"": 0}
        self._headings, self._sentences = (
            np.array([[numbers.setdefault(words, len(numbers)) for words in some] for some in texts], np.int64)
            for texts in ([one.headings for one in different], [one.sentences for one in different])
        )
        self._texts = list(numbers)
        self._linked = np.array([one.linked for one in different], np.bool_)

    def of(self, width: int, tile: int, font: QFont) -> Int64Rows:
        """Return the height of each row, (n,), px.

        Parameters
        ----------
        width, tile : int
            Widths of a row and of a picture, px.
        """
        if not len(self._counts):
            return np.empty(0, np.int64)
        fonts = GroupFonts.of(font)
        base, right = GroupLayout(width, tile, fonts, (), (), False), width - MARGIN
        pair = self._counts.sum(axis=1) == 1
        alone, several = (round(tile * one) for one in (_ALONE, _LARGE))
        kept = np.where(pair, alone, several)
        left = MARGIN + kept - 1 + _BESIDE_KEPT
        x, y = self._ends(left, right, tile, base.step, fonts)
        beside = pair & (right - x - _BESIDE_TILE >= grown(_WORDS))
        room = np.where(beside, right - x - _BESIDE_TILE, right - left)
        top = np.where(beside, y + fonts.line + _AIR, y + base.step - GAP + 6)
        words = top + self._said(room, fonts) + fonts.line * self._linked + 5 + fonts.line + 4
        pictures = MARGIN + kept * 2 // 3 - 1 + 6 + 4 * fonts.line
        heights = np.maximum(np.maximum(words, y + base.step - GAP), pictures) + MARGIN - 6
        return np.asarray(heights[self._shape])

    def _ends(
        self, left: Int64Rows, right: int, tile: int, step: int, fonts: GroupFonts
    ) -> tuple[Int64Rows, Int64Rows]:
        """Return where the last line of tiles of each row ends, px."""
        x, y, before = left, np.full(len(left), MARGIN - 4), np.zeros(len(left), np.bool_)
        advance, a_line = tile + GAP, np.maximum((right - tile - left) // (tile + GAP) + 1, 1)
        for count, number in zip(self._counts.T, self._headings.T, strict=True):
            here = count > 0
            used = np.unique(number)
            widths = np.zeros(len(self._texts), np.int64)
            widths[used] = [fonts.heading_width(self._texts[one]) if one else 0 for one in used.tolist()]
            heading = widths[number]
            start = np.where(here & before, x + _APART - GAP, x)
            wrapped = here & before & (start + np.maximum(tile, np.minimum(heading, right - left)) > right)
            start, y = np.where(wrapped, left, start), np.where(wrapped, y + step, y)
            first = np.minimum(count, np.maximum((right - tile - start) // advance + 1, start == left))
            lines = -(-(count - first) // a_line)
            last = count - first - (lines - 1) * a_line
            end = np.where(lines > 0, left + last * advance, np.maximum(start + first * advance, start + heading + GAP))
            x, y, before = np.where(here, end, x), y + lines * step, before | here
        return x, y

    def _said(self, room: Int64Rows, fonts: GroupFonts) -> Int64Rows:
        """Return the height of the sentences of each row in its room; only those that are wrapped are laid out."""
        used = np.unique(self._sentences)
        fits, high = np.zeros((2, len(self._texts)), np.int64)
        fits[used] = [fonts.fits(self._texts[one]) for one in used.tolist()]
        high[used] = [fonts.height(self._texts[one], _ENDLESS) if one else 0 for one in used.tolist()]
        found = np.zeros(len(room), np.int64)
        for number in self._sentences.T:
            heights = high[number]
            for row in np.flatnonzero((number > 0) & (fits[number] > room)).tolist():
                heights[row] = fonts.height(self._texts[int(number[row])], int(room[row]))
            found += heights
        return found
