"""Painting of a grid cell: the whole photograph in its well, its caption and its signs."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from twinlens.app.gui.look.theme import Theme
from twinlens.app.gui.marks.mark_controls import Verdict, paint_verdict
from twinlens.app.gui.photo_grid.grid_layout import Caption
from twinlens.app.gui.pictures.photograph import PhotographSigns

_ROUND = 4
_FRAME = 3
_BAR = 3
_CLEAR = 4  # gap below a heading, for the frame of a photograph
_FADED = 0.4
_QUIETER = 0.35  # opacity of the bar of a less certain result
_HALF_GAP = 4  # half the gap between tiles
_SMALL = 0.92


def foot_height(font: QFont, *, bar: bool) -> int:
    """Return the height below a well, px: caption and thin bar."""
    return _words_height(font) + 4 + (_BAR + 1 if bar else 0)


def stack_sign(well: QRect, font: QFont, words: str) -> QRect:
    """Return the place of a stack's sign in the lower left corner of a well."""
    width = QFontMetrics(_sized(font, _SMALL, QFont.Weight.DemiBold)).horizontalAdvance(words) + 18
    return QRect(well.x() + 8, well.y() + well.height() - 30, max(width, 28), 22)


def heading_height(font: QFont) -> int:
    """Return the height of a heading, px."""
    return max(40, QFontMetrics(font).height() + 20)


def _words_height(font: QFont) -> int:
    return max(20, QFontMetrics(_sized(font, _SMALL)).height() + 4)


class GridTile(NamedTuple):
    """A photograph to paint, with its state."""

    pixmap: tuple[QPixmap, float] | None
    unreadable: bool
    caption: Caption | None
    away: bool
    selected: bool
    current: bool
    verdict: Verdict | None = None
    signs: PhotographSigns | None = None


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class GridCellPainter:
    """Painter of tiles and headings in the colours of one theme.

    Parameters
    ----------
    marked : str
        The word on the query photograph.
    """

    def __init__(self, painter: QPainter, colours: Theme, font: QFont, marked: str) -> None:
        self._painter = painter
        self._marked = marked
        self._colours = colours
        self._ground, self._well = QColor(colours.ground), QColor(colours.well)
        self._line, self._ink, self._quiet = QColor(colours.line), QColor(colours.ink), QColor(colours.quiet)
        self._accent, self._paper, self._warn = QColor(colours.accent), QColor(colours.paper), QColor(colours.warn)
        self._chosen = _mixed(self._well, self._accent, 0.3)
        self._font = font
        self._small = _sized(font, _SMALL)
        self._small_bold = _sized(font, _SMALL, QFont.Weight.DemiBold)
        self._bold = _sized(font, 1.0, QFont.Weight.DemiBold)
        self._words_height = _words_height(font)
        self._small_metrics = QFontMetrics(self._small)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)

    def tile(self, well: QRect, tile: GridTile) -> None:
        """Paint a photograph in its well, its caption and its frame."""
        caption = tile.caption
        ghost = caption is not None and caption.ghost
        self._fill(QRectF(well), self._chosen if tile.selected else self._well, _ROUND)
        if tile.pixmap is not None:
            rejected = tile.signs is not None and tile.signs.pick < 0
            self._photograph(well, *tile.pixmap, _FADED if tile.away or ghost or rejected else 1.0)
        elif tile.unreadable:
            self._no_picture(well)
        if tile.signs is not None and tile.signs.film:
            self._film(well, tile.signs.film)
        if tile.away:
            self._away(well)
        if caption is not None:
            self._signs(well, caption)
        if tile.signs is not None and (noted := tile.signs.text()):
            self._noted(well, noted, lower=caption is not None and caption.marked)
        if tile.verdict is not None:
            corner = QPointF(well.x() + well.width() - 17.0, well.y() + well.height() - 17.0)
            paint_verdict(self._painter, corner, tile.verdict, self._colours)
        if tile.selected:
            self._frame(well, QPen(self._accent, _FRAME))
        elif ghost:
            self._frame(well, QPen(self._warn, 1.5, Qt.PenStyle.DashLine))
        elif caption is not None and caption.marked:
            self._frame(well, QPen(self._accent, 1.5))
        if tile.current:
            self._ring(well, selected=tile.selected)

    def _signs(self, well: QRect, caption: Caption) -> None:
        """Paint the words below a photograph, and the signs on it."""
        if caption.edge:
            self._edge(well)
        self._words(well, caption)
        if caption.marked:
            self._mark(well)
        elif caption.confirmed:
            self._confirmed(well)
        if caption.stack:
            self._stack(well, caption.stack)

    def heading(self, band: QRect, words: str, number: str, *, stuck: bool) -> None:
        """Paint a heading over the whole width; on ground, with a hairline, where photographs pass under it."""
        painter = self._painter
        band = band.adjusted(0, 0, 0, -_CLEAR)
        if stuck:
            painter.fillRect(band, self._ground)
            painter.fillRect(QRect(band.left(), band.bottom(), band.width(), 1), self._line)
        painter.setFont(self._bold)
        painter.setPen(self._ink)
        metrics = QFontMetrics(self._bold)
        words = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, band.width() - 120)
        painter.drawText(band.adjusted(16, 0, -16, 0), _LEFT, words)
        painter.setFont(self._small)
        painter.setPen(self._quiet)
        painter.drawText(band.adjusted(28 + metrics.horizontalAdvance(words), 0, -16, 0), _LEFT, number)

    def sign(self, right: int, middle: int, limits: tuple[int, int], words: str) -> None:
        """Paint the place of a dragged scroll bar: a text in a pill, left of the bar."""
        metrics = QFontMetrics(self._bold)
        width, height = metrics.horizontalAdvance(words) + 32, 32
        top = min(max(middle - height // 2, limits[0]), limits[1] - height)
        pill = QRectF(right - width, top, width, height)
        self._fill(pill, self._ink, height / 2)
        self._painter.setFont(self._bold)
        self._painter.setPen(self._paper)
        self._painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def band(self, band: QRect) -> None:
        """Paint the rubber band."""
        fill = QColor(self._accent)
        fill.setAlphaF(0.14)
        self._painter.setBrush(fill)
        self._painter.setPen(QPen(self._accent, 1))
        self._painter.drawRect(QRectF(band).adjusted(0.5, 0.5, -0.5, -0.5))

    def _fill(self, area: QRectF, colour: QColor, radius: float) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawRoundedRect(area, radius, radius)

    def _photograph(self, well: QRect, pixmap: QPixmap, stretch: float, opacity: float) -> None:
        painter = self._painter
        painter.setOpacity(opacity)
        size = pixmap.deviceIndependentSize()
        spills = max(size.width(), size.height()) * stretch / well.width()
        if spills > 1 + 1 / well.width():  # made for larger tiles, and painted before it is made again
            stretch /= spills
        if stretch == 1.0:  # on whole pixels, to stay sharp
            left, top = (well.width() - size.width()) // 2, (well.height() - size.height()) // 2
            painter.drawPixmap(QPointF(well.x() + left, well.y() + top), pixmap)
        else:
            place = QRectF(QPointF(0, 0), size * stretch)
            place.moveCenter(QRectF(well).center())
            painter.drawPixmap(place, pixmap, QRectF(pixmap.rect()))
        painter.setOpacity(1.0)

    def _words(self, well: QRect, caption: Caption) -> None:
        painter = self._painter
        room = QRect(well.x() + 2, well.bottom() + 3, well.width() - 4, self._words_height)
        painter.setFont(self._small)
        painter.setPen(self._warn if caption.ghost else self._quiet)
        if caption.right:
            painter.drawText(room, _RIGHT, caption.right)
        painter.setFont(self._small if caption.quiet else self._small_bold)
        painter.setPen(self._warn if caption.ghost else self._quiet if caption.quiet else self._ink)
        taken = self._small_metrics.horizontalAdvance(caption.right) + 8 if caption.right else 0
        metrics = QFontMetrics(self._small_bold)
        left = metrics.elidedText(caption.left, Qt.TextElideMode.ElideMiddle, room.width() - taken)
        painter.drawText(room, _LEFT, left)
        if caption.share is not None:
            bar = QRectF(well.x(), room.bottom() + 2, well.width(), _BAR)
            self._fill(bar, self._line, _BAR / 2)
            bar.setWidth(well.width() * min(max(caption.share, 0.0), 1.0))
            painter.setOpacity(_QUIETER if caption.quiet else 1.0)
            self._fill(bar, self._warn if caption.ghost else self._accent, _BAR / 2)
            painter.setOpacity(1.0)

    def _edge(self, well: QRect) -> None:
        """Paint the line below which results are less certain, with the flag of the histogram."""
        x = well.x() - _HALF_GAP
        painter = self._painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._accent, 1.2, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, well.y()), QPointF(x, well.bottom() + 3 + self._words_height))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._accent)
        painter.drawPolygon(QPolygonF([QPointF(x, well.y() - 4), QPointF(x - 6, well.y()), QPointF(x, well.y() + 4)]))

    def _mark(self, well: QRect) -> None:
        metrics = QFontMetrics(self._small_bold)
        width = min(metrics.horizontalAdvance(self._marked) + 16, well.width() - 16)
        pill = QRectF(well.x() + 8, well.y() + 8, width, 20)
        self._fill(pill, self._accent, 10)
        self._painter.setFont(self._small_bold)
        self._painter.setPen(self._paper)
        self._painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self._marked)

    def _noted(self, well: QRect, words: str, *, lower: bool) -> None:
        """Paint stars and the like in a pill in the upper left corner, or below the word on the query."""
        width = min(self._small_metrics.horizontalAdvance(words) + 14, well.width() - 16)
        pill = QRectF(well.x() + 6, well.y() + (32 if lower else 6), width, self._words_height)
        fill = QColor(0, 0, 0, 150)
        self._fill(pill, fill, pill.height() / 2)
        self._painter.setFont(self._small)
        self._painter.setPen(Qt.GlobalColor.white)
        self._painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def _stack(self, well: QRect, words: str) -> None:
        """Paint the number of photographs in a stack: a pill with a ring, as a button."""
        pill = QRectF(stack_sign(well, self._font, words))
        self._fill(pill.adjusted(-1.5, -1.5, 1.5, 1.5), self._paper, pill.height() / 2 + 1.5)
        self._fill(pill, self._ink, pill.height() / 2)
        self._painter.setFont(self._small_bold)
        self._painter.setPen(self._paper)
        self._painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def _film(self, well: QRect, length: str) -> None:
        """Paint the sign of a film: a triangle, and its length."""
        width = self._small_metrics.horizontalAdvance(length) + 28
        pill = QRectF(well.x() + 8, well.bottom() - 27, min(width, well.width() - 16), 20)
        self._fill(pill, self._ink, 10)
        painter = self._painter
        painter.setBrush(self._paper)
        left, middle = pill.x() + 9, pill.center().y()
        painter.drawPolygon(
            QPolygonF([QPointF(left, middle - 4), QPointF(left, middle + 4), QPointF(left + 7, middle)])
        )
        painter.setFont(self._small)
        painter.setPen(self._paper)
        painter.drawText(pill.adjusted(20, 0, -4, 0), _LEFT, length)

    def _confirmed(self, well: QRect) -> None:
        """Paint a tick on a small disc, in a pale ring that stands out on any photograph."""
        middle = QPointF(well.x() + well.width() - 17.0, well.y() + 17.0)
        self._painter.setPen(QPen(self._paper, 1.5))
        self._painter.setBrush(self._accent)
        self._painter.drawEllipse(middle, 10, 10)
        cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        self._painter.setPen(QPen(self._paper, 2, Qt.PenStyle.SolidLine, cap, join))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        tick = ((-4.2, 0.3), (-1.2, 3.3), (4.4, -3.2))
        self._painter.drawPolyline([middle + QPointF(x, y) for x, y in tick])

    def _away(self, well: QRect) -> None:
        """Paint the sign of an ejected disk, so that the grey is not the only sign."""
        x, y = well.x() + 10.0, well.bottom() - 22.0
        disc = QRectF(x - 2, y - 2, 16, 16)
        self._fill(disc.adjusted(-2, -2, 2, 2), self._well, 10)
        sign = QPainterPath(QPointF(x + 6, y))
        sign.lineTo(x + 12, y + 7)
        sign.lineTo(x, y + 7)
        sign.closeSubpath()
        sign.addRect(QRectF(x, y + 9, 12, 2))
        self._painter.setBrush(self._quiet)
        self._painter.drawPath(sign)

    def _no_picture(self, well: QRect) -> None:
        """Paint the outline of a picture, crossed."""
        painter = self._painter
        outline = QRectF(0, 0, 32, 24)
        outline.moveCenter(QRectF(well).center())
        painter.setPen(QPen(self._quiet, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(outline, 3, 3)
        painter.drawLine(outline.bottomLeft() + QPointF(-4, 4), outline.topRight() + QPointF(4, -4))

    def _frame(self, well: QRect, pen: QPen) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(pen)
        self._painter.drawRoundedRect(QRectF(well).adjusted(-2, -2, 2, 2), _ROUND + 2, _ROUND + 2)

    def _ring(self, well: QRect, *, selected: bool) -> None:
        """Paint the current one: light and dark inside the frame of a selected photograph, else around the well."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for inset, colour in ((1.0, self._paper), (3.0, self._ink)) if selected else ((-2.0, self._ink),):
            self._painter.setPen(QPen(colour, 2))
            area = QRectF(well).adjusted(inset, inset, -inset, -inset)
            self._painter.drawRoundedRect(area, _ROUND - inset / 2, _ROUND - inset / 2)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour with a share of another one."""
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round((1 - share) * a + share * b) for a, b in pairs))


def _sized(font: QFont, factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    other = QFont(font)
    if font.pixelSize() > 0:
        other.setPixelSize(max(9, round(font.pixelSize() * factor)))
    else:
        other.setPointSizeF(max(7.0, font.pointSizeF() * factor))
    other.setWeight(weight)
    return other
