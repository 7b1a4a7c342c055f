"""Painting of a chart's axes, names, markers, words and rings."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.gui.charts.chart_plan import LINE, SWATCH, Name, Plan
from app.gui.charts.plot_items import joined, marked, pen_of, ramp, symbol_of
from app.gui.charts.tick_text import tick_text
from app.gui.look.theme import DARK, theme
from app.lab.figures.extent import scaled
from app.lab.figures.figure import Figure, Kind, Series
from app.lab.figures.palette import colour, inks
from app.lab.figures.placed_words import Words

_SMALL = 11  # pixels of the letters
_RAMP = 60.0  # pixels of the colours of a density
_RING = 7.5
_LEADING = 0.45  # how much of the ink the lines get that lead to what words name
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def dark() -> bool:
    """Return whether the window is dark."""
    return theme() is DARK


def ink_of(place: int) -> QColor:
    """Return the colour of a place in the palette."""
    return QColor(colour(place, dark()))


def _thin(ink: QColor) -> QColor:
    """Return a colour for lines that lead from words to what they name."""
    thin = QColor(ink)
    thin.setAlphaF(_LEADING)
    return thin


class Painting:
    """Paints in the small letters of a chart.

    Parameters
    ----------
    font : QFont
        Of the window.
    """

    def __init__(self, font: QFont) -> None:
        self._font = QFont(font)
        self._font.setPixelSize(_SMALL)
        self._metrics = QFontMetricsF(self._font)

    def width_of(self, words: str) -> float:
        """Return how wide words are."""
        return self._metrics.horizontalAdvance(words)

    def words_alone(self, painter: QPainter, where: QRect, words: str) -> None:
        """Show why there is no chart."""
        painter.setFont(self._font)
        painter.setPen(QColor(theme().quiet))
        wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(where.adjusted(20, 0, -20, 0), wrap, words)

    # --- below -------------------------------------------------------------------------------------------------------

    def axes(self, painter: QPainter, made: Plan, figure: Figure, width: float) -> None:
        """Paint the grid, ticks and what the axes count."""
        ink, box = inks(dark()), made.plot
        grid, quiet = QPen(QColor(ink.grid), 1), QColor(ink.quiet)
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        right, bottom = box.left + box.width, box.top + box.height
        for tick in made.y_ticks:
            painter.setPen(grid)
            painter.drawLine(QPointF(round(box.left), round(tick.at)), QPointF(round(right), round(tick.at)))
            painter.setPen(quiet)
            where = QRectF(0, tick.at - LINE / 2, box.left - 8, LINE)
            painter.drawText(where, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick.words)
        crossed = figure.kind is Kind.POINTS or figure.equal or figure.density is not None
        for tick in made.x_ticks:
            painter.setPen(grid)
            end = box.top if crossed else bottom
            painter.drawLine(QPointF(round(tick.at), round(bottom) + 3), QPointF(round(tick.at), round(end)))
            painter.setPen(quiet)
            where = QRectF(tick.at - 60, bottom + 5, 120, LINE)
            painter.drawText(where, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, tick.words)
        painter.setPen(grid)
        painter.drawLine(QPointF(round(box.left), round(bottom)), QPointF(round(right), round(bottom)))
        painter.setPen(quiet)
        words = self._elided(figure.x.words, width - 8)
        wide = self.width_of(words)
        across = min(max(box.left + box.width / 2 - wide / 2, 2), width - wide - 2)
        painter.drawText(QRectF(across, bottom + LINE + 8, wide + 4, LINE), _MIDDLE, words)
        painter.drawText(QRectF(2, 0, width - 4, LINE), _MIDDLE, self._elided(figure.y.words, width - 4))

    def _elided(self, words: str, width: float) -> str:
        return self._metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)

    # --- above -------------------------------------------------------------------------------------------------------

    def over(self, painter: QPainter, made: Plan, figure: Figure, pointed: int | None) -> None:
        """Paint lines across, words in the plot, and names; that of the series that is pointed at is bold."""
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._lines(painter, made, figure)
        if figure.density is not None:
            self._scale(painter, made, figure)
        for words in (*made.lines, *made.labels):
            self._words(painter, words)
        for name in made.names:
            self._name(painter, name, figure.series[name.series], made, name.series == pointed)

    def ring(self, painter: QPainter, where: QPointF, place: int, width: float) -> None:
        """Paint a ring around a point."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(theme().paper), width + 2), QPen(ink_of(place), width)):
            painter.setPen(pen)
            painter.drawEllipse(where, _RING, _RING)

    def _lines(self, painter: QPainter, made: Plan, figure: Figure) -> None:
        box = made.plot
        right, bottom = box.left + box.width, box.top + box.height
        for marker in figure.markers:
            pen = QPen(ink_of(marker.place), 1.1)
            pen.setDashPattern([3, 2.4])
            painter.setPen(pen)
            if marker.vertical:
                at = float(made.at_x(scaled(marker.at, figure.x)))
                if box.left - 0.5 <= at <= right + 0.5:
                    painter.drawLine(QPointF(at, box.top), QPointF(at, bottom))
            else:
                at = float(made.at_y(scaled(marker.at, figure.y)))
                if box.top - 0.5 <= at <= bottom + 0.5:
                    painter.drawLine(QPointF(box.left, at), QPointF(right, at))

    def _scale(self, painter: QPainter, made: Plan, figure: Figure) -> None:
        """Paint what the colours of a density mean, above the plot at its right."""
        assert figure.density is not None
        weight = np.asarray(figure.density.weight, np.float64)
        most = float(weight.max(initial=0))
        if most <= 0:
            return
        least = float(weight[weight > 0].min())
        words = f"{tick_text(most)} {figure.density.unit}".strip()
        right = made.plot.left + made.plot.width
        wide, before = self.width_of(words), self.width_of(tick_text(least))
        left = right - wide - _RAMP - before - 10
        if left < self.width_of(figure.y.words) + 16:
            return
        shades = ramp(np.linspace(least, most, int(_RAMP))[None], dark())[0]
        for step, shade in enumerate(shades.tolist()):
            painter.fillRect(QRectF(left + before + 5 + step, 4, 1.5, LINE - 7), QColor(*shade))
        painter.setPen(QColor(inks(dark()).quiet))
        painter.drawText(QRectF(left, 0, before + 2, LINE), _MIDDLE, tick_text(least))
        painter.drawText(QRectF(right - wide, 0, wide + 2, LINE), _MIDDLE, words)

    def _words(self, painter: QPainter, words: Words) -> None:
        """Write words on a veil of the paper, so that what lies below does not cross them."""
        veil = QColor(theme().paper)
        veil.setAlpha(205)
        where = QRectF(*words.box)
        if words.lead is not None:
            painter.setPen(QPen(_thin(ink_of(words.place)), 0.8))
            painter.drawLine(QPointF(words.lead.x, words.lead.y), QPointF(words.lead.to_x, words.lead.to_y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        painter.drawRoundedRect(where.adjusted(-1, 1, 1, -1), 2, 2)
        painter.setPen(ink_of(words.place))
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, words.words)

    def _name(self, painter: QPainter, name: Name, one: Series, made: Plan, pointed: bool) -> None:
        ink, middle = ink_of(one.place), name.middle
        if name.end is not None:
            painter.setPen(QPen(_thin(ink), 0.8))
            start = min(name.end[0], made.plot.left + made.plot.width) + 4
            corners = [(start, name.end[1]), (name.left - 9, middle), (name.left - 4, middle)]
            painter.drawPolyline([QPointF(*corner) for corner in corners])
        if joined(one):
            painter.setPen(pen_of(one, dark()))
            painter.drawLine(QPointF(name.left, middle), QPointF(name.left + SWATCH, middle))
        if marked(one) or not joined(one):
            self._mark(painter, QPointF(name.left + SWATCH / 2, middle), one)
        font = QFont(self._font)
        font.setBold(pointed)
        painter.setFont(font)
        painter.setPen(ink)
        top = middle - LINE * len(name.lines) / 2
        for number, line in enumerate(name.lines):
            painter.drawText(QRectF(name.left + SWATCH + 5, top + number * LINE, 4_000, LINE), _MIDDLE, line)
        painter.setFont(self._font)

    def _mark(self, painter: QPainter, where: QPointF, one: Series) -> None:
        painter.save()
        painter.translate(where)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_of(one.place))
        if one.kind is Kind.BARS:
            painter.drawRect(QRectF(-5, -5, 10, 10))
        else:
            painter.scale(_RING, _RING)
            painter.drawPath(pg.graphicsItems.ScatterPlotItem.Symbols[symbol_of(one)])
        painter.restore()
