"""The panel of what a metric weighs more and less: colours, parts or photographs, each with a bar."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.gui.learn.headline import section
from app.gui.learn.learn_facts import Meaning, Picture, Weight
from app.gui.look.page_parts import label
from app.gui.look.sentences import small
from app.gui.look.theme import theme
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, number

MOST = 6
"""Rows of each kind at most."""

_ROW = 28
_TALL_ROW = 52  # with photographs
_TILE = QSize(56, 42)
_GAP = 32
_FACTOR_PX = 48


class WeightBars(QWidget):
    """Two columns of bars: what counts more, and what counts less."""

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self._more: tuple[Weight, ...] = ()
        self._less: tuple[Weight, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        thumbnails.came.connect(self.update)
        self._fit()

    def show_weights(self, weights: tuple[Weight, ...]) -> None:
        """Show what weighs what."""
        ordered = sorted(weights, key=lambda one: -one.factor)
        self._more = tuple(one for one in ordered if one.factor > 1)[:MOST]
        self._less = tuple(one for one in reversed(ordered) if one.factor <= 1)[:MOST]
        self._thumbnails.want(
            one.content for weight in weights for one in (*weight.pictures, *weight.others) if one.content
        )
        self._fit()
        told = [f"{one.name} × {factor_text(one.factor)}".strip() for one in (*self._more, *self._less)]
        self.setAccessibleDescription(", ".join(told))
        self.update()

    def weights(self) -> tuple[Weight, ...]:
        """Return what is shown."""
        return (*self._more, *self._less)

    def _row(self) -> int:
        return _TALL_ROW if any(one.pictures for one in self.weights()) else _ROW

    def _fit(self) -> None:
        rows = max(len(self._more), len(self._less))
        self.setFixedHeight(rows * self._row() + (22 if rows else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Use the width."""
        super().resizeEvent(event)
        self.update()

    def _columns(self) -> list[tuple[QRectF, tuple[Weight, ...]]]:
        width = (self.width() - _GAP) / 2
        boxes = (QRectF(0, 0, width, self.height()), QRectF(width + _GAP, 0, width, self.height()))
        return list(zip(boxes, (self._more, self._less), strict=True))

    def _at(self, where: QPointF) -> Weight | None:
        for box, weights in self._columns():
            row = int((where.y() - 22) // self._row())
            if box.left() <= where.x() <= box.right() and 0 <= row < len(weights):
                return weights[row]
        return None

    def event(self, event: QEvent) -> bool:
        """Say of a bar what it is."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            one = self._at(QPointF(event.pos()))
            if one is not None:
                QToolTip.showText(event.globalPos(), self._spoken(one), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _spoken(self, one: Weight) -> str:
        words = _(
            "{name}: counts {factor_text} times as much as before", name=one.name, factor_text=factor_text(one.factor)
        )
        names = ", ".join(picture.name for picture in (*one.pictures, *one.others))
        return f"{words}\n{names}" if names else words

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw both columns."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A bar is full at twice or half the weight, or at what is stronger: small changes are seen to be small.
        strongest = max((abs(math.log(max(one.factor, 1e-3))) for one in self.weights()), default=0.0)
        strongest = max(strongest, math.log(2))
        names = (_("counts more"), _("counts less"))
        for (box, weights), name in zip(self._columns(), names, strict=True):
            if not weights:
                continue
            painter.setFont(small(self.font()))
            painter.setPen(QColor(theme().quiet))
            painter.drawText(QRectF(box.left(), 0, box.width(), 18), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(self.font())
            for row, one in enumerate(weights):
                line = QRectF(box.left(), 22 + row * self._row(), box.width(), self._row())
                self._draw(painter, line, one, abs(math.log(max(one.factor, 1e-3))) / strongest)
        painter.end()

    def _draw(self, painter: QPainter, line: QRectF, one: Weight, share: float) -> None:
        now, metrics = theme(), QFontMetrics(self.font())
        left = line.left()
        middle = line.center().y()
        if one.colour is not None:
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(*one.colour))
            painter.drawRoundedRect(QRectF(left + 0.5, middle - 9.5, 27, 19), 4, 4)
            left += 36
        elif one.pictures:
            left = self._pictures(painter, line, one, left)
        right = line.right() - _FACTOR_PX
        if one.name and not one.pictures:
            room = min(max(60.0, (right - left) * 0.5), 170.0)
            words = metrics.elidedText(one.name, Qt.TextElideMode.ElideRight, int(room))
            painter.setPen(QColor(now.ink))
            painter.drawText(QRectF(left, line.top(), room, line.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += room + 8
        bar = QRectF(left, middle - 3, max(8.0, right - left), 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(QColor(now.accent if one.factor > 1 else now.quiet))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(6.0, bar.width() * share), 6), 3, 3)
        painter.setPen(QColor(now.quiet))
        words = f"× {factor_text(one.factor)}"
        box = QRectF(right, line.top(), _FACTOR_PX, line.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)

    def _pictures(self, painter: QPainter, line: QRectF, one: Weight, left: float) -> float:
        """Draw photographs of one end, and after an arrow of the other; no more than half of the row."""
        side = 2 if one.others else 3
        room = max(1, int(line.width() * 0.55 - (20 if one.others else 0)) // (_TILE.width() + 4))
        side = max(1, min(side, room // 2 if one.others else room))
        for place, group in enumerate((one.pictures[:side], one.others[:side])):
            if place and group:
                painter.setPen(QColor(theme().quiet))
                box = QRectF(left, line.top(), 20, line.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "↔")
                left += 22
            for picture in group:
                self._picture(painter, picture, QPointF(left, line.center().y() - _TILE.height() / 2))
                left += _TILE.width() + 4
        return left + 8

    def _picture(self, painter: QPainter, picture: Picture, where: QPointF) -> None:
        pixmap = self._thumbnails.pixmap(picture.content, filling(_TILE, self.devicePixelRatioF()))
        if pixmap is not None:
            painter.drawPixmap(where, pixmap)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme().well))
        painter.drawRoundedRect(QRectF(where.x(), where.y(), _TILE.width(), _TILE.height()), 4, 4)


class MeaningView(QWidget):
    """The bars under one sentence."""

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.bars = WeightBars(thumbnails)
        self._sentence = label("", "quiet", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(section(_("What is weighed")))
        column.addWidget(self._sentence)
        column.addWidget(self.bars)
        self.hide()

    def show_meaning(self, meaning: Meaning | None) -> None:
        """Show what a metric weighs; nothing where none is learned."""
        self.setVisible(meaning is not None)
        if meaning is not None:
            self._sentence.setText(meaning.sentence)
            self.bars.show_weights(meaning.weights)

    def sentence(self) -> str:
        """Return the sentence."""
        return self._sentence.text()


def factor_text(factor: float) -> str:
    """Write a factor.

    Examples
    --------
    >>> [factor_text(one) for one in (12.3, 3.84, 1.04, 0.4, 0.031)]
    ['12', '3.84', '1.04', '0.40', '0.03']
    """
    return number(factor, ",.0f" if factor >= 9.995 else ".2f")
