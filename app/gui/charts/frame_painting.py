"""Painting of what is around the data of a chart: axes, lines across, words, names, and rings around points."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.gui.charts.chart_plan import LINE, SWATCH, ChartPlan, CurveName
from app.gui.charts.data_painting import density_ramp, ink_of, is_dark, is_joined, is_marked, pen_of
from app.gui.charts.marks import mark_path, paint_marks
from app.gui.charts.tick_text import tick_text
from app.gui.look.theme import theme
from app.lab.figures.figure import Density, FigureKind
from app.lab.figures.palette import figure_colours
from app.lab.figures.placed_words import PlacedLabel

_SMALL = 11  # pixels of the letters
_RAMP = 60.0  # pixels of the colours of a density
_RING = 7.5
_LEGEND_MARK = 7.5
_BARS = 5.0  # half the square that stands for bars
_LEADING = 0.45  # how much of the ink the lines get that lead to what words name
_VEIL = 0.8  # how much of the paper words get, so that what lies below does not cross them
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_CENTRE = Qt.AlignmentFlag.AlignCenter


class FramePainting:
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

    def words_alone(self, painter: QPainter, where: QRectF, words: str) -> None:
        """Show why there is no chart."""
        painter.setFont(self._font)
        painter.setPen(QColor(theme().quiet))
        painter.drawText(where.adjusted(20, 0, -20, 0), _CENTRE | Qt.TextFlag.TextWordWrap, words)

    def axes(self, painter: QPainter, made: ChartPlan, width: float) -> None:
        """Paint the grid, ticks and what the axes count."""
        figure, ink = made.figure, figure_colours(is_dark())
        grid, quiet = QPen(QColor(ink.grid), 1), QColor(ink.quiet)
        box = QRectF(*made.plot)
        left, right, top, bottom = (round(one) for one in (box.left(), box.right(), box.top(), box.bottom()))
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(grid)
        painter.drawLine(left, bottom, right, bottom)
        crossed = figure.kind is FigureKind.POINTS or figure.equal or figure.density is not None
        for tick in made.x_ticks:
            painter.drawLine(round(tick.at), bottom + 3, round(tick.at), top if crossed else bottom)
        for tick in made.y_ticks:
            painter.drawLine(left, round(tick.at), right, round(tick.at))
        painter.setPen(quiet)
        for tick in made.x_ticks:
            painter.drawText(QRectF(tick.at - 60, bottom + 5, 120, LINE), _CENTRE, tick.words)
        for tick in made.y_ticks:
            painter.drawText(QRectF(0, tick.at - LINE / 2, box.left() - 8, LINE), _RIGHT, tick.words)
        words = self._metrics.elidedText(figure.x.words, Qt.TextElideMode.ElideRight, width - 8)
        wide = self.width_of(words)
        across = min(max(box.center().x() - wide / 2, 2), width - wide - 2)
        painter.drawText(QRectF(across, bottom + LINE + 8, wide + 4, LINE), _LEFT, words)
        words = self._metrics.elidedText(figure.y.words, Qt.TextElideMode.ElideRight, width - 4)
        painter.drawText(QRectF(2, 0, width - 4, LINE), _LEFT, words)

    def words(self, painter: QPainter, made: ChartPlan) -> None:
        """Paint lines across, what they and points say, and what the colours of a density mean."""
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._lines(painter, made)
        if made.figure.density is not None:
            self._scale(painter, made, made.figure.density)
        for words in (*made.lines, *made.labels):
            self._words(painter, words)

    def names(self, painter: QPainter, made: ChartPlan, pointed: int | None) -> None:
        """Paint the names of series; that of the one that is pointed at is bold."""
        for name in made.names:
            self._name(painter, name, made, name.series == pointed)

    def ring(self, painter: QPainter, where: QPointF, place: int, width: float) -> None:
        """Paint a ring around a point."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(theme().paper), width + 2), QPen(ink_of(place), width)):
            painter.setPen(pen)
            painter.drawEllipse(where, _RING, _RING)

    def _lines(self, painter: QPainter, made: ChartPlan) -> None:
        box = QRectF(*made.plot)
        for marker in made.figure.markers:
            pen = QPen(ink_of(marker.place), 1.1)
            pen.setDashPattern([3, 2.4])
            painter.setPen(pen)
            if marker.vertical:
                at = float(made.across(marker.at))
                line = QLineF(at, box.top(), at, box.bottom())
            else:
                at = float(made.down(marker.at))
                line = QLineF(box.left(), at, box.right(), at)
            if box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(line.p1()):
                painter.drawLine(line)

    def _scale(self, painter: QPainter, made: ChartPlan, density: Density) -> None:
        """Paint what the colours of a density mean, above the plot at its right."""
        weight = np.asarray(density.weight, np.float64)
        most = float(weight.max(initial=0))
        if most <= 0:
            return
        least = float(weight[weight > 0].min())
        words = f"{tick_text(most)} {density.unit}".strip()
        right = made.plot.left + made.plot.width
        wide, before = self.width_of(words), self.width_of(tick_text(least))
        left = right - wide - _RAMP - before - 10
        if left < self.width_of(made.figure.y.words) + 16:
            return
        for step, shade in enumerate(density_ramp(np.linspace(least, most, int(_RAMP))).tolist()):
            painter.fillRect(QRectF(left + before + 5 + step, 4, 1.5, LINE - 7), QColor(*shade))
        painter.setPen(QColor(figure_colours(is_dark()).quiet))
        painter.drawText(QRectF(left, 0, before + 2, LINE), _LEFT, tick_text(least))
        painter.drawText(QRectF(right - wide, 0, wide + 2, LINE), _LEFT, words)

    def _words(self, painter: QPainter, words: PlacedLabel) -> None:
        veil = QColor(theme().paper)
        veil.setAlphaF(_VEIL)
        where = QRectF(*words.box)
        if words.lead is not None:
            painter.setPen(QPen(ink_of(words.place, _LEADING), 0.8))
            painter.drawLine(QPointF(words.lead.x, words.lead.y), QPointF(words.lead.to_x, words.lead.to_y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        painter.drawRoundedRect(where.adjusted(-1, 1, 1, -1), 2, 2)
        painter.setPen(ink_of(words.place))
        painter.drawText(where, _CENTRE, words.words)

    def _name(self, painter: QPainter, name: CurveName, made: ChartPlan, pointed: bool) -> None:
        one = made.figure.series[name.series]
        middle, swatch = name.middle, QPointF(name.left + SWATCH / 2, name.middle)
        if name.end is not None:
            painter.setPen(QPen(ink_of(one.place, _LEADING), 0.8))
            start = min(name.end[0], made.plot.left + made.plot.width) + 4
            corners = [(start, name.end[1]), (name.left - 9, middle), (name.left - 4, middle)]
            painter.drawPolyline([QPointF(*corner) for corner in corners])
        if is_joined(one):
            painter.setPen(pen_of(one))
            painter.drawLine(QPointF(name.left, middle), QPointF(name.left + SWATCH, middle))
        if one.kind is FigureKind.BARS:
            painter.fillRect(QRectF(swatch.x() - _BARS, middle - _BARS, 2 * _BARS, 2 * _BARS), ink_of(one.place))
        elif is_marked(one):
            border = QPen(QColor(theme().paper), 1.0)
            x, y = np.array([swatch.x()]), np.array([middle])
            paint_marks(painter, x, y, mark_path(one.place, _LEGEND_MARK), ink_of(one.place), border)
        font = QFont(self._font)
        font.setBold(pointed)
        painter.setFont(font)
        painter.setPen(ink_of(one.place))
        top = middle - LINE * len(name.lines) / 2
        for number, line in enumerate(name.lines):
            painter.drawText(QRectF(name.left + SWATCH + 5, top + number * LINE, 4_000, LINE), _LEFT, line)
