"""Feet of the columns: the course of each search, or the ranks of the highlighted photograph and its bits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.compare.board_layout import PAD, ShownColumn, column_rects
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import Theme, grown, theme
from twinlens.app.language.texts import _, text
from twinlens.app.language.texts import number as figure

HEIGHT = 124
_STEP = 27
_BITS_HEIGHT = 32
_PITCHES = (8, 7, 6, 5, 4, 3, 2, 1)


class CompareFoot(QWidget):
    """Line of boxes, each below its column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(grown(HEIGHT))
        self._columns: Sequence[ShownColumn] = ()
        self._margin = 0
        self._lit = -1

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the one height."""
        return QSize(480, HEIGHT)

    def show_columns(self, columns: Sequence[ShownColumn], margin: int) -> None:
        """Show the course of each column's search."""
        self._columns, self._margin = columns, margin
        self._speak()

    def show_lit(self, photograph_id: int) -> None:
        """Show the ranks of the highlighted photograph in each column; -1 for none."""
        self._lit = photograph_id
        self._speak()

    def _speak(self) -> None:
        said = []
        for column in self._columns:
            lines = self.lit_lines(column) if self._lit >= 0 else [words for words, __ in self.funnel(column)]
            said.append(f"{column.title}: {', '.join(lines)}")
        self.setAccessibleName("; ".join(said))
        self.update()

    def funnel(self, column: ShownColumn) -> list[tuple[str, int]]:
        """Return the steps from all photographs to the results, with the number of photographs at each."""
        one = column.one
        if one is None:
            return []
        result = one.answer
        if one.passing < result.of:
            steps = [(_("{passing} of {of} photos", passing=one.passing, of=result.of), one.passing)]
        else:
            steps = [(_("{passing} photos", passing=one.passing), one.passing)]
        if result.probed:
            counts = {"scanned": result.scanned, "probed": result.probed}
            lists = one.search.startswith("permuted")
            words = (
                _("{scanned} codes at {probed} places of lists", **counts)
                if lists
                else _("{scanned} codes of {probed} buckets", **counts)
            )
            steps.append((words, result.scanned))
        elif result.scanned:
            steps.append((_("{scanned} codes compared", scanned=result.scanned), result.scanned))
        steps.append((_("{looked_at} compared exactly", looked_at=result.looked_at), result.looked_at))
        if one.agreeing is not None:
            first = one.agreeing + len(one.missed)
            if one.missed:
                words = _(
                    "{agreeing} of the true first {first}, {missed} missed",
                    agreeing=one.agreeing,
                    first=first,
                    missed=len(one.missed),
                )
            elif first:
                words = _("all of the true first {first}", first=first)
            else:
                words = _("there is nothing to find")
            steps.append((words, one.agreeing))
        return steps

    def lit_lines(self, column: ShownColumn, narrow: bool = False) -> list[str]:
        """Return the lines about the highlighted photograph: its ranks, its bits, and the rank of its code."""
        if narrow:
            return self._few_words(column)
        standing, one = column.standings.get(self._lit), column.one
        if standing is None or one is None:
            return []
        true = "" if standing.true_rank is None else figure(standing.true_rank)
        if standing.rank is not None and standing.rank == standing.true_rank:
            lines = [_("Rank {rank}, same as exact search", rank=standing.rank)]
        elif standing.rank is not None:
            lines = [_("Rank {rank}, true rank {true}", rank=standing.rank, true=true)]
        elif standing.agrees:
            lines = [_("Missed (true rank {true})", true=true)]
        else:
            lines = [_("Missed (true rank {true})", true=true)] if true else [_("Not in this index")]
        similarity = standing.similarity
        if standing.hamming is None or one.bits is None:
            return (
                lines
                if similarity is None
                else [*lines, _("similarity {similarity:.2f} · no code", similarity=similarity)]
            )
        words = _("{hamming} of {bits} bits differ", hamming=standing.hamming, bits=one.bits)
        if standing.estimate is not None:
            words += _(" ≈ {what} {estimate}", what=one.estimate_of, estimate=_signed(standing.estimate))
        else:
            words += _(" · fewer means more similar")
        lines.append(words)
        if similarity is not None:
            words = _("similarity {similarity:.2f}", similarity=similarity)
            if standing.code_rank is not None:
                words += _(" · rank {code_rank} by its code", code_rank=standing.code_rank)
            lines.append(words)
        return lines

    def _few_words(self, column: ShownColumn) -> list[str]:
        """Return the same lines, short enough for a narrow column."""
        standing, one = column.standings.get(self._lit), column.one
        if standing is None or one is None:
            return []
        true = "–" if standing.true_rank is None else figure(standing.true_rank)
        if standing.rank is None:
            missed = standing.agrees
            lines = [_("Missed, true {true}", true=true) if missed else _("Not found, true {true}", true=true)]
        else:
            lines = [_("Rank {rank}, true {true}", rank=standing.rank, true=true)]
        if standing.hamming is not None and one.bits is not None:
            lines.append(_("{hamming} of {bits} bits differ", hamming=standing.hamming, bits=one.bits))
        if standing.estimate is not None and one.estimate_of:
            lines.append(_("≈ {what} {estimate}", what=one.estimate_of, estimate=_signed(standing.estimate)))
        if standing.similarity is not None:
            lines.append(_("similarity {similarity:.2f}", similarity=standing.similarity))
        return lines

    def event(self, event: QEvent) -> bool:
        """Show the whole text of a box, and the meaning of bits, in a tooltip."""
        if isinstance(event, QHelpEvent):
            boxes = column_rects(self.width() - self._margin, self.height(), len(self._columns))
            place = next((n for n, box in enumerate(boxes) if box.contains(event.pos())), -1)
            if place >= 0:
                column = self._columns[place]
                steps = [words for words, __ in self.funnel(column)]
                said = self.lit_lines(column) if self._lit >= 0 else steps
                tells = "" if column.one is None else text(column.one.bits_tell)
                QToolTip.showText(event.globalPos(), "\n".join(filter(None, [column.title, *said, tells])), self)
                return True
        return super().event(event)

    # --- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint every box."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(now.paper))
        painter.fillRect(0, 0, self.width(), 1, QColor(now.line))
        boxes = column_rects(self.width() - self._margin, self.height(), len(self._columns))
        for number, (box, column) in enumerate(zip(boxes, self._columns, strict=True)):
            if number:
                painter.fillRect(box.left(), 0, 1, self.height(), QColor(now.line))
            room = box.adjusted(PAD, 10, -PAD, -6)
            if self._lit >= 0 and column.standings:
                self._paint_lit(painter, now, room, column)
            else:
                self._paint_funnel(painter, now, room, column)
        painter.end()

    def _paint_funnel(self, painter: QPainter, now: Theme, room: QRect, column: ShownColumn) -> None:
        font = small(self.font(), 0.88)
        steps = self.funnel(column)
        most = max((count for __, count in steps), default=1)
        for number, (words, count) in enumerate(steps):
            last = column.one is not None and column.one.agreeing is not None and number == len(steps) - 1
            top = room.top() + number * grown(_STEP)
            own = strong(font) if last else font
            painter.setFont(own)
            painter.setPen(QColor(now.ink if last else now.quiet))
            shown = QFontMetrics(own).elidedText(words, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(QRect(room.left(), top, room.width(), grown(17)), _LEFT, shown)
            painter.setPen(Qt.PenStyle.NoPen)
            # By logarithms: what is looked at of a million would be nothing else.
            share = math.log1p(count) / math.log1p(most) if most else 0.0
            bar = QRectF(room.left(), top + grown(18), max(2.0, room.width() * share), 3)
            painter.setBrush(QColor(now.accent if last else now.quiet))
            painter.setOpacity(1.0 if last else 0.45)
            painter.drawRoundedRect(bar, 1.5, 1.5)
            painter.setOpacity(1.0)
            if last and column.one is not None and column.one.missed and column.one.agreeing is not None:
                whole = math.log1p(column.one.agreeing + len(column.one.missed)) / math.log1p(most)
                rest = QRectF(bar.right(), bar.top(), max(2.0, room.width() * whole - bar.width()), 3)
                painter.setBrush(QColor(now.warn))
                painter.drawRoundedRect(rest, 1.5, 1.5)

    def _paint_lit(self, painter: QPainter, now: Theme, room: QRect, column: ShownColumn) -> None:
        font = small(self.font(), 0.88)
        lines = self.lit_lines(column)
        fonts = [strong(self.font()), *[font] * len(lines)]
        widths = [QFontMetrics(one).horizontalAdvance(words) for one, words in zip(fonts, lines, strict=False)]
        if max(widths, default=0) > room.width():
            lines = self.lit_lines(column, narrow=True)
        if not lines:
            return
        standing = column.standings[self._lit]
        missed = standing.rank is None
        self._line(painter, room, 0, lines[0], strong(self.font()), QColor(now.warn if missed else now.ink))
        differ = column.differ(self._lit)
        top = grown(24)
        if differ is not None:
            top += (
                _paint_bits(painter, now, QRect(room.left(), room.top() + top, room.width(), _BITS_HEIGHT), differ) + 4
            )
        for words in lines[1:]:
            self._line(painter, room, top, words, font, QColor(now.quiet))
            top += grown(17)

    def _line(self, painter: QPainter, room: QRect, top: int, words: str, font: QFont, colour: QColor) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(QRect(room.left(), room.top() + top, room.width(), grown(20)), _LEFT, shown)


def _paint_bits(painter: QPainter, now: Theme, room: QRect, differ: npt.NDArray[np.bool_]) -> int:
    """Paint a square for each bit, accent where both codes agree, orange where not; return the height."""
    columns, pitch = 1, 1
    for pitch in _PITCHES:
        columns = max(1, room.width() // pitch)
        columns = columns // 8 * 8 or columns
        if -(-len(differ) // columns) * pitch <= room.height():
            break
    rows = -(-len(differ) // columns)
    field = np.zeros(rows * columns, np.uint32)
    same = QColor(now.accent)
    same.setAlphaF(0.55)
    blend = _over(same, QColor(now.paper))
    field[: len(differ)] = np.where(differ, QColor(now.warn).rgba(), blend.rgba())
    image = QImage(field.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
    place = QRect(room.left(), room.top(), columns * pitch, rows * pitch)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    painter.drawImage(place, image)
    if pitch > 2:
        for column in range(1, columns):
            painter.fillRect(place.left() + column * pitch - 1, place.top(), 1, place.height(), QColor(now.paper))
        for row in range(1, rows + 1):
            painter.fillRect(place.left(), place.top() + row * pitch - 1, place.width(), 1, QColor(now.paper))
    return rows * pitch


def _over(colour: QColor, ground: QColor) -> QColor:
    share = colour.alphaF()
    mixed = [
        round(share * above + (1 - share) * below)
        for above, below in zip(colour.getRgb()[:3], ground.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*mixed)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def _signed(value: float) -> str:
    """Return a number with two decimals and a typographic minus."""
    return figure(value, ".2f").replace("-", "−")
